"""The words of pages: the table's own texts and a game's, and how plain text becomes markup."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from babel import Locale
from markupsafe import Markup, escape

from recollect.engine.game import Game
from recollect.engine.texts import LANGUAGES, Texts, minus, read_texts

HERE = Path(__file__).parent


@lru_cache(maxsize=8)
def ui_texts(language: str) -> Texts:
    """The table's own words."""
    return read_texts(HERE, language)


@lru_cache(maxsize=64)
def game_texts(game: Game, language: str) -> Texts:
    """A game's words."""
    return game.texts(language)


@lru_cache(maxsize=4096)
def rich(text: str) -> Markup:
    """Plain words with *stars* for what is bold."""
    return Markup(re.sub(r"\*(.+?)\*", r"<b>\1</b>", str(escape(text))))


def marked(texts: Texts) -> Any:
    """Texts for templates: what is put into a text may be markup, the rest is escaped; *stars* are bold."""

    @lru_cache(maxsize=16_384)
    def shape(key: str, slots: tuple[str, ...], n: tuple[tuple[str, object], ...]) -> list[str]:
        """A text as markup around what goes into it: every other one is the place of a value."""
        places = {name: f"\x00{i}\x00" for i, name in enumerate(slots)}
        return str(rich(texts(key, **places, **dict(n)))).split("\x00")

    def said(key: str, args: list[tuple[str, object]]) -> Markup:
        given = [pair for pair in args if pair[0] != "n"]
        words = list(shape(key, tuple([name for name, _ in given]), tuple([pair for pair in args if pair[0] == "n"])))
        words[1::2] = [str(escape(minus(given[int(i)][1]))) for i in words[1::2]]
        return Markup("".join(words))

    @lru_cache(maxsize=16_384)
    def t(key: str, **args: object) -> Markup:
        asked = texts.asks(key)  # much is offered to some texts that they do not ask for
        return said(key, [pair for pair in args.items() if pair[0] in asked])

    t.raw = texts  # type: ignore[attr-defined]
    return t


def prose(text: str) -> Markup:
    """Paragraphs divided by an empty line; lines that begin with a dash are a list."""
    out = []
    for block in re.split(r"\n\s*\n", text.strip()):
        lines = [line.strip() for line in block.splitlines()]
        if all(line.startswith("- ") for line in lines):
            out.append(Markup("<ul>%s</ul>") % Markup("").join(Markup("<li>%s</li>") % rich(line[2:]) for line in lines))
        else:
            out.append(Markup("<p>%s</p>") % rich(" ".join(lines)))
    return Markup("\n").join(out)


def other_language(language: str) -> str:
    """The one after it, round and round."""
    return LANGUAGES[(LANGUAGES.index(language) + 1) % len(LANGUAGES)]


def own_name(language: str) -> str:
    """What a language calls itself."""
    return (Locale.parse(language).get_display_name() or language).capitalize()


def listed(names: Sequence[str], ui: Texts) -> str:
    """Names as one says them: one, two and three."""
    return f"{', '.join(names[:-1])} {ui('and')} {names[-1]}" if len(names) > 1 else "".join(names)


@lru_cache(maxsize=64)
def title_of(game: Game, language: str, turn: bool) -> str:
    """What stands on the browser's tab."""
    ui, name = ui_texts(language), game_texts(game, language)("name")
    return f"{ui('turn.yours')} · {name} · Recollect" if turn else f"{name} · Recollect"
