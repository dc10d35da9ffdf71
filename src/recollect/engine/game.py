"""A game is a folder: its rules, data, texts and pages, found by name."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import json
import re
import sys
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from recollect.engine import compile as compiler
from recollect.engine.actions import Actions
from recollect.engine.components import Fault
from recollect.engine.observation import Layout
from recollect.engine.options import Option, Value, numbers, settle
from recollect.engine.record import Opened, State
from recollect.engine.sets import WORD, members
from recollect.engine.stream import CHANCE
from recollect.engine.texts import Texts, read_texts

if TYPE_CHECKING:
    from recollect.engine.match import Match


@dataclass(frozen=True)
class HousePlayer:
    """One who takes part and is ranked though nobody plays it, such as Vivid Memories' automa; its name is the text `house.name`."""

    points: dict[str, int]
    score: int
    ties: dict[str, int]
    rank: int


@dataclass(frozen=True)
class Standing:
    """How a game stands: points by category, their sums, tie-break values, ranks, and what decided the first place."""

    points: dict[str, list[int]]
    scores: list[int]
    ties: dict[str, list[int]]
    ranking: list[int]  # rank of each seat, 1 is first; equal ranks are shared
    decided: str | None  # "points", the name of the tie-break that decided first place, or None when it is shared
    house: tuple[HousePlayer, ...] = ()  # who has a place in the ranking without being a player

    @property
    def winners(self) -> list[int]:
        return [seat for seat, rank in enumerate(self.ranking) if rank == 1]


@lru_cache(maxsize=256)
def seats_in(some: int) -> frozenset[int]:
    """The seats of a set, chance among them."""
    return frozenset(seat for seat in range(CHANCE + 1) if some >> seat & 1)


@lru_cache(maxsize=8192)
def listed(some: int, first: int) -> tuple[int, ...]:
    """The members of a set, in order: most are asked for again and again."""
    return tuple(members(some, first))


