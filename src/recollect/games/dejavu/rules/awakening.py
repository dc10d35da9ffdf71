"""Awakening: points at the end, and as they stand."""

from recollect.engine import size

from ..components import (
    CARD_COLOUR,
    CARD_POINTS,
    EACH,
    GOAL,
    GOAL_KIND,
    LINK,
    NUMBER,
    NUMBERS,
    RUN,
    RUNS,
    SAME_COLOUR,
    SET,
    VALUES,
    WHITE,
    WHITE_CARDS,
)
from .layout import CARD_KINDS, ORDINARIES

POINTS = ("tokens", "cards", "colours", "fragments", "links")
TIES = ()  # equal points share the victory
TOKENS, FIXED, COLOUR_GOALS, FRAGMENT_GOALS, LINKS = range(len(POINTS))
G_SAME, G_WHITE, G_RUN, G_SET, G_EACH = range(5)
ALL_VALUES = (1 << VALUES) - 1


def points(s, out):
    """Tokens, fixed points, goals of common cards, links; nothing for short-term memory."""
    for seat in range(s.players):
        out[seat, TOKENS] = s.tokens[seat]
        out[seat, FIXED] = fixed_points(s, seat)
        out[seat, COLOUR_GOALS] = colour_goals(s, seat)
        out[seat, FRAGMENT_GOALS] = fragment_goals(s, seat)
        out[seat, LINKS] = LINK * links(s, seat)


def fixed_points(s, seat):
    """The numbers in the top right corners."""
    n = 0
    for card in range(CARD_KINDS):
        n += s.long[seat, card] * CARD_POINTS[card]
    return n


def of_colour(s, seat, colour):
    """Numbers of the seat's cards of a colour, one binary digit each."""
    numbers = 0
    for card in range(CARD_KINDS):
        if s.long[seat, card] and CARD_COLOUR[card] == colour:
            numbers |= 1 << (NUMBER[card] - 1)
    return numbers


def colour_goals(s, seat):
    """1/3/6/10/15 for cards of this card's colour, 3/6/10/15/21 for white ones, these cards included."""
    n = 0
    for card in range(ORDINARIES, CARD_KINDS):
        if s.long[seat, card] and GOAL[card] == G_SAME:
            n += SAME_COLOUR[min(5, size(of_colour(s, seat, CARD_COLOUR[card])))]
        elif s.long[seat, card] and GOAL[card] == G_WHITE:
            n += WHITE_CARDS[min(5, size(of_colour(s, seat, WHITE)))]
    return n


def links(s, seat):
    """Pairs of cards of one colour with consecutive numbers; 7 and 1 are consecutive."""
    n = 0
    for colour in range(WHITE + 1):
        numbers = of_colour(s, seat, colour)
        n += size(numbers & ((numbers >> 1) | ((numbers & 1) << (NUMBERS - 1))))
    return n


def values_found(s, seat, kind):
    """Values of the seat's fragments of a kind, one binary digit each."""
    values = 0
    for value in range(VALUES):
        values |= s.found[seat, kind * VALUES + value] << value
    return values


def goals_of(s, seat, goal, kind):
    """How many cards with this goal (a run: of this kind) the seat has."""
    n = 0
    for card in range(ORDINARIES, CARD_KINDS):
        if s.long[seat, card] and GOAL[card] == goal and (goal != G_RUN or GOAL_KIND[card] == kind):
            n += 1
    return n


def fragment_goals(s, seat):
    """The best use of the fragments, each for one card: try every choice of sets; what is left makes runs, then pays each."""
    a = values_found(s, seat, 0)
    b = values_found(s, seat, 1)
    c = values_found(s, seat, 2)
    triples = a & b & c if goals_of(s, seat, G_SET, 0) else 0
    each = EACH if goals_of(s, seat, G_EACH, 0) else 0
    run_a = goals_of(s, seat, G_RUN, 0)
    run_b = goals_of(s, seat, G_RUN, 1)
    run_c = goals_of(s, seat, G_RUN, 2)
    best = 0
    for sets in range(ALL_VALUES + 1):
        if sets & ~triples == 0:
            rest = ALL_VALUES & ~sets
            worth = (
                SET * size(sets) + kind_worth(a & rest, run_a, each) + kind_worth(b & rest, run_b, each) + kind_worth(c & rest, run_c, each)
            )
            best = max(best, worth)
    return best


def kind_worth(values, run_cards, each):
    """Fragments of one kind: the longest run for each card that wants one, the others at the price for any."""
    in_runs = 0
    if run_cards > 0:
        in_runs += RUNS[values, 0]
    if run_cards > 1:
        in_runs += RUNS[values, 1]
    return RUN * in_runs + each * (size(values) - in_runs)
