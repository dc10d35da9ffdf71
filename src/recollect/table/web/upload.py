"""A match file from somewhere else, looked back at: it is made into one page, and nothing of it is kept."""

from __future__ import annotations

import asyncio
import re

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from recollect.engine.match import Match, checked, rebuild
from recollect.engine.shelf import games
from recollect.review.command import times_of
from recollect.table.house import house_of
from recollect.table.render.film import film
from recollect.table.render.film import policy as own_policy
from recollect.table.web.forms import body_of, clean_name, same_origin
from recollect.table.web.visitor import Visitor, place_of, respond

LARGEST = 1 << 20  # bytes of a match file; those of our games have a tenth of it
ENTRIES = 5_000  # of a log; the longest game that was seen has 1,200


async def ask(request: Request, fault: str = "") -> Response:
    """The form; with what is wrong with the file that was sent."""
    return respond(request, "upload.html.jinja", Visitor(request), status=400 if fault else 200, fault=fault)


async def show(request: Request) -> Response:
    """The replay of the file, or what is wrong with it in words."""
    visitor, house = Visitor(request), house_of(request)
    if not same_origin(request):
        raise HTTPException(403, "origin")
    if not house.visits.may_send_a_file(place_of(request)):
        raise HTTPException(429, "files")
    text = sent(request.headers.get("content-type", ""), await body_of(request, LARGEST + 4096))  # and what a form says round it
    async with house.films:
        try:
            html = await asyncio.to_thread(page_of, text, visitor.language)
        except ValueError as error:
            return await ask(request, str(error))
    return HTMLResponse(html, headers={"content-security-policy": own_policy(html)})


def sent(kind: str, body: bytes) -> bytes:
    """The file that a form brought, or what was sent as it is. A browser's form is flat: no part is opened further."""
    if not kind.startswith("multipart/form-data"):
        return body
    named = re.search(r'boundary="?([^";]+)', kind)
    parts = (b"\r\n" + body).split(b"\r\n--" + named[1].encode("latin-1", "replace")) if named else []
    opened = (part.partition(b"\r\n\r\n") for part in parts)
    return next((file for head, _, file in opened if b"filename" in head), b"")


def page_of(text: bytes, language: str) -> str:
    """The page of a match file; ValueError says what is wrong with it."""
    match, names, times = read(text)
    return film(match, names, times, language)


def read(text: bytes) -> tuple[Match, list[str], list[float]]:
    try:
        given = msgspec.json.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError) as error:
        raise ValueError(f"this is not a match file: {error}") from None
    doc = checked(given, "the file")
    if doc["game"] not in games():
        raise ValueError("the file: its game is not one of ours")
    if len(doc["log"]) > ENTRIES:
        raise ValueError(f"the file: its log is longer than {ENTRIES} entries")
    match = rebuild(doc, "the file")
    names = doc.get("names")
    called = [clean_name(name) for name in names[: match.players]] if isinstance(names, list) else []
    return match, [name for name in called if name] if all(called) else [], times_of(doc, match)
