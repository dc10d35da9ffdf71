"""Style, script, pictures: our own files and those of a game's folder."""

from __future__ import annotations

import re
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles

from recollect.engine.game import Game
from recollect.engine.shelf import games, load
from recollect.table.render import page
from recollect.table.web.visitor import Visitor


def game_of(request: Request) -> Game:
    if request.path_params["game"] not in games():
        raise HTTPException(404)
    return load(request.path_params["game"])


async def game_file(request: Request) -> Response:
    """Style and pictures of a game."""
    game, file = game_of(request), request.path_params["file"]
    path = game.folder / "page" / file
    if not re.fullmatch(r"(art/)?[\w-]{1,80}\.(css|svg|png|jpg|webp|woff2)", file, re.ASCII) or not path.is_file():
        raise HTTPException(404)
    response = FileResponse(path, headers={"cache-control": "no-cache"}, stat_result=path.stat())
    return NotModifiedResponse(response.headers) if STATIC.is_not_modified(response.headers, request.headers) else response


async def almanac(request: Request) -> Response:
    """Every card of a game in pictures: fetched when the rules are opened."""
    return HTMLResponse(page.almanac(game_of(request).name, Visitor(request).language))


class Cached(StaticFiles):
    """Our own static files: browsers ask whether they changed."""

    def file_response(self, *args: Any, **kwargs: Any) -> Response:
        response = super().file_response(*args, **kwargs)
        response.headers["cache-control"] = "no-cache"
        return response


STATIC = Cached(directory=page.STATIC)
