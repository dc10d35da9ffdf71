"""Several processes over one PostgreSQL, while one is killed every few seconds, or the database itself is stopped and started again.

    python bench/town.py [--seconds 300] [--processes 3] [--tables 20] [--kill 4]
    python bench/town.py --stop 8          # the database is stopped every eight seconds, for two, and started again

Two people a table, each at whichever process answers; a page that loses its process comes back to another and sends the click that was
not answered again, as a browser does. Afterwards the log is held against what people were told: no answered move is lost, none is there
twice, what was shown to all was shown to each seat once, and every table went on soon.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import random
import re
import signal
import socket
import subprocess
import sys
import time
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "bench")]

from postgres import Cluster  # noqa: E402

from recollect.engine.look import Look  # noqa: E402
from recollect.engine.match import Match  # noqa: E402
from recollect.engine.shelf import load  # noqa: E402
from recollect.table.render.page import scene_of  # noqa: E402
from recollect.table.render.parts import after  # noqa: E402
from recollect.table.render.prose import game_texts  # noqa: E402
from recollect.table.store import Row, Store  # noqa: E402

GAMES = ("memoarrr", "ptibapt", "vivid", "dejavu")
SOON = 6.0  # seconds at the end without a fault, so that it is seen how tables go on after the last one
ANSWER, SILENCE = 3.0, 10.0  # seconds that a page waits for the answer to a click, and for any word (table.js)
LATE = 1.0  # seconds after which what a page said surely arrived, if its process still lived; longer where answers take longer
UNSTORED = ("stored", "kept")  # words by which people are told that the store cannot be reached


class Process:
    """One server of the town."""

    def __init__(self, store: str, pace: float) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.store, self.pace, self.url = store, pace, f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        code = f"from recollect.table import serve; serve(port={self.port}, store={self.store!r}, pace={self.pace})"
        env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "RECOLLECT_COMPILE": "no"}
        self.process = subprocess.Popen([sys.executable, "-c", code], env=env, stdout=subprocess.DEVNULL)

    async def ready(self) -> None:
        async with httpx.AsyncClient() as client:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    if (await client.get(self.url + "/health", timeout=5)).status_code == 200:
                        return
                await asyncio.sleep(0.05)

    def kill(self, how: signal.Signals = signal.SIGKILL) -> None:
        """As the power would; or gently."""
        self.process.send_signal(how)
        self.process.wait()


@dataclass
class Click:
    """An action that somebody chose, and what became of it."""

    action: int
    n: int
    id: int
    sent: int = 0  # times
    at: float = 0.0  # when it was sent last
    took: float = 0.0  # seconds from then to its answer
    why: str | None = None  # answered, with this reason against it; None: not answered

    @property
    def done(self) -> bool:
        return self.why == ""

    @property
    def unsure(self) -> bool:
        """It may have been stored though nobody was told."""
        return self.why is None or (self.why != "" and self.sent > 1) or "stored" in self.why


@dataclass
class Showing:
    """What a seat was shown at one place of the log."""

    frames: list[float] = field(default_factory=list)
    had: bool = False  # in sight for its time: a page does not show it again
    told: float | None = None  # when the house answered that it knows
    again: list[float] = field(default_factory=list)  # shown anew after that


class Person:
    """Somebody with a page open, at whichever process answers."""

    def __init__(self, town: Town, id: str, cookie: str) -> None:
        self.town, self.id, self.cookie = town, id, cookie
        self.html, self.n, self.seat = "", 0, -1
        self.clicks: list[Click] = []
        self.waiting: Click | None = None
        self.shown: dict[int, Showing] = defaultdict(Showing)
        self.lives: list[tuple[float, float]] = []  # from when to when each socket was open
        self.at: Process | None = None
        self.moved: list[tuple[float, float]] = []  # when the page changed, and how long what it showed had to be in sight before
        self.hold = 0.0
        self.told: Counter[str] = Counter()  # what was said to this person
        self._said: set[asyncio.Task[None]] = set()

    async def live(self) -> None:
        """Until the day is over."""
        tried = 0
        while not self.town.over:
            self.at = self.town.rng.choice(self.town.processes)
            begun = time.monotonic()
            try:
                had = max((stamp for stamp, showing in self.shown.items() if showing.had), default=None)
                address = f"{self.at.url.replace('http', 'ws')}/t/{self.id}/live" + (f"?had={had}" if had is not None else "")
                async with connect(address, additional_headers={"cookie": self.cookie}, max_size=None, open_timeout=5) as line:
                    tried = 0
                    await self.listen(line)
            except ConnectionRefusedError:  # as a proxy does: another one is asked soon
                await asyncio.sleep(0.1)
                continue
            except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                self.told["no connection"] += 1
            self.lives.append((begun, time.monotonic()))
            await asyncio.sleep(min(2.0, 0.1 * 2**tried))
            tried += 1

    async def listen(self, line: ClientConnection) -> None:
        self.have: int | None = None
        self.heard = time.monotonic()
        doing = [asyncio.create_task(self.act(line)), asyncio.create_task(self.leave(line))]
        try:
            async for text in line:
                self.heard = time.monotonic()
                if not self.hear(json.loads(text), line) or self.town.over:
                    return
        finally:
            for task in doing:
                task.cancel()

    async def leave(self, line: ClientConnection) -> None:
        """A connection that died without a word, as a page notices it."""
        silent = False
        while not silent:
            await asyncio.sleep(0.2)
            now = time.monotonic()
            silent = now - self.heard > SILENCE
            if (click := self.waiting) and click.at:
                silent = silent or now - max(self.heard, click.at) > ANSWER * 2 ** (click.sent - 1)
        line.transport.abort()

    def hear(self, message: dict[str, Any], line: ClientConnection) -> bool:
        if "parts" in message and message["after"] != self.have:
            return False  # something was missed: all of it comes with a new socket
        if "html" in message or "parts" in message:
            self.read(message)
        self.have = message.get("k", self.have)
        if "stamp" in message:
            self.show(message, line)
        if message.get("why"):
            self.told[message["why"]] += 1
        if message.get("done", 0) < 0:
            showing = self.shown[-1 - message["done"]]
            showing.told = showing.told or time.monotonic()
        if self.waiting and message.get("done") == self.waiting.id:
            self.waiting.why, self.waiting.took = message.get("why", ""), time.monotonic() - self.waiting.at
            self.waiting = None
        return True

    def read(self, message: dict[str, Any]) -> None:
        self.html = after(self.html, message)
        if found := re.search(r'data-n="(\d+)"', self.html):
            if int(found[1]) != self.n:
                self.moved.append((time.monotonic(), self.hold))
            self.n, self.hold = int(found[1]), message.get("hold", 0.0)

    def show(self, message: dict[str, Any], line: ClientConnection) -> None:
        showing, now = self.shown[message["stamp"]], time.monotonic()
        if showing.told is None:
            showing.frames.append(now)
        else:
            showing.again.append(now)

        async def had() -> None:
            await asyncio.sleep(0 if showing.had else message["hold"])
            showing.had = True
            with contextlib.suppress(ConnectionClosed):
                await line.send(json.dumps({"do": "shown", "stamp": message["stamp"]}))
                await line.send(json.dumps({"do": "seen", "n": -1, "id": -1 - message["stamp"]}))  # its answer comes after

        task = asyncio.create_task(had())
        self._said.add(task)
        task.add_done_callback(self._said.discard)

    async def act(self, line: ClientConnection) -> None:
        """The click that was not answered goes first; then one now and then."""
        with contextlib.suppress(ConnectionClosed):
            if self.waiting:
                await asyncio.sleep(0.05)
                await self.put(line, self.waiting)
            while not self.town.over:
                await asyncio.sleep(self.town.every * self.town.rng.uniform(0.6, 1.4))
                acts = [int(a) for a in re.findall(r'data-act="(\d+)"', self.html)]
                if acts and not self.waiting and not self.town.closing:
                    self.waiting = Click(self.town.rng.choice(acts), self.n, len(self.clicks) + 1)
                    self.clicks.append(self.waiting)
                    await self.put(line, self.waiting)

    async def put(self, line: ClientConnection, click: Click) -> None:
        click.sent, click.at = click.sent + 1, time.monotonic()
        await line.send(json.dumps({"do": "act", "action": click.action, "n": click.n, "id": click.id}))


class Town:
    """The processes, the people, and what goes wrong."""

    def __init__(self, processes: list[Process], every: float, seed: int = 1) -> None:
        self.processes, self.every, self.rng = processes, every, random.Random(seed)
        self.people: dict[str, list[Person]] = {}
        self.over = self.closing = False
        self.faults: list[float] = []  # when something was killed or stopped
        self.begun = time.monotonic()
        self._living: list[asyncio.Task[None]] = []

    async def set_table(self, game: str) -> None:
        """A table of two; who joins does so at another process."""
        first, second = self.rng.sample(self.processes, 2) if len(self.processes) > 1 else self.processes * 2
        form = {"players": "2", "seat0": "here", "name0": "Mila", "seat1": "open", "first": "first_seat", "show": "2"}
        async with httpx.AsyncClient(timeout=60) as client:
            made = await client.post(f"{first.url}/new/{game}", data=form, headers={"origin": first.url})
            id = made.headers["location"].rsplit("/", 1)[1]
            client.cookies.clear()
            joined = await client.post(f"{second.url}/t/{id}/join", data={"name": "Ana"}, headers={"origin": second.url})
        cookies = [answer.headers["set-cookie"].split(";")[0] for answer in (made, joined)]
        self.people[id] = [Person(self, id, cookie) for cookie in cookies]

    async def open(self, tables: int) -> None:
        for process in self.processes:
            await process.ready()
        for k in range(tables):
            await self.set_table(GAMES[k % len(GAMES)])
        self._living = [asyncio.create_task(person.live()) for pair in self.people.values() for person in pair]

    @property
    def clicks(self) -> list[Click]:
        return [click for pair in self.people.values() for person in pair for click in person.clicks]

    async def more(self, moves: int) -> None:
        """Until so many more moves were answered, however long that takes."""
        enough = moves + sum(click.done for click in self.clicks)
        while sum(click.done for click in self.clicks) < enough:
            await asyncio.sleep(0.05)

    @property
    def warned(self) -> int:
        """How often people were told that nothing can be stored."""
        told = [(why, n) for pair in self.people.values() for person in pair for why, n in person.told.items()]
        return sum(n for why, n in told if any(word in why for word in UNSTORED))

    async def next_fault(self, every: float, until: float, given: argparse.Namespace) -> bool:
        """Whether there is to be another fault, when it is time for it: by the clock, or by what was answered meanwhile."""
        if not every or (len(self.faults) >= given.faults and time.monotonic() + every >= until - SOON):
            return False
        await asyncio.sleep(every)
        await self.more(given.moves)
        return True

    async def killing(self, until: float, given: argparse.Namespace) -> None:
        while await self.next_fault(given.kill, until, given):
            victim = self.rng.choice(self.processes)
            await asyncio.to_thread(victim.kill, signal.SIGTERM if given.gently else signal.SIGKILL)
            self.faults.append(time.monotonic())
            victim.start()

    async def stopping(self, cluster: Cluster, until: float, given: argparse.Namespace) -> None:
        while await self.next_fault(given.stop, until, given):
            before = self.warned
            await asyncio.to_thread(cluster.stop, self.rng.choice(["fast", "immediate"]))
            await asyncio.sleep(2)
            while given.faults and self.warned == before:
                await asyncio.sleep(0.05)
            await asyncio.to_thread(cluster.start)
            self.faults.append(time.monotonic())

    async def close(self) -> None:
        """Nobody clicks any more; what is on its way is answered."""
        self.closing = True
        for _ in range(100):
            await asyncio.sleep(0.1)
            if not any(person.waiting for pair in self.people.values() for person in pair):
                break
        self.over = True
        for task in self._living:
            task.cancel()
        await asyncio.gather(*self._living, return_exceptions=True)


@dataclass
class Verdict:
    """What the log says of what people were told."""

    answered: int = 0
    unanswered: int = 0  # clicks that may have been stored or not
    lost: list[str] = field(default_factory=list)
    exposures: int = 0
    unseen: list[str] = field(default_factory=list)  # something was never shown to a seat
    twice: list[str] = field(default_factory=list)  # shown again though the page had said so to a process that lived on
    resumed: int = 0  # shown again because the process died before it could keep that it was shown
    waits: list[tuple[float, str]] = field(default_factory=list)  # seconds until a table went on beyond what it showed; which


def judge(town: Town, store: Store) -> Verdict:
    verdict, took = Verdict(), sorted(click.took for click in town.clicks if click.took) or [0.0]
    late = max(LATE, 2 * took[len(took) * 9 // 10])
    for id, people in town.people.items():
        row = store.row(id)
        assert row
        entries, paced = store.moves(id), load(row.game).paced
        by_themselves = forced(row, entries)
        for seat, person in enumerate(people):
            mine = [(action, n in by_themselves) for n, (who, action) in enumerate(entries) if who == seat and action not in paced]
            clicks = [click for click in person.clicks if click.done or click.unsure]
            verdict.answered += sum(click.done for click in clicks)
            verdict.unanswered += sum(not click.done for click in clicks)
            if len(mine) not in matched(mine, clicks):
                verdict.lost.append(f"{row.game} {id} seat {seat}: told {[(c.action, c.why) for c in clicks]}, stored {mine}")
            whose = f"{row.game} {id} seat {seat}{', over' if row.result else ''}, {len(entries)} entries"
            exposed(verdict, person, [n for n, (_, action) in enumerate(entries) if action in paced], whose, late)
        for fault in town.faults:
            later = [(t, hold) for person in people for t, hold in person.moved if t > fault]
            if later and not row.result:
                on, hold = min(later)
                verdict.waits.append((max(0.0, on - fault - hold), f"{row.game} {id}, {fault - town.begun:.1f} s after the beginning"))
    return verdict


def forced(row: Row, entries: list[tuple[int, int]]) -> set[int]:
    """The entries that need no click: answers that the game's scene gives by itself."""
    game = load(row.game)
    answer = getattr(scene_of(game), "forced", None)
    match, found = Match(game, game.settle(row.options), row.seed, auto_chance=False), set()
    for n, (seat, action) in enumerate(entries):
        if answer and seat in match.moment.players:
            look = Look.of(match.moment, seat, [chair.name for chair in row.chairs], game_texts(game, "en"))
            found |= {n} if answer(look) == action else set()
        match.follow([(seat, action)])
    return found


