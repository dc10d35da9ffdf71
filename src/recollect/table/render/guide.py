"""The guide of a lesson: the ordinary page of the pupil's seat, with what is said beside it, and the answers to what is tried."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from recollect.engine.lesson import PUPIL, Lesson, Step
from recollect.engine.look import Look
from recollect.engine.match import Match
from recollect.engine.stream import CHANCE
from recollect.table.render.page import Page, fragment, latest_first, rest, scene_of
from recollect.table.render.players import Person, art_of
from recollect.table.render.prose import game_texts, ui_texts

GUIDE = "parrot"
HOLD = 4  # seconds that a line of sand runs in a lesson, where nothing is in a hurry


@dataclass(frozen=True)
class Place:
    """Where somebody is in a lesson: the step, and what they chose where several actions are right."""

    lesson: Lesson
    step: int
    chosen: tuple[int, ...] = ()

    @property
    def now(self) -> Step:
        return self.lesson.steps[self.step]

    @property
    def last(self) -> bool:
        return self.step + 1 == len(self.lesson.steps)

    @property
    def path(self) -> str:
        """Its address, which says all that there is to know about it."""
        did = f"?did={'.'.join(map(str, self.chosen))}" if self.chosen else ""
        return f"/learn/{self.lesson.game.name}/{self.lesson.name}/{self.step + 1}{did}"

    def on(self, action: int | None = None) -> Place:
        """The next step, by this action where one is asked for."""
        several = len(self.now.right) > 1
        chosen = (*self.chosen, self.now.right.index(action)) if several and action is not None else self.chosen
        return replace(self, step=self.step + 1, chosen=chosen)

    def back(self) -> Place:
        done = sum(len(step.right) > 1 for step in self.lesson.steps[: self.step - 1])
        return replace(self, step=self.step - 1, chosen=self.chosen[:done])

    def match(self) -> Match:
        return self.lesson.at(self.step, self.chosen)


def people(match: Match, name: str, language: str) -> list[Person]:
    """Who learns, and the companions who play along."""
    ui = ui_texts(language)
    parrot = ui(f"minds.{GUIDE}.name")
    others = [parrot if match.players == 2 else f"{parrot} {n}" for n in range(1, match.players)]
    return [(name or ui("lesson.you"), None, False), *((other, art_of(GUIDE), False) for other in others)]


def lesson_html(place: Place, name: str, language: str) -> str:
    """The live part of a lesson's page: only what the step asks for is lit."""
    match = place.match()
    made = [entry for entry in match.log if entry[0] != CHANCE]
    extra = {"entry": made[-1] if made else None, **rest(match.moment, PUPIL, latest_first(match))}
    page = Page.of(
        match.moment, PUPIL, people(match, name, language), language, extra,
        path=place.path, id="lesson", n=place.step, hold=HOLD, lesson=guide(place, language),
    )  # fmt: skip
    return fragment(replace(page, look=replace(page.look, legal=page.look.legal & place.now.offered)))


def guide(place: Place, language: str) -> dict[str, Any]:
    """What the guide's panel shows."""
    lesson, texts = place.lesson, place.lesson.text(language)
    do, _, more = lesson.said(place.step, language).strip().partition("\n\n")
    return {
        "game": lesson.game.name,
        "title": texts(f"{lesson.name}.title"),
        "step": place.step + 1,
        "of": len(lesson.steps),
        "do": do,
        "more": more,
        "lit": place.now.lit,
        "asks": bool(place.now.right),
        "path": place.path,
        "back": place.back().path if place.step else None,
        "on": None if place.now.right or place.last else place.on().path,
        "last": place.last,
    }


def answer(place: Place, action: int, name: str, language: str) -> str:
    """Why an action is not what the lesson waits for: the lesson's words, else the game's own, else that it is for another time."""
    match, ui = place.match(), ui_texts(language)
    if not 0 <= action < match.game.actions.count:
        return ui("error.action", n=action)
    if action in place.now.wrong:
        return plain(place.lesson.text(language)(f"{place.lesson.name}.{place.now.wrong[action]}"))
    if not place.now.right:
        return ui("lesson.read")
    if action in match.legal(PUPIL):
        return ui("lesson.later")
    look = Look.of(match.moment, PUPIL, names(people(match, name, language)), game_texts(match.game, language))
    return str(scene_of(match.game).why(look, action))


def names(seats: Sequence[Person]) -> list[str]:
    return [name for name, _, _ in seats]


def plain(text: str) -> str:
    """Without stars, for where there is no bold."""
    return re.sub(r"\*(.+?)\*", r"\1", " ".join(text.split()))
