"""Who is asking, what their forms say, and how they are answered."""

from __future__ import annotations

import secrets
import unicodedata
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from itsdangerous import BadSignature
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from recollect.engine.texts import LANGUAGES
from recollect.table import pages
from recollect.table.house import house_of
from recollect.table.room import Outdated

COOKIE = "recollect"
BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters by name that show nothing
YEARS = 3 * 365 * 24 * 3600
LARGEST_FORM = 64 * 1024


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
            self.person, self.name, self.language = secrets.token_urlsafe(12), "", preferred(connection.headers.get("accept-language", ""))
        if self.language not in LANGUAGES:
            self.language = "en"

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


def clean_name(text: object) -> str:
    """On one line, without marks that turn or hide what stands beside them; a name that nobody can see is none."""
    seen = "".join(c for c in " ".join(str(text).split()) if unicodedata.category(c)[0] != "C" and c not in BLANK + "<>")
    name = " ".join(seen.split())[:20].strip()
    return name if any(unicodedata.category(c)[0] in "LNPS" for c in name) else ""


def base_of(connection: HTTPConnection) -> str:
    """The address by which this browser reaches us: invitations begin with it."""
    scheme = connection.url.scheme.replace("ws", "http")
    return connection.headers.get("origin") or f"{scheme}://{connection.headers.get('host', '')}"


def same_origin(connection: HTTPConnection) -> bool:
    """Posts and sockets only from our own pages."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    try:
        return urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:  # no address at all
        return False


def respond(request: Request, template: str, visitor: Visitor, game: str | None = None, status: int = 200, **context: Any) -> Response:
    html = pages.page(template, visitor.language, request.url.path, game=game, visitor=visitor, **context)
    response = HTMLResponse(html, status)
    return response if visitor.known else visitor.remember(response, request)


async def form_of(request: Request) -> dict[str, str]:
    """What a form of ours was filled in with."""
    if not same_origin(request):
        raise HTTPException(403, "origin")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_FORM:
            raise HTTPException(413, "long")
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=200))
    except ValueError:
        raise HTTPException(400) from None


async def trouble(request: Request, error: Exception) -> Response:
    """An error page for people."""
    visitor = Visitor(request)
    ui = pages.ui_texts(visitor.language)
    status = error.status_code if isinstance(error, HTTPException) else 500
    detail = error.detail if isinstance(error, HTTPException) else ""
    if isinstance(error, Outdated):
        status, key, detail = 410, "outdated", ""
    else:
        key = (
            detail
            if f"trouble.{detail}.title" in ui
            else {404: "page", 403: "forbidden", 400: "bad", 405: "page", 413: "long"}.get(status, "server")
        )
    said = "" if key == detail else detail
    return respond(request, "trouble.html.jinja", visitor, status=status, code=status, key=key, said=said)
