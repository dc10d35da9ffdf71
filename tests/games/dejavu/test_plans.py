"""What one click stands for is a list of ordinary actions: each legal in its turn, and it keeps what its preview says."""

from __future__ import annotations

import random
import statistics

import pytest

import recollect
from recollect.engine import position
from recollect.engine.look import Look, Moment
from recollect.engine.match import Match
from recollect.games.dejavu.components import PLACES
from recollect.games.dejavu.page import scene
from recollect.games.dejavu.page.answers import sentence
from recollect.games.dejavu.page.pieces import tag
from recollect.games.dejavu.page.plans import forced
from recollect.games.dejavu.rules.layout import BUILD, DISCARDING, LAYING, SAVING, SOW, WALK, begun, short_limit
from recollect.minds import mind
from recollect.table.render.prose import game_texts

GAME = recollect.load("dejavu")


def look_at(match) -> Look:
    seat = min(match.acting)
    moment = Moment(GAME, match.record, match.options)
    return Look.of(moment, seat, ["Mila", "Ana"], game_texts(GAME, "en"))


def plans_of(look: Look) -> list[tuple[str, list[int], dict]]:
    """Everything on the page that a click would do, with what was said of it."""
    page = scene.scene(look)
    rows = [("end", e) for e in page["ends"]] + [("fit", f) for f in page["fits"] if f["lit"]] + [("button", b) for b in page["buttons"]]
    rows += [("tile", x) for x in page["map"]["tiles"] if x["lit"]] + [("bit", b) for b in page["tray"] if b["lit"]]
    if page["bench"] and page["bench"]["fill"]:
        rows.append(("fill", {"act": page["bench"]["fill"][0], "then": page["bench"]["fill"][1:], **page["bench"]}))
    return [(kind, [row["act"], *row["then"]], row) for kind, row in rows]


def follow(match, plan: list[int]):
    """The match after a plan, on a copy; every action must be legal in its turn."""
    trial, seat = Match(GAME, match.options, match.seed, log=match.log), min(match.acting)
    for action in plan:
        assert action in trial.legal(seat), f"{trial.say(action)} of {[trial.say(a) for a in plan]} is not legal"
        trial.play(seat, action)
    return trial


@pytest.mark.parametrize("seed", range(2))
def test_every_plan_is_legal_to_its_last_action_and_keeps_its_promise(seed):
    match, rng, player = GAME.match(seed=f"plans-{seed}", players=2), random.Random(seed), mind(GAME, "sensible")
    met = set()
    for _ in range(250):
        if match.over:
            break
        seat = min(match.acting)
        look = look_at(match)
        plans = [plan for plan in plans_of(look) if len(plan[1]) > 1 or plan[0] == "end"]
        for kind, plan, row in rng.sample(plans, min(3, len(plans))):
            met.add((kind, look.view.stage))
            after = follow(match, plan)
            if kind == "end":
                own = sorted(b["words"] for b in row["bits"])
                assert after.state.stage != SOW, "all are dropped"
                gained = look_own(after, seat) - look_own(match, seat)
                assert gained == len(own), "what the preview says is gathered"
            if kind in ("fit", "fill") and row["whole"]:
                assert after.state.long[seat].bit_count() == match.state.long[seat].bit_count() + 1, "it is complete"
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    assert {("end", SOW), ("fit", BUILD)} <= met


def test_with_short_term_memory_full_no_end_promises_a_card_that_must_wait():
    """A card from the hand then has to be finished at once: part of it helps nothing."""
    match, rng, player = GAME.match(seed="full", players=2), random.Random(3), mind(GAME, "sensible")
    seen = 0
    while not match.over and seen < 20:
        seat, s = min(match.acting), match.state
        if s.stage == SOW and begun(s, seat) >= short_limit(s, seat):
            waiting = [tag(s.short[seat, p]) for p in range(PLACES) if s.short[seat, p] >= 0]
            helped = [e for e in scene.scene(look_at(match))["ends"] if e["card"]]
            assert all(e["done"] == e["of"] or e["card"] in waiting for e in helped)
            seen += 1
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    assert seen > 5


def look_own(match, seat: int) -> int:
    return int(match.state.own[seat]).bit_count()


