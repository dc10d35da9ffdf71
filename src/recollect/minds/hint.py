"""A hint: what the strongest companion would do in a seat, what it expects, and why, in words of the game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from recollect.engine.game import Game
from recollect.engine.match import Entry
from recollect.engine.options import Value
from recollect.engine.texts import Texts
from recollect.minds.mind import Seated


@dataclass(frozen=True)
class Reason:
    """A text of the game, `hint.<key>`, and what fills it; a filling that begins with @ is a text itself."""

    key: str
    fill: tuple[tuple[str, str | int], ...] = ()

    def words(self, t: Texts) -> str:
        return t(f"hint.{self.key}", **{name: named(v, t) for name, v in self.fill})


def named(value: str | int, t: Texts) -> str | int:
    """A filling: a text where it names one; what an owner's file calls something is its name."""
    if isinstance(value, int) or value[:1] != "@":
        return value
    return t(value[1:]) if value[1:] in t else value.rpartition(".")[2]


def because(key: str, **fill: str | int) -> Reason:
    """A reason."""
    return Reason(key, tuple(fill.items()))


@dataclass(frozen=True)
class Hint:
    """The move, the answers that should follow it in this turn, points expected, what else there was, and why."""

    move: int
    expected: float | None = None  # points this seat gains on the best of the others, as far as the companion looks
    steps: tuple[int, ...] = ()
    alternatives: tuple[tuple[int, float], ...] = ()  # other moves with what is expected of them, the best first
    reasons: tuple[Reason, ...] = ()

    def words(self, t: Texts) -> list[str]:
        """Why, in sentences."""
        return [reason.words(t) for reason in self.reasons]

    def document(self, game: Game, language: str = "en") -> dict[str, Any]:
        """For whoever shows it."""
        say, t = game.actions.notation, game.texts(language)
        return {
            "move": say(self.move),
            "action": self.move,
            "steps": [say(a) for a in self.steps],
            "expected": self.expected,
            "alternatives": [{"move": say(a), "action": a, "expected": v} for a, v in self.alternatives],
            "reasons": [reason.key for reason in self.reasons],
            "why": self.words(t),
        }


def hint(game: Game, options: Mapping[str, Value], log: Sequence[Entry], seat: int) -> Hint:
    """What the strongest companion would do in this seat. It knows what was shown to the seat and nothing else; its luck depends on
    the log alone, so that asking again gives the same hint."""
    from recollect.minds import companions, mind

    seated = Seated(game, options, seat, mind(game, companions(game)[-1]), "hint")
    seated.watch.follow(log)
    asked = seated.asked()
    if not asked[2]:
        raise ValueError(f"seat {seat} is not asked anything now")
    explain = getattr(seated.mind, "explain", None)
    return explain(*asked) if explain else Hint(seated.mind.choose(*asked))
