"""Components of a game: cards, tiles, boards, from its data file or from an owner's own."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path
from typing import Any

PROVENANCES = ("rulebook", "deduced", "reconstructed", "ours")


class Fault(ValueError):
    """Something wrong in a components file: which file, which entry, what."""

    def __init__(self, file: Path | str, entry: str, what: str) -> None:
        super().__init__(f"{file}: {entry}: {what}")
        self.file, self.entry, self.what = str(file), entry, what


def path(package: str) -> Path:
    """The data file of a game package: an owner's, if it was loaded with one."""
    return getattr(importlib.import_module(package), "OWNERS_FILE", None) or _ours(package)


def _ours(package: str) -> Path:
    return Path(importlib.import_module(package).__path__[0]) / "components.toml"


def read(package: str, also: tuple[str, ...] = ()) -> dict[str, Any]:
    """The data of a game package, as TOML gives it. An owner's file may say what ours says, and the keys named in `also`."""
    file = path(package)
    data = _toml(file)
    if file != _ours(package):
        _alike(file, "", data, _toml(_ours(package)), also)
        _told(file, "", data)
    return data


def _told(file: Path, where: str, given: Any) -> None:
    """Where data says where it comes from, it is one of the four places there are; a table of that name says it of each of its entries."""
    tables = given.items() if isinstance(given, dict) else enumerate(given, 1) if isinstance(given, list) else ()
    for key, value in tables:
        at = f"{where}.{key}".lstrip(".") if isinstance(given, dict) else f"{where} {key}"
        said = {at: value} if key == "provenance" else {}
        if said and isinstance(value, dict):
            said = {f"{at}.{name}": one for name, one in value.items()}
        for entry, one in said.items():
            if one not in PROVENANCES:
                raise Fault(file, entry, f"must be one of {', '.join(PROVENANCES)}, not {one!r}")
        _told(file, at, value)


def _alike(file: Path, where: str, given: Any, ours: Any, also: tuple[str, ...]) -> None:
    """The same kinds of things in the same places: a misspelt entry is a fault, not a silence."""
    if isinstance(ours, dict):
        if not isinstance(given, dict):
            raise Fault(file, where, f"should be a table, not {given!r}")
        entries = [item for item in ours.values() if isinstance(item, dict)]
        named = bool(where) and len(entries) > 8  # entries by name, such as cards: all alike, and the game checks the names
        every = {key: value for item in entries for key, value in item.items()}
        for key, value in given.items():
            at = f"{where}.{key}".lstrip(".")
            if named and isinstance(value, dict):
                _alike(file, at, value, every, also)
            elif key in ours:
                _alike(file, at, value, ours[key], also)
            elif key not in also:
                raise Fault(file, at, f"is not known here; known are {', '.join([*ours, *also])}")
    elif isinstance(ours, list) and ours and all(isinstance(item, dict) for item in ours):
        if not isinstance(given, list):
            raise Fault(file, where, f"should be a list of tables, not {given!r}")
        every = {key: value for item in ours for key, value in item.items()}
        for n, item in enumerate(given, 1):
            _alike(file, f"{where} {n}", item, every, also)


def _toml(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Fault(file, "file", "there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Fault(file, "file", f"not readable as TOML: {error}") from None
