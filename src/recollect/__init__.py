"""Recollect: a table for games of memory.

>>> import recollect
>>> recollect.load("memoarrr")
<Game memoarrr, rules version 1>
"""

from recollect.engine.batch import Batch
from recollect.engine.game import Game, Standing
from recollect.engine.match import Match, Refused, open_match
from recollect.engine.position import open_position
from recollect.engine.shelf import games as game_names
from recollect.engine.shelf import load

__version__ = "0.1.0"
__all__ = ["Batch", "Game", "Match", "Refused", "Standing", "game_names", "load", "open_match", "open_position"]
