"""Vivid Memories and Déjà Vu beside a second implementation of each: at every step both must say the same of who acts, what
is legal, what chance may draw and how likely, of everything that lies open or hidden, of what each seat sees, and of the points."""

from __future__ import annotations

import random
import tomllib
from typing import Any

import pytest

import recollect
from recollect.engine import CHANCE as CHANCE_SEAT
from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.engine.record import Opened
from recollect.engine.sets import members
from recollect.minds import mind
from twice.dejavu import DejaVu
from twice.vivid import CHANCE, COLOURS, Vivid


def box(game: Game) -> dict[str, Any]:
    return tomllib.loads((game.folder / "components.toml").read_text("utf-8"))


SAID: dict[tuple[str, str, bytes], Any] = {}  # what a field's bytes say: most stay the same from step to step


def words(game: Game, state: Opened, name: str) -> Any:
    """A field in words: labels for numbers, lists of labels for sets."""
    key = (game.name, name, state.record[name].tobytes())
    if key not in SAID:
        if len(SAID) > 20_000:
            SAID.clear()
        SAID[key] = told(game, name, state.record[name].tolist())
    return SAID[key]


def told(game: Game, name: str, value: Any) -> Any:
    field = game.state[name]
    if isinstance(value, list):
        return [told(game, name, one) for one in value]
    if field.of:
        return sorted(field.of[i % len(field.of)] for i in members(value))
    return (field.values[value] if value >= 0 else None) if field.values else value


def same(where: str, ours: Any, twin: Any) -> None:
    """Both say the same; else the first difference, by name."""
    if ours == twin:
        return
    if isinstance(ours, dict) and isinstance(twin, dict):
        for key in sorted(ours.keys() | twin.keys(), key=str):
            same(f"{where}: {key}", ours.get(key), twin.get(key))
    if isinstance(ours, set | frozenset):
        ours, twin = sorted(ours - twin, key=str), sorted(twin - ours, key=str)
    raise AssertionError(f"{where}: the rules say {ours}, the second implementation {twin}")


class Side:
    """What a game shows, put as its second implementation puts it."""

    def __init__(self, game: Game, match: Match, twin: Any) -> None:
        self.game, self.match, self.twin = game, match, twin

    def legal(self) -> None:
        match, twin = self.match, self.twin
        same("acting", {CHANCE if seat == CHANCE_SEAT else seat for seat in match.acting}, twin.acting())
        for seat in match.acting:
            if seat == CHANCE_SEAT:
                drawn = match.legal(seat)
                odds = dict(zip(map(match.say, drawn), self.game.odds_of(match.state, drawn), strict=True))
                same("odds", odds, twin.odds())
            else:
                same(f"legal for seat {seat}", set(map(match.say, match.legal(seat))), twin.legal(seat))

    def compare(self, step: int) -> None:
        """Everything, with what lies open read through the eyes of one seat after the other; hidden things through all eyes."""
        self.legal()
        eyes = [*range(self.match.players), -1]
        look = self.match.view if step % 2 else self.match.knowledge  # nothing is forgotten in either game: both are the same
        seen = {seat: look(seat) for seat in eyes}
        seat = eyes[step % len(eyes)]
        same(f"seen by {seat}", self.open(seen[seat]), self.open_twin())
        for seat in eyes:
            same(f"hidden from {seat}", self.hidden(seen[seat]), self.hidden_twin(seat))
        same("hidden", self.hidden(self.match.state), self.hidden_twin(None))
        if step % 8 == 0 or self.match.over:
            self.points()

    def points(self) -> None:
        standing, twin = self.match.standing(), self.twin.points()
        names = {name: [*row, *(house.points[name] for house in standing.house)] for name, row in standing.points.items()}
        same("points", names, twin)

    def forge(self, rng: random.Random) -> None:
        """Change both alike before the first move, so that what is rare happens."""

    def end(self) -> None:
        standing = self.match.standing()
        same("ranks", ([*standing.ranking, *(house.rank for house in standing.house)], standing.decided), self.twin.ranks())
        ties = {name: [*row, *(house.ties[name] for house in standing.house)] for name, row in standing.ties.items()}
        same("what breaks a tie", ties, self.twin.ties())

    def open(self, state: Opened) -> dict[str, Any]:
        raise NotImplementedError

    def open_twin(self) -> dict[str, Any]:
        raise NotImplementedError

    def hidden(self, state: Opened) -> Any:
        raise NotImplementedError

    def hidden_twin(self, seat: int | None) -> Any:
        """What the seat sees of hidden things; -1 looks on, None sees all."""
        raise NotImplementedError


