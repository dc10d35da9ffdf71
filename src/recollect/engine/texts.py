"""Every word comes from a catalogue: texts.en.toml, texts.fr.toml and so on, the same keys in each. A language is its files."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from datetime import date
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import Any

from babel import Locale
from babel.dates import format_date

FIRST = "en"  # what a folder that does not speak a language says instead


def found() -> tuple[str, ...]:
    """The languages that there are: those of which some game has a catalogue."""
    files = (Path(__file__).parents[1] / "games").glob("*/texts.*.toml")
    return (FIRST, *sorted({file.name.split(".")[1] for file in files} - {FIRST}))


LANGUAGES = found()


class Texts:
    """`t("key.sub", n=3)`: the text, with its placeholders filled and the plural form that n asks for."""

    def __init__(self, language: str, *tables: Mapping[str, Any]) -> None:
        self.language = language
        self._plural = lru_cache(maxsize=1024)(Locale.parse(language).plural_form)
        self._entries: dict[str, Any] = {}
        self._asks: dict[str, frozenset[str]] = {}
        for table in reversed(tables):  # the first table wins
            self._entries.update(flatten(table))

    def __call__(self, key: str, **args: object) -> str:
        entry = self._entries.get(key)
        if entry is None:
            raise KeyError(f"texts.{self.language}: no text for {key!r}")
        if type(entry) is not str:
            entry = entry.get(self._plural(abs(args.get("n", 0))), entry["other"])  # type: ignore[arg-type]
        return entry.format(**{name: minus(value) for name, value in args.items()}) if args else entry

    def asks(self, key: str) -> frozenset[str]:
        """What may go into a text: its placeholders, and the number that chooses its form."""
        if key not in self._asks:
            entry = self._entries.get(key, "")
            forms = [entry] if isinstance(entry, str) else list(entry.values())
            self._asks[key] = frozenset(name for form in forms for _, name, _, _ in Formatter().parse(form) if name) | {"n"}
        return self._asks[key]

    def __contains__(self, key: object) -> bool:
        return key in self._entries

    def section(self, prefix: str) -> dict[str, str]:
        """All entries below a prefix, in the order of the file."""
        return {key[len(prefix) + 1 :]: value for key, value in self._entries.items() if key.startswith(prefix + ".")}


def day(when: date, form: str, language: str) -> str:
    """A day in words; in French the first of a month is the 1er."""
    words = str(format_date(when, form, locale=language))
    return re.sub(r"^1 ", "1er ", words) if language == "fr" else words


def minus(value: object) -> object:
    """A number below nothing as words write it: with a minus, not with a hyphen."""
    return f"−{-value}" if type(value) is int and value < 0 else value


def flatten(table: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Dotted keys; a table with `other` is one text in several plural forms."""
    return dict(_flat(table, prefix))


def _flat(table: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping) and "other" not in value:
            yield from _flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key, value


@lru_cache(maxsize=64)
def _read(file: Path, stamp: float) -> dict[str, Any]:
    return tomllib.loads(file.read_text(encoding="utf-8"))


def read_texts(folder: Path, language: str) -> Texts:
    """The catalogue of a folder in a language."""
    if language not in LANGUAGES:
        raise ValueError(f"no texts in {language!r}; the languages are {', '.join(LANGUAGES)}")
    file = folder / f"texts.{language}.toml"
    if not file.is_file():
        file = folder / f"texts.{FIRST}.toml"
    return Texts(language, _read(file, file.stat().st_mtime))
