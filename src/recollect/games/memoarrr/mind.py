"""Who plays Memoarrr!: plain sense, and a search that solves the rest of a round once every card in smoke is known."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

from recollect.engine import Opened
from recollect.engine.game import Game
from recollect.engine.sets import members
from recollect.minds import geography, thinking
from recollect.minds.hint import Hint, Reason, because
from recollect.minds.levels import BY_NAME
from recollect.minds.mind import Mind, Recalling

from .components import ANIMALS, LANDSCAPES
from .rules import derive, face_down, turnable
from .rules.layout import GUARD, GUARD_WHICH, LINKS, PEEK, PEEK_WHICH, PLACES, REVEAL, SEATS, SWAP_WHICH, TURN
from .worth import WEIGHTS, worth

SEARCHED = (TURN, SWAP_WHICH, GUARD_WHICH)
SMALL = 60_000  # rule steps in which the rest of a round must be solved, or else it is searched
HOPES = 400  # descents that tell equals apart: few enough that most of each is played by plain sense


def _linked(a: int, b: int) -> bool:
    return a // 5 == b // 5 or a % 5 == b % 5


class Sensible:
    """Links with a card it knows, the one that leaves the others the fewest links; else tries a card it does not know."""

    name = "sensible"

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        if k.stage == TURN:
            return self._turn(k, [a - REVEAL for a in legal], rng) + REVEAL
        if k.stage == GUARD_WHICH:  # close a card that would link
            links = [p for p in (a - GUARD for a in legal) if k.card[p] >= 0 and _linked(k.card[p], k.card[k.last])]
            return rng.choice([p + GUARD for p in links] or legal)
        if k.stage == PEEK_WHICH:  # look at something new
            return rng.choice([a for a in legal if k.card[a - PEEK] < 0] or legal)
        return rng.choice(legal)

    def _turn(self, k: Opened, places: list[int], rng: random.Random) -> int:
        seen = [p for p in places if k.card[p] >= 0]
        unseen = [p for p in places if k.card[p] < 0]
        if k.last < 0:  # opening: any card does; keep what is unknown for when it is needed
            return self._narrowest(k, seen, rng) if seen else rng.choice(unseen)
        links = [p for p in seen if _linked(k.card[p], k.card[k.last])]
        if links:
            return self._narrowest(k, links, rng)
        return rng.choice(unseen or places)

    def _narrowest(self, k: Opened, places: list[int], rng: random.Random) -> int:
        """The card with the fewest known links left for the next player."""

        def links_left(p: int) -> int:
            return sum(q != p and not k.up >> q & 1 and k.card[q] >= 0 and _linked(k.card[p], k.card[q]) for q in range(len(PLACES)))

        fewest = min(map(links_left, places))
        return rng.choice([p for p in places if links_left(p) == fewest])


class Searching:
    """Answers exactly where everything it needs is known; else by a search over deals that fit what it recalls."""

    name = "searching"

    def __init__(self, game: Game, descents: int = 2000, deep: int = 4) -> None:
        """So many descents; beyond `deep` moves of the tree plain sense plays on."""
        self.game, self.descents, self.deep, self.sense = game, descents, deep, Sensible()
        self.thinker = thinking.Thinker(game)

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        if k.stage not in SEARCHED or len(legal) == 1 or not thinking.ready(self.game):
            return self.sense.choose(k, seat, legal, rng)
        wins = self.matched(k)
        return rng.choice(wins) if wins else self.found(k, seat, legal, rng).best

    def explain(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> Hint:
        """The same choice, with what is expected of it and why."""
        move = self.choose(k, seat, legal, rng)
        if k.stage not in SEARCHED or len(legal) == 1 or not thinking.ready(self.game):
            return Hint(move, reasons=tuple(reasons(k, move)))
        values, wins, now = self.found(k, seat, legal, rng).values, self.matched(k), lead(k, seat)
        best = max(values.values()) if move in wins else values[move]
        # a move that was looked at less is not believed to promise more: then it would have been looked at again
        others = [(a, min(v, best) - now) for a, v in values.items() if a != move]
        others.sort(key=lambda other: -other[1])
        return Hint(move, best - now, (), tuple(others), (*reasons(k, move), *([because("sure")] if move in wins else [])))

    def matched(self, k: Opened) -> list[int]:
        """The winning moves of two players who know every card in smoke, without powers (see geography.py); none if all lose."""
        if k.players != 2 or k.expert or k.stage != TURN or not knows_all(k):
            return []
        where = {k.card[p]: p for p in members(turnable(k))}
        left = sum(1 << card for card in where)
        moves = left if k.last < 0 else left & int(LINKS[k.card[k.last]])
        return [REVEAL + where[card] for card in members(geography.winning(LINKS.tolist(), left, moves))]

    def found(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> thinking.Found:
        """What each move is worth. Of moves that are exactly as good, the one that is better against plain sense: others err."""
        whole = imagined(self.game, k)
        solved = self.thinker.exact(whole, seat, k.players, [99.0] * SEATS, SMALL) if knows_all(k) else None
        if solved is None:
            return self.thinker.tree(whole, seat, k.players, rng, self.descents, deep=self.deep)
        if len(solved.equals) == 1:
            return solved
        hopes = self.thinker.tree(whole, seat, k.players, rng, HOPES)
        return solved.ordered(hopes.values)


def lead(k: Opened, seat: int) -> float:
    """Rubies this seat is ahead of the best of the others, a closed treasure counted as a mean one."""
    held = [float(worth(k, other, WEIGHTS)) for other in range(k.players)]
    return held[seat] - max(v for other, v in enumerate(held) if other != seat)


def reasons(k: Opened, move: int) -> Iterator[Reason]:
    """Why a move may be good, from what the seat knows."""
    if k.stage == SWAP_WHICH:
        yield because("swap")
    elif k.stage in (PEEK_WHICH, GUARD_WHICH):
        p = move - (PEEK if k.stage == PEEK_WHICH else GUARD)
        yield because("peek" if k.stage == PEEK_WHICH else "guard", at=PLACES[p].upper())
    elif k.stage == TURN:
        yield from why_turn(k, move - REVEAL)


def why_turn(k: Opened, p: int) -> Iterator[Reason]:
    """Why this card."""
    if k.card[p] < 0:
        unseen = set(range(25)) - set(k.card)
        fit = [c for c in unseen if k.last < 0 or _linked(c, k.card[k.last])]
        yield because("unknown", n=len(fit), all=len(unseen))
        return
    if k.last < 0:
        yield because("opens")
    elif _linked(k.card[p], k.card[k.last]):
        same = ANIMALS[k.card[p] // 5] if k.card[p] // 5 == k.card[k.last] // 5 else LANDSCAPES[k.card[p] % 5]
        yield because("links", what=f"@the.{same}")
    left = sum(q != p and k.card[q] >= 0 and _linked(k.card[p], k.card[q]) for q in members(face_down(k)))
    yield because("leaves", n=left) if left else because("leaves_none")


def knows_all(k: Opened) -> bool:
    """Every card in smoke is known."""
    return all(k.card[p] >= 0 for p in members(face_down(k)))


def imagined(game: Game, k: Opened) -> Opened:
    """A whole record of a knowledge: cards that others have seen are some card or other, until they are redealt."""
    whole = game.state.open(game.state.copy(k.record))
    derive(whole)
    seen = 0
    for seat in range(whole.players):
        seen |= whole.known[seat]
    for p in members(seen):
        if whole.card[p] < 0:
            whole.card[p] = next(members(whole.unseen))
            derive(whole)
    return whole


def _level(name: str) -> Callable[[Game], Mind]:
    """The elephant searches; the others play by plain sense, and differ by what they remember."""
    return lambda game: Recalling(name, Searching(game) if name == "elephant" else Sensible(), BY_NAME[name].memory)


MINDS = {"sensible": lambda game: Sensible(), **{name: _level(name) for name in BY_NAME}}
