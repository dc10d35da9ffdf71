"""Elephants think at many tables: how long does a click at another table wait for its answer?

    python bench/thinkers.py [--tables 20] [--games vivid dejavu] [--seconds 40]

Tables of two elephants each, at a pace at which they hardly pause, and one table of two people who click ten times a second. The search
is compiled before the server starts. Processor time says how busy the thinkers kept the machine.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import random
import subprocess
import sys
import time

import httpx
from load import Server, Tally, quantile, set_table, sit
from websockets.asyncio.client import connect

CLICK = 0.1  # seconds between two clicks
PACE = 0.001  # of waiting times: nobody pauses for long
STILL = 4  # seconds after which a table where nothing happens is over
WARM_UP = 12  # seconds in which the thinkers get under way


async def elephants(client: httpx.AsyncClient, url: str, game: str) -> str:
    """A table of two elephants; its id."""
    form = {"players": "2", "seat0": "bot:elephant", "seat1": "bot:elephant"}
    made = await client.post(f"/new/{game}", data=form, headers={"origin": url})
    client.cookies.clear()
    return str(made.headers["location"].rsplit("/", 1)[1])


async def keep_thinking(client: httpx.AsyncClient, url: str, game: str, moved: list[int]) -> None:
    """A table of elephants, and when its game is over another one."""
    while True:
        id = await elephants(client, url, game)
        async with connect(f"{url.replace('http', 'ws')}/t/{id}/live", max_size=None) as socket:
            with contextlib.suppress(TimeoutError):
                while True:  # what comes is counted and not read: this process also measures
                    await asyncio.wait_for(socket.recv(), STILL)
                    moved[0] += 1


async def measure(server: Server, tables: int, games: list[str], seconds: float) -> None:
    tally, rng = Tally(), random.Random(1)
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        id, cookies = await set_table(client, server.url, "vivid")
        pages, moved = [await sit(server.url, id, cookie, tally) for cookie in cookies], [0]
        thinkers = [asyncio.create_task(keep_thinking(client, server.url, games[k % len(games)], moved)) for k in range(tables)]
        await asyncio.sleep(WARM_UP)
        tally.on, cpu, begun, moved[0] = True, server.cpu, time.perf_counter(), 0
        while time.perf_counter() - begun < seconds:
            await asyncio.sleep(CLICK)
            mover = next((page for page in rng.sample(pages, 2) if page.acts), None)
            if mover:
                await mover.act(rng.choice(mover.acts))
        wall = time.perf_counter() - begun
        for thinker in thinkers:
            thinker.cancel()
    busy = f"{moved[0] / wall:.0f} pages a second, server {(server.cpu - cpu) / wall:.2f} cores"
    half, most = (quantile(tally.waits, q) for q in (0.5, 0.99))
    answered = f"answered in {half:.0f} ms (median), {most:.0f} ms (99%), {max(tally.waits) * 1e3:.0f} ms (worst)"
    print(f"{tables} tables of two elephants ({'+'.join(games)}): {busy}; {len(tally.waits)} clicks elsewhere {answered}")
    await asyncio.gather(*(page.socket.close() for page in pages))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--games", nargs="+", default=["vivid", "dejavu"])
    parser.add_argument("--seconds", type=float, default=40)
    given = parser.parse_args()
    for game in given.games:
        subprocess.run([sys.executable, "-m", "recollect.minds.compiling", game], check=True)
    server = Server(PACE)
    try:
        asyncio.run(measure(server, given.tables, given.games, given.seconds))
    finally:
        server.process.kill()


if __name__ == "__main__":
    main()
