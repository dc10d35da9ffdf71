"""The sockets of open pages, by real clients: what is said both ways is one stream, and who says too much at once holds nobody up."""

from __future__ import annotations

import asyncio
import random
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.extensions.permessage_deflate import PerMessageDeflate
from websockets.frames import Frame, Opcode
from websockets.protocol import Protocol, Side, State
from websockets.sync.client import ClientConnection, connect

from recollect.table.live.wire import DIRECT
from recollect.table.web.socket import AHEAD, BITE, LEVEL, Packed, framed, packer

Served = Callable[[Any], str]


@pytest.fixture
def served() -> Iterator[Served]:
    """A server of sockets such as the house has, over an application of one's own; returns its address."""
    running = []

    def serve(app: Any) -> str:
        server = uvicorn.Server(uvicorn.Config(app, port=0, ws=Packed, lifespan="off", log_level="error", timeout_graceful_shutdown=1))
        server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
        thread = threading.Thread(target=asyncio.run, args=(server.serve(),))
        thread.start()
        running.append((server, thread))
        while not server.started:
            assert thread.is_alive()
        return f"ws://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}/"

    yield serve
    for server, thread in running:
        server.should_exit = True
        thread.join()


def line(scope: Any) -> Packed:
    """The socket that an application is asked by."""
    return scope["extensions"][DIRECT]["say"].__self__


def at_once(client: ClientConnection, say: Callable[[Protocol], None], times: int) -> None:
    """Say something many times in one write."""
    for _ in range(times):
        say(client.protocol)
    client.socket.sendall(b"".join(client.protocol.data_to_send()))


