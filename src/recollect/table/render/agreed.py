"""What was agreed before a game, in words: for the lobby and for who is invited."""

from __future__ import annotations

from collections.abc import Mapping

from recollect.engine.game import Game
from recollect.engine.options import Option, Value
from recollect.table.render.company import spell
from recollect.table.render.page import face_of
from recollect.table.render.prose import game_texts, ui_texts
from recollect.table.store.beside import Manners


def agreed(game: Game, values: Mapping[str, Value], language: str, manners: Manners) -> list[tuple[str, str]]:
    """How long a turn may take and what follows then, where there is a clock; that people may chat; each option that so many players
    may choose, with the choice; of those that are folded away only what is not as usual."""
    face, players = face_of(game.name, language), game.players(values)
    t, ui = game_texts(game, language), ui_texts(language)
    told = [(str(ui("pace.title")), str(ui("pace.of", time=spell(manners.turn, language))))] if manners.turn else []
    told += [(str(ui("pace.follows")), str(ui(f"pace.{'host' if manners.follows == 'ask' else manners.follows}")))] if manners.turn else []
    told += [(str(ui("pace.chat")), str(ui("setup.yes")))] if manners.chat else []
    for option in game.options:
        name, usual = option.name, values[option.name] == option.default
        offered = face.least.get(name, 0) <= players <= face.most.get(name, players)
        if name != "players" and offered and not (usual and name in face.more):
            told.append((str(t(f"options.{name}.label")), choice(game, option, values[name], language)))
    return told


def choice(game: Game, option: Option, value: Value, language: str) -> str:
    """A choice as the set-up page names it."""
    t, ui, key = game_texts(game, language), ui_texts(language), f"options.{option.name}.{str(value).lower()}"
    if key in t:
        return str(t(key))
    if isinstance(value, bool):
        return str(ui("setup.yes" if value else "setup.no"))
    return str(t(f"options.{option.name}.choice", n=value)) if f"options.{option.name}.choice" in t else str(value)
