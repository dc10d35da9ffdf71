"""The guide of a lesson: the ordinary page of the pupil's seat, with what is said beside it, and the answers to what is tried."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from recollect.engine.lesson import PUPIL, Comparison, Lesson, Step
from recollect.engine.look import Look
from recollect.engine.match import Match
from recollect.engine.stream import CHANCE
from recollect.table.render.page import Page, fragment, latest, scene_of
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
        return Place(self.lesson, self.step + 1, chosen)

    def back(self) -> Place:
        done = sum(len(step.right) > 1 for step in self.lesson.steps[: self.step - 1])
        return Place(self.lesson, self.step - 1, self.chosen[:done])

    def match(self) -> Match:
        return self.lesson.at(self.step, self.chosen)

    def after(self, action: int) -> Match:
        return self.lesson.after(self.step, self.chosen, action)


def people(match: Match, name: str, language: str) -> list[Person]:
    """Who learns, and the companions who play along."""
    ui = ui_texts(language)
    parrot = ui(f"minds.{GUIDE}.name")
    others = [parrot if match.players == 2 else f"{parrot} {n}" for n in range(1, match.players)]
    return [(name or ui("lesson.you"), None, False), *((other, art_of(GUIDE), False) for other in others)]


def lesson_html(place: Place, name: str, language: str) -> str:
    """The live part of a lesson's page: only what the step asks for is lit."""
    page = page_at(place, place.match(), name, language)
    return fragment(replace(page, look=replace(page.look, legal=page.look.legal & place.now.offered)))


def page_at(place: Place, match: Match, name: str, language: str) -> Page:
    """The pupil's page of a match that the lesson has laid out."""
    return Page.of(
        match.moment, PUPIL, people(match, name, language), language, latest(match, PUPIL),
        path=place.path, id="lesson", n=place.step, hold=HOLD, lesson=guide(place, language),
    )  # fmt: skip


def tried_html(place: Place, action: int, name: str, language: str) -> str:
    """The page after a wrong action that is played out: the board as it would be, what was asked for beside what was tried, and the
    way back. Nothing is lit there: it is taken back first."""
    foreseen = place.now.wrong.get(action)
    said = place.lesson.text(language)(f"{place.lesson.name}.{foreseen}") if foreseen else ui_texts(language)("lesson.unforeseen")
    do, _, more = said.strip().partition("\n\n")
    tried, both = beside(place, action, name, language)
    shown = {**guide(place, language), "do": do, "more": more, "lit": (), "wrong": True, "both": both}
    return fragment(replace(tried, lesson=shown, look=replace(tried.look, legal=frozenset())))


def beside(place: Place, action: int, name: str, language: str) -> tuple[Page, Comparison | None]:
    """The page after an action, and in what the action that is asked for differs from it."""
    right, tried = (page_at(place, place.after(way), name, language) for way in (place.now.right[0], action))
    return tried, compared(page_at(place, place.match(), name, language).look, right.look, tried.look)


def worse(place: Place, action: int, language: str) -> bool:
    """Whether an action that the lesson does not foresee can be played out beside what is asked for: the rules allow it, the game can
    say in what it differs, and nothing would be drawn that the lesson will draw otherwise."""
    if not place.now.right or action not in place.match().legal(PUPIL):
        return False
    match = place.match()
    match.play(PUPIL, action)
    if CHANCE in match.acting:
        return False
    both = beside(place, action, "", language)[1]
    return both is not None and not all(row.same for row in both.rows)


def compared(look: Look, right: Look, tried: Look) -> Comparison | None:
    """What the game itself says of the two, before and after each of them: `compare` in its page/compare.py."""
    if not (look.game.folder / "page" / "compare.py").is_file():
        return None
    found: Comparison | None = importlib.import_module(look.game.package + ".page.compare").compare(look, right, tried)
    return found


def guide(place: Place, language: str) -> dict[str, Any]:
    """What the guide's panel shows."""
    lesson, texts = place.lesson, place.lesson.text(language)
    do, _, more = lesson.said(place.step, language).strip().partition("\n\n")
    return {
        "game": lesson.game.name,
        "name": lesson.name,
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
        "wrong": False,
        "both": None,
    }


def answer(place: Place, action: int, name: str, language: str) -> str:
    """Why an action is not what the lesson waits for: that it is for another time, else the game's own words."""
    match, ui = place.match(), ui_texts(language)
    if not 0 <= action < match.game.actions.count:
        return ui("error.action", n=action)
    if not place.now.right:
        return ui("lesson.read")
    if action in match.legal(PUPIL):
        return ui("lesson.later")
    look = Look.of(match.moment, PUPIL, names(people(match, name, language)), game_texts(match.game, language))
    return str(scene_of(match.game).why(look, action))


def names(seats: Sequence[Person]) -> list[str]:
    return [name for name, _, _ in seats]