# -- Vivid Memories

LETTERS = {colour[0]: colour for colour in COLOURS}


class VividSide(Side):
    """Not compared: `ones`, `twos`, `ample`, `dealing` and `moved`, which follow from the rest and only make the rules quick."""

    def open(self, state: Opened) -> dict[str, Any]:
        said = {name: words(self.game, state, name) for name in OPEN}
        n, phase = self.match.players, said["phase"]
        dealing = phase in ("moments", "fragments")
        line = slice(0, sum(tile is not None for tile in said["line"])) if dealing else slice(said["first"], said["last"] + 1)
        turn = (said["turn"], None if said["end"] == "none" else said["end"], said["out_of"], said["into"])
        taking = {"take", "rewire", "make_room"}.isdisjoint(said["task"])
        found: dict[str, Any] = {
            "phase": "give" if "give" in said["task"] else phase,
            "round": said["round_no"],
            "line": list(zip(said["line"][line], unpacked(said["tokens"][line]), strict=True)),
            "hand": unpacked(said["hand"]),
            "turn": (*turn[:2], None, None) if "take" in said["task"] or taking else turn,
            "wishes": [wish for wish in said["wish"] if wish],
            "took": (unpacked(said["took"]), said["took_end"]) if said["took"] else None,
            "hexes": unpacked(said["hexes"][:n]),
            "picked": [pointed(*row) for row in zip(said["task"], said["held"], said["what"], strict=True)][:n],
            "paid": [[said[name][seat] for name in ("moments", "threads", "core", "aspired")] for seat in range(n)],
        }
        if phase != "remember":
            found["turn"] = found["wishes"] = None
        found |= {name: said[name] for name in ("start", "home", "bag", "supply", "kept")}
        return found | {name: said[name][:n] for name in ("task", "slot", "filled", "owed", "bank", "flipped", "used")}

    def open_twin(self) -> dict[str, Any]:
        return self.twin.told()

    def forge(self, rng: random.Random) -> None:
        """Few fragments in the supply, so that players wait for one another; or a bag that does not last for three rounds."""
        poor = rng.choice(("supply", "supply", "bag"))
        pile, own = getattr(self.match.state, poor), getattr(self.twin, poor)
        for i, colour in enumerate(COLOURS):
            pile[i] = own[colour] = rng.randint(0, 4) if poor == "supply" else pile[i] - 4

    def hidden(self, state: Opened) -> Any:
        return words(self.game, state, "aspiration")[: self.twin.takers if self.match.players == 1 else self.match.players]

    def hidden_twin(self, seat: int | None) -> Any:
        return self.twin.aspirations(seat)


OPEN = (
    *("phase", "round_no", "start", "turn", "line", "tokens", "first", "last", "bag", "supply", "home", "hand", "end", "out_of", "into"),
    *("task", "slot", "held", "what", "hexes", "filled", "owed", "bank", "flipped", "used", "moments", "threads", "core", "aspired"),
    *("kept", "wish", "took", "took_end"),
)


def pointed(task: str, hex_: str | None, what: str | None) -> tuple[str, str] | str | None:
    """The fragment that somebody points at, or has drawn."""
    if task.endswith("_into") or what is None:
        return None
    return (hex_, what) if hex_ else what


def unpacked(said: Any) -> Any:
    """Letters as the colours that they begin, in order."""
    return [unpacked(x) for x in said] if isinstance(said, list) else sorted(LETTERS[x] for x in said)


