"""A table in use: what was shown reaches everyone, a shared screen hides, a move can be taken back, and all survives."""

from __future__ import annotations

import asyncio
import json
import random
import sqlite3
import time
from collections import Counter
from pathlib import Path
from types import SimpleNamespace

import pytest
from people import until
from starlette.websockets import WebSocketDisconnect, WebSocketState

from recollect.engine.match import Refused
from recollect.engine.shelf import games, load
from recollect.engine.texts import LANGUAGES
from recollect.table import alone
from recollect.table.live.exposure import GRACE
from recollect.table.live.room import Dropped, Outdated, Room
from recollect.table.live.rooms import Rooms
from recollect.table.live.screen import Screen
from recollect.table.live.wire import DIRECT, Shown, Sit
from recollect.table.render.page import sheet
from recollect.table.store import UNDO, Chair, Row, Store, Unkept

GAME = load("memoarrr")
SIDE, PUT_BACK, REVEAL, TAKE_TREASURE, GUARD = GAME.actions.starts("side", "put_back", "reveal", "take_treasure", "guard")


def table(folder: Path | str, *people: str, pace: float = 0.001, **options: object) -> Room:
    """A table with these people in its seats; the same person may have several."""
    values = GAME.settle({"players": len(people), "first": "first_seat", **options})
    chairs = [Chair("here", f"{person.capitalize()} {seat}", person) for seat, person in enumerate(people)]
    store = Store(folder)
    row = Row.of(GAME, id="t", options=values, seed="a seed", host=people[0], chairs=chairs)
    store.create(row)
    room = Room(store.row("t"), store, pace)
    room.open()
    return room


def play_to(room: Room, done, rng: random.Random) -> None:
    """Random legal moves of all seats until `done`."""
    while not room.match.over and not done():
        seat = min(room.match.acting)
        room.play(seat, rng.choice(room.match.legal(seat)))


def seen_by(room: Room, person: str) -> dict:
    return Screen(room, None, person, "en").frame()


# -- exposure


