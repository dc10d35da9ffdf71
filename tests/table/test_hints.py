"""Hints at a table: only where the host allowed them, only to the seat that asked, only from what it knows; and the log says so."""

from __future__ import annotations

import asyncio
import random
import re
from pathlib import Path

import numpy as np
import pytest

from recollect.engine.shelf import games, load
from recollect.engine.texts import LANGUAGES
from recollect.minds import thinking
from recollect.minds.hint import Hint, because, hint
from recollect.table.live import hints as at_tables
from recollect.table.live.room import Room
from recollect.table.live.screen import Screen
from recollect.table.live.wire import Hint as Ask
from recollect.table.store import HINT, Chair, Row, Store

LIT = re.compile(r"<style>#table \[data-act=\"(\d+)\"")


def table(where: Path | str, game: str = "ptibapt", **options: object) -> Room:
    rules = load(game)
    store = Store(where)
    chairs = [Chair("here", name.capitalize(), name) for name in ("mila", "theo")]
    store.create(Row.of(rules, id="t", options=rules.settle({"players": 2, **options}), seed="a seed", host="mila", chairs=chairs))
    room = Room(store.row("t"), store, 0.001)
    room.open()
    return room


def asked(room: Room) -> tuple[int, Screen]:
    """A few moves later: who is asked something with a choice, and their screen."""
    rng = random.Random(3)
    while len(room.match.log) < 25 or room.moment.paced or len(room.match.legal(min(room.match.acting))) < 2:
        seat = min(room.match.acting)
        room.play(seat, rng.choice(room.match.legal(seat)))
    everybody_looked(room)
    seat = min(room.match.acting)
    return seat, Screen(room, None, room.row.chairs[seat].person, "en")


def everybody_looked(room: Room) -> None:
    """What was shown to all was seen by all."""
    for chair in room.row.chairs:
        chair.shown = len(room.match.log) + 1


def page(room: Room, seat: int, language: str = "en") -> str:
    return str(Screen(room, None, room.row.chairs[seat].person, language).frame()["html"])


def test_a_hint_lights_a_legal_move_says_why_and_stands_in_the_log(where: Path | str):
    async def story() -> None:
        room = table(where, hints=True)
        seat, screen = asked(room)
        assert 'id="do-hint"' in page(room, seat) and 'id="do-hint"' not in page(room, 1 - seat)
        log = list(room.match.log)
        assert await screen.deeds.do(Ask(n=room.n, id=1, seat=seat)) == ""
        for language, why in (("en", "Why?"), ("fr", "Pourquoi")):
            mine = page(room, seat, language)
            assert int(LIT.search(mine)[1]) in room.match.legal(seat) and why in mine  # type: ignore[index]
        theirs = page(room, 1 - seat)
        assert "took a hint" in theirs and 'id="hint"' not in theirs, "that one was taken, not which"
        assert "<b>You</b> took a hint" in page(room, seat)
        assert await screen.deeds.do(Ask(n=room.n, id=2, seat=seat)) == "" and room.hints.taken == [(len(log), seat)], (
            "asked again, told again"
        )
        assert room.match.log == log and room.store.moves("t")[-1] == (seat, HINT)
        assert room.document()["hints"] == [(len(log), seat)]

    asyncio.run(story())


def test_a_hint_before_the_first_move_stands_in_the_log_too(where: Path | str):
    async def story() -> None:
        room = table(where, hints=True, starts="first")
        screen = Screen(room, None, "mila", "en")
        assert await screen.deeds.do(Ask(n=room.n, id=1, seat=0)) == ""
        assert [line["tone"] for line in room.log.lines(1, "en", room.at)] == ["took"]

    asyncio.run(story())


def test_after_a_restart_the_log_still_says_so_and_the_game_goes_on(where: Path | str):
    async def story() -> None:
        room = table(where, hints=True)
        seat, screen = asked(room)
        await screen.deeds.do(Ask(n=room.n, id=1, seat=seat))
        room.play(seat, room.match.legal(seat)[0])
        again = Room(room.store.row("t"), room.store, 0.001)
        again.open()
        assert (again.match.log, again.n, again.hints.taken) == (room.match.log, room.n, room.hints.taken)
        lines = again.log.lines(1 - seat, "en", again.at)
        assert [line["tone"] for line in lines].count("took") == 1 and "took a hint" in str(lines)
        assert again.hints.shown(seat, again.at, "en") is None, "a hint is of its moment"

    asyncio.run(story())


