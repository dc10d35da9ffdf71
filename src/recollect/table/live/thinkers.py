"""Where companions think, and hints are found: no more threads than cores, and each gives way to the table, which answers clicks."""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import TypeVar

NICE = 10
T = TypeVar("T")


def give_way() -> None:
    """This thread alone: Linux knows threads by number, as it does processes; elsewhere nothing is lost but politeness."""
    with suppress(AttributeError, OSError):
        os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), NICE)


POOL = ThreadPoolExecutor(os.cpu_count() or 1, "thinker", initializer=give_way)


async def think(about: Callable[..., T], *given: object) -> T:
    """Do this in a thread that thinks; the event loop goes on."""
    return await asyncio.get_running_loop().run_in_executor(POOL, about, *given)
