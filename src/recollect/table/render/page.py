"""Pages by Jinja: the house's own, and the live part of a table, a function of what one seat may see."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from jinja2 import ChoiceLoader, FunctionLoader, StrictUndefined
from markupsafe import Markup
from msgspec.structs import replace

from recollect.engine.drawn import Drawn, once
from recollect.engine.game import Game
from recollect.engine.look import Look, Moment, heard
from recollect.engine.match import Entry, Match
from recollect.engine.record import Opened
from recollect.engine.shelf import games, load
from recollect.engine.stream import CHANCE
from recollect.engine.texts import LANGUAGES
from recollect.table.render import plain
from recollect.table.render.ending import ending
from recollect.table.render.lines import told
from recollect.table.render.parts import PartedEnvironment, Parts, Sheet
from recollect.table.render.players import PORTRAITS, Person, Player, is_person, seated
from recollect.table.render.prose import HERE, game_texts, marked, other_language, own_name, prose, rich, ui_texts
from recollect.table.render.rules import chapter_of, chapters, rules_of

STATIC = HERE / "static"


# -- art


def sprite(file: Path) -> Markup:
    """A file of <symbol>s, to be put into a page once; the same for everybody."""
    svg = re.sub(r"<!--.*?-->\s*", "", file.read_text(encoding="utf-8"), flags=re.S)
    return Markup(svg.replace("<svg ", '<svg class="sprite" aria-hidden="true" focusable="false" ', 1))


@dataclass(frozen=True)
class Face:
    """A game as the pages show it."""

    name: str
    sprite: Markup
    colours: str
    rules: Markup
    more: tuple[str, ...] = ()  # options that the set-up page folds away
    least: Mapping[str, int] = field(default_factory=dict)  # options that only so many players can choose
    most: Mapping[str, int] = field(default_factory=dict)  # ... or no more than so many


@lru_cache(maxsize=32)
def face_of(game: str, language: str) -> Face:
    folder = load(game).folder / "page"
    look = tomllib.loads((folder / "look.toml").read_text(encoding="utf-8")) if (folder / "look.toml").is_file() else {}
    names = {"accent": "--accent", "accent_light": "--accent-light", "mood": "--mood"}
    colours = "; ".join(f"{names[key]}: {value}" for key, value in look.items() if key in names and re.fullmatch(r"#[0-9a-f]{3,8}", value))
    art = sprite(folder / "art.svg") if (folder / "art.svg").is_file() else Markup("")
    rules = rules_of(game_texts(load(game), language))
    return Face(game, art, colours, rules, tuple(look.get("more", ())), look.get("least", {}), look.get("most", {}))


@lru_cache(maxsize=32)
def almanac(name: str, language: str) -> str:
    """Every card, tile and power of a game with its picture, for the rules panel; nothing for a game that has drawn none."""
    game = load(name)
    if not own(game, "almanac.html.jinja"):
        return ""
    look = Look.of(game.match().moment, -1, ["", "", "", ""], game_texts(game, language))
    return environment(name, language).get_template("almanac.html.jinja").render(scene_of(game).almanac(look))


@cache
def templates(folder: Path) -> FunctionLoader:
    """The templates of a folder as they are now: later they may be a newer version's."""
    files = {file.relative_to(folder).as_posix(): file for file in folder.rglob("*.jinja")}
    held = {name: (file.read_text(encoding="utf-8"), str(file), None) for name, file in files.items()}
    return FunctionLoader(held.get)


def hold() -> None:
    """What a table's pages are made from is read before anybody comes: a process that serves on during an upgrade mixes no two versions."""
    for language in LANGUAGES:
        environment(None, language)
        for name in games():
            with suppress(Exception):  # a fault in a game's pages is told to who asks for them
                environment(name, language)
                chapters(load(name))


