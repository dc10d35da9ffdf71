"""The page of a report, for one seat: a function of the report alone. Self-contained; all but the walk is there without its script."""

from __future__ import annotations

import base64
import json
import re
import tomllib
from collections.abc import Callable, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined, Template
from markupsafe import Markup, escape

import recollect
from recollect.engine.game import Game
from recollect.engine.shelf import load
from recollect.engine.texts import read_texts
from recollect.review.report import Report
from recollect.review.scene import Scene

HERE = Path(__file__).parent
ANIMALS = ("goldfish", "parrot", "dolphin", "elephant")
SAID = ("you_one", "you_two", "they_one", "they_two", "pair", "red", "none", "twin_one", "twin", "pairs_one", "pairs")
WALK = ("never", "shown", "fading", "up", "gone", *SAID, "play", "pause")
Ways = Mapping[str, Any]  # where a server has more: the table, the replay, the reports of the other seats, and whose it is to another
FONT = "fraunces-latin-wght-normal.woff2"


def report_page(
    report: Report, seat: int, language: str, static: str | None = None, components: Path | None = None, ways: Ways | None = None
) -> str:
    """The page, whole. `static` is where a server keeps our font; without it the font is in the page. `ways` lead on from it."""
    game = load(report.game, components)
    scene = Scene(report, seat, game, language)
    style = Markup(tokens(static) + (HERE / "look" / "report.css").read_text(encoding="utf-8"))
    drawings = {"sprite": sprite(game, scene.pictures()), "picture": picture(game), "badge": drawn(game, "badge")}
    page = {"style": style, "colours": colours(game), **drawings}
    moving = {"said": said(scene, language), "script": script(static)}
    return template().render(scene=scene, ways=ways, t=words(language), language=language, **page, **moving)


def said(scene: Scene, language: str) -> Markup:
    """What the page's script goes by; nothing in it can end the element that it stands in."""
    texts = read_texts(HERE, language)
    words = {"turn": texts("turn"), **{name: texts(f"walk.{name}") for name in WALK}}
    data = json.dumps({"walk": scene.walk, "words": words}, ensure_ascii=False, separators=(",", ":"))
    return Markup(data.replace("<", "\\u003c"))


@lru_cache
def template() -> Template:
    """Read once for all languages; quickly, for the first report is waited for."""
    look = FileSystemLoader(HERE / "look")
    env = Environment(loader=look, autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined, optimized=False)
    return env.get_template("report.html.jinja")


@lru_cache
def words(language: str) -> Callable[..., Markup]:
    """The report's texts in a language, marked up."""
    texts = read_texts(HERE, language)
    return lambda key, **args: rich(texts(key, **args))


def rich(text: str) -> Markup:
    """*words* are strong and `places` are places; everything else is text."""
    marked = re.sub(r"\*(.+?)\*", r"<em>\1</em>", str(escape(text)))
    return Markup(re.sub(r"`(.+?)`", r'<b class="pn">\1</b>', marked))


@lru_cache
def ours(name: str) -> Path:
    """A file of the table's look, wherever the table keeps it."""
    return next((Path(recollect.__file__).parent / "table").rglob(name))


@lru_cache
def tokens(static: str | None) -> str:
    """The shared look, with the font in it or beside it."""
    font = f"{static}{FONT}" if static else "data:font/woff2;base64," + base64.b64encode(ours(FONT).read_bytes()).decode()
    return ours("tokens.css").read_text(encoding="utf-8").replace(FONT, font)


@lru_cache
def script(static: str | None) -> Markup:
    """In the page, or beside it where a server allows no other."""
    text = ours("report.js").read_text(encoding="utf-8")
    return Markup(f'<script src="{static}report.js" defer></script>' if static else f"<script>{text}</script>")


def colours(game: Game) -> str:
    look = tomllib.loads((game.folder / "page" / "look.toml").read_text(encoding="utf-8"))
    names = {"accent": "--accent", "accent_light": "--accent-light", "mood": "--mood"}
    return "; ".join(f"{names[key]}: {value}" for key, value in look.items() if key in names and re.fullmatch(r"#[0-9a-f]{3,8}", value))


def picture(game: Game) -> str:
    """The picture on the postcard: the game's own, but for the house in town, whose windows are lit by the template."""
    if game.name == "ptibapt":
        return ""
    return drawn(game, "vignette")


def drawn(game: Game, name: str) -> str:
    """A drawing of the game, as an address."""
    return "data:image/svg+xml;base64," + base64.b64encode((game.folder / "page" / f"{name}.svg").read_bytes()).decode()


def sprite(game: Game, pictures: set[str]) -> Markup:
    """The pictures that the page needs, and no others."""
    art = (game.folder / "page" / "art.svg").read_text(encoding="utf-8") + ours("kit.svg").read_text(encoding="utf-8")
    wanted = pictures | {f"a-{name}" for name in ANIMALS}
    symbols = [symbol for symbol, name in re.findall(r'(<symbol id="([^"]+)".*?</symbol>)', art, re.S) if name in wanted]
    shared = re.findall("<defs>.*?</defs>", art, re.S)[:1] if "card-back" in wanted else []
    return Markup('<svg class="sprite" aria-hidden="true" focusable="false">' + "".join(shared + symbols) + "</svg>")
