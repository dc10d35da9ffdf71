"""A real server process, killed without warning and started again: every game is there as it was."""

from __future__ import annotations

import sqlite3
import time
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
from house import Server
from people import Wire, open_table
from websockets.sync.client import connect


class Line:
    """A socket of the websockets library, read like the others."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket

    def receive_text(self) -> str:
        return str(self.socket.recv(timeout=20))

    def send_text(self, text: str) -> None:
        self.socket.send(text)


@contextmanager
def wire(server: Server, client: httpx.Client, id: str):
    cookie = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
    with connect(f"ws://127.0.0.1:{server.port}/t/{id}/live", additional_headers={"cookie": cookie}) as socket:
        yield Wire(Line(socket))


def play(wire: Wire, moves: int) -> None:
    """Take what is lit; look where the screen was hidden; say what was shown."""
    done = 0
    while done < moves and "do-rematch" not in wire.html:
        message = wire.hear()
        if "hold" in message:
            wire.send(do="shown", stamp=message["stamp"])
        elif "data-sit" in message.get("html", "") and "curtain" in wire.html:
            seat = wire.html.split('data-sit="')[1].split('"')[0]
            wire.send(do="sit", seat=int(seat), n=wire.n, id=1)
        elif "html" in message and wire.acts:
            answer = wire.act(wire.acts[done % len(wire.acts)])
            done += "why" not in answer


def test_killed_and_started_again_every_table_is_as_it_was(server: Server):
    with httpx.Client(base_url=server.url, follow_redirects=True, timeout=20) as client:
        id = open_table(client, players="3", mode="expert", seat1="here", seat2="bot:sensible", first="first_seat")
        waiting = open_table(client, seat1="link")
        for moves in (1, 3, 12):
            with wire(server, client, id) as line:
                play(line, moves)
            server.kill()
            server.start()
            first = client.get(f"/t/{id}").text
            assert 'id="live"' in first and 'data-n="0"' not in first
            with wire(server, client, id) as line:
                line.hear()
                assert line.n >= moves, "nothing that was answered is lost"
        assert "/join/" in client.get(f"/t/{waiting}").text, "the same secret link still leads to the free seat"


def looked(line: Wire) -> str:
    """The page when Mila has said that it is her who looks at the shared screen."""
    line.page("Pass the screen to Mila")
    line.send(do="sit", seat=0, n=line.n, id=1)
    return line.page("do-put-back")


def test_a_move_that_was_answered_is_there_after_the_kill(server: Server):
    with httpx.Client(base_url=server.url, follow_redirects=True, timeout=20) as client:
        id = open_table(client, seat1="here", first="first_seat")
        with wire(server, client, id) as line:
            line.page("island")
            assert "why" not in line.act(0)
            server.kill()
        server.start()
        with wire(server, client, id) as line:
            before = looked(line)
        server.kill()
        server.start()
        with wire(server, client, id) as line:
            assert looked(line) == before, "the same three cards at the same places"


def test_a_whole_game_through_three_kills(server: Server):
    with httpx.Client(base_url=server.url, follow_redirects=True, timeout=20) as client:
        id = open_table(client, seat1="bot:random")
        for moves in (2, 4, 8, 500):
            with wire(server, client, id) as line:
                play(line, moves)
            if moves < 500:
                server.kill()
                server.start()
        assert "Checked" in client.get(f"/t/{id}/verify").text
        match = client.get(f"/t/{id}/match.json").json()
        assert match["over"] and len(match["times"]) == len(match["log"])


def test_a_table_where_a_companion_is_to_move_goes_on_before_anybody_comes(tmp_path: Path):
    server = Server(tmp_path, pace=1000)  # the companion would think for a quarter of an hour
    try:
        with httpx.Client(base_url=server.url, follow_redirects=True, timeout=20) as client:
            id = open_table(client, seat0="bot:random", seat1="here", first="first_seat")
        server.kill()
        before = moves(tmp_path, id)
        server.pace = 0.01
        server.start()
        until = time.monotonic() + 60
        while time.monotonic() < until and moves(tmp_path, id) == before:
            time.sleep(0.05)
        assert any(seat == 0 for seat, _ in moves(tmp_path, id)[len(before) :])
    finally:
        server.kill()


def moves(data: Path, id: str) -> list[tuple[int, int]]:
    """As stored, read beside the server."""
    with closing(sqlite3.connect(data / "recollect.sqlite", timeout=20)) as db:
        return db.execute("select seat, action from moves where id = ? order by n", (id,)).fetchall()