def matched(stored: list[tuple[int, bool]], clicks: list[Click]) -> set[int]:
    """How much of the log the clicks explain: each answered one stands there once, each unsure one at most once, in their order."""

    def onward(reached: set[int]) -> set[int]:
        """What follows by itself may be passed over."""
        for p in range(len(stored)):
            if p in reached and stored[p][1]:
                reached = reached | {p + 1}
        return reached

    reached = onward({0})
    for click in clicks:
        on = {p + 1 for p in reached if p < len(stored) and stored[p][0] == click.action}
        reached = onward(on if click.done else reached | on)
    return reached


def exposed(verdict: Verdict, person: Person, places: list[int], whose: str, arrived: float) -> None:
    verdict.exposures += len(places)
    verdict.unseen += [f"{whose}: {place}" for place in places[:-1] if not person.shown[place].frames]
    for place, showing in person.shown.items():
        told, late = showing.told, [again for again in showing.again if showing.told and again > showing.told + arrived]
        if told is None or not late:  # what was on its way when the page said so does not count
            continue
        if any(begun < told < ended and ended - told > arrived for begun, ended in person.lives):
            after = ", ".join(f"{again - told:.2f}" for again in late)
            verdict.twice.append(f"{whose}: {place}, again {after} s after it was told that it was in sight")
        else:
            verdict.resumed += 1


