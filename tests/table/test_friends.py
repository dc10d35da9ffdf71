"""Friends far away: the pace of a table, seats that companions take over, words, an invitation. Time is moved, never waited for."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from people import TestClient, Wire, links, open_table, take, visitor

from recollect.engine import shelf
from recollect.engine.shelf import load
from recollect.table.app import application
from recollect.table.live.companions import Companions
from recollect.table.live.company import decide
from recollect.table.live.room import Room
from recollect.table.live.screen import Screen
from recollect.table.live.wire import Act, Decide
from recollect.table.render.company import remaining
from recollect.table.store import Chair, Row, Store
from recollect.table.store.beside import DAY, HOUR, Aside, Manners

SIDE = load("memoarrr").actions.starts("side")[0]


class Clock:
    """The time, which only moves when it is told to."""

    def __init__(self) -> None:
        self.time = 1_800_000_000.0

    def __call__(self) -> float:
        return self.time


@contextmanager
def house(where: Path | str, clock: Clock) -> Iterator[TestClient]:
    with TestClient(application(where, pace=0.001, now=clock), base_url="http://testserver", follow_redirects=True) as client:
        yield client


class Table:
    """Mila, who is the host and first, and Théo, by link; told by what is kept."""

    def __init__(self, client: TestClient, clock: Clock, **form: str) -> None:
        self.mila, self.clock = client, clock
        self.id = open_table(client, **{"first": "first_seat", "seat1": "link", **form})
        self.theo = visitor(client)
        take(self.theo, links(client, self.id)[0], "Théo")
        self.rng = random.Random(3)

    @property
    def room(self) -> Room:
        house = self.mila.app.state.house
        room: Room = self.mila.portal.call(house.rooms.get, self.id)  # type: ignore[union-attr]
        return room

    def later(self, seconds: float) -> list[tuple[str, int]]:
        """The clock moves; what was said because of that."""
        before = len(self.asides)
        self.clock.time += seconds
        self.mila.portal.call(self.mila.app.state.house.watch.look)  # type: ignore[union-attr]
        return self.asides[before:]

    @property
    def asides(self) -> list[tuple[str, int]]:
        return [(a.kind, a.seat) for a in self.mila.app.state.house.store.asides(self.id)]

    @property
    def moves(self) -> int:
        return len(self.mila.app.state.house.store.moves(self.id))

    def turn(self, who: TestClient, seat: int, most: int = 100) -> None:
        """Somebody opens the table, plays while asked (so much at most), and closes it."""
        with self.page(who) as wire:
            while most:
                message = wire.hear()
                if "hold" in message:
                    wire.send(do="shown", stamp=message["stamp"])
                elif "html" in message and wire.acts:
                    assert "why" not in wire.act(self.rng.choice(wire.acts))
                    most -= 1
                elif "html" in message and not self.asks(seat):
                    return

    def rests(self) -> None:
        """Until it waits for a person."""
        for _ in range(3000):
            now = self.room.moment
            if not now.paced and self.room.writing is None and not any(self.room.row.chairs[s].bot for s in now.players):
                return
            self.mila.portal.call(asyncio.sleep, 0.01)  # type: ignore[union-attr]
        raise AssertionError("the table goes on by itself for ever")

    def asks(self, seat: int) -> bool:
        """The seat is asked, or the table goes on by itself."""
        now = self.room.moment
        return bool(now.paced) or seat in now.players or any(self.room.row.chairs[s].bot for s in now.players)

    def listed(self, who: TestClient) -> str:
        """What the table's line on somebody's start page says, once the clock is kept: whether it waits for them, and its words."""
        house, portal = self.mila.app.state.house, self.mila.portal
        for _ in range(1000):
            if house.store.clocks([self.id])[self.id][1] == self.room.company.pace.until():
                break
            portal.call(asyncio.sleep, 0.01)  # type: ignore[union-attr]
        row = re.search(rf'<li id="table-{self.id}"(.*?)</li>', who.get("/").text, re.DOTALL)[1]  # type: ignore[index]
        state = re.sub(r"\s*<.*?>\s*", " ", re.search(r'<span class="state">(.*?)</span>', row, re.DOTALL)[1]).strip()  # type: ignore[index]
        return ("! " if "data-turn" in row else "") + state

    @contextmanager
    def page(self, who: TestClient) -> Iterator[Wire]:
        with who.websocket_connect(f"/t/{self.id}/live") as socket:
            yield Wire(socket)


def told(wire: Wire, text: str, where: str = "tells") -> dict[str, Any]:
    """Listen until the company is told this."""
    for _ in range(60):
        company = wire.answer("company")["company"]
        if text in company[where]:
            return company  # type: ignore[no-any-return]
    raise AssertionError(f"nobody said {text!r}")


def test_a_slow_game_of_three_days(where: Path | str):
    """A day a turn. Every reminder, everything said of time, every change of hands in its place; over a restart; to the end."""
    clock, began = Clock(), Clock().time
    with house(where, clock) as client:
        table = Table(client, clock, turn="86400")
        assert table.later(2 * HOUR) == []
        table.turn(client, 0)
        played = table.moves
        assert table.listed(table.theo) == "! Your turn 1 day left" and table.listed(client) == "Théo is playing just now"
        # day 1: Théo does not come. He is reminded when a quarter is left; then his time is up, which is said and not played
        assert table.later(17.9 * HOUR) == []
        assert table.later(0.2 * HOUR) == [("reminded", 1)]
        assert table.listed(table.theo) == "! Your turn 5 hours left" and table.listed(client) == "Théo is playing 18 h ago"
        for who, soon in ((table.theo, True), (client, False)):
            with table.page(who) as wire:
                assert told(wire, "", "panel")["soon"] == soon
        assert table.later(5 * HOUR) == [], "he is reminded once"
        with table.page(client) as wire:
            wire.page("island")
            told(wire, "", "panel")
            assert table.later(1 * HOUR) == [("up", 1)]
            assert "Théo’s time is up" in told(wire, "tell-more-1")["tells"], "the host chooses what follows"
            assert table.listed(table.theo) == "! Your turn Time is up" and table.listed(client) == "! You decide Théo’s time is up"
            assert table.moves == played
            assert table.later(1 * HOUR) == [], "it is said once, and waits"
            wire.send(do="decide", what="more", seat=1)
            told(wire, "has more time", "panel")
        assert table.later(17 * HOUR) == []
        assert table.listed(table.theo) == "! Your turn 7 hours left" and table.listed(client) == "Théo is playing 1 day ago"
        table.turn(table.theo, 1)
        assert table.moves > played and table.asides == [("reminded", 1), ("up", 1), ("more", 1)]
        table.turn(client, 0)
        table.clock.time += 10 * HOUR
        people = (table.mila.cookies, table.theo.cookies)
    # day 2: the house was closed and opened again: the time of the log counts
    with house(where, clock) as client:
        client.cookies, table.mila, table.theo = people[0], client, visitor(client)
        table.theo.cookies = people[1]
        assert not table.mila.app.state.house.rooms._rooms
        assert table.later(7.9 * HOUR) == []
        assert table.later(0.2 * HOUR) == [("reminded", 1)]
        assert table.later(6 * HOUR) == [("up", 1)]
        assert table.listed(client) == "! You decide Théo’s time is up", "also to who has come by no table since"
        with table.page(client) as wire:
            told(wire, "tell-stand-1")
            wire.send(do="decide", what="stand_in", seat=1)
            told(wire, "Parrot plays on for Théo", "panel")
        table.turn(client, 0, most=2)
        table.rests()
        assert table.room.row.chairs[1].mind == "parrot" and table.room.row.chairs[1].person, "the seat stays his"
        assert table.listed(table.theo).startswith("Parrot plays for you")
        assert table.later(DAY / 2) == []
        # day 3: Théo returns and has his seat back
        with table.page(table.theo) as wire:
            assert "Parrot played for you meanwhile" in told(wire, "Théo is back", "panel")["tells"]
        with table.page(client) as wire:
            assert "played for you" not in told(wire, "", "tells")["tells"]
        assert table.room.row.chairs[1].mind is None
        # now the host is late: Théo is asked, and Parrot plays until Mila returns
        assert table.later(5.9 * HOUR) == []
        assert table.later(0.2 * HOUR) == [("reminded", 0)]
        assert table.later(6 * HOUR) == [("up", 0)]
        assert table.listed(client) == "! Your turn Time is up" and table.listed(table.theo) == "! You decide Mila’s time is up"
        with table.page(table.theo) as wire:
            told(wire, "tell-stand-0")
            wire.send(do="decide", what="stand_in", seat=0)
            told(wire, "Parrot plays on for Mila", "panel")
        assert table.listed(client).startswith("Parrot plays for you")
        with table.page(client) as wire:
            told(wire, "Mila is back", "panel")
        # they play on to the end
        assert clock.time - began > 3 * DAY
        for _ in range(400):
            if table.room.moment.over:
                break
            for seat, who in enumerate((table.mila, table.theo)):
                table.clock.time += 10
                if table.asks(seat):
                    table.turn(who, seat)
        assert table.room.moment.over and client.app.state.house.store.row(table.id).result
        assert table.asides[3:] == [(said, seat) for seat in (1, 0) for said in ("reminded", "up", "taken", "back")]
        assert table.later(9 * DAY) == [] and client.app.state.house.store.due(clock.time) == [], "a finished game has no clock"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def client(where: Path | str, clock: Clock) -> Iterator[TestClient]:
    with house(where, clock) as client:
        yield client


# -- pace


def test_a_live_clock_says_whose_time_is_up_and_reminds_nobody(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="60")
    assert table.later(59) == []
    assert table.later(2) == [("up", 0)]
    assert table.moves == len([m for m in table.room.match.log])
    with table.page(client) as wire:
        told(wire, "Your time is up")
        wire.send(do="decide", what="more", seat=0)
        assert "not yours" in wire.answer("why")["why"], "nobody gives themselves time"
        assert table.asides == [("up", 0)]


@pytest.mark.parametrize(("follows", "then"), [("wait", []), ("companion", [("taken", 0)]), ("give_up", [("lost", 0)])])
def test_the_host_may_choose_beforehand_what_follows(client: TestClient, clock: Clock, follows: str, then: list):
    table = Table(client, clock, turn="600", follows=follows)
    assert table.later(601) == [("up", 0), *then]


def test_what_becomes_of_a_seat_is_told_over_the_board(client: TestClient, clock: Clock):
    """Not in the panel alone; and of one's own seat a card tells, but for time that was given."""
    table = Table(client, clock, turn="60")
    with table.page(client) as mila, table.page(table.theo) as theo, table.page(visitor(client)) as stranger:
        for wire in (mila, theo, stranger):
            told(wire, "", "panel")
        table.later(61)
        told(theo, "tell-more-0")
        theo.send(do="decide", what="more", seat=0)
        assert "You have more time." in str(told(mila, "Mila has more time", "panel")["said"])
        assert "Mila has more time." in str(told(stranger, "Mila has more time", "panel")["said"])
        table.later(61)
        told(theo, "tell-stand-0")
        theo.send(do="decide", what="stand_in", seat=0)
        for wire in (theo, stranger):
            assert "Parrot plays on for Mila." in str(told(wire, "Parrot plays on for Mila", "panel")["said"])
        news = told(mila, "Parrot plays on for Mila", "panel")
        assert "plays on" not in str(news["said"]) and "A companion is playing for you" in news["tells"]
        assert 'data-shut="for-0"' in news["tells"], "who looks on sees the board"


