"""Loops over many moves. Loaded beside a game's rules, plain or compiled, so `.rules` is that game's."""

from recollect.engine.sets import member, size
from recollect.engine.stream import CHANCE, below, sow

from .rules import ACTIONS, POINTS, TIES, acting, apply, choices, legal, odds, points, reach, redeal, setup, ties

COUNT = ACTIONS.count
CHANCE_ACTS = 1 << CHANCE
NOTHING = -1 - COUNT
POINT_KINDS = len(POINTS)
TIE_KINDS = len(TIES)


def pick_seat(who, r):
    """One of the seats in the set, by chance when there are several."""
    if who & (who - 1) == 0:
        return size(who - 1)
    return member(who, below(r, size(who)))


def pick_legal(s, seat, mask, r):
    """A legal action of the seat, each as likely; -1 if there is none."""
    first, last = reach(s, seat)
    some = choices(s, seat)
    if some:
        return first + member(some, below(r, size(some)))
    window = mask[first:last]
    for i in range(window.shape[0]):
        window[i] = 0
    legal(s, seat, mask)
    return first + pick(window, r)


def pick_drawn(s, weights, r):
    """What chance draws, by its odds; -1 if there is nothing to draw."""
    first, last = reach(s, CHANCE)
    some = choices(s, CHANCE)
    if some:
        return first + member(some, below(r, size(some)))
    window = weights[first:last]
    for i in range(window.shape[0]):
        window[i] = 0
    odds(s, weights)
    return first + pick(window, r)


def pick(weights, r):
    """An index, each as likely as its weight; far below 0 if there is nothing to choose from."""
    total = 0
    for i in range(weights.shape[0]):
        total += weights[i]
    if total == 0:
        return NOTHING
    k = below(r, total)
    i = -1
    while k >= 0:
        i += 1
        k -= weights[i]
    return i


def random_game(s, mask, weights, r, limit):
    """Play on at random until the end or `limit` actions. Returns actions * 2**32 + draws of chance; -1 for a dead end."""
    played = 0
    drawn = 0
    while played < limit:
        who = acting(s)
        if who == 0:
            break
        if who == CHANCE_ACTS:
            action = pick_drawn(s, weights, r)
            seat = CHANCE
            drawn += 1
        else:
            seat = pick_seat(who, r)
            action = pick_legal(s, seat, mask, r)
        if action < 0:
            return -1
        apply(s, seat, action)
        played += 1
    return (played << 32) + drawn


def set_up(states, options):
    """Set up every game of the array."""
    for i in range(states.shape[0]):
        setup(states[i], options)


def random_games(states, options, keys, mask, weights, r, limit, tally):
    """Set up and play whole random games, game i by the stream of keys[i]; tally counts actions, draws and dead ends."""
    for i in range(states.shape[0]):
        setup(states[i], options)
        sow(r, keys[i])
        n = random_game(states[i], mask, weights, r, limit)
        if n < 0:
            tally[2] += 1
        else:
            tally[0] += n >> 32
            tally[1] += n & 0xFFFFFFFF


def random_walks(states, keys, mask, weights, r, limit, tally):
    """As random_games, from where the games stand."""
    for i in range(states.shape[0]):
        sow(r, keys[i])
        n = random_game(states[i], mask, weights, r, limit)
        if n < 0:
            tally[2] += 1
        else:
            tally[0] += n >> 32
            tally[1] += n & 0xFFFFFFFF


def who_acts(states, out):
    """The acting set of every game."""
    for i in range(states.shape[0]):
        out[i] = acting(states[i])


def masks(states, seats, out):
    """The legal mask of one seat of every game; a row of zeros where the seat may not act."""
    for i in range(states.shape[0]):
        for a in range(COUNT):
            out[i, a] = 0
        if seats[i] >= 0 and (acting(states[i]) >> seats[i]) & 1 and seats[i] != CHANCE:
            legal(states[i], seats[i], out[i])


def step(states, seats, actions):
    """One action in every game; seat -1 leaves a game as it is. Trusts its caller."""
    for i in range(states.shape[0]):
        if seats[i] >= 0:
            apply(states[i], seats[i], actions[i])


def let_chance(states, streams, weights):
    """Chance draws, in every game, until a player is asked or the game is over."""
    for i in range(states.shape[0]):
        while acting(states[i]) == CHANCE_ACTS:
            apply(states[i], CHANCE, pick_drawn(states[i], weights, streams[i]))


def standings(states, point_rows, tie_rows):
    """Points by category and tie-break values of every game."""
    for i in range(states.shape[0]):
        points(states[i], point_rows[i])
        ties(states[i], tie_rows[i])


def redeals(states, seat, streams):
    """Re-draw, in every game, what the seat cannot know."""
    for i in range(states.shape[0]):
        redeal(states[i], seat, streams[i])


def replay(s, seats, actions, first, last):
    """Carry out a stretch of a log."""
    for i in range(first, last):
        apply(s, seats[i], actions[i])
