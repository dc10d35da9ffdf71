"""`python -m recollect.minds.compiling GAME [COMPONENTS]`: compile a game's search and keep it, in a process of its own."""

import os
import sys

from recollect.engine.shelf import load
from recollect.minds.thinking import warm

if __name__ == "__main__":
    os.nice(10)  # the table comes first
    warm(load(*sys.argv[1:3]))
