"""A hint: what the strongest companion would do in a seat, what it expects, and why, in words of the game."""

from __future__ import annotations

import importlib
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Entry
from recollect.engine.options import Value
from recollect.engine.record import Opened
from recollect.engine.texts import Texts
from recollect.minds.mind import Seated
from recollect.minds.thinking import Found


@dataclass(frozen=True)
class Reason:
    """A text of the game, `hint.<key>`, and what fills it; a filling that begins with @ is a text itself."""

    key: str
    fill: tuple[tuple[str, str | int], ...] = ()
    secret: bool = False  # tells what only the seat knows: not said on a screen that others look at

    def words(self, t: Texts) -> str:
        return t(f"hint.{self.key}", **{name: named(v, t) for name, v in self.fill})


def named(value: str | int, t: Texts) -> str | int:
    """A filling: a text where it names one; what an owner's file calls something is its name."""
    if isinstance(value, int) or value[:1] != "@":
        return value
    return t(value[1:]) if value[1:] in t else value.rpartition(".")[2]


def because(key: str, *, secret: bool = False, **fill: str | int) -> Reason:
    """A reason."""
    return Reason(key, tuple(fill.items()), secret)


@dataclass(frozen=True)
class Hint:
    """The move, the answers that should follow it in this turn, points expected, what else there was, and why."""

    move: int
    expected: float | None = None  # points this seat gains on the best of the others, as far as the companion looks
    steps: tuple[int, ...] = ()
    alternatives: tuple[tuple[int, float], ...] = ()  # other moves with what is expected of them, the best first
    reasons: tuple[Reason, ...] = ()
    sure: float | None = None  # points that the move with its steps brings at once, before anything is drawn; None: not known

    def words(self, t: Texts, shared: bool = False) -> list[str]:
        """Why, in sentences; on a shared screen, without what only the seat knows."""
        return [reason.words(t) for reason in self.reasons if not (shared and reason.secret)]

    def document(self, game: Game, language: str = "en") -> dict[str, Any]:
        """For whoever shows it."""
        say, t = game.actions.notation, texts_of(game, language)
        return {
            "move": say(self.move),
            "action": self.move,
            "steps": [say(a) for a in self.steps],
            "expected": self.expected,
            "alternatives": [{"move": say(a), "action": a, "expected": v} for a, v in self.alternatives],
            "reasons": [reason.key for reason in self.reasons],
            "why": self.words(t),
        }


@cache
def toml(file: Path) -> dict[str, Any]:
    return tomllib.loads(file.read_text("utf-8"))


def texts_of(game: Game, language: str) -> Texts:
    """The game's words, and those that hints of every game share."""
    return Texts(language, *(toml(folder / f"texts.{language}.toml") for folder in (game.folder, Path(__file__).parent)))


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
    if explain:
        return explain(*asked)  # type: ignore[no-any-return]
    move = seated.mind.choose(*asked)
    search = getattr(seated.mind, "found", None)
    return planned(game, asked[0], seat, move, search(*asked)) if search and len(asked[2]) > 1 else Hint(move)


def planned(game: Game, k: Opened, seat: int, move: int, found: Found) -> Hint:
    """A hint of a mind that plans whole turns: the points its plan brings at once, kind by kind, and what it prepares."""
    plan = found.plan if found.plan[:1] == (move,) else (move,)
    now, then = (points_after(game, k, seat, answers) for answers in ((), plan))
    value = found.values.get(move)
    others = {a: v for a, v in found.values.items() if a != move}
    gains = [(name, then[name] - now[name]) for name in now if then[name] > now[name]]
    reasons = [because("brings", n=n, what=f"@points.{name}") for name, n in sorted(gains, key=lambda gain: -gain[1])]
    in_words = getattr(importlib.import_module(game.package + ".mind"), "why", None)
    reasons += in_words(k, after(game, k, seat, plan), seat) if in_words else []
    if value is not None and others and value - max(others.values()) >= 0.5:
        reasons.append(because("ahead", n=round(value - max(others.values()))))
    if not reasons or reasons[0].key == "ahead":
        reasons.append(because("prepares"))
    expected = None if value is None else value - sum(now.values())
    alternatives = tuple((a, v - sum(now.values())) for a, v in sorted(others.items(), key=lambda other: -other[1]))
    return Hint(move, expected, plan[1:], alternatives, tuple(reasons), float(sum(then.values()) - sum(now.values())))


def after(game: Game, k: Opened, seat: int, answers: Sequence[int]) -> Opened:
    """The position after some answers of a turn, as far as they lead before anything is drawn."""
    s = game.state.open(game.state.copy(k.record))
    for action in answers:
        if action not in game.legal(s, seat):
            break
        game.rules.apply(s, seat, action)
    return s


def points_after(game: Game, k: Opened, seat: int, answers: Sequence[int]) -> dict[str, int]:
    """A seat's points, kind by kind, after some answers of its turn."""
    s = after(game, k, seat, answers)
    out = np.zeros((game.seats, len(game.rules.POINTS)), np.int64)
    game.rules.points(s, out)
    return dict(zip(game.rules.POINTS, out[seat].tolist(), strict=True))