async def story(cluster: Cluster, given: argparse.Namespace) -> tuple[Town, Verdict]:
    town = Town([Process(cluster.address, given.pace) for _ in range(given.processes)], given.every)
    try:
        await town.open(given.tables)
        until = time.monotonic() + given.seconds
        await asyncio.gather(town.killing(until, given), town.stopping(cluster, until, given))
        await asyncio.sleep(max(0.0, until - time.monotonic()))
        await town.more(given.moves)
        await town.close()
    finally:
        for process in town.processes:
            process.kill()
    store = Store(cluster.address)
    verdict = judge(town, store)
    store.close()
    return town, verdict


def options() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=300)
    parser.add_argument("--processes", type=int, default=3)
    parser.add_argument("--tables", type=int, default=20)
    parser.add_argument("--every", type=float, default=0.5, help="seconds between two clicks of a person who may")
    parser.add_argument("--kill", type=float, default=4, help="seconds between two kills; 0: none")
    parser.add_argument("--gently", action="store_true", help="processes are asked to stop, not killed")
    parser.add_argument("--stop", type=float, default=0, help="seconds between two stops of the database, instead")
    parser.add_argument("--faults", type=int, default=0, help="so many kills or stops at least, however long that takes")
    parser.add_argument("--moves", type=int, default=0, help="that are answered before each of them, and after the last")
    parser.add_argument("--pace", type=float, default=1.0, help="scales every waiting time of the table")
    return parser


