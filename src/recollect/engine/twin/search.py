"""Thinking in the language of the rules. Loaded beside a game's rules and its worth.py, and compiled; nothing here allocates.

    worth(s, seat, w)       what a position is worth to a seat                       (worth.py must say)
    turn(s)                 a number that changes when a turn ends, though the same seat goes on      (may say)
    settled(s)              here a search may stop and rate: a round is over                          (may say)
    shown(s)                what the last action showed to everybody: what it leads to is another case for each             (may say)
    sensible(s, seat, r)    a quick, sensible action, for playing out                                 (may say)

Records lie in an array `states`; `raw` is the same memory as words, so that a copy is a copy of words. states[0] is where to begin.
"""

import math

import numpy as np

from recollect.engine.sets import WORD, size
from recollect.engine.stream import CHANCE, below, sow

from . import worth as _said
from .choosing import UNEVEN, choose, odds
from .rules import ACTIONS, SEATS, acting, apply, choices, points, redeal, setup
from .worth import worth

COUNT = ACTIONS.count
CHANCE_ACTS = 1 << CHANCE
NEVER = -1e300
EXPLORE = 0.7  # how much a search cares for what it has tried little
MIX = 0x1E3779B97F4A7C15

if hasattr(_said, "turn"):
    from .worth import turn
else:

    def turn(s):
        """A turn ends when its seat is not asked any more."""
        return 0


if hasattr(_said, "settled"):
    from .worth import settled
else:

    def settled(s):
        """Rate at the end of the game alone."""
        return False


if hasattr(_said, "shown"):
    from .worth import shown
else:

    def shown(s):
        """Nothing that the actions themselves do not tell."""
        return 0


if hasattr(_said, "sensible"):
    from .worth import sensible
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


# -- the best whole turn ------------------------------------------------------------------------------------------------
#
# A turn is many small answers. Answers are tried in breadth; after each the `width` best positions go on, each once however it was
# reached. states: [0] the beginning, [1] a trial, then two beams of `width` records; hashes, scores and plans lie beside the beams.


def best_turn(states, raw, seat, w, r, width, depth, limit, hashes, scores, plans, plan, firsts):
    """The answers of the best turn into `plan` (-1 ends it), the best worth by each first answer into `firsts`; rule steps taken."""
    for a in range(COUNT):
        firsts[a] = NEVER
    began = turn(states[0])
    copy(raw, 2, 0)
    best = NEVER
    beam, held, steps = 0, 1, 0
    plan[0] = -1
    for d in range(depth):
        there = width - beam  # where the next beam lies: beams are 0 and width
        found, worst = 0, there
        for b in range(held):
            first, some, more = choices(states[2 + beam + b], seat)
            for half in range(2):
                rest = more if half else some
                while rest:
                    action = first + half * WORD + size((rest & -rest) - 1)
                    rest &= rest - 1
                    if steps >= limit and best > NEVER:
                        continue
                    copy(raw, 1, 2 + beam + b)
                    apply(states[1], seat, action)
                    steps += 1 + let_chance(states[1], r)
                    v = worth(states[1], seat, w)
                    opening = action if d == 0 else plans[beam + b, 0]
                    if d + 1 == depth or not (acting(states[1]) >> seat) & 1 or turn(states[1]) != began:
                        if v > firsts[opening]:
                            firsts[opening] = v
                        if v > best:
                            best = v
                            tell(plan, plans, beam + b, d, action)
                    else:
                        if found < width or v > scores[worst]:
                            found, worst = keep(raw, width, there, found, worst, v, hashes, scores, plans, beam + b, d, action)
        beam, held = there, found
    return steps


def tell(plan, plans, b, d, action):
    """The plan that led here, with one answer more."""
    for k in range(d):
        plan[k] = plans[b, k]
    plan[d] = action
    if d + 1 < plan.shape[0]:
        plan[d + 1] = -1


def keep(raw, width, there, found, worst, v, hashes, scores, plans, b, d, action):
    """The trial, good enough for the next beam, goes on in it if it is new; how many are there now, and the worst of them."""
    h = digest(raw, 1)
    for k in range(there, there + found):
        if hashes[k] == h:
            return found, worst
    if found < width:
        worst = there + found
        found += 1
    copy(raw, 2 + worst, 1)
    hashes[worst], scores[worst] = h, v
    for k in range(d):
        plans[worst, k] = plans[b, k]
    plans[worst, d] = action
    if found == width:
        for k in range(there, there + width):
            if scores[k] < scores[worst]:
                worst = k
    return found, worst


