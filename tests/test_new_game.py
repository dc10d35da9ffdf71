"""A fifth game: begun from the template, kept in a folder of its own, and broken in every way without harm to the others."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from people import TestClient, open_table
from test_cli import run

from recollect.engine import playthrough, shelf
from recollect.table.app import application

HERE = Path(__file__).parent
OURS = ["dejavu", "memoarrr", "ptibapt", "vivid"]
HARM = {  # what a newcomer may break -> what is said of it
    "rules": ("rules/__init__.py", "def setup(s, o:", "rules/__init__.py, line 1: SyntaxError: '(' was never closed"),
    "names": ("rules/__init__.py", "VERSION = 1", "rules/__init__.py lacks SEATS, OPTIONS, STATE, ACTIONS"),
    "missing": (
        "rules/__init__.py",
        "import nowhere",
        "rules/__init__.py, line 1: ModuleNotFoundError: No module named 'nowhere'",
    ),
    "texts": ("texts.fr.toml", "name = ", "texts.fr.toml: Invalid value"),
    "unsaid": ("texts.en.toml", 'name = "x"', "texts.en.toml does not say 'tagline'"),
    "colours": ("page/look.toml", "accent", "look.toml: Expected '='"),
    "scene": ("page/scene.py", "1 / 0", "page/scene.py, line 1: ZeroDivisionError: division by zero"),
}
SLIPS = {  # what a newcomer may misspell in the rules
    "PACED = ('putback',)": "PACED: there is no range of actions 'putback'; they are look",
    "SEATS = 9": "SEATS = 9: a table has 1 to 7 seats",
    "OPTIONS = (Option('players', (2, 3), default=4),)": "option 'players': its default 4 is not one of 2, 3",
}


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of games that are not ours."""
    monkeypatch.setenv(shelf.ELSEWHERE, str(tmp_path / "games"))
    (tmp_path / "games").mkdir()
    shelf._found.cache_clear()
    return tmp_path / "games"


def test_a_new_game_is_a_copy_of_the_template(elsewhere: Path):
    assert "simon2" in run("new", "simon2")
    assert shelf.games() == sorted([*OURS, "simon2"])
    assert shelf.load("simon2").texts("en")("name") == "Simon2" and shelf.load("simon2").texts("fr")("name") == "Simon2"
    assert "there is a simon2 already" in run("new", "simon2", code=2)
    assert "there is a vivid already" in run("new", "vivid", code=2)
    assert "small letters and digits" in run("new", "Simon-2", code=2)


def test_games_from_a_folder_and_from_the_environment_are_the_same(elsewhere: Path, monkeypatch: pytest.MonkeyPatch):
    run("new", "simon2")
    assert "simon2" in run("games", "--names").split()
    monkeypatch.delenv(shelf.ELSEWHERE)
    assert "simon2" not in run("games", "--names").split()
    assert "simon2" in run("--games", str(elsewhere), "games", "--names").split()
    assert "no such folder of games" in run("--games", "nowhere", "games", code=2)


def test_a_recorded_game_is_replayed(elsewhere: Path, tmp_path: Path):
    run("new", "simon2")
    run("record", "simon2", str(tmp_path / "x.txt"), "--seed", "3", "-o", "players=3")
    *_, match = playthrough.walk(shelf.load("simon2"), tmp_path / "x.txt")
    assert match.over and match.players == 3
    assert playthrough.ends(tmp_path / "x.txt") == {"scores": match.scores(), "ranking": match.ranking()}


def test_a_broken_folder_harms_nobody_else(elsewhere: Path, tmp_path: Path):
    for name, (file, text, _) in HARM.items():
        broken = shelf.template(name, elsewhere) / file
        broken.parent.mkdir(exist_ok=True)
        broken.write_text(text)
    shelf.template("whole", elsewhere)
    (elsewhere / "whole").rename(elsewhere / "Not-Whole")
    shelf._found.cache_clear()
    told = shelf.faults()
    assert {name: told[name].startswith(said) for name, (_, _, said) in HARM.items()} == dict.fromkeys(HARM, True), told
    assert all("\n" not in fault for fault in told.values()) and "small letters" in told["Not-Whole"]
    assert shelf.games() == OURS
    said = run("games")
    assert "scene cannot be played: page/scene.py, line 1" in said and "memoarrr" in said
    assert "rules: rules/__init__.py, line 1: SyntaxError" in run("play", "rules", code=2)
    with TestClient(application(tmp_path / "data"), base_url="http://testserver") as client:
        html = client.get("/").text
        assert 'id="game-memoarrr"' in html and "ZeroDivisionError" in html and str(elsewhere) not in html
        assert client.get("/new/scene").status_code == 404 and client.get("/about").status_code == 200
        open_table(client, "memoarrr", players="2")


