"""What the log of Vivid Memories says."""

from __future__ import annotations

import itertools
import random
import re
from pathlib import Path

import pytest

import recollect
from recollect.engine import position
from recollect.engine.look import Look, Moment
from recollect.games.vivid.page.scene import line
from recollect.games.vivid.page.telling import question, words
from recollect.games.vivid.rules.layout import AUTOMA, CLAIMED, DONE, LAY, LAY_ON, MOMENT_NAMES, REFLECT, REWIRE, USE, WAIT, WISH
from recollect.minds import mind
from recollect.table.live.room import Room
from recollect.table.render.prose import game_texts
from recollect.table.store import Chair, Row, Store

GAME = recollect.load("vivid")
NAMES = ["Mila", "Ana", "Théo"]


def played(players: int, seed: int):
    match, rng, player = GAME.match(seed=f"telling {seed}", players=players), random.Random(seed), mind(GAME, "sensible")
    while not match.over:
        seat = min(match.acting)
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    return match


def lines(match):
    """Each entry that a seat made, the look after it, and what the log says of it."""
    positions = dict(match.positions())
    for place, after in itertools.pairwise(sorted(positions)):
        moment = Moment(GAME, positions[after], match.options)
        look = Look.back(moment, 0, NAMES[: match.players], game_texts(GAME, "en"), before=positions[place])
        said = line(look, *match.log[place])
        yield match.log[place], look, said[0] if isinstance(said, tuple) else said or ""


@pytest.mark.parametrize("seed", range(4))
def test_alone_every_turn_of_the_automa_is_in_the_log_once(seed):
    match = played(1, seed)
    turns = sum(WISH <= action < WISH + 5 for seat, action in match.log if seat > 6) // 5
    told = sum(said.count("The automa") for _, _, said in lines(match))
    assert turns > 5 and told == turns


@pytest.mark.parametrize("seed", range(3))
def test_who_is_done_is_not_still_planning(seed):
    done = [(seat, look) for (seat, action), look, said in lines(played(2, seed)) if action == DONE and " done" in said]
    assert len(done) >= 4 and all(look.view.phase > REFLECT or look.view.task[seat] == WAIT for seat, look in done)


@pytest.mark.parametrize(("players", "seed"), [(1, 0), (1, 1), (2, 0), (3, 0)])
def test_the_log_says_once_who_claimed_each_emptied_tile(players, seed):
    match, texts = played(players, seed), game_texts(GAME, "en")
    names = ["You", *NAMES[1:players]] if players > 1 else ["You", "It"]
    told = [said.replace("*", "") for _, _, said in lines(match)]
    claims = 0
    for before, after in itertools.pairwise([GAME.state.open(record) for _, record in sorted(match.positions())]):
        for tile, name in enumerate(MOMENT_NAMES):
            if before.home[tile] < CLAIMED <= after.home[tile] < CLAIMED + max(players, AUTOMA + 1):
                claims += 1
                who = names[after.home[tile] - CLAIMED]
                assert sum(f"{who} claimed" in said and f"“{texts(f'tiles.{name}')}”" in said for said in told) == 1
    assert claims >= 3 * (players + 2)  # every tile of three lines is emptied by somebody


def test_who_hears_the_table_hears_of_every_claim(tmp_path: Path):
    store, texts, player, claims = Store(tmp_path), game_texts(GAME, "en"), mind(GAME, "sensible"), 0
    chairs = [Chair("link", "Mila", "mila"), Chair("link", "Ana", "ana")]
    row = Row.of(GAME, id="claims", options=GAME.settle({"players": 2}), seed="claims", host="mila", chairs=chairs)
    store.create(row)
    room, rng = Room(row, store), random.Random(3)
    room.open()
    while room.match.state.round_no == 0:
        before, seat = room.match.state.home.tolist(), min(room.match.acting)
        room.play(seat, player.choose(room.match.knowledge(seat), seat, room.match.legal(seat), rng))
        heard = re.search(r'id="heard"[^>]*>(.*?)</p>', room.pages.sheet(0, "en").html, re.S)[1]
        for tile, home in enumerate(room.match.state.home.tolist()):
            if before[tile] < CLAIMED <= home < CLAIMED + 2:
                claims += 1
                assert f"claimed “{texts(f'tiles.{MOMENT_NAMES[tile]}')}”" in heard
    assert claims == 4
    store.close()


