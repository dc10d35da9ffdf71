"""For games that give their choices as sets: the legal mask and the odds follow from them."""

from recollect.engine.sets import spread
from recollect.engine.stream import CHANCE

from .rules import choices, reach


def legal(s, seat, mask):
    """What is among the choices is legal."""
    first, last = reach(s, seat)
    spread(choices(s, seat), first, last, mask)


def odds(s, weights):
    """What chance has to choose from is all as likely."""
    first, last = reach(s, CHANCE)
    spread(choices(s, CHANCE), first, last, weights)
