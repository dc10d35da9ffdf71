"""A table and its seats as they are kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from recollect.engine.game import Game
from recollect.engine.stream import commitment

UNDO = -1  # an action number that takes the seat's last action back; the log itself only grows
HINT = -2  # an action number that says: this seat took a hint; it changes nothing


@dataclass
class Chair:
    """A seat at a table: `here` (this screen), `link` (whoever opens the secret link), `open` (anyone), or `bot`."""

    kind: str
    name: str
    person: str | None = None  # who sits here; a bot has none
    mind: str | None = None
    secret: str | None = None
    shown: int = 0  # exposures up to this place in the log were on this seat's screen long enough
    portrait: str | None = None  # the picture that who sits here has chosen

    @property
    def free(self) -> bool:
        return self.kind in ("link", "open") and self.person is None

    @property
    def bot(self) -> bool:
        """A companion plays: its own seat, or for a person who is away."""
        return self.kind == "bot" or self.mind is not None

    @property
    def lent(self) -> bool:
        """A companion plays for the person whose seat it is."""
        return self.kind != "bot" and self.mind is not None


@dataclass(kw_only=True)
class Row:
    """A table as it is kept."""

    id: str
    game: str
    version: int
    box: str  # the components it is played with, by their digest
    options: dict[str, Any]
    seed: str
    host: str
    chairs: list[Chair]
    listed: bool = False
    created: float = 0
    moved: float = 0
    acting: list[int] = field(default_factory=list)
    result: dict[str, Any] | None = None
    document: dict[str, Any] | None = None
    rematch: str | None = None

    @classmethod
    def of(cls, game: Game, **given: Any) -> Row:
        """A table of the game as its rules and its box are now."""
        return cls(game=game.name, version=game.version, box=game.box, **given)

    @cached_property
    def seal(self) -> str:
        """The hash of the seed, published before the first move."""
        return commitment(self.seed)

    @property
    def ready(self) -> bool:
        return not any([chair.person is None and chair.free for chair in self.chairs])

    def seats_of(self, person: str) -> list[int]:
        """Where somebody sits."""
        return [seat for seat, chair in enumerate(self.chairs) if chair.person == person]

    def settles(self, person: str, seat: int) -> bool:
        """Who chooses what follows when a seat's time is up: the host; of the host's own seat, whoever else sits here."""
        whose = self.chairs[seat].person
        if whose is None or whose == person:
            return False
        return person == self.host or (whose == self.host and bool(self.seats_of(person)))

    def fits(self, game: Game) -> bool:
        """It was set under the game's rules, and with its box, as they are now."""
        return (self.version, self.box) == (game.version, game.box)

    def outdated(self, game: Game) -> bool:
        """It cannot go on."""
        return not self.result and not self.fits(game)

    def removable(self, person: str) -> bool:
        """Its host may take a table away that waits for players, or where nobody else plays; never one whose game is over."""
        alone = {chair.person for chair in self.chairs} <= {person, None}
        return self.host == person and not self.result and (alone or not self.ready)
