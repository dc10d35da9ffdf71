"""Where companions think, and hints are found: a core is left to the table, which answers clicks, and thinking gives way to it."""

from __future__ import annotations

import asyncio
import os
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

NICE = 10
SWITCH = 0.0005  # seconds after which a thread that thinks in Python lets the event loop have the interpreter: ten times sooner than usual
T = TypeVar("T")


def give_way() -> None:
    """This thread alone: Linux knows threads by number, as it does processes; elsewhere nothing is lost but politeness."""
    sys.setswitchinterval(SWITCH)
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


POOL = ThreadPoolExecutor(max(1, (os.cpu_count() or 1) - 1), "thinker", initializer=give_way)


async def think(about: Callable[..., T], *given: object) -> T:
    """Do this in a thread that thinks; the event loop goes on."""
    return await asyncio.get_running_loop().run_in_executor(POOL, about, *given)