def test_where_several_share_a_screen_everybody_is_named(client: TestClient, clock: Clock):
    """Nobody is "you" where two look at one page; giving up is asked for all of them."""
    table = Table(client, clock, turn="60", players="3", seat1="here", name1="Nour", seat2="link")
    with table.page(client) as here, table.page(table.theo) as theo:
        assert "at this screen" in told(here, "Nour", "panel")["panel"]
        table.later(61)
        late = told(here, "late-0")
        assert "Mila’s time is up" in late["tells"] and "When your time is up, the others decide." in late["panel"], "Mila is the host"
        told(theo, "tell-stand-0")
        theo.send(do="decide", what="more", seat=0)
        assert "Mila has more time." in str(told(here, "Mila has more time", "panel")["said"])
        table.later(61)
        theo.send(do="decide", what="stand_in", seat=0)
        tells = told(here, "for-0")["tells"]
        assert "A companion is playing for Mila" in tells and "Mila takes the seat back" in tells and "for you" not in tells
    page = client.get(f"/t/{table.id}").text
    assert "companions have the 2 seats of this screen" in page and "keep our seats" in page


@pytest.mark.parametrize(("follows", "said"), [("companion", "Parrot plays on for Mila."), ("give_up", "Mila has lost the seat")])
def test_where_something_follows_at_once_it_is_told_with_the_reason(client: TestClient, clock: Clock, follows: str, said: str):
    table = Table(client, clock, turn="60", follows=follows)
    with table.page(table.theo) as theo:
        told(theo, "", "panel")
        table.later(61)
        rises = str(told(theo, said, "panel")["said"])
        assert "Mila’s time is up." in rises and said in rises


