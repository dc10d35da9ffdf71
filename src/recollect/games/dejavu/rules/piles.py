"""A pile of bits, or of cards, is one number: kind k lies there when binary digit k is set, twice when digit 30 + k is set too."""

from ..components import BITS

KINDS = len(BITS)  # as many as ordinary cards
ONE_EACH = (1 << KINDS) - 1


def kinds_of(pile):
    """The kinds that lie in the pile."""
    return pile & ONE_EACH


def added(pile, kind):
    """The pile with one more of a kind."""
    one = 1 << kind
    return pile | one | (pile & one) << KINDS


def taken(pile, kind, kinds):
    """The pile with one less of a kind, of so many kinds."""
    return pile & ~(1 << (kind + kinds if (pile >> (kind + kinds)) & 1 else kind))


def copies(pile, kind):
    """How many of a kind."""
    return ((pile >> kind) & 1) + ((pile >> (KINDS + kind)) & 1)


def together(a, b):
    """Two piles as one."""
    return a | b | (a & b & ONE_EACH) << KINDS
