"""A wrong answer in a lesson beside what was asked for: how a sowing can end, or how far bits reach on a card."""

from recollect.engine.lesson import Compared, Comparison, Piece
from recollect.engine.look import Look
from recollect.engine.sets import size

from ..components import CARD_COLOUR, COLOURS, SHAPES
from ..rules.construction import pays
from ..rules.layout import ORDINARIES, REMEMBER, SHAPE_COUNT, SOW
from .cosmos import gathered
from .pieces import card_name, kinds_in, named, reach_down, tile_name
from .plans import coloured, ways


def compare(look: Look, right: Look, tried: Look) -> Comparison | None:
    """By what was tried: a card to build, or a step of a sowing."""
    actions = [after.extra["entry"][1] for after in (right, tried)]  # type: ignore[index]
    if all(REMEMBER <= a < REMEMBER + ORDINARIES for a in actions):
        return Comparison(cards(look, [a - REMEMBER for a in actions]))
    return Comparison(sowings(look, right, tried)) if right.view.stage == tried.view.stage == SOW else None


def cards(look: Look, both: list[int]) -> list[Compared]:
    """How many of their slots the bits at hand cover, from the top, and what that pays."""
    bits = kinds_in(look.view.own[look.seat])
    fit = [reach_down(look, c, bits) for c in both]
    paid = [min(n, sum(bool(pays(c, b)) for b in bits)) for c, n in zip(both, fit, strict=True)]
    return [
        Compared(look.t("compare.card"), *(Piece(card_name(look, c), f"sun-{COLOURS[CARD_COLOUR[c]]}") for c in both)),
        Compared(look.t("compare.fit"), *(Piece(str(n)) for n in fit)),
        Compared(look.t("compare.pays"), *(Piece(str(n)) for n in paid)),
    ]


def sowings(look: Look, right: Look, tried: Look) -> list[Compared]:
    """The end at which either way gathers most."""
    best = [most(after) for after in (right, tried)]
    where = [Piece(tile_name(look, tile)) for tile, _, _ in best]
    return [Compared(look.t("compare.gathers"), *(bits(look, n, last) for _, last, n in best)), Compared(look.t("compare.end"), *where)]


def most(look: Look) -> tuple[int, int, int]:
    """Of all the ways and orders that a sowing can still take: where it ends best, with which bit, and how many that gathers."""
    s = look.view
    ends = [(tile, last, len(gathered(s, tile, last))) for tile in ways(s, s.at, s.crossed, size(s.held)) for last in coloured(s)]
    return max(ends, key=lambda end: end[2])


def bits(look: Look, n: int, last: int) -> Piece:
    colour, shape = COLOURS[last // SHAPE_COUNT], SHAPES[last % SHAPE_COUNT]
    return Piece(look.t("compare.bits", n=n, colour=named(look, "gathered", colour)), f"{shape}-{colour}")
