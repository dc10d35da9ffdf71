"""The best whole turn, by beam search over its small answers.

A turn is many small answers. Answers are tried in breadth; after each the `width` best positions go on, each once however it was
reached. states: [0] the beginning, [1] a trial, then two beams of `width` records; hashes, scores and plans lie beside the beams.
"""

from recollect.engine.sets import WORD, size

from ..rules import acting, apply, choices, redeal
from ..worth import worth
from .positions import COUNT, NEVER, copy, digest, let_chance, turn


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