# -- Déjà Vu

PILES = ("aside", "grid", "saved", "common", "discard", "own", "long", "found")
PLAIN = ("stage", "turn", "rounds", "first", "awake", "strolled", "sown", "near", "bits", "fragment", "girl", "crossed", "held", "upcoming")
ALSO = ("chosen", "picks", "target", "bench", "fresh", "paid", "twin", "short", "laid", "tokens", "circle", "bloom", "flowers")


class DejaVuSide(Side):
    """Not compared: `far`, `way`, `steps`, `at`, `hands_build`, `from_hand`, `room` and `latest`, which follow from the rest or only
    serve the page; where tiles lie, beside which of them touch."""

    def open(self, state: Opened) -> dict[str, Any]:
        said = {name: words(self.game, state, name) for name in (*PILES, *PLAIN, *ALSO, "hand_count", "deck_count")}
        n, stage, tiles = self.match.players, said["stage"], self.twin.tiles
        over = stage == "over"
        bench = said["bench"]
        rows = [zip(cards, bits, strict=True) for cards, bits in zip(said["short"], said["laid"], strict=True)]
        short = [{card: [bit for bit in bits if bit] for card, bits in row if card} for row in rows]
        found: dict[str, Any] = {
            "rounds": None if over else said["rounds"],
            "turn": None if over or not (said["rounds"] or stage == "draw") else said["turn"],
            "awake": None if said["awake"] < 0 else said["awake"],
            "done": None if over else (bool(said["strolled"]), bool(said["sown"])),
            "near": {tiles[i]: sorted(tiles[k] for k in members(near)) for i, near in enumerate(said["near"]) if near or not i},
            "crossed": said["crossed"] if stage in ("walk", "sow") else [],
            "sowing": (said["held"], said["upcoming"], bool(said["chosen"])) if stage == "sow" else None,
            "whites": said["picks"] if stage == "white" else None,
            "bench": (said["short"][said["turn"]][bench], said["fresh"]) if stage == "lay" else None,
            "paid": said["paid"] if stage == "grow" else None,
            "target": said["target"] if stage in ("bit", "fragments") else None,
            "twins": said["twin"],
            "short": short[:n],
            "flower": list(zip(said["circle"], said["bloom"], strict=True))[:n],
        }
        found |= {name: said[name][:n] for name in ("own", "hand_count", "long", "tokens", "found")}
        plain = ("stage", "first", "bits", "fragment", "girl", "aside", "grid", "saved", "flowers", "common", "deck_count", "discard")
        return found | {name: said[name] for name in plain}

    def open_twin(self) -> dict[str, Any]:
        return self.twin.told()

    def forge(self, rng: random.Random) -> None:
        """Everybody remembers some cards already, chests among them: more bits are saved, and common cards built."""
        state, names, several = self.match.state, self.game.state["long"].of, rng.choice((3, 6))  # with eight the end is near
        assert names
        for seat, tableau in enumerate(self.twin.seats):
            chests, others = ([name for name in names[:30] if name.endswith(tail)] for tail in (("5",), ("1", "2", "3", "4")))
            for card in rng.sample(chests, 2) + rng.sample(others, several):
                if self.twin.deck[card]:
                    self.twin.deck[card] -= 1
                    tableau.long.append(card)
                    i = names.index(card)
                    state.long[seat] |= 1 << i
                    state.deck &= ~(1 << i + 30 if state.deck >> i + 30 & 1 else 1 << i)
                    state.deck_count -= 1

    def hidden(self, state: Opened) -> Any:
        return [*words(self.game, state, "hand")[: self.match.players], words(self.game, state, "deck")]

    def hidden_twin(self, seat: int | None) -> Any:
        return self.twin.hands(seat)


def dejavu_options(rng: random.Random) -> dict[str, Any]:
    players = rng.choice((2, 3, 4))
    return {
        "players": players,
        "map": rng.choice(("drawn", "built")),
        "speed": players > 2 and rng.random() < 0.5,
        "rounds": rng.choice((30, 30, 60, 0)),
        "first": rng.choice(("random", "first_seat")),
    }


