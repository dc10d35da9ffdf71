"""Many tables at once over real sockets: how long a click waits for its answer, and what a move costs.

    python bench/load.py [--tables 100] [--games memoarrr vivid] [--seconds 30]
    python bench/load.py --watch 1000
    python bench/load.py --processes 2 --tables 1000 [--together]
    python bench/load.py --games ptibapt --tables 300 --python ../before/.venv/bin/python

N tables, mixed games, two people each with their own page, one move a table every two seconds, for a bounded time; the client is one
process beside the server's. With --watch, one table of Memoarrr! and so many strangers who look on. Machines differ, and hours too: with
--python another version serves (the Python of its own clone), to be measured in turn with this one.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import httpx
from browser import Page, Tally, open_page

GAMES = ("memoarrr", "ptibapt", "vivid", "dejavu")
EVERY = 2.0  # seconds between two moves of a table
TICK = os.sysconf("SC_CLK_TCK")
run = asyncio.run if find_spec("uvloop") is None else import_module("uvloop").run


def cpu_of(pid: int) -> float:
    """Seconds of processor time so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Server:
    """A server process of its own, over a folder of its own."""

    def __init__(self, pace: float = 1.0, store: str | None = None, python: str = sys.executable) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        where = f"store={store!r}" if store else f"data=Path({tempfile.mkdtemp()!r})"
        given = f"port={self.port}, {where}, pace={pace}"
        self.command = [python, "-c", f"from pathlib import Path; from recollect.table import serve; serve({given})"]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Until it answers."""
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL)
        for _ in range(600):
            try:
                httpx.get(self.url + "/health", timeout=5)
                return
            except httpx.TransportError:
                time.sleep(0.05)
        raise RuntimeError("the server did not start")

    @property
    def cpu(self) -> float:
        """Seconds of processor time so far."""
        return cpu_of(self.process.pid)

    @property
    def memory(self) -> float:
        """Resident, in MB."""
        return int(Path(f"/proc/{self.process.pid}/statm").read_text().split()[1]) * resource.getpagesize() / 1e6


def place(k: int) -> dict[str, str]:
    """Where people come from, as a proxy on this machine says: from one address only so many tables may be set."""
    return {"x-forwarded-for": f"10.0.{k // 250}.{k % 250 + 1}"}


async def set_table(client: httpx.AsyncClient, url: str, game: str, k: int = 0) -> tuple[str, list[str]]:
    """A table of two; its id, and a cookie for each."""
    own = {"origin": url, **place(k)}
    form = {"players": "2", "seat0": "here", "name0": "Mila", "seat1": "open", "first": "first_seat"}
    made = await client.post(f"/new/{game}", data=form, headers=own)
    id = made.headers["location"].rsplit("/", 1)[1]
    client.cookies.clear()  # somebody else
    joined = await client.post(f"/t/{id}/join", data={"name": "Ana"}, headers=own)
    client.cookies.clear()
    return id, [answer.headers["set-cookie"].split(";")[0] for answer in (made, joined)]


async def sit(url: str, id: str, cookie: str | None, tally: Tally, k: int = 0) -> Page:
    return await open_page(url, f"/t/{id}/live", {"Cookie": cookie, **place(k)} if cookie else place(k), tally)


async def play(pages: list[Page], begin: float, until: float, rng: random.Random) -> None:
    """A move every two seconds, of whoever may."""
    clock, news = asyncio.get_running_loop().time, pages[0].news
    when = begin
    while clock() < until:
        await asyncio.sleep(max(0.0, when - clock()))
        mover, acts = next(((page, acts) for page in rng.sample(pages, 2) if (acts := page.acts)), (None, []))
        if mover is None:
            news.clear()
            await asyncio.wait([asyncio.ensure_future(news.wait())], timeout=1)
            continue
        await mover.act(rng.choice(acts))
        when = max(when + EVERY, clock())


class Town:
    """Several processes over one PostgreSQL; the two people of a table are at different ones."""

    def __init__(self, processes: int) -> None:
        sys.path.append(str(Path(__file__).parents[1] / "tests"))
        from postgres import Cluster

        self.cluster = Cluster("max_connections=200")
        self.servers = [Server(store=self.cluster.address) for _ in range(processes)]

    @property
    def database(self) -> float:
        """Seconds of processor time of the database so far."""
        first = int((self.cluster.data / "postmaster.pid").read_text().split()[0])
        stats = [path.read_text().rsplit(")", 1)[1].split() for path in Path("/proc").glob("[0-9]*/stat")]
        return sum(int(fields[11]) + int(fields[12]) for fields in stats if int(fields[1]) == first) / TICK

    def close(self) -> None:
        for server in self.servers:
            server.process.kill()
        self.cluster.remove()


async def load(servers: list[Server], tables: int, games: list[str], seconds: float, town: Town | None = None, apart: int = 1) -> None:
    """`apart`: how many processes on from the first one of a table its second one sits; 0: at the same."""
    tally, empty, many = Tally(), sum(server.memory for server in servers), len(servers)
    async with httpx.AsyncClient(base_url=servers[0].url, timeout=60) as client:
        setting = [await set_table(client, servers[0].url, games[k % len(games)], k) for k in range(tables)]
    seats = [
        [await sit(servers[(k + n * apart) % many].url, id, cookie, tally, k) for n, cookie in enumerate(cookies)]
        for k, (id, cookies) in enumerate(setting)
    ]
    for one, other in seats:
        one.other, other.other, other.news = other, one, one.news
    await asyncio.sleep(1)
    now = asyncio.get_running_loop().time()
    rng = random.Random(1)
    starts = [now + 0.2 + EVERY * rng.random() for _ in seats]
    playing = [asyncio.create_task(play(pages, start, now + seconds, rng)) for pages, start in zip(seats, starts, strict=True)]
    await asyncio.sleep(EVERY)  # the first round warms up
    tally.on, before, begun = True, spent(servers, town), time.perf_counter()
    await asyncio.gather(*playing)
    wall, after = time.perf_counter() - begun, spent(servers, town)
    memory = (sum(server.memory for server in servers) - empty) / tables * 1e3
    print(f"{tables:5} tables {'+'.join(games):30} {report(tally, wall, {who: after[who] - before[who] for who in after}, memory)}")
    for why in sorted(set(tally.refused))[:5]:
        print("      refused:", why)
    await asyncio.gather(*(page.socket.close() for pages in seats for page in pages))


def spent(servers: list[Server], town: Town | None) -> dict[str, float]:
    """Seconds of processor time so far."""
    database = {"database": town.database} if town else {}
    return {"server": sum(server.cpu for server in servers), **database, "client": time.process_time()}


def report(tally: Tally, wall: float, costs: dict[str, float], memory: float) -> str:
    moves = len(tally.waits)
    each = ", ".join(f"{who} {cost / moves * 1e3:5.2f} ms ({cost / wall:.0%} of a core)" for who, cost in costs.items())
    return (
        f"{moves / wall:6.1f} moves/s  click to answer p50 {quantile(tally.waits, 0.5):5.0f} ms,"
        f" p99 {quantile(tally.waits, 0.99):5.0f} ms, to the other's page p50 {quantile(tally.across, 0.5):5.0f} ms,"
        f" p99 {quantile(tally.across, 0.99):5.0f} ms  CPU a move: {each}"
        f"  packed bytes a move and seat: median {statistics.median(tally.sizes):5.0f}, mean {statistics.mean(tally.sizes):5.0f}"
        f"  memory {memory:4.0f} kB a table  refused {len(tally.refused)}"
    )


async def watch(server: Server, strangers: int) -> None:
    """Reveals before many who look on: when the click is answered, and what it costs to tell everybody."""
    tally = Tally(on=True)
    async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
        id, cookies = await set_table(client, server.url, "memoarrr")
    pages = [await sit(server.url, id, cookie, tally) for cookie in cookies]
    crowd = [await sit(server.url, id, None, Tally()) for _ in range(strangers)]
    await asyncio.sleep(1)
    rng, waits, costs, told = random.Random(1), [], [], []
    for _ in range(12):
        mover = next((page for page in pages if page.acts), None)
        if mover is None:
            await asyncio.sleep(1)
            continue
        cpu, begun, n = server.cpu, time.perf_counter(), mover.n
        await mover.act(rng.choice(mover.acts))
        waits.append(time.perf_counter() - begun)
        while any(page.n <= n for page in crowd):
            await asyncio.sleep(0.005)
        told.append(time.perf_counter() - begun)
        await asyncio.sleep(0.5)
        costs.append(server.cpu - cpu)
    print(
        f"{strangers} who look on: answered in {quantile(waits, 0.5):.0f} ms (worst {max(waits) * 1e3:.0f}), all told after"
        f" {quantile(told, 0.5):.0f} ms, {statistics.median(costs):.2f} s of CPU"
    )
    await asyncio.gather(*(page.socket.close() for page in pages + crowd))


def quantile(times: list[float], q: float) -> float:
    """In milliseconds."""
    return sorted(times)[min(len(times) - 1, int(q * len(times)))] * 1e3


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tables", type=int, default=100)
    parser.add_argument("--games", nargs="+", choices=GAMES, default=list(GAMES))
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--processes", type=int, default=0, help="so many over one PostgreSQL, the people of a table at different ones")
    parser.add_argument("--together", action="store_true", help="the people of a table at the same one, as behind a proxy that sees to it")
    parser.add_argument("--watch", type=int, default=0, help="so many strangers at one table, instead")
    parser.add_argument("--python", default=sys.executable, help="whose Recollect serves, if not this one")
    given = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    town = Town(given.processes) if given.processes else None
    servers = town.servers if town else [Server(python=given.python)]
    try:
        apart = 0 if given.together else 1
        run(watch(servers[0], given.watch) if given.watch else load(servers, given.tables, given.games, given.seconds, town, apart))
    finally:
        if town:
            town.close()
        else:
            servers[0].process.kill()


if __name__ == "__main__":
    main()
