"""One writer for all tables: nothing is told before it is stored, what fails did not happen, and commits are shared."""

from __future__ import annotations

import asyncio
import random
import re
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from recollect.engine.shelf import load
from recollect.table.live.room import Room
from recollect.table.live.screen import Screen
from recollect.table.render.company import standing
from recollect.table.render.numbers import log
from recollect.table.store import Chair, Overtaken, Row, Store
from recollect.table.store.beside import Manners
from recollect.table.writer import AT_ONCE, COMMITS, Writer

GAME = load("memoarrr")
[SIDE] = GAME.actions.starts("side")


def room_of(store: Store, writer: Writer, id: str) -> Room:
    chairs = [Chair("here", person, person) for person in ("mila", "theo")]
    options = GAME.settle({"players": 2, "first": "first_seat"})
    store.create(Row.of(GAME, id=id, options=options, seed="a seed", host="mila", chairs=chairs))
    room = Room(store.row(id), store, writer=writer)
    room.open()
    return room


class Gate:
    """Holds the writer until it is opened; counts the commits."""

    def __init__(self, writer: Writer, monkeypatch: pytest.MonkeyPatch) -> None:
        self.open, self.commits, real = threading.Event(), 0, writer._connection.write

        def write(statements: object) -> None:
            self.open.wait(20)
            self.commits += 1
            real(statements)  # type: ignore[arg-type]

        monkeypatch.setattr(writer._connection, "write", write)


def test_nobody_sees_a_move_before_it_is_stored_and_tables_share_a_commit(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        store = Store(where)
        writer = Writer(store)
        rooms = [room_of(store, writer, f"t{k}") for k in range(20)]
        pages = [Screen(room, None, "theo", "en").frame()["html"] for room in rooms]
        gate = Gate(writer, monkeypatch)
        for room in rooms:
            room.play(0, SIDE)
        for room, page in zip(rooms, pages, strict=True):
            assert room.n == 0 and room.writing and store.moves(room.row.id) == []
            assert Screen(room, None, "theo", "en").frame()["html"] == page
        gate.open.set()
        for room in rooms:
            await room.kept()
            assert room.n and room.writing is None and store.moves(room.row.id)[0] == (0, SIDE)
        assert gate.commits <= 2, "the first alone, the rest together"
        assert Screen(rooms[0], None, "theo", "en").frame()["html"] != pages[0]
        writer.close()

    asyncio.run(story())


def test_nobody_sees_that_something_is_taken_back_before_that_is_stored(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    """Beside others who plan at the same time it may lie in the middle of the log. Pages, logs and clocks are asked meanwhile."""

    async def story() -> None:
        store, game = Store(where), load("vivid")
        chairs = [Chair("link", person, person) for person in ("mila", "theo")]
        store.create(Row.of(game, id="t", options=game.settle({"players": 2}), seed="s", host="mila", chairs=chairs), Manners(60.0))
        writer, rng = Writer(store), random.Random(5)
        room = Room(store.row("t"), store, writer=writer)
        room.open()

        async def plays(seat: int) -> None:
            room.play(seat, rng.choice(room.moment.legal(seat)))
            await room.kept()

        def seen() -> list[object]:
            screens = [Screen(room, None, person, "en") for person in ("mila", "theo", "a stranger")]
            pages = [re.sub(r'<button[^>]*id="do-undo".*?</button>', "", screen.frame()["html"], flags=re.S) for screen in screens]
            return [*map(str.split, pages), *(standing(screen) for screen in screens), log(room, 0, "en"), room.company.pace.until()]

        while room.moment.players != {0, 1} or not (room.can_undo(0) and room.match.log[-1][0] == 1):
            await plays(min(room.moment.players) if len(room.moment.players) < 2 else rng.randrange(2))
        before, gate = seen(), Gate(writer, monkeypatch)
        room.undo(0)
        room.pages.forget()  # somebody comes, or goes
        room.log.forget()
        assert room.writing and seen() == before
        gate.open.set()
        await room.kept()
        assert room.writing is None and seen() != before
        writer.close()

    asyncio.run(story())


def test_a_change_that_cannot_be_stored_did_not_happen_and_the_others_did(where: Path | str):
    async def story() -> None:
        store = Store(where)
        writer = Writer(store)
        rooms = [room_of(store, writer, f"t{k}") for k in range(3)]
        store.write(store.added("t1", 0, [(0, SIDE)], [0]))  # somebody else's entry is in the way
        for room in rooms:
            room.play(0, SIDE)
        faults = await asyncio.gather(*(room.kept() for room in rooms), return_exceptions=True)
        assert faults[0] is faults[2] is None and isinstance(faults[1], Overtaken)
        assert [store.moves(room.row.id)[0] for room in rooms] == [(0, SIDE)] * 3 and rooms[0].n > 0 < rooms[2].n
        assert [entry for entry in store.moves("t1") if entry[0] == 0] == [(0, SIDE)] == rooms[1].match.log[:1], "as the store says"
        writer.close()

    asyncio.run(story())


def test_what_is_on_its_way_is_stored_before_the_house_closes(where: Path | str):
    async def story() -> None:
        store = Store(where)
        writer = Writer(store)
        room = room_of(store, writer, "t")
        room.play(0, SIDE)
        writer.close()
        assert store.moves("t")[0] == (0, SIDE)

    asyncio.run(story())


def test_who_has_much_to_keep_waits_a_moment_and_keeps_more_together(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    waits, go_on = list[float](), threading.Event()

    def sleep(seconds: float) -> None:
        waits.append(seconds)
        go_on.wait(20)

    async def story() -> None:
        store = Store(where)
        writer = Writer(store)
        rooms = [room_of(store, writer, f"t{k}") for k in range(6)]
        monkeypatch.setattr(writer._pace, "now", lambda: writer._pace._at)  # no time passes
        monkeypatch.setattr("recollect.table.writer.time", SimpleNamespace(sleep=sleep, perf_counter=time.perf_counter))
        for k in range(int(AT_ONCE)):
            await writer.put([("insert into house values (?, '')", (f"{k}",))])
        assert (writer.commits, waits) == (AT_ONCE, []), "few are kept at once"
        for room in rooms:
            room.play(0, SIDE)
        go_on.set()
        await asyncio.gather(*(room.kept() for room in rooms))
        assert (writer.commits, waits) == (AT_ONCE + 1, [1 / COMMITS]), "what came meanwhile went together"
        writer.close()

    asyncio.run(story())
