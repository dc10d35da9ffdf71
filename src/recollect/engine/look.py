"""A moment is the table between two changes, asked of the rules once; a look is that moment from one seat."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import cast

import msgspec
import numpy as np

from recollect.engine.game import Game, Standing
from recollect.engine.options import Value
from recollect.engine.record import Opened
from recollect.engine.stream import CHANCE
from recollect.engine.texts import Texts


class Unasked:
    """What has not been asked yet."""


UNASKED = Unasked()
BY_CHANCE = frozenset({CHANCE})


@lru_cache(maxsize=16_384)
def without(some: Collection[int], others: frozenset[int]) -> frozenset[int]:
    """These but for those; the same are asked for again and again."""
    return frozenset(some) - others


class Moment:
    """A position and what the rules say of it. Each question is put to them once, however many look."""

    def __init__(self, game: Game, record: np.ndarray, options: Mapping[str, Value]) -> None:
        self.game = game
        self.options = options
        self.record = game.state.copy(record)  # its own: what happens next does not change it
        self._state = game.state.open(self.record)
        self._legal: dict[int, tuple[int, ...]] = {}
        self._views: dict[int, Opened] = {}
        self._paced: tuple[int, int] | Unasked | None = UNASKED
        self.acting = game.acting(self._state)
        self.players = without(self.acting, BY_CHANCE)  # who acts, apart from chance
        self.over = not self.acting

    def legal(self, seat: int) -> tuple[int, ...]:
        """What a seat may do now; nothing for one who does not act."""
        if seat not in self.acting:
            return ()
        if seat not in self._legal:
            self._legal[seat] = tuple(self.game.may(self._state, seat))
        return self._legal[seat]

    @property
    def paced(self) -> tuple[int, int] | None:
        """The seat and action that only carry the game on, when nothing else is asked of anybody: something is being shown to all."""
        if isinstance(self._paced, Unasked):
            self._paced = self._going_on()
        return self._paced

    def _going_on(self) -> tuple[int, int] | None:
        seats = sorted(self.players)
        if not seats or any(not self.game.paced.issuperset(self.legal(seat)) for seat in seats):
            return None
        return seats[0], self.legal(seats[0])[0]

    @cached_property
    def standing(self) -> Standing:
        return self.game.standing(self._state, self.game.players(self.options))

    def view(self, seat: int) -> Opened:
        """What lies in the seat's sight; seat -1 is a spectator."""
        if seat not in self._views:
            self._views[seat] = self.game.state.fixed(self.game.state.masked(self.record, seat, ever=False))
        return self._views[seat]

    def discreet(self, seat: int) -> Opened:
        """What the seat's page shows where several look at one screen: without what is shown only while it is pressed."""
        if not self.game.pressed:
            return self.view(seat)
        record, all_see = self.game.state.copy(self.view(seat).record), self.view(-1).record
        for name in self.game.pressed:
            record[name] = all_see[name]
        return self.game.state.fixed(record)

    def private(self, seat: int) -> bool:
        """At a screen that several share, the seat's page shows something that not everybody sees."""
        return self.discreet(seat) != self.view(-1)


@dataclass(frozen=True)
class Past:
    """Something that a seat did, and what lay in sight after it."""

    seat: int
    action: int
    view: Opened


@dataclass(frozen=True)
class You:
    """Who is spoken to."""

    seat: int | None

    def __call__(self, seat: int) -> bool:
        return seat == self.seat


you_of = lru_cache(maxsize=16)(You)


class Look(msgspec.Struct, frozen=True):
    """A seat's look: its masked view, its own legal actions, names, texts. Nothing here tells more than the view."""

    game: Game
    view: Opened
    seat: int  # -1 is a spectator
    acting: frozenset[int]
    legal: frozenset[int]  # of this seat alone; what is paced is the table's own and nobody's to choose
    names: Sequence[str]
    t: Texts
    options: Mapping[str, Value]
    over: bool = False
    standing: Standing | None = None  # when the game is over
    extra: Mapping[str, object] = msgspec.field(default_factory=dict)  # what the table adds: clock, show time
    shared: bool = False  # several people look at this screen

    @classmethod
    def of(
        cls,
        moment: Moment,
        seat: int,
        names: Sequence[str],
        texts: Texts,
        extra: Mapping[str, object] | None = None,
        shared: bool = False,
    ) -> Look:
        """What one seat has before it."""
        return cls(
            game=moment.game,
            view=moment.discreet(seat) if shared else moment.view(seat),
            seat=seat,
            acting=moment.players,
            legal=without(moment.legal(seat), moment.game.paced),
            names=names,
            t=texts,
            options=moment.options,
            over=moment.over,
            standing=moment.standing if moment.over else None,
            extra=extra or {},
            shared=shared,
        )

    @classmethod
    def back(
        cls,
        moment: Moment,
        seat: int,
        names: Sequence[str],
        texts: Texts,
        shared: bool = False,
        told: bool = False,
        before: np.ndarray | None = None,
    ) -> Look:
        """A look at what is past: nothing is to be done there. When the game is over, all may be told. `before`: what it came from."""
        was = None if before is None else partial(moment.game.view, before, seat)
        acting, extra = moment.players, {"told": told, "was": was}
        return cls(moment.game, moment.view(seat), seat, acting, frozenset(), names, texts, moment.options, not acting, None, extra, shared)

    @property
    def you(self) -> You:
        """Whether words speak to a seat as "you": `look.you(seat)`. Where several look, everybody is named."""
        return you_of(None if self.shared else self.seat)


def action_words(look: Look, action: int) -> str:
    """An action as a person says it: by the game's page, or where it has drawn none, by its text and what `[labels]` calls the label."""
    if (look.game.folder / "page" / "scene.py").is_file():
        return str(look.game.scene.words(look, action))
    r = look.game.actions.range_of(action)
    label = r.labels[action - r.start]
    named = f"labels.{label}"
    return look.t(f"actions.{r.name}", at=look.t(named) if named in look.t else label.upper())


def heard(look: Look, line: Callable[..., str | tuple[str, str] | None], words: Callable[[Look, int], str]) -> str:
    """What has just been done, in words, for those who hear the table: as the log's `line` says it, else the action's own `words`."""
    entry = look.extra.get("entry")
    if look.over or not isinstance(entry, tuple) or not 0 <= entry[0] < len(look.names):
        return ""
    said = line(look, *entry)
    text = said[0] if isinstance(said, tuple) else said
    colon = "\N{NO-BREAK SPACE}:" if look.t.language == "fr" else ":"
    latest = text or f"{look.names[entry[0]]}{colon} {words(look, entry[1])}"
    return " ".join([*cast("Sequence[str]", look.extra.get("earlier", ())), latest]).replace("*", "")
