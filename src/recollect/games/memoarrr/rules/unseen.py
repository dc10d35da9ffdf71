"""What a seat cannot know, dealt again."""

from recollect.engine import below, member, size

from .layout import SEATS


def redeal(s, seat, r):
    """Cards that others have looked at and this seat has not become any of those it has not seen."""
    seen, free = places_seen(s, seat), (1 << 25) - 1
    for p in range(25):
        if s.card[p] >= 0 and (seen >> p) & 1:
            free &= ~(1 << s.card[p])
    for p in range(25):
        if s.card[p] >= 0 and not (seen >> p) & 1:
            c = member(free, below(r, size(free)))
            s.card[p] = c
            free &= ~(1 << c)
    derive(s)


def places_seen(s, seat):
    """Where the seat has been shown the card; a spectator: where everybody has."""
    if seat >= 0:
        return s.known[seat]
    seen = (1 << 25) - 1
    for other in range(SEATS):
        seen &= s.known[other]
    return seen


def derive(s):
    """What follows from the cards on the island: those at which nobody has looked are the others."""
    s.unseen = (1 << 25) - 1
    for p in range(25):
        if s.card[p] >= 0:
            s.unseen &= ~(1 << s.card[p])
