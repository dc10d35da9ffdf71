"""Who sits at a table, as templates receive them: name, picture, whether they are here."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache

from recollect.engine.texts import LANGUAGES
from recollect.table.render.prose import ui_texts
from recollect.table.store import Chair

ART = {
    "random": "a-dodo",
    "goldfish": "a-goldfish",
    "parrot": "a-parrot",
    "dolphin": "a-dolphin",
    "elephant": "a-elephant",
}

PORTRAITS = ("owl", "fox", "dog", "lion", "whale", "dinosaur", "robot", "rocket", "umbrella")  # that people may choose from

Person = tuple[str, str | None, bool]  # name, picture, away


def art_of(mind: str | None) -> str | None:
    """A companion's picture."""
    return ART.get(mind, "a-owl") if mind else None


def portrait_of(chosen: str | None) -> str | None:
    """A person's picture."""
    return f"portrait-{chosen}" if chosen in PORTRAITS else None


def is_person(art: str | None) -> bool:
    """Whoever has no picture, or one that people choose."""
    return art is None or art.startswith("portrait-")


def people(chairs: Sequence[Chair], here: Collection[int], language: str) -> list[Person]:
    """Name, picture and absence of each seat."""
    return [
        (companion_name(chairs, seat, language), art_of(chair.mind), False)
        if chair.kind == "bot"
        else (
            person_name(chair, seat, language),
            art_of(chair.mind) or portrait_of(chair.portrait),
            seat not in here and not chair.bot,
        )  # a companion may play for somebody
        for seat, chair in enumerate(chairs)
    ]


def person_name(chair: Chair, seat: int, language: str) -> str:
    """Whom nobody has named is called so in the reader's language, not in the host's."""
    return ui_texts(language)("seat.nobody", n=seat + 1) if unnamed(chair, seat) else chair.name


def unnamed(chair: Chair, seat: int) -> bool:
    """Whether nobody has given this seat a name."""
    return chair.name in nobodies(seat)


@lru_cache(maxsize=16)
def nobodies(seat: int) -> frozenset[str]:
    """What somebody in a seat is called who has no name, in every language."""
    return frozenset(ui_texts(spoken)("seat.nobody", n=seat + 1) for spoken in LANGUAGES)


def mind_name(mind: str | None, language: str) -> str:
    """What a companion is called."""
    ui, key = ui_texts(language), f"minds.{mind}.name"
    return ui(key) if key in ui else str(mind).capitalize()


def companion_name(chairs: Sequence[Chair], seat: int, language: str) -> str:
    """Companions of one kind are numbered."""
    mind = chairs[seat].mind
    name = mind_name(mind, language)
    twins = [s for s, chair in enumerate(chairs) if chair.kind == "bot" and chair.mind == mind]
    return f"{name} {twins.index(seat) + 1}" if len(twins) > 1 else name


@dataclass(frozen=True, eq=False)
class Player:
    """Somebody at the table, as templates receive them."""

    seat: int
    name: str
    art: str | None = None  # a companion's picture, or the one that a person has chosen
    me: bool = False
    acting: bool = False
    away: bool = False

    @property
    def stem(self) -> str:
        """The name without its number: what may be cut where there is no room."""
        return self.name[: -len(self.nth) - 1] if self.nth else self.name

    @property
    def nth(self) -> str:
        """The number that tells companions of one kind apart."""
        stem, _, last = self.name.rpartition(" ")
        return last if stem and last.isdigit() else ""

    @property
    def initial(self) -> str:
        """What stands for the name on a marker."""
        return self.name[:1].upper() + self.nth


seated = lru_cache(maxsize=4096)(Player)  # the same for all pages that show somebody so
