"""The exact solution of what is left.

When the seat knows everything, the rest is a tree: each seat goes where it fares best (of equals, as likely here as there), chance by
its odds. Positions met before are looked up. states[d] is the position at depth d; sums[d], count[d] gather what follows it.
"""

from recollect.engine.sets import WORD, size
from recollect.engine.stream import CHANCE

from ..choosing import UNEVEN, odds
from ..rules import SEATS, acting, apply, choices
from .positions import COUNT, NEVER, copy, digest, lead, one_of, seek, settled


def solve(states, raw, seat, players, w, limit, ceiling, keys, known, seats, sets, sums, count, best, firsts):
    """The lead of the seat by each first action, exactly, into `firsts`; rule steps taken, or -1 when `limit` was not enough."""
    for k in range(keys.shape[0]):
        keys[k] = 0
    for a in range(COUNT):
        firsts[a] = NEVER
    d, steps = 0, 0
    opened(states, 0, seats, sets, sums, count, best)
    while True:
        if sets[d, 1] | sets[d, 2]:
            action = following(sets, d)
            sets[d, 3] = action
            copy(raw, d + 1, d)
            apply(states[d + 1], seats[d], action)
            steps += 1
            if steps >= limit or d + 2 >= states.shape[0]:
                return -1
            d += 1
            opened(states, d, seats, sets, sums, count, best)
            if acting(states[d]) == 0 or settled(states[d]):
                for i in range(players):
                    sums[d, i] = lead(states[d], players, i, w)
                count[d] = 1.0
                sets[d, 1] = sets[d, 2] = 0
                continue
            h = digest(raw, d) | 1
            slot = seek(keys, h)
            if keys[slot] == h:
                for i in range(players):
                    sums[d, i] = known[slot, i]
                count[d] = 1.0
                sets[d, 1] = sets[d, 2] = sets[d, 4] = 0
            else:
                sets[d, 4] = h
            continue
        if d == 0:
            return steps
        learn(d, players, keys, known, sets, sums, count)
        d -= 1
        add(states, d, seat, players, ceiling, seats, sets, sums, count, best, firsts)


def opened(states, d, seats, sets, sums, count, best):
    """A position, nothing tried yet."""
    who = acting(states[d])
    seats[d] = one_of(who) if who else 0
    first, some, more = choices(states[d], seats[d])
    sets[d, 0], sets[d, 1], sets[d, 2], sets[d, 4] = first, some, more, 0
    count[d], best[d] = 0.0, NEVER
    for i in range(SEATS):
        sums[d, i] = 0.0


def following(sets, d):
    """The next action to try."""
    k = 1 if sets[d, 1] else 2
    rest = sets[d, k]
    sets[d, k] = rest & (rest - 1)
    return sets[d, 0] + (WORD if k == 2 else 0) + size((rest & -rest) - 1)


def learn(d, players, keys, known, sets, sums, count):
    """The value of a position, kept while there is room."""
    for i in range(players):
        sums[d, i] /= count[d]
    if sets[d, 4]:
        slot = seek(keys, sets[d, 4])
        if below_full(keys, slot):
            keys[slot] = sets[d, 4]
            for i in range(players):
                known[slot, i] = sums[d, i]


def below_full(keys, slot):
    """A free slot with some room after it: a table is never filled to the brim."""
    return keys[slot] == 0 and keys[(slot + 7) & (keys.shape[0] - 1)] == 0


def add(states, d, seat, players, ceiling, seats, sets, sums, count, best, firsts):
    """The value of the action just tried, to its position: chance adds up, a seat takes the best."""
    action = sets[d, 3]
    if d == 0:
        firsts[action] = sums[1, seat]
    if seats[d] == CHANCE:
        often = odds(states[d], action) if UNEVEN[sets[d, 0]] else 1
        for i in range(players):
            sums[d, i] += often * sums[d + 1, i]
        count[d] += often
        return
    v = sums[d + 1, seats[d]]
    if v > best[d] + 1e-9:
        best[d] = v
        count[d] = 0.0
        for i in range(players):
            sums[d, i] = 0.0
    if v > best[d] - 1e-9:
        count[d] += 1.0
        for i in range(players):
            sums[d, i] += sums[d + 1, i]
    if d > 0 and v >= ceiling[seats[d]]:
        sets[d, 1] = sets[d, 2] = 0  # nothing can be better