def test_who_was_away_is_shown_what_everyone_saw_once_and_in_order(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo")
        play_to(room, lambda: len(room.exposures) == 2, random.Random(1))
        for place in list(room.exposures):
            frame = seen_by(room, "theo")
            assert frame["stamp"] == place and frame["hold"] == room.exposure.hold
            assert "While you were away" in frame["html"]
            ups = room.game.state.open(room.states[place]).up.bit_count()
            assert frame["html"].count('data-face="up"') == ups > 0, "the cards that lay open then"
            assert "data-act" not in frame["html"].split('id="table"')[1] or room.match.acting == {0}
            await Screen(room, None, "theo", "en").deeds.was_shown(place)
        now = seen_by(room, "theo")
        assert "While you were away" not in now["html"] and "stamp" not in now

    asyncio.run(story())


def test_an_exposure_cannot_be_waved_through_out_of_order(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo")
        play_to(room, lambda: len(room.exposures) == 2, random.Random(1))
        await Screen(room, None, "theo", "en").deeds.was_shown(room.exposures[1])
        assert room.row.chairs[1].shown == 0
        assert seen_by(room, "theo")["stamp"] == room.exposures[0]

    asyncio.run(story())


def test_what_was_shown_is_remembered_over_a_restart(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo")
        play_to(room, lambda: len(room.exposures) == 2, random.Random(1))
        await Screen(room, None, "theo", "en").deeds.was_shown(room.exposures[0])
        again = Room(room.store.row("t"), room.store, room.pace)
        again.open()
        assert seen_by(again, "theo")["stamp"] == room.exposures[1]
        assert seen_by(again, "mila")["stamp"] == room.exposures[0]

    asyncio.run(story())


def test_a_late_spectator_sees_what_lies_open_now(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo")
        play_to(room, lambda: len(room.exposures) == 1, random.Random(1))
        frame = seen_by(room, "stranger")
        assert "stamp" not in frame and frame["html"].count('data-face="up"') == 0

    asyncio.run(story())


def test_the_table_waits_for_a_page_that_is_open_and_not_for_ever(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo", pace=0.04)
        play_to(room, lambda: room.moment.paced is not None, random.Random(1))
        screen = Screen(room, None, "theo", "en")
        room.screens.add(screen)
        waiting = asyncio.create_task(room.exposure.over())
        await asyncio.sleep(room.exposure.hold * 1.5)
        assert not waiting.done(), "the page has not said that it was in sight"
        await screen.deeds.was_shown(len(room.match.log))
        await asyncio.wait_for(waiting, 20)
        room.row.chairs[1].shown = 0
        await asyncio.wait_for(room.exposure.over(), 20)  # it never answers: patience ends

    asyncio.run(story())


def test_a_process_that_comes_to_an_exposure_does_not_begin_its_time_anew(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo", pace=20)
        play_to(room, lambda: room.match.moment.paced, random.Random(1))
        for seat in (0, 1):
            room.exposure.shown([seat], room.at)
        again = Room(room.store.row("t"), room.store, 20.0, now=lambda: room.times[-1] + 120)  # the other one died meanwhile
        again.open()
        for person in ("mila", "theo"):
            again.arrive(Screen(again, None, person, "en"))
        async with asyncio.timeout(20):
            await again.exposure.over()

    asyncio.run(story())


def test_what_has_gone_on_at_another_process_is_waited_for_no_longer(where: Path | str):
    """Whoever looks after the table next begins with what lies open then."""

    async def story() -> None:
        room = table(where, "mila", "theo", pace=100)
        play_to(room, lambda: room.match.moment.paced, random.Random(1))
        there = Room(room.store.row("t"), room.store, 100)
        there.open()
        waiting = asyncio.create_task(there.exposure.over())
        await asyncio.sleep(0)
        room.play(*room.moment.paced)
        there.follow()
        async with asyncio.timeout(20):
            await waiting

    asyncio.run(story())


def test_enough_of_what_was_shown_is_not_enough_of_what_is_shown_next(where: Path | str):
    """At another process, too; against the clock as elsewhere."""

    async def story() -> None:
        store, game = Store(where), load("ptibapt")
        row = Row.of(game, id="t", options=game.settle({"players": 1}), seed="s", host="mila", chairs=[Chair("here", "Mila", "mila")])
        store.create(row)
        here, there = (Room(store.row("t"), store, 100) for _ in range(2))
        for room in (here, there):
            room.open()
        play_to(here, lambda: here.match.moment.paced, random.Random(1))
        there.follow()
        for room in (here, there):
            room.exposure.say([0], enough=True)
        here.play(*here.moment.paced)
        there.follow()
        assert here.exposure.seen == there.exposure.seen == set()

    asyncio.run(story())


def test_what_was_missed_is_shown_for_its_time_and_not_again_however_often_one_comes(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo", pace=0.01)
        play_to(room, lambda: len(room.exposures) == 1, random.Random(1))
        [place] = room.exposures
        assert 'data-face="up"' not in Screen(room, None, "theo", "en").first(), "a page without a socket does not show it"
        since = set()
        for _ in range(3):
            screen = Screen(room, None, "theo", "en")
            said = Said(screen)
            screen.dirty.listen(screen._send)
            await until(lambda said=said: said)
            assert said[-1]["stamp"] == place
            since |= set(room.store.being_shown("t"))
            screen.dirty.listen(None)
        assert len(since) == 1, "coming again does not begin it anew"
        room.screens.add(screen)
        screen.dirty.listen(screen._send)
        screen.dirty.set()  # its time may have been over before this page came
        await until(lambda: "stamp" not in said[-1])
        screen.dirty.listen(None)
        assert room.row.chairs[1].shown == room.store.row("t").chairs[1].shown == place + 1
        assert "While you were away" not in said[-1]["html"], "an open page goes on by itself"
        assert "While you were away" not in seen_by(room, "theo")["html"]

    asyncio.run(story())


def test_what_is_being_shown_is_counted_on_after_a_restart(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo")
        room.pace = 1.0
        play_to(room, lambda: len(room.exposures) == 1, random.Random(1))
        [place], now = room.exposures, time.time()
        room.exposure.sent([1], place)
        room.stop()
        for past, gone in ((2, False), (60, True)):
            again = Room(room.store.row("t"), room.store, 1.0, now=lambda past=past: now + past)
            again.open()
            again.start()
            assert ("stamp" not in seen_by(again, "theo")) == gone
            assert seen_by(again, "mila")["stamp"] == place, "she has not been sent it yet"
            if not gone:
                left = again.exposure._sent[1, place].when() - asyncio.get_running_loop().time()
                assert left < again.exposure.hold + GRACE - 1.9, "the time before the restart counts"
            again.exposure.sent([1], place)
            assert len(room.store.being_shown("t")) == 1 and room.store.being_shown("t")[0][2] < now + 1
            again.stop()

    asyncio.run(story())


class Line:
    """A socket whose page takes what it is told, and says nothing; `come`: whether it reaches the page at all."""

    application_state = WebSocketState.CONNECTED

    def __init__(self, come: bool) -> None:
        self.said: list[dict] = []
        reached = (lambda call: call()) if come else (lambda call: None)
        self.scope = {"extensions": {DIRECT: {"say": lambda text: not self.said.append(json.loads(text)), "reached": reached}}}

    async def receive(self) -> dict:
        await asyncio.Event().wait()
        raise AssertionError


@pytest.mark.parametrize("come", [True, False])
def test_what_did_not_come_to_a_page_is_shown_when_it_is_back(where: Path | str, monkeypatch: pytest.MonkeyPatch, come: bool):
    """A line may be dead without a word; before, its people were taken to have seen what was sent into it, and never saw it."""
    monkeypatch.setattr("recollect.table.live.screen.GRACE", 0.2)

    async def story() -> None:
        room = table(where, "mila", "theo")
        play_to(room, lambda: room.moment.paced, random.Random(1))
        line = Line(come)
        page = Screen(room, line, "theo", "en")
        serving = asyncio.create_task(page.serve())
        if come:
            await until(lambda: room.row.chairs[1].shown > room.at)
            assert room.store.being_shown("t") and not serving.done()
        else:
            await serving
            assert page not in room.screens, "nobody waits longer for a page that is cut off"
            assert not room.store.being_shown("t")
        assert line.said[0]["stamp"] == room.at
        assert ("stamp" in seen_by(room, "theo")) == (not come)
        serving.cancel()

    asyncio.run(story())


def test_a_page_out_of_sight_is_shown_it_when_somebody_looks(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo", pace=0.01)
        play_to(room, lambda: len(room.exposures) == 1, random.Random(1))
        screen = Screen(room, None, "theo", "en")
        said = Said(screen)
        screen.away = True
        screen.dirty.listen(screen._send)
        await asyncio.sleep(room.exposure.hold + 0.05)
        assert "stamp" not in said[-1] and "data-face" not in said[-1]["html"] and room.row.chairs[1].shown == 0
        await said.ask(do="here", yes=True)
        await until(lambda: said and "stamp" in said[-1])
        assert said[-1]["stamp"] == room.exposures[0]
        await said.ask(do="here", yes=False)
        await asyncio.sleep(0.01)
        assert not any("html" in message for message in said), "what has come stays there for what is left of its time"
        screen.dirty.listen(None)

    asyncio.run(story())


def test_who_has_had_the_time_does_not_look_on_while_others_are_waited_for(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo")
        play_to(room, lambda: room.moment.paced, random.Random(1))
        assert 'data-face="up"' in seen_by(room, "mila")["html"]
        room.exposure.shown([0], len(room.match.log))
        mila, theo = seen_by(room, "mila"), seen_by(room, "theo")
        assert 'data-face="up"' not in mila["html"] and "stamp" not in mila
        assert 'data-face="up"' in theo["html"] and theo["stamp"] == len(room.match.log)

    asyncio.run(story())


# -- a shared screen


def test_a_shared_screen_hides_before_a_private_look(where: Path | str):
    async def story() -> None:
        room = table(where, "family", "family")
        screen = Screen(room, None, "family", "en")
        assert "Pass the screen" not in screen.frame()["html"], "there is nothing private yet"
        room.play(0, SIDE)
        hidden = screen.frame()["html"]
        assert "Pass the screen to Family 0" in hidden and "data-face" not in hidden
        assert screen.deeds.sit(0) == ""
        shown = screen.frame()["html"]
        assert shown.count('data-face="up"') == 3
        assert "Family 0 looked at" in shown and "You looked at" not in shown, "where several read it, the log names people"
        room.play(0, PUT_BACK)
        after = screen.frame()["html"]
        assert 'data-face="up"' not in after and "Family 1" in after
        room.play(1, SIDE + 2)
        assert "Pass the screen to Family 1" in screen.frame()["html"], "being sure was for the other seat"

    asyncio.run(story())


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", games())
def test_on_a_shared_screen_the_log_names_everybody(where: Path | str, name: str, language: str):
    """It reads as it does for a spectator; where a game says "you" to one who looks alone, only then."""
    game, rng = load(name), random.Random(1)
    values, store = game.settle({"players": 2}), Store(where)
    chairs = [Chair("here", who, "family") for who in ("Mila", "Théo")]
    row = Row.of(game, id="t", options=values, seed="a seed", host="family", chairs=chairs)
    store.create(row)
    room = Room(row, store)
    room.open()
    play_to(room, lambda: room.match.over or len(room.match.log) > 150, rng)
    told = spoken_to = 0
    for at in room.states:
        named = room.log.lines(-1, language, at)
        told += len(named)
        for seat in (0, 1):
            assert room.log.lines(seat, language, at, shared=True) == named
            spoken_to += room.log.lines(seat, language, at) != named
    assert told and spoken_to, 'every game says "you" to one who looks alone'


class Said(list):
    """A screen's answers, for tests that talk to it without a socket."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        screen._at_once = self._at_once  # type: ignore[method-assign]

    def _at_once(self, message: dict) -> bool:
        self.append(message)
        return True

    async def ask(self, **message: object) -> dict:
        self.clear()
        await self.screen._hear(json.dumps(message))
        return self[-1] if self else {}


def test_a_late_click_is_not_played_for_the_next_person_at_the_screen(where: Path | str):
    async def story() -> None:
        room = table(where, "family", "family")
        screen = Screen(room, None, "family", "en")
        said = Said(screen)
        screen.frame()
        room.play(0, SIDE)
        screen.frame()
        for message in ({"do": "act", "action": PUT_BACK, "n": room.n, "id": 2}, {"do": "try", "action": PUT_BACK}):
            assert "who is looking" in (await said.ask(**message))["why"], "nothing is answered through the curtain"
        await said.ask(do="sit", seat=0, n=room.n, id=3)
        n = room.n
        assert "why" not in await said.ask(do="act", action=PUT_BACK, n=n, id=4)
        screen.frame()
        stood = room.n
        assert "moved on" in (await said.ask(do="act", action=SIDE + 1, n=n, id=5))["why"], "it was meant for the page of the one before"
        assert room.n == stood

    asyncio.run(story())


def test_a_click_on_the_page_of_one_seat_is_not_played_for_another(where: Path | str):
    async def story() -> None:
        room = table(where, "family", "family")
        screen = Screen(room, None, "family", "en")
        said = Said(screen)
        screen.frame()
        for seat in (1, -1):
            assert "moved on" in (await said.ask(do="act", action=SIDE, n=room.n, id=1, seat=seat))["why"]
            assert "moved on" in (await said.ask(do="undo", n=room.n, id=2, seat=seat))["why"]
        stood = room.n
        assert "why" not in await said.ask(do="act", action=SIDE, n=room.n, id=3, seat=0) and room.n > stood

    asyncio.run(story())


def test_an_undo_that_arrives_twice_takes_back_once(where: Path | str):
    async def story() -> None:
        game = load("vivid")
        rng = random.Random(1)
        store = Store(where)
        chairs = [Chair("here", p, p) for p in ("mila", "theo")]
        values = game.settle({})
        row = Row.of(game, id="t", options=values, seed="a seed", host="mila", chairs=chairs)
        store.create(row)
        room = Room(row, store)
        room.open()
        twice = 0
        for k in range(200):
            seat = min(room.match.acting)
            room.play(seat, rng.choice(room.match.legal(seat)))
            for chair in chairs:
                chair.shown = 10**6
            if k % 4 < 3 or not room.can_undo(seat):
                continue
            said = Said(Screen(room, None, chairs[seat].name, "en"))
            n = room.n
            assert "why" not in await said.ask(do="undo", n=n, id=7)
            stood = room.n
            twice += room.can_undo(seat)
            assert "moved on" in (await said.ask(do="undo", n=n, id=7))["why"]
            assert room.n == stood
        assert twice, "this test saw nothing"

    asyncio.run(story())


def test_a_screen_of_ones_own_never_hides(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo")
        room.play(0, SIDE)
        own = seen_by(room, "mila")["html"]
        assert own.count('data-face="up"') == 3 and "You looked at" in own
        assert 'data-face="up"' not in seen_by(room, "theo")["html"]

    asyncio.run(story())


# -- many who watch


def test_who_comes_to_watch_costs_the_others_nothing_and_the_same_page_is_made_once(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        room = table(where, "mila", "theo")
        made = []
        real = sheet
        monkeypatch.setattr("recollect.table.live.pages.sheet", lambda page: made.append(page.look.seat) or real(page))
        screens = [Screen(room, None, person, "en") for person in ("mila", "a", "b", "c")]
        room.arrive(screens[0])
        screens[0].dirty.clear()
        for screen in screens[1:]:
            room.arrive(screen)
        assert not screens[0].dirty.is_set(), "nothing changed for Mila"
        assert len({screen.frame()["html"] for screen in screens[1:]}) == 1 and made == [-1]
        room.play(0, SIDE)
        for screen in screens:
            screen.frame()
        assert made == [-1, 0, -1], "anew after a change, for each that differs"
        assert all(screen.dirty.is_set() for screen in screens)
        screens[0].dirty.clear()
        room.leave(screens[1])
        assert not screens[0].dirty.is_set()
        room.arrive(Screen(room, None, "theo", "en"))
        assert screens[0].dirty.is_set(), "Théo is no longer away"

    asyncio.run(story())


@pytest.mark.parametrize("browsers", [2, 10])
@pytest.mark.parametrize("name", games())
def test_a_change_asks_the_rules_once_however_many_look(where: Path | str, monkeypatch: pytest.MonkeyPatch, name: str, browsers: int):
    """Who acts: once for each entry of the log. What is legal: once for each seat that acts then, and for chance."""
    game, store, rng, asked = load(name), Store(where), random.Random(3), Counter[str]()
    chairs = [Chair("here", who, who) for who in ("mila", "theo")]
    store.create(Row.of(game, id="t", options=game.settle({"players": 2}), seed="a seed", host="mila", chairs=chairs))
    room = Room(store.row("t"), store)
    room.open()
    screens = [Screen(room, None, "mila" if k % 2 else "theo", "en") for k in range(browsers)]
    for screen in screens:
        room.arrive(screen)
        screen.frame()
    for what, there in (("acting", game.acting), ("may", game.may)):
        monkeypatch.setattr(game, what, lambda *given, what=what, there=there: asked.update([what]) or there(*given))
    for _ in range(30):
        now = room.moment
        if now.over:
            break
        stood, seat = room.at, min(now.players)
        asked.clear()
        room.play(seat, rng.choice(now.legal(seat)))
        for chair in room.row.chairs:
            chair.shown = room.at  # all but what lies open now
        for screen in screens:
            screen.frame()
        entries = room.match.log[stood:]
        if room.moment.over:
            break  # the log is told anew, with its faces
        assert asked["acting"] == len(entries), "the seat's action and each draw"
        assert asked["may"] == len(entries) - 1 + len(room.moment.players)


# -- faults of ours


def test_a_fault_is_answered_in_plain_words_and_the_page_stays(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        room = table(where, "mila", "theo")
        said = Said(Screen(room, None, "mila", "en"))

        def broken(*_: object) -> None:
            raise KeyError("a fault")

        with monkeypatch.context() as patch:
            patch.setattr(room.match, "play", broken)
            answer = await said.ask(do="act", action=SIDE, n=room.n, id=3)
            assert answer["done"] == 3 and "safe" in answer["why"]
            patch.setattr("recollect.table.live.deeds.scene_of", broken)
            assert "safe" in (await said.ask(do="try", action=REVEAL))["why"]
        assert "why" not in await said.ask(do="act", action=SIDE, n=room.n, id=4)

    asyncio.run(story())


def test_a_fault_is_told_in_our_log(where: Path | str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture):
    async def story() -> None:
        room = table(where, "mila", "theo")
        monkeypatch.setattr(room.match, "play", lambda *_: 1 // 0)
        await Said(Screen(room, None, "mila", "en")).ask(do="act", action=SIDE, n=room.n, id=3)

    asyncio.run(story())
    assert any("division" in str(record.exc_info) and "Act(" in record.getMessage() for record in caplog.records)


def test_a_page_that_cannot_be_made_is_said_to_be_and_the_next_one_comes(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        room = table(where, "mila", "theo")
        screen = Screen(room, None, "mila", "en")
        said = Said(screen)
        screen.dirty.listen(screen._send)
        with monkeypatch.context() as patch:
            patch.setattr(screen, "shown", lambda: 1 // 0)
            await until(lambda: said)
            assert "safe" in said[-1]["why"]
        screen.dirty.set()
        await until(lambda: "html" in said[-1])
        assert "island" in said[-1]["html"]
        screen.dirty.listen(None)

    asyncio.run(story())


def test_a_page_that_closed_before_it_was_told_harms_nobody(where: Path | str):
    class Gone:
        application_state = WebSocketState.CONNECTED

        def __init__(self, error: Exception) -> None:
            self.error = error

        async def send_text(self, text: str) -> None:
            raise self.error

    async def story() -> None:
        room = table(where, "mila", "theo")
        for error in (RuntimeError("closed"), OSError("broken pipe"), WebSocketDisconnect(1006)):
            await Screen(room, Gone(error), "mila", "en")._say({"go": "/"})

    asyncio.run(story())


def test_a_slow_page_whose_telling_breaks_is_told_what_comes_next(where: Path | str):
    class Slow:
        application_state = WebSocketState.CONNECTED

        def __init__(self) -> None:
            self.asked, self.taken = asyncio.Event(), asyncio.Event()
            self.heard: list[str] = []

        async def send_text(self, text: str) -> None:
            self.asked.set()
            await self.taken.wait()
            self.heard.append(text)
            if len(self.heard) == 1:
                raise KeyError("a fault of ours")

    async def story() -> None:
        slow = Slow()
        screen = Screen(table(where, "mila", "theo"), slow, "mila", "en")
        screen.dirty.listen(screen._send)
        await asyncio.wait_for(slow.asked.wait(), 20)
        screen.dirty.set()  # while the first is on its way
        slow.taken.set()
        await until(lambda: len(slow.heard) == 2)
        assert "island" in slow.heard[1]
        screen.dirty.listen(None)

    asyncio.run(story())


def test_the_table_goes_on_after_a_fault_of_ours(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    """A mind that breaks plays any legal move; and where the table itself breaks, it tries again."""

    async def story() -> None:
        room = table(where, "mila", "theo")
        for chair in room.row.chairs:
            chair.kind, chair.mind = "bot", "random"
        room.companions._minds[0] = object()
        assert await room.companions.companion() and room.match.log[0][0] == 0
        faults = [1, 1]
        play = room.play
        monkeypatch.setattr(room, "play", lambda *move: 1 // 0 if faults and faults.pop() else play(*move))
        room.arrive(Screen(room, None, "somebody", "en"))  # companions among themselves play only while somebody looks
        room.start()
        stood = room.n
        await until(lambda: room.n >= stood + 5)
        room.stop()

    asyncio.run(story())


def test_a_database_that_somebody_else_holds_does_not_hold_the_table_for_long(tmp_path: Path):
    async def story() -> None:
        room = table(tmp_path, "mila", "theo")
        said = Said(Screen(room, None, "mila", "en"))
        other = sqlite3.connect(tmp_path / "recollect.sqlite", isolation_level=None)
        other.execute("begin immediate")
        assert room.store.db.connection.execute("pragma busy_timeout").fetchone()[0] <= 1000, "everybody at every table waits meanwhile"
        answer = await said.ask(do="act", action=SIDE, n=room.n, id=3)
        assert answer["done"] == 3 and "not stored" in answer["why"]
        other.execute("rollback")
        other.close()
        assert "why" not in await said.ask(do="act", action=SIDE, n=room.n, id=4)

    asyncio.run(story())


def test_a_table_that_can_neither_store_nor_be_read_again_is_dropped_and_opened_anew(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        store = table(where, "mila", "theo").store
        rooms = Rooms(store)
        room = await rooms.get("t")
        screen = Screen(room, None, "mila", "en")
        said = Said(screen)
        room.screens.add(screen)

        def broken(*_: object) -> None:
            raise sqlite3.OperationalError("disk I/O error")

        with monkeypatch.context() as patch:
            patch.setattr(store, "write", broken)
            patch.setattr(store, "entries", broken)
            assert "safe" in (await said.ask(do="act", action=SIDE, n=room.n, id=3))["why"]
        stored = store.moves("t")
        assert "safe" in (await said.ask(do="act", action=PUT_BACK, n=room.n, id=4))["why"]
        with pytest.raises(Dropped):
            room.play(0, PUT_BACK)
        assert store.moves("t") == stored == [], "nothing is stored upon what was not"
        fresh = await rooms.get("t")
        assert fresh is not room and fresh.match.log == []
        fresh.play(0, SIDE)
        assert screen._last_word, "the page is sent to the new room"
        rooms.close()

    asyncio.run(story())


def test_whoever_comes_while_a_table_is_opened_finds_the_same_room(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        rooms = Rooms(table(where, "mila", "theo").store)
        read, tries = rooms._read, iter([True])

        def slowly(id: str) -> Room | None:
            time.sleep(0.02)
            if next(tries, False):
                raise Unkept("not just now")
            return read(id)

        monkeypatch.setattr(rooms, "_read", slowly)
        first, second = (asyncio.create_task(rooms.get("t")) for _ in range(2))
        with pytest.raises(Unkept):
            await first
        found = await asyncio.gather(second, rooms.get("t"), return_exceptions=True)
        assert all(room is rooms.there("t") or isinstance(room, Unkept) for room in found), (
            "two rooms of one table would not hear each other"
        )
        rooms.close()

    asyncio.run(story())


def test_a_table_to_which_somebody_comes_while_it_is_woken_is_not_put_away(where: Path | str):
    async def story() -> None:
        rooms = Rooms(table(where, "mila", "theo").store, pace=0.001)
        there: list[Room] = []

        class Town:
            db = SimpleNamespace(present=lambda id: {})
            free = want = here = lambda self, _: None

            async def holds(self, id: str) -> bool:  # this takes a while, and somebody comes meanwhile
                there.append(await rooms.get(id))
                there[0].arrive(Screen(there[0], None, "mila", "en"))
                return True

        rooms.town = Town()
        await rooms.wake()
        assert there and rooms.there("t") is there[0], "a page at a table that was put away would hear nothing more"
        rooms.close()

    asyncio.run(story())


def test_who_waits_for_a_table_with_one_who_puts_it_away_again_has_it_opened_anew(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        rooms = Rooms(table(where, "mila", "theo").store, pace=0.001)
        monkeypatch.setattr(rooms, "_read", lambda id, read=rooms._read: time.sleep(0.02) or read(id))
        waking = asyncio.create_task(rooms.wake())
        while "t" not in rooms._opening:
            await asyncio.sleep(0)
        room = await rooms.get("t")
        assert room is rooms.there("t") and not room.dropped
        await waking
        rooms.close()

    asyncio.run(story())


@pytest.mark.parametrize("fails", ["unfinished", "row"])
def test_tables_that_wait_for_no_person_go_on_though_the_store_was_away_when_they_were_to(
    where: Path | str, monkeypatch: pytest.MonkeyPatch, fails: str
):
    async def story() -> None:
        rooms, away = Rooms(table(where, "mila", "theo").store, pace=0.001), [True]
        monkeypatch.setattr("recollect.table.live.rooms.may_go_on", lambda row: True)
        ask = getattr(rooms.store, fails)

        def not_at_first(what: object) -> object:
            if away:
                away.pop()
                raise Unkept("gone")
            return ask(what)

        monkeypatch.setattr(rooms.store, fails, not_at_first)
        opened: list[str] = []
        monkeypatch.setattr(rooms, "_start", lambda room: opened.append(room.row.id))
        await rooms.wake()
        assert opened == ["t"] and not away
        rooms.close()

    asyncio.run(story())


def test_a_table_that_stays_unreadable_is_tried_more_and_more_seldom_and_others_rest(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        store = table(where, "mila", "theo").store
        row = store.row("t")
        row.id = "well"
        store.create(row)
        Room(row, store).open()
        rooms, tried, pauses = Rooms(store, pace=0.0001), Counter[str](), list[float]()
        monkeypatch.setattr("recollect.table.live.rooms.may_go_on", lambda row: True)
        read = rooms._read

        def damaged(id: str) -> Room | None:
            tried[id] += 1
            if id == "t" and tried[id] < 11:
                raise Unkept("database disk image is malformed")
            return read(id)

        async def rest(pause: float) -> bool:
            pauses.append(pause)
            if len(pauses) == 3:
                rooms.orphaned()  # a process is gone: there may be others to wake
                rooms._orphans.cancel()
            return await more(pause)

        monkeypatch.setattr(rooms, "_read", damaged)
        more = rooms._more
        monkeypatch.setattr(rooms, "_more", rest)
        async with asyncio.timeout(20):
            await rooms.wake()
        assert tried == {"t": 11, "well": 2}, "once at first, once when a process was gone"
        assert pauses == [2, 4, 8, 2, 4, 8, 16, 32, 60, 60]
        rooms.close()

    asyncio.run(story())


def test_a_page_that_comes_to_a_table_just_dropped_is_told_to_come_again(where: Path | str):
    async def story() -> None:
        room, told = table(where, "mila", "theo"), []
        screen = Screen(room, None, "mila", "en")
        screen.dismiss = lambda: told.append("again")
        room.drop()
        room.arrive(screen)
        assert told == ["again"] and not room.screens

    asyncio.run(story())


def test_after_a_start_the_tables_go_on_that_wait_for_no_person(where: Path | str):
    async def story() -> None:
        store, rng = Store(where), random.Random(1)

        def add(id: str, *kinds: str, till: object = lambda room: True) -> None:
            values = GAME.settle({"players": 2, "first": "first_seat"})
            chairs = [
                Chair(kind, f"Player {seat}", *((None, "random") if kind == "bot" else ("family",))) for seat, kind in enumerate(kinds)
            ]
            row = Row.of(GAME, id=id, options=values, seed="s", host="family", chairs=chairs)
            store.create(row)
            room = Room(row, store)
            room.open()
            room.play(0, SIDE)
            play_to(room, lambda: till(room), rng)

        add("companion", "bot", "here")
        add("shown", "here", "here", till=lambda room: room.moment.paced)
        add("person", "here", "bot")
        add("finished", "bot", "here", till=lambda room: False)
        add("older", "bot", "here")
        store._write(("update tables set version = version + 1 where id = 'older'", ()))
        add("waits", "bot", "link")
        store._write(("update seats set person = null where id = 'waits'", ()))
        rooms = Rooms(store, pace=0.01, now=lambda: 0.0)  # nothing of its time is over
        await rooms.wake()
        assert set(rooms._rooms) == {"companion", "shown"}
        stood = {id: len(store.moves(id)) for id in rooms._rooms}
        await until(lambda: all(len(store.moves(id)) > stood[id] for id in stood))
        rooms.close()

    asyncio.run(story())


def test_nobody_sits_down_at_a_table_of_older_rules(where: Path | str):
    async def story() -> None:
        store = Store(where)
        chairs = [Chair("here", "Mila", "mila"), Chair("link", "Player 2", secret="x")]
        row = Row.of(GAME, id="t", options=GAME.settle({}), seed="a seed", host="mila", chairs=chairs)
        row.version += 1
        store.create(row)
        rooms = Rooms(store)
        for _ in range(2):
            with pytest.raises(Outdated):
                await rooms.sit("t", 1, "theo", "Théo")
            assert store.row("t").chairs[1].free

    asyncio.run(story())


def test_a_companion_that_is_no_more_plays_on_at_random(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo")
        room.row.chairs[0].kind, room.row.chairs[0].mind = "bot", "gone"
        assert await room.companions.companion()
        assert room.match.log[0][0] == 0

    asyncio.run(story())


def test_two_servers_do_not_share_a_folder(tmp_path: Path):
    with alone(tmp_path), pytest.raises(OSError, match="in use by another server"), alone(tmp_path):
        pass
    with alone(tmp_path):
        pass


def test_a_file_that_is_no_database_is_named(tmp_path: Path):
    (tmp_path / "recollect.sqlite").write_text("hello " * 100)
    with pytest.raises(ValueError, match=r"recollect\.sqlite cannot be used"):
        Store(tmp_path)


# -- taking back, and being rebuilt


def test_a_move_is_taken_back_until_somebody_else_moves(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo", mode="expert")
        rng = random.Random(5)
        while not (room.match.log and GUARD <= room.match.log[-1][1] < GUARD + 25):
            seat = min(room.match.acting)
            room.play(seat, rng.choice(room.match.legal(seat)))
        seat, action = room.match.log[-1]
        before = room.match.log[:-1]
        assert 'id="do-undo"' in str(pages_of(room, seat))
        with pytest.raises(Refused):
            room.undo(1 - seat)
        room.undo(seat)
        assert room.match.log == before and room.store.moves("t")[-2:] == [(seat, action), (seat, UNDO)]
        other = next(a for a in room.match.legal(seat) if a != action)
        room.play(seat, other)
        again = Room(room.store.row("t"), room.store, room.pace)
        again.open()
        assert len(room.times) == len(room.match.log) and again.times == room.times == sorted(room.times)
        taken = room.store.moves("t").index((seat, UNDO)) - 1
        assert room.store.times("t")[taken] not in room.times, "the time of what was taken back is gone with it"
        assert again.match.log == room.match.log and again.match.record.tobytes() == room.match.record.tobytes()
        with pytest.raises(Refused):
            room.undo(1 - seat)

    asyncio.run(story())


def pages_of(room: Room, seat: int) -> str:
    for chair in room.row.chairs:
        chair.shown = 10**6
    return seen_by(room, room.row.chairs[seat].person)["html"]


def test_a_table_is_rebuilt_as_it_was(where: Path | str):
    async def story() -> None:
        room = table(where, "mila", "theo", "kofi", mode="expert", pace=1000)  # what lies open stays so while pages are compared
        rng = random.Random(2)
        for _ in range(6):
            play_to(room, iter([False] * 9 + [True]).__next__, rng)
            again = Room(room.store.row("t"), room.store, room.pace)
            again.open()
            assert again.match.log == room.match.log and again.n == room.n
            assert again.match.record.tobytes() == room.match.record.tobytes()
            assert again.exposures == room.exposures
            for person in ("mila", "theo", "kofi", "stranger"):
                assert seen_by(again, person) == seen_by(room, person)

    asyncio.run(story())


def test_what_cannot_be_stored_did_not_happen(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        room = table(where, "mila", "theo")
        before = room.match.record.tobytes()

        def full(*_: object) -> None:
            raise OSError("the disk is full")

        with monkeypatch.context() as patch:
            patch.setattr(room.store, "write", full)
            with pytest.raises(OSError, match="full"):
                room.play(0, SIDE)
        assert room.match.record.tobytes() == before and room.store.moves("t") == []
        room.play(0, SIDE)

    asyncio.run(story())


def test_a_table_of_older_rules_says_so(where: Path | str):
    room = table(where, "mila", "theo")
    room.row.version += 1
    with pytest.raises(Outdated):
        Room(room.row, room.store).open()


def test_messages_of_the_wire_are_small_and_strict():
    assert Shown(stamp=3).stamp == 3 and Sit(seat=1, n=0, id=1).seat == 1


def test_what_a_seat_has_had_is_remembered_though_the_store_was_away(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    """It said so while nothing could be kept; the table was put away and read again: nobody is shown it twice."""

    async def story() -> None:
        store = table(where, "mila", "theo").store
        rooms = Rooms(store, 0.001)
        room = await rooms.get("t")
        assert room
        room.row.chairs[1].shown = 7  # the note of it was lost
        room.drop()

        def away(*_: object) -> None:
            raise Unkept("the database does not answer")

        with monkeypatch.context() as cut:
            cut.setattr(store, "write", away)
            with pytest.raises(Unkept):
                await rooms.get("t")
        again = await rooms.get("t")
        assert again and again is not room and [chair.shown for chair in again.row.chairs] == [0, 7]
        assert [chair.shown for chair in store.row("t").chairs] == [0, 7], "and the others may know"  # type: ignore[union-attr]
        rooms.close()

    asyncio.run(story())