def test_who_is_reminded_is_told_at_the_table_too(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="86400")
    assert table.later(19 * HOUR) == [("reminded", 0)]
    with table.page(client) as mila, table.page(table.theo) as theo:
        tells = told(mila, "", "panel")["tells"]
        assert "A reminder: it is your turn" in tells and "the others decide" in tells, "of the host’s own seat"
        assert "A reminder" not in told(theo, "", "panel")["tells"]
    for who, said in ((client, "the others decide"), (table.theo, "the host decides")):
        assert said in who.get(f"/t/{table.id}").text.partition('id="leaving"')[2]


def test_who_comes_back_while_something_lies_open_is_told_who_played_meanwhile(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="60")
    table.turn(client, 0)
    table.later(61)
    with table.page(client) as mila:
        mila.send(do="decide", what="stand_in", seat=1)
        told(mila, "Parrot plays on for Théo", "panel")
    table.rests()
    clock.time += 5
    with table.page(table.theo) as theo:
        told(theo, "Parrot played for you meanwhile")
        clock.time += 5
        room = table.room
        table.mila.portal.call(turned_back, room)  # type: ignore[union-attr]
        assert "Parrot played for you meanwhile" in told(theo, "", "panel")["tells"], "the table did that, not he"


def test_no_companion_moves_for_somebody_who_is_just_coming_back(client: TestClient, clock: Clock):
    table = Table(client, clock)
    table.turn(client, 0)
    assert table.asks(1)

    async def crossing(room: Room) -> bool:
        kept, n = room.keep_beside, room.n

        async def slowly(change: Any) -> None:
            await room.companions.companion()  # it had thought already
            await kept(change)

        room.keep_beside = slowly  # type: ignore[method-assign]
        room.row.chairs[1].mind = "parrot"
        await room.company.back([1])
        return room.n == n and room.row.chairs[1].mind is None

    assert table.mila.portal.call(crossing, table.room)  # type: ignore[union-attr]


async def turned_back(room: Room) -> None:
    """What seat 1 had shown lies there no more: an entry of its own."""
    room.entries.append((1, min(room.game.paced)))
    room.times.append(room.now())
    room.company.tell()


