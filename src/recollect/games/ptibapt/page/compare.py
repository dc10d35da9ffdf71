"""A wrong card in a lesson beside the one whose twin was looked for."""

from recollect.engine.lesson import Compared, Comparison, Piece
from recollect.engine.look import Look

from ..rules import PLACES
from .scene import face


def compare(look: Look, right: Look, tried: Look) -> Comparison | None:
    """Picture and colour of the two open cards."""
    s = tried.view
    if s.one < 0 or s.two < 0:
        return None
    one, two = face(look.t, s.card[s.one]), face(look.t, s.card[s.two])
    rows = [
        Compared(look.t("compare.picture"), *(Piece(card["name"], f"f-{card['picture']}") for card in (one, two))),
        Compared(look.t("compare.colour"), *(Piece(look.t(f"colours.{card['colour']}")) for card in (one, two))),
    ]
    return Comparison(rows, (f"place-{PLACES[s.one]}", f"place-{PLACES[s.two]}"))
