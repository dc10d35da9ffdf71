"""Vivid Memories: three rounds of Prepare, Remember, Reflect and Reward."""

from recollect.engine import CHANCE, Option, below, member, size

from .automa import wish_choices, wished
from .fragments import derive, picks
from .layout import ACTIONS, ASPIRE_TO, COUNT, DRAW, LEVELS, OVER, PICK, REFLECT, REMEMBER, REVEAL, ROUNDS, SEATS, STATE, WISH
from .prepare import bag_choices, begin_round, deal, free_aspirations, prepare_choices, set_up, takers
from .reflect import ask_reflect, begin_reflect, drawing, drawn, reflect_step, reflecting
from .remember import ask_remember, begin_remember, remember_step
from .reward import ask_reward, begin_reward, chosen, count_points, paid, reveal_automa, rewarding

__all__ = ["ACTIONS", "SEATS", "STATE", "derive"]

VERSION = 1
BOXES = {"91dd0c15111c0721": "0152166cfb9c99cd"}  # the outline and the order of the bank were not told at first
OPTIONS = (
    Option("players", (1, 2, 3, 4), default=2),  # 1: against the house automa
    Option("start", ("random", "first", "second", "third", "fourth"), default="random"),
    Option("automa", LEVELS, default="goldfish"),  # how well it plays, for one who plays alone
    Option("hints", (False, True), default=False, rules=False),  # whether who is asked may ask the elephant
)
POINTS = ("moments", "threads", "core", "aspiration")
TIES = ("aspiration", "order")  # later in the order of the final round wins
RANKED = {1: 2}  # alone, the house automa has its place in the ranking
PACED = ("count",)
UNEVEN = ("draw",)  # the bag does not hold as many of every colour
VARIANTS = ({"players": 1}, {"players": 1, "automa": "elephant"}, {"players": 2}, {"players": 3, "start": "second"}, {"players": 4})


def setup(s, o):
    """Set the table for 1 to 4 players."""
    set_up(s, o[0], o[1] - 1, o[2])


def acting(s):
    """Who may act now."""
    if s.phase == REMEMBER:
        return 1 << (s.turn if s.turn < s.players else CHANCE)
    if s.phase == REFLECT:
        return 1 << CHANCE if drawing(s) >= 0 else reflecting(s)
    if s.phase < REMEMBER or s.phase == REVEAL:
        return 1 << CHANCE
    return 0 if s.phase == OVER else rewarding(s)


def choices(s, seat):
    """The answers to the question that the seat has before it, or what chance may draw."""
    if seat == CHANCE:
        return draws(s)
    first, some, hexes, colours = ask(s, seat)
    if hexes == 0:
        return first, some, 0
    return picks(s, seat, hexes, colours, some)


def ask(s, seat):
    """The question as choices from `first` on, or as hexes whose fragments of some colours may be picked (then `some` is: or done)."""
    if s.phase == REMEMBER:
        return ask_remember(s, seat)
    if s.phase == REFLECT:
        return ask_reflect(s, seat)
    return ask_reward(s, seat)


def draws(s):
    """What chance may draw."""
    if s.phase < REMEMBER:
        return prepare_choices(s)
    if s.phase == REMEMBER:
        return wish_choices(s)
    if s.phase == REFLECT:
        return bag_choices(s)
    return ASPIRE_TO, free_aspirations(s), 0


def question(s, seat):
    """Which question it is, as a number below 62: on a GPU, games that stand before the same one are played on together."""
    return s.phase if seat == CHANCE or s.phase < REMEMBER or s.phase > REFLECT else OVER + 1 + s.task[seat]


def odds(s, action):
    """Each fragment in the bag is as likely."""
    return s.bag[action - DRAW]


def apply(s, seat, action):
    """Carry out a legal action, and pass from phase to phase."""
    if s.phase == REFLECT:
        if seat == CHANCE:
            drawn(s, action - DRAW)
        elif reflect_step(s, seat, action):
            begin_reward(s)
    elif s.phase == REMEMBER:
        if wished(s, action - WISH) if seat == CHANCE else remember_step(s, seat, action):
            begin_reflect(s)
    elif s.phase < REMEMBER:
        if deal(s, action):
            begin_remember(s)
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


def points(s, out):
    """Points as they stand, by category."""
    for seat in range(SEATS):
        for n in range(ROUNDS):
            for kind in range(4):
                out[seat, kind] += paid(s, seat, n, kind)


def ties(s, out):
    """The better aspiration; then whoever came later in the order of the final round."""
    for seat in range(takers(s)):
        out[seat, 0] = s.aspired[seat]
        out[seat, 1] = (seat - s.start) % takers(s)


def redeal(s, seat, r):
    """Re-draw the aspirations that the seat has not seen, from those it has not seen."""
    for other in range(s.players):
        if s.aspiration[other] >= 0 and not sees(s, seat, other):
            s.aspiration[other] = -1
    for other in range(s.players):
        if s.aspiration[other] < 0 and (s.shown[other] >> other) & 1:
            free = free_aspirations(s)
            s.aspiration[other] = member(free, below(r, size(free)))


def sees(s, seat, other):
    """The seat has seen the other's aspiration; a spectator has when everybody has."""
    if seat >= 0:
        return (s.shown[seat] >> other) & 1
    for watcher in range(SEATS):
        if not (s.shown[watcher] >> other) & 1:
            return 0
    return 1
