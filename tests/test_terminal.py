"""The terminal, as the people before it see it: what stands on the screen whenever somebody is asked."""

from __future__ import annotations

import contextlib
import io
import random
import re
from collections.abc import Callable

import numpy as np
import pytest
from rich.console import Console

import recollect
from recollect.engine.match import Match
from recollect.engine.record import EVERYONE, Field
from recollect.terminal import WIPE, Left, look_of, play_in_terminal, seats_for_people, sketch_of, written

Asked = list[tuple[str, str]]  # prompt, and what stood on the screen then


def sit(match: Match, bots: int | None, answer: Callable[[str, str], str], now: Callable[[], float] = lambda: 0.0) -> tuple[Asked, str]:
    """Play before a screen; what was asked with what stood there, and what stands there at the end."""
    asked: Asked = []
    out = Console(file=io.StringIO(), force_terminal=True, width=200, highlight=False, color_system=None)

    def ask(prompt: str) -> str:
        out.print(prompt, markup=False)
        asked.append((prompt, out.file.getvalue().rpartition(WIPE)[2]))  # type: ignore[attr-defined]
        return answer(*asked[-1])

    with contextlib.suppress(Left):
        play_in_terminal(match, bots, None, out, ask, now)
    return asked, out.file.getvalue().rpartition(WIPE)[2]  # type: ignore[attr-defined]


def anything(seed: int, most: int = 10**6) -> Callable[[str, str], str]:
    """A person who types the number of some action, or Enter, and leaves after so many."""
    rng, left = random.Random(seed), [most]

    def answer(prompt: str, screen: str) -> str:
        left[0] -= 1
        offered = screen.rpartition(" may: ")[2].splitlines()[0].split(", ")
        return "quit" if left[0] < 0 else rng.choice(offered).partition(" ")[2] if prompt == "> " else ""

    return answer


def test_cards_that_a_companion_turns_are_shown_before_they_are_turned_back():
    match = recollect.load("ptibapt").match(seed="q", starts="second")
    asked, _ = sit(match, None, anything(1, most=1))
    prompt, screen = asked[0]
    assert "everybody has seen it" in prompt
    turned = [p for _, a in match.log[:4] if match.say(a).startswith("turn ") for p in [match.say(a).split()[1]]]
    dealt = [match.say(a).split()[1] for _, a in match.log[:4] if match.say(a).startswith("deal ")]
    assert len(turned) == len(dealt) == 2 and all(face in screen for face in dealt)
    assert not any(face in asked[1][1] for face in dealt), "turned back, they stand on the screen no more"


def test_the_card_that_lost_the_round_is_shown():
    match = recollect.load("memoarrr").match(seed="m", players=2)
    asked, _ = sit(match, None, anything(4))
    won = [screen for prompt, screen in asked if "everybody has seen it" in prompt]
    assert len(won) == 7 and all("round won" in screen and "out with a volcano of" in screen for screen in won)
    for screen in won:
        grid = [line for line in screen.splitlines() if line.startswith(tuple(f"  {row} " for row in range(1, 6)))]
        assert any(cell.isalpha() and len(cell) == 2 for line in grid for cell in line[4:].replace("[", " ").replace("]", " ").split())


@pytest.mark.parametrize("name", ["_template", "memoarrr", "vivid", "dejavu"])
def test_nobody_is_asked_before_a_screen_with_anothers_secrets(name: str):
    """At each hand-over the screen is the one that a spectator would see: redealt secrets change nothing on it."""
    match = recollect.load(name).match(seed="h", players=2)
    names, met = ["Player 1", "Player 2"], []
    play = anything(2, most=60)

    def answer(prompt: str, screen: str) -> str:
        if "only you can see" in prompt:
            public = sketch_of(look_of(match, -1, names))
            rest = re.sub(r"^Player \d won round\s\d\n", "", screen.replace(public + "\n", ""))
            assert rest.strip() == prompt.strip()
            met.append(screen)
        return play(prompt, screen)

    sit(match, 0, answer)
    assert len(met) >= 2


def test_alone_a_person_sits_and_the_clock_counts_the_reds():
    match = recollect.load("ptibapt").match(seed="solo", players=1)
    assert seats_for_people(match, None) == 1 and seats_for_people(match, 1) == 0
    ticks = iter(range(10**6))
    asked, end = sit(match, None, anything(3), now=lambda: float(next(ticks)))
    assert match.over and asked
    reds = int(match.game.rules.reds(match.state, 0))
    time, counts = (int(m) * 60 + int(s) for m, s in re.findall(r"(\d+):(\d\d)", end.splitlines()[-1]))
    assert reds and counts == time + 10 * reds


def test_fields_in_words_name_places_not_bits():
    places = ("a1", "b1", "c1")
    assert written(Field(EVERYONE, of=places), np.array(5)) == "a1 c1"
    assert written(Field(EVERYONE, 2, of=places), np.array([0, 2])) == "- | b1"
    assert written(Field(EVERYONE, of=places), np.array(0)) == written(Field(EVERYONE, 2), np.array([0, -1])) == ""
    assert written(Field(EVERYONE, 2, values=places), np.array([1, -1])) == "b1 -"


def test_who_thinks_is_said_while_they_do_and_no_longer():
    """Some minds take seconds."""
    out = Console(file=io.StringIO(), force_terminal=True, width=200, color_system=None)
    match = recollect.load("ptibapt").match(seed="q", starts="second")
    with contextlib.suppress(Left):
        play_in_terminal(match, None, None, out, lambda prompt: "quit")
    said = out.file.getvalue()  # type: ignore[attr-defined]
    assert "Bot 2 is thinking ..." in said and said.rindex("is thinking") < said.rindex("\x1b[2K"), "the line is taken away again"
