"""One thread that writes: what many tables have to keep is committed together, and nobody's commit holds the others up."""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
import time
from collections.abc import Sequence

from recollect.table.limits import Allowance
from recollect.table.store import Statement, Store

log = logging.getLogger("recollect.table")

MOST = 200  # changes in one commit
SOON = 0.05  # seconds that a note waits for a change to go with
COMMITS = 40.0  # a second, for long: where more is to be kept, more goes together, for most of what keeping costs is the commit
AT_ONCE = 20.0  # that nobody waits for: what one click did, or few tables

Change = tuple[Sequence[Statement], str, "asyncio.Future[None] | None"]  # what, of which table, and who waits for it


class Writer:
    """Takes changes in their order; each is answered when it is on the disk, or with what went wrong."""

    def __init__(self, store: Store) -> None:
        self._connection = store.another()
        self.changes = self.refused = self.commits = 0
        self.seconds = 0.0  # in commits
        self._changes: queue.SimpleQueue[list[Change] | None] = queue.SimpleQueue()
        self._pace = Allowance(COMMITS, AT_ONCE)
        self._next: list[Change] = []  # what goes with the next change
        self._thread = threading.Thread(target=self._run, name="recollect writer", daemon=True)
        self._thread.start()

    def put(self, statements: Sequence[Statement], about: str = "") -> asyncio.Future[None]:
        """All of it or nothing, soon."""
        done = asyncio.get_running_loop().create_future()
        self._next.append((statements, about, done))
        self._put_notes()
        return done

    def note(self, statements: Sequence[Statement], about: str) -> None:
        """What nobody waits for: it goes with the next change, or soon."""
        self._next.append((statements, about, None))
        if len(self._next) == 1:
            asyncio.get_running_loop().call_later(SOON, self._put_notes)

    def _put_notes(self) -> None:
        if self._next:
            self._changes.put(self._next)
            self._next = []

    def close(self) -> None:
        """What is on its way is stored first."""
        self._put_notes()
        self._changes.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        while (first := self._changes.get()) is not None:
            if wait := self._pace.take():
                time.sleep(wait)
            batch, last = first, False
            while len(batch) < MOST and not last and not self._changes.empty():
                more = self._changes.get()
                last = more is None
                batch += more or []
            self._commit(batch)
            if last:
                return

    def _commit(self, batch: list[Change]) -> None:
        """Together; where that fails, one by one, so that each is told its own fault."""
        begun = time.perf_counter()
        try:
            in_order = sorted(batch, key=lambda change: change[1])  # table by table: two processes never wait for each other crosswise
            self._connection.write([statement for statements, *_ in in_order for statement in statements])
        except Exception as error:
            if len(batch) > 1:
                for change in batch:
                    self._commit([change])
                return
            self.refused += 1
            self._answer(batch, error)
        else:
            self.commits += 1
            self.changes += len(batch)
            self.seconds += time.perf_counter() - begun
            self._answer(batch, None)

    def _answer(self, batch: list[Change], error: Exception | None) -> None:
        waiting = [done for _, _, done in batch if done is not None]
        if error and not waiting:  # a note
            log.error("table %s: %s", batch[0][1], error)
        elif waiting and not waiting[0].get_loop().is_closed():
            waiting[0].get_loop().call_soon_threadsafe(answer, waiting, error)


def answer(waiting: list[asyncio.Future[None]], error: Exception | None) -> None:
    for done in waiting:
        if done.cancelled():
            continue
        if error:
            done.set_exception(error)
        else:
            done.set_result(None)