def main() -> None:
    given = options().parse_args()
    given.kill = 0 if given.stop else given.kill
    cluster = Cluster()
    try:
        town, verdict = asyncio.run(story(cluster, given))
    finally:
        cluster.remove()
    waits = sorted(verdict.waits) or [(0.0, "")]
    print(f"{len(town.faults)} {'stops of the database' if given.stop else 'kills'} in {given.seconds:.0f} s, {given.processes} processes,")
    print(f"{given.tables} tables: {verdict.answered} moves answered, {verdict.unanswered} clicks unanswered or refused when sent again;")
    print(f"lost or doubled: {len(verdict.lost)}; {verdict.exposures} exposures: never shown {len(verdict.unseen)}, shown twice")
    print(f"{len(verdict.twice)}, begun again with a process that died {verdict.resumed};")
    print(f"a table went on after median {waits[len(waits) // 2][0]:.1f} s, at most {waits[-1][0]:.1f} s ({waits[-1][1]})")
    for seconds, which in [wait for wait in waits if wait[0] > 5]:
        print(f"    {seconds:.1f} s: {which}")
    for fault in (verdict.lost + verdict.unseen + verdict.twice)[:10]:
        print("   ", fault[:600])
    told = Counter[str]()
    for person in (person for pair in town.people.values() for person in pair):
        told += person.told
    print("people were told:", dict(told.most_common(8)))


if __name__ == "__main__":
    main()
