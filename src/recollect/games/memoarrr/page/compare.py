"""A wrong card in a lesson beside the one to link with."""

from recollect.engine.lesson import Compared, Comparison, Piece
from recollect.engine.look import Look

from ..rules.layout import PLACES, REVEAL
from .scene import face


def compare(look: Look, right: Look, tried: Look) -> Comparison | None:
    """Animal and landscape of the card to link with, and of the one that was turned."""
    s, p = look.view, tried.extra["entry"][1] - REVEAL  # type: ignore[index]
    if s.last < 0 or not 0 <= p < len(PLACES) or tried.view.card[p] < 0:
        return None
    link, turned = face(s.card[s.last]), face(tried.view.card[p])
    rows = [
        Compared(look.t(f"compare.{what}"), *(Piece(look.t(f"names.{card[what]}"), art + card[what]) for card in (link, turned)))
        for what, art in (("animal", ""), ("land", "sign-"))
    ]
    return Comparison(rows, (f"place-{PLACES[s.last]}", f"place-{PLACES[p]}"))
