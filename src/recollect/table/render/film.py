"""A finished match as one page that stands alone: every moment from every seat, with its timeline. Style, script and pictures are in it.

Moments share most of their parts, so each text is kept once; a moment is a number of them, and all of it is packed."""

from __future__ import annotations

import base64
import hashlib
import json
import mimetypes
import re
import zlib
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from markupsafe import Markup
from msgspec.structs import replace

from recollect.engine.look import Moment
from recollect.engine.match import Match
from recollect.table.live.clock import Clock, clock_of
from recollect.table.render.log import Log
from recollect.table.render.page import STATIC, Page, done, made, rest, sheet, whole
from recollect.table.render.parts import Piece, Sheet
from recollect.table.render.players import Person
from recollect.table.render.prose import game_texts, ui_texts
from recollect.table.render.timeline import Timeline

ABOVE = -1  # the seat of nobody: what everyone saw


class Reel:
    """A finished match to be shown: what `Log` and pages ask of a table."""

    def __init__(self, match: Match, names: Sequence[str], times: Sequence[float], language: str) -> None:
        if not match.over:
            raise ValueError("the game is not over: nothing is told of it before its end")
        self.match, self.game, self.language = match, match.game, language
        self.moment, self.entries = match.moment, match.log
        self.states: dict[int, np.ndarray] = dict(match.positions())
        self._names = [*map(str, names), *(ui_texts(language)("seat.nobody", n=n + 1) for n in range(len(names), match.players))][
            : match.players
        ]
        self.times, self.clock = times, self._wound(times)
        self.over = True
        self.hinted: Sequence[tuple[int, int]] = ()
        self.log = Log(self)

    def _wound(self, times: Sequence[float]) -> Clock | None:
        """The clock of a game against time, where times were kept."""
        clock = clock_of(self.game, self.match.options)
        if clock is None or len(times) != len(self.match.log):
            return None
        places = sorted(self.states)
        for place, after in pairwise(places):
            by_hand = self.match.log[place][1] not in self.game.paced
            clock.move(times[place], by_hand, self.game.state.open(self.states[after]))
        return clock

    def _time(self, place: int) -> Mapping[str, Any]:
        """The clock as it stood."""
        return {"clock": self.clock.back(self.times[place - 1] if place else 0.0)} if self.clock else {}

    def named(self, language: str, place: int) -> list[str]:
        return self._names

    @property
    def people(self) -> list[Person]:
        return [(name, None, False) for name in self._names]

    def moment_at(self, place: int) -> Moment:
        return Moment(self.game, self.states[place], self.match.options)

    def sheet(self, step: int, seat: int) -> Sheet:
        """A moment as a seat saw it; nothing is to be done."""
        places = sorted(self.states)
        place, before = places[step], places[step - 1]
        entry = made(self.game, seat, self.match.log[before], lambda: self.states[before]) if step else {}
        steps: dict[str, Any] = {"now": step, "of": len(places) - 1, "back": None, "on": None, "query": "", "told": ""}
        lines = self.log.lines(seat, self.language, place, shared=True)
        moment, earlier = self.moment_at(place), (self.states[before] for before in reversed(places[:step]))
        page = Page.of(
            moment, seat, self.people, self.language, {**entry, **rest(moment, seat, earlier), **self._time(place)}, True,
            id="film", n=step, lines=lines, steps=steps, mine=False, seal=self.match.commitment,
        )  # fmt: skip
        steps["told"] = done(page.look) if step else ""
        return sheet(replace(page, look=replace(page.look, legal=frozenset())))


class Pool:
    """Texts, each once, and pieces made of texts and pieces."""

    def __init__(self) -> None:
        self.texts: dict[str, int] = {}
        self.pieces: dict[tuple[int, ...], int] = {}

    def put(self, piece: Piece) -> int:
        """The number of a piece: its texts with the pieces between them, by turns."""
        mixed = [self.texts.setdefault(piece.frame[0], len(self.texts))]
        for child, text in zip(piece.children, piece.frame[1:], strict=True):
            mixed += [self.put(child), self.texts.setdefault(text, len(self.texts))]
        return self.pieces.setdefault(tuple(mixed), len(self.pieces))


def film(match: Match, names: Sequence[str] = (), times: Sequence[float] = (), language: str = "en") -> str:
    """The page."""
    reel, pool = Reel(match, names, times, language), Pool()
    steps = len(reel.states)
    seats = {seat: [pool.put(reel.sheet(step, seat).piece) for step in range(steps)] for seat in range(ABOVE, match.players)}
    data = {"texts": list(pool.texts), "pieces": list(pool.pieces), "seats": seats}
    packed = base64.b64encode(zlib.compress(json.dumps(data, ensure_ascii=False).encode(), 9)).decode()
    ui, game = ui_texts(language), match.game
    html = whole(
        "film.html.jinja", language, "/", game=game.name, title=f"{game_texts(game, language)('name')}, {ui('replay.title')}",
        live=Markup(reel.sheet(0, ABOVE).html), table={"id": "film", "live": False}, packed=packed,
        people=[{"seat": n, "name": name, "art": art} for n, (name, art, _) in enumerate(reel.people)], now={"step": 0, "seat": ABOVE},
        timeline=Timeline.of(match, [reel.states[place] for place in sorted(reel.states)]), remembers=False, plans=False, onward=False,
    )  # fmt: skip
    return guarded(contained(html, game.folder / "page"))


# -- everything inside


def contained(html: str, folder: Path) -> str:
    """The page with its style, script and pictures in it."""
    html = re.sub(r'<link rel="(preload|icon|manifest|apple-touch-icon)"[^>]*>\n?', "", html)
    html = re.sub(r'<link rel="stylesheet" href="([^"]+)">', lambda found: f"<style>\n{style(file_of(found[1], folder))}</style>", html)
    return re.sub(r'<script src="([^"]+)"></script>', lambda found: f"<script>{script(file_of(found[1], folder))}</script>", html)


def file_of(address: str, folder: Path) -> Path:
    """The file behind an address of the house."""
    return STATIC / address.removeprefix("/static/") if address.startswith("/static/") else folder / address.rpartition("/")[2]


def style(file: Path) -> str:
    def inside(found: re.Match[str]) -> str:
        name = found[1].strip("\"'")
        if name.startswith(("data:", "#")):
            return found[0]
        kind = mimetypes.guess_type(name)[0] or "font/woff2"
        return f"url(data:{kind};base64,{base64.b64encode((file.parent / name).read_bytes()).decode()})"

    return re.sub(r"url\(([^)]*)\)", inside, file.read_text(encoding="utf-8"))


def script(file: Path) -> str:
    return file.read_text(encoding="utf-8").replace("</script", "<\\/script")


def policy(html: str) -> str:
    """Nothing is fetched from anywhere; of scripts only those that stand in the page are run."""
    scripts = re.findall(r"<script>(.*?)</script>", html, re.S)
    sums = " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'" for text in scripts)
    return f"default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; script-src {sums}"


def guarded(html: str) -> str:
    return html.replace("<head>", f'<head>\n<meta http-equiv="Content-Security-Policy" content="{policy(html)}">', 1)