class Game:
    """One game, loaded. `Game(folder)` for a folder anywhere; `recollect.load(name)` for one of ours."""

    def __init__(self, folder: Path, components: Path | None = None) -> None:
        self.folder = folder
        self.name = folder.name
        self.components = Path(components).resolve() if components else None
        self.package = _package_of(folder, self.components)
        try:
            self.loops = compiler.load_plain(folder, self.package, self.components)
        except Fault:
            for module in [name for name in sys.modules if name == self.package or name.startswith(self.package + ".")]:
                if self.components:
                    del sys.modules[module]
            raise
        except ImportError:
            if rules := sys.modules.get(self.package + ".rules"):
                _complete(rules)  # the loops ask for what the rules lack; say all of it
            raise
        self.rules: Any = sys.modules[self.package + ".rules"]
        _complete(self.rules)
        self.state: State = self.rules.STATE
        self.actions: Actions = self.rules.ACTIONS
        self.options: Sequence[Option] = self.rules.OPTIONS
        self.seats: int = self.rules.SEATS
        self.version: int = self.rules.VERSION
        self.paced = self._named("PACED")
        self.uneven = self._named("UNEVEN")
        self._ready = lru_cache(maxsize=64)(self._set_up)

    def _named(self, what: str) -> frozenset[int]:
        """The actions of the ranges that the rules list under this name."""
        try:
            return frozenset(self.actions.within(getattr(self.rules, what, ())))
        except ValueError as error:
            raise ValueError(f"{what}: {error}") from None

    def __repr__(self) -> str:
        return f"<Game {self.name}, rules version {self.version}>"

    @cached_property
    def digest(self) -> str:
        """Names these rules with this data."""
        return compiler.digest(self.folder, self.components or self.folder / "components.toml")

    @cached_property
    def box(self) -> str:
        """Names what is in the box: changes with any entry of the components file, whichever is used.
        Rules may say by `BOXES = {name: earlier name}` that a file only tells more of the same box than it did."""
        file = self.components or self.folder / "components.toml"
        if not file.exists():
            return ""
        name = hashlib.sha256(json.dumps(tomllib.loads(file.read_text("utf-8"))).encode()).hexdigest()[:16]
        return str(getattr(self.rules, "BOXES", {}).get(name, name))

    @cached_property
    def fast(self) -> ModuleType:
        """The compiled loops (see engine/twin/loops.py); compiling takes seconds once, then comes from the cache."""
        return compiler.load_compiled(self.folder, self.package, self.components)

    @cached_property
    def tables(self) -> ModuleType:
        """The compiled loops of environments (see engine/twin/environment.py)."""
        return compiler.load_compiled(self.folder, self.package, self.components, what="environment")

    @cached_property
    def plain_tables(self) -> ModuleType:
        """The same in plain Python."""
        return compiler.load_plain(self.folder, self.package, self.components, what="environment")

    @cached_property
    def layout(self) -> Layout:
        """What a seat observes, as a row of numbers."""
        return Layout(self.state, self.seats)

    @cached_property
    def scene(self) -> Any:
        """What the pages show: the game's page/scene.py."""
        return importlib.import_module(self.package + ".page.scene")

    @cached_property
    def pressed(self) -> tuple[str, ...]:
        """Fields that a screen shared by several shows to their owner only while pressed: `PRESSED` in page/scene.py."""
        return tuple(getattr(self.scene, "PRESSED", ())) if (self.folder / "page" / "scene.py").is_file() else ()

    def texts(self, language: str) -> Texts:
        return read_texts(self.folder, language)

    def settle(self, given: Mapping[str, object]) -> dict[str, Value]:
        """All options with their values, checked; rules may refuse a combination by `REFUSES(values) -> reason or None`."""
        values = settle(self.options, given)
        refuse = getattr(self.rules, "REFUSES", None)
        reason = refuse(values) if refuse else None
        if reason:
            raise ValueError(reason)
        return values

    def variants(self) -> list[dict[str, Value]]:
        """Options worth testing: the game's VARIANTS, or every choice of one option at a time, for each number of players."""
        given = getattr(self.rules, "VARIANTS", None)
        if given is None:
            counts = next((o.choices for o in self.options if o.name == "players"), ())
            told = [o for o in self.options if o.rules and o.name != "players"]
            given = [v for n in counts for v in ({"players": n}, *({"players": n, o.name: choice} for o in told for choice in o.choices))]
            given = [v for v in given or [{}] if self._allows(v)]
        return [dict(v) for v in {tuple(sorted(self.settle(v).items())): self.settle(v) for v in given}.values()]

    def _allows(self, given: Mapping[str, object]) -> bool:
        """Whether the rules have nothing against these options."""
        return not getattr(self.rules, "REFUSES", lambda values: None)(settle(self.options, given))

    def players(self, options: Mapping[str, Value]) -> int:
        """How many seats are taken under these options."""
        return int(options.get("players", self.seats))

    def start(self, options: Mapping[str, Value]) -> np.ndarray:
        """A record set up and ready."""
        return self.state.copy(self._ready(numbers(self.options, options).tobytes()))

    def _set_up(self, options: bytes) -> np.ndarray:
        """A record set up with these numbers; nothing in it is left to chance, so it is done once."""
        record = self.state.new()
        self.rules.setup(self.state.open(record), np.frombuffer(options, np.int64))
        return record

    def match(self, seed: str | None = None, auto_chance: bool = True, **options: object) -> Match:
        """Start a match; chance plays itself from the sealed seed unless `auto_chance` is off."""
        from recollect.engine.match import Match

        return Match(self, self.settle(options), seed=seed, auto_chance=auto_chance)

    def acting(self, s: Opened) -> frozenset[int]:
        return seats_in(int(self.rules.acting(s)))

    def legal(self, s: Opened, seat: int) -> list[int]:
        """The legal actions of a seat, or what chance may draw; nothing for one who may not act."""
        return self.may(s, seat) if seat in self.acting(s) else []

    def may(self, s: Opened, seat: int) -> list[int]:
        """What a seat that acts may do, or chance draw."""
        first, some, more = map(int, self.rules.choices(s, seat))
        return [*listed(some, first), *listed(more, first + WORD)]

    def odds(self, s: Opened) -> list[int]:
        """How likely every action is to be drawn now, in whole numbers."""
        weights, may = [0] * self.actions.count, self.legal(s, CHANCE)
        for action, weight in zip(may, self.odds_of(s, may), strict=True):
            weights[action] = weight
        return weights

    def odds_of(self, s: Opened, may: Sequence[int]) -> list[int]:
        """How likely each of these is to be drawn."""
        if self.uneven.isdisjoint(may):
            return [1] * len(may)
        odds, uneven = self.rules.odds, self.uneven
        return [odds(s, action) if action in uneven else 1 for action in may]

    def view(self, record: np.ndarray, seat: int) -> Opened:
        """What lies in the seat's sight now; seat -1 is a spectator."""
        return self.state.open(self.state.masked(record, seat, ever=False))

    def knowledge(self, record: np.ndarray, seat: int) -> Opened:
        """All that the seat has ever been shown: perfect recall."""
        return self.state.open(self.state.masked(record, seat, ever=True))

    def standing(self, s: Opened, players: int) -> Standing:
        """Points, ranks and what decided. Rules may say by `RANKED = {players: seats}` that house players are ranked with them."""
        points = np.zeros((self.seats, len(self.rules.POINTS)), np.int64)
        ties = np.zeros((self.seats, len(self.rules.TIES)), np.int64)
        self.rules.points(s, points)
        self.rules.ties(s, ties)
        seats = getattr(self.rules, "RANKED", {}).get(players, players)
        scores = points.sum(axis=1)[:seats].tolist()
        keys = [(scores[seat], *ties[seat].tolist()) for seat in range(seats)]
        ranking = [1 + sum(other > key for other in keys) for key in keys]
        by_name = {name: points[:, i].tolist() for i, name in enumerate(self.rules.POINTS)}
        by_tie = {name: ties[:, i].tolist() for i, name in enumerate(self.rules.TIES)}
        return Standing(
            points={name: row[:players] for name, row in by_name.items()},
            scores=scores[:players],
            ties={name: row[:players] for name, row in by_tie.items()},
            ranking=ranking[:players],
            decided=_decided(keys, ("points", *self.rules.TIES)),
            house=tuple(HousePlayer(_of(by_name, seat), scores[seat], _of(by_tie, seat), ranking[seat]) for seat in range(players, seats)),
        )


