"""Awakening: points at the end, and as they stand."""

from recollect.engine import size

from ..components import (
    CARD_POINTS,
    EACH,
    EACH_GOALS,
    GOALS_OF_COLOUR,
    LINK,
    NEXT,
    OF_COLOUR,
    RUN,
    RUN_GOALS,
    RUNS,
    SAME_COLOUR,
    SET,
    SET_GOALS,
    VALUES,
    WHITE,
    WHITE_CARDS,
    WHITE_GOALS,
)

POINTS = ("tokens", "cards", "colours", "fragments", "links")
TIES = ()  # equal points share the victory
TOKENS, FIXED, COLOUR_GOALS, FRAGMENT_GOALS, LINKS = range(len(POINTS))
ALL_VALUES = (1 << VALUES) - 1


def points(s, out):
    """Tokens, fixed points, goals of common cards, links; nothing for short-term memory."""
    for seat in range(s.players):
        long = s.long[seat]
        out[seat, TOKENS] = s.tokens[seat]
        out[seat, FIXED] = fixed_points(long)
        out[seat, COLOUR_GOALS] = colour_goals(long)
        out[seat, FRAGMENT_GOALS] = fragment_goals(long, s.found[seat])
        out[seat, LINKS] = LINK * links(long)


def fixed_points(long):
    """The numbers in the top right corners of the cards."""
    n = 0
    while long:
        n += CARD_POINTS[size((long & -long) - 1)]
        long &= long - 1
    return n


def colour_goals(long):
    """1/3/6/10/15 for cards of this card's colour, 3/6/10/15/21 for white ones, these cards included."""
    n = size(long & WHITE_GOALS) * WHITE_CARDS[min(5, size(long & OF_COLOUR[WHITE]))]
    for colour in range(WHITE + 1):
        n += size(long & GOALS_OF_COLOUR[colour]) * SAME_COLOUR[min(5, size(long & OF_COLOUR[colour]))]
    return n


def links(long):
    """Pairs of cards of one colour with consecutive numbers; 7 and 1 are consecutive."""
    n = 0
    rest = long
    while rest:
        n += (long >> NEXT[size((rest & -rest) - 1)]) & 1
        rest &= rest - 1
    return n


def fragment_goals(long, found):
    """The best use of the fragments, each for one card: try every choice of sets; what is left makes runs, then pays each."""
    each = EACH if long & EACH_GOALS else 0
    triples = found & (found >> VALUES) & (found >> (2 * VALUES)) & ALL_VALUES if long & SET_GOALS else 0
    best = 0
    sets = triples
    while True:
        worth = SET * size(sets)
        for kind in range(3):
            worth += kind_worth((found >> (kind * VALUES)) & ALL_VALUES & ~sets, size(long & RUN_GOALS[kind]), each)
        best = max(best, worth)
        if sets == 0:
            return best
        sets = (sets - 1) & triples


def kind_worth(values, run_cards, each):
    """Fragments of one kind: the longest run for each card that wants one, the others at the price for any."""
    in_runs = 0
    if run_cards > 0:
        in_runs += RUNS[values, 0]
    if run_cards > 1:
        in_runs += RUNS[values, 1]
    return RUN * in_runs + each * (size(values) - in_runs)
