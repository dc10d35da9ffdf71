"""The treasures, counted."""

from .layout import ROUNDS


def points(s, out):
    """Rubies of the treasures a player holds, as far as they are open."""
    for k in range(ROUNDS):
        if s.owner[k] >= 0:
            out[s.owner[k], 0] += s.rubies[k]


def ties(s, out):
    """More treasures win a tie; then the richest single treasure."""
    for k in range(ROUNDS):
        if s.owner[k] >= 0:
            out[s.owner[k], 0] += 1
            if s.rubies[k] > out[s.owner[k], 1]:
                out[s.owner[k], 1] = s.rubies[k]
