"""Cards that lie face down. What nobody has looked at is no card in particular: chance deals it when somebody first looks.

For rule functions, plain, compiled and on a GPU. A record that has these fields may use them:

    card=Field(known("known", "sight"), PLACES),   # the card at each place; -1: nobody has looked yet
    known=Field(EVERYONE, SEATS, of=PLACES),       # where the seat has been shown the card
    sight=Field(EVERYONE, SEATS, of=PLACES),       # where it sees it now
    unseen=Field(NOBODY, of=CARDS),                # the cards at which nobody has looked

Where there are two of a card, `unseen` is of `twice(CARDS)`, and both are cards of the same number.
"""

from __future__ import annotations

from collections.abc import Sequence

from recollect.engine.sets import member, size
from recollect.engine.stream import below

SECOND = 32  # in a set of unseen cards, so far above a card stands the second like it


def twice(cards: Sequence[str]) -> tuple[str, ...]:
    """The labels of a set in which each card may be twice."""
    return (*cards, *(f"-{i}" for i in range(len(cards), SECOND)), *(f"{card}-2" for card in cards))


def undealt(s):
    """What a card that is looked at for the first time may be: a set."""
    return s.unseen & 0xFFFFFFFF


def copies(s, card):
    """How many of a card nobody has looked at."""
    twins = s.unseen >> card
    return (twins & 1) + (twins >> SECOND & 1)


def deal(s, p, card):
    """What lies at p is this card; until now nobody could know."""
    s.card[p] = card
    second = (s.unseen >> (card + SECOND)) & 1
    s.unseen &= ~(1 << (card + SECOND * second))


def show(s, seat, p):
    """The card at p lies in the seat's sight."""
    s.known[seat] |= 1 << p
    s.sight[seat] |= 1 << p


def show_all(s, p):
    """The card at p lies open: every seat sees it, taken or not, and so does who looks on."""
    for seat in range(s.known.shape[0]):
        show(s, seat, p)


def hide_all(s):
    """No card lies in anybody's sight."""
    for seat in range(s.sight.shape[0]):
        s.sight[seat] = 0


def uncover(s):
    """After the end what somebody has been shown is turned up for all; the rest never was any card."""
    places = 0
    for seat in range(s.known.shape[0]):
        places |= s.known[seat]
    for seat in range(s.known.shape[0]):
        s.known[seat] = s.sight[seat] = places


def seen_by(s, seat):
    """Where the seat has been shown the card; a spectator: where everybody has."""
    if seat >= 0:
        return s.known[seat]
    places = s.known[0]
    for other in range(1, s.known.shape[0]):
        places &= s.known[other]
    return places


def redeal(s, seat, r):
    """Cards that others have looked at and this seat has not are shuffled back among the unseen, and dealt again."""
    seen = seen_by(s, seat)
    for p in range(s.card.shape[0]):
        if s.card[p] >= 0 and not (seen >> p) & 1:
            first = (s.unseen >> s.card[p]) & 1
            s.unseen |= 1 << (s.card[p] + SECOND * first)
    for p in range(s.card.shape[0]):
        if s.card[p] >= 0 and not (seen >> p) & 1:
            deal(s, p, member(s.unseen, below(r, size(s.unseen))) % SECOND)


def count_unseen(s, cards):
    """Of all these cards, nobody has looked at those that lie nowhere; for a forged position of a game that has each card once."""
    s.unseen = cards
    for p in range(s.card.shape[0]):
        if s.card[p] >= 0:
            s.unseen &= ~(1 << s.card[p])
