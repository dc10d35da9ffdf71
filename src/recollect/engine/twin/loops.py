"""Loops over many moves. Loaded beside a game's rules, plain or compiled, so `.rules` is that game's."""

from recollect.engine.sets import member, size
from recollect.engine.stream import CHANCE, below, sow

from . import rules
from .choosing import choose, lay_out
from .rules import ACTIONS, acting, apply, points, setup, ties

if hasattr(rules, "question"):
    from .rules import question
else:

    def question(s, seat):
        """All questions cost about the same."""
        return 0


COUNT = ACTIONS.count
CHANCE_ACTS = 1 << CHANCE


def pick_seat(who, r):
    """One of the seats in the set, by chance when there are several."""
    if who & (who - 1) == 0:
        return size(who - 1)
    return member(who, below(r, size(who)))


def random_game(s, r, limit):
    """Play on at random until the end or `limit` actions. Returns actions * 2**32 + draws of chance; -1 for a dead end."""
    played = 0
    drawn = 0
    while played < limit:
        who = acting(s)
        if who == 0:
            break
        if who == CHANCE_ACTS:
            seat = CHANCE
            action = choose(s, CHANCE, r)
            drawn += 1
        else:
            seat = pick_seat(who, r)
            action = choose(s, seat, r)
        if action < 0:
            return -1
        apply(s, seat, action)
        played += 1
    return (played << 32) + drawn


def asked(s, r):
    """The seat that is asked, one by chance where there are several; -1 when the game is over."""
    who = acting(s)
    if who == 0:
        return -1
    return CHANCE if who == CHANCE_ACTS else pick_seat(who, r)


def begin(s, options, r, key):
    """A new game by the stream of a key; returns the seat that is asked."""
    setup(s, options)
    sow(r, key)
    return asked(s, r)


def carry_on(s, seat, r):
    """One action of the seat that is asked, or all that chance draws in a row for one question.
    Returns who is asked next (-1: the game is over; -2: a dead end), and how many actions that was."""
    n, before = 0, question(s, seat)
    while True:
        action = choose(s, seat, r)
        if action < 0:
            return -2, n
        apply(s, seat, action)
        n += 1
        following = asked(s, r)
        if seat != CHANCE or following != CHANCE or question(s, following) != before:
            return following, n


def set_up(states, options):
    """Set up every game of the array."""
    for i in range(states.shape[0]):
        setup(states[i], options)


def random_games(states, options, keys, r, limit, tally):
    """Set up and play whole random games, game i by the stream of keys[i]; tally counts actions, draws and dead ends."""
    for i in range(states.shape[0]):
        setup(states[i], options)
        sow(r, keys[i])
        n = random_game(states[i], r, limit)
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
        if seats[i] >= 0 and (acting(states[i]) >> seats[i]) & 1 and seats[i] != CHANCE:
            lay_out(states[i], seats[i], out[i])
        else:
            for a in range(COUNT):
                out[i, a] = 0


def step(states, seats, actions):
    """One action in every game; seat -1 leaves a game as it is. Trusts its caller."""
    for i in range(states.shape[0]):
        if seats[i] >= 0:
            apply(states[i], seats[i], actions[i])


def let_chance(states, streams):
    """Chance draws, in every game, until a player is asked or the game is over."""
    for i in range(states.shape[0]):
        while acting(states[i]) == CHANCE_ACTS:
            apply(states[i], CHANCE, choose(states[i], CHANCE, streams[i]))


def standings(states, point_rows, tie_rows):
    """Points by category and tie-break values of every game."""
    for i in range(states.shape[0]):
        points(states[i], point_rows[i])
        ties(states[i], tie_rows[i])
