"""`python -m recollect.minds.compiling GAME [COMPONENTS]`: compile a game's search and keep it, in a process of its own."""

import sys

from recollect.engine.game import load
from recollect.minds.thinking import warm

if __name__ == "__main__":
    warm(load(*sys.argv[1:3]))