@lru_cache(maxsize=32)
def environment(game: str | None, language: str) -> PartedEnvironment:
    """Templates of a game first, then the house's."""
    ui = ui_texts(language)
    loader = templates(HERE / "templates")
    env = PartedEnvironment(
        loader=ChoiceLoader([templates(load(game).folder / "page"), loader]) if game else loader,
        autoescape=True,
        extensions=[Parts],
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    env.filters.update(rich=rich, prose=prose, told=told)
    other = other_language(language)
    env.globals.update(spoken=[(code, own_name(code)) for code in LANGUAGES], other={"code": other, "name": own_name(other)})
    env.globals.update(ui=marked(ui), kit_sprite=sprite(STATIC / "kit.svg"), game=None, portraits=PORTRAITS)
    if game:
        texts = game_texts(load(game), language)
        env.globals.update(t=marked(texts), has_text=texts.__contains__, game=face_of(game, language))
    return env


def whole(template: str, language: str, path: str, game: str | None = None, title: str = "", **context: Any) -> str:
    """A whole page of the house."""
    return environment(game, language).get_template(template).render(page={"language": language, "path": path, "title": title}, **context)


# -- what a seat sees


class Page(msgspec.Struct, kw_only=True, frozen=True):
    """What a seat's page is made from: its look, and what the table adds to it."""

    look: Look
    people: Sequence[Person]
    language: str = "en"
    paced: bool = False  # something is being shown; the table goes on by itself
    path: str = "/"
    id: str = "preview"
    n: int = 0
    lines: Sequence[Mapping[str, Any]] = ()
    can_undo: bool = False
    stands_in: bool = False  # a companion plays for the person who sits here
    can_hint: bool = False
    hint: Mapping[str, Any] | None = None  # the hint that this seat took now
    missed: int = 0  # exposures still to be shown to this seat, this one included
    hold: float = 0
    seen: frozenset[int] = frozenset()  # who has seen enough of what is being shown
    held: bool = False  # somebody wants to look longer
    chairs: Sequence[int] = ()  # other seats of this screen that may act too
    mine: bool = True
    steps: Mapping[str, Any] | None = None  # in a replay: where we are
    seal: str = ""
    ended: bool = False  # show the end, not the board
    lesson: Mapping[str, Any] | None = None  # in a lesson: what the guide says

    @classmethod
    def of(
        cls,
        moment: Moment,
        seat: int,
        people: Sequence[Person],
        language: str = "en",
        extra: Mapping[str, object] | None = None,
        shared: bool = False,
        **more: Any,
    ) -> Page:
        """The page of a seat at a moment."""
        names = [name for name, _, _ in people]
        look = Look.of(moment, seat, names, game_texts(moment.game, language), extra, shared)
        return cls(look=look, people=people, language=language, paced=moment.paced is not None, **more)

    def waits(self) -> str:
        """Who has still to see what is being shown, when this seat has."""
        others = [name for seat, (name, art, _) in enumerate(self.people) if is_person(art) and seat not in self.seen | {self.look.seat}]
        return ui_texts(self.language)("turn.waits_for", name=", ".join(others)) if others else ui_texts(self.language)("turn.goes_on")

    def shown(self) -> Drawn:
        """While something is shown to all: who has seen it. The same at many tables."""
        return once(held=self.held, saw=self.look.seat in self.seen, waits=self.waits(), mine=self.mine, missed=self.missed)

    def instead(self) -> str:
        """Where a companion is to move for this seat: that whoever sits here may do so all the same."""
        seat, ui = self.look.seat, ui_texts(self.language)
        nothing_to_do = self.paced or self.missed or self.steps  # what is shown to all, or was: no click takes over there
        if not self.stands_in or seat not in self.look.acting or nothing_to_do:
            return ""
        return ui("turn.instead") if self.look.you(seat) else ui("turn.instead_of", name=self.people[seat][0])

    def players(self) -> list[Player]:
        """Everybody at the table, by seat."""
        asked = frozenset() if self.paced else self.look.acting
        me = self.look.seat  # whoever reads the page is there, though it be not connected yet
        return [seated(n, name, art, n == me, n in asked, away and n != me) for n, (name, art, away) in enumerate(self.people)]


def pressed(moment: Moment, seat: int, names: Sequence[str], language: str) -> str:
    """What a seat may look at while it presses, where several share a screen; nothing in a game that has drawn none."""
    game = moment.game
    if not own(game, "pressed.html.jinja"):
        return ""
    look = Look.of(moment, seat, names, game_texts(game, language))
    return environment(game.name, language).get_template("pressed.html.jinja").render(scene_of(game).scene(look))


def fragment(page: Page) -> str:
    """The live part of a table's page for one seat, as text."""
    return sheet(page).html


def sheet(page: Page) -> Sheet:
    """The live part of a table's page for one seat."""
    look, players = page.look, page.players()
    around = players[look.seat + 1 :] + players[: max(look.seat, 0)] if look.seat >= 0 else players
    context: dict[str, Any] = {
        "look": look,
        "players": players,
        "others": around,  # in the order of play, from the one after me
        "me": players[look.seat] if look.seat >= 0 else None,
        "lines": page.lines,
        "can_undo": page.can_undo,
        "lesson": page.lesson,
        "can_hint": page.can_hint,
        "hint": page.hint,
        "chapter": chapter_of(look),
        "table": {
            "id": page.id,
            "n": page.n,
            "missed": page.missed,
            "hold": page.hold,
            "chairs": [players[seat] for seat in page.chairs] or None,
            "mine": page.mine,
            "shared": look.shared,
            "seal": page.seal,
            "steps": page.steps,
            "paced": page.paced,
            "shown": page.shown() if page.paced else None,
            "sand": once(n=page.n, hold=page.hold, held=page.held) if page.paced else None,  # how long it stays
            "remembers": remembers(look.game),
            "instead": page.instead(),
        },
        "page": {"language": page.language, "path": page.path, "title": ""},
        **scene_of(look.game).scene(look),
    }
    env = environment(look.game.name, page.language)
    if page.ended and look.standing:
        context["end"] = ending(look.standing, players, look.t, ui_texts(page.language), look.you.seat)
        return Sheet(env.get_template(own(look.game, "end.html.jinja") or "layout/end.html.jinja").render(context), env)
    return Sheet(env.get_template(own(look.game, "table.html.jinja") or "layout/plain.html.jinja").render(context), env)


def done(look: Look) -> str:
    """What was done last, in words, as the replay tells it."""
    scene = scene_of(look.game)
    return heard(replace(look, over=False), scene.line, scene.words)


def mini(look: Look, before: Look) -> str:
    """What a seat has after a move, small, with what the move changed; nothing for a game that has drawn none. It has no ids: it
    stands beside the page itself."""
    if not own(look.game, "mini.html.jinja"):
        return ""
    env = environment(look.game.name, look.t.language)
    html = Sheet(env.get_template("mini.html.jinja").render(scene_of(look.game).mini(look, before)), env).html
    return re.sub(r' (id|tabindex|data-[\w-]+)="[^"]*"', "", html)


@lru_cache(maxsize=32)
def remembers(game: Game) -> bool:
    """A game of recall: there is a memory report of it."""
    return (game.folder / "recall.py").is_file()


@lru_cache(maxsize=64)
def own(game: Game, template: str) -> str | None:
    """The game's own template, if it has drawn one."""
    return template if (game.folder / "page" / template).is_file() else None


@lru_cache(maxsize=32)
def scene_of(game: Game) -> Any:
    """The game's scene, or the plain one."""
    return game.scene if (game.folder / "page" / "scene.py").is_file() and own(game, "table.html.jinja") else plain


@lru_cache(maxsize=32)
def rests(game: Game) -> Callable[[Opened], bool] | None:
    """How a game tells that no turn is half done, if its pieces keep their places until then."""
    return getattr(scene_of(game), "at_rest", None)


def rest(moment: Moment, seat: int, earlier: Iterable[np.ndarray]) -> dict[str, object]:
    """The seat's latest view of a moment at rest, where a game's pieces keep their places until the next; `earlier`: latest first."""
    at_rest = rests(moment.game)
    if at_rest is None or at_rest(moment.view(seat)):
        return {}
    return {"rest": next(filter(at_rest, (moment.game.view(record, seat) for record in earlier)), None)}


def made(game: Game, seat: int, entry: Entry, before: Callable[[], np.ndarray]) -> dict[str, object]:
    """The latest entry that a seat made, and this seat's view of what it came from, for who asks."""
    return {"entry": entry, "was": lambda: game.view(before(), seat)}


def latest(match: Match, seat: int) -> dict[str, object]:
    """What a page is told beside the moment of a match that no table keeps: what was made last, and where pieces were at rest."""
    entry = next((entry for entry in reversed(match.log) if entry[0] != CHANCE), None)
    before = {} if entry is None else made(match.game, seat, entry, lambda: next(islice(latest_first(match), 1, None)))
    return {**before, **rest(match.moment, seat, latest_first(match))}


def latest_first(match: Match) -> Iterator[np.ndarray]:
    """The positions of a match from its last to its first; the match is gone through when the first of them is asked for."""
    yield from (record for _, record in reversed(list(match.positions())))
