"""The island in letters, for the terminal."""

from recollect.engine.look import Look

from ..components import BIRDS
from ..rules.layout import CENTRE, STAGES

LEGEND = "(Pl: penguin on lava; ..: smoke; [Pl]: link with this; x..x: guarded; v2: two volcanoes left)"


def sketch(look: Look) -> str:
    """Two letters a card that lies in sight (animal, landscape), dots for smoke; brackets round the card to link with."""
    view, rows = look.view, [LEGEND, "     A    B    C    D    E"]
    for row in range(5):
        cells = []
        for p in range(5 * row, 5 * row + 5):
            text = f"v{view.pile}" if p == CENTRE else _letters(look, p)
            cells.append(f"[{text}]" if p == view.last else f"x{text}x" if p == view.guarded else f" {text} ")
        rows.append(f"  {row + 1} " + " ".join(cells))
    rows.append(f"round {min(view.rounds + 1, 7)} of 7, {STAGES[view.stage].replace('_', ' ')}")
    if view.top >= 0:
        rows.append(f"the top volcano has {_birds(view.top)}: who takes the most begins the next round")
    for seat, name in enumerate(look.names):
        treasures = sum(owner == seat for owner in view.owner)
        out = f", out with a volcano of {_birds(view.volcano[seat])}" if view.volcano[seat] >= 0 else ""
        rows.append(f"  {name}: {treasures} treasure{'' if treasures == 1 else 's'}{out}")
    return "\n".join(rows)


def _birds(volcano: int) -> str:
    n = int(BIRDS[volcano])
    return f"{n} bird{'' if n == 1 else 's'}"


def _letters(look: Look, p: int) -> str:
    card = look.view.card[p]
    if card < 0:
        return ".."
    animal, landscape = look.game.state["card"].values[card].split("-")  # type: ignore[index]
    return f"{animal[0].upper()}{landscape[0]}"