def test_without_a_clock_nothing_is_ever_up(client: TestClient, clock: Clock):
    table = Table(client, clock)
    assert table.later(30 * DAY) == [] and client.app.state.house.store.due(clock.time + DAY) == []


def test_time_that_is_taken_back_counts(client: TestClient, clock: Clock):
    """Who plays and takes it back has the time from before, not time anew."""
    table = Table(client, clock, turn="600")
    until = table.room.company.pace.until()
    clock.time += 100
    with table.page(client) as wire:
        wire.page("island")
        assert "why" not in wire.act(SIDE)
    assert table.room.company.pace.until()[0] == until[0] + 100, "a move brings time anew"


def test_before_a_seat_is_taken_away_that_is_asked(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="60")
    table.turn(client, 0)
    table.later(61)
    with table.page(client) as wire:
        company = told(wire, "tell-out-1")
        for where in ("tells", "panel"):
            assert 'data-asks="Take the seat away?"' in company[where] and "Théo loses the seat for good" in company[where]


def test_of_the_hosts_own_seat_the_others_decide(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="600")
    table.later(601)
    with table.page(visitor(client)) as wire:
        tells = told(wire, "Mila’s time is up")["tells"]
        assert "tell-stand-0" not in tells and "The others at the table decide" in tells
        wire.send(do="decide", what="stand_in", seat=0)
        assert "not yours" in wire.answer("why")["why"]
    with table.page(client) as wire:
        told(wire, "Play, or the others decide what follows.")
    with table.page(table.theo) as wire:
        told(wire, "tell-stand-0")
        wire.send(do="decide", what="stand_in", seat=0)
        told(wire, "Parrot plays on for Mila", "panel")


def test_where_nobody_could_decide_the_table_waits(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="600", seat1="bot:parrot", seat2="link", players="3")
    with table.page(table.theo) as wire:
        wire.page("island")
        wire.send(do="decide", what="give_up")
        told(wire, "Théo gave up", "panel")
    table.later(601)
    with table.page(client) as wire:
        told(wire, "The table waits for you.")


def test_who_is_to_choose_what_follows_is_told_where_they_are(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="86400")
    table.turn(client, 0)
    with client.websocket_connect("/live", headers={"origin": "http://testserver"}) as hall:
        assert json.loads(hall.receive_text())["decide"] == {}
        assert table.later(25 * HOUR) == [("up", 1)]
        message: dict[str, Any] = {}
        while not message.get("decide"):
            message = json.loads(hall.receive_text())
        assert message["decide"] == {table.id: "Théo’s time is up · Memoarrr!"} and message["turns"] == {}
    with table.page(client) as mila, table.page(visitor(client)) as stranger, table.page(table.theo) as theo:
        assert told(mila, "tell-more-1")["ask"] == "Théo’s time is up" and told(stranger, "Théo’s time is up")["ask"] == ""
        mila.send(do="decide", what="give_up", seat=1)
        assert "Théo gave up" not in told(mila, "Théo has lost the seat", "panel")["panel"]
        assert "has taken your seat" in told(theo, "lost-1")["tells"], "who sat there is told where the seat went"
        assert "lost-1" not in told(stranger, "Théo has lost the seat", "panel")["tells"]
    assert ("lost", 1) in table.asides


def test_where_the_table_is_to_wait_nobody_is_asked(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="86400", follows="wait")
    table.turn(client, 0)
    table.later(25 * HOUR)
    assert table.listed(client) == "Théo is playing Théo’s time is up"
    with table.page(client) as mila, table.page(table.theo) as theo, table.page(visitor(client)) as stranger:
        host = told(mila, "tell-more-1")
        assert host["ask"] == "" and "The table waits. You may decide otherwise." in host["tells"]
        for said in (told(theo, "The table waits for you.")["tells"], told(stranger, "The table waits on.")["tells"]):
            assert "decide" not in said, "it says what was chosen, and nothing else"


def test_a_game_over_days_stays_in_the_list_however_many_were_finished_since(client: TestClient, clock: Clock):
    table, house = Table(client, clock, turn="86400"), client.app.state.house
    mila = house.store.row(table.id).host
    for _ in range(30):
        clock.time += 60
        chairs = [Chair("here", "Mila", mila), Chair("bot", "Parrot", mind="parrot")]
        given = load("memoarrr"), load("memoarrr").settle({"players": "2"}), mila, False, chairs, Manners()
        id = client.portal.call(house.open_table, *given)
        house.store.write(house.store.added(id, 0, [(0, SIDE)], [], {"scores": [1, 0], "ranking": [1, 2]}, at=clock.time))
    lines = re.findall(r'<li id="table-([\w-]+)"', client.get("/").text)
    assert lines[0] == table.id and len(lines) == 25


# -- seats


def test_somebody_who_is_here_keeps_the_seat(client: TestClient, clock: Clock):
    table = Table(client, clock)
    with table.page(table.theo) as theo, table.page(client) as mila:
        theo.page("island")
        told(mila, "is here", "panel")
        mila.send(do="decide", what="stand_in", seat=1)
        assert "not yours" in mila.answer("why")["why"]
    with table.page(client) as mila:
        told(mila, "stand-1", "panel")
        mila.send(do="decide", what="give_up", seat=1)
        assert "time is up" in mila.answer("why")["why"], "nobody is given up for who is only away"
        mila.send(do="decide", what="stand_in", seat=1)
        told(mila, "Parrot plays on for Théo", "panel")
    with table.page(table.theo) as theo:
        told(theo, "Théo is back", "panel")
    assert not table.room.row.chairs[1].bot


