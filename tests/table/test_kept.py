"""What was not stored did not happen: it is not known as played, and done when it is asked again; what was stored is done once."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from people import TestClient, until

from recollect.engine.shelf import load
from recollect.engine.stream import CHANCE
from recollect.table.live import deeds as deeds_module
from recollect.table.live.company import Company
from recollect.table.live.room import Dropped, Room
from recollect.table.live.rooms import Rooms
from recollect.table.live.screen import Screen
from recollect.table.live.wire import Act, Undo
from recollect.table.store import HINT, Chair, Overtaken, Row, Statement, Store, Unkept
from recollect.table.web.api import described
from recollect.table.writer import Writer
from table.test_programs import ask, two
from table.test_room import Said

GAME = load("memoarrr")
SIDE, PUT_BACK = GAME.actions.starts("side", "put_back")


def set_table(where: Path | str, game: str = "memoarrr", **options: object) -> Store:
    """Mila, who is first, and Théo."""
    store, rules = Store(where), load(game)
    chairs = [Chair("link", person.capitalize(), person, secret=person) for person in ("mila", "theo")]
    store.create(Row.of(rules, id="t", options=rules.settle({"players": 2, **options}), seed="a seed", host="mila", chairs=chairs))
    return store


def room_of(store: Store, writer: Writer) -> Room:
    room = Room(store.row("t"), store, 0.001, writer=writer)
    room.open()
    return room


def refuse(writer: Writer, monkeypatch: pytest.MonkeyPatch, nth: int = 1) -> None:
    """The nth move from now on cannot be stored."""
    write, moves = writer._connection.write, [0]

    def refusing(statements: Sequence[Statement]) -> None:
        moves[0] += sum(sql.startswith("insert into moves") for sql, _ in statements)
        if moves[0] == nth:
            moves[0] += 1
            raise Unkept("the disk is full")
        write(statements)

    monkeypatch.setattr(writer._connection, "write", refusing)


def made(store: Store, id: str = "t") -> list[tuple[int, int]]:
    """What people have played."""
    return [(seat, action) for seat, action in store.moves(id) if seat != CHANCE]


# -- clicks


def test_a_click_that_was_not_stored_is_played_when_it_is_sent_again(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        refuse(writer, monkeypatch)
        deeds, click = Screen(room_of(store, writer), None, "mila", "en").deeds, Act(SIDE, 0, 1)
        with pytest.raises(Unkept):
            await deeds.do(click)
        assert made(store) == []
        assert await deeds.do(click) == "" and made(store) == [(0, SIDE)]
        assert await deeds.do(click) == "" and made(store) == [(0, SIDE)], "once"
        writer.close()

    asyncio.run(story())


@pytest.mark.parametrize("refused", [False, True])
def test_a_click_that_arrives_twice_while_it_is_written_is_played_once(where: Path | str, monkeypatch: pytest.MonkeyPatch, refused: bool):
    async def story() -> None:
        store, gate = set_table(where, first="first_seat"), threading.Event()
        writer = Writer(store)
        if refused:
            refuse(writer, monkeypatch)
        write = writer._connection.write
        monkeypatch.setattr(writer._connection, "write", lambda statements: gate.wait(20) and write(statements))
        room = room_of(store, writer)
        twice = [asyncio.create_task(Screen(room, None, "mila", "en").deeds.do(Act(SIDE, 0, 1))) for _ in range(2)]
        await asyncio.sleep(0.01)
        assert room.writing and made(store) == []
        gate.set()
        first, second = await asyncio.gather(*twice, return_exceptions=True)
        assert isinstance(first, Unkept) == refused and (refused or first == "") and second == ""
        assert made(store) == [(0, SIDE)] == [entry for entry in room.match.log if entry[0] != CHANCE]
        writer.close()

    asyncio.run(story())


def test_a_click_that_another_process_forestalled_is_not_known_as_played(where: Path | str):
    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        here, there = room_of(store, writer), room_of(store, writer)
        assert await Screen(there, None, "mila", "en").deeds.do(Act(SIDE + 1, 0, 1)) == ""
        deeds = Screen(here, None, "mila", "en").deeds  # it has not heard of the other yet
        for _ in range(2):
            assert "moved on" in await deeds.do(Act(SIDE, 0, 1))
        assert made(store) == [(0, SIDE + 1)]
        writer.close()

    asyncio.run(story())


@pytest.mark.parametrize("told", [False, True])
def test_a_click_whose_process_died_before_it_could_answer_is_done_when_it_is_sent_to_another(where: Path | str, told: bool):
    """`told`: the other process has heard of it already."""

    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        dead, alive = room_of(store, writer), room_of(store, writer)
        click = Act(SIDE, 0, 1, then=[PUT_BACK])
        assert await Screen(dead, None, "mila", "en").deeds.do(click) == ""
        if told:
            alive.follow()
        deeds, theo = Screen(alive, None, "mila", "en").deeds, Screen(alive, None, "theo", "en").deeds
        assert await deeds.do(click) == ""
        assert "moved on" in await deeds.do(Act(SIDE, 0, 2, then=[PUT_BACK, SIDE])), "not all of it was played"
        assert await theo.do(click), "nor is it another's"
        assert made(store) == [(0, SIDE), (0, PUT_BACK)]
        writer.close()

    asyncio.run(story())


def test_a_click_of_long_ago_is_not_looked_for(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    """Nobody has the whole log read by saying that their page is old."""

    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        room, click = room_of(store, writer), Act(SIDE, 0, 1)
        assert await Screen(room, None, "mila", "en").deeds.do(click) == ""
        room.played.clear()
        assert await Screen(room, None, "mila", "en").deeds.do(click) == ""
        monkeypatch.setattr(deeds_module, "RECENT", room.n - 1)
        monkeypatch.setattr(store, "entries", None)
        assert "moved on" in await Screen(room, None, "mila", "en").deeds.do(click)
        writer.close()

    asyncio.run(story())


def test_a_click_that_was_forestalled_is_not_tried_again_for_a_seat_that_was_given_up(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        room = room_of(store, writer)
        screen, play, kept = Screen(room, None, "mila", "en"), room.play, room.kept
        room.screens.add(screen)

        async def forestalled() -> None:
            monkeypatch.setattr(room, "play", play)
            monkeypatch.setattr(room, "kept", kept)
            await room.company.give_up(0)  # at another process, and heard here just now
            raise Overtaken

        monkeypatch.setattr(room, "play", lambda *given: None)
        monkeypatch.setattr(room, "kept", forestalled)
        assert "watching" in await screen.deeds.do(Act(SIDE, 0, 1))
        assert made(store) == [] and room.row.chairs[0].kind == "bot"
        writer.close()

    asyncio.run(story())


def test_a_click_that_stands_for_several_actions_is_kept_whole_or_not_at_all(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        refuse(writer, monkeypatch)
        room = room_of(store, writer)
        deeds, click = Screen(room, None, "mila", "en").deeds, Act(SIDE, 0, 1, then=[PUT_BACK])
        with pytest.raises(Unkept):
            await deeds.do(click)
        assert made(store) == [] and writer.commits == 0
        for _ in range(2):
            assert await deeds.do(click) == "" and made(store) == [(0, SIDE), (0, PUT_BACK)]
        assert writer.commits == 1
        writer.close()

    asyncio.run(story())


def test_of_a_click_that_stands_for_several_actions_those_are_played_that_are_legal_in_their_turn(where: Path | str):
    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        room = room_of(store, writer)
        deeds, click = Screen(room, None, "mila", "en").deeds, Act(SIDE, 0, 1, then=[SIDE, PUT_BACK])
        assert "put the three cards back" in await deeds.do(click)
        assert made(store) == [(0, SIDE)]
        assert "moved on" in await deeds.do(click), "it was not done, and the table is another now"
        assert room.states.keys() == dict(room.match.positions()).keys()
        writer.close()

    asyncio.run(story())


def test_who_gives_up_while_a_click_of_theirs_is_stored_is_told_that_they_watch(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    """Of the click not all could be played; why not, is no matter of theirs any more."""

    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        room = room_of(store, writer)
        screen, kept = Screen(room, None, "mila", "en"), room.kept
        room.screens.add(screen)

        async def gives_up() -> None:
            await kept()
            await room.company.give_up(0)  # in another tab

        monkeypatch.setattr(room, "kept", gives_up)
        assert "watching" in await screen.deeds.do(Act(SIDE, 0, 1, then=[SIDE, PUT_BACK]))
        assert made(store) == [(0, SIDE)] and screen.mine == []
        writer.close()

    asyncio.run(story())


def test_a_program_that_asks_again_after_a_503_has_played(client: TestClient, monkeypatch: pytest.MonkeyPatch):
    id, *tokens = two(client, first="first_seat")
    house = client.app.state.house
    refuse(house.writer, monkeypatch)
    move = {"action": SIDE, "n": 0}
    assert ask(client, f"/t/{id}/act", tokens[0], **move).status_code == 503 and made(house.store, id) == []
    for _ in range(2):
        answer = ask(client, f"/t/{id}/act", tokens[0], **move)
        assert answer.status_code == 200 and answer.json()["n"] > 0 and made(house.store, id) == [(0, SIDE)]


def test_a_hint_that_another_process_forestalled_is_of_another_moment(where: Path | str, caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        store = set_table(where, "ptibapt", hints=True, starts="first")
        writer = Writer(store)
        here, there = room_of(store, writer), room_of(store, writer)
        there.play(0, there.moment.legal(0)[0])
        await there.kept()
        said = Said(Screen(here, None, "mila", "en"))
        assert "moved on" in (await said.ask(do="hint", n=0, id=1))["why"]
        assert here.hints.taken == [] and here.match.log == there.match.log and HINT not in [action for _, action in store.moves("t")]
        writer.close()

    asyncio.run(story())
    assert not [record for record in caplog.records if record.exc_info]


# -- a room that is dropped


async def drop(company: Company, *_: object) -> None:
    """While somebody takes the seat back from a companion, the table is put away."""
    company.room.drop()


def test_a_click_in_a_room_that_is_dropped_meanwhile_is_no_fault(
    where: Path | str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        said = Said(Screen(room_of(store, writer), None, "mila", "en"))
        monkeypatch.setattr(Company, "back", drop)
        answer = await said.ask(do="act", action=SIDE, n=0, id=1)
        assert answer["done"] == 1 and "safe" in answer["why"] and made(store) == []
        for late in (Act(SIDE, 0, 1), Undo(0, 1)):
            with pytest.raises(Dropped):
                await said.screen.deeds.do(late)
        writer.close()

    asyncio.run(story())
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


@pytest.mark.parametrize("operation", ["act", "undo"])
def test_a_program_is_told_to_come_again_where_its_room_was_dropped_meanwhile(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, operation: str
):
    id, *tokens = two(client, first="first_seat")
    body = {"action": SIDE, "n": 0} if operation == "act" else {"n": 0}
    with monkeypatch.context() as patch:
        patch.setattr(Company, "back", drop)
        patch.setattr(Room, "settled", drop_once(Room.settled) if operation == "undo" else Room.settled)
        answer = ask(client, f"/t/{id}/{operation}", tokens[0], **body)
    assert answer.status_code == 503 and "safe" in answer.json()["why"]
    assert "503" in described()["paths"][f"/t/{{id}}/{operation}"]["post"]["responses"]
    assert ask(client, f"/t/{id}/{operation}", tokens[0], **body).status_code == (200 if operation == "act" else 409)


def drop_once(settled: Callable) -> Callable:
    async def dropping(room: Room) -> None:
        await settled(room)
        room.drop()

    return dropping


# -- who sits where


@pytest.mark.parametrize("when", ["before", "after"])
@pytest.mark.parametrize("what", ["stand_in", "give_up"])
def test_a_seat_changes_hands_though_the_table_is_read_again_meanwhile(where: Path | str, what: str, when: str):
    """Another process has said a word while ours was being stored, or just after that."""

    async def story() -> None:
        store = set_table(where, first="first_seat")
        rooms = Rooms(store, 0.001, Writer(store))
        room = await rooms.get("t")
        screen, keep = Screen(room, None, "mila", "en"), room.keep_beside
        room.arrive(screen)

        async def slowly(statements: list[Statement]) -> None:
            if when == "before":
                rooms.read_again(room)
            await keep(statements)
            if when == "after":
                rooms.read_again(room)

        room.keep_beside = slowly
        await room.company.carry_out(what, 0, mine=True)
        stored = store.row("t")
        assert [(c.kind, c.mind, c.person, c.name, c.secret) for c in room.row.chairs] == [
            (c.kind, c.mind, c.person, c.name, c.secret) for c in stored.chairs
        ]
        assert room.row.host == stored.host == ("theo" if what == "give_up" else "mila")
        assert screen.mine == ([] if what == "give_up" else [0]) and room.company.asides == store.asides("t")
        await until(lambda: made(store))
        assert made(store)[0][0] == 0, "the companion plays"
        await room.company.back([0])
        assert room.row.chairs[0].mind == store.row("t").chairs[0].mind == ("parrot" if what == "give_up" else None)
        rooms.close()
        rooms.writer.close()

    asyncio.run(story())


@pytest.mark.parametrize("people", [("mila", "theo", "ines"), ("mila", "theo", "mila")])
def test_of_two_who_give_up_at_once_none_is_the_host_of_who_stays(where: Path | str, people: tuple[str, str, str]):
    async def story() -> None:
        store = Store(where)
        chairs = [Chair("link", person.capitalize(), person, secret=str(seat)) for seat, person in enumerate(people)]
        store.create(Row.of(GAME, id="t", options=GAME.settle({"players": 3}), seed="a seed", host="mila", chairs=chairs))
        writer = Writer(store)
        here, there = room_of(store, writer), room_of(store, writer)
        await asyncio.gather(here.company.give_up(0), there.company.give_up(1))  # neither process has heard of the other
        stored = store.row("t")
        assert stored.host == people[2] in [chair.person for chair in stored.chairs]
        assert there.row.host == people[2], "and who was second knows it"
        for room in (here, there):
            room.stop()
        writer.close()

    asyncio.run(story())


def test_a_word_that_was_kept_though_the_answer_was_lost_is_kept_once(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    """The connection ends after a commit of several changes: each is tried again by itself."""

    async def story() -> None:
        store = set_table(where)
        writer = Writer(store)
        room, write = room_of(store, writer), writer._connection.write

        def lost(statements: Sequence[Statement]) -> None:
            write(statements)
            monkeypatch.undo()
            raise Unkept("the connection ended")

        monkeypatch.setattr(writer._connection, "write", lost)
        room.note(store.shown("t", [0], 0))
        assert await room.company.add("said", 0, "hello")
        assert [aside.what for aside in store.asides("t")] == ["hello"] == [aside.what for aside in room.company.asides]
        writer.close()

    asyncio.run(story())


def test_who_gives_up_at_two_processes_at_once_has_given_up_once(where: Path | str):
    async def story() -> None:
        store = set_table(where)
        writer = Writer(store)
        here, there = room_of(store, writer), room_of(store, writer)
        await asyncio.gather(here.company.give_up(0), there.company.give_up(0))
        assert [(aside.kind, aside.seat) for aside in store.asides("t")] == [("gave_up", 0)] and store.row("t").host == "theo"
        for room in (here, there):
            room.stop()
        writer.close()

    asyncio.run(story())


def test_what_is_decided_at_two_processes_at_once_is_decided_once(where: Path | str):
    async def story() -> None:
        store = set_table(where)
        writer = Writer(store)
        rooms = [room_of(store, writer) for _ in range(2)]
        for mind, kind in (("parrot", "taken"), (None, "back")):
            await asyncio.gather(*(room.company.stand_in(1) if mind else room.company.back([1]) for room in rooms))
            assert store.row("t").chairs[1].mind == mind and [room.row.chairs[1].mind for room in rooms] == [mind] * 2
            assert [aside.kind for aside in store.asides("t")].count(kind) == 1
        for room in rooms:
            room.stop()
        writer.close()

    asyncio.run(story())


def test_who_comes_back_to_a_seat_that_they_give_up_elsewhere_leaves_the_companion_its_mind(where: Path | str):
    async def story() -> None:
        store = set_table(where, first="first_seat")
        writer = Writer(store)
        rooms = Rooms(store, 0.001, writer)
        here, there = room_of(store, writer), room_of(store, writer)
        await there.company.stand_in(0)
        rooms.read_again(here)
        here.stop()
        keep = here.keep_beside

        async def slowly(statements: list[Statement]) -> None:
            here.keep_beside = keep
            await there.company.give_up(0)
            rooms.read_again(here)
            await keep(statements)

        here.keep_beside = slowly
        await here.company.back([0])
        for chair in (here.row.chairs[0], there.row.chairs[0], store.row("t").chairs[0]):
            assert (chair.kind, chair.mind, chair.person) == ("bot", "parrot", None)
        for room in (here, there):
            room.stop()
        writer.close()

    asyncio.run(story())


@pytest.mark.parametrize("what", ["back", "undo"])
def test_a_companion_that_is_no_longer_asked_after_its_pause_says_nothing(where: Path | str, caplog: pytest.LogCaptureFixture, what: str):
    """While it lets people follow, somebody comes back to the seat, or takes back what it was to answer."""

    async def story() -> None:
        store = set_table(where, "vivid" if what == "undo" else "memoarrr", **({} if what == "undo" else {"first": "first_seat"}))
        writer = Writer(store)
        room = room_of(store, writer)
        if what == "undo":
            first = min(room.moment.acting)
            while first in room.moment.acting:
                room.play(first, room.moment.legal(first)[0])
                await room.kept()
        seat = min(room.moment.acting)
        await room.company.stand_in(seat)
        room.pace = 0.3  # time for what comes meanwhile to be stored
        moved, answer = len(made(store)), asyncio.create_task(room.companions.companion())
        await asyncio.sleep(0)
        await (room.company.back([seat]) if what == "back" else Screen(room, None, ("mila", "theo")[first], "en").deeds.do(Undo(room.n, 1)))
        assert await answer and len(made(store)) == moved + (what == "undo") and not room.companions._minds
        writer.close()

    asyncio.run(story())
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]
