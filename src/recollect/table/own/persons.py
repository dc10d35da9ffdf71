"""What is kept of a person, and how it is carried to another device, or erased."""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from recollect.engine.shelf import games, load
from recollect.minds import companions
from recollect.table.store import Chair, Statement, Store
from recollect.table.store.schema import PARTS

MOST = 2000  # games of one person that are looked at, the latest

WHO = (("seats", "person"), ("former", "person"), ("tables", "host"))  # where a person is named
HIS = "id in (select id from seats where person = ?)"
LEFT = """update asides set what = ? where kind in ('gave_up', 'lost')
  and (id, seat) in (select id, seat from former where person = ? and how in ('gave_up', 'lost', 'told'))"""  # whose seat it was

AWAITED = """(id, seat) in (
  select tables.rematch, theirs.seat from tables join seats theirs on theirs.id = tables.id where theirs.person = ?)"""  # for a rematch


@dataclass(frozen=True)
class Played:
    """A finished game, as one who sat there sees it."""

    id: str
    game: str
    version: int
    options: Mapping[str, Any]
    result: Mapping[str, Any]
    at: float
    chairs: tuple[Chair, ...]
    me: int  # the seat

    @property
    def won(self) -> bool:
        """First, or one of the first; who plays alone wins against somebody or not at all."""
        return self.rank == 1 and (len(self.chairs) > 1 or "house" in self.result)

    @property
    def rank(self) -> int:
        return int(self.result["ranking"][self.me])

    @property
    def score(self) -> int:
        return int(self.result["scores"][self.me])

    @property
    def others(self) -> list[int]:
        return [seat for seat in range(len(self.chairs)) if seat != self.me]


def seat_of(chairs: tuple[Chair, ...] | list[Chair], person: str) -> int:
    """Where somebody sits: of several seats at one screen the first is theirs, the others are of those who share it."""
    return next(seat for seat, chair in enumerate(chairs) if chair.person == person)