def test_what_is_framed_here_is_read_in_turn_with_what_the_library_frames():
    here, there = (Protocol(side, state=State.OPEN) for side in (Side.SERVER, Side.CLIENT))
    here.extensions, there.extensions = [PerMessageDeflate(False, False, 15, 15)], [PerMessageDeflate(False, False, 15, 15)]
    packs = here.extensions[0].encoder = packer.compressobj(LEVEL, wbits=-15)
    rng = random.Random(1)
    said = [rng.randbytes(size).hex().encode() for size in (5, 60, 130, 40_000, 70_000)] * 2  # each way to write a length
    for k, text in enumerate(said):
        if k % 2:
            here.send_text(text)
            there.receive_data(b"".join(here.data_to_send()))
        else:
            there.receive_data(framed(packs.compress(text) + packs.flush(packer.Z_SYNC_FLUSH)))
    assert [bytes(frame.data) for frame in there.events_received()] == said and there.parser_exc is None


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Says back what it hears: one word the direct way, the next the usual one, through the layers."""
    say = scope["extensions"][DIRECT]["say"]
    await receive()
    await send({"type": "websocket.accept"})
    for k in range(1000):
        heard = await receive()
        if heard["type"] == "websocket.disconnect":
            assert not say(b"nobody hears it")
            return
        if k % 2 or not say(heard["text"].encode()):
            await send({"type": "websocket.send", "text": heard["text"]})


@pytest.mark.parametrize("packing", ["deflate", None])
def test_a_client_reads_what_is_said_the_direct_way(served: Served, packing: str | None):
    rng = random.Random(2)
    sizes = (0, 1, 125, 126, 127, 65_535, 65_536, 200_000)  # a length is written in one, three or nine bytes
    said = [text for size in sizes for text in ("é" * (size // 2) + "e" * (size % 2), rng.randbytes(size).hex()[:size])]
    with connect(served(echo), compression=packing, max_size=None) as client:  # type: ignore[arg-type]
        assert bool(client.protocol.extensions) == bool(packing)
        for text in [word for word in said for _ in range(2)]:  # each both ways
            client.send(text)
            assert client.recv(timeout=20) == text


def test_what_is_said_the_direct_way_keeps_its_place_among_all_else(served: Served):
    async def both(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        for k in range(30):  # without a turn of the loop between them, as far as that is ours to say
            assert line(scope).say(f"{k} directly".encode())
            if k % 3 == 0:
                await send({"type": "websocket.send", "text": f"{k} by the layers"})
        await send({"type": "websocket.close"})

    with connect(served(both)) as client:
        said = list(client)
    assert said == [text for k in range(30) for text in (f"{k} directly", *([f"{k} by the layers"] if k % 3 == 0 else []))]


@pytest.mark.parametrize("answers", [[b"come 1", b"come 2", b"come 3"], [b"come 3"]])
def test_what_was_said_has_come_when_the_other_end_says_so(served: Served, answers: list[bytes]):
    """Who answers the latest question has had what was said before the others, too."""
    come = list[int]()

    async def asking(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await receive()
        for k in range(3):
            assert line(scope).say(str(k).encode())
            line(scope).reached(lambda k=k: come.append(k))
        for _ in range(2):
            await receive()
            assert line(scope).say(str(come).encode())
        await send({"type": "websocket.close"})

    with connect(served(asking)) as client:
        say = client.protocol.send_frame
        client.protocol.send_frame = lambda frame: say(frame) if frame.opcode is not Opcode.PONG else None  # type: ignore[method-assign]
        client.send("go on")
        assert [client.recv(timeout=20) for _ in range(3)] == ["0", "1", "2"]
        at_once(client, lambda _: say(Frame(Opcode.PONG, b"come 9")), 1)  # nobody asked that
        client.send("now?")
        assert client.recv(timeout=20) == "[]"
        for mark in answers:
            at_once(client, lambda _, mark=mark: say(Frame(Opcode.PONG, mark)), 1)
        client.send("now?")
        assert list(client) == ["[0, 1, 2]"]


def test_what_unpacks_to_much_waits_packed_until_what_was_said_before_is_heard(served: Served):
    """Three hundred long messages travel in 25 kB; before, all of them were unpacked as they came."""
    waiting, heard, go = [], [], threading.Event()

    async def slow(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        while not go.is_set():
            await asyncio.sleep(0.01)
            waiting.append(line(scope).queue.qsize())
        while len(heard) < 300:
            heard.append(len((await receive())["text"]))
            waiting.append(line(scope).queue.qsize())
        await send({"type": "websocket.close"})

    with connect(served(slow)) as client:
        at_once(client, lambda protocol: protocol.send_text(b"a" * 60_000), 300)
        while max(waiting, default=0) == 0:
            pass
        go.set()
        assert list(client) == []
    assert heard == [60_000] * 300, "and none is lost"
    assert max(waiting) <= AHEAD + BITE // 60


def test_who_asks_for_many_answers_at_once_is_answered_between_others(served: Served):
    """Others come after each bite; before, one write asked for thousands of pongs, and had them all first."""
    answered, most = 0, 0

    async def counting(scope: Any, receive: Any, send: Any) -> None:
        nonlocal most
        await receive()
        await send({"type": "websocket.accept"})
        protocol = line(scope)
        write, last = protocol.transport.write, asyncio.ensure_future(receive())

        def counted(data: bytes) -> None:
            nonlocal answered
            answered += 1
            write(data)

        protocol.transport.write = counted  # type: ignore[method-assign]
        before = 0
        while not last.done():
            await asyncio.sleep(0)
            most, before = max(most, answered - before), answered
        await send({"type": "websocket.close"})

    with connect(served(counting)) as client:
        at_once(client, lambda protocol: protocol.send_ping(b""), 5000)
        client.send("the last")
        with pytest.raises(ConnectionClosed):
            client.recv(timeout=60)
    assert answered >= 5000 and most <= BITE // 6 + 1


def test_who_is_told_to_go_while_much_of_theirs_waits_may_say_goodbye(served: Served):
    """The house ends the line with their answer; before, that was not read, and the line ended by the clock."""

    async def leaving(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        line(scope).close_timeout = 3600
        while line(scope).queue.qsize() <= AHEAD:
            await asyncio.sleep(0.01)
        await send({"type": "websocket.close", "code": 1012})

    with connect(served(leaving), close_timeout=600) as client:
        at_once(client, lambda protocol: protocol.send_text(b"once more"), 2000)
        with pytest.raises(ConnectionClosed) as ended:
            client.recv(timeout=30)
        assert ended.value.rcvd.code == 1012 and ended.value.sent.code == 1012
