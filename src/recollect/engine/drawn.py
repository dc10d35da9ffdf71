"""What is drawn the same wherever it lies is drawn once, and known by its mark."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from functools import lru_cache
from typing import Any

MARKS = map("\x02{}".format, itertools.count())  # no text begins so


class Drawn(dict[str, Any]):
    """Something as it was drawn. Nobody changes it: what is made from it may be kept under its mark."""

    __slots__ = ("mark",)
    __hash__ = object.__hash__  # type: ignore[assignment]

    def __init__(self, fields: dict[str, Any]) -> None:
        super().__init__(fields)
        self.mark = next(MARKS)


@lru_cache(maxsize=65_536, typed=True)
def once(**fields: Any) -> Drawn:
    """What has the same fields is the same; they are plain values, drawings, or tuples of such."""
    return Drawn(fields)


def drawn(draw: Callable[..., dict[str, Any]]) -> Callable[..., Drawn]:
    """Draw the same once; what it is given says all."""
    return lru_cache(maxsize=32_768)(lambda *given: Drawn(draw(*given)))
