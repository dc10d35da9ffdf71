"""Pages by Jinja: the house's own, and the live part of a table, a function of what one seat may see."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from jinja2 import ChoiceLoader, Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from recollect.engine.game import Game
from recollect.engine.look import Look
from recollect.engine.shelf import load
from recollect.engine.stream import CHANCE
from recollect.engine.texts import Texts
from recollect.table.render import plain
from recollect.table.render.ending import ending
from recollect.table.render.players import Player
from recollect.table.render.prose import HERE, game_texts, marked, prose, rich, rules_of, ui_texts

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
    alone_hides: tuple[str, ...] = ()  # options without meaning for one player


@lru_cache(maxsize=32)
def face_of(game: str, language: str) -> Face:
    folder = load(game).folder / "page"
    look = tomllib.loads((folder / "look.toml").read_text(encoding="utf-8")) if (folder / "look.toml").is_file() else {}
    names = {"accent": "--accent", "accent_light": "--accent-light", "mood": "--mood"}
    colours = "; ".join(f"{names[key]}: {value}" for key, value in look.items() if key in names and re.fullmatch(r"#[0-9a-f]{3,8}", value))
    art = sprite(folder / "art.svg") if (folder / "art.svg").is_file() else Markup("")
    folded, hidden = (tuple(look.get(key, ())) for key in ("more", "alone_hides"))
    return Face(game, art, colours, rules_of(load(game).texts(language)), folded, hidden)


@lru_cache(maxsize=32)
def environment(game: str | None, language: str) -> Environment:
    """Templates of a game first, then the house's."""
    ui = ui_texts(language)
    loader = FileSystemLoader(HERE / "templates")
    env = Environment(
        loader=ChoiceLoader([FileSystemLoader(load(game).folder / "page"), loader]) if game else loader,
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    env.filters.update(rich=rich, prose=prose)
    env.globals.update(ui=marked(ui), kit_sprite=sprite(STATIC / "kit.svg"), game=None)
    if game:
        texts = load(game).texts(language)
        env.globals.update(t=marked(texts), has_text=texts.__contains__, game=face_of(game, language))
    return env


def whole(template: str, language: str, path: str, game: str | None = None, title: str = "", **context: Any) -> str:
    """A whole page of the house."""
    return environment(game, language).get_template(template).render(page={"language": language, "path": path, "title": title}, **context)


# -- what a seat sees


@dataclass
class Sight:
    """All that a seat's page is made from."""

    game: Game
    record: np.ndarray
    seat: int
    options: Mapping[str, Any]
    people: Sequence[tuple[str, str | None, bool]]  # name, picture, away
    language: str = "en"
    path: str = "/"
    id: str = "preview"
    n: int = 0
    lines: Sequence[Mapping[str, Any]] = ()
    can_undo: bool = False
    missed: int = 0  # exposures still to be shown to this seat, this one included
    hold: float = 0
    chairs: Sequence[int] = ()  # other seats of this screen that may act too
    mine: bool = True
    steps: Mapping[str, Any] | None = None  # in a replay: where we are
    shared: bool = False  # several people sit at this screen
    seal: str = ""
    ended: bool = False  # show the end, not the board
    extra: Mapping[str, object] = field(default_factory=dict)

    def look(self) -> Look:
        return look_at(
            self.game,
            self.record,
            self.seat,
            [name for name, _, _ in self.people],
            game_texts(self.game, self.language),
            self.options,
            self.extra,
            self.shared,
        )


def look_at(
    game: Game,
    record: np.ndarray,
    seat: int,
    names: Sequence[str],
    texts: Texts,
    options: Mapping[str, Any],
    extra: Mapping[str, object] | None = None,
    shared: bool = False,
) -> Look:
    """What one seat has before it; paced actions are the table's own and nobody's to choose."""
    s = game.state.open(record)
    acting = game.acting(s)
    return Look(
        game=game,
        view=game.view(record, seat),
        seat=seat,
        acting=acting - {CHANCE},
        legal=frozenset(game.legal(s, seat)) - game.paced if seat >= 0 else frozenset(),
        names=names,
        t=texts,
        options=options,
        over=not acting,
        standing=None if acting else game.standing(s, game.players(options)),
        extra=extra or {},
        shared=shared,
    )


def fragment(sight: Sight) -> str:
    """The live part of a table's page for one seat."""
    look = sight.look()
    paced = all(set(sight.game.legal(sight.game.state.open(sight.record), seat)) <= sight.game.paced for seat in look.acting)
    players = [
        Player(seat, name, art, me=seat == sight.seat, acting=seat in look.acting and not paced, away=away)
        for seat, (name, art, away) in enumerate(sight.people)
    ]
    around = players[sight.seat + 1 :] + players[: max(sight.seat, 0)] if sight.seat >= 0 else players
    env = environment(sight.game.name, sight.language)
    context: dict[str, Any] = {
        "look": look,
        "players": players,
        "others": around,  # in the order of play, from the one after me
        "me": players[sight.seat] if sight.seat >= 0 else None,
        "lines": sight.lines,
        "can_undo": sight.can_undo,
        "table": {
            "id": sight.id,
            "n": sight.n,
            "missed": sight.missed,
            "hold": sight.hold,
            "chairs": [players[seat] for seat in sight.chairs],
            "mine": sight.mine,
            "shared": sight.shared,
            "seal": sight.seal,
            "steps": sight.steps,
            "paced": paced and not look.over,  # something is being shown; the table goes on by itself
        },
        "page": {"language": sight.language, "path": sight.path, "title": ""},
        **scene_of(sight.game).scene(look),
    }
    if sight.ended and look.standing:
        context["end"] = ending(look.standing, players, look.t, ui_texts(sight.language))
        return env.get_template(own(sight.game, "end.html.jinja") or "layout/end.html.jinja").render(context)
    return env.get_template(own(sight.game, "table.html.jinja") or "layout/plain.html.jinja").render(context)


def own(game: Game, template: str) -> str | None:
    """The game's own template, if it has drawn one."""
    return template if (game.folder / "page" / template).is_file() else None


def scene_of(game: Game) -> Any:
    """The game's scene, or the plain one."""
    return game.scene if (game.folder / "page" / "scene.py").is_file() and own(game, "table.html.jinja") else plain
