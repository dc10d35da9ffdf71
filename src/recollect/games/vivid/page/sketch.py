"""The table in letters, for the terminal."""

from collections.abc import Sequence
from typing import Any

from recollect.engine.look import Look

from ..components import CELLS, RING
from ..rules.layout import AUTOMA, BANK, CHERISHED, CLAIMED, COLOURS, FRAGMENTS_OF, HEX_NAMES, LINE, MOMENT_NAMES, PHASES, SEATS
from .paying import total_of

ROWS = [[h for h, cell in enumerate(CELLS) if cell[1] == r] for r in sorted({r for _, r in CELLS})]
WIDEST = max(map(len, ROWS))


def sketch(look: Look) -> str:
    """The moment line, the boards as rows of hexes (letters are colours), banks, supply and bag."""
    v, rows = look.view, [f"round {look.view.round_no + 1} of 3, {PHASES[look.view.phase].replace('_', ' ')}"]
    line = [f"m{v.line[i] + 1} {FRAGMENTS_OF[v.tokens[i]]}" for i in range(LINE) if v.line[i] >= 0]
    rows.append("line: " + (" | ".join(line) or "empty") + (f"   in hand: {FRAGMENTS_OF[v.hand]}" if v.hand else ""))
    for seat, name in enumerate(look.names[: min(v.players, SEATS)]):
        filled = [p for p in range(RING) if v.filled[seat] >> p & 1]
        rows.append(f"{name}, {total_of(v, seat)} points; {_bank(v, seat)}; slots filled: {filled}")
        for row in ROWS:
            cells = [f"{HEX_NAMES[h]:>3}:{FRAGMENTS_OF[v.hexes[seat, h]] or '.':<3}" for h in row]
            rows.append(" " * 4 * (WIDEST - len(row)) + "  " + " ".join(cells))
    if v.players == 1:
        rows.append(_automa(look))
    rows.append(f"supply: {_letters(v.supply)}   bag: {sum(v.bag[c] for c in range(5))}")
    if look.seat >= 0 and v.aspiration[look.seat] >= 0:
        rows.append(f"your aspiration: {COLOURS[v.aspiration[look.seat]]}")
    return "\n".join(rows)


def _bank(v: Any, seat: int) -> str:
    """What lies on the bank slots; a star is a tile with its scoring side up."""
    tiles = ["-" if v.bank[seat, k] < 0 else MOMENT_NAMES[v.bank[seat, k]] + "*" * (v.flipped[seat] >> k & 1) for k in range(len(BANK))]
    return ", ".join(f"{name}: {tile}" for name, tile in zip(BANK, tiles, strict=True))


def _automa(look: Look) -> str:
    """The house automa has no board: its points, fragments and tiles."""
    v = look.view
    claimed, scored = ([m for t, m in enumerate(MOMENT_NAMES) if v.home[t] == home + AUTOMA] for home in (CLAIMED, CHERISHED))
    tiles = f"tiles: {' '.join(claimed) or '-'}; scored: {' '.join(scored) or '-'}"
    return f"{look.t('automa.name')}, {total_of(v, AUTOMA)} points; fragments: {_letters(v.kept)}; {tiles}"


def _letters(counts: Sequence[int]) -> str:
    return " ".join(f"{colour[0]}{counts[c]}" for c, colour in enumerate(COLOURS))
