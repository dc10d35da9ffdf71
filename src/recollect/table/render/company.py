"""The company of a table as a page is told of it: who sits here, how long a turn may take, what was said, what is to be decided."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

from recollect.table.render.page import environment
from recollect.table.render.players import Player, art_of
from recollect.table.render.prose import ui_texts
from recollect.table.store.beside import DAY, HOUR, Aside

if TYPE_CHECKING:
    from recollect.table.live.company import Company
    from recollect.table.live.room import Room
    from recollect.table.live.screen import Screen

GONE = ("gave_up", "lost")  # whose seat it was is kept with it
FORMER = ("lost", "carried")  # how somebody comes to have a seat no more
HEARD = 12  # words that are listed
WORDS = ("said", "wrote")
SEATS = ("more", "taken", "back", *GONE)  # what becomes of a seat: told over the board when it happens
NEWS = ("up", "reminded", "more", "taken", "back", *GONE, "declined")  # asides that are listed with them


def standing(screen: Screen) -> object:
    """All that a page is told of its company depends on."""
    room, company = screen.room, screen.room.company
    ready = room.row.ready
    until = tuple(company.pace.until().items()) if ready and company.pace.runs else ()
    return company.version, until, tuple(screen.mine), ready and room.moment.over, room.row.rematch, ready, tuple(played_for(screen))


def news(screen: Screen) -> dict[str, Any]:
    """The message: what stands in the panel, what is told over the board, how long there is still time, and words that were said."""
    room, company = screen.room, screen.room.company
    env, about = environment(room.row.game, screen.language), context(screen)
    until = company.pace.until() if room.row.ready else {}
    return {
        "company": {
            "panel": env.get_template("company.html.jinja").render(about),
            "tells": env.get_template("tells.html.jinja").render(about),
            "left": left(screen),
            "said": [bubble(aside, screen, about) for aside in rising(screen)],
            "soon": any(company.pace.said("reminded", seat) for seat in until if seat in screen.mine),
            "ask": asked(about, screen.language),
            "leaving": leaving(room, screen.person, screen.language),
        }
    }


def leaving(room: Room, person: str, language: str) -> str:
    """What becomes of the table while who leaves it is away: what follows changes as others come and go."""
    ui = ui_texts(language)
    return ui("leaving.clock", follows=ui(f"company.follows.{then(room, person)}")) if room.company.pace.runs else ui("leaving.text")


def asked(about: dict[str, Any], language: str) -> str:
    """Whose time is up, where this page is to choose what follows, or who would play again; nothing else."""
    names = [about["players"][seat].name for seat in about["late"] if about["after"][seat] == "decide"]
    if names and about["manners"].follows == "ask":
        return ui_texts(language)("company.up", name=", ".join(names))
    return ui_texts(language)("company.offer", name=about["offer"]["name"]) if about["offer"] and about["offer"]["free"] else ""


def left(screen: Screen) -> float | None:
    """Seconds that one's own turn may still take, else somebody's; None without a clock."""
    room = screen.room
    until = room.company.pace.until() if room.row.ready else {}
    at = min([at for seat, at in until.items() if seat in screen.mine] or until.values(), default=None)
    return None if at is None else max(0.0, round(at - room.now(), 1))


def heard(company: Company) -> list[Aside]:
    """What was said lately."""
    return [aside for aside in company.asides[-HEARD:] if aside.kind in WORDS]


def rising(screen: Screen) -> list[Aside]:
    """What was said lately, and what became of the others' seats; of one's own, and of time that is up and waits, a card tells."""
    company, own = screen.room.company, {*screen.mine, *screen.lost}
    seats = SEATS if company.manners.follows in ("ask", "wait") else ("up", *SEATS)
    return [a for a in company.asides[-HEARD:] if a.kind in WORDS or a.kind in (("more",) if a.seat in own else seats)]


def bubble(aside: Aside, screen: Screen, about: dict[str, Any]) -> dict[str, Any]:
    """An aside as it rises over the board."""
    template = environment(screen.room.row.game, screen.language).get_template("bubble.html.jinja")
    html = template.render(about, word=line(aside, screen))
    return {"n": aside.n, "seat": aside.seat, "word": aside.kind in WORDS, "html": html}


def context(screen: Screen) -> dict[str, Any]:
    """What the templates of the company are made from."""
    from recollect.table.live.words import EMOTES, PHRASES

    room, company, row = screen.room, screen.room.company, screen.room.row
    running = row.ready and not room.moment.over
    people = room.people(screen.language)
    players = [Player(seat, name, art, me=seat in screen.mine, away=away) for seat, (name, art, away) in enumerate(people)]
    late = sorted(company.pace.late(), key=lambda seat: seat not in screen.mine) if running else []  # of one's own first
    return {
        "players": players,
        "row": row,
        "mine": screen.mine,
        "shared": len(screen.mine) > 1,  # then nobody is "you"
        "running": running,
        "host": row.host == screen.person,
        "host_seat": next((seat for seat, chair in enumerate(row.chairs) if chair.person and chair.person == row.host), None),
        "late": late,
        "after": {seat: after(screen, seat) for seat in late},
        "soon": [seat for seat in company.pace.asked() if seat in screen.mine and seat not in late and company.pace.said("reminded", seat)],
        "decides": [seat for seat in range(len(players)) if running and company.decides(screen.person, seat)],
        "played_for": played_for(screen) if running else {},
        **{how: former(screen, how) for how in FORMER},
        "manners": company.manners,
        "then": then(room, screen.person),
        "turn": spell(company.manners.turn, screen.language),
        "spectators": company.spectators(),
        "emotes": EMOTES,
        "phrases": PHRASES,
        "lines": [line(a, screen) for a in company.asides if a.kind in (*NEWS, *WORDS)][-HEARD:],
        "offer": offered(screen),
        "declined": [] if row.ready else company.declined(),
        "stand_in": art_of(company.substitute()),
        "page": {"path": f"/t/{row.id}", "language": screen.language},
    }


def after(screen: Screen, seat: int) -> str:
    """What is said beside the seat whose time is up: who decides what follows, where anybody does."""
    row, company = screen.room.row, screen.room.company
    if company.manners.follows == "wait":
        return "up_alone" if seat in screen.mine else "may_decide" if company.decides(screen.person, seat) else "waits"
    if company.decides(screen.person, seat):
        return "decide"
    if row.chairs[seat].person != row.host:
        return "up_me" if seat in screen.mine else "host_decides"
    if any(chair.person not in (None, row.host) for chair in row.chairs):
        return "up_host" if seat in screen.mine else "others_decide"
    return "up_alone" if seat in screen.mine else "waits"


def then(room: Room, person: str) -> str:
    """What follows when somebody's own time is up, as it is said to them: of the host's seat the others decide, where there are any."""
    row, follows = room.row, room.company.manners.follows
    if follows != "ask" or person != row.host:
        return "asks" if follows == "ask" and not row.seats_of(person) else follows
    return "others" if any(chair.person not in (None, row.host) for chair in row.chairs) else "wait"


def played_for(screen: Screen) -> dict[int, str]:
    """For whom at this page a companion has played while they were away, until they move themselves: the seat, and who it was."""
    if not screen.room.company.asides:
        return {}
    asides = [a for a in screen.room.company.asides if a.kind in ("taken", "back") and a.seat in screen.mine]
    last = {back.seat: (taken.at, back) for taken, back in itertools.pairwise(sorted(asides, key=lambda a: a.seat)) if back.kind == "back"}
    return {seat: back.what for seat, (since, back) in last.items() if since <= _moved(screen, seat) <= back.at}


def former(screen: Screen, how: str) -> list[int]:
    """The seats that this person had, and has `lost` or `carried` to another device."""
    had = [f.seat for f in screen.room.company.former if f.person == screen.person and f.how == how]
    return [seat for seat in had if seat not in screen.mine]


def _moved(screen: Screen, seat: int) -> float:
    """When the seat last moved; that what it showed lies there no more is no move of theirs."""
    room, entries = screen.room, zip(screen.room.entries, screen.room.times, strict=False)
    return max((at for (who, action), at in entries if who == seat and action not in room.game.paced), default=0.0)


def line(aside: Aside, screen: Screen) -> dict[str, Any]:
    """An aside in a list."""
    chair = screen.room.row.chairs[aside.seat]
    gone = next((a.what for a in screen.room.company.asides if a.kind in GONE and a.seat == aside.seat and a.n >= aside.n), None)
    name = gone or (screen.room.names(screen.language)[aside.seat] if chair.kind == "bot" else chair.name)
    return {"n": aside.n, "seat": aside.seat, "kind": aside.kind, "what": aside.what, "name": name, "at": aside.at}


def offered(screen: Screen) -> dict[str, Any] | None:
    """A rematch that somebody offers: who, and where; not to who is there already."""
    room = screen.room
    if not room.row.ready or not room.moment.over or not room.row.rematch:
        return None
    there = room.store.row(room.row.rematch)
    if there is None or there.seats_of(screen.person):
        return None
    if any(aside.kind == "declined" and aside.seat in screen.mine for aside in room.store.asides(there.id)):
        return None
    name = next((chair.name for chair in there.chairs if chair.person == there.host), "")
    free = any(there.chairs[seat].free for seat in screen.mine)
    return {"id": there.id, "name": name, "free": free}


def remaining(seconds: float, language: str) -> str:
    """How long there is still time: days with their hours, or three days would be two as soon as they have begun."""
    days, rest = divmod(seconds, DAY)
    return " ".join(spell(part, language) for part in (days * DAY, rest) if part >= HOUR) if days else spell(rest, language)


def spell(seconds: float, language: str) -> str:
    """A time in words."""
    ui = ui_texts(language)
    for unit, length in (("days", DAY), ("hours", HOUR), ("minutes", 60.0)):
        if seconds >= length:
            return ui(f"time.{unit}", n=int(seconds // length))
    return ui("time.seconds", n=int(seconds))
