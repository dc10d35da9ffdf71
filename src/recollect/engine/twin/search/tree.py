"""Information-set tree search.

Every descent redeals what the seat cannot know, plays down the tree, adds one node and rates it. A node is a path of actions, draws of
chance included; it lies in a table by the hash of that path. Each seat goes where it fares best (max^n), with the chances of UCB among
what is legal in this deal; or, if the search is `trusting`, the others play by plain sense, from what they know in this deal: that
finds the best answer to people and simple companions. states: [0] the beginning, [1] the descent.
"""

import math

import numpy as np

from recollect.engine.sets import WORD, size
from recollect.engine.stream import CHANCE, below

from ..choosing import choose
from ..rules import acting, apply, choices, redeal
from .positions import CHANCE_ACTS, COUNT, NEVER, copy, lead, mixed, one_of, seek, sensible, settled, shown

EXPLORE = 0.7  # how much a search cares for what it has tried little


def descend(states, raw, seat, players, w, r, iterations, limit, ahead, trusting, keys, visits, offers, totals, path, value, firsts, counts):
    """Search from states[0]: visits and mean lead of each first action into `counts` and `firsts`; rule steps taken."""
    for k in range(keys.shape[0]):
        keys[k] = 0
    steps = 0
    low, high = 1e300, -1e300
    for n in range(iterations):
        if steps >= limit:
            break
        copy(raw, 1, 0)
        redeal(states[1], seat, r)
        steps += grow(states[1], seat if trusting else -1, players, r, low, high, keys, visits, offers, totals, path)
        steps += play_on(states[1], r, ahead)
        for i in range(players):
            value[i] = lead(states[1], players, i, w)
            low, high = min(low, value[i]), max(high, value[i])
        k = 0
        while path[k] >= 0:
            visits[path[k]] += 1
            for i in range(players):
                totals[path[k], i] += value[i]
            k += 1
    report(states[0], seat, keys, visits, totals, counts, firsts)
    return steps


def report(s, seat, keys, visits, totals, counts, firsts):
    """What the search found of each first action."""
    for a in range(COUNT):
        counts[a] = 0
        firsts[a] = NEVER
    first, some, more = choices(s, seat)
    for half in range(2):
        rest = more if half else some
        while rest:
            action = first + half * WORD + size((rest & -rest) - 1)
            rest &= rest - 1
            slot = seek(keys, mixed(1, action))
            if keys[slot] != 0 and visits[slot] > 0:
                counts[action] = visits[slot]
                firsts[action] = totals[slot, seat] / visits[slot]


def grow(s, own, players, r, low, high, keys, visits, offers, totals, path):
    """Down the tree to a new node; the nodes on the way into `path` (-1 ends it)."""
    key, at, steps, seen = np.int64(1), 0, 0, -1
    path[0] = -1
    new = False
    while not new and at + 1 < path.shape[0]:
        while acting(s) == CHANCE_ACTS:
            action = choose(s, CHANCE, r)
            apply(s, CHANCE, action)
            key = mixed(key, action)
            steps += 1
        if at > 0:
            key = mixed(key, shown(s))
        who = acting(s)
        if who == 0 or settled(s):
            break
        seat = one_of(who)
        if own < 0 or seat == own:
            action = go(s, seat, key, seen, r, low, high, keys, visits, offers, totals)
        else:
            action = sensible(s, seat, r)
        key = mixed(key, action)
        slot = seek(keys, key)
        new = keys[slot] == 0
        if new:
            keys[slot] = key
            visits[slot] = offers[slot] = 0
            for i in range(players):
                totals[slot, i] = 0.0
        path[at], seen = slot, visits[slot]
        at += 1
        path[at] = -1
        apply(s, seat, action)
        steps += 1
    return steps


def go(s, seat, key, seen, r, low, high, keys, visits, offers, totals):
    """What promises most to the seat. At the root all is tried; deeper down sense comes first, and the rest as visits grow."""
    first, some, more = choices(s, seat)
    best, chosen, fresh, tried, untried = NEVER, -1, -1, 0, 0
    spread = high - low if high > low else 1.0
    for half in range(2):
        rest = more if half else some
        while rest:
            action = first + half * WORD + size((rest & -rest) - 1)
            rest &= rest - 1
            slot = seek(keys, mixed(key, action))
            if keys[slot] == 0 or visits[slot] == 0:
                untried += 1
                if below(r, untried) == 0:
                    fresh = action
            else:
                tried += 1
                offers[slot] += 1
                mean = (totals[slot, seat] / visits[slot] - low) / spread
                v = mean + EXPLORE * math.sqrt(math.log(offers[slot] + 1.0) / visits[slot])
                if v > best:
                    best = v
                    chosen = action
    if untried > 0 and seen < 0:
        return fresh
    if tried == 0:
        return sensible(s, seat, r)
    return fresh if untried > 0 and tried * tried * 4 <= seen else chosen


def play_on(s, r, ahead):
    """Everybody plays sensibly until the position is settled, or `ahead` actions; rule steps taken."""
    for n in range(ahead):
        who = acting(s)
        if who == 0 or settled(s):
            return n
        seat = one_of(who)
        apply(s, seat, choose(s, CHANCE, r) if seat == CHANCE else sensible(s, seat, r))
    return ahead