@pytest.mark.parametrize("slip", SLIPS)
def test_a_slip_in_the_rules_is_said_in_one_line(elsewhere: Path, slip: str):
    rules = shelf.template("slip", elsewhere) / "rules" / "__init__.py"
    rules.write_text(f"{rules.read_text()}\n{slip}\n")
    shelf._found.cache_clear()
    with pytest.raises(ValueError, match="slip: ") as error:
        shelf.load("slip")
    assert SLIPS[slip] in str(error.value) and "\n" not in str(error.value)


@pytest.mark.compiled
def test_rules_that_do_not_compile_are_said_in_one_line(elsewhere: Path):
    rules = shelf.template("slip", elsewhere) / "rules" / "__init__.py"
    text = rules.read_text().replace("    s.players = o[0]\n", '    s.players = o[0]\n    said = f"{o[0]:>3}"\n')
    rules.write_text(text)
    line = text.splitlines().index('    said = f"{o[0]:>3}"') + 1
    said = run("bench", "slip", "--seconds", "0.1", code=2).splitlines()
    assert "do not compile" in said[-1] and f"rules/__init__.py, line {line}" in said[-1]


def test_an_installed_package_brings_its_game(tmp_path: Path):
    """As a wheel would: a package with an entry point, found without being named."""
    (tmp_path / "recollect_simon").mkdir()
    (tmp_path / "recollect_simon" / "__init__.py").touch()
    shelf.template("simon2", tmp_path / "recollect_simon")
    about = tmp_path / "recollect_simon-1.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: recollect-simon\nVersion: 1\n")
    points = "[recollect.games]\nsimon2 = recollect_simon.simon2\nlost = no_such_package.lost\n"
    (about / "entry_points.txt").write_text(points)
    code = f"import sys; sys.path.append({str(tmp_path)!r}); from recollect.engine.shelf import *; print(games(), faults(), load('simon2'))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    assert "'simon2'" in done.stdout and "<Game simon2" in done.stdout, done.stderr
    assert "no_such_package.lost" in done.stdout and "cannot be found" in done.stdout


@pytest.fixture(scope="module")
def fifth(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the template under a name of its own, and a game without private looks or page."""
    folder = tmp_path_factory.mktemp("games")
    shutil.copytree(HERE / "elsewhere" / "concentration", folder / "concentration", ignore=shutil.ignore_patterns("__pycache__"))
    shelf.template("seven", folder)
    return folder


def run_tests(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """The tests of all games over the games of a folder, as their author would run them."""
    env = {**os.environ, shelf.ELSEWHERE: str(folder)}
    command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "seven or concentration", *words]
    return subprocess.run(command, env=env, cwd=HERE.parent, capture_output=True, text=True, timeout=600)


@pytest.mark.compiled
def test_new_games_pass_what_every_game_must(fifth: Path):
    done = run_tests(fifth, "tests/test_games.py", "tests/table/test_pages.py", "tests/table/test_leaks.py", "-m", "not browser")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.browser
def test_pages_of_new_games_are_for_everybody(fifth: Path):
    """The template's page, and the plain one of a game that has drawn none."""
    done = run_tests(fifth, "tests/table/test_axe.py", "-m", "not long")
    assert done.returncode == 0, done.stdout[-3000:]


def test_options_that_change_no_rule_make_no_variants(elsewhere: Path):
    shutil.copytree(HERE / "elsewhere" / "concentration", elsewhere / "concentration", ignore=shutil.ignore_patterns("__pycache__"))
    shelf._found.cache_clear()
    assert shelf.load("concentration").variants() == [{"players": 2, "show": 2}, {"players": 4, "show": 2}]
