"""What the first attack found, measured again: each fault at its size of then, against a server process of its own, bounded.

    python bench/attack.py --faults [NAME ...]

A row each: what was done, what it cost then and costs now. Opening, pages and `/` are in processor time, the rest is what people waited.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import resource
import socket
import sqlite3
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import httpx
from itsdangerous import URLSafeSerializer
from load import Server
from websockets.asyncio.client import ClientConnection, connect
from websockets.protocol import Protocol

from recollect.engine.match import Match
from recollect.engine.shelf import load
from recollect.table.live.room import Room
from recollect.table.store import Chair, Row, Store

PEOPLE = ("mila", "theo")
BOUND = 10.0  # seconds that a flood is looked at
SMALL = "door = table.door; table.door = lambda *at: (s := door(*at), s.setsockopt(1, 7, 4096))[0]"  # what a socket holds for who is deaf
ASKED = 20  # times
Rows = list[tuple[str, str, str]]


class Prepared(Server):
    """A server over a folder in which something lies already; `files`: how many it may have open; `first`: said before it serves."""

    def __init__(self, data: Path, files: int = 0, first: str = "pass") -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        serves = f"table.serve(port={self.port}, data=Path({str(data)!r}))"
        self.command = [sys.executable, "-c", f"from pathlib import Path\nfrom recollect import table\n{first}\n{serves}"]
        if files:
            self.command = ["sh", "-c", f'ulimit -n {files}; exec "$0" "$@"', *self.command]
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()


def table(game: str, match: Match | None = None, most: int | None = None, **options: Any) -> tuple[Path, Store]:
    """A folder with one table of two people, `t`, where so many entries of a match have been played, and a new one, `u`."""
    data = Path(tempfile.mkdtemp())
    store, rules = Store(data), load(game)
    seed, settled = (match.seed, match.options) if match else ("a seed", rules.settle({"players": 2, **options}))
    chairs = [Chair("here", name.title(), name) for name in PEOPLE]
    for id in ("t", "u"):
        store.create(Row.of(rules, id=id, options=settled, seed=seed, host="mila", chairs=chairs))
    if match:
        store.write(store.added("t", 0, match.log[:most], []))
    return data, store


def cookie(store: Store, person: str) -> str:
    """As the house gives it."""
    return f"recollect={URLSafeSerializer(store.secret(), salt='recollect').dumps({'p': person, 'n': '', 'l': 'en'})}"


def played(game: str, most: int, **options: Any) -> Match:
    """A match of any moves, to its end or to so many entries."""
    rng, match = random.Random(0), load(game).match("s0", players=2, **options)
    while not match.over and len(match.log) < most:
        seat = rng.choice(sorted(match.acting))
        match.play(seat, rng.choice(match.legal(seat)))
    return match


async def waited(server: Server, meanwhile: Awaitable[object]) -> float:
    """The longest that somebody else waited for an answer while this was going on."""
    task, longest = asyncio.ensure_future(meanwhile), 0.0
    async with httpx.AsyncClient(base_url=server.url, timeout=90) as other:
        while not task.done():
            begun = time.perf_counter()
            await other.get("/health")
            longest = max(longest, time.perf_counter() - begun)
            await asyncio.sleep(0.02)
    await task
    return longest


def opened(store: Store) -> float:
    """Processor time of opening the table."""
    row = store.row("t")
    assert row
    begun = time.process_time()
    Room(row, store).open()
    return time.process_time() - begun


async def page(server: Server) -> str:
    """What its first visitor costs the server and waits, and what others wait meanwhile; another table of this game was opened before."""
    async with httpx.AsyncClient(base_url=server.url, timeout=90) as client:
        await client.get("/t/u")
        spent, begun = server.cpu, time.perf_counter()
        others = await waited(server, client.get("/t/t"))
        return f"page {server.cpu - spent:.2f} s, answered after {time.perf_counter() - begun:.2f} s, others waited {others:.2f} s"


# -- each of them


async def flood() -> Rows:
    """1,500 questions in one breath, where each was dearest."""
    match = load("dejavu").match("s0", players=2)
    for seat in (0, 1):
        match.play(seat, match.legal(seat)[0])
    data, store = table("dejavu", match)
    server = Prepared(data)

    async def ask() -> None:
        headers = {"cookie": cookie(store, "mila"), "origin": server.url}
        async with connect(f"{server.url.replace('http', 'ws')}/t/t/live", additional_headers=headers, max_size=None) as socket:
            for _ in range(1500):
                await socket.send(json.dumps({"do": "try", "action": 9}))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(BOUND):
                    async for _ in socket:
                        pass

    with ended(server):
        httpx.get(f"{server.url}/t/u", timeout=60)  # templates are read with the first
        without, spent = await waited(server, asyncio.sleep(BOUND)), server.cpu  # a machine has other work too
        now = f"{await waited(server, ask()):.2f} s at most ({without:.2f} s without it; {server.cpu - spent:.1f} s of processor time)"
        return [("1,500 `try` on one socket: others waited", "38 s", now)]


async def undos() -> Rows:
    """Moves taken back, again and again."""
    rows: Rows = []
    for game, times, then in (("dejavu", 600, "19 s"), ("vivid", 1000, "11 s")):
        data, store = table(game)
        room = Room(store.row("t"), store)  # type: ignore[arg-type]
        room.open()
        for _ in range(times):
            seat = min(room.match.acting)
            room.play(seat, room.match.legal(seat)[0])
            room.undo(seat)
        own, server = opened(store), Prepared(data)
        with ended(server):
            rows.append((f"{times:,} moves taken back in {game}: opening it", then, f"{own:.2f} s ({await page(server)})"))
    return rows


async def idle() -> Rows:
    """1,100 connections that ask for nothing, where the house may have 1,024 files open."""
    server = Prepared(Path(tempfile.mkdtemp()), files=1024)
    resource.setrlimit(resource.RLIMIT_NOFILE, (resource.getrlimit(resource.RLIMIT_NOFILE)[1],) * 2)
    with ended(server), contextlib.ExitStack() as lines:
        for _ in range(1100):
            lines.enter_context(socket.create_connection(("127.0.0.1", server.port)))
        begun = time.perf_counter()
        answer = httpx.get(f"{server.url}/health", timeout=60)
        assert answer.status_code == 200, answer
        return [("1,100 idle connections, 1,024 files: a visitor is answered", "never", f"after {time.perf_counter() - begun:.2f} s")]


async def deaf() -> Rows:
    """A rematch beside four pages that take nothing, and have more to take than anybody holds for them."""
    match = played("vivid", 10_000)
    data, store = table("vivid", match, len(match.log) - 1)
    server = Prepared(data, first=SMALL)
    address, headers = f"{server.url.replace('http', 'ws')}/t/t/live", {"origin": server.url}
    seat, action = match.log[-1]
    with ended(server), contextlib.ExitStack() as lines:
        for _ in range(4):
            lines.enter_context(silent(server))
        who = {**headers, "cookie": cookie(store, PEOPLE[seat])}
        async with connect(address, additional_headers=who, max_size=None) as mine, asyncio.timeout(70):
            n = len(match.log) - 1
            await mine.send(json.dumps({"do": "act", "action": action, "n": n, "id": 1}))
            await heard(mine, lambda said: said.get("done") == 1)
            said = {"why": "the last reward is still being shown"}
            while "why" in said:
                await asyncio.sleep(0.2)
                begun = time.perf_counter()
                await mine.send(json.dumps({"do": "rematch", "n": n + 1, "id": 2}))
                said = await heard(mine, lambda said: said.get("done") == 2 or "go" in said)
            return [("a rematch beside four deaf sockets is answered", "not in 70 s", f"after {time.perf_counter() - begun:.2f} s")]


async def long() -> Rows:
    """A table with a long log."""
    data, store = table("dejavu", played("dejavu", 4027, rounds=0))
    own, server = opened(store), Prepared(data)
    with ended(server):
        return [("opening 4,027 entries of dejavu", "0.66 s, on the loop", f"{own:.2f} s, off the loop ({await page(server)})")]


async def many() -> Rows:
    """100,000 tables that anyone may join."""
    data, store = table("memoarrr")
    store.close()
    with contextlib.closing(sqlite3.connect(data / "recollect.sqlite")) as db:
        for name in ("tables", "seats"):
            columns = ", ".join(row[1] for row in db.execute(f"pragma table_info({name})"))
            shown = columns.replace("id,", "'t' || n,", 1).replace("listed", "1").replace("person", "null").replace("kind", "'open'")
            counted = "with recursive up(n) as (select 1 union all select n + 1 from up where n < 100000)"
            db.execute(f"insert into {name} ({columns}) {counted} select {shown} from {name}, up where {name}.id = 't'")
        db.commit()
    server = Prepared(data)
    with ended(server):
        httpx.get(server.url, timeout=60)  # templates are read with the first
        spent = server.cpu
        for _ in range(ASKED):
            assert "/join" in httpx.get(server.url, timeout=60).text
        return [("`/` with 100,000 open tables", "0.6 s", f"{(server.cpu - spent) / ASKED:.2f} s")]


async def much() -> Rows:
    """What one write of a page may hold: messages that unpack to a thousand times as much, and questions that ask for an answer each."""
    data, store = table("memoarrr")
    server, rows = Prepared(data), []
    told: list[tuple[int, str, str, Callable[[Protocol], None]]] = [
        (3000, "3,000 messages of 64 kB in 250 kB", "0.6 s, and memory grew by 99 MB", lambda line: line.send_text(b"a" * 64_000)),
        (40_000, "40,000 pings in 240 kB", "0.8 s", lambda line: line.send_ping(b"")),
    ]

    async def tell(line: ClientConnection) -> None:
        line.transport.write(b"".join(line.protocol.data_to_send()))
        await asyncio.sleep(BOUND)

    with ended(server):
        httpx.get(f"{server.url}/t/t", timeout=60)  # templates are read with the first
        address, headers = f"{server.url.replace('http', 'ws')}/t/t/live", {"cookie": cookie(store, "mila"), "origin": server.url}
        for times, what, then, say in told:
            async with connect(address, additional_headers=headers, max_size=None, close_timeout=1) as line:
                for _ in range(times):
                    say(line.protocol)
                before = server.memory
                longest = await waited(server, tell(line))
                now = f"{longest:.2f} s, memory by {server.memory - before:.0f} MB"
                rows.append((f"{what}, in one write on a socket: others waited", then, now))
    return rows


@contextlib.contextmanager
def ended(server: Server) -> Any:
    """However it goes, the server is gone afterwards."""
    try:
        yield
    finally:
        server.process.kill()
        server.process.wait()


def silent(server: Server) -> socket.socket:
    """A page that is opened and takes nothing."""
    line = socket.socket()
    line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1024)
    line.connect(("127.0.0.1", server.port))
    asks = ["GET /t/t/live HTTP/1.1", f"Host: 127.0.0.1:{server.port}", f"Origin: {server.url}", "Upgrade: websocket"]
    asks += ["Connection: Upgrade", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==", "", ""]
    line.sendall("\r\n".join(asks).encode())
    line.recv(12)
    return line


async def heard(socket: Any, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    while True:
        if wanted(said := json.loads(await socket.recv())):
            return said


FAULTS = {each.__name__: each for each in (flood, undos, idle, deaf, long, many, much)}


def measure(names: list[str]) -> None:
    """A row each, as the document has them."""
    print("| | first | now |\n|---|---|---|", flush=True)
    for name in names or FAULTS:
        for what, then, now in asyncio.run(FAULTS[name]()):
            print(f"| {what} | {then} | {now} |", flush=True)
