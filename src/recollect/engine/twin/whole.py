"""For games that do not say where to look: the whole range of actions."""

from .rules import ACTIONS

COUNT = ACTIONS.count


def reach(s, seat):
    """First and one past the last action that can be legal, or drawn, now."""
    return 0, COUNT
