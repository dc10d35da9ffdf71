"""What the tests of the table do as people do it: set a table, take a seat, act over the socket."""

from __future__ import annotations

import asyncio
import json
import re
import warnings
from collections.abc import Callable
from typing import Any

with warnings.catch_warnings():  # Starlette would have its client stand on another library; either does
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient

from recollect.table.render.parts import after


def open_table(client: Any, game: str = "memoarrr", **form: str) -> str:
    """A table set by the form; returns its id."""
    answer = client.post(f"/new/{game}", data={"name0": "Mila", **form}, headers={"origin": str(client.base_url).rstrip("/")})
    assert answer.status_code == 200, answer.text
    return str(answer.url).rsplit("/", 1)[1]


def links(client: Any, id: str) -> list[str]:
    """The secret links that the host sees while waiting."""
    return re.findall(r'value="[^"]*?(/t/[^"]+/join/[^"]+)"', client.get(f"/t/{id}").text)


def visitor(client: TestClient) -> TestClient:
    """Somebody else at the same house (and in the same event loop): no cookie yet."""
    other = TestClient(client.app, base_url="http://testserver", follow_redirects=True)
    other.portal = client.portal
    return other


def take(other: Any, link: str, name: str) -> Any:
    return other.post(link, data={"name": name}, headers={"origin": str(other.base_url).rstrip("/")})


async def until(true: Callable[[], object]) -> None:
    """Wait until it is so, however long that takes on a busy machine."""
    async with asyncio.timeout(20):
        while not true():
            await asyncio.sleep(0.005)


class Wire:
    """A socket of a page: what came last, and asking."""

    def __init__(self, socket: Any) -> None:
        self.socket = socket
        self.html, self.k = "", 0
        self.ids = 0
        self._page: dict[str, Any] = {}  # came with an answer that was heard first

    def hear(self) -> dict[str, Any]:
        """The next message; where parts came, with the whole page as it is now. An answer and the page that came with it are two."""
        message, self._page = self._page or json.loads(self.socket.receive_text()), {}
        if "done" in message and "k" in message:
            self._page = {key: what for key, what in message.items() if key not in ("done", "why")}
            return {key: what for key, what in message.items() if key in ("done", "why")}
        if "parts" in message:
            assert message["after"] == self.k, "it builds upon what this page has"
        if "html" in message or "parts" in message:
            self.html = message["html"] = after(self.html, message)
        self.k = message.get("k", self.k)
        return message

    def answer(self, key: str, most: int = 60) -> dict[str, Any]:
        """Listen until a message has this key."""
        for _ in range(most):
            message = self.hear()
            if key in message:
                return message
        raise AssertionError(f"no message with {key!r} came")

    def page(self, text: str, most: int = 60) -> str:
        """Listen until the page has this text."""
        for _ in range(most):
            if text in self.html:
                return self.html
            self.hear()
        raise AssertionError(f"no page with {text!r} came; the last one was {self.html[:500]}")

    @property
    def n(self) -> int:
        return int(re.search(r'data-n="(\d+)"', self.html)[1])  # type: ignore[index]

    @property
    def acts(self) -> list[int]:
        return sorted({int(a) for a in re.findall(r'data-act="(\d+)"', self.html)})

    def send(self, **message: Any) -> None:
        self.socket.send_text(json.dumps(message))

    def act(self, action: int) -> dict[str, Any]:
        self.ids += 1
        self.send(do="act", action=action, n=self.n, id=self.ids)
        return self.answer("done")