def test_the_last_bit_can_be_chosen_before_the_first_is_dropped():
    """Every colour that was taken up is offered as the last, where it ends best."""
    match, rng, player = GAME.match(seed="last", players=2), random.Random(1), mind(GAME, "sensible")
    seen = 0
    while seen < 5:
        seat = min(match.acting)
        if match.state.stage == SOW and match.state.steps == 0:
            look = look_at(match)
            page = scene.scene(look)
            held = {b["colour"] for b in page["queue"]} - {"white"}
            lasts = {e["bits"][0]["colour"] for e in page["ends"]}
            assert lasts <= held and (len(lasts) > 1 or len(held) == 1)
            seen += 1
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))


def test_only_answers_that_leave_no_choice_are_given():
    match, rng = GAME.match(seed="forced", players=2), random.Random(2)
    given = 0
    for _ in range(3000):
        if match.over:
            break
        seat = min(match.acting)
        legal = match.legal(seat)
        answer = forced(look_at(match))
        if answer is not None:
            assert list(legal) == [answer] and match.state.stage in (BUILD, LAYING)
            given += 1
        match.play(seat, rng.choice(list(legal)))
    assert given > 5


# -- how many clicks a turn takes

BUTTONS = ("plant-circle", "plant-card", "all-whites", "save-all", "spread", "built", "saved", "stay", "draw", "skip")


def next_click(page: dict, legal: frozenset[int], rng: random.Random) -> list[int]:
    """What a person who builds when possible would click: the best end of a sowing, a card that the bits fit, else what goes on."""
    if page["ends"]:
        return [page["ends"][0]["act"], *page["ends"][0]["then"]]
    fits = [row for row in page["fits"] if row["lit"]]
    if fits:
        return [fits[0]["act"], *fits[0]["then"]]
    buttons = {b["id"]: [b["act"], *b["then"]] for b in page["buttons"]}
    for id in BUTTONS:
        if id in buttons:
            return buttons[id]
    return [rng.choice(sorted(legal))]


def test_a_turn_takes_eight_clicks_at_most_as_a_rule():
    """Every click as the page has it, with all that it stands for and what is answered by itself."""
    match, rng, turns = GAME.match(seed="clicks", players=2), random.Random(5), []
    whose, clicks = -1, 0
    while not match.over and len(turns) < 60:
        if match.state.rounds and match.state.turn != whose:
            turns, whose, clicks = [*turns, *([clicks] if whose >= 0 else [])], match.state.turn, 0
        seat = min(match.acting)
        look = look_at(match)
        for action in next_click(scene.scene(look), look.legal, rng):
            if action not in match.legal(seat):
                break
            match.play(seat, action)
        while seat in match.acting and (answer := forced(look_at(match))) is not None and min(match.acting) == seat:
            match.play(seat, answer)
        clicks += 1
    assert len(turns) > 15 and statistics.median(turns) <= 8, sorted(turns)


@pytest.mark.parametrize(("cards", "waking"), [(9, False), (10, True)])
def test_who_has_ten_memories_is_told_that_the_girl_wakes(cards, waking):
    names = [f"{colour}-{n}" for colour in ("blue", "green") for n in range(1, 7)][:cards]
    state = {"rounds": 3, "stage": "build", "sown": 1, "strolled": 1, "long": {0: names}}
    said = sentence(look_at(position.stand(GAME, {"options": {"players": 2}, "state": state})))
    assert (said == game_texts(GAME, "en")("say.build_ten")) == waking


@pytest.mark.parametrize(("flower", "then"), [(0, DISCARDING), (1, WALK)])
@pytest.mark.parametrize(("bits", "room"), [(["red-sun"], 2), (["red-sun", "blue-moon"], 1), (["red-sun", "blue-moon"], 2)])
def test_who_has_saved_is_asked_for_a_walk_only_with_a_flower_to_plant(flower, then, bits, room):
    state = {"rounds": 3, "stage": "save", "sown": 1, "own": {0: bits}, "room": room, "circle": {0: flower}}
    doc = {"options": {"players": 2}, "state": state}
    clicks = {kind + row.get("id", ""): plan for kind, plan, row in plans_of(look_at(position.stand(GAME, doc)))}
    for kind in {"bit", "buttonsaved", "buttonsave-all"} & set(clicks):
        match = position.stand(GAME, doc)
        for action in clicks[kind]:
            match.play(0, action)
        assert match.state.stage == (SAVING if kind == "bit" and min(len(bits), room) > 1 else then), kind
