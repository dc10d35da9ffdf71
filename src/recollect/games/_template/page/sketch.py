"""The table in letters, for the terminal."""

from recollect.engine.look import Look

from .scene import card, hand


def sketch(look: Look) -> str:
    """Numbers of the cards in sight, dots for those that lie face down."""
    cards = [card(look, i) for i in range(len(look.view.card))]
    rows = ["  ".join(f"{c['id']}:{'..' if c['number'] is None else c['number']}" for c in cards)]
    for seat, name in enumerate(look.names):
        rows.append(f"  {name} keeps {', '.join(map(str, hand(look, seat))) or 'nothing'}")
    return "\n".join(rows)
