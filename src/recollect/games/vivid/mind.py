"""Who plays Vivid Memories: plain sense, and four companions that plan their turns, each as far and with as much care as it can."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import cache

from recollect.engine import Opened
from recollect.engine.game import Game
from recollect.minds import thinking
from recollect.minds.hint import Reason, because
from recollect.minds.mind import Mind

from . import worth
from .components import CORE, CORE_PAYS, HANDFULS, HEXES, INTO_A, INTO_B, NEAR, PAYS, RING, SHOWS, SLOT, SPLITS, TILES, TOUCH
from .components import PATTERN as PATTERNS
from .components import SIZE as SIZES
from .rules.layout import (
    ADD,
    BANKED,
    CLAIMED,
    COLOUR,
    COLOURS,
    COMBINE,
    COMBINING,
    DISCARD,
    DONE,
    GIVE,
    LAY_ON,
    LEFT,
    LINE,
    MAKE_ROOM,
    NUDGE,
    NUDGING,
    PICK,
    PLACE,
    REWIRE,
    RIGHT,
    ROUNDS,
    SPECULATE,
    SPECULATING,
    SPLIT,
    SPLIT_INTO,
    SWAP,
    SWAPPING,
    TAKE,
    USE,
)  # fmt: skip

Hexes = list[int]  # fragments packed in each hex, two bits a colour, so that they are added by adding
PACKED = [sum(1 << 2 * c for c in some) for some in HANDFULS]
PATTERN = [PACKED[n] for n in PATTERNS]
SIZE = {packed: int(SIZES[n]) for n, packed in enumerate(PACKED)}
HOPE = 0.42  # what one missing hex leaves of a thread's points
COVER = {SPECULATE: 4, COMBINE: 3, NUDGE: 2, SWAP: 1}  # which bank slot to cover first


def _tokens(hexes: Hexes, h: int) -> list[int]:
    return [c for c in range(5) if hexes[h] >> 2 * c & 3]


def _near(h: int) -> list[int]:
    return [n for n in range(HEXES) if NEAR[h] >> n & 1]


def _with(hexes: Hexes, *changes: tuple[int, int]) -> Hexes:
    """The hexes with (hex, packed fragments to add, or negative to remove)."""
    new = list(hexes)
    for h, by in changes:
        new[h] += by
    return new


@cache
def paths(a: int, b: int, longest: int) -> tuple[int, ...]:
    """All simple ways of hexes between two places of the ring, as sets, up to a length."""
    found: set[int] = set()

    def walk(h: int, way: int, left: int) -> None:
        if TOUCH[b] >> h & 1:
            found.add(way)
        elif left:
            for n in _near(h):
                if not way >> n & 1:
                    walk(n, way | 1 << n, left - 1)

    for h in range(HEXES):
        if TOUCH[a] >> h & 1:
            walk(h, 1 << h, longest - 1)
    return tuple(way for way in found if not any(other != way and other & way == other for other in found))


@cache
def links(board: int) -> tuple[tuple[tuple[int, int, tuple[int, ...]], ...], ...]:
    """For each colour, its pairs of slots on a board with the ways between them."""
    places = [[p for p in range(RING) if SLOT[board, p] == c] for c in range(5)]
    return tuple(tuple((a, b, paths(a, b, 6)) for i, a in enumerate(ps) for b in ps[i + 1 :]) for ps in places)


class Sensible:
    """Rates what each legal action can lead to within the same move; takes the best, by lot among equals."""

    name = "sensible"

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        if len(legal) == 1:
            return legal[0]
        mine = Mine(k, seat)
        rated = [(mine.worth(action), action) for action in legal]
        best = max(worth for worth, _ in rated)
        return rng.choice([action for worth, action in rated if worth > best - 1e-9])


class Mine:
    """A seat's own board, and what is to be made of it."""

    def __init__(self, k: Opened, seat: int) -> None:
        self.k, self.seat, self.task = k, seat, k.task[seat]
        self.hexes = [PACKED[k.hexes[seat, h]] for h in range(HEXES)]
        self.hand = PACKED[k.hand]
        self.filled = k.filled[seat]
        self.tiles = [t for t in range(TILES) if k.home[t] in (CLAIMED + seat, BANKED + seat)]
        self.scoring = {k.bank[seat, i] for i in range(4) if k.flipped[seat] >> i & 1}
        self.rounds_left = 3 - k.round_no
        self.rated: dict[int, float] = {}  # hands already rated

    # -- how good a board is

    def rate(self, hexes: Hexes, flipped: int = -1) -> float:
        """Moments it matches, threads it has or hopes for, fragments of the aspiration."""
        total = 0.0
        for tile in self.tiles:
            sure = 1.0 if tile in self.scoring or tile == flipped else 0.6
            total += sure * sum(self._fit(held, tile) for held in hexes)
        for colour in range(5):
            total += self._thread(colour, hexes)
        dream = self.k.aspiration[self.seat]
        return float(total + sum(held >> 2 * dream & 3 for held in hexes))

    def _fit(self, held: int, tile: int) -> float:
        """A hex that matches, or lacks one fragment of the pattern."""
        if held == PATTERN[tile]:
            return float(PAYS[tile] + 1)
        missing = int(PATTERN[tile]) - held
        lacks_one = held and missing in (1, 4, 16, 64, 256) and SIZE[held] + 1 == SIZE[PATTERN[tile]]
        return 1.0 if lacks_one else 0.0

    def _thread(self, colour: int, hexes: Hexes) -> float:
        """The best two links of the colour: points of the thread and of the slots it fills, less for each hex that is missing."""
        have = sum(1 << h for h in range(HEXES) if hexes[h] >> 2 * colour & 3)
        shut = sum(1 << h for h in range(HEXES) if SIZE[hexes[h]] == 3) & ~have
        hopes = []
        for a, b, ways in links(self.seat)[colour]:
            empty = [p for p in (a, b) if not self.filled >> p & 1]
            if empty:
                gaps = min(((way & ~have).bit_count() for way in ways if not way & shut), default=9)
                gain = 5 * len(empty) + sum(self._slot(p) for p in empty)
                hopes.append(gain * HOPE**gaps)
        hopes.sort(reverse=True)
        return sum(hopes[:2]) + 0.15 * have.bit_count()

    def _slot(self, place: int) -> float:
        """What filling a slot brings towards its core memory, in the rounds that are left."""
        for cells, pays in zip(CORE[self.seat].tolist(), CORE_PAYS[self.seat].tolist(), strict=True):
            if cells >> place & 1:
                missing = (cells & ~self.filled).bit_count()
                return float(pays * self.rounds_left / (1 + 2 * (missing - 1)))
        return 0.0

    # -- what an action can lead to

    def worth(self, action: int) -> float:
        if action < PLACE:
            return self._take(action)
        if action < PICK:
            return self.rate(self._placed(action - PLACE))
        if action < DONE:
            return max((self.rate(hexes, self._tile()) for hexes in self._picked((action - PICK) // 5, (action - PICK) % 5)), default=0.0)
        if action == DONE:
            return self.rate(self.hexes) + 0.05  # a gain must be worth the bother
        if action < LAY_ON:
            return self._use(action - USE)
        if action <= DISCARD:
            return self._lay(action)
        return self.rate(_with(self.hexes, (self.k.held[self.seat], self._swapped_in(action - COLOUR))), self._tile())

    def _tile(self) -> int:
        """The tile whose action is being performed, or -1."""
        slot = self.k.slot[self.seat]
        return self.k.bank[self.seat, slot] if slot >= 0 else -1

    def _swapped_in(self, colour: int) -> int:
        """A colour that goes into the hex pointed at; in a hex of three it replaces the split one."""
        gone = 1 << 2 * self.k.what[self.seat] if self.task == SPLIT_INTO else 0
        return (1 << 2 * colour) - gone

    def _placed(self, h: int) -> Hexes:
        held, what = self.k.held[self.seat], self.k.what[self.seat]
        if self.task == TAKE:
            return _with(self.hexes, (h, self.hand))
        if self.task == ADD:
            return _with(self.hexes, (h, 1 << 2 * int(SHOWS[self._tile()])))
        gone = [] if self.task == SPECULATING else [(held, -(1 << 2 * what))]
        return _with(self.hexes, (h, 1 << 2 * what), *gone)

    def _picked(self, h: int, c: int) -> Iterator[Hexes]:
        """Boards that can come of pointing at a fragment."""
        held, what = self.k.held[self.seat], self.k.what[self.seat]
        if self.task in (REWIRE, MAKE_ROOM, NUDGING):
            yield from self._moves(h, c)
        elif self.task == SWAPPING:
            yield from self._swaps(h, c) if held < 0 else [self._swap(held, what, h, c)]
        elif self.task == COMBINING:
            left = _with(self.hexes, (h, -(1 << 2 * c)))
            yield from self._combined(left, h) if held < 0 else self._any_in(left, h)
        elif self.task == SPLIT:
            yield from self._splits(h, self._tile())
        elif self.task == GIVE:
            yield _with(self.hexes, (h, -(1 << 2 * c)))

    def _moves(self, h: int, c: int) -> Iterator[Hexes]:
        for t in _near(h):
            if SIZE[self.hexes[t]] < 3:
                yield _with(self.hexes, (h, -(1 << 2 * c)), (t, 1 << 2 * c))

    def _swap(self, h: int, c: int, t: int, d: int) -> Hexes:
        by = (1 << 2 * d) - (1 << 2 * c)
        return _with(self.hexes, (h, by), (t, -by))

    def _swaps(self, h: int, c: int) -> Iterator[Hexes]:
        for t in _near(h):
            for d in _tokens(self.hexes, t):
                yield self._swap(h, c, t, d)

    def _any_in(self, hexes: Hexes, h: int) -> Iterator[Hexes]:
        for c in range(5):
            if self.k.supply[c]:
                yield _with(hexes, (h, 1 << 2 * c))

    def _combined(self, left: Hexes, h: int) -> Iterator[Hexes]:
        for d in _tokens(left, h):
            yield from self._any_in(_with(left, (h, -(1 << 2 * d))), h)

    def _splits(self, h: int, tile: int) -> Iterator[Hexes]:
        out, a, b = (1 << 2 * int(c) for c in (SHOWS[tile], INTO_A[tile], INTO_B[tile]))
        if SIZE[self.hexes[h]] < 3:
            yield _with(self.hexes, (h, a + b - out))
        else:
            yield from (_with(self.hexes, (h, new - out)) for new in (a, b))

    def _use(self, k: int) -> float:
        """The best that the action of a slot can do."""
        tile, empty = self.k.bank[self.seat, k], [h for h in range(HEXES) if not self.hexes[h]]
        all_tokens = [(h, c) for h in range(HEXES) for c in _tokens(self.hexes, h)]
        boards: list[Hexes] = []
        if tile >= 0 and SPLITS[tile]:
            boards = [b for h, c in all_tokens if c == SHOWS[tile] for b in self._splits(h, tile)]
        elif tile >= 0:
            boards = [_with(self.hexes, (h, 1 << 2 * int(SHOWS[tile]))) for h in empty]
        elif k == NUDGE:
            boards = [b for h, c in all_tokens for b in self._moves(h, c)]
        elif k == SWAP:
            boards = [b for h, c in all_tokens for b in self._swaps(h, c)]
        elif k == COMBINE:
            boards = [b for h, c in all_tokens if SIZE[self.hexes[h]] > 1 for b in self._combined(_with(self.hexes, (h, -(1 << 2 * c))), h)]
        else:  # speculate: the average over what the bag may give
            bag = [self.k.bag[c] for c in range(5)]
            rates = (n * max(self.rate(_with(self.hexes, (h, 1 << 2 * c))) for h in empty) for c, n in enumerate(bag) if n)
            return float(sum(rates) / sum(bag))
        return max((self.rate(b, tile) for b in boards), default=0.0)

    def _lay(self, action: int) -> float:
        """Cover the least useful slot; discard the tile that matches least."""
        if action != DISCARD:
            return COVER[action - LAY_ON]
        first, *others = [t for t in self.tiles if self.k.home[t] == CLAIMED + self.seat]
        fits = [sum(self._fit(held, t) for held in self.hexes) + float(PAYS[t]) for t in (first, *others)]
        return 9.0 if others and fits[0] < max(fits[1:]) else 0.0

    def _take(self, action: int) -> float:
        """The best hand that can begin, or go on, with this fragment, at its best place; an emptied tile is a tile won."""
        step, first = (1, self.k.first) if action < RIGHT else (-1, self.k.last)
        tokens = [[HANDFULS[self.k.tokens[i]].count(c) for c in range(5)] for i in range(LINE)]
        c = (action - LEFT) % 5
        hand = list(HANDFULS[self.k.hand])
        return max(self._at_best(h, won) for h, won in self._hands(tokens, first, step, [*hand, c], 0))

    def _hands(self, tokens: list[list[int]], i: int, step: int, hand: list[int], won: int) -> Iterator[tuple[list[int], int]]:
        """Complete hands from here on, the last fragment of `hand` being taken from tile i, with the tiles emptied."""
        tokens = [list(row) for row in tokens]
        tokens[i][hand[-1]] -= 1
        if not any(tokens[i]):
            i, won = i + step, won + 1
        different = len(set(hand)) == len(hand)
        if len(hand) != 2 or not different:
            yield hand, won
        if self.k.first <= i <= self.k.last and len(hand) < 3 and different:
            for c in range(5):
                if tokens[i][c] and (c not in hand or len(hand) == 1):
                    yield from self._hands(tokens, i, step, [*hand, c], won)

    def _at_best(self, hand: list[int], won: int) -> float:
        packed = sum(1 << 2 * c for c in hand)
        if packed not in self.rated:
            empty = [h for h in range(HEXES) if not self.hexes[h]]
            self.rated[packed] = max(self.rate(_with(self.hexes, (h, packed))) for h in empty)
        return self.rated[packed] + 2.0 * won


# ---------------------------------------------------------------- the four companions


class Planning:
    """Searches the answers of its turn for the best of them all; `haste` is by how many points it may misjudge one.

    It looks again at every answer, each time with half of what is left of the turn's budget."""

    def __init__(self, game: Game, name: str, depth: int, width: int, samples: int, haste: float) -> None:
        self.game, self.name = game, name
        self.depth, self.width, self.samples, self.haste = depth, width, samples, haste
        self.sense, self.thinker = Sensible(), thinking.Thinker(game)
        self._turn, self._spent = -1, 0  # the turn it is in, and rule steps that it has thought in it

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        if len(legal) == 1:
            return legal[0]
        if not thinking.ready(self.game):
            return self.sense.choose(k, seat, legal, rng)
        found = self.found(k, seat, legal, rng)
        judged = {action: value + rng.gauss(0, self.haste) for action, value in found.values.items()}
        return max(judged, key=lambda action: judged[action])

    def found(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> thinking.Found:
        """The search itself: what each first answer is worth, and the plan."""
        if worth.turn(k) != self._turn:
            self._turn, self._spent = worth.turn(k), 0
        left = max(LEAST, (self.thinker.limit - self._spent) // 2)
        found = self.thinker.turn(k, seat, rng, self.width, self.samples, self.depth, left)
        self._spent += found.steps
        return found


LEAST = 4000  # rule steps for an answer, however much was thought in this turn


def _planner(name: str, depth: int, width: int, samples: int, haste: float) -> Callable[[Game], Mind]:
    return lambda game: Planning(game, name, depth, width, samples, haste)


def why(before: Opened, after: Opened, seat: int) -> list[Reason]:
    """What a turn changes most, by what worth.py counts: tiles claimed, then matches, threads and the aspiration in prospect."""
    w, rounds = worth.WEIGHTS, ROUNDS - before.round_no
    claimed = sum(after.home[t] == CLAIMED + seat for t in range(TILES)) - sum(before.home[t] == CLAIMED + seat for t in range(TILES))
    gains = [(worth.moments(after, seat, w) - worth.moments(before, seat, w) - w[worth.TILE] * claimed, "moments", "")]
    gains += [(worth.dream(after, seat, w) - worth.dream(before, seat, w), "dream", "")]
    for colour, name in enumerate(COLOURS):
        closer = [worth.thread(s, seat, colour, rounds, worth.ALL_GAPS, w)[0] for s in (before, after)]
        gains.append((closer[1] - closer[0], "thread", name))
    best = sorted((gain for gain in gains if gain[0] >= 0.5), reverse=True)[:2]
    said = [
        because(key, secret=key == "dream", n=round(n + 0.01), **({"what": f"@colours.{name}"} if name else {})) for n, key, name in best
    ]
    return [because("claims", n=claimed), *said] if claimed > 0 else said


MINDS: dict[str, Callable[[Game], Mind]] = {
    "sensible": lambda game: Sensible(),
    "goldfish": _planner("goldfish", depth=1, width=1, samples=1, haste=4.0),
    "parrot": _planner("parrot", depth=4, width=4, samples=1, haste=2.0),
    "dolphin": _planner("dolphin", depth=24, width=6, samples=1, haste=0.8),
    "elephant": _planner("elephant", depth=24, width=1000, samples=1, haste=0.0),
}
