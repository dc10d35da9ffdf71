"""Who is asking, and how they are answered."""

from __future__ import annotations

import secrets
from functools import lru_cache
from http import HTTPStatus
from ipaddress import IPv4Address, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from itsdangerous import BadSignature
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response
from starlette.websockets import WebSocket

from recollect.engine.texts import LANGUAGES
from recollect.table.house import house_of
from recollect.table.limits import PAGES
from recollect.table.live.room import Gone, Outdated
from recollect.table.render.page import whole
from recollect.table.render.prose import ui_texts
from recollect.table.store import Removed, Unkept

COOKIE = "recollect"
AT_A_TABLE = ("running", "sealed", "seatless")  # troubles that leave one at the table
NETWORK = 8  # bytes of an address of the sixth version that say whose it is
YEARS = 3 * 365 * 24 * 3600


class Visitor:
    """Known by a signed cookie: a number for the person, a name, a language."""

    def __init__(self, connection: HTTPConnection) -> None:
        house = house_of(connection)
        self.known = True
        try:
            given = house.signer.loads(connection.cookies.get(COOKIE, ""))
            self.person, self.name, self.language = str(given["p"]), str(given["n"]), str(given["l"])
        except (BadSignature, KeyError, TypeError):
            self.known = False
            spoken = connection.headers.get("accept-language", connection.query_params.get("in", ""))  # a link that is pasted: its maker's
            self.person, self.name, self.language = secrets.token_urlsafe(12), "", preferred(spoken)
        if self.language not in LANGUAGES:
            self.language = "en"

    def forget(self) -> None:
        """A stranger from now on."""
        self.person, self.name = secrets.token_urlsafe(12), ""

    def remember(self, response: Response, request: Request) -> Response:
        house = house_of(request)
        value = house.signer.dumps({"p": self.person, "n": self.name, "l": self.language})
        response.set_cookie(COOKIE, value, max_age=YEARS, httponly=True, samesite="lax", secure=request.url.scheme == "https")
        return response


def preferred(header: str) -> str:
    """The first of our languages that the browser asks for."""
    for part in header.lower().split(","):
        code = part.split(";")[0].strip()[:2]
        if code in LANGUAGES:
            return code
    return "en"


def place_of(connection: HTTPConnection) -> str:
    """The address from which somebody asks; a school, or a town, may be behind one. Of the sixth version everybody has billions of them,
    which begin alike."""
    return place(connection.client.host) if connection.client else ""


@lru_cache(maxsize=1024)
def place(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:
        return host
    if isinstance(address, IPv4Address):
        return host
    return str(address.ipv4_mapped or ip_network((address.packed[:NETWORK] + bytes(16 - NETWORK), 8 * NETWORK)))


def base_of(connection: HTTPConnection) -> str:
    """The address by which this browser reaches us: invitations begin with it."""
    scheme = connection.url.scheme.replace("ws", "http")
    return connection.headers.get("origin") or f"{scheme}://{connection.headers.get('host', '')}"


async def turn_away(socket: WebSocket, visitor: Visitor) -> None:
    """A page too many: it is told why (a browser hears no reason from a door that was never open), and comes again when it is looked at."""
    mine = house_of(socket).visits.open[f"person {visitor.person}"] >= PAGES
    await socket.accept()
    await socket.send_json({"full": ui_texts(visitor.language)("lost.full" if mine else "lost.crowd", n=PAGES)})
    await socket.close(4429, "too many pages are open from there")


def respond(
    request: Request, template: str, visitor: Visitor, game: str | None = None, status: int = 200, path: str = "", **context: Any
) -> Response:
    """A whole page; `path` says where it is found again, if not where it was asked for."""
    ui, unkept = ui_texts(visitor.language), house_of(request).rooms.trouble
    context = {"strip": ui("trouble.strip.text") if unkept else "", **context}
    html = whole(template, visitor.language, path or request.url.path, game=game, visitor=visitor, base=base_of(request), **context)
    response = HTMLResponse(html, status)
    return response if visitor.known else visitor.remember(response, request)


async def trouble(request: Request, error: Exception) -> Response:
    """An error page for people."""
    visitor = Visitor(request)
    ui = ui_texts(visitor.language)
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else ""
    if isinstance(error, Outdated):
        status, key, detail = 410, "gone" if isinstance(error, Gone) else "outdated", ""
    elif isinstance(error, Removed):
        status, key, detail = 404, "table", ""
    elif isinstance(error, Unkept):
        status, key, detail = 503, "unkept", ""
    else:
        key = (
            detail
            if f"trouble.{detail}.title" in ui
            else {404: "page", 403: "forbidden", 400: "bad", 405: "page", 413: "long"}.get(status, "server")
        )
    said = "" if key == detail or detail == HTTPStatus(status).phrase else detail  # a bare phrase says nothing to people
    more = {"strip": ""} if key == "unkept" else {}  # that is what it says
    table = request.path_params.get("id") if key in AT_A_TABLE else None
    path = came_from(request)
    return respond(request, "trouble.html.jinja", visitor, status=status, path=path, code=status, key=key, said=said, table=table, **more)


def came_from(request: Request) -> str:
    """Where the form stands that could not be answered: its own address, asked for in another language, may lead nowhere."""
    try:
        return "" if request.method in ("GET", "HEAD") else urlsplit(request.headers.get("referer", "")).path
    except ValueError:  # no address at all
        return ""