@pytest.mark.parametrize(("language", "warned"), [("en", "covers the action"), ("fr", "recouverte")])
def test_the_question_where_to_lay_a_tile_says_that_it_covers_the_action_there(language, warned):
    texts = game_texts(GAME, language)
    assert warned in texts("say.lay", tile="x") and warned not in texts("say.no_slot", tile="x")


def test_a_rewiring_says_where_it_may_go_on_and_when_it_is_over():
    said, texts = set(), game_texts(GAME, "en")
    for seed in range(4):
        match, rng = GAME.match(seed=f"rewire {seed}", players=2), random.Random(seed)
        for _ in range(400):
            if match.over:
                break
            seat = min(match.acting)
            s = match.state
            if s.task[seat] == REWIRE and s.moved and s.held[seat] < 0:
                key = question(Look.of(match.moment, seat, NAMES[:2], texts), REWIRE)["key"]
                only_done = list(match.legal(seat)) == [DONE]
                assert only_done == (key == "finish")
                assert only_done or key == ("rewire_on" if s.into >= 0 <= s.out_of else "rewire_into" if s.into >= 0 else "rewire_out")
                said.add(key)
            match.play(seat, rng.choice(match.legal(seat)))
    assert said >= {"rewire_on", "rewire_out", "rewire_into"}


def test_with_more_tiles_than_room_it_says_how_many_of_each():
    home = {"m1": "claimed-0", "m2": "claimed-0", "m3": "claimed-0", "m5": "bank-0", "m6": "bank-0"}
    bank = {"0": {"swap": "m5", "nudge": "m6"}}
    state = {"phase": "reflect", "ample": 1, "task": ["lay", "wait", "wait", "wait"], "home": home, "bank": bank}
    match = position.stand(GAME, {"options": {"players": 2}, "state": state})
    said = [question(Look.of(match.moment, 0, NAMES[:2], game_texts(GAME, "en")), LAY)]
    match.play(0, "discard")  # now all that are left fit, and none may be discarded
    said.append(question(Look.of(match.moment, 0, NAMES[:2], game_texts(GAME, "en")), LAY))
    assert [each["key"] for each in said] == ["lay_some", "lay"]
    assert (said[0]["args"]["have"], said[0]["args"]["n"]) == (3, 2)


def test_a_tile_on_the_bank_is_used_by_its_own_name_whoever_is_told_of_it():
    bank = {"0": {"combine": "m1"}, "1": {"combine": "m5"}}
    home = {"m1": "bank-0", "m5": "bank-1"}
    state = {"phase": "reflect", "ample": 1, "task": ["wait", "choose", "wait", "wait"], "home": home, "bank": bank}
    match, t = position.stand(GAME, {"options": {"players": 2}, "state": state}), game_texts(GAME, "en")
    mine = Look.of(match.moment, 0, NAMES[:2], t)
    assert words(mine, USE) == t("actions.use", at=t("tiles.m1"))
    assert words(mine, USE + 2) == t("actions.use", at=t("bank.nudge"))
    assert words(mine, LAY_ON) == t("actions.lay", at=t("bank.combine"))
    for language, said in (("en", "Use “Nudge”"), ("fr", "Utiliser «\u00a0Poussez\u00a0»")):
        assert words(Look.of(match.moment, 0, NAMES[:2], game_texts(GAME, language)), USE + 2) == said, "a name, no word of the sentence"
    told = Look.of(match.moment, 0, NAMES[:2], t, {"entry": (1, USE)})  # what the other has just done
    assert words(told, USE) == t("actions.use", at=t("tiles.m5"))
