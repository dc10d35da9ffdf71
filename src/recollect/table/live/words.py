"""Words at a table: a handful of emotes and phrases, which everybody reads in their own language; free chat where the table allows it."""

from __future__ import annotations

import unicodedata
from typing import TYPE_CHECKING

from recollect.table.limits import Allowances
from recollect.table.render.prose import ui_texts

if TYPE_CHECKING:
    from recollect.table.live.company import Company
    from recollect.table.live.screen import Screen

EMOTES = ("smile", "laugh", "wow", "think", "sad", "heart")
PHRASES = ("hello", "luck", "well", "thanks", "moment", "turn", "sorry", "bye")
LONGEST = 160  # letters of what somebody writes
MARKS = 3  # over and under one letter; no language has more
OFTEN, AT_ONCE = 1 / 4, 4.0  # words a second for long, and at once; of one person at one table


class Words:
    """What people at one table say. It is an aside like others: the game waits for none of it."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self._allowed = Allowances(OFTEN, AT_ONCE)

    async def say(self, screen: Screen, what: str) -> str:
        """Returns why it was not said, if it was not."""
        ui = ui_texts(screen.language)
        if not screen.mine:
            return ui("why.spectator")
        known = what in EMOTES + PHRASES
        text = what if known else written(what) if self.company.manners.chat else ""
        if not text:
            return ui("why.words")
        if not self._allowed.may(screen.person):
            return ui("why.often")
        seat = screen.seat if screen.seat in screen.mine else screen.mine[0]
        await self.company.add("said" if known else "wrote", seat, text)
        return ""


def written(text: str) -> str:
    """On one line, without marks that turn or hide what stands beside them."""
    seen = "".join(c for c in " ".join(text.split()) if unicodedata.category(c)[0] != "C")
    return calm(seen)[:LONGEST].strip()


def calm(text: str) -> str:
    """A letter bears a few marks; a tower of them would stand before what others read."""
    kept, marks = list[str](), 0
    for c in text:
        marks = marks + 1 if unicodedata.category(c) in ("Mn", "Me") else 0
        if marks <= MARKS:
            kept.append(c)
    return "".join(kept)
