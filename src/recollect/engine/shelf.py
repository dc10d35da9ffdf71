"""The shelf: the games there are. A folder is a game: ours, an owner's (RECOLLECT_GAMES, `--games DIR`), an installed package's."""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import tomllib
import traceback
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path

from recollect.engine.components import Fault
from recollect.engine.game import Game
from recollect.engine.texts import LANGUAGES

OURS = ("en", "fr")  # every game speaks these; others are as people write them
GAMES = Path(__file__).parent.parent / "games"
ELSEWHERE = "RECOLLECT_GAMES"  # folders of more games, divided as in PATH; in the environment, so that child processes find them too
GROUP = "recollect.games"  # entry points of installed packages: each names the package that is a game's folder
NAME = re.compile(r"[a-z][a-z0-9]*")
WORDS = "a game's folder has a name of small letters and digits, such as simon2"


def add(folder: Path) -> None:
    """Games from one more folder."""
    if not folder.is_dir():
        raise ValueError(f"{folder}: there is no such folder of games")
    os.environ[ELSEWHERE] = os.pathsep.join(filter(None, (str(folder.resolve()), os.environ.get(ELSEWHERE))))


def elsewhere() -> Path | None:
    """The first folder of games that are not ours."""
    return next((Path(place) for place in os.environ.get(ELSEWHERE, "").split(os.pathsep) if place), None)


def template(name: str, place: Path) -> Path:
    """A new game's folder: the template under another name."""
    if not NAME.fullmatch(name):
        raise ValueError(f"{name!r}: {WORDS}")
    if name in _folders() or (place / name).exists():
        raise ValueError(f"there is a {name} already: choose another name")
    shutil.copytree(GAMES / "_template", place / name, ignore=shutil.ignore_patterns("__pycache__"))
    for file in filter(Path.is_file, (place / name).rglob("*")):
        file.write_text(re.sub("Seven Cards|Sept cartes", name.capitalize(), file.read_text(encoding="utf-8")), encoding="utf-8")
    return place / name


def games() -> list[str]:
    """The games that can be played, by name."""
    return sorted(name for name in _folders() if NAME.fullmatch(name) and name not in faults())


def faults() -> dict[str, str]:
    """The folders that cannot be played, each with its fault in one line."""
    return {name: fault for name, folder in _folders().items() if name[0] != "_" and (fault := _fault(name, folder))}


def load(name: str, components: str | Path | None = None) -> Game:
    """Load a game by name, with an owner's own components file if given."""
    folder = _folders().get(name)
    if folder is None:
        raise ValueError(f"there is no game {name!r}; the games are {', '.join(games())}")
    if misnamed := _misnamed(name, folder):
        raise ValueError(f"{name}: {misnamed}")
    if components:
        return _opened(folder, Path(components))  # read anew each time: its owner may be correcting it
    return _own.get(name) or _loaded(folder)


_own: dict[str, Game] = {}


def use(name: str, components: str | Path) -> None:
    """An owner's components from now on, wherever no file is named; a fault in them is said at once."""
    _own[name] = load(name, components)


def ours(game: Game) -> Game:
    """The game with the box that it came with, whatever its owner has."""
    return _loaded(game.folder) if game.components else game


@cache
def _loaded(folder: Path) -> Game:
    return _opened(folder)


def _opened(folder: Path, components: Path | None = None) -> Game:
    """The game of a folder; whatever its files stumble over is said in one line."""
    try:
        return Game(folder, components)
    except Fault:
        raise
    except Exception as error:
        raise ValueError(f"{folder.name}: {one_line(error, folder)}") from error


def _folders() -> dict[str, Path]:
    return _found(os.environ.get(ELSEWHERE, ""))


@cache
def _found(elsewhere: str) -> dict[str, Path]:
    """Every game's folder by name; of two with one name ours comes first, and the other goes by its whole path."""
    found: dict[str, Path] = {}
    places = [Path(place) for place in elsewhere.split(os.pathsep) if place]
    for folder in [*_inside(GAMES), *(folder for place in places for folder in _inside(place)), *_installed()]:
        found[folder.name if folder.name not in found else str(folder)] = folder
    return found


def _inside(place: Path) -> list[Path]:
    return sorted(file.parent.parent.absolute() for file in place.glob("*/rules/__init__.py"))


def _installed() -> list[Path]:
    """The folders that installed packages name."""
    found = []
    for entry in entry_points(group=GROUP):
        try:
            spec = importlib.util.find_spec(entry.value)
        except ImportError:
            spec = None
        found.append(Path(((spec and spec.submodule_search_locations) or [entry.value])[0]))
    return found


def _misnamed(name: str, folder: Path) -> str:
    if name != folder.name:
        return f"there is another game called {folder.name}"
    if not folder.is_dir():
        return "an installed package promises it, but it cannot be found"
    return "" if NAME.fullmatch(name.removeprefix("_")) else WORDS


@cache
def _fault(name: str, folder: Path) -> str:
    """What keeps a folder from being played, or nothing."""
    try:
        _sound(load(name))
    except ValueError as error:
        return str(error).removeprefix(f"{name}: ").replace(f"{folder}{os.sep}", "")
    except Exception as error:
        return one_line(error, folder)
    return ""


def _sound(game: Game) -> None:
    """What the start page and the table need of a game, beside its rules."""
    spoken = [file for language in LANGUAGES if (file := game.folder / f"texts.{language}.toml").is_file() or language in OURS]
    for file in (*spoken, game.folder / "page" / "look.toml"):
        try:
            said = tomllib.loads(file.read_text(encoding="utf-8")) if file.name != "look.toml" or file.exists() else {}
        except FileNotFoundError:
            raise ValueError(f"there is no {file.name}") from None
        except ValueError as error:
            raise ValueError(f"{file.name}: {error}") from None
        for key in ("name", "tagline", "minutes"):
            if file.name != "look.toml" and not isinstance(said.get(key), str):
                raise ValueError(f"{file.name} does not say {key!r}")
    if (game.folder / "page" / "scene.py").is_file():
        _ = game.scene


def one_line(error: BaseException, folder: Path) -> str:
    """An error in one line: where in the game's folder, and what."""
    where, what = "", str(error)
    inside = [frame for frame in traceback.extract_tb(error.__traceback__) if Path(frame.filename).is_relative_to(folder)]
    if isinstance(error, SyntaxError) and error.filename:
        where, what = f"{Path(error.filename).relative_to(folder)}, line {error.lineno}: ", error.msg
    elif inside:
        where = f"{Path(inside[-1].filename).relative_to(folder)}, line {inside[-1].lineno}: "
    kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
    return where + kind + " ".join(what.split())
