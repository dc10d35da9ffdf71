"""A match is a game, its options, and an append-only log of (seat, action); everything else is rebuilt from that."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from recollect.engine.game import Game, Standing
from recollect.engine.look import Look, Moment, action_words
from recollect.engine.options import Value
from recollect.engine.record import Opened
from recollect.engine.sets import WORD
from recollect.engine.shelf import load
from recollect.engine.stream import CHANCE, commitment, draw, new_seed

Entry = tuple[int, int]  # (seat, action)


class Snapshot(NamedTuple):
    """Where a match stood."""

    entries: int  # of the log
    layout: str  # of the record; one of another layout is not read, and the log says all
    record: bytes


FORMAT = 1


class Refused(ValueError):
    """An action that is not allowed now, said so that a person understands."""


class Match:
    """One match, played."""

    def __init__(
        self,
        game: Game,
        options: Mapping[str, Value],
        seed: str | None = None,
        auto_chance: bool = True,
        log: Sequence[Entry] = (),
        snapshot: Snapshot | None = None,
    ) -> None:
        self.game = game
        self.options = dict(options)
        self.seed = seed or new_seed()
        self.auto_chance = auto_chance
        self.players = game.players(options)
        self.log: list[Entry] = []
        self._closed: list[bool] = []  # entry i showed or hid something (taken back, it would show again): nobody takes it back
        self._together: list[int] = []  # who might act when entry i was played, as bits
        self._before: list[bytes] = []  # the record before entry i
        self._moment: Moment | None = None
        self.record = game.start(options)
        self.state = game.state.open(self.record)
        if snapshot:
            self._stand_at(snapshot, log)
        for entry in log[len(self.log) :]:
            self._append(*entry)
        self.let_chance()

    # -- what stands

    @property
    def commitment(self) -> str:
        """The hash of the sealed seed, published before the first move."""
        return commitment(self.seed)

    @property
    def moment(self) -> Moment:
        """How it stands, asked of the rules once a position."""
        if self._moment is None or self._moment.record.tobytes() != self.record.tobytes():
            self._moment = Moment(self.game, self.record, self.options)
        return self._moment

    @property
    def acting(self) -> frozenset[int]:
        return self.moment.acting

    @property
    def over(self) -> bool:
        return self.moment.over

    def legal(self, seat: int) -> list[int]:
        return list(self.moment.legal(seat))

    def say(self, action: int) -> str:
        """An action in notation."""
        return self.game.actions.notation(action)

    def words(self, action: int, language: str = "en", seat: int = -1) -> str:
        """An action in words, to a seat; seats are called by their numbers."""
        names = [str(n) for n in range(self.players)]
        return action_words(Look.of(self.moment, seat, names, self.game.texts(language)), action)

    def view(self, seat: int) -> Opened:
        """What lies in the seat's sight now."""
        return self.game.view(self.record, seat)

    def knowledge(self, seat: int) -> Opened:
        """All that the seat has ever been shown."""
        return self.game.knowledge(self.record, seat)

    def standing(self) -> Standing:
        return self.moment.standing

    def scores(self) -> list[int]:
        return self.standing().scores

    def points(self) -> dict[str, list[int]]:
        return self.standing().points

    def ranking(self) -> list[int]:
        return self.standing().ranking

    # -- what happens

    def check(self, seat: int, action: int) -> None:
        """Refuse what is not legal, with the reason."""
        if not 0 <= action < self.game.actions.count:
            raise Refused(f"there is no action {action}: actions are 0 to {self.game.actions.count - 1}")
        now = self.moment
        if now.over:
            raise Refused("the game is over")
        if seat not in now.acting:
            who = ", ".join("chance" if s == CHANCE else f"seat {s}" for s in sorted(now.acting))
            raise Refused(f"it is not seat {seat}'s turn: {who} to act")
        if action not in now.legal(seat):
            options = [self.say(a) for a in now.legal(seat)]
            raise Refused(f"{self.say(action)!r} is not legal now; legal: {', '.join(options[:12])}{' ...' if len(options) > 12 else ''}")

    def play(self, seat: int, action: int | str) -> list[Entry]:
        """Play a legal action, by number or notation; returns it with the draws of chance that follow."""
        try:
            number = self.game.actions.parse(action) if isinstance(action, str) else int(action)
        except ValueError as error:
            raise Refused(str(error)) from None
        self.check(seat, number)
        before = len(self.log)
        self._append(seat, number)
        self.let_chance()
        return self.log[before:]

    def follow(self, entries: Iterable[Entry]) -> None:
        """Play a stretch of a kept log; what is not legal is refused, and nothing is drawn."""
        for seat, action in entries:
            if not self._may(seat, action):
                self.check(seat, action)  # says why
            self._append(seat, action)

    def _may(self, seat: int, action: int) -> bool:
        if not self.game.rules.acting(self.state) >> seat & 1:
            return False
        first, some, more = self.game.rules.choices(self.state, seat)
        place = action - first
        return place >= 0 and bool(some >> place & 1 if place < WORD else more >> place - WORD & 1)

    def _append(self, seat: int, action: int) -> None:
        before = self.record.tobytes()
        self._before.append(before)
        self._together.append(self.game.rules.acting(self.state))
        self.game.rules.apply(self.state, seat, action)
        after = self.record.tobytes()
        self._closed.append(any(before[sight] != after[sight] for sight in self.game.state.sights))
        self.log.append((seat, action))

    def let_chance(self) -> None:
        """Draw whatever chance owes."""
        while self.auto_chance and self.game.rules.acting(self.state) >> CHANCE & 1:
            self._append(CHANCE, self.drawn())

    def drawn(self) -> int:
        """What the sealed seed draws now. Draws are numbered by themselves, so that a move taken back beside them changes none."""
        may = self.game.legal(self.state, CHANCE)
        return may[draw(self.seed, sum([seat == CHANCE for seat, _ in self.log]), self.game.odds_of(self.state, may))]

    def can_undo(self, seat: int) -> int | None:
        """The place in the log of the seat's last action if it may be taken back: nothing was shown since or drawn for it,
        and nobody else has moved except beside this seat (a simultaneous phase), where all still holds without it."""
        drawn = False
        for i in range(len(self.log) - 1, -1, -1):
            who = self.log[i][0]
            if self._closed[i] or (who == seat and drawn):
                return None
            if who == seat:
                return i if i == len(self.log) - 1 or self._holds_without(i) else None
            if who != CHANCE and not self._together[i] >> seat & 1:
                return None
            drawn = who == CHANCE  # a draw answers the action before it
        return None

    def _holds_without(self, i: int) -> bool:
        stood = Snapshot(i, self.game.state.layout, self._before[i])
        trial = Match(self.game, self.options, self.seed, auto_chance=False, log=self.log[:i], snapshot=stood)
        try:
            for seat, action in self.log[i + 1 :]:
                if seat == CHANCE and trial.drawn() != action:
                    return False
                trial.play(seat, action)
        except Refused:
            return False
        return True

    def undo(self, seat: int) -> Entry:
        """Take the seat's last action back."""
        i = self.can_undo(seat)
        if i is None:
            raise Refused("there is nothing to take back: something was shown or drawn since, or somebody else has moved")
        taken, *rest = self.log[i:]
        self.back_to(i)
        for entry in rest:
            self._append(*entry)
        self.let_chance()
        return taken

    def back_to(self, n: int) -> None:
        """Stand where the log had n entries: what came after did not happen."""
        if n < len(self.log):
            self.record[...] = self._record(self._before[n])
            for kept in (self.log, self._closed, self._together, self._before):
                del kept[n:]

    def _record(self, data: bytes) -> np.ndarray:
        return np.frombuffer(data, self.record.dtype).reshape(())

    # -- keeping it

    def snapshot(self) -> Snapshot:
        """Where the match stands, to rebuild it from here and the tail of the log."""
        return Snapshot(len(self.log), self.game.state.layout, self.record.tobytes())

    def _stand_at(self, snapshot: Snapshot, log: Sequence[Entry]) -> None:
        """Take the position of a snapshot; what came before it is not taken back."""
        n, layout, data = snapshot
        if n > len(log):
            raise ValueError("this snapshot is of a longer log")
        if layout != self.game.state.layout:
            return
        self.record[...] = self._record(data)
        self.log = list(log[:n])
        self._closed, self._together, self._before = [True] * n, [0] * n, [b""] * n

    def document(self) -> dict[str, Any]:
        """The match as a document: enough to rebuild, replay and verify it."""
        return {
            "recollect": FORMAT,
            "game": self.game.name,
            "version": self.game.version,
            "box": self.game.box,
            "options": self.options,
            "commitment": self.commitment,
            "seed": self.seed,
            "log": [f"{'chance' if seat == CHANCE else seat} {self.say(action)}" for seat, action in self.log],
            "over": self.over,
            "layout": self.game.state.layout,
            "snapshot": base64.b64encode(self.record.tobytes()).decode(),
        }

    def save(self, path: str | Path) -> None:
        Path(path).write_text(json.dumps(self.document(), indent=1) + "\n", encoding="utf-8")

    def positions(self, since: int = 0) -> Iterator[tuple[int, np.ndarray]]:
        """The record before each entry that a seat made from a place in the log on, with its place; and the one now."""
        for i in range(since, len(self.log)):
            if self.log[i][0] != CHANCE:
                yield i, np.frombuffer(self._before[i], self.record.dtype).reshape(())
        yield len(self.log), self.game.state.copy(self.record)

    def at(self, n: int) -> Match:
        """The match as it stood after n entries of the log (a copy that draws nothing)."""
        return Match(self.game, self.options, self.seed, auto_chance=False, log=self.log[:n])


