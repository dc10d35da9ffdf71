"""Whole games, for tuning: every seat takes its best turn, by weights of its own."""

from recollect.engine.sets import WORD
from recollect.engine.stream import sow

from ..rules import acting, apply, choices, points, redeal, setup
from .positions import copy, let_chance, one_of
from .turn import best_turn


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
