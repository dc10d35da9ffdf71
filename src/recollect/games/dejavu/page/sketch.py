"""The table in letters, for the terminal."""

from __future__ import annotations

from typing import Any

from recollect.engine.look import Look
from recollect.engine.sets import members

from ..components import BITS, CARDS, FRAGMENTS, PLACES, SHAPES, SLOT, SLOTS, TILES
from ..rules.layout import STAGES
from ..rules.piles import copies


def sketch(look: Look) -> str:
    """Tiles with their bits and neighbours, then what lies before each player."""
    s = look.view
    rows = [f"round {s.rounds}, {STAGES[s.stage]}"]
    for tile in range(s.placed):
        near = " ".join(TILES[t] for t in range(s.placed) if s.near[tile] >> t & 1)
        lies = "flower" if s.fragment[tile] < 0 else FRAGMENTS[s.fragment[tile]]
        rows.append(f"{'*' if s.girl == tile else ' '} {TILES[tile]:>10} {lies:>9}  {_bits(s.bits[tile]):<58} -> {near}")
    if s.held:
        rows.append(f"to drop: {_bits(s.held)}; next {BITS[s.upcoming]}")
    rows.append(f"grid: {_bits(s.grid)}")
    for seat, name in enumerate(look.names[: s.players]):
        rows += _tableau(s, seat, name, seat == look.seat)
    return "\n".join(rows)


def _bits(pile: int) -> str:
    return " ".join(BITS[kind] for kind in range(len(BITS)) for _ in range(copies(pile, kind)))


def _slots(card: int) -> str:
    return " ".join((*SHAPES, "any")[SLOT[card, slot]] for slot in range(SLOTS[card]))


def _tableau(s: Any, seat: int, name: str, mine: bool) -> list[str]:
    long = " ".join(CARDS[card] for card in members(s.long[seat]))
    found = " ".join(FRAGMENTS[f] for f in members(s.found[seat]))
    rows = [f"{name}: {s.tokens[seat]} in tokens; remembers {long or 'nothing'}"]
    rows.append(f"    fragments {found or 'none'}; bits {_bits(s.own[seat]) or 'none'}")
    for place in range(PLACES):
        card = s.short[seat, place]
        if card >= 0:
            laid = " ".join(BITS[kind] for kind in s.laid.tolist()[seat][place] if kind >= 0)
            rows.append(f"    begun {CARDS[card]}: {_slots(card)}; laid {laid or 'nothing'}")
    if mine:
        rows += [f"    hand {CARDS[card]}: {_slots(card)}" for card in members(s.hand[seat])]
    return rows
