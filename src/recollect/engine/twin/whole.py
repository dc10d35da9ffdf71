"""For games that do not say where to look, or do not give their choices as sets."""

from .rules import ACTIONS

COUNT = ACTIONS.count


def reach(s, seat):
    """First and one past the last action that can be legal, or drawn, now."""
    return 0, COUNT


def choices(s, seat):
    """No set: `legal` and `odds` are asked."""
    return 0
