"""The page of a game that has drawn none yet: its fields in words, and a button for every legal action."""

from __future__ import annotations

from typing import Any

from recollect.engine.look import Look
from recollect.engine.look import action_words as words
from recollect.terminal import sketch_of


def scene(look: Look) -> dict[str, Any]:
    return {"sketch": sketch_of(look), "choices": [{"act": action, "words": words(look, action)} for action in sorted(look.legal)]}


def why(look: Look, action: int) -> str:
    return words(look, action)


def line(look: Look, seat: int, action: int) -> str | None:
    """Only who moved: this page does not know what may be told."""
    return look.names[seat] if 0 <= seat < len(look.names) else None
