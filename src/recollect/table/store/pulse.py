"""Whether the database answers. A machine that was cut off says nothing, not even that it is gone: who asks it would wait for minutes."""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg

from recollect.table.store.database import Removed, Unkept

SILENCE = 2.0  # seconds without an answer to a sign of life, after which there is no hope for other answers
ALSO = 0.5  # seconds that an answer must itself be missing by then: who signs may only have been held up
SILENT = "the database does not answer"


class Pulse:
    """Felt with every sign of life that the process gives; who gives none waits for every answer."""

    def __init__(self) -> None:
        self._asked: float | None = None  # when the sign of life was given that has no answer yet
        self.lost = False  # the last one had none
        self.refused = False  # a change was, and none was tried since: nothing else tells of a full disk, or that nothing may be written

    def late(self) -> bool:
        """The answer to a sign of life is missing."""
        asked = self._asked
        return asked is not None and time.monotonic() - asked > SILENCE

    def gone(self) -> bool:
        """There is no hope for answers now."""
        return self.lost or self.late()

    def check(self) -> None:
        """Who comes while it is lost is told so at once."""
        if self.lost:
            raise psycopg.OperationalError(SILENT)

    @contextmanager
    def felt(self) -> Iterator[None]:
        """While a sign of life is given."""
        self._asked = time.monotonic()
        try:
            yield
            self.lost = False
        except psycopg.OperationalError:
            self.lost = True
            raise
        finally:
            self._asked = None

    @contextmanager
    def kept(self) -> Iterator[None]:
        """While something is to be kept."""
        try:
            yield
        except Removed:
            raise
        except Unkept:
            self.refused = True
            raise


def watched(gen: Generator[Any, Any, Any], hopeless: Callable[[], bool], close: Callable[[], None]) -> Generator[Any, Any, Any]:
    """What waits for an answer, until there is one or no more hope for it; then the connection is closed."""
    since = time.monotonic()
    try:
        wanted = next(gen)
        while True:
            ready = yield wanted
            if not ready and time.monotonic() - since > ALSO and hopeless():
                close()
                raise psycopg.OperationalError(SILENT)
            wanted = gen.send(ready)
    except StopIteration as done:
        return done.value
