"""What the players agree on before a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from reprlib import repr as shortly

import numpy as np

Value = int | float | str | bool


@dataclass(frozen=True)
class Option:
    """One named choice. Rules get a word as its index in `choices`, a number or truth value as itself."""

    name: str
    choices: tuple[Value, ...]
    default: Value
    rules: bool  # False: the table's business alone, such as how long cards are shown

    def __init__(self, name: str, choices: Sequence[Value], default: Value, rules: bool = True) -> None:
        object.__setattr__(self, "name", name)
        object.__setattr__(self, "choices", tuple(choices))
        object.__setattr__(self, "default", default)
        object.__setattr__(self, "rules", rules)
        if default not in self.choices:
            raise ValueError(f"option {name!r}: its default {default!r} is not one of {', '.join(map(str, choices))}")

    def check(self, value: object) -> Value:
        """The choice that `value` means; text from a form or a file is understood."""
        for choice in self.choices:
            if value == choice and isinstance(value, bool) == isinstance(choice, bool):
                return choice
        for choice in self.choices:
            if str(value).lower() == str(choice).lower():
                return choice
        raise ValueError(f"option {self.name!r}: {shortly(value)} is not one of {', '.join(map(str, self.choices))}")

    def number(self, value: Value) -> int:
        return self.choices.index(value) if isinstance(value, str) else int(value)


def settle(options: Sequence[Option], given: Mapping[str, object]) -> dict[str, Value]:
    """All options with their values: those given, checked, and defaults for the rest."""
    names = [option.name for option in options]
    for name in given:
        if name not in names:
            raise ValueError(f"there is no option {shortly(name)}; the options are {', '.join(names)}")
    return {option.name: option.check(given.get(option.name, option.default)) for option in options}


def numbers(options: Sequence[Option], values: Mapping[str, Value]) -> np.ndarray:
    """Option values as the rules receive them."""
    return np.array([option.number(values[option.name]) for option in options], np.int64)
