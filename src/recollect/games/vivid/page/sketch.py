"""The table in letters, for the terminal."""

from recollect.engine.look import Look

from ..rules.layout import BANK, COLOURS, FRAGMENTS_OF, HEX_NAMES, LINE, PHASES, SEATS

ROWS = ((0, 3), (3, 7), (7, 12), (12, 16), (16, 19))


def sketch(look: Look) -> str:
    """The moment line, the boards as rows of hexes (letters are colours), banks, supply and bag."""
    v, rows = look.view, [f"round {look.view.round_no + 1} of 3, {PHASES[look.view.phase].replace('_', ' ')}"]
    line = [f"m{v.line[i] + 1} {_letters([v.tokens[i, c] for c in range(5)])}" for i in range(LINE) if v.line[i] >= 0]
    rows.append("line: " + (" | ".join(line) or "empty") + (f"   in hand: {FRAGMENTS_OF[v.hand]}" if v.hand else ""))
    for seat, name in enumerate(look.names[: min(v.players, SEATS)]):
        total = sum(v.score[seat, n, kind] for n in range(3) for kind in range(4))
        bank = [f"{BANK[k]}: {'-' if v.bank[seat, k] < 0 else f'm{v.bank[seat, k] + 1}' + '*' * v.face[seat, k]}" for k in range(4)]
        rows.append(f"{name}, {total} points; {', '.join(bank)}; slots filled: {[p for p in range(18) if v.filled[seat, p]]}")
        for first, last in ROWS:
            cells = [f"{HEX_NAMES[h]:>3}:{FRAGMENTS_OF[v.hexes[seat, h]] or '.':<3}" for h in range(first, last)]
            rows.append(" " * 4 * (5 - (last - first)) + "  " + " ".join(cells))
    rows.append(f"supply: {_letters([v.supply[c] for c in range(5)], True)}   bag: {sum(v.bag[c] for c in range(5))}")
    if look.seat >= 0 and v.aspiration[look.seat] >= 0:
        rows.append(f"your aspiration: {COLOURS[v.aspiration[look.seat]]}")
    return "\n".join(rows)


def _letters(counts: list[int], numbers: bool = False) -> str:
    pairs = [(colour[0], n) for colour, n in zip(COLOURS, counts, strict=True)]
    return " ".join(f"{c}{n}" for c, n in pairs) if numbers else "".join(c * n for c, n in pairs)
