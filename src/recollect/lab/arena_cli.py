"""`recollect arena`: minds play one another."""

from __future__ import annotations

import json
from typing import Annotated, Any

import typer


def arena(
    game: str,
    minds: Annotated[list[str], typer.Argument(metavar="MIND...", help="Who plays; all at one table, or each choice of as many as sit.")],
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE, once for each option.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Minds play one another: seats rotated, deals shared, results with 95% intervals."""
    import numpy as np

    from recollect.cli import out, pairs
    from recollect.engine.game import load
    from recollect.lab.arena import make_job, play
    from recollect.lab.figures import figures

    job = make_job(load(game), minds, pairs(option), games, seed)
    result = figures(job, np.concatenate(list(play(job, workers))))
    if as_json:
        out().print_json(json.dumps(result))
    else:
        out().print(told(result), markup=False)


def told(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [f"{result['game']}: {result['games']} games"]
    for name, m in sorted(result["minds"].items(), key=lambda item: -item[1]["share"]):
        lines.append(
            f"  {name:16} share {m['share']:.3f} ({m['low']:.3f} to {m['high']:.3f})   points {m['points']:.2f}"
            f" ({m['points_low']:.2f} to {m['points_high']:.2f})   rank {m['rank']:.2f}   {m['turn_ms']:.3f} ms a turn"
        )
    return "\n".join(lines)
