"""What people fill in: forms from our own pages alone, of a bounded size, with names that can be seen."""

from __future__ import annotations

import unicodedata
from urllib.parse import parse_qsl, urlsplit

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request

from recollect.table.live.words import calm

BLANK = "\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"  # letters by name that show nothing
LARGEST_FORM = 64 * 1024


async def form_of(request: Request) -> dict[str, str]:
    """What a form of ours was filled in with."""
    if not same_origin(request):
        raise HTTPException(403, "origin")
    body = await body_of(request)
    try:
        return dict(parse_qsl(body.decode(), keep_blank_values=True, max_num_fields=200))
    except ValueError:
        raise HTTPException(400) from None


async def body_of(request: Request, most: int = LARGEST_FORM) -> bytes:
    """What was sent, unless it is too much: nobody waits for the rest of that."""
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > most:
            raise HTTPException(413, "long")
    return body


def same_origin(connection: HTTPConnection) -> bool:
    """Posts and sockets only from our own pages."""
    origin = connection.headers.get("origin")
    if origin is None:
        return connection.headers.get("sec-fetch-site", "same-origin") in ("same-origin", "none")
    try:
        return urlsplit(origin).netloc == connection.headers.get("host")
    except ValueError:  # no address at all
        return False


def clean_name(text: object) -> str:
    """On one line, without marks that turn or hide what stands beside them; a name that nobody can see is none."""
    seen = "".join(c for c in " ".join(str(text).split()) if unicodedata.category(c)[0] != "C" and c not in BLANK + "<>")
    name = calm(" ".join(seen.split()))[:20].strip()
    return name if any(unicodedata.category(c)[0] in "LNPS" for c in name) else ""
