"""The companions that may take a seat, each with its picture; their words are in the texts, `[minds.*]`."""

from __future__ import annotations

ART = {"random": "a-dodo", "goldfish": "a-goldfish", "parrot": "a-parrot", "dolphin": "a-dolphin", "elephant": "a-elephant"}


def art_of(mind: str | None) -> str | None:
    return ART.get(mind, "a-owl") if mind else None
