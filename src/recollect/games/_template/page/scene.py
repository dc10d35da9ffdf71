"""What a seat sees: the cards, what each keeps, and the sentence that says what to do. Made from the seat's look alone."""

from __future__ import annotations

from typing import Any

from recollect.engine.look import Look

from ..components import CARDS, VALUE
from ..rules import KEEP, LOOK, PLACES, PUT_BACK


def scene(look: Look) -> dict[str, Any]:
    return {
        "cards": [card(look, i) for i in range(CARDS)],
        "hands": [hand(look, seat) for seat in range(look.view.players)],
        "asked": look.seat in look.acting,
        "say": sentence(look),
        "playing": "" if look.over else look.names[look.view.turn],
        "put_back": PUT_BACK if PUT_BACK in look.legal else None,
    }


def card(look: Look, i: int) -> dict[str, Any]:
    """A card on the table: its number if this seat sees it now, and what a click on it means."""
    s = look.view
    action = (KEEP if s.seen else LOOK) + i
    number = int(VALUE[s.card[i]]) if s.card[i] >= 0 else None
    key = "kept" if s.owner[i] >= 0 else "seen" if number else "back"
    owner = look.names[s.owner[i]] if s.owner[i] >= 0 else ""
    label = look.t(f"table.{key}", at=PLACES[i].upper(), n=number or 0, name=owner)
    return {"id": PLACES[i], "number": number, "owner": s.owner[i], "act": action, "lit": action in look.legal, "label": label}


def hand(look: Look, seat: int) -> list[int]:
    """The numbers that a player keeps: open for all."""
    s = look.view
    return [int(VALUE[s.card[i]]) for i in range(CARDS) if s.owner[i] == seat]


def sentence(look: Look) -> str:
    """Which sentence says what to do."""
    if look.over:
        return "over"
    if look.seat not in look.acting:
        return "wait"
    return "back" if look.view.looking >= 0 else "keep" if look.view.seen else "look"


def words(look: Look, action: int) -> str:
    """An action as a person says it."""
    r = look.game.actions.range_of(action)
    return look.t(f"actions.{r.name}", at=r.labels[action - r.start].upper())


def why(look: Look, action: int) -> str:
    """Why an action is not legal now."""
    if look.over:
        return look.t("why.over")
    if look.seat not in look.acting:
        return look.t("why.turn", name=look.names[look.view.turn])
    if look.view.looking >= 0:
        return look.t("why.back")
    return look.t("why.taken" if action < PUT_BACK and look.view.owner[(action - LOOK) % CARDS] >= 0 else "why.now")


def line(look: Look, seat: int, action: int) -> str | None:
    """A line of the log: where, never what."""
    r = look.game.actions.range_of(action)
    return look.t(f"log.{r.name}", name=look.names[seat], at=r.labels[action - r.start].upper()) if r.name in ("look", "keep") else None