def parse_entry(game: Game, line: str) -> Entry:
    """`2 reveal b4` or `chance deal crab-sand` -> (seat, action)."""
    who, _, words = line.strip().partition(" ")
    if who != "chance" and not who.isdecimal():
        raise ValueError(f"a line begins with a seat number or 'chance', not {who!r}")
    return (CHANCE if who == "chance" else int(who)), game.actions.parse(words)


def read_document(path: str | Path) -> dict[str, Any]:
    """A match file, checked as far as can be told without its game."""
    try:
        doc = json.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (ValueError, UnicodeDecodeError, RecursionError) as error:
        raise ValueError(f"{path}: not a match file: {error}") from None
    return checked(doc, path)


def checked(doc: Any, path: str | Path = "match") -> dict[str, Any]:
    """What was read is a match file, as far as can be told without its game."""
    if not isinstance(doc, dict) or doc.get("recollect") != FORMAT:
        raise ValueError(f'{path}: not a match file of this version of Recollect (it should say "recollect": {FORMAT})')
    for key, kind in (("game", str), ("version", int), ("options", dict), ("seed", str), ("commitment", str), ("log", list)):
        if not isinstance(doc.get(key), kind):
            raise ValueError(f"{path}: {key!r} is missing or of the wrong kind")
    return doc


