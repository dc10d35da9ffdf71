"""Memoarrr! and Pti Bapt twice: our rules and a second writing of the same rulebooks walk side by side, and agree at every step.

`RECOLLECT_TWICE=6000 pytest -m long -s tests/twice/test_twice_recall.py` walks so many matches of each.
"""

from __future__ import annotations

import json
import os
import random
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect.engine import CHANCE
from recollect.engine.game import Game
from recollect.engine.match import Match
from recollect.engine.record import SPECTATOR, Field, Opened
from twice.memoarrr import ONLOOKER, Memoarrr
from twice.ptibapt import PtiBapt

Twin = Memoarrr | PtiBapt
Boxes = Callable[[str, int], tuple[Game, dict[str, Any]]]
MANY = int(os.environ.get("RECOLLECT_TWICE", "1500"))  # matches of each game in `make test-all`
FEW = {"memoarrr": 120, "ptibapt": 240}
CHUNKS = 6

# -- the boxes: ours, and those of owners whose copies differ


def changed(name: str, change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    box = tomllib.loads((recollect.load(name).folder / "components.toml").read_text("utf-8"))
    change(box)
    return box


def course(box: dict[str, Any]) -> None:
    """Other treasures, birds in another order, animals too."""
    box["treasures"]["rubies"] = [1, 1, 1, 2, 2, 3, 4]
    box["volcanoes"]["birds"] = [7, 1, 3]
    box["locations"]["animals"] = ["walrus", "octopus", "crab", "turtle", "penguin"]


def alike(box: dict[str, Any]) -> None:
    """Treasures that are all the same, so that places can be shared; landscapes in another order."""
    box["treasures"]["rubies"] = [2] * 7
    box["volcanoes"]["birds"] = [20, 99, 4]
    box["locations"]["landscapes"] = ["sand", "flowers", "lava", "ocean", "jungle"]


def six_bonuses(box: dict[str, Any]) -> None:
    """Every effect twice, and cards of other worth."""
    effects = ("gift", "lantern", "again", "lantern", "gift", "again")
    box["blue"]["cards"] = [{"name": f"bonus-{n}", "picture": "gift", "effect": effect} for n, effect in enumerate(effects)]
    box["points"] |= {"green": 3, "gold": -2, "red": -4}
    box["solo"]["seconds_a_red"] = 45


def lanterns(box: dict[str, Any]) -> None:
    """Only lanterns."""
    box["blue"]["cards"] = [{"name": f"lamp-{n}", "picture": "red-paper-lantern", "effect": "lantern"} for n in range(6)]


def no_bonus(box: dict[str, Any]) -> None:
    """A copy without the extension."""
    box["blue"]["cards"] = []
    box["points"]["red"] = 0


BOXES = {"memoarrr": (None, course, alike), "ptibapt": (None, six_bonuses, lanterns, no_bonus)}


def written(box: Mapping[str, Any]) -> str:
    """A box as TOML."""

    def value(it: Any) -> str:
        if isinstance(it, dict):
            return "{ " + ", ".join(f"{key} = {value(inside)}" for key, inside in it.items()) + " }"
        return "[" + ", ".join(map(value, it)) + "]" if isinstance(it, list) else json.dumps(it)

    return "\n".join(f"[{name}]\n" + "\n".join(f"{key} = {value(it)}" for key, it in table.items()) for name, table in box.items()) + "\n"


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Boxes:
    """A game with its n-th box, and what is in the box."""
    folder = tmp_path_factory.mktemp("boxes")

    @cache
    def open_box(name: str, n: int) -> tuple[Game, dict[str, Any]]:
        change = BOXES[name][n]
        box = changed(name, change or (lambda ours: None))
        file: Path = folder / f"{name}-{n}.toml"
        file.write_text(written(box), encoding="utf-8")
        return recollect.load(name, components=file if change else None), box

    return open_box


# -- what the project says, in the words of the second writing


class Words:
    """A game's record, in words."""

    def __init__(self, game: Game) -> None:
        self.actions = [game.actions.notation(action) for action in range(game.actions.count)]
        self.at, self.size = game.state.place_of("card")
        self.public = {name: (bool(f.axes), self.reader(f)) for name, f in game.state.fields.items() if f.visibility.kind == "everyone"}
        card = game.state.fields["card"]
        assert card.dtype == "i1" and card.values is not None and not isinstance(card.axes[0], int)
        places, values = card.axes[0], card.values
        self._faces = cache(lambda cards: {place: values[n] for place, n in zip(places, cards, strict=True) if n < 128})

    def reader(self, f: Field) -> Callable[[int], Any]:
        """What a number of this field says: a set, a word, or just the number."""
        if f.of is not None:
            labels = f.of
            return cache(lambda some: frozenset(label for i, label in enumerate(labels) if some >> i & 1))
        return [*f.values, None].__getitem__ if f.values is not None else int

    def fields(self, s: Opened) -> dict[str, Any]:
        """Every field that everybody sees."""
        all_of = dict(zip(s.record.dtype.names or (), s.record.item(), strict=True))
        return {name: [read(n) for n in all_of[name]] if many else read(all_of[name]) for name, (many, read) in self.public.items()}

    def faces(self, record: bytes) -> dict[str, str]:
        """The cards whose faces it tells, by place."""
        return self._faces(record[self.at : self.at + self.size])

    def beside(self, record: bytes) -> bytes:
        """All else."""
        return record[: self.at] + record[self.at + self.size :]


words = cache(Words)


def of_memoarrr(said: dict[str, Any], players: int) -> dict[str, Any]:
    """Everything that lies open on the island, as the second writing names it."""
    won, seen = said["rounds"], [n for n in said["rubies"] if n]
    assert said["owner"][won:] == [-1] * (7 - won) and said["rubies"] == seen + [0] * (7 - len(seen)), "a treasure before its time"
    assert said["side"][players:] == [None] * (4 - players) == said["volcano"][players:], "somebody on an empty chair"
    return {
        **{name: said[name] for name in ("players", "expert", "sorted_pile", "turn", "starter", "rounds")},
        **{name: said[name] for name in ("up", "last", "pending", "guarded", "pile", "closed")},
        "side": said["side"][:players],
        "top": said["top"] and int(said["top"]),
        "met": {int(n) for n in said["in_game"]},
        "volcano": [n and int(n) for n in said["volcano"][:players]],
        "won": said["owner"][:won],
        "rubies": seen,
    }


def of_ptibapt(said: dict[str, Any], players: int) -> dict[str, Any]:
    """Everything that lies open on the table, as the second writing names it."""
    assert not any(said["pile"][players:]), "somebody on an empty chair"
    return {
        **{name: said[name] for name in ("players", "replay", "stalemate", "turn", "one", "two", "dealing", "looks", "columns", "lies")},
        "new": bool(said["news"]),
        "idle": max(said["idle"], 0),  # below 0: this turn took a card
        "left": said["pairs"],
        "pile": said["pile"][:players],
    }


TWINS: dict[str, tuple[type[Twin], Callable[[dict[str, Any], int], dict[str, Any]]]] = {
    "memoarrr": (Memoarrr, of_memoarrr),
    "ptibapt": (PtiBapt, of_ptibapt),
}

# -- side by side


def agree(match: Match, twin: Twin) -> None:
    """Both say the same of this moment."""
    now, asks, draws, say = match.moment, twin.asks(), twin.draws(), words(match.game).actions
    assert now.acting == ({CHANCE} if draws else set(asks)) and now.over == twin.over
    for seat in range(twin.players):
        assert {say[action] for action in now.legal(seat)} == asks.get(seat, set()), f"what seat {seat} may do"
    chances = now.legal(CHANCE)
    odds = match.game.odds_of(match.state, chances)
    assert {say[action]: n for action, n in zip(chances, odds, strict=True)} == draws, "what chance may draw"
    agree_on_sights(match, twin)


def agree_on_sights(match: Match, twin: Twin) -> None:
    """What each seat and a spectator see, and have been shown; all else that a seat gets is what everybody gets."""
    spectator, game = match.view(SPECTATOR), words(match.game)
    said, everybody = game.fields(spectator), game.beside(spectator.record.tobytes())
    assert TWINS[match.game.name][1](said, twin.players) == twin.table(), "what everybody sees"
    assert spectator.unseen == 0, "cards at which nobody has looked"
    sees = {who: twin.sees(who) for who in twin.watching}
    shown = {who: twin.was_shown(who) for who in twin.watching}
    chairs = [seat if seat < twin.players else ONLOOKER for seat in range(match.game.seats)]  # on an empty one sits an onlooker
    assert said["sight"] == [sees[who].keys() for who in chairs], "who sees which places"
    assert said["known"] == [shown[who].keys() for who in chairs], "who has been shown which places"
    everywhere = set(shown[0]).intersection(*(shown[who] for who in chairs))
    shown[ONLOOKER] = {place: shown[0][place] for place in everywhere}  # what each of them has been shown
    for who in twin.watching:
        seat = SPECTATOR if who == ONLOOKER else who
        view, known = (opened.record.tobytes() for opened in (match.view(seat), match.knowledge(seat)))
        assert game.faces(view) == sees[who], f"what {who} sees"
        assert game.faces(known) == shown[who], f"what {who} has been shown"
        assert game.beside(view) == game.beside(known) == everybody, f"what {who} is told beside"


def agree_on_points(match: Match, mine: list[dict[str, int]]) -> None:
    """Points as they stand, ranks, and what decided."""
    standing = match.standing()
    ties = [name for name in ("treasures", "best_treasure") if name in mine[0]]
    columns = {"rubies": "points"} if ties else {name: name for name in mine[0]}
    assert standing.points == {name: [row[key] for row in mine] for name, key in columns.items()}, "points"
    assert standing.ties == {name: [row[name] for row in mine] for name in ties}, "tie-breaks"
    keys = [[sum(row[key] for key in columns.values()), *(row[name] for name in ties)] for row in mine]
    assert standing.scores == [key[0] for key in keys]
    assert standing.ranking == [1 + sum(other > key for other in keys) for key in keys], "ranks"
    best = max(keys)
    if keys.count(best) > 1:
        assert standing.decided is None
    else:
        few = next(n for n in range(1, len(best) + 1) if sum(key[:n] == best[:n] for key in keys) == 1)
        assert standing.decided == ("points", *ties)[few - 1], "what decided"


def agree_on_time(match: Match, twin: PtiBapt) -> None:
    """Of a walk alone."""
    rules = match.game.rules
    assert rules.time_counted(95, rules.reds(match.state, 0)) == twin.seconds(95)


# -- who plays: they may know the cards, for otherwise few rounds would be long and few games would end


def sailor(twin: Memoarrr, may: list[str], rng: random.Random, temper: tuple[float, float]) -> str:
    """Links more or less often; and may keep crabs and walruses for the end of the round, when they do most."""
    skill, thrift = temper
    if twin.asked != "reveal" or not twin.last or rng.random() >= skill:
        return rng.choice(may)
    linked = {action: card for action in may if (card := twin.island[action.split()[1]]).links(twin.last)}
    late = sum(not card.up for card in twin.island.values()) < 9
    wanted = [action for action, card in linked.items() if (card.animal in ("crab", "walrus")) == late]
    return rng.choice((wanted if rng.random() < thrift else []) or list(linked) or may)


def walker(twin: PtiBapt, may: list[str], rng: random.Random, temper: tuple[float, float]) -> str:
    """Finds pairs more or less often; or turns what both know, and waits."""
    skill, patience = temper
    if twin.asked in ("first", "second") and twin.stalemate and rng.random() < patience:
        first = [twin.on_table[place].name for place in twin.open]
        old = [(action, twin.on_table[action.split()[1]]) for action in may]
        both = [action for action, card in old if {0, 1} <= card.shown_to and card.name not in first]
        return rng.choice(both or may)
    if twin.asked == "second" and rng.random() < skill:
        mine = twin.on_table[twin.open[0]].name
        return next(action for action in may if twin.on_table[action.split()[1]].name == mine)
    return rng.choice(may)


PLAYERS: dict[str, Callable[..., str]] = {"memoarrr": sailor, "ptibapt": walker}
TEMPERS = {
    "memoarrr": [(0.0, 0.0), (0.6, 0.5), (0.95, 0.0), (1.0, 0.0), (1.0, 0.8)],
    "ptibapt": [(0.25, 0.0), (0.6, 0.0), (0.95, 0.0), (0.3, 0.5), (0.5, 0.9), (0.1, 1.0)],
}


def rare(twin: Twin) -> str:
    """What is seldom met and must be met all the same."""
    if isinstance(twin, PtiBapt):
        left = {card.colour for card in twin.on_table.values()} if twin.over else set()
        return "a stalemate" if "green" in left else "gold is left over" if "gold" in left else ""
    if twin.asked == "take_volcano" and not twin.chance:
        closed = [place for place, card in twin.island.items() if not card.up]
        return "only the guarded card is left" if closed else "the whole island is seen"
    best = [tuple(row.values()) for row in twin.points()] if twin.over else []
    return "a shared victory" if best.count(max(best, default=())) > 1 else ""


RARE = {
    "memoarrr": {"only the guarded card is left", "the whole island is seen", "a shared victory"},
    "ptibapt": {"a stalemate", "gold is left over"},
}


def walk(game: Game, box: Mapping[str, Any], options: Mapping[str, Any], seed: int) -> Counter[str]:
    """A whole match; how many steps it had, by which options, and what seldom happens."""
    rng = random.Random(f"{game.name} {seed}")
    twin = TWINS[game.name][0](options, box, rng)
    match = game.match(seed=str(seed), auto_chance=False, **options)
    counted: list[dict[str, int]] = []
    temper, tally = rng.choice(TEMPERS[game.name]), Counter(f"{name}: {value}" for name, value in options.items())
    try:
        while tally["steps"] < 20_000:
            agree(match, twin)
            if twin.over or twin.points() != counted:
                counted = twin.points()
                agree_on_points(match, counted)
            tally.update(filter(None, ("steps", rare(twin))))
            if twin.over:
                if isinstance(twin, PtiBapt):
                    agree_on_time(match, twin)
                return tally
            asks = twin.asks()
            seat = next(iter(asks), CHANCE)
            action = PLAYERS[game.name](twin, sorted(asks[seat]), rng, temper) if asks else twin.fate()
            match.play(seat, action)
            twin.play(action)
    except Exception as error:
        lines = [f"{seat} {match.say(action)}" for seat, action in match.log]
        error.add_note(f"{game.name}, match {seed}, {dict(options)}, after {len(lines)} steps: {'; '.join(lines[-12:])}")
        raise
    raise AssertionError("a match without end")


def options_of(game: Game, seed: int) -> dict[str, Any]:
    """The options of a match: all that the rules care for. Only bonus cards alone are refused."""
    rng = random.Random(f"options {seed}")
    while True:
        drawn = {option.name: rng.choice(option.choices) for option in game.options if option.rules}
        if drawn["players"] > 1 or not drawn["bonus"]:
            return drawn
        with pytest.raises(ValueError, match="solo"):
            game.settle(drawn)


def walks(opened: Boxes, name: str, seeds: range) -> Counter[str]:
    """Many matches, every second one with our own box."""
    tally = Counter[str]()
    for seed in seeds:
        game, box = opened(name, seed // 2 % len(BOXES[name]) if seed % 2 else 0)
        tally += walk(game, box, options_of(game, seed), seed)
    return tally


@pytest.mark.parametrize("name", TWINS)
def test_both_writings_agree_at_every_step(opened: Boxes, name: str) -> None:
    tally = walks(opened, name, range(FEW[name]))
    choices = {f"{option.name}: {choice}" for option in recollect.load(name).options if option.rules for choice in option.choices}
    assert RARE[name] | choices <= set(tally), "these matches reach less than they should"


@pytest.mark.long
@pytest.mark.parametrize("chunk", range(CHUNKS))
@pytest.mark.parametrize("name", TWINS)
def test_both_writings_agree_in_many_more_matches(opened: Boxes, name: str, chunk: int) -> None:
    first = 1000 + chunk * MANY // CHUNKS
    print(name, MANY // CHUNKS, "matches:", walks(opened, name, range(first, first + MANY // CHUNKS))["steps"], "steps")


# fields that have another name there, or are compared by themselves; the step is told by what may be done
OTHERWISE = {
    "memoarrr": {"stage", "known", "sight", "in_game", "owner"},
    "ptibapt": {"step", "known", "sight", "news", "pairs"},
}


@pytest.mark.parametrize("name", TWINS)
def test_nothing_that_everybody_sees_is_left_out(name: str) -> None:
    game = recollect.load(name)
    twin = TWINS[name][0](game.settle({}), changed(name, lambda box: None), random.Random(1))
    public = {field for field, f in game.state.fields.items() if f.visibility.kind == "everyone"}
    assert public == OTHERWISE[name] | (set(twin.table()) & public)
    assert set(game.state.fields) - public == {"card", "unseen"}
