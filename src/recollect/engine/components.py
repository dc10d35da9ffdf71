"""Components of a game: cards, tiles, boards, from its data file or from an owner's own."""

from __future__ import annotations

import importlib
import tomllib
from pathlib import Path
from typing import Any

files: dict[str, Path] = {}  # package -> an owner's file that takes the place of components.toml


class Fault(ValueError):
    """Something wrong in a components file: which file, which entry, what."""

    def __init__(self, file: Path | str, entry: str, what: str) -> None:
        super().__init__(f"{file}: {entry}: {what}")
        self.file, self.entry, self.what = str(file), entry, what


def path(package: str) -> Path:
    """The data file of a game package."""
    if package in files:
        return files[package]
    return Path(importlib.import_module(package).__path__[0]) / "components.toml"


def read(package: str) -> dict[str, Any]:
    """The data of a game package, as TOML gives it."""
    file = path(package)
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise Fault(file, "file", "there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Fault(file, "file", f"not readable as TOML: {error}") from None
