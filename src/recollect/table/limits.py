"""What one visitor may ask of the house; whoever asks more is told so in words, and everybody else is answered."""

from __future__ import annotations

import os
import time
from collections import Counter, OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

T = TypeVar("T")

MESSAGES = 30.0  # that one open page may send in a second, for long
BURST = 90.0  # and at once
PAGES = 40  # that one person may have open
PAGES_FROM_ONE_PLACE = 2_000  # from one address: a school, a town behind one
TABLES = 60  # that one person may have set and not finished
TABLES_FROM_ONE_PLACE = 120  # set from one address in a while
FILES_FROM_ONE_PLACE = 12  # match files sent from one address in a while: the longest takes half a minute to be made into a page
A_WHILE = 600.0  # seconds
BREATH = 5.0  # seconds after which a page that has heard nothing is sent a word (table.js waits for twice as long)
DEAF = 20.0  # seconds after which a page that takes nothing is let go
FIRST_WORD = float(os.environ.get("RECOLLECT_FIRST_WORD", "15"))  # seconds in which a connection must have asked for something
TAKEN = 2 * FIRST_WORD  # seconds after which one that has taken nothing of what it was told is gone


class Latest(OrderedDict[str, T], Generic[T]):
    """What was found out once; the oldest is forgotten."""

    def __init__(self, most: int = 200) -> None:
        super().__init__()
        self.most = most

    def __setitem__(self, name: str, found: T) -> None:
        super().__setitem__(name, found)
        while len(self) > self.most:
            self.popitem(last=False)


class Allowance:
    """So much a second, and a little ahead: `take` says how many seconds to wait for this one, `may` whether it is there."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float] = time.monotonic) -> None:
        self.rate, self.burst, self.now = rate, burst, now
        self._left, self._at = burst, now()

    def take(self) -> float:
        self._refill()
        self._left -= 1
        return max(0.0, -self._left / self.rate)

    def may(self) -> bool:
        """One now, or none; who is refused owes nothing."""
        self._refill()
        if self._left < 1:
            return False
        self._left -= 1
        return True

    @property
    def rested(self) -> bool:
        """Much of it is there again."""
        return self._left > self.burst / 2

    def _refill(self) -> None:
        at = self.now()
        self._left, self._at = min(self.burst, self._left + (at - self._at) * self.rate), at


class Allowances:
    """One for each person, of the latest who came."""

    def __init__(self, rate: float, burst: float) -> None:
        self._each = rate, burst
        self._of: Latest[Allowance] = Latest(50)

    def may(self, person: str) -> bool:
        allowance = self._of.pop(person, None) or Allowance(*self._each)
        self._of[person] = allowance
        return allowance.may()


class Visits:
    """What each address and person has open or has done lately; it remembers only as many as it must."""

    def __init__(self, most: int = 10_000) -> None:
        self.open: Counter[str] = Counter()
        self._lately: OrderedDict[str, Allowance] = OrderedDict()
        self._most = most

    def arrive(self, person: str, place: str) -> bool:
        """Another page is opened, unless that is too many."""
        if self.open[f"person {person}"] >= PAGES or self.open[f"place {place}"] >= PAGES_FROM_ONE_PLACE:
            return False
        self.open.update((f"person {person}", f"place {place}"))
        return True

    def leave(self, person: str, place: str) -> None:
        for key in (f"person {person}", f"place {place}"):
            self.open[key] -= 1
            if self.open[key] <= 0:
                del self.open[key]

    def may_set_a_table(self, place: str) -> bool:
        """Another table is set from this address, unless that is too many in a while."""
        return self._take(place, TABLES_FROM_ONE_PLACE / A_WHILE, TABLES_FROM_ONE_PLACE)

    def may_send_a_file(self, place: str) -> bool:
        """Another match file is sent from this address, unless that is too many in a while."""
        return self._take(f"files {place}", FILES_FROM_ONE_PLACE / A_WHILE, FILES_FROM_ONE_PLACE)

    def may_ask(self, who: str) -> bool:
        """A program asks for something to be done, unless that is more than a page might."""
        return self._take(f"program {who}", MESSAGES, BURST)

    def _take(self, key: str, rate: float, burst: float) -> bool:
        allowance = self._lately.pop(key, None) or Allowance(rate, burst)
        self._lately[key] = allowance
        if len(self._lately) > self._most:
            self._lately.popitem(last=False)
        return allowance.may()
