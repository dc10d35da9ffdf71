"""What an attacker would try, bounded: looking for secrets in what pages are told, killing the server under load, sending it rubbish.

    python bench/attack.py [--deals 300] [--kills 20] [--rubbish 2000]
    python bench/attack.py --faults [flood undos idle deaf long many much]

Secrets: from moment to moment of random games, every seat and a stranger are told the same bytes, parts and all, when whatever they cannot
know is dealt anew. Kills: the server is killed (-9) while people play, and started again; no move that was answered may be missing.
Rubbish: malformed requests, forms, socket messages and raw bytes; nothing may be answered with a 5xx, and the house must stand.
It ends with an error if anything was found. With --faults, what the first attack found is measured again instead (bench/faults.py).
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import gzip
import json
import random
import socket
import tempfile
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import numpy as np
from faults import FAULTS, measure
from load import GAMES, Page, Server, Tally, set_table, sit
from websockets.asyncio.client import connect
from websockets.exceptions import WebSocketException

from recollect.engine.look import Moment
from recollect.engine.shelf import load
from recollect.engine.stream import sow
from recollect.table.live.room import Room
from recollect.table.live.screen import Screen
from recollect.table.store import Chair, Row, Store

# -- secrets


class Stand:
    """How a table stands at a moment, as the room keeps it."""

    def __init__(self, room: Room) -> None:
        self.room, self.states, self.at, self.moment = room, dict(room.states), room.at, room.moment

    def dealt(self, seat: int, key: int) -> Stand:
        """The same, as far as this seat can tell."""
        out, game = Stand(self.room), self.room.game
        out.at, out.states = self.at, dict(self.states)
        for place, record in list(self.states.items())[-3:]:
            stream, out.states[place] = np.zeros(1, np.int64), game.state.copy(record)
            sow(stream, key)
            game.rules.redeal(game.state.open(out.states[place]), seat, stream)
        out.moment = Moment(game, out.states[self.at], self.room.match.options)
        return out

    def take(self) -> None:
        self.room.states, self.room.at, self.room.moment = self.states, self.at, self.moment
        self.room.log.forget()
        self.room.pages.forget()


def told(room: Room, person: str, before: Stand, now: Stand) -> bytes:
    """What a page is told at the second moment that was open at the first."""
    shown = []
    for stand in (before, now):
        stand.take()
        shown.append(Screen(room, None, person, "en").shown())
    return room.pages.told(None, shown[1]).written + room.pages.told(shown[0].sheet, shown[1]).written


def secrets(deals: int) -> tuple[int, int]:
    """How many comparisons were made of something dealt anew, and how many bytes they had; any difference is an error."""
    compared = size = seed = 0
    rng = random.Random(1)
    while compared < deals:
        for name in GAMES:
            seed += 1
            game, store = load(name), Store(Path(tempfile.mkdtemp()))
            chairs = [Chair("here", f"Player {seat}", f"person {seat}") for seat in range(2 if seed % 2 or name == "ptibapt" else 3)]
            more = {"bonus": True} if name == "ptibapt" else {"mode": "expert"} if name == "memoarrr" else {}
            options = game.settle({"players": len(chairs), **more})
            store.create(Row.of(game, id="t", options=options, seed=f"attack {seed}", host="person 0", chairs=chairs))
            room = Room(store.row("t"), store)
            room.open()
            for chair in room.row.chairs:
                chair.shown = 10**6
            found = compare(room, rng, most=min(60, deals - compared))
            compared, size = compared + found[0], size + found[1]
    return compared, size


def compare(room: Room, rng: random.Random, most: int) -> tuple[int, int]:
    compared = size = 0
    for _ in range(60):
        if room.moment.over or compared >= most:
            break
        before = Stand(room)
        seat = rng.choice(sorted(room.moment.players))
        room.play(seat, rng.choice(room.moment.legal(seat)))
        now = Stand(room)
        for viewer in range(-1, len(room.row.chairs)):
            person, key = f"person {viewer}", rng.getrandbits(60)
            others = before.dealt(viewer, key), now.dealt(viewer, key + 1)
            if others[1].moment.record.tobytes() == now.moment.record.tobytes():
                continue  # this viewer knows everything
            real = told(room, person, before, now)
            assert told(room, person, *others) == real, f"{room.game.name}: seat {viewer} is told of what it cannot know"
            compared, size = compared + 1, size + len(real)
        now.take()
    return compared, size


# -- kills


async def kills(times: int) -> tuple[int, int]:
    """Moves answered in all, and how many of them were gone after a kill."""
    server, rng = Server(pace=0.1), random.Random(2)
    answered = lost = 0
    try:
        async with httpx.AsyncClient(base_url=server.url, timeout=60) as client:
            tables = [await set_table(client, server.url, GAMES[k % 4]) for k in range(8)]
        kept = dict.fromkeys((id for id, _ in tables), 0)
        for _ in range(times):
            pages = {id: [await come(server.url, id, cookie) for cookie in cookies] for id, cookies in tables}
            lost += sum(behind(pages[id], kept[id]) for id in pages)
            playing = [asyncio.create_task(play(id, pages[id], kept, rng)) for id in pages]
            await asyncio.sleep(rng.uniform(0.2, 1.5))
            server.process.kill()
            answered += sum(await asyncio.gather(*playing))
            server.process.wait()
            server.start()
        pages = {id: [await come(server.url, id, cookies[0])] for id, cookies in tables}
        lost += sum(behind(pages[id], kept[id]) for id in pages)
    finally:
        server.process.kill()
    return answered, lost


async def come(url: str, id: str, cookie: str) -> Page:
    """A page that has been told how its table stands; one that is told to come again does, as a browser would."""
    async with asyncio.timeout(30):
        while True:
            page = await sit(url, id, cookie, Tally())
            while not page.open and not page.socket.gone.done():
                await asyncio.sleep(0.01)
            if page.open:
                return page


def behind(pages: list[Page], kept: int) -> bool:
    """A table is missing what it had answered."""
    return any(page.n < kept for page in pages)


async def play(id: str, pages: list[Page], kept: dict[str, int], rng: random.Random) -> int:
    """Click as fast as answers come, until the line breaks; how many were answered."""
    answered = 0
    while not any(page.socket.gone.done() for page in pages):
        mover = next((page for page in pages if page.acts), None)
        if mover is None:
            await asyncio.sleep(0.01)
            continue
        n = mover.n
        with contextlib.suppress(RuntimeError, TimeoutError):
            said = await asyncio.wait_for(mover.act(rng.choice(mover.acts)), 5)
            answered += "why" not in said
            kept[id] = max(kept[id], n + ("why" not in said))
    return answered


# -- rubbish


SIMPLE = (None, True, -1, 0, 1e308, 10**30, "", "act", "\x00", "é" * 50, "<script>", "../../etc/passwd", 2**63, -(2**63), 3.5)
KEYS = ("do", "action", "n", "id", "seat", "stamp", "yes", "x")
DOES = ("act", "try", "undo", "sit", "rematch", "shown", "here", "seen", "hold", "chat", "nothing")
JSON_KEYS = ("options", "seats", "name", "action", "n", "x")
LARGE = 70_000  # bytes; more than any form may have
FIELDS = (
    "players",
    "seat0",
    "seat1",
    "name0",
    "name",
    "first",
    "show",
    "back",
    "mode",
    "art",
    "turn",
    "handle",
    "passphrase",
    "sure",
    "mind",
)


def garbage(rng: random.Random, depth: int = 0) -> Any:
    """Something that may be in a message."""
    kind = rng.randrange(4 if depth < 3 else 2)
    if kind == 2:
        return [garbage(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 3:
        return {rng.choice(KEYS): garbage(rng, depth + 1) for _ in range(rng.randrange(5))}
    return rng.choice(SIMPLE)


def message(rng: random.Random) -> str | bytes:
    """What a page might be made to say: well formed with wrong values, badly formed, too long, no text at all."""
    given = {key: rng.choice([0, 1, -1, 10**9, garbage(rng)]) for key in ("action", "n", "id", "seat") if rng.random() < 0.7}
    formed = json.dumps({"do": rng.choice(DOES), **given})
    ways = [formed, json.dumps(garbage(rng)), formed[: rng.randrange(40)], "[" * 1500, "x" * 5000, rng.randbytes(30)]
    return rng.choice(ways) if rng.random() < 0.5 else formed


async def rubbish(many: int) -> tuple[int, int, int]:
    """Requests, socket messages and raw connections sent; a 5xx, or a house that no longer answers, is an error."""
    server, rng = Server(), random.Random(3)
    try:
        limits = httpx.Limits(keepalive_expiry=2)  # less than the house keeps an idle line: who is cut off asked for nothing
        async with httpx.AsyncClient(base_url=server.url, timeout=60, limits=limits) as client:
            tables = [await set_table(client, server.url, game) for game in GAMES]
            ids = [id for id, _ in tables]
            for _ in range(many):
                await request(client, rng, ids)
            messages = 0
            for _ in range(max(1, many // 200)):
                messages += sum(await asyncio.gather(*(babble(server, rng, *rng.choice(tables)) for _ in range(10))))
            for _ in range(many // 10):
                raw(server, rng)
            assert (await client.get("/health")).json()["ok"]
            for id in ids:
                assert (await client.get(f"/t/{id}")).status_code == 200
    finally:
        server.process.kill()
    return many, messages, many // 10


def paths(rng: random.Random, ids: list[str]) -> list[str]:
    """Addresses that there are, with something else in them."""
    id, game = rng.choice([*ids, "nosuch", "../..", "%00", "é", "a" * 300]), rng.choice([*GAMES, "chess", "..", "é"])
    n = rng.choice([0, 3, -1, 10**9, "9" * 5000, "%D9%A3", garbage(rng)])
    of_table = ["", "/join", f"/join/{id}", "/match.json", "/verify", "/report", "/turning", "/carry", f"/carry/{id}", "/close", "/live"]
    of_table += [f"/{what}/{n}" for what in ("replay", "press", "better", "onward")]
    return [f"/t/{id}{rest}" for rest in of_table] + [
        *("/", "/name", "/language/xx", "/own", "/static/../app.py", "/health"),
        *(f"/api/t/{id}{rest}" for rest in ("", "/act", "/undo", "/join", f"/join/{id}", "/log", "/close", "/match")),
        *(f"/api/new/{game}", f"/api/games/{game}", "/api", "/api/openapi.json", "/replay", "/replay"),
        *(f"/me{rest}" for rest in ("", "/back", "/keep", "/picture", "/erase", "/everything.json")),
        *(f"/new/{game}", f"/games/{game}/vignette.svg", f"/learn/{game}/1", f"/learn/{game}/first/{n}", f"/games/{game}/almanac"),
        *(f"/games/{game}/..%2f..%2fscene.py", f"/games/{game}/{'%F0%A0%80%80' * 80}.css"),
    ]


def body(rng: random.Random) -> tuple[bytes, str]:
    """What may be sent with a request, and what it says it is."""
    form = "&".join(f"{rng.choice(FIELDS)}={quote(str(garbage(rng)))}" for _ in range(rng.randrange(5)))
    match = {"game": rng.choice([*GAMES, "chess"]), "version": 1, "options": {}, "seed": "s", "log": garbage(rng), "names": garbage(rng)}
    return rng.choice(
        [
            (form.encode(), "application/x-www-form-urlencoded"),
            (json.dumps({rng.choice(JSON_KEYS): garbage(rng) for _ in range(3)}).encode(), "application/json"),
            (json.dumps(match).encode(), "application/json"),
            (b"[" * 5_000, "application/json"),
            (b"--x" + b"\r\nContent-Type: multipart/mixed; boundary=x\r\n\r\n--x" * 900, "multipart/form-data; boundary=x"),
            (rng.randbytes(300), rng.choice(["application/json", "multipart/form-data; boundary=x", "multipart/form-data", "\xe9"])),
            (gzip.compress(b"0" * 1_000_000), "application/json"),
            (b"x" * LARGE, "application/x-www-form-urlencoded"),
        ]
    )


def headers_of(rng: random.Random, base: str) -> dict[str, str]:
    """Who says to ask, from where, and for whom."""
    headers = {"origin": rng.choice([base, base, "http://elsewhere", "null", "http://["])}
    if rng.random() < 0.3:
        headers["cookie"] = f"recollect={rng.choice([rng.randbytes(20).hex(), 'a.b.c', '=' * 4000])}"
    if rng.random() < 0.2:
        headers["authorization"] = rng.choice(["Bearer x", "Bearer", "Basic eDp5", "Bearer " + "a." * 2000, "x"])
    if rng.random() < 0.1:
        headers["host"] = rng.choice(["elsewhere", "[::1", "a" * 300, "127.0.0.1:99999", "127.0.0.1@evil", ":"])
    return headers


async def request(client: httpx.AsyncClient, rng: random.Random, ids: list[str]) -> None:
    """Whatever it is, it is answered, and not with a fault of ours."""
    path = "".join(c if c.isprintable() else "%1f" for c in rng.choice(paths(rng, ids))).replace(" ", "%20")
    (content, kind), headers = body(rng), headers_of(rng, str(client.base_url))
    client.cookies.clear()
    method = rng.choice(["GET", "POST", "POST", "POST", "PUT", "HEAD"])
    sent = {"content": content, "headers": headers | {"content-type": kind}} if method in ("POST", "PUT") else {"headers": headers}
    try:
        answer = await client.request(method, path, **sent)
    except (httpx.InvalidURL, UnicodeError):
        return  # our own client will not send it
    except httpx.TransportError:
        assert len(content) >= LARGE, f"no answer to {method} {path} {content[:200]!r}"  # refused before it was heard to its end
        return
    assert answer.status_code < 500, f"{answer.status_code} for {method} {path} {content[:200]!r}"


async def babble(server: Server, rng: random.Random, id: str, cookies: list[str]) -> int:
    """As much as one page may say at once."""
    address, said = f"{server.url.replace('http', 'ws')}/t/{id}/live", 0
    cookie = rng.choice([*cookies, "recollect=forged", ""])
    with contextlib.suppress(WebSocketException, OSError):
        async with connect(address, additional_headers={"cookie": cookie} if cookie else {}, max_size=None, open_timeout=30) as page:
            for _ in range(80):
                await page.send(message(rng))
                said += 1
    return said


def raw(server: Server, rng: random.Random) -> None:
    """Bytes that are no request, or not the whole of one."""
    post = b"POST /name HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99\r\n\r\na"
    begins = [rng.randbytes(200), b"GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n", post, b"\r\n" * 50]
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", server.port), timeout=5) as line:
        line.sendall(rng.choice(begins))
        line.settimeout(0.01)
        answer = line.recv(200)
        assert b" 5" not in answer[:13], answer


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--rubbish", type=int, default=2000)
    parser.add_argument("--faults", nargs="*", choices=FAULTS)
    given, begun = parser.parse_args(), time.perf_counter()
    if given.faults is not None:
        return measure(given.faults)
    compared, size = secrets(given.deals)
    print(f"secrets: {compared} comparisons, {size / 1e6:.1f} MB, no difference", flush=True)
    answered, lost = asyncio.run(kills(given.kills))
    print(f"kills: {given.kills}, {answered} moves answered, {lost} tables with a move missing", flush=True)
    assert not lost
    requests, messages, lines = asyncio.run(rubbish(given.rubbish))
    print(f"rubbish: {requests} requests, {messages} socket messages, {lines} raw connections, no 5xx; {time.perf_counter() - begun:.0f} s")


if __name__ == "__main__":
    main()
