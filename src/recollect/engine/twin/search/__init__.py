"""Thinking in the language of the rules. Loaded beside a game's rules and its worth.py, and compiled; nothing here allocates.

    worth(s, seat, w)       what a position is worth to a seat                       (worth.py must say)
    turn(s)                 a number that changes when a turn ends, though the same seat goes on      (may say)
    settled(s)              here a search may stop and rate: a round is over                          (may say)
    shown(s)                what the last action showed to everybody: what it leads to is another case for each             (may say)
    sensible(s, seat, r)    a quick, sensible action, for playing out                                 (may say)

Records lie in an array `states`; `raw` is the same memory as words, so that a copy is a copy of words. states[0] is where to begin.
"""

from .contest import contest, contests
from .exact import solve
from .tree import descend
from .turn import turns

__all__ = ["contest", "contests", "descend", "solve", "turns"]
