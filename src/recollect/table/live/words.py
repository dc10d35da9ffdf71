"""Words at a table: a handful of emotes and phrases, which everybody reads in their own language; free chat where the table allows it."""

from __future__ import annotations

import unicodedata
from collections import OrderedDict
from typing import TYPE_CHECKING

from recollect.table.limits import Allowance
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
        self._allowed: OrderedDict[str, Allowance] = OrderedDict()

    async def say(self, screen: Screen, what: str) -> str:
        """Returns why it was not said, if it was not."""
        ui = ui_texts(screen.language)
        if not screen.mine:
            return ui("why.spectator")
        known = what in EMOTES + PHRASES
        text = what if known else written(what) if self.company.manners.chat else ""
        if not text:
            return ui("why.words")
        if not self._may(screen.person):
            return ui("why.often")
        seat = screen.seat if screen.seat in screen.mine else screen.mine[0]
        await self.company.add("said" if known else "wrote", seat, text)
        return ""

    def _may(self, person: str) -> bool:
        """Whoever says too much waits."""
        allowance = self._allowed.pop(person, None) or Allowance(OFTEN, AT_ONCE)
        self._allowed[person] = allowance
        if len(self._allowed) > 50:
            self._allowed.popitem(last=False)
        return allowance.may()


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
