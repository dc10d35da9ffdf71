"""What a seat cannot know, dealt again."""

from recollect.engine import below

from .layout import SEATS


def redeal(s, seat, r):
    """Cards that others have looked at and this seat has not become any of those it has not seen."""
    free = (1 << 25) - 1
    for p in range(25):
        if s.card[p] >= 0 and has_seen(s, seat, p):
            free &= ~(1 << s.card[p])
    for p in range(25):
        if s.card[p] >= 0 and not has_seen(s, seat, p):
            c = pick_card(free, r)
            s.card[p] = c
            free &= ~(1 << c)


def has_seen(s, seat, p):
    """The seat has been shown the card at p; a spectator, if everybody has."""
    if seat >= 0:
        return s.known[seat, p] == 1
    for other in range(SEATS):
        if not s.known[other, p]:
            return False
    return True


def pick_card(free, r):
    """One card of a set, each as likely."""
    n = 0
    for c in range(25):
        n += (free >> c) & 1
    k = below(r, n)
    for c in range(25):
        if (free >> c) & 1:
            if k == 0:
                return c
            k -= 1
    return -1
