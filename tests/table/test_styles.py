"""Styles of the house and of the games live on one page: neither dresses the other's pieces by a name that both use."""

from __future__ import annotations

import re

import pytest

import recollect
from recollect.engine.shelf import games
from recollect.table.render.page import STATIC

SHARED = {"lesson", "game-name"}  # a game says there where the guide stands, and how its name looks at the end
BESIDE = ("company", "hint", "lesson", "replay", "setup")  # what stands beside a board; the kit and the ends are there for games


def selectors(css: str) -> list[str]:
    """Every selector of a sheet, one by one."""
    plain = re.sub(r"/\*.*?\*/", "", css, flags=re.S)
    return [one.strip() for rule in re.findall(r"([^{}]+)\{", plain) for one in rule.split(",")]


def classes(text: str) -> set[str]:
    return set(re.findall(r"\.([a-zA-Z][\w-]*)", text))


@pytest.mark.parametrize("name", games())
def test_no_class_of_the_house_dresses_a_piece_of_a_game(name: str):
    folder = recollect.load(name).folder / "page"
    shared = [one for sheet in ("kit", "end") for one in selectors((STATIC / f"{sheet}.css").read_text())]
    kit = {one for first in shared for one in classes(first.split()[0])} | SHARED
    own = classes(" ".join(selectors((folder / "table.css").read_text())))
    for file in folder.glob("*.jinja"):
        own |= {word for names in re.findall(r'class="([^"]*)"', file.read_text()) for word in re.findall(r"[a-zA-Z][\w-]*", names)}
    for sheet in BESIDE:
        bare = {one[1:] for one in selectors((STATIC / f"{sheet}.css").read_text()) if re.fullmatch(r"\.[\w-]+", one)}
        both = bare & (own - kit)
        assert not both, f"{sheet}.css and the game both say {sorted(both)}"


def test_a_page_that_waits_comes_to_rest():
    """What moves for ever keeps a phone drawing for ever: a third of a core, where there is nothing to draw with."""
    sheets = [*STATIC.glob("*.css"), *(file for name in games() for file in (recollect.load(name).folder / "page").glob("*.css"))]
    assert len(sheets) > 8
    assert [sheet.name for sheet in sheets if "infinite" in sheet.read_text()] == []


def test_what_has_the_focus_on_the_banner_of_an_end_is_seen_in_both_themes():
    """It is dark in the light theme too."""
    dark = re.search(r"--focus: (#\w+)", (STATIC / "tokens.css").read_text())
    assert dark and f"--focus: {dark[1]};" in re.search(r"\n\.banner \{.*", (STATIC / "end.css").read_text())[0]  # type: ignore[index]


@pytest.mark.parametrize("name", games())
def test_no_game_dresses_what_the_replay_says_of_its_own_parts(name: str):
    sheet = selectors((recollect.load(name).folder / "page" / "table.css").read_text())
    bare = {one[1:] for one in sheet if re.fullmatch(r"\.[\w-]+", one)}
    said = {
        word
        for one in selectors((STATIC / "replay.css").read_text())
        for part in re.findall(r"\.(?:tl|turning)-[\w.-]+", one)
        for word in part.split(".")[2:]
    }
    assert not said & bare, f"the replay and the game both say {sorted(said & bare)}"


@pytest.mark.parametrize("name", games())
def test_no_drawing_of_the_house_stands_in_for_one_of_a_game(name: str):
    """Both are on one page, where the first of two with the same name is drawn for either."""
    art = recollect.load(name).folder / "page" / "art.svg"
    named = [name for file in (STATIC / "kit.svg", art) if file.is_file() for name in re.findall(r'\bid="([^"]+)"', file.read_text())]
    assert named and len(named) == len(set(named)), sorted({name for name in named if named.count(name) > 1})
