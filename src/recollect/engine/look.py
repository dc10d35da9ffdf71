"""What one seat has before it when it looks at the table: the only thing that pages and words are made from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from recollect.engine.game import Game, Standing
from recollect.engine.options import Value
from recollect.engine.record import Opened
from recollect.engine.texts import Texts


@dataclass(frozen=True)
class Look:
    """A seat's look: its masked view, its own legal actions, names, texts. Nothing here tells more than the view."""

    game: Game
    view: Opened
    seat: int  # -1 is a spectator
    acting: frozenset[int]
    legal: frozenset[int]  # of this seat alone
    names: Sequence[str]
    t: Texts
    options: Mapping[str, Value]
    over: bool = False
    standing: Standing | None = None  # when the game is over
    extra: Mapping[str, object] = field(default_factory=dict)  # what the table adds: clock, show time
    shared: bool = False  # several people look at this screen

    def you(self, seat: int) -> bool:
        """Whether words speak to this seat as "you". Where several look, everybody is named."""
        return seat == self.seat and not self.shared
