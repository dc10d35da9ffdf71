"""The rules panel: its sections, and which of them speaks of what is on the table now."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache

from markupsafe import Markup

from recollect.engine.game import Game
from recollect.engine.look import Look
from recollect.engine.texts import Texts
from recollect.table.render.prose import prose


def rules_of(texts: Texts) -> Markup:
    """The sections under [rules], each with a title and a text; a section can be led to."""
    out = []
    for key, value in texts.section("rules").items():
        if key.endswith(".title"):
            out.append(Markup('<h3 id="rules-%s" tabindex="-1">%s</h3>') % (key.removesuffix(".title"), value))
        else:
            out.append(prose(value))
    return Markup("\n").join(out)


@lru_cache(maxsize=32)
def chapters(game: Game) -> Mapping[str, Mapping[str, str]]:
    """By the fields of the record that say what is being asked, and their values: the section (page/look.toml)."""
    file = game.folder / "page" / "look.toml"
    found: Mapping[str, Mapping[str, str]] = tomllib.loads(file.read_text("utf-8")).get("chapters", {}) if file.is_file() else {}
    return found


def chapter_of(look: Look) -> str:
    """The section of the rules for what is being asked; empty where none is more fitting than another."""
    for name, sections in chapters(look.game).items():
        field, value = look.game.state.fields[name], getattr(look.view, name)
        asked = value[max(look.seat, 0)] if field.axes else value
        section = sections.get((field.values or ())[int(asked)]) if int(asked) >= 0 else None
        if section:
            return section
    return ""
