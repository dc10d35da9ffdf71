"""For who keeps the house: whether it lives, whether it may be sent people, and its numbers (in Prometheus's text format)."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator

from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response

from recollect.engine.shelf import games
from recollect.table.house import House, house_of
from recollect.table.store.database import UNREAD

BEGUN = time.time()


async def health(request: Request) -> Response:
    """It lives, and its store keeps what is played."""
    trouble = outside(await house_of(request).watch.known())
    return JSONResponse({"ok": not trouble, "games": games(), **({"trouble": trouble} if trouble else {})}, 503 if trouble else 200)


async def ready(request: Request) -> Response:
    """People may be sent here: it is not about to close, its store answers, and it hears what other processes do."""
    house = house_of(request)
    trouble = "it closes" if house.resting else outside(await house.watch.known())
    if not trouble and house.rooms.town and not house.rooms.town.hears:
        trouble = "it does not hear the other processes yet"
    return JSONResponse({"ready": not trouble, **({"trouble": trouble} if trouble else {})}, 503 if trouble else 200)


def outside(trouble: str) -> str:
    """What is wrong, for anybody who asks; where the store is, and by which name it is asked, stands in the log alone."""
    what, _, why = trouble.partition(": ")
    return what if what == UNREAD or "connection" in why else trouble


async def metrics(request: Request) -> Response:
    """Numbers of this process. They say nothing of who plays what."""
    lines = [line for name, kind, value, says in numbers(house_of(request)) for line in written(name, kind, value, says)]
    return PlainTextResponse("\n".join(lines) + "\n", media_type="text/plain; version=0.0.4")


def written(name: str, kind: str, value: float, says: str) -> Iterator[str]:
    yield f"# HELP {name} {says}"
    yield f"# TYPE {name} {kind}"
    yield f"{name} {value:.17g}"


def numbers(house: House) -> Iterator[tuple[str, str, float, str]]:
    rooms, writer = list(house.rooms.all()), house.writer
    town = house.rooms.town
    yield "recollect_tables", "gauge", len(rooms), "Tables in use in this process."
    yield "recollect_tables_tended", "gauge", town.held() if town else len(rooms), "Tables that this process looks after."
    yield "recollect_pages", "gauge", sum(len(room.screens) for room in rooms), "Pages open at this process."
    yield "recollect_processes", "gauge", len(town.alive) if town else 1, "Processes that serve the same store."
    yield "recollect_changes_total", "counter", writer.changes, "Changes stored: moves, and what was shown to whom."
    yield "recollect_changes_refused_total", "counter", writer.refused, "Changes that were not stored, or that another process overtook."
    yield "recollect_commits_total", "counter", writer.commits, "Commits; many changes may share one."
    yield "recollect_commit_seconds_total", "counter", writer.seconds, "Time spent in commits."
    yield "process_start_time_seconds", "gauge", BEGUN, "When this process began."
    yield "process_cpu_seconds_total", "counter", time.process_time(), "Processor time."
    if memory := resident():
        yield "process_resident_memory_bytes", "gauge", memory, "Memory in use."


def resident() -> int:
    """Where the system tells it."""
    try:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 0
