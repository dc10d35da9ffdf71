"""Who plays Déjà Vu: plain sense, which looks one sowing ahead, and companions that search the whole turn."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import numpy as np

from recollect.engine import Opened, size
from recollect.engine.game import Game
from recollect.engine.sets import members
from recollect.minds import thinking
from recollect.minds.hint import Hint, Reason, because, planned

from . import worth
from .components import ANY, CARD_COLOUR, COLOURS, FLOWER_PRICE, MOST_SLOTS, NUMBER, OF_COLOUR, PLACES, POWER, SLOT, SLOTS
from .rules.awakening import POINTS, points
from .rules.construction import covered, pays
from .rules.layout import (
    BIT_KINDS,
    BUILD,
    CARD_KINDS,
    CHOOSE,
    COPIES,
    DISCARD,
    DISCARDING,
    DONE,
    DROP,
    FOOTPRINT,
    GROW,
    GROWING,
    HOLD,
    KEEP,
    LAY,
    LAYING,
    MORNING,
    ORDINARIES,
    PICK,
    PLANT,
    REMEMBER,
    SAVE,
    SAVING,
    SEATS,
    SHAPE_COUNT,
    SOW,
    SOW_FROM,
    TILE_COUNT,
    WALK,
    WALK_TO,
    WANDER,
    WHITES,
    begun,
    icons,
    short_limit,
    tableau,
)
from .rules.piles import copies
from .rules.sowing import WHITE_BITS

Bits = list[int]  # a kind of bit for each bit
POWER_WORTH = (2.0, 1.0, 2.0, 2.0, 1.5, 4.0, 0.0)  # hand, footprint, short-term, white pick, chest, flower, none
A_STEP = 3.0  # each card is a step towards the awakening
A_SLOT = 0.7  # a covered slot of an unfinished card, in parts of the card's worth
A_BIT = 0.25  # a bit left over
LONGEST = 7  # ways over more tiles are not looked at
TURN = (MORNING, WALK, SOW, WHITES, BUILD, LAYING, GROWING, SAVING)  # what is planned as a whole
DEPTH = 48  # answers of a turn, at the most


def _bits(pile: int) -> Bits:
    return [bit for bit in range(BIT_KINDS) for _ in range(copies(pile, bit))]


class Sensible:
    """Judges every end of a sowing by the cards that its bits would fill, then builds what pays most."""

    name = "sensible"

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        if len(legal) == 1:
            return legal[0]
        self.k, self.seat, self.legal = k, seat, legal
        self.worth = {card: self._card_worth(card) for card in range(CARD_KINDS) if self._at_hand(card)}
        answers = {
            MORNING: self._morning,
            WALK: self._walk,
            SOW: self._sow,
            WHITES: self._white,
            BUILD: self._build,
            LAYING: self._lay,
            GROWING: lambda: min(legal, key=lambda a: self._wanted(a - LAY)),
            SAVING: lambda: max((a for a in legal if a != DONE), key=lambda a: self._wanted(a - SAVE)),
            DISCARDING: self._discard,
            CHOOSE: self._choose,
        }
        return answers[k.stage]() if k.stage in answers else rng.choice(legal)

    # --- what cards and bits are worth ----------------------------------------------------------------------------
    def _at_hand(self, card: int) -> bool:
        """In short-term memory, in hand, or on the table for all."""
        k, seat = self.k, self.seat
        if card >= ORDINARIES:
            return bool(k.common >> card - ORDINARIES & 1) and not k.long[seat] >> card & 1
        return bool(k.hand[seat] >> card & 1) or bool(tableau(k, seat) & ~k.long[seat] & 1 << card)

    def _total(self) -> int:
        out = np.zeros((SEATS, len(POINTS)), np.int64)
        points(self.k, out)
        return int(out[self.seat].sum())

    def _card_worth(self, card: int) -> float:
        """Points that the card would add now, its power, and a step towards the end."""
        before = self._total()
        self.k.long[self.seat] |= 1 << card
        gained = self._total() - before
        self.k.long[self.seat] &= ~(1 << card)
        return gained + POWER_WORTH[POWER[card]] + A_STEP

    def _open_slots(self, card: int) -> list[int]:
        """Shapes that the card still wants, from the top."""
        done = 0
        for place in range(PLACES):
            if self.k.short[self.seat, place] == card:
                done = covered(self.k, self.seat, place)
        return [int(SLOT[card, slot]) for slot in range(done, SLOTS[card])]

    def _cover(self, card: int, bits: Bits) -> Bits:
        """The bits that would go onto the card: those that pay first, as far down as they reach."""
        rest, used = sorted(bits, key=lambda bit: (not pays(card, bit), bit >= WHITE_BITS)), []
        for shape in self._open_slots(card):
            fit = next((bit for bit in rest if shape == ANY or bit % SHAPE_COUNT == shape), None)
            if fit is None:
                break
            rest.remove(fit)
            used.append(fit)
        return used

    def _plans(self, bits: Bits) -> Iterator[tuple[float, int, Bits]]:
        """For each card that may be built: what these bits bring, the card, the bits used."""
        free = begun(self.k, self.seat) < short_limit(self.k, self.seat)
        for card, value in self.worth.items():
            used = self._cover(card, bits)
            whole = len(used) == len(self._open_slots(card))
            stays = card < ORDINARIES and (free or not self.k.hand[self.seat] >> card & 1)
            if used and (whole or stays):
                paid = sum(pays(card, bit) for bit in used)
                yield (value + paid if whole else A_SLOT * (value + paid) * len(used) / SLOTS[card]), card, used

    def _value(self, bits: Bits) -> float:
        """What a handful of bits is good for: the best card, then the best for what is left."""
        value, rest = 0.0, list(bits)
        done: set[int] = set()
        while True:
            best = max((plan for plan in self._plans(rest) if plan[1] not in done), default=None)
            if best is None:
                return value + A_BIT * len(rest)
            value += best[0]
            done.add(best[1])
            for bit in best[2]:
                rest.remove(bit)

    def _own(self) -> Bits:
        return _bits(self.k.own[self.seat])

    def _wanted(self, bit: int) -> float:
        """What would be lost without one bit of this kind."""
        own = self._own()
        rest = list(own)
        rest.remove(bit)
        return self._value(own) - self._value(rest)

    # --- planting -------------------------------------------------------------------------------------------------
    def _near(self, tile: int) -> list[int]:
        return [t for t in range(TILE_COUNT) if self.k.near[tile] >> t & 1]

    def _steps_to_fragment(self, tile: int) -> int:
        """How far the next fragment is."""
        seen, edge, steps = {tile}, {tile}, 0
        while edge and not any(self.k.fragment[t] >= 0 for t in edge):
            edge = {t for e in edge for t in self._near(e)} - seen
            seen |= edge
            steps += 1
        return steps

    def _has_flower(self) -> bool:
        return bool(self.k.circle[self.seat] or self.k.bloom[self.seat])

    def _walk(self) -> int:
        """Plant where a fragment lies; with a flower, go where one is."""
        plants = [a for a in self.legal if PLANT <= a < PICK]
        if plants:
            return plants[0]
        steps = [a for a in self.legal if WALK_TO <= a < PLANT]
        if steps and (self._has_flower() or DONE not in self.legal):
            return min(steps, key=lambda a: self._steps_to_fragment(a - WALK_TO))
        return DONE

    # --- sowing ---------------------------------------------------------------------------------------------------
    def _ends(self, at: int, crossed: int, left: int) -> dict[int, int]:
        """Where a way over `left` more tiles can end, and its first step."""
        ways = {(tile, crossed | 1 << tile, tile) for tile in self._near(at) if not crossed >> tile & 1}
        for _ in range(left - 1):
            ways = {(t, seen | 1 << t, first) for tile, seen, first in ways for t in self._near(tile) if not seen >> t & 1}
        return {end: first for end, _, first in ways}

    def _gathered(self, end: int, last: int) -> Bits:
        """The last bit, and all of its colour at the end of the way."""
        kinds = range(last // SHAPE_COUNT * SHAPE_COUNT, (last // SHAPE_COUNT + 1) * SHAPE_COUNT)
        return [last] + [bit for bit in _bits(self.k.bits[end]) if bit in kinds]

    def _best_end(self, at: int, crossed: int, held: Bits) -> tuple[float, int, int]:
        """The best sowing of these bits: its value, its last bit, its first step."""
        own, best = self._own(), (-1.0, -1, -1)
        seen: dict[tuple[int, ...], float] = {}
        for end, first in sorted(self._ends(at, crossed, len(held)).items()):
            for last in {bit for bit in held if bit < WHITE_BITS}:
                got = tuple(sorted(own + self._gathered(end, last)))
                if got not in seen:
                    seen[got] = self._value(list(got))
                best = max(best, (seen[got], last, first))
        return best

    def _morning(self) -> int:
        """Plant first if that frees the circle; else sow what promises most."""
        starts = [a - SOW_FROM for a in self.legal if SOW_FROM <= a < WALK_TO]
        reach = icons(self.k, self.seat, FOOTPRINT)
        if WANDER in self.legal and self._has_flower() and self._steps_to_fragment(self.k.girl) <= reach:
            return WANDER
        if not starts:
            return DONE if DONE in self.legal else WANDER
        return SOW_FROM + max(starts, key=self._start_value)

    def _start_value(self, tile: int) -> float:
        held = _bits(self.k.bits[tile])
        return self._best_end(tile, 1 << tile, held)[0] if len(held) <= LONGEST else 0.0

    def _sow(self) -> int:
        """Keep the chosen last bit for the end, and step towards it."""
        k = self.k
        held = _bits(k.held)
        drops = [a for a in self.legal if DROP <= a < HOLD]
        if len(held) > LONGEST:
            return drops[0]
        _, last, first = self._best_end(k.at, k.crossed, held)
        if len(held) > 1 and k.upcoming == last and held.count(last) == 1:
            others = [a for a in self.legal if a >= HOLD]
            if others:
                return others[0]
        return DROP + first if DROP + first in drops else drops[0]

    def _white(self) -> int:
        own = self._own()
        picks = [a for a in self.legal if a != DONE]
        return max(picks, key=lambda a: self._value([*own, WHITE_BITS + a - PICK]))

    # --- building -------------------------------------------------------------------------------------------------
    def _build(self) -> int:
        """The card that brings most; a flower of what is left; or nothing more."""
        own = self._own()
        plans = [plan for plan in self._plans(own) if REMEMBER + plan[1] in self.legal]
        if plans:
            return REMEMBER + max(plans)[1]
        if GROW in self.legal and len(own) >= FLOWER_PRICE:
            return GROW
        return DONE

    def _lay(self) -> int:
        """A bit that pays and is wanted nowhere else; white ones are kept for where they pay."""
        card = self.k.short[self.seat, self.k.bench]
        plan = self._cover(card, self._own())
        if plan and LAY + plan[0] in self.legal:
            return LAY + plan[0]
        return KEEP if KEEP in self.legal else self.legal[0]

    # --- cards ----------------------------------------------------------------------------------------------------
    def _ease(self, card: int) -> float:
        """Worth of a hand card for each slot it takes."""
        return float(self._card_worth(card) / SLOTS[card])

    def _discard(self) -> int:
        """Cards that promise little for their slots make room for others."""
        poor = [a for a in self.legal if a != DONE and self._ease(a - DISCARD) < 1.7]
        return poor[0] if poor else DONE

    def _choose(self) -> int:
        """Set-up: remember the strongest powers, discard what promises least."""
        if self.legal[0] >= REMEMBER:
            return max(self.legal, key=lambda a: POWER_WORTH[POWER[a - REMEMBER]])
        return min(self.legal, key=lambda a: self._ease(a - DISCARD))


class Planning:
    """Looks for the best whole turn by what it leads to (worth.py), then follows it; keeps the cards that promise more than a new one.

    It looks again before each card, when the bits are known: of a whole turn only the best beginnings are gone on with.
    A level is care: how many beginnings these are, and by how many points it misjudges where to sow and what to build."""

    def __init__(self, game: Game, name: str, width: int, haze: float = 0.0) -> None:
        self.game, self.name, self.width, self.haze = game, name, width, haze
        self.sense = Sensible()
        self.thinker = thinking.Thinker(game)
        self._plan: dict[bytes, int] = {}

    def choose(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        if len(legal) == 1:
            return legal[0]
        if not thinking.ready(self.game):
            return self.sense.choose(k, seat, legal, rng)
        if k.stage == DISCARDING or k.stage == CHOOSE:
            return self._cards(k, seat, legal, rng)
        if k.stage not in TURN:
            return rng.choice(legal)
        planned = self._plan.get(k.record.tobytes(), -1)
        return planned if planned in legal else self._think(k, seat, legal, rng)

    def found(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> thinking.Found:
        """The search itself: what each first answer is worth, and the plan."""
        return self.thinker.turn(imagined(self.game, k), seat, rng, width=self.width, depth=DEPTH)

    def plans(self, k: Opened) -> bool:
        """Whether it searches here; which cards to keep it judges one by one."""
        return k.stage in TURN

    def explain(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> Hint:
        """A hint: of a turn, the plan and what it does; of cards, why one goes or all stay."""
        move = self.choose(k, seat, legal, rng)
        if k.stage in TURN and len(legal) > 1:
            return planned(self.game, k, seat, move, self.found(k, seat, legal, rng))
        goes = DISCARD <= move < DISCARD + ORDINARIES
        return Hint(move, reasons=(because("goes" if goes else "stays"),) if k.stage in (DISCARDING, CHOOSE) else ())

    def _think(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        """The first answer of the best turn, as far as it sees; the others are noted, each for the position in which it is due."""
        found = self.found(k, seat, legal, rng)
        haze = self.haze if k.stage in (MORNING, BUILD) else 0.0
        guess = {a: value + haze * rng.gauss(0.0, 1.0) for a, value in found.values.items()}
        first = max(guess, key=guess.__getitem__) if haze else found.plan[0]
        self._plan.clear()
        s = imagined(self.game, k)
        for action in found.plan if first == found.plan[0] else ():
            self._plan[self.game.knowledge(s.record, seat).record.tobytes()] = action
            self.game.rules.apply(s, seat, action)
            if self.game.acting(s) != {seat} or s.stage == BUILD:
                break
        return first

    # --- cards ----------------------------------------------------------------------------------------------------
    def _promise(self, k: Opened, seat: int, card: int) -> float:
        """What a card of the hand brings for each slot it takes; cards of its colour begun or in the hand speak for it too."""
        w = self.thinker.weights
        beside = (tableau(k, seat) & ~k.long[seat] | k.hand[seat]) & ~(1 << card) & int(OF_COLOUR[CARD_COLOUR[card]])
        more = worth.turns_left(k, seat) * w[worth.FOCUS] * size(beside)
        return float((worth.brings(k, seat, card, w) + more) / SLOTS[card])

    def _cards(self, k: Opened, seat: int, legal: list[int], rng: random.Random) -> int:
        """Set-up: remember what promises most, discard what promises least. Later a card goes that promises less than a new one."""
        haze = self.haze / MOST_SLOTS
        promise = {a: self._promise(k, seat, (a - DISCARD) if a < DONE else (a - REMEMBER)) for a in legal if a != DONE}
        promise = {a: value + haze * rng.gauss(0.0, 1.0) for a, value in promise.items()}
        if DONE not in legal:
            return (max if legal[0] >= REMEMBER else min)(promise, key=promise.__getitem__)
        unseen = members(~(tableau(k, seat) | k.hand[seat]) & (1 << ORDINARIES) - 1)
        others = [self._promise(k, seat, card) for card in unseen]
        least = min(promise, key=promise.__getitem__, default=DONE)
        usual = self.thinker.weights[worth.CHOOSY] * sum(others) / max(1, len(others))
        return least if promise and promise[least] < usual else DONE


def imagined(game: Game, k: Opened) -> Opened:
    """A whole record of a knowledge: the hands of others are some cards or other, until they are redealt; the rest is the deck."""
    whole = game.state.open(game.state.copy(k.record))
    unseen = [COPIES] * ORDINARIES
    for seat in range(k.players):
        for card in members((tableau(k, seat) | k.hand[seat]) & (1 << ORDINARIES) - 1):
            unseen[card] -= 1
    unseen = [n - copies(k.discard, card) - copies(k.twin, card) for card, n in enumerate(unseen)]
    for seat in range(k.players):
        for _ in range(k.hand_count[seat] - size(k.hand[seat])):
            give_card(whole, k, unseen, seat, set())
    whole.deck = sum((n > 0) << card | (n > 1) << card + ORDINARIES for card, n in enumerate(unseen))  # type: ignore[attr-defined]
    return whole


def give_card(whole: Opened, k: Opened, unseen: list[int], seat: int, tried: set[int]) -> bool:
    """Any unseen card that the hand may hold; if there is none, one of another hand, which is given another one."""
    for card in range(ORDINARIES):
        if card in tried or (tableau(whole, seat) | whole.hand[seat]) >> card & 1:
            continue
        tried.add(card)
        if unseen[card]:
            unseen[card] -= 1
            whole.hand[seat] |= 1 << card
            return True
        for other in range(whole.players):
            if other != seat and (whole.hand[other] & ~k.hand[other]) >> card & 1:
                whole.hand[other] ^= 1 << card
                whole.hand[seat] |= 1 << card
                if give_card(whole, k, unseen, other, tried):
                    return True
                whole.hand[other] |= 1 << card
                whole.hand[seat] ^= 1 << card
    return False


def why(before: Opened, after: Opened, seat: int) -> list[Reason]:
    """What a turn does, in the words of the game: cards finished, slots covered, fragments and flowers, and goals that it serves."""
    w, said = worth.WEIGHTS, []
    for card in members(int(after.long[seat]) & ~int(before.long[seat])):
        said.append(because("finishes", colour=f"@colours.{COLOURS[CARD_COLOUR[card]]}", number=int(NUMBER[card])))
    begun_now = [after.short[seat, place] for place in range(PLACES) if after.short[seat, place] >= 0]
    more = sum(_slots(after, seat, card) - _slots(before, seat, card) for card in begun_now)
    found = size(after.found[seat]) - size(before.found[seat])
    grown = after.circle[seat] + after.bloom[seat] + found - before.circle[seat] - before.bloom[seat]
    ahead = worth.turns_left(before, seat)
    serves = worth.goals_ahead(after, seat, ahead, w) - worth.goals_ahead(before, seat, ahead, w)
    counted = (("covers", more), ("fragments", found), ("grows", grown), ("goals", round(serves)))
    return said + [because(key, n=n) for key, n in counted if n > 0]


def _slots(k: Opened, seat: int, card: int) -> int:
    """Slots of a card in short-term memory that are covered."""
    return int(sum(covered(k, seat, place) for place in range(PLACES) if k.short[seat, place] == card))


# beginnings of a turn that are gone on with, and points by which sowings and cards are misjudged
LEVELS = {"goldfish": (6, 10.0), "parrot": (8, 4.0), "dolphin": (12, 1.6), "elephant": (48, 0.0)}


def _level(name: str, width: int, haze: float) -> Callable[[Game], Planning]:
    return lambda game: Planning(game, name, width, haze)


MINDS = {"sensible": lambda game: Sensible(), **{name: _level(name, *care) for name, care in LEVELS.items()}}
