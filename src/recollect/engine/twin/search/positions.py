"""Positions while thinking: what a game says of them (worth.py), or what holds where it says nothing; copies, digests, chance."""

import numpy as np

from recollect.engine.sets import size
from recollect.engine.stream import CHANCE

from .. import worth as _said
from ..choosing import choose
from ..rules import ACTIONS, acting, apply
from ..worth import worth

COUNT = ACTIONS.count
CHANCE_ACTS = 1 << CHANCE
NEVER = -1e300
MIX = 0x1E3779B97F4A7C15


if hasattr(_said, "turn"):
    from ..worth import turn
else:

    def turn(s):
        """A turn ends when its seat is not asked any more."""
        return 0


if hasattr(_said, "settled"):
    from ..worth import settled
else:

    def settled(s):
        """Rate at the end of the game alone."""
        return False


if hasattr(_said, "shown"):
    from ..worth import shown
else:

    def shown(s):
        """Nothing that the actions themselves do not tell."""
        return 0


if hasattr(_said, "sensible"):
    from ..worth import sensible
else:

    def sensible(s, seat, r):
        """Anything legal."""
        return choose(s, seat, r)


def copy(raw, to, origin):
    """One record becomes another."""
    for k in range(raw.shape[1]):
        raw[to, k] = raw[origin, k]


def digest(raw, i):
    """A number that tells records apart."""
    h = np.int64(i * 0 + 1469598103934665603)
    for k in range(raw.shape[1]):
        h = (h ^ np.int64(raw[i, k])) * MIX
        h ^= (h >> 29) & 0x7FFFFFFFF
    return h


def mixed(h, n):
    """A number that tells paths apart."""
    h = (h ^ np.int64(n + 1)) * MIX
    return h ^ ((h >> 31) & 0x1FFFFFFFF)


def one_of(who):
    """The lowest seat of a set."""
    return size((who & -who) - 1)


def let_chance(s, r):
    """Chance draws until a player is asked; how many draws."""
    n = 0
    while acting(s) == CHANCE_ACTS:
        apply(s, CHANCE, choose(s, CHANCE, r))
        n += 1
    return n


def lead(s, players, seat, w):
    """What a position is worth to a seat beyond the best of the others; alone, what it is worth."""
    other = NEVER
    for i in range(players):
        if i != seat:
            v = worth(s, i, w)
            if v > other:
                other = v
    own = worth(s, seat, w)
    return own - other if other > NEVER else own


def seek(keys, key):
    """Where a key lies in the table, or would."""
    k = key & (keys.shape[0] - 1)
    while keys[k] != 0 and keys[k] != key:
        k = (k + 1) & (keys.shape[0] - 1)
    return k