def turns(states, raw, seat, w, r, samples, width, depth, limit, hashes, scores, plans, plan, firsts, sums):
    """The mean worth of the best turn by each first answer, over `samples` redeals of what the seat cannot know; rule steps taken.

    states[-1] keeps the beginning. The plan left in `plan` is that of the last redeal."""
    for a in range(COUNT):
        sums[a] = 0.0
    last = states.shape[0] - 1
    copy(raw, last, 0)
    steps = 0
    for n in range(samples):
        copy(raw, 0, last)
        redeal(states[0], seat, r)
        steps += best_turn(states, raw, seat, w, r, width, depth, limit // samples, hashes, scores, plans, plan, firsts)
        for a in range(COUNT):
            sums[a] += firsts[a] / samples if firsts[a] > NEVER else NEVER
    copy(raw, 0, last)
    return steps


# -- information-set tree search ----------------------------------------------------------------------------------------
#
# Every descent redeals what the seat cannot know, plays down the tree, adds one node and rates it. A node is a path of actions, draws
# of chance included; it lies in a table by the hash of that path. Each seat goes where it fares best (max^n), with the chances of
# UCB among what is legal in this deal; or, if the search is `trusting`, the others play by plain sense, from what they know in this
# deal: that finds the best answer to people and simple companions. states: [0] the beginning, [1] the descent.


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


def seek(keys, key):
    """Where a key lies in the table, or would."""
    k = key & (keys.shape[0] - 1)
    while keys[k] != 0 and keys[k] != key:
        k = (k + 1) & (keys.shape[0] - 1)
    return k


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


# -- the exact solution -------------------------------------------------------------------------------------------------
#
# When the seat knows everything, the rest is a tree: each seat goes where it fares best (of equals, as likely here as there), chance
# by its odds. Positions met before are looked up. states[d] is the position at depth d; sums[d], count[d] gather what follows it.


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


# -- whole games, for tuning --------------------------------------------------------------------------------------------


def play_game(states, raw, players, weights, r, width, depth, limit, hashes, scores, plans, plan, firsts):
    """The game in states[-1] to its end: every seat takes its best turn, by weights of its own, from what it may know; rule steps taken."""
    game = states.shape[0] - 1
    steps = let_chance(states[game], r)
    while acting(states[game]) != 0 and steps < limit:
        seat = one_of(acting(states[game]))
        steps += play_turn(states, raw, seat, weights[seat], r, width, depth, limit, hashes, scores, plans, plan, firsts)
    return steps


def play_turn(states, raw, seat, w, r, width, depth, limit, hashes, scores, plans, plan, firsts):
    """The seat takes its best turn in states[-1], by what it may know, as far as nothing is drawn; rule steps taken."""
    game = states.shape[0] - 1
    copy(raw, 0, game)
    redeal(states[0], seat, r)
    steps = best_turn(states, raw, seat, w, r, width, depth, limit, hashes, scores, plans, plan, firsts)
    return steps + follow(states[game], seat, plan, r)


def follow(s, seat, plan, r):
    """The answers of a plan, until something is drawn, which may change it; rule steps taken."""
    steps, k, drawn = 0, 0, 0
    while k < plan.shape[0] and plan[k] >= 0 and drawn == 0 and (k == 0 or may(s, seat, plan[k])):
        apply(s, seat, plan[k])
        drawn = let_chance(s, r)
        steps += 1 + drawn
        k += 1
    return steps


def may(s, seat, action):
    """The action is among the seat's choices now."""
    if not (acting(s) >> seat) & 1:
        return False
    first, some, more = choices(s, seat)
    i = action - first
    return 0 <= i and (((some >> i) & 1) if i < WORD else (i < 2 * WORD and (more >> (i - WORD)) & 1)) != 0


def contest(states, raw, options, key, seat, players, mine, theirs, weights, r, width, depth, limit, hashes, scores, plans, plan, firsts, out):
    """One whole game by the stream of its key: `seat` plays by weights `mine`, all others by `theirs`; points by kind into `out`."""
    game = states.shape[0] - 1
    for k in range(raw.shape[1]):
        raw[game, k] = 0
    setup(states[game], options)
    sow(r, key)
    for i in range(players):
        for k in range(mine.shape[0]):
            weights[i, k] = mine[k] if i == seat else theirs[k]
    steps = play_game(states, raw, players, weights, r, width, depth, limit, hashes, scores, plans, plan, firsts)
    points(states[game], out)
    return steps


def contests(states, raw, options, keys, seats, who, players, population, theirs, weights, r, width, depth, limit, hashes, scores, plans, plan, firsts, outs):
    """Many games, one after the other: in game g the seat seats[g] plays by the weights population[who[g]]; rule steps taken."""
    steps = 0
    for g in range(keys.shape[0]):
        steps += contest(
            states, raw, options, keys[g], seats[g], players, population[who[g]], theirs, weights, r,
            width, depth, limit, hashes, scores, plans, plan, firsts, outs[g],
        )
    return steps
