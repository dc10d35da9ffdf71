"""What reaches people who are at no table just now: the live list of the start page, the site as an app, the word that one is offline."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.websockets import WebSocket

from recollect.engine.shelf import games
from recollect.engine.texts import LANGUAGES
from recollect.table.house import House, house_of
from recollect.table.live.hall import Door, Look, Told
from recollect.table.render.page import STATIC, environment
from recollect.table.render.prose import ui_texts
from recollect.table.web.forms import same_origin
from recollect.table.web.start import facts, free_tables, tables_of
from recollect.table.web.visitor import Visitor, place_of, respond, turn_away

TABLE = "#17212b"  # the colour of the table (tokens.css), before any style is there


async def hall(socket: WebSocket) -> None:
    """The start page's own connection, with the same limits as a table's."""
    visitor, house = Visitor(socket), house_of(socket)
    if not same_origin(socket):
        return await socket.close(4403, "this page is not ours")
    if not visitor.known:  # a browser that keeps no cookie has no tables: it need not try again and again
        await socket.accept()
        return await socket.close(4403, "nobody is known by this page")
    place = place_of(socket)
    if not house.visits.arrive(visitor.person, place):
        return await turn_away(socket, visitor)
    try:
        await socket.accept()
        await house.hall.serve(Door(socket, visitor.person, lists(house, visitor), house.rooms.pace))
    finally:
        house.visits.leave(visitor.person, place)


def lists(house: House, visitor: Visitor) -> dict[str, Look]:
    """What a start page is told: its person's tables, and those that anyone may join."""
    shelf = {name: facts(name, visitor.language) for name in games()}

    def drawn(name: str, tables: list[dict[str, Any]]) -> str:
        return environment(None, visitor.language).get_template(f"{name}.html.jinja").render({name: tables, "shelf": shelf})

    def up(late: list[str]) -> str:
        return ui_texts(visitor.language)("company.up", name=", ".join(late))

    def offer(name: str) -> str:
        return ui_texts(visitor.language)("company.offer", name=name)

    def mine() -> tuple[Told, set[str]]:
        tables = tables_of(house, visitor.person, visitor.language)
        called = {table["id"]: shelf[table["game"]]["name"] for table in tables}
        yours = {table["id"]: called[table["id"]] for table in tables if table["turn"]}
        decide = {table["id"]: f"{up(table['late'])} · {called[table['id']]}" for table in tables if table["decide"]}
        decide |= {table["id"]: f"{offer(table['offer'])} · {called[table['id']]}" for table in tables if table["offer"]}
        told = {"mine": drawn("mine", tables), "turns": yours, "decide": decide, "soon": [table["id"] for table in tables if table["soon"]]}
        return told, {table["id"] for table in tables}

    def free() -> tuple[Told, set[str]]:
        tables = free_tables(house, visitor.person, visitor.language)
        return {"open": drawn("free", tables)}, {table["id"] for table in tables}

    return {"mine": mine, "open": free}


async def manifest(request: Request) -> Response:
    """So that the site can be installed."""
    visitor = Visitor(request)
    ui = ui_texts(visitor.language)
    sizes = [(f"/static/icon-{n}.png", f"{n}x{n}", "any") for n in (192, 512)]
    icons = [*sizes, ("/static/icon-mask.png", "512x512", "maskable")]
    said = {
        "name": "Recollect",
        "short_name": "Recollect",
        "description": ui("motto"),
        "lang": visitor.language,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": TABLE,
        "theme_color": TABLE,
        "icons": [{"src": src, "sizes": size, "type": "image/png", "purpose": purpose} for src, size, purpose in icons],
    }
    return JSONResponse(said, media_type="application/manifest+json")


async def service(request: Request) -> Response:
    """The script that answers when nobody else can: only from here may it answer for the whole site."""
    return FileResponse(STATIC / "service.js", media_type="text/javascript", headers={"cache-control": "no-cache"})


async def offline(request: Request) -> Response:
    """What is shown when the house cannot be reached: kept by the browser, so in both languages, the visitor's first."""
    visitor = Visitor(request)
    both = sorted(LANGUAGES, key=lambda language: language != visitor.language)
    return respond(request, "offline.html.jinja", visitor, strip="", both=[(language, ui_texts(language)) for language in both])