class Persons:
    """Questions about one person, and the few changes that a person may make as a whole."""

    def __init__(self, store: Store) -> None:
        self.store = store

    # -- what they played

    def games(self, person: str) -> list[Played]:
        """Their finished games, the earliest first; what was played on from another game does not count."""
        kept = (
            f"select id, game, version, options, result, moved from tables where result is not null and {HIS}"
            " and not exists (select 1 from onward where onward.id = tables.id) order by moved desc limit ?"
        )
        rows = self.store.read(kept, person, MOST)
        chairs = self.chairs(person)
        return [self._played(row, chairs[row["id"]], person) for row in reversed(rows) if row["game"] in games()]

    @staticmethod
    def _played(row: Mapping[str, Any], chairs: list[Chair], person: str) -> Played:
        given = json.loads(row["options"]), json.loads(row["result"]), float(row["moved"])
        return Played(row["id"], row["game"], row["version"], *given, tuple(chairs), seat_of(chairs, person))

    def chairs(self, person: str) -> dict[str, list[Chair]]:
        """Who sits at each table of theirs."""
        rows = self.store.read(f"select id, kind, name, person, mind from seats where {HIS} order by id, seat", person)
        found: dict[str, list[Chair]] = {}
        for row in rows:
            found.setdefault(row["id"], []).append(Chair(row["kind"], row["name"], row["person"], row["mind"]))
        return found

    def since(self, person: str) -> float | None:
        """When their first table was set."""
        found = self.store.read(f"select min(created) as first from tables where {HIS}", person)[0]["first"]
        return None if found is None else float(found)

    def running(self, person: str) -> list[dict[str, Any]]:
        """Their tables that are not finished: that they are there, and nothing of what was played."""
        return self.store.read(
            f"select id, game, options, created, moved from tables where result is null and {HIS} order by moved", person
        )

    def document(self, id: str) -> dict[str, Any] | None:
        """The match file of a finished table."""
        found = self.store.read("select document from tables where id = ? and result is not null", id)
        return json.loads(found[0]["document"]) if found and found[0]["document"] else None

    def size(self, person: str) -> int:
        """How many letters the match files of somebody's finished tables have."""
        theirs = "select id from seats where person = ?"
        found = self.store.read(f"select sum(length(document)) as n from tables where result is not null and id in ({theirs})", person)
        return int(found[0]["n"] or 0)

    # -- the picture

    def portrait(self, person: str) -> str | None:
        """The picture that they have chosen."""
        found = self.store.read("select art from portraits where person = ?", person)
        return str(found[0]["art"]) if found else None

    def portray(self, person: str, art: str | None) -> None:
        """Another picture, or none; tables where they sit show it."""
        told = [news for id in self.tables(person) for news in self.store.changed(id)]
        insert = [("insert into portraits (person, art) values (?,?)", (person, art))] if art else []
        self.store.write([("delete from portraits where person = ?", (person,)), *insert, *told])

    def lend(self, old: str, new: str) -> None:
        """One who has chosen no picture has this one's: at another device a seat looks as it did."""
        if (art := self.portrait(old)) and not self.portrait(new):
            self.portray(new, art)

    # -- the passphrase

    def handle(self, person: str) -> str | None:
        """The name under which they are kept."""
        found = self.store.read("select handle from own where person = ?", person)
        return str(found[0]["handle"]) if found else None

    def kept(self, handle: str) -> tuple[str, str] | None:
        """The person under a name, and the hash of the passphrase."""
        found = self.store.read("select person, hash from own where handle = ?", handle)
        return (str(found[0]["person"]), str(found[0]["hash"])) if found else None

    def keep(self, person: str, handle: str, hash: str) -> bool:
        """From now on under this name; false when it is somebody else's."""
        found = self.kept(handle)
        if found and found[0] != person:
            return False
        before = "delete from own where person = ? and not exists (select 1 from own where handle = ? and person <> ?)"
        insert = "insert into own (person, handle, hash, made) values (?,?,?,?) on conflict do nothing"
        self.store.write([(before, (person, handle, person)), (insert, (person, handle, hash, time.time()))])
        return self.kept(handle) == (person, hash)

    # -- changes of everything at once

    def tables(self, person: str) -> list[str]:
        """All tables that know of them."""
        return [row["id"] for row in self.store.read(f"select id from tables where host = ? or {HIS}", person, person)]

    def carry(self, old: str, new: str) -> None:
        """Two devices, one person: the games of both are theirs."""
        told = [news for id in self.tables(old) for news in self.store.changed(id)]
        kept = "update portraits set person = ? where person = ? and not exists (select 1 from portraits where person = ?)"
        pictures = [(kept, (new, old, new)), ("delete from portraits where person = ?", (old,))]
        self.store.write([*pictures, *((f"update {part} set {who} = ? where {who} = ?", (new, old)) for part, who in WHO), *told])

    def erase(self, person: str, someone: str) -> None:
        """Games where nobody else sat are gone; in the others somebody without a name sat there, and a companion plays on."""
        statements: list[Statement] = [(LEFT, (someone, person)), *self._awaited_no_more(person, someone)]
        statements += [(f"delete from {part} where person = ?", (person,)) for part in ("own", "portraits", "former")]
        nobody = f"nobody {secrets.token_urlsafe(12)}"  # of whom nothing is known, but that it was the same one
        for id, chairs in self.chairs(person).items():
            alone = all(chair.person in (None, person) for chair in chairs)
            statements += self._gone(id) if alone else self._nameless(id, chairs, person, nobody, someone)
        statements.append(("update tables set host = ? where host = ?", (nobody, person)))
        self.store.write([*statements, *(news for id in self.tables(person) for news in self.store.changed(id))])

    def _awaited_no_more(self, person: str, someone: str) -> list[Statement]:
        """Seats that are kept for their rematch are kept for whoever has the link."""
        tables = self.store.read(f"select id from seats where person is null and {AWAITED}", person)
        unnamed = f"update seats set name = ? where person is null and kind in ('link', 'open') and {AWAITED}"
        forgotten = f"delete from asides where kind = 'expected' and {AWAITED}"
        told = [news for row in tables for news in self.store.changed(row["id"])]
        return [(unnamed, (someone, person)), (forgotten, (person,)), *told]

    @staticmethod
    def _gone(id: str) -> list[Statement]:
        return [(f"delete from {part} where id = ?", (id,)) for part in PARTS]

    def _nameless(self, id: str, chairs: list[Chair], person: str, nobody: str, someone: str) -> list[Statement]:
        table = self.store.read("select game, result from tables where id = ?", id)[0]
        seats = [seat for seat, chair in enumerate(chairs) if chair.person == person]
        known = [(f"delete from {part} where id = ? and seat = ?", (id, seat)) for part in ("rated", "recalled") for seat in seats]
        known += [("delete from asides where id = ? and seat = ? and kind in ('said', 'wrote')", (id, seat)) for seat in seats]
        if table["result"]:
            change, given = "kind = 'here', person = ?, name = ?, mind = null, secret = null", (nobody, someone)
        else:
            change, given = "kind = 'bot', person = null, name = ?, mind = ?, secret = null", ("Companion", stand_in(table["game"]))
        return [*known, *((f"update seats set {change} where id = ? and seat = ?", (*given, id, seat)) for seat in seats)]


def stand_in(game: str) -> str:
    """The companion who plays on for somebody who is gone."""
    found = companions(load(game))
    return found[len(found) // 2] if found else "random"