def rebuild(doc: Mapping[str, Any], path: str | Path = "match", components: str | Path | None = None) -> Match:
    """The match of a document; every entry is checked against the rules as it is replayed."""
    game = load(doc["game"], components)
    if doc.get("box") != game.box:
        raise ValueError(f"{path}: played with other components than {components or 'ours'}; name the owner's file with --components")
    if doc["version"] != game.version:
        raise ValueError(f"{path}: played under version {doc['version']} of {game.name}'s rules; this is version {game.version}")
    match = Match(game, game.settle(doc["options"]), doc["seed"], auto_chance=False)
    for n, line in enumerate(doc["log"], 1):
        try:
            match.play(*parse_entry(game, str(line)))
        except ValueError as error:
            raise ValueError(f"{path}: log entry {n}, {line!r}: {error}") from None
    match.auto_chance = True
    match.let_chance()
    return match


def open_match(path: str | Path, components: str | Path | None = None) -> Match:
    """Load a saved match and rebuild it, with the owner's components if it was played with them."""
    return rebuild(read_document(path), path, components)


def verify(doc: Mapping[str, Any], path: str | Path = "match", components: str | Path | None = None) -> int:
    """Check the seal, every draw and the end of a finished match; how many draws there were, or ValueError at the first fault.
    The log is the match: a position that was kept with it in another layout is not read."""
    if commitment(doc["seed"]) != doc["commitment"]:
        raise ValueError(f"{path}: the seed does not match the hash published before the game")
    match = rebuild(doc, path, components)
    if len(match.log) != len(doc["log"]):
        raise ValueError(f"{path}: the log stops before a draw of chance that was due")
    if not match.over or not doc.get("over"):
        raise ValueError(f"{path}: the game is not finished: a seal is opened, and checked, only at the end")
    if doc.get("layout") == match.game.state.layout and snapshot_of(doc, match.game, path) != match.state:
        raise ValueError(f"{path}: the position kept at the end is not the one that the log leads to")
    return check_draws(match, path, given_of(doc, path))


def given_of(doc: Mapping[str, Any], path: str | Path = "match") -> int:
    """How many entries were played in another game, from which this one goes on: its seed has not drawn them."""
    given = doc.get("given", 0)
    if not isinstance(given, int) or not 0 <= given <= len(doc["log"]):
        raise ValueError(f"{path}: 'given' is not a number of entries")
    return given


def check_draws(match: Match, path: str | Path = "match", given: int = 0) -> int:
    """Derive every draw again from the seed, but for those that were given; returns how many there were."""
    trial = Match(match.game, match.options, match.seed, auto_chance=False)
    draws = 0
    for n, (seat, action) in enumerate(match.log, 1):
        if seat == CHANCE and n > given:
            draws += 1
            if trial.drawn() != action:
                raise ValueError(f"{path}: log entry {n}, {trial.say(action)!r}: the sealed seed draws {trial.say(trial.drawn())!r} here")
        trial._append(seat, action)
    return draws


def snapshot_of(doc: Mapping[str, Any], game: Game, path: str | Path = "match") -> Opened:
    """The position kept with a match, for showing a finished game of older rules."""
    try:
        data = base64.b64decode(doc.get("snapshot", ""), validate=True)
    except (TypeError, ValueError):
        data = b""
    if len(data) != game.state.dtype.itemsize or doc.get("layout", game.state.layout) != game.state.layout:
        raise ValueError(f"{path}: the position kept with it is missing, or has another layout than these rules")
    return game.state.open(np.frombuffer(bytearray(data), game.state.dtype).reshape(()))
