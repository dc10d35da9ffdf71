"""What a position of Memoarrr! is worth, and quick sensible play, in the language of the rules."""

import numpy as np

from recollect.engine import below, member, size

from .components import BIRDS, RUBIES
from .rules import ROUND_WON, ROUNDS, TURN, choices
from .rules.layout import GUARD_WHICH, LINKS, OVER, PEEK_WHICH, TREASURE_DEAL

WEIGHTS = (-0.6,)  # what it is worth to open the next round: whoever answers has the better of it
MEAN = float(np.mean(RUBIES))


def worth(s, seat, w):
    """Rubies held, a mean treasure for each that is closed, and the place in the next round."""
    v = 0.0
    for k in range(ROUNDS):
        if s.owner[k] == seat:
            v += rubies(s, k)
    if s.stage == ROUND_WON:
        if s.turn == seat:
            v += rubies(s, s.rounds)
        if s.rounds + 1 < ROUNDS and opens(s, seat):
            v += w[0]
    return v


def rubies(s, k):
    """What the treasure of a round holds, as far as anybody knows."""
    return float(s.rubies[k]) if s.rubies[k] > 0 else MEAN


def opens(s, seat):
    """The volcano with the most birds lies before this seat."""
    if s.volcano[seat] < 0:
        return False
    for other in range(s.players):
        if s.volcano[other] >= 0 and BIRDS[s.volcano[other]] > BIRDS[s.volcano[seat]]:
            return False
    return True


def settled(s):
    """A round is over."""
    return s.stage == ROUND_WON or s.stage == TREASURE_DEAL or s.stage == OVER


def shown(s):
    """The card turned last."""
    return s.card[s.last] if s.last >= 0 else -1


def sensible(s, seat, r):
    """Link with a card one knows, the one that leaves the others the fewest links; else try a card one does not know."""
    first, some, _ = choices(s, seat)
    if s.stage == TURN:
        some = candidates(s, seat, some)
    elif s.stage == PEEK_WHICH and some & ~s.known[seat]:
        some &= ~s.known[seat]
    elif s.stage == GUARD_WHICH and linking(s, seat, some):
        some = linking(s, seat, some)
    return first + member(some, below(r, size(some)))


def candidates(s, seat, some):
    """The cards that sense would turn."""
    known = some & s.known[seat]
    links = known if s.last < 0 else linking(s, seat, some)
    if links:
        return narrowest(s, seat, links)
    unknown = some & ~s.known[seat]
    return unknown if unknown else some


def linking(s, seat, some):
    """Those the seat knows to link with the card turned last."""
    links, rest = 0, some & s.known[seat]
    while rest:
        p = size((rest & -rest) - 1)
        rest &= rest - 1
        if s.card[p] >= 0 and (LINKS[s.card[s.last]] >> s.card[p]) & 1:
            links |= 1 << p
    return links


def narrowest(s, seat, some):
    """Of these, those with the fewest known links left."""
    kept, least, rest = 0, 99, some
    down = s.known[seat] & ~s.up
    while rest:
        p = size((rest & -rest) - 1)
        rest &= rest - 1
        left, others = 0, down & ~(1 << p)
        while others:
            q = size((others & -others) - 1)
            others &= others - 1
            if s.card[q] >= 0 and s.card[p] >= 0:
                left += (LINKS[s.card[p]] >> s.card[q]) & 1
        if left < least:
            kept, least = 0, left
        if left == least:
            kept |= 1 << p
    return kept
