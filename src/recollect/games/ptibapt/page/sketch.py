"""The table in letters, for the terminal."""

from recollect.engine.look import Look
from recollect.engine.sets import members

from ..rules import COLOUR, COLOURS, PLACE_COUNT, RED, SIDE, STEPS

WIDTH = 12


def sketch(look: Look) -> str:
    """Cards in sight by their names, dots for those that lie face down, nothing where none lies."""
    view = look.view
    rows = ["    " + "".join(f"{letter:<{WIDTH}}" for letter in "ABCDEFG"[: view.columns])]
    for top in range(0, PLACE_COUNT, SIDE):
        places = range(top, top + view.columns)
        if any(view.lies >> p & 1 for p in places):
            rows.append(f"  {top // SIDE + 1} " + "".join(f"{_card(look, p):<{WIDTH}}" for p in places))
    left = ", ".join(f"{view.pairs[c]} {colour}" for c, colour in enumerate(COLOURS) if view.pairs[c])
    rows.append(f"pairs on the table: {left or 'nothing'}; {STEPS[view.step].replace('_', ' ')}")
    for seat, name in enumerate(look.names[: view.players]):
        kept = [f"{look.game.rules.FACES[f]} x{1 if COLOUR[f] == RED else 2}" for f in members(view.pile[seat])]
        rows.append(f"  {name}: {', '.join(kept) or 'no cards'}")
    return "\n".join(rows)


def _card(look: Look, p: int) -> str:
    if not look.view.lies >> p & 1:
        return ""
    face = look.view.card[p]
    return "...." if face < 0 else f"{look.game.rules.FACES[face]} {'+*-o'[COLOUR[face]]}"
