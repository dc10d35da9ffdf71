"""Vivid Memories: three rounds of Prepare, Remember, Reflect and Reward."""

from recollect.engine import CHANCE, Option, below

from .automa import odds_of_wish, wish
from .layout import ACTIONS as ACTIONS
from .layout import (
    ADD,
    ASPIRE_TO,
    BEGIN,
    BY_ASPIRATION,
    CHOOSE,
    COLOUR,
    COMBINE_INTO,
    COUNT,
    DONE,
    DRAW,
    END,
    FRAGMENTS,
    GIVE,
    LAY,
    LAY_ON,
    LEFT,
    MOMENT,
    MOMENTS,
    OVER,
    PICK,
    PLACE,
    REFLECT,
    REMEMBER,
    REVEAL,
    ROUNDS,
    SEATS,
    SPECULATING,
    SPLIT_INTO,
    TAKE,
    USE,
    WISH,
)  # fmt: skip
from .layout import STATE as STATE
from .prepare import begin_round, odds_of_aspiration, odds_of_bag, odds_of_prepare, prepare, set_up
from .reflect import begin_reflect, drawing, drawn, legal_reflect, reflect, reflecting
from .remember import begin_remember, legal_remember, remember
from .reward import begin_reward, chosen, count_points, giving, legal_give, reveal_automa, rewarding

VERSION = 1
OPTIONS = (
    Option("players", (1, 2, 3, 4), default=2),  # 1: against the house automa
    Option("start", ("random", "first", "second", "third", "fourth"), default="random"),
)
POINTS = ("moments", "threads", "core", "aspiration")
TIES = ("aspiration", "order")  # later in the order of the final round wins
PACED = ("count",)
VARIANTS = ({"players": 1}, {"players": 2}, {"players": 3, "start": "second"}, {"players": 4})


def setup(s, o):
    """Set the table for 1 to 4 players."""
    set_up(s, o[0], o[1] - 1)


def acting(s):
    """Who may act now."""
    if s.phase < REMEMBER or s.phase == REVEAL:
        return 1 << CHANCE
    if s.phase == REMEMBER:
        return 1 << (s.turn if s.turn < s.players else CHANCE)
    if s.phase == REFLECT:
        return 1 << CHANCE if drawing(s) >= 0 else reflecting(s)
    return 0 if s.phase == OVER else rewarding(s)


def legal(s, seat, mask):
    """The answers to the question that the seat has before it."""
    if s.phase == REMEMBER:
        legal_remember(s, seat, mask)
    elif s.phase == REFLECT:
        legal_reflect(s, seat, mask)
    elif giving(s):
        legal_give(s, seat, mask)
    else:
        mask[COUNT] = 1


def odds(s, weights):
    """What chance may draw, and how likely."""
    if s.phase < REMEMBER:
        odds_of_prepare(s, weights)
    elif s.phase == REMEMBER:
        odds_of_wish(s, weights)
    elif s.phase == REFLECT:
        odds_of_bag(s, weights)
    else:
        odds_of_aspiration(s, weights)


def apply(s, seat, action):
    """Carry out a legal action, and pass from phase to phase."""
    if s.phase < REMEMBER:
        if prepare(s, action):
            begin_remember(s)
    elif s.phase == REMEMBER:
        if wish(s, action - WISH) if seat == CHANCE else remember(s, seat, action):
            begin_reflect(s)
    elif s.phase == REFLECT:
        if seat == CHANCE:
            drawn(s, action - DRAW)
        elif reflect(s, seat, action):
            begin_reward(s)
    else:
        reward_step(s, seat, action)


def reward_step(s, seat, action):
    """Count points, choose a fragment for a slot, or turn the automa's aspiration over."""
    if seat == CHANCE:
        reveal_automa(s, action - ASPIRE_TO)
    elif action != COUNT:
        chosen(s, seat, (action - PICK) // 5)
    elif count_points(s):
        begin_round(s)


def reach(s, seat):
    """Where among the actions to look: a hint for speed, never narrower than `legal` and `odds`."""
    if seat == CHANCE:
        return reach_of_chance(s)
    task = s.task[seat]
    if task == TAKE:
        return LEFT, PICK
    if task == CHOOSE:
        return DONE, LAY_ON
    if task in (ADD, SPECULATING):
        return PLACE, PICK
    if task == LAY:
        return LAY_ON, COLOUR
    if task in (SPLIT_INTO, COMBINE_INTO):
        return COLOUR, COUNT
    if s.phase > REFLECT and task != GIVE:
        return COUNT, BEGIN
    return (PLACE, PICK) if s.held[seat] >= 0 and s.phase == REMEMBER else (PLACE, USE)


def reach_of_chance(s):
    """Where the draws of chance are."""
    if s.phase == FRAGMENTS or s.phase == REFLECT:
        return DRAW, WISH
    if s.phase == REMEMBER:
        return WISH, END
    if s.phase == MOMENTS:
        return MOMENT, DRAW
    return BEGIN, MOMENT


def points(s, out):
    """Points as they stand, by category."""
    for seat in range(SEATS):
        for n in range(ROUNDS):
            for kind in range(4):
                out[seat, kind] += s.score[seat, n, kind]


def ties(s, out):
    """The better aspiration; then whoever came later in the order of the final round."""
    for seat in range(s.players):
        out[seat, 0] = s.score[seat, ROUNDS - 1, BY_ASPIRATION]
        out[seat, 1] = (seat - s.start) % s.takers


def redeal(s, seat, r):
    """Re-draw the aspirations that the seat has not seen, from those it has not seen."""
    for other in range(s.players):
        if s.aspiration[other] >= 0 and not sees(s, seat, other):
            s.aspiration[other] = -1
    for other in range(s.players):
        if s.aspiration[other] < 0 and s.shown[other, other]:
            s.aspiration[other] = any_left(s, r)


def sees(s, seat, other):
    """The seat has seen the other's aspiration; a spectator has when everybody has."""
    if seat >= 0:
        return s.shown[seat, other]
    for watcher in range(SEATS):
        if not s.shown[watcher, other]:
            return 0
    return 1


def any_left(s, r):
    """An aspiration that no seat has."""
    left = 5
    for other in range(s.takers):
        if s.aspiration[other] >= 0:
            left -= 1
    k = below(r, left)
    for colour in range(5):
        free = 1
        for other in range(s.takers):
            if s.aspiration[other] == colour:
                free = 0
        if free:
            if k == 0:
                return colour
            k -= 1
    return -1
