"""`python -m recollect.minds.compiling GAME [COMPONENTS]`: compile a game's search and keep it, in a process of its own."""

import os
import sys
import threading
import time

from recollect.engine.shelf import load
from recollect.minds.thinking import warm


def end_with(parent: int) -> None:
    """Nobody waits for what is compiled once the house has closed."""
    while os.getppid() == parent:
        time.sleep(1)
    os._exit(0)


if __name__ == "__main__":
    os.nice(10)  # the table comes first
    threading.Thread(target=end_with, args=(os.getppid(),), daemon=True).start()
    warm(load(*sys.argv[1:3]))