def _of(rows: Mapping[str, Sequence[int]], seat: int) -> dict[str, int]:
    return {name: row[seat] for name, row in rows.items()}


def _decided(keys: Sequence[tuple[int, ...]], names: Sequence[str]) -> str | None:
    """The first criterion that leaves one seat in front."""
    front = list(keys)
    for i, name in enumerate(names):
        best = max(key[i] for key in front)
        front = [key for key in front if key[i] == best]
        if len(front) == 1:
            return name
    return None


SAYS = (
    *("VERSION", "SEATS", "OPTIONS", "STATE", "ACTIONS", "POINTS", "TIES"),
    *("setup", "acting", "choices", "apply", "points", "ties", "redeal"),
)


def _complete(rules: ModuleType) -> None:
    """The rules say all that they must, of what there is."""
    missing = [name for name in SAYS if not hasattr(rules, name)]
    if missing:
        raise ValueError(f"rules/__init__.py lacks {', '.join(missing)}")
    if not 1 <= rules.SEATS <= CHANCE:
        raise ValueError(f"SEATS = {rules.SEATS}: a table has 1 to {CHANCE} seats")


def _package_of(folder: Path, data: Path | None) -> str:
    if data is not None:
        return f"_recollect_{folder.name}_{compiler.digest(folder, data)}_plain"
    spec = importlib.util.find_spec(f"recollect.games.{folder.name}")
    if spec and spec.origin and Path(spec.origin).parent == folder:
        return f"recollect.games.{folder.name}"
    return f"_recollect_{re.sub(r'[^a-z0-9]', '_', folder.name)}_{compiler.digest(folder, folder / 'components.toml')}_plain"
