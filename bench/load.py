"""Many tables at once over real sockets: how long a click waits for its answer, and what a move costs.

    python bench/load.py [--tables 100] [--games memoarrr vivid] [--seconds 30]
    python bench/load.py --watch 1000
    python bench/load.py --processes 2 --tables 1000

N tables, mixed games, two people each with their own page, one move a table every two seconds, for a bounded time; the client is one
process beside the server's. With --watch, one table of Memoarrr! and so many strangers who look on.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from recollect.table.render.parts import after

GAMES = ("memoarrr", "ptibapt", "vivid", "dejavu")
EVERY = 2.0  # seconds between two moves of a table
TICK = os.sysconf("SC_CLK_TCK")


def cpu_of(pid: int) -> float:
    """Seconds of processor time so far."""
    fields = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / TICK


class Server:
    """A server process of its own, over a folder of its own."""

    def __init__(self, pace: float = 1.0, store: str | None = None) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        where = f"store={store!r}" if store else f"data=Path({tempfile.mkdtemp()!r})"
        given = f"port={self.port}, {where}, pace={pace}"
        self.command = [sys.executable, "-c", f"from pathlib import Path; from recollect.table import serve; serve({given})"]
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


class Counting(ClientConnection):
    """Counts what comes over the wire, packed as it is."""

    received = 0

    def data_received(self, data: bytes) -> None:
        self.received += len(data)
        super().data_received(data)


@dataclass
class Tally:
    """What was measured."""

    waits: list[float] = field(default_factory=list)  # seconds from a click to its answer
    sizes: list[int] = field(default_factory=list)  # packed bytes of what a page is told
    across: list[float] = field(default_factory=list)  # seconds from a click to the change of the other's page
    refused: list[str] = field(default_factory=list)
    on: bool = False  # after the tables are set


class Page:
    """One open page: what may be clicked on it, and what it is told."""

    def __init__(self, socket: Counting, tally: Tally) -> None:
        self.socket, self.tally = socket, tally
        self.html = ""
        self.n, self.ids, self.before, self.clicked = 0, 0, 0, False  # clicked: since then no page has come
        self.news = asyncio.Event()
        self.other: Page | None = None
        self.expects: tuple[int, float] | None = None  # a change after this n, since the other clicked
        self.answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.task = asyncio.create_task(self.listen())

    async def listen(self) -> None:
        with contextlib.suppress(ConnectionClosed):
            async for text in self.socket:
                self.hear(json.loads(text))
        for answer in self.answers.values():
            answer.set_exception(RuntimeError("the page was closed before its click was answered"))

    def hear(self, message: dict[str, Any]) -> None:
        size, self.before = self.socket.received - self.before, self.socket.received
        if "html" in message or "parts" in message:
            self.read(message)
            if self.tally.on:
                self.tally.sizes.append(size)
        if "hold" in message:
            asyncio.get_running_loop().call_later(message["hold"], self.shown, message["stamp"])
        if "done" in message and message["done"] in self.answers:
            self.answers.pop(message["done"]).set_result(message)
        self.news.set()

    def read(self, message: dict[str, Any]) -> None:
        """Keep the page as a browser does: all of it, or its parts by id. What came before the answer may be older than the click."""
        self.clicked = self.clicked and bool(self.answers)
        self.html = after(self.html, message)
        found = re.search(r'data-n="(\d+)"', self.html)
        self.n = int(found[1]) if found else 0
        if self.expects and self.n > self.expects[0]:
            self.tally.across += [time.perf_counter() - self.expects[1]] if self.tally.on else []
            self.expects = None

    @property
    def acts(self) -> list[int]:
        """What may be clicked, on a page that has come since the last click."""
        return [] if self.clicked or self.answers else [int(a) for a in re.findall(r'data-act="(\d+)"', self.html)]

    def shown(self, stamp: int) -> None:
        asyncio.get_running_loop().create_task(self.say(do="shown", stamp=stamp))

    async def say(self, **message: Any) -> None:
        with contextlib.suppress(ConnectionClosed):
            await self.socket.send(json.dumps(message))

    async def act(self, action: int) -> dict[str, Any]:
        """Click, and wait for the answer."""
        self.ids += 1
        self.answers[self.ids] = asyncio.get_running_loop().create_future()
        answer, begun = self.answers[self.ids], time.perf_counter()
        if self.other:
            self.other.expects = self.n, begun
        await self.say(do="act", action=action, n=self.n, id=self.ids)
        self.clicked = True
        said = await asyncio.wait_for(answer, 60)
        self.clicked = self.clicked and "why" not in said
        if self.tally.on:
            self.tally.waits.append(time.perf_counter() - begun)
            self.tally.refused += [said["why"]] if said.get("why") else []
        return said


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
    address = f"{url.replace('http', 'ws')}/t/{id}/live"
    headers = {"cookie": cookie, **place(k)} if cookie else place(k)
    socket = await connect(address, additional_headers=headers, create_connection=Counting, max_size=None, open_timeout=60)
    return Page(socket, tally)  # type: ignore[arg-type]


async def play(pages: list[Page], begin: float, until: float, rng: random.Random) -> None:
    """A move every two seconds, of whoever may."""
    clock = asyncio.get_running_loop().time
    when = begin
    while clock() < until:
        await asyncio.sleep(max(0.0, when - clock()))
        mover = next((page for page in rng.sample(pages, 2) if page.acts), None)
        if mover is None:
            for page in pages:
                page.news.clear()
            waits = [asyncio.create_task(page.news.wait()) for page in pages]
            await asyncio.wait(waits, timeout=1, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()
            continue
        await mover.act(rng.choice(mover.acts))
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


async def load(servers: list[Server], tables: int, games: list[str], seconds: float) -> None:
    tally, empty, many = Tally(), sum(server.memory for server in servers), len(servers)
    async with httpx.AsyncClient(base_url=servers[0].url, timeout=60) as client:
        setting = [await set_table(client, servers[0].url, games[k % len(games)], k) for k in range(tables)]
    seats = [
        [await sit(servers[(k + n) % many].url, id, cookie, tally, k) for n, cookie in enumerate(cookies)]
        for k, (id, cookies) in enumerate(setting)
    ]
    for one, other in seats:
        one.other, other.other = other, one
    await asyncio.sleep(1)
    now = asyncio.get_running_loop().time()
    rng = random.Random(1)
    starts = [now + 0.2 + EVERY * rng.random() for _ in seats]
    playing = [asyncio.create_task(play(pages, start, now + seconds, rng)) for pages, start in zip(seats, starts, strict=True)]
    await asyncio.sleep(EVERY)  # the first round warms up
    tally.on, cpu, mine, begun = True, sum(server.cpu for server in servers), time.process_time(), time.perf_counter()
    await asyncio.gather(*playing)
    wall, moves = time.perf_counter() - begun, len(tally.waits)
    spent, memory = sum(server.cpu for server in servers) - cpu, sum(server.memory for server in servers) - empty
    print(
        f"{tables:5} tables {'+'.join(games):30} {moves / wall:6.1f} moves/s  click to answer p50 {quantile(tally.waits, 0.5):5.0f} ms,"
        f" p99 {quantile(tally.waits, 0.99):5.0f} ms, to the other's page p50 {quantile(tally.across, 0.5):5.0f} ms,"
        f" p99 {quantile(tally.across, 0.99):5.0f} ms  server {spent / moves * 1e3:5.2f} ms of CPU a move,"
        f" {spent / wall:4.0%} of a core; client {(time.process_time() - mine) / wall:4.0%}"
        f"  packed bytes a move and seat: median {statistics.median(tally.sizes):5.0f}, mean {statistics.mean(tally.sizes):5.0f}"
        f"  memory {memory / tables * 1e3:4.0f} kB a table  refused {len(tally.refused)}"
    )
    for why in sorted(set(tally.refused))[:5]:
        print("      refused:", why)
    await asyncio.gather(*(page.socket.close() for pages in seats for page in pages))


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
    parser.add_argument("--games", nargs="+", default=list(GAMES))
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--processes", type=int, default=0, help="so many over one PostgreSQL, the people of a table at different ones")
    parser.add_argument("--watch", type=int, default=0, help="so many strangers at one table, instead")
    given = parser.parse_args()
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    town = Town(given.processes) if given.processes else None
    servers = town.servers if town else [Server()]
    try:
        database = town.database if town else 0.0
        asyncio.run(watch(servers[0], given.watch) if given.watch else load(servers, given.tables, given.games, given.seconds))
        if town:
            print(f"      database: {town.database - database:.1f} s of CPU in all")
    finally:
        if town:
            town.close()
        else:
            servers[0].process.kill()


if __name__ == "__main__":
    main()
