"""Lessons: a game taught on its own board. A position, what chance draws, and steps that say, light, and wait for the right action."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from recollect.engine.game import Game
from recollect.engine.match import Entry, Match, parse_entry
from recollect.engine.position import lines, read, stand
from recollect.engine.shelf import ours
from recollect.engine.stream import CHANCE
from recollect.engine.texts import LANGUAGES, Texts, read_texts

PUPIL = 0  # the seat of who learns
FIRST = "first"  # the lesson for who has read nothing
ENTRIES = ("minutes", "options", "state", "play", "draws", "seed", "steps")
OF_A_STEP = ("say", "lit", "right", "wrong", "then")


class Piece(NamedTuple):
    """A piece in words, with its picture in the game's sprite and the box that this is drawn in, if it has one."""

    words: str
    art: str = ""
    box: str = "0 0 32 32"


class Compared(NamedTuple):
    """What was asked for beside what was tried, in one respect."""

    what: str
    asked: Piece
    tried: Piece

    @property
    def same(self) -> bool:
        return self.asked == self.tried


class Comparison(NamedTuple):
    """A wrong action beside what was asked for: in which respects, and between which two elements of the page."""

    rows: Sequence[Compared]
    between: tuple[str, ...] = ()


@dataclass(frozen=True)
class Step:
    """What is said, what is lit, what counts as right, and what the lesson itself plays before the next step."""

    say: str
    lit: tuple[str, ...]  # ids of elements on the page, or [attribute=value] for all that have it
    right: tuple[int, ...]  # none: the step only explains
    wrong: Mapping[int, str]  # offered too, and answered by a text of the lesson
    then: tuple[Entry, ...]

    @property
    def offered(self) -> frozenset[int]:
        return frozenset(self.right) | frozenset(self.wrong)


@dataclass(frozen=True)
class Lesson:
    """A lesson of a game. Where it stands follows from the step and from what was chosen where several actions are right."""

    game: Game
    name: str
    minutes: int
    start: Mapping[str, Any]  # the position: options, state
    play: tuple[Entry, ...]  # what was played before
    draws: tuple[int, ...]  # what chance draws, in order...
    seed: str  # ... and after that; without one there is nothing more to draw
    steps: tuple[Step, ...]

    def text(self, language: str) -> Texts:
        return lesson_texts(self.game.folder, language)

    def said(self, step: int, language: str) -> str:
        return self.text(language)(f"{self.name}.{self.steps[step].say}")

    def at(self, step: int, chosen: Sequence[int] = ()) -> Match:
        """The match as it stands at a step; `chosen` has one answer for each step done that had several right ones."""
        match, draws, choices = stand(self.game, self.start, self.name), iter(self.draws), iter(chosen)
        match.seed = self.seed or match.seed
        self._play(match, self.play, draws)
        for n, done in enumerate(self.steps[:step], 1):
            try:
                pick = done.right[next(choices, 0) if len(done.right) > 1 else 0 :][:1]
                self._play(match, [*((PUPIL, action) for action in pick), *done.then], draws)
            except ValueError as error:
                raise ValueError(f"{self.game.name}: lesson {self.name}, step {n}: {error}") from None
        return match

    def after(self, step: int, chosen: Sequence[int], action: int) -> Match:
        """The match as a wrong action would leave it; what the lesson did not foresee is drawn by the lesson's own chance."""
        match = self.at(step, chosen)
        match.play(PUPIL, action)
        while CHANCE in match.acting:
            match.play(CHANCE, match.drawn())
        return match

    def _play(self, match: Match, entries: Sequence[Entry], draws: Iterator[int]) -> None:
        self._draw(match, draws)
        for entry in entries:
            match.play(*entry)
            self._draw(match, draws)

    def _draw(self, match: Match, draws: Iterator[int]) -> None:
        while CHANCE in match.acting:
            action = next(draws, None)
            if action is None and not self.seed:
                raise ValueError("chance is to draw, and the lesson does not say what")
            match.play(CHANCE, match.drawn() if action is None else action)


@lru_cache(maxsize=16)
def lessons(game: Game) -> dict[str, Lesson]:
    """The lessons of a game by name, in the order in which their texts tell them: that in which one learns. With an owner's box, too, they
    are taught with ours: it is the one that they tell of."""
    folder = game.folder / "lessons"
    names = list(read(folder / "texts.en.toml")) if folder.is_dir() else []
    return {name: lesson_of(ours(game), folder / f"{name}.toml") for name in names}


@lru_cache(maxsize=128)
def lesson_of(game: Game, file: Path) -> Lesson:
    """A lesson's file, read."""
    doc = read(file)
    try:
        known(doc, ENTRIES, "a lesson")
        return Lesson(
            game=game,
            name=file.stem,
            minutes=int(doc["minutes"]),
            start={key: doc[key] for key in ("options", "state") if key in doc},
            play=tuple(parse_entry(game, line) for line in lines(doc, "play")),
            draws=tuple(game.actions.parse(words) for words in lines(doc, "draws")),
            seed=str(doc.get("seed", "")),
            steps=tuple(step_of(game, step) for step in doc["steps"]),
        )
    except (ValueError, KeyError) as error:
        raise ValueError(f"{file.name}: {error}") from None


def step_of(game: Game, doc: Mapping[str, Any]) -> Step:
    known(doc, OF_A_STEP, "a step")
    return Step(
        say=str(doc["say"]),
        lit=tuple(doc.get("lit", ())),
        right=tuple(game.actions.parse(words) for words in lines(doc, "right")),
        wrong={game.actions.parse(words): str(key) for words, key in doc.get("wrong", {}).items()},
        then=tuple(parse_entry(game, line) for line in lines(doc, "then")),
    )


def known(doc: Mapping[str, Any], entries: Sequence[str], what: str) -> None:
    for key in doc:
        if key not in entries:
            raise ValueError(f"{key}: {what} has no such entry; it has {', '.join(entries)}")


def lesson_texts(folder: Path, language: str) -> Texts:
    """What the lessons of a game say."""
    return read_texts(folder / "lessons", language)


def faults(lesson: Lesson) -> list[str]:
    """What keeps a lesson from being followed to its end, by every right way; empty when nothing does."""
    out = [f"texts.{language}: {key} is missing" for language in LANGUAGES for key in keys(lesson) if key not in lesson.text(language)]
    for n, step in enumerate(lesson.steps):
        match = lesson.at(n)
        legal = match.legal(PUPIL)
        out += [f"step {n + 1}: {match.say(action)} is not legal" for action in sorted(step.offered) if action not in legal]
        for other in range(1, len(step.right)):
            lesson.at(len(lesson.steps), [0] * sum(len(s.right) > 1 for s in lesson.steps[:n]) + [other])
    lesson.at(len(lesson.steps))
    return out


def keys(lesson: Lesson) -> list[str]:
    """Every text that the lesson needs."""
    said = [key for step in lesson.steps for key in (step.say, *step.wrong.values())]
    return [f"{lesson.name}.{key}" for key in ("title", "about", *said)]
