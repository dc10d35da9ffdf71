"""Positions in readable TOML: options, forged fields, lines played, and what must then hold."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from recollect.engine.game import Game
from recollect.engine.match import Match, parse_entry
from recollect.engine.record import Axis, Field
from recollect.engine.shelf import load
from recollect.engine.stream import CHANCE

ENTRIES = ("title", "rule", "options", "state", "play", "expect")


def read(path: str | Path) -> dict[str, Any]:
    """The document of a position file."""
    try:
        return tomllib.loads(Path(path).read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ValueError(f"{path}: there is no such file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not readable as TOML: {error}") from None


def open_position(game: str, path: str | Path, components: str | Path | None = None) -> Match:
    """The match that a position file describes, ready to be played on."""
    return stand(load(game, components), read(path), str(path))


def stand(game: Game, doc: Mapping[str, Any], where: str = "position") -> Match:
    """The match as the position says: set up, fields forged, lines played. Chance draws only what a line says."""
    try:
        for key in doc:
            if key not in ENTRIES:
                raise ValueError(f"{key}: a position has no such entry; it has {', '.join(ENTRIES)}")
        match = Match(game, game.settle(table(doc, "options")), seed="position", auto_chance=False)
        for name, value in table(doc, "state").items():
            forge(game, match.record, name, value)
        if "players" in game.state and not 1 <= match.state.players <= game.seats:
            raise IndexError(f"{match.state.players} players, and {game.seats} seats")
        getattr(game.rules, "derive", lambda s: None)(match.state)
        for line in lines(doc, "play"):
            try:
                match.play(*parse_entry(game, line))
            except ValueError as error:
                raise ValueError(f"line {line!r}: {error}") from None
        match.standing()  # a forged position that makes no sense is found out here,
        for seat in match.acting - {CHANCE}:
            match.legal(seat)  # or here
    except ValueError as error:
        raise ValueError(f"{where}: {error}") from None
    except (OverflowError, IndexError, TypeError, ZeroDivisionError) as error:
        raise ValueError(f"{where}: the forged state does not make sense to the rules: {error}") from None
    return match


def table(doc: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    """An entry that must be a table."""
    value = doc.get(key, {})
    if not isinstance(value, Mapping):
        raise ValueError(f"{key}: should be a table, not {value!r}")
    return value


def lines(doc: Mapping[str, Any], key: str) -> list[str]:
    """An entry that must be a list of lines."""
    value = doc.get(key, [])
    if not isinstance(value, list) or not all(isinstance(line, str) for line in value):
        raise ValueError(f'{key}: should be a list of lines such as "0 reveal a1", not {value!r}')
    return value


def forge(game: Game, record: np.ndarray, name: str, value: Any) -> None:
    """Set a field: a number or label, a whole list, or a table {index = value}; a list of labels on a set or a flag field sets those."""
    if name not in game.state.fields:
        raise ValueError(f"there is no field {name!r}; the fields are {', '.join(game.state.fields)}")
    f = game.state.fields[name]
    if f.of is not None:
        flags = np.array(f.flags(record[name]))  # a copy: it is changed
        _fill(f, (*f.axes, f.of), flags, value, name)
        if (flags < 0).any() or (flags > f.copies).any():
            least = "a place is in the set (1) or not (0), nothing else"
            raise ValueError(f"{name}: {least if f.copies == 1 else f'there are none to {f.copies} of each'}")
        record[name] = f.gathered(flags)
    elif not f.axes:
        record[name] = number(f, value, name)
    else:
        _fill(f, f.axes, record[name], value, name)


def _fill(f: Field, axes: Sequence[Axis], array: np.ndarray, value: Any, where: str) -> None:
    if isinstance(value, Mapping):
        for key, item in value.items():
            i = _index(axes[0], key, where)
            if len(axes) == 1:
                array[i] = number(f, item, f"{where}.{key}")
            else:
                _fill(f, axes[1:], array[i], item, f"{where}.{key}")
    elif isinstance(value, list) and len(axes) == 1 and _labels(f, value):
        array[...] = 0
        for label in value:
            array[_index(axes[0], label, where)] = 1
    elif isinstance(value, list):
        if len(value) != len(array):
            raise ValueError(f"{where}: {len(value)} values for {len(array)} places")
        for i, item in enumerate(value):
            if len(axes) == 1:
                array[i] = number(f, item, f"{where}[{i}]")
            else:
                _fill(f, axes[1:], array[i], item, f"{where}[{i}]")
    else:
        array[...] = number(f, value, where)  # one value everywhere


def _labels(f: Field, value: list[Any]) -> bool:
    """A list of what is in a set, which may be empty, or of what is flagged."""
    return (f.of is not None or (bool(value) and f.values is None)) and all(isinstance(v, str) for v in value)


def _index(axis: Axis, key: str, where: str) -> int:
    if not isinstance(axis, int) and key in axis:
        return list(axis).index(key)
    size = axis if isinstance(axis, int) else len(axis)
    if str(key).isdecimal() and int(key) < size:
        return int(key)
    raise ValueError(f"{where}: there is no place {key!r}")


def number(f: Field, value: Any, where: str) -> int:
    """A value of a field: a number, or one of its labels."""
    if isinstance(value, bool | int):
        least, most = np.iinfo(f.dtype).min, np.iinfo(f.dtype).max
        if not least <= value <= most:
            raise ValueError(f"{where}: {value} does not fit; it can be {least} to {most}")
        return int(value)
    if f.values is not None and value in f.values:
        return list(f.values).index(value)
    raise ValueError(f"{where}: {value!r} is not a number{' or one of its values' if f.values else ''}")


def faults(match: Match, expect: Mapping[str, Any]) -> list[str]:
    """What does not hold of what a position expects; empty when all does."""
    game, out = match.game, []
    acting = sorted(match.acting)

    def same(what: str, is_: object, should: object) -> None:
        if is_ != should:
            out.append(f"{what} is {is_}, should be {should}")

    standing = match.standing()
    for key, value in expect.items():
        if key == "acting":
            same("acting", ["chance" if s == CHANCE else s for s in acting], value)
        elif key in ("legal", "includes", "excludes"):
            seat = expect.get("seat", acting[0] if acting else 0)
            said = {game.actions.notation(a) for a in game.legal(match.state, seat)}
            for words in value:
                game.actions.parse(words)
            wrong = said ^ set(value) if key == "legal" else set(value) - said if key == "includes" else set(value) & said
            if wrong:
                out.append(f"{key}: {sorted(wrong)} differ; legal are {sorted(said)}")
        elif key == "scores":
            same("scores", standing.scores, value)
        elif key == "points":
            for name, row in value.items():
                same(f"points {name}", standing.points[name], row)
        elif key == "ranking":
            same("ranking", standing.ranking, value)
        elif key == "decided":
            same("decided", standing.decided or "shared", value)
        elif key == "over":
            same("over", match.over, value)
        elif key == "state":
            out += _differences(match, value)
        elif key != "seat":
            out.append(f"a position cannot expect {key!r}")
    return out


def _differences(match: Match, state: Mapping[str, Any]) -> list[str]:
    """Fields that are not as expected: the expectation is forged into a copy, which must then be equal."""
    out = []
    for name, value in state.items():
        copy = match.game.state.copy(match.record)
        forge(match.game, copy, name, value)
        if not np.array_equal(copy[name], match.record[name]):
            flags = match.game.state.fields[name].flags
            out.append(f"{name} is {flags(match.record[name]).tolist()}, should be {flags(copy[name]).tolist()}")
    return out