def test_who_is_back_before_the_companion_has_moved_has_time_anew(client: TestClient, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    async def thinks(companions: Companions) -> bool:
        return False

    monkeypatch.setattr(Companions, "companion", thinks)
    table = Table(client, clock, turn="600", follows="companion")
    assert table.later(601) == [("up", 0), ("taken", 0)]
    clock.time += 60
    with table.page(client) as wire:
        told(wire, "Mila is back", "panel")
    assert table.listed(client) == "! Your turn 10 minutes left"
    assert table.later(599) == [] and table.later(2) == [("up", 0), ("taken", 0)]


def test_a_companion_plays_for_me_while_i_look_and_my_own_move_ends_that(client: TestClient, clock: Clock):
    table = Table(client, clock)
    with table.page(client) as wire:
        wire.page("island")
        wire.send(do="decide", what="stand_in", seat=0)
        told(wire, "tell-back-0")
        while table.room.moment.acting != {1}:
            wire.hear()
        assert table.moves > 1, "the companion has played"
        wire.send(do="decide", what="back", seat=0)
        told(wire, "Mila is back", "panel")
    assert not table.room.row.chairs[0].bot


def test_a_page_for_which_a_companion_plays_says_so_and_calls_nobody(client: TestClient, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    table = Table(client, clock)
    room = table.room
    monkeypatch.setattr(type(room), "can_undo", lambda room, seat: seat == 0)
    with table.page(client) as wire:
        wire.page("island")
        (screen,) = room.screens
        taken = "A companion plays: click to take over"
        for mind, says, title in ((None, "Your turn", "Your turn · "), ("parrot", taken, "Memoarrr!")):
            room.row.chairs[0].mind = mind
            room.pages.forget()
            shown = screen.shown()
            assert says in shown.sheet.html and ("Your turn" in shown.sheet.html) == (mind is None) and shown.title.startswith(title)
            assert ("do-undo" in shown.sheet.html) == (mind is None), "what a companion did is not taken back"
            assert "data-act" in shown.sheet.html, "and a click takes the seat back"


def lent(where: Path, game: str, *people: str) -> Room:
    """A table where companions play for all, who are away."""
    rules, store = load(game), Store(where)
    chairs = [Chair("here", name, name.lower(), mind="parrot") for name in people or ("Mila", "Nour")]
    store.create(Row.of(rules, id="t", options=rules.settle({"players": len(chairs)}), seed="lent", host="mila", chairs=chairs))
    room = Room(store.row("t"), store)
    room.open()
    return room


TAKE_OVER = "<small>A companion plays: click to take over</small>"


def test_where_a_companion_plays_that_alone_is_said_above_the_sentence(tmp_path: Path):
    """Not what became of the card before it, too: on a phone that would be three lines."""
    room, rng = lent(tmp_path, "memoarrr", "Mila", "Nour", "Théo"), random.Random(3)
    for chair in room.row.chairs:
        chair.mind = None
    while "did not link · Your turn" not in room.pages.sheet(min(room.moment.players), "en").html:
        seat = min(room.moment.players)
        room.play(seat, rng.choice(room.match.legal(seat)))
    (seat,) = room.moment.players
    room.row.chairs[seat].mind = "parrot"
    room.pages.forget()
    assert TAKE_OVER in room.pages.sheet(seat, "en").html


@pytest.mark.parametrize("game", ["memoarrr", "ptibapt", "vivid"])
def test_where_nothing_can_be_taken_over_nobody_is_told_to_click(tmp_path: Path, game: str):
    """While something is shown to all, and where it is shown again to who missed it."""
    room, rng = lent(tmp_path, game), random.Random(3)
    while not room.moment.paced:
        seat = min(room.moment.players)
        assert TAKE_OVER in room.pages.sheet(seat, "en").html
        room.play(seat, rng.choice(room.match.legal(seat)))
    for seat in room.moment.players:
        for missed in (0, 1):
            assert TAKE_OVER not in room.pages.sheet(seat, "en", at=room.at, missed=missed).html


@pytest.mark.parametrize("game", ["_template", "concentration"])
def test_the_template_and_a_game_without_a_page_say_so_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: str):
    monkeypatch.setenv(shelf.ELSEWHERE, str(Path(__file__).parents[1] / "elsewhere"))
    room = lent(tmp_path, game)
    (seat,) = room.moment.players
    html = room.pages.sheet(seat, "en").html
    assert TAKE_OVER in html and "Your turn" not in html
    room.row.chairs[seat].mind = None
    room.pages.forget()
    html = room.pages.sheet(seat, "en").html
    assert TAKE_OVER not in html and ("Your turn" in html) == (game == "concentration")


@pytest.mark.parametrize("game", ["vivid", "dejavu"])
def test_what_one_did_oneself_is_not_taken_back_while_a_companion_plays(client: TestClient, clock: Clock, game: str):
    """The same move of the same seat: it may be taken back, and may not while a companion plays on from there."""
    table = Table(client, clock, game=game, start="first")
    with table.page(client) as wire:
        wire.page('id="table"')
        while not table.room.can_undo(0):
            assert "why" not in wire.act(table.rng.choice(wire.acts))
        wire.page("do-undo")
        (screen,) = (screen for screen in table.room.screens if screen.mine == [0])
        for mind in ("parrot", None):
            table.room.row.chairs[0].mind = mind
            table.room.pages.forget()
            assert table.room.can_undo(0) and ("do-undo" in screen.shown().sheet.html) == (mind is None)


def test_seats_do_not_change_hands_without_end(client: TestClient, clock: Clock):
    table = Table(client, clock)
    with table.page(client) as wire:
        wire.page("island")
        for n in range(40):
            wire.send(do="decide", what=("stand_in", "back")[n % 2], seat=0)
        wire.send(do="say", what="nothing of the kind")  # when this is answered, all before it was
        while "changed hands often" not in (why := wire.answer("why")["why"]):
            pass
        while "changed hands often" in why:
            why = wire.answer("why")["why"]
    assert len(table.room.store.asides(table.room.row.id)) < 35


def test_who_lost_the_seat_while_away_is_told_on_return_until_they_have_read_it(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="60", follows="give_up")
    table.turn(client, 0)
    assert ("lost", 1) in table.later(61)
    mine = table.theo.get("/").text
    assert f'id="told-{table.id}"' in mine and "Your seat is taken" in mine and "Your time was up" in mine, "nothing vanishes unsaid"
    for who, said in ((table.theo, True), (client, False), (visitor(client), False)):
        with table.page(who) as wire:
            assert ("Parrot has taken your seat" in told(wire, "")["tells"]) == said, "said to whose seat it was, and to nobody else"
    person = client.app.state.house.signer.loads(table.theo.cookies["recollect"])["p"]
    assert person not in table.theo.get(f"/t/{table.id}").text
    elsewhere = table.theo.post(f"/t/{table.id}/told", headers={"origin": "http://elsewhere"})
    assert elsewhere.status_code == 403, "only our own pages say that it was read"
    stood = table.room.company.version
    client.post(f"/t/{table.id}/told", headers={"origin": "http://testserver"})
    assert "Your seat is taken" in table.theo.get("/").text, "nobody reads for another"
    assert table.room.company.version == stood, "nor is anybody told that something has changed"
    table.theo.post(f"/t/{table.id}/told", headers={"origin": "http://testserver"})
    assert "Your seat is taken" not in table.theo.get("/").text
    with table.page(table.theo) as wire:
        assert "taken your seat" not in told(wire, "")["tells"]


def test_who_gives_up_is_gone_and_the_host_passes_on(client: TestClient, clock: Clock):
    table = Table(client, clock)
    with table.page(client) as wire:
        wire.page("island")
        wire.send(do="decide", what="give_up")
        assert wire.answer("go")["go"] == "/"
    row = client.app.state.house.store.row(table.id)
    assert row.chairs[0].kind == "bot" and row.chairs[0].person is None and row.host == row.chairs[1].person
    assert f"table-{table.id}" not in client.get("/").text
    with table.page(table.theo) as wire:
        told(wire, "Mila gave up", "panel")


def test_a_line_keeps_the_name_of_who_made_the_move_whoever_reads_it_first(client: TestClient, clock: Clock):
    table = Table(client, clock)
    table.turn(client, 0)
    clock.time += 1
    with table.page(client) as wire:
        wire.page("island")
        wire.send(do="decide", what="give_up")
        wire.answer("go")
    clock.time += 1
    room = table.room
    read = [room.log.lines(1, language, room.at) for language in ("en", "fr")]  # the second for the first time
    assert all("Mila" in lines[-1]["text"] for lines in read) and room.names("fr")[0] == "Perroquet"
    room.log.forget()  # as after a restart
    assert room.log.lines(1, "en", room.at)[-1]["text"] == read[0][-1]["text"]


def test_in_the_lobby_a_companion_takes_an_empty_seat_and_leaves_it_again(client: TestClient, clock: Clock):
    id = open_table(client, players="3", seat1="link", seat2="link")
    theo, store = visitor(client), client.app.state.house.store
    with client.websocket_connect(f"/t/{id}/live") as socket:
        mila = Wire(socket)
        mila.page("fill-1-parrot")
        mila.send(do="fill", seat=1, mind="parrot")
        mila.page("free-1")
        assert store.row(id).chairs[1].mind == "parrot" and not store.row(id).ready
        mila.send(do="fill", seat=1)
        mila.page("link-1")
        assert store.row(id).chairs[1].free
        take(theo, links(client, id)[1], "Théo")
        with theo.websocket_connect(f"/t/{id}/live") as other:
            page = Wire(other)
            assert "fill-1" not in page.page("free-2"), "only the host has companions to seat"
            page.send(do="fill", seat=1, mind="parrot")
            assert "not yours" in page.answer("why")["why"]
            assert 'data-open="company"' in page.html, "people can talk while they wait"
            page.send(do="say", what="hello")
            panel = told(mila, "Hello!", "panel")["panel"]
            assert "mute-2" in panel and "mute-1" not in panel and "still free" in panel, (
                "who sits there can be muted; an empty seat cannot"
            )
            page.send(do="fill", seat=2)
            page.page("Player 3")
        assert store.row(id).chairs[2].free
        for seat in (1, 2):
            mila.send(do="fill", seat=seat, mind="goldfish")
        mila.page("island")
    assert store.row(id).ready


def test_a_seat_that_was_open_to_anybody_is_so_again_when_a_companion_leaves_it(client: TestClient, clock: Clock):
    id, store = open_table(client, "vivid", players="3", seat1="link", seat2="open"), client.app.state.house.store
    with client.websocket_connect(f"/t/{id}/live") as socket:
        mila = Wire(socket)
        mila.page("fill-1-parrot")
        for seat in (1, 2):
            mila.send(do="fill", seat=seat, mind="parrot")
            mila.page(f"free-{seat}")
            assert store.row(id).listed == (seat == 1), "listed while an open seat is free"
            mila.send(do="fill", seat=seat)
            mila.page(f"link-{seat}")
    assert [chair.kind for chair in store.row(id).chairs] == ["here", "link", "open"] and store.row(id).listed


def test_who_takes_a_seat_keeps_it_though_the_host_gives_it_to_a_companion(client: TestClient, clock: Clock):
    """Another process has seated somebody, and this one has not heard of it yet."""
    id, store = open_table(client, players="3", seat1="link", seat2="link"), client.app.state.house.store
    with client.websocket_connect(f"/t/{id}/live") as socket:
        mila = Wire(socket)
        mila.page("fill-1-parrot")
        assert store.sit(id, 1, "theo", "Théo")
        mila.send(do="fill", seat=1, mind="parrot")
        assert "taken already" in mila.answer("why")["why"]
        mila.page("Théo")
    chair = store.row(id).chairs[1]
    assert (chair.kind, chair.person, chair.mind) == ("link", "theo", None)


def test_who_plays_at_the_last_moment_keeps_the_seat(client: TestClient, clock: Clock):
    """The host's word comes while the move of who was late is being stored."""
    table = Table(client, clock, turn="60")
    table.turn(client, 0)
    assert ("up", 1) in table.later(61)
    room, late = table.room, table.room.company.pace.late()

    async def at_once() -> str:
        host = Screen(room, None, room.row.host, "en")
        clock.time += 1
        room.play(1, SIDE)
        return await decide(host, Decide("give_up", 1))

    assert late == [1] and "time is up" in client.portal.call(at_once)  # type: ignore[union-attr]
    assert room.row.chairs[1].kind == "link", "they have moved"


@pytest.mark.parametrize(
    ("first", "second", "then"),
    [
        ("give_up", "back", ["taken", "gave_up"]),
        ("back", "give_up", ["taken", "back", "gave_up"]),
        ("give_up", "give_up", ["taken", "gave_up"]),
        ("back", "back", ["taken", "back"]),
    ],
)
def test_what_two_tabs_decide_at_once_is_done_once_and_in_order(client: TestClient, clock: Clock, first: str, second: str, then: list[str]):
    table = Table(client, clock)
    company = table.room.company

    async def at_once() -> None:
        await company.stand_in(0)
        await asyncio.gather(company.carry_out(first, 0, mine=True), company.carry_out(second, 0, mine=True))

    client.portal.call(at_once)  # type: ignore[union-attr]
    assert table.asides == [(kind, 0) for kind in then]
    chair = table.room.store.row(table.id).chairs[0]
    assert (chair.kind, chair.mind) == (("bot", "parrot") if "gave_up" in then else ("here", None)), "a companion that has a seat plays"


def test_a_click_while_the_other_tab_gives_up_is_answered(client: TestClient, clock: Clock):
    table = Table(client, clock)
    room = table.room
    with table.page(client) as wire:
        wire.page("island")
        (screen,) = room.screens

        async def at_once() -> str:
            await room.company.stand_in(0)
            _, why = await asyncio.gather(room.company.give_up(0), screen.deeds.do(Act(SIDE, room.n, 1)))
            return why

        assert "watching" in client.portal.call(at_once)  # type: ignore[union-attr]


def test_how_many_watch_is_said(client: TestClient, clock: Clock):
    table = Table(client, clock)
    with table.page(client) as mila:
        assert "Nobody is watching" in told(mila, "", "panel")["panel"]
        with table.page(visitor(client)) as one, table.page(visitor(client)) as other:
            told(mila, "2 people are watching", "panel")
            assert one.page("island") and other.page("island")
        told(mila, "Nobody is watching", "panel")


def test_a_rematch_is_offered_and_drags_nobody_along(client: TestClient, clock: Clock):
    table = Table(client, clock)
    while not table.room.moment.over:
        for seat, who in enumerate((client, table.theo)):
            if table.asks(seat):
                table.turn(who, seat)
    with table.page(client) as mila, table.page(table.theo) as theo, table.page(visitor(client)) as stranger:
        for wire in (theo, stranger):
            told(wire, "", "panel")
        mila.send(do="rematch", n=0, id=1)
        again = mila.answer("go")["go"]
        assert "Mila offers a rematch" in told(theo, "do-accept")["tells"]
        assert "do-accept" not in told(stranger, "Mila offers a rematch")["tells"]
        row = client.app.state.house.store.row(again[3:])
        assert not row.ready and row.chairs[1].name == "Théo" and row.chairs[1].person is None, "his seat is kept, not taken"
        lobby = client.get(again).text
        assert "Waiting for Théo" in lobby and "there is nothing to send" in lobby and "invited to play again" in lobby
        assert "Whoever first opens" not in lobby, "he is known, and was asked"
        assert lobby.index('id="instead-1"') < lobby.index('id="link-1"') < lobby.index("</details>"), "a link is there for who wants one"
        theo.send(do="rematch", n=0, id=1)
        assert theo.answer("go")["go"] == again
    assert client.app.state.house.store.row(again[3:]).ready


# -- what is kept


def test_an_older_store_learns_manners(tmp_path: Path):
    store = Store(tmp_path)
    store.db.connection.executescript("drop table manners; drop table asides; pragma user_version = 2")
    store.close()
    store = Store(tmp_path)
    assert store.manners("none") == Manners() and store.asides("none") == []
    store.write(store.aside("t", Aside(0, 1.0, 1, "said", "well")))
    assert store.asides("t") == [Aside(0, 1.0, 1, "said", "well")]
    for n in range(1, 300):
        store.write(store.aside("t", Aside(n, 1.0, 1, "said" if n != 5 else "up", "well")))
    kept = store.asides("t")
    assert len(kept) == 202 and kept[0].kind == "up", "of words only the latest are kept, of what happened everything"


def test_three_days_are_not_two_as_soon_as_they_have_begun():
    assert remaining(3 * DAY, "en") == "3 days" and remaining(3 * DAY - 60, "en") == "2 days 23 hours"
    assert remaining(DAY + 90, "fr") == "1 jour" and remaining(5.9 * HOUR, "fr") == "5 heures" and remaining(59.0, "en") == "59 seconds"


def test_a_table_that_waits_says_how_many_seats_are_free_and_names_nobody_who_is_not_there(client: TestClient):
    id = open_table(client, players="4", seat1="link", seat2="open", seat3="bot:parrot", name1="Théo")
    assert "with Théo, Parrot (2 seats free)" in re.sub(r"\s+", " ", client.get("/").text)
    take(visitor(client), links(client, id)[0], "Théo")
    assert "with Théo, Parrot (1 seat free)" in re.sub(r"\s+", " ", client.get("/").text)
    assert "Player 3" not in client.get("/").text


def test_how_long_there_is_time_is_told_with_the_turn_itself(client: TestClient, clock: Clock, monkeypatch: pytest.MonkeyPatch):
    """The start page looks as soon as a move is kept; the clock that follows from it is kept a moment later."""
    monkeypatch.setattr("recollect.table.writer.SOON", 600.0)
    table = Table(client, clock, turn="86400")
    clock.time += 60
    table.turn(client, 0)
    (row,) = client.app.state.house.store.of_person(table.room.row.chairs[1].person)
    assert row.acting == [1] and 1 not in client.app.state.house.store.clocks([table.id])[table.id][1]
    page = table.theo.get("/").text
    assert "Your turn" in page and "1 day left" in page
    client.app.state.house.store.write(client.app.state.house.store.stopped(table.id))
    clock.time += 2 * DAY
    page = table.theo.get("/").text
    assert "Your turn" in page and "Time is up" not in page, "nobody is late where no clock says so"


def test_a_table_whose_time_is_soon_up_stands_above_the_others(client: TestClient, clock: Clock):
    table = Table(client, clock, turn="86400")
    assert table.listed(client) == "! Your turn 1 day left"
    table.later(60)
    other = open_table(client, seat1="bot:parrot", first="first_seat")

    def order() -> list[str]:
        return [id for id in re.findall(r'<li id="table-([\w-]+)"', client.get("/").text) if id in (table.id, other)]

    assert order() == [other, table.id]
    table.later(20 * HOUR)
    assert table.listed(client) == "! Your turn 3 hours left" and order() == [table.id, other]


def test_a_seat_that_is_free_wears_its_number_in_the_panel_too(client: TestClient):
    id = open_table(client, seat1="link", name1="Ana")
    with client.websocket_connect(f"/t/{id}/live") as socket:
        panel = Wire(socket).answer("company")["company"]["panel"]
    assert re.search(r'id="company-1" class="vacant".*?<span class="avatar" aria-hidden="true">2</span>', panel, re.S)


def test_who_reads_the_page_is_not_away_though_it_is_not_connected_yet(client: TestClient):
    """As where a page too many has to wait: it would say of its own reader that they are not there."""
    id = open_table(client, seat1="link", name1="Ana", game="ptibapt")
    ana = visitor(client)
    take(ana, links(client, id)[0], "Ana")
    away = re.findall(r'class="seat [^"]*\baway" id="seat-(\d)"', client.get(f"/t/{id}").text)
    assert away == ["1"], "of Ana, whose page is not connected either, and of her alone"