def vivid_options(rng: random.Random) -> dict[str, Any]:
    players = rng.choice((1, 2, 2, 3, 3, 4, 4, 4))
    starts = ("random", "first", "second", "third", "fourth")
    return {"players": players, "start": rng.choice(starts[: 1 + max(players, 2)])}


GAMES: dict[str, tuple[Any, ...]] = {"vivid": (Vivid, VividSide, vivid_options), "dejavu": (DejaVu, DejaVuSide, dejavu_options)}


# how many moves are a sensible player's, in one match of so many; others go by fancy, which is quicker
SENSE = {"vivid": (0.0, 0.0, 0.7, 1.0), "dejavu": (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0)}


def walk(name: str, seed: str) -> int:
    """One whole match, walked by both; how many steps it had."""
    game, rng = recollect.load(name), random.Random(seed)
    implementation, side, choose_options = GAMES[name]
    options = choose_options(rng)
    match = game.match(seed=seed, auto_chance=False, **options)
    twin = implementation(box(game), **options)
    both = side(game, match, twin)
    if not options.get("speed") and rng.random() < 0.5:
        both.forge(rng)
    player, sense = mind(game, "sensible"), rng.choice(SENSE[name])
    try:
        for step in range(100_000):
            both.compare(step)
            if match.over:
                both.end()
                return step
            seat = rng.choice(sorted(match.acting))
            if seat == CHANCE_SEAT:
                action = match.drawn()
            elif rng.random() < sense:
                action = player.choose(match.knowledge(seat), seat, match.legal(seat), rng)
            else:
                action = game.actions.parse(twin.fancy(seat, rng))
            twin.play(CHANCE if seat == CHANCE_SEAT else seat, match.say(action))
            match.play(seat, action)
    except AssertionError as wrong:
        last = [f"{'chance' if s == CHANCE_SEAT else s} {match.say(a)}" for s, a in match.log[-8:]]
        raise AssertionError(f"{name} {options}, seed {seed!r}, step {len(match.log)}: {wrong}\nlast: {last}") from None
    raise AssertionError(f"{name} {options}, seed {seed!r}: no end")


@pytest.mark.parametrize("seed", range(24))
def test_vivid(seed: int):
    assert walk("vivid", f"twice {seed}") > 100


@pytest.mark.parametrize("seed", range(12))
def test_dejavu(seed: int):
    assert walk("dejavu", f"twice {seed}") > 100


def test_a_bag_that_is_empty_when_a_round_begins():
    """One of 800 matches of two, in which speculating took the last fragment."""
    assert walk("vivid", "large 3817") == 466


@pytest.mark.long
@pytest.mark.parametrize("seed", range(100, 300))
@pytest.mark.parametrize("name", ["vivid", "dejavu"])
def test_many(name: str, seed: int):
    assert walk(name, f"twice {seed}") > 100


def test_dejavu_any_tableau_has_the_same_points():
    """Whole games seldom see many fragments and common cards together."""
    game, rng = recollect.load("dejavu"), random.Random(7)
    twin = DejaVu(box(game), 4)
    long, found = game.state["long"].of, game.state["found"].of
    assert long and found
    for _ in range(600):
        record = game.start(game.settle({"players": 4}))
        state = game.state.open(record)
        for seat, tableau in enumerate(twin.seats):
            weight = rng.random()
            tableau.long = [card for card in long if rng.random() < (0.7 if card.startswith("white") else weight / 2)]
            tableau.found = [name for name in found if rng.random() < weight]
            tableau.tokens = state.tokens[seat] = rng.randrange(40)
            state.long[seat] = sum(1 << long.index(card) for card in tableau.long)
            state.found[seat] = sum(1 << found.index(name) for name in tableau.found)
        standing = game.standing(state, 4)
        same(f"{[(tableau.long, tableau.found) for tableau in twin.seats]}", standing.points, twin.points())
        same("ranks", (standing.ranking, standing.decided), twin.ranks())