def test_without_the_hosts_leave_there_is_no_button_and_no_hint(where: Path | str):
    async def story() -> None:
        room = table(where)
        seat, screen = asked(room)
        assert 'id="do-hint"' not in page(room, seat)
        assert "No hints at this table" in await screen.deeds.do(Ask(n=room.n, id=1, seat=seat))
        assert room.hints.taken == [] and HINT not in [action for _, action in room.store.moves("t")]

    asyncio.run(story())


def test_a_hint_that_comes_too_late_is_none(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    """While the elephant thinks the table goes on; what it then finds is of another moment."""

    async def story() -> None:
        room = table(where, hints=True)
        seat, screen = asked(room)

        def slow(*asked: object) -> Hint:
            room.play(seat, room.match.legal(seat)[0])
            return Hint(room.match.log[-1][1])

        monkeypatch.setattr(at_tables, "hint", slow)
        assert "moved on" in await screen.deeds.do(Ask(n=room.n, id=1, seat=seat))
        assert room.hints.taken == []

    asyncio.run(story())


def test_until_it_can_think_the_elephant_says_so(where: Path | str, monkeypatch: pytest.MonkeyPatch):
    async def story() -> None:
        room = table(where, hints=True)
        seat, screen = asked(room)
        monkeypatch.setattr(thinking, "_compiling", {room.game.package: None})
        assert "waking up" in await screen.deeds.do(Ask(n=room.n, id=1, seat=seat))

    asyncio.run(story())


def test_what_a_page_says_of_a_hint_is_the_hint(where: Path | str):
    """Its numbers and words: the best first, the next beside it, and what is usual."""
    room = table(where, hints=True)
    seat, _ = asked(room)
    best, other = room.match.legal(seat)[:2]
    room.hints.taken = [(room.at, seat)]
    room.hints._found = {(room.at, seat): Hint(best, 7.0, (), ((other, 4.0), (other, 0.0)), (because("prepares"),))}
    for language in LANGUAGES:
        said = room.hints.shown(seat, room.at, language)
        assert (
            said
            and [row["value"] for row in said["rows"]] == (["+7,0", "+4,0", "+2,0"] if language == "fr" else ["+7.0", "+4.0", "+2.0"])
            and [row["part"] for row in said["rows"]] == [100, 57, 29]
        )
        assert said["why"] and said["nth"] == 1 and said["words"]
    assert room.hints.shown(1 - seat, room.at, "en") is None


def test_what_brings_next_to_nothing_has_no_minus() -> None:
    assert [row["value"] for row in at_tables.bars([("", -0.04), ("", -0.06)], None)] == ["+0.0", "−0.1"]


def test_of_moves_that_bring_the_same_no_bars_are_drawn() -> None:
    """Nor is a difference drawn that is too small to be told."""
    assert at_tables.bars([("", -0.51), ("", -0.49)], -0.5) == []
    assert [row["part"] for row in at_tables.bars([("", 0.04), ("", 0.01)], -1.0)] == [100, 100, 0]
    assert len(at_tables.bars([("", 2.0)], None)) == 1


def test_what_is_not_sure_of_a_hint_is_pale() -> None:
    """Of the best move that much is sure which it brings at once; of others nothing is known to be. Where nothing is known of luck, all is
    drawn alike."""
    rows = [("best", 8.0), ("other", 4.0)]
    assert [(row["part"], row["firm"]) for row in at_tables.bars(rows, 2.0, 6.0)] == [(100, 75), (50, 0), (25, 0)]
    assert [row["firm"] for row in at_tables.bars(rows, None, 99.0)] == [100, 0], "no more than all of it"
    assert [row["firm"] for row in at_tables.bars([("best", -1.0), ("other", -2.0)], None, 3.0)] == [0, 0]
    assert [row["firm"] for row in at_tables.bars(rows, 2.0)] == [100, 50, 25]


@pytest.mark.parametrize("name", ["vivid", "dejavu"])
def test_the_steps_of_a_hint_are_numbered_where_they_lie_and_for_that_seat_alone(where: Path | str, name: str):
    room = table(where, name, hints=True)
    seat, _ = asked(room)
    for _ in range(60 if name == "dejavu" else 0):  # the map comes when the first cards are chosen
        if 'id="tile-' not in page(room, seat, "fr"):
            room.play(seat, room.match.legal(seat)[0])
            everybody_looked(room)
            seat = min(room.match.acting)
    one, two, *_ = (3, 7) if name == "vivid" else dict.fromkeys(re.findall(r'id="tile-([\w-]+)"', page(room, seat, "fr")))
    moves = [f"place h{one}", f"pick h{one}-red", f"place h{two}"] if name == "vivid" else [f"sow {one}", f"drop {two}", "done"]
    first, *then = map(room.game.actions.parse, moves)
    room.hints.taken = [(room.at, seat)]
    room.hints._found = {(room.at, seat): Hint(first, 7.0, tuple(then), (), (), 3.0)}
    mine, theirs = page(room, seat), page(room, 1 - seat)
    spots = re.findall(r'data-at="([^"]+)" data-no="(\d)"', mine)
    assert [no for _, no in spots] == (["1", "1", "2"] if name == "vivid" else ["1", "2"]), "each place has one number"
    assert all(f'id="{id}"' in mine for id, _ in spots), "they are on the page"
    assert "data-no" not in theirs and "--firm" not in theirs, "a hint is for one seat"


def test_a_shared_screen_does_not_say_what_only_the_seat_knows(where: Path | str):
    room = table(where, "vivid", hints=True)
    seat, _ = asked(room)
    room.hints.taken = [(room.at, seat)]
    reasons = because("claims", n=1), because("dream", secret=True, n=2)
    room.hints._found = {(room.at, seat): Hint(room.match.legal(seat)[0], 7.0, reasons=reasons)}
    for language, word in (("en", "aspiration"), ("fr", "aspiration")):
        alone, before_others = (str(room.pages.page(seat, language, shared=shared).hint) for shared in (False, True))
        assert word in alone and word not in before_others and before_others != "None"


@pytest.mark.compiled
@pytest.mark.parametrize("name", [name for name in games() if name[0] != "_"])
def test_no_hint_changes_when_what_the_seat_cannot_know_is_dealt_anew(where: Path | str, name: str):
    """The page itself: the table's own match is dealt anew under the seat's eyes, and the same hint comes."""
    room = table(where, name, hints=True)
    seat, _ = asked(room)
    one = hint(room.game, room.match.options, room.match.log, seat)
    anew = room.game.state.copy(room.match.record)
    room.game.rules.redeal(room.game.state.open(anew), seat, np.array([977], np.int64))
    other = from_record(room, anew, seat)
    assert (one.move, one.expected, one.reasons) == (other.move, other.expected, other.reasons)


def from_record(room: Room, record: np.ndarray, seat: int) -> Hint:
    """The hint that the same log gives, had the unknown been dealt like this."""
    from recollect.minds import hint as module

    class Dealt(module.Seated):
        def asked(self):  # type: ignore[no-untyped-def]
            self.watch.record[()] = record[()]
            return super().asked()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "Seated", Dealt)
        return hint(room.game, room.match.options, room.match.log, seat)


def test_the_next_best_move_stands_beside_the_best_and_is_lit_when_it_is_asked_for(where: Path | str):
    async def story() -> None:
        room = table(where, hints=True)
        seat, _ = asked(room)
        await room.hints.find(seat)
        room.take_hint(seat)
        said = room.hints.shown(seat, room.at, "en")
        assert said and said["next"]["act"] != said["act"] and said["next"]["act"] in room.match.legal(seat)
        html = page(room, seat)
        assert html.count(f'data-act="{said["next"]["act"]}"') >= 2, "on the board, and in the hint"
        assert "#live:has(#hint-next[open])" in html

    asyncio.run(story())
