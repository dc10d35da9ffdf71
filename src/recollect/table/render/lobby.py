"""What stands on a page before its board: the lobby while seats are free, a curtain at a shared screen, a word while it connects."""

from __future__ import annotations

import re
from typing import Any

from markupsafe import escape

from recollect.minds import companions
from recollect.table.live.room import Room
from recollect.table.render.agreed import agreed
from recollect.table.render.page import environment
from recollect.table.render.players import Player, art_of, unnamed
from recollect.table.render.prose import game_texts, listed, ui_texts


def curtain(room: Room, seat: int, language: str) -> str:
    """The screen is hidden until the right person sits before it."""
    name, art, _ = room.people(language)[seat]
    player = Player(seat, name, art)
    return environment(room.row.game, language).get_template("curtain.html.jinja").render(p=player, n=room.n)


def waiting(room: Room, language: str) -> str:
    """For the moment before the table speaks, and after what is shown has been seen here, while others still look."""
    name, words = escape(game_texts(room.game, language)("name")), escape(ui_texts(language)("why.showing"))
    main = f'<main class="curtain" id="table" data-keys><h1>{name}</h1><p id="say" role="status" tabindex="-1">{words}</p></main>'
    return f'<div id="live" class="play" data-n="{room.n}">{main}</div>'


def qr(link: str) -> dict[str, Any] | None:
    """The link as a code that a phone across the table can read: the dark squares as an SVG path. None if it is too long for one."""
    import segno  # only where somebody is invited: the first page need not wait for it

    try:
        rows = segno.make_qr(link, error="l").matrix
    except ValueError:
        return None
    return {"size": len(rows), "path": "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)}


def offered(room: Room, language: str) -> list[dict[str, Any]]:
    """The companions that may take an empty seat."""
    ui = ui_texts(language)
    names = {mind: ui(f"minds.{mind}.name") if f"minds.{mind}.name" in ui else mind.capitalize() for mind in companions(room.game)}
    return [{"name": mind, "title": name, "art": art_of(mind)} for mind, name in names.items()]


def lobby(room: Room, person: str, mine: list[int], language: str, base: str) -> str:
    """Who sits already, and the links for those who are to come: only the host sees them."""
    row, ui = room.row, ui_texts(language)
    players = [Player(seat, name, art, me=seat in mine) for seat, (name, art, _) in enumerate(room.people(language))]
    door, spoken = f"{base}/t/{row.id}/join", "" if language == "en" else f"?in={language}"  # by the card of the link, where it is pasted
    links = {seat: f"{door}/{chair.secret}{spoken}" for seat, chair in enumerate(row.chairs) if chair.free and row.host == person}
    expected = room.company.expected()
    return (
        environment(row.game, language)
        .get_template("lobby.html.jinja")
        .render(
            row=row,
            players=players,
            mine=mine,
            links=links,
            expected=expected,
            declined=room.company.declined(),
            unnamed=[seat for seat, chair in enumerate(row.chairs) if unnamed(chair, seat)],
            awaited=listed([players[seat].name for seat in expected], ui),
            host=row.host == person,
            agreed=agreed(room.game, row.options, language, room.company.manners),
            minds=offered(room, language) if row.host == person else [],
            codes={seat: code for seat, link in links.items() if (code := qr(link))},
            local=bool(links.keys() - expected) and re.match(r"https?://(localhost|127\.0\.0\.1|\[::1\])\b", base) is not None,
            page={"language": language, "path": f"/t/{row.id}", "title": ""},
        )
    )
