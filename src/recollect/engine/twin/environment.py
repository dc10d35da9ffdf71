"""Games as environments: who is asked, what it observes, what it may do, and what that brought. Loaded beside the rules, as the loops are."""

from recollect.engine.observation import CAPACITY, SPREAD
from recollect.engine.sets import WORD, size
from recollect.engine.stream import CHANCE, sow

from .choosing import choose, lay_out, pack_up
from .loops import CHANCE_ACTS, pick_seat, random_game
from .rules import ACTIONS, acting, apply, choices, points, setup, ties
from .observation import expose, observe, pack

COUNT = ACTIONS.count
RESULT = 0  # what is rewarded: the result, at the end; any other number: points gained on the others, as they come


def carry_out(s, seat, action, mode, lit, recall):
    """An action, and what all see of it."""
    apply(s, seat, action)
    if mode == CAPACITY:
        look_round(s, lit, recall)


def look_round(s, lit, recall):
    """Every seat takes in what has come into its sight."""
    for seat in range(lit.shape[0]):
        expose(s, seat, lit[seat], recall[seat])


def forget_all(lit, recall):
    """Before a new game."""
    for seat in range(lit.shape[0]):
        for p in range(lit.shape[1]):
            lit[seat, p] = 0
        for j in range(recall.shape[1]):
            recall[seat, j, 0] = -1


def go_on(s, seat, action, mine, mode, r, lit, recall):
    """The action of a seat (-1: any; of seat -1: none, the game has just begun), then chance's draws and, where one seat is played, all
    others at random, until somebody is asked: that seat; -1 when the game is over. One place carries out everything: it is compiled once."""
    while True:
        if seat >= 0:
            if action < 0:
                action = choose(s, seat, r)
            carry_out(s, seat, action, mode, lit, recall)
        who = acting(s)
        if who == 0:
            return -1
        if who == CHANCE_ACTS:
            seat = CHANCE
        elif mine < 0:
            return lowest(who)
        elif (who >> mine) & 1:
            return mine
        else:
            seat = pick_seat(who, r)
        action = -1


def lowest(who):
    """The first seat of a set."""
    return size((who & -who) - 1)


def begin(s, options, mode, lit, recall):
    """Set up a blank record."""
    setup(s, options)
    if mode == CAPACITY:
        forget_all(lit, recall)


def start_over(s, words, options, mode, lit, recall, worth):
    """Set up a record in which a game was played: `words` are all of it."""
    for k in range(words.shape[0]):
        words[k] = 0
    begin(s, options, mode, lit, recall)
    for seat in range(worth.shape[0]):
        worth[seat] = 0


def show(s, seat, asked, mode, recall, out, eights, mask):
    """The row of a seat, and what it may do if it is asked."""
    observe(s, seat, mode, recall[seat], out, eights)
    for action in range(COUNT):
        mask[action] = 0
    if asked >= 0:
        first, some, more = choices(s, seat)
        mark(mask, first, some)
        mark(mask, first + WORD, more)


def mark(mask, first, some):
    """A set, counted from `first`, as flags."""
    while some:
        if first + 8 <= COUNT:
            byte, at = some & 255, first & 0xFFFF  # so the compiler knows that no place is below 0, and copies eight at once
            for k in range(8):
                mask[at + k] = SPREAD[byte, k]
        else:
            for k in range(COUNT - first):
                mask[first + k] = (some >> k) & 1
        some >>= 8
        first += 8


def count(s, over, kind, players, worth, reward, sums, breaks):
    """Rewards of all seats: the result at the end, or what was gained since the last time; alone, points."""
    for seat in range(players):
        reward[seat] = 0
    if kind == RESULT and not over:
        return
    add_up(s, sums, breaks)
    for seat in range(players):
        if kind == RESULT and players > 1:
            reward[seat] = result(seat, players, sums, breaks)
        else:
            now = margin(seat, players, sums)
            reward[seat] = now - worth[seat]
            worth[seat] = now


def add_up(s, sums, breaks):
    """Points by seat into the first column of sums, tie-breaks beside."""
    for seat in range(sums.shape[0]):
        for k in range(sums.shape[1]):
            sums[seat, k] = 0
        for k in range(breaks.shape[1]):
            breaks[seat, k] = 0
    points(s, sums)
    ties(s, breaks)
    for seat in range(sums.shape[0]):
        for k in range(1, sums.shape[1]):
            sums[seat, 0] += sums[seat, k]


def margin(seat, players, sums):
    """Points above the mean of the others; alone, points."""
    others = 0
    for other in range(players):
        if other != seat:
            others += sums[other, 0]
    return sums[seat, 0] - others / (players - 1) if players > 1 else sums[seat, 0] + 0.0


def result(seat, players, sums, breaks):
    """First 1, last -1, evenly between; equals share."""
    ahead = 0
    for other in range(players):
        if other != seat:
            ahead += compare(seat, other, sums, breaks)
    return ahead / (players - 1)


def compare(a, b, sums, breaks):
    """1 if seat a is before seat b, -1 if behind, 0 if level."""
    if sums[a, 0] != sums[b, 0]:
        return 1 if sums[a, 0] > sums[b, 0] else -1
    for k in range(breaks.shape[1]):
        if breaks[a, k] != breaks[b, k]:
            return 1 if breaks[a, k] > breaks[b, k] else -1
    return 0


# -- many at once


def step_all(
    states, blank, options, mine, mode, kind, players, streams, lit, recall, worth, asked, over, actions, rewards, gained, sums, breaks, out, eights, mask
):
    """One action of the seat that is asked in every game, and all that follows until somebody is asked again; a game that was over
    begins anew. Returns the first game whose action is not legal, before anything is played, or -1."""
    for i in range(states.shape[0]):
        if not over[i] and (actions[i] < 0 or actions[i] >= COUNT or mask[i, actions[i]] == 0):
            return i
    for i in range(states.shape[0]):
        seat = -1 if over[i] else asked[i]
        looker = seat
        if over[i]:
            states[i] = blank[0]
            begin(states[i], options, mode, lit[i], recall[i])
            for other in range(players):
                worth[i, other] = 0
        asked[i] = go_on(states[i], seat, actions[i], mine, mode, streams[i], lit[i], recall[i])
        over[i] = asked[i] < 0
        count(states[i], over[i] and seat >= 0, kind, players, worth[i], rewards[i], sums, breaks)
        gained[i] = rewards[i, max(mine, looker, 0)]
        if asked[i] >= 0:
            looker = asked[i]
        show(states[i], max(looker, 0), asked[i], mode, recall[i], out[i], eights[i], mask[i])
    return -1


def rows_of(states, seats, mode, recall, out, eights):
    """What one seat of every game observes; rows of seat -1 are left as they are."""
    for i in range(states.shape[0]):
        if seats[i] >= 0:
            observe(states[i], seats[i], mode, recall, out[i], eights[i])


def random_all(states, options, keys, r, limit, lengths):
    """Whole random games, game i by the stream of keys[i]; how many actions of players each took."""
    for i in range(states.shape[0]):
        setup(states[i], options)
        sow(r, keys[i])
        n = random_game(states[i], r, limit)
        lengths[i] = (n >> 32) - (n & 0xFFFFFFFF)


def choose_all(states, asked, r, actions):
    """Any legal action for every game in which somebody is asked: the policy that speed is measured with."""
    for i in range(states.shape[0]):
        if asked[i] >= 0:
            actions[i] = choose(states[i], asked[i], r)
