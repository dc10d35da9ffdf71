"""A wrong hex in a lesson beside the one that was asked for."""

from typing import Any

from recollect.engine.lesson import Compared, Comparison, Piece
from recollect.engine.look import Look

from ..components import NEAR, RING, SLOT, TIMES, TOUCH
from ..rules.layout import COLOURS, HEX_NAMES, PLACE

BOX = "-16 -16 32 32"


def compare(look: Look, right: Look, tried: Look) -> Comparison | None:
    """What lies round either hex of the kinds that were put there: slots, and fragments to go on from."""
    hexes = [after.extra["entry"][1] - PLACE for after in (right, tried)]  # type: ignore[index]
    if not all(0 <= h < len(HEX_NAMES) for h in hexes):
        return None
    board, seat = look.view, look.seat
    put = [c for c in range(len(COLOURS)) if TIMES[tried.view.hexes[seat, hexes[1]], c] > TIMES[board.hexes[seat, hexes[1]], c]]
    rows = [
        Compared(look.t("compare.slots"), *(pieces(look, put, [slots(seat, h, c) for c in put]) for h in hexes)),
        Compared(look.t("compare.beside"), *(pieces(look, put, [beside(board, seat, h, c) for c in put]) for h in hexes)),
    ]
    return Comparison(rows)


def slots(seat: int, h: int, c: int) -> int:
    """Slots of a kind that a hex touches."""
    return sum(SLOT[seat, p] == c and bool(TOUCH[p] >> h & 1) for p in range(RING))


def beside(s: Any, seat: int, h: int, c: int) -> int:
    """Neighbours of a hex that hold a fragment of a kind."""
    return sum(bool(NEAR[h] >> n & 1) and TIMES[s.hexes[seat, n], c] > 0 for n in range(len(HEX_NAMES)))


def pieces(look: Look, kinds: list[int], counts: list[int]) -> Piece:
    """How many there are of each kind, with its picture where it is but one kind."""
    found = [(n, c) for n, c in zip(counts, kinds, strict=True) if n]
    if not found:
        return Piece(look.t("compare.none"))
    many = [look.t("compare.many", n=n, what=look.t(f"colours.{COLOURS[c]}")) for n, c in found]
    return Piece(", ".join(many), f"tok-{COLOURS[found[0][1]]}" if len(found) == 1 else "", BOX)
