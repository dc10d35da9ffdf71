"""`recollect tune`: better weights for a game's worth, by self-play."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.engine.shelf import load

if TYPE_CHECKING:
    from recollect.minds.tuning import Contest


def tune(
    game: str,
    device: Annotated[str, typer.Option(help="cpu or cuda")] = "cpu",
    minutes: Annotated[float, typer.Option(min=0.0, max=600, help="How long to look.")] = 10,
    players: Annotated[int, typer.Option(min=2, max=4)] = 2,
    deals: Annotated[int, typer.Option(min=2, help="Deals a candidate plays each generation, from every seat.")] = 24,
    width: Annotated[int, typer.Option(min=1, help="Of the beam: narrow is quick, wide is how companions play.")] = 4,
    population: Annotated[int, typer.Option(min=0, help="Candidates a generation; 0: as many as CMA-ES likes. A GPU likes more.")] = 0,
    seed: int = 0,
    threads: Annotated[int, typer.Option(min=1, help="On the cpu.")] = 1,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster; `local` starts one here.")] = None,
    save: Annotated[bool, typer.Option(help="Keep what was found in the game's folder, if it beats what was set by hand.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Find better weights for what a position is worth: many whole games of candidates against the weights set by hand."""
    from recollect.minds.tuning import keep
    from recollect.minds.tuning import tune as find

    rules = load(game)
    if not (rules.folder / "worth.py").is_file():
        raise ValueError(f"{game} has no worth.py, so there are no weights to tune")
    contest = on(device, cluster)(rules, rules.settle({"players": players}), threads, width)
    found = find(contest, minutes, seed, deals, lambda words: None if as_json else typer.echo(words), population)
    given = {"players": players, "deals": deals, "width": width, "population": population, "seed": seed, "device": device}
    how = {**given, "method": "CMA-ES, the mean of the last population"}
    document = found.document(rules, how)
    better = found.gain.low > 0.5
    file = keep(rules, document) if save and better else None
    if as_json:
        typer.echo(json.dumps(document))
        return
    gain = found.gain
    typer.echo(f"against the weights set by hand: {gain.share:.3f} ({gain.low:.3f} to {gain.high:.3f}) of {gain.games} games")
    typer.echo(f"kept in {file}" if file else "not kept" + ("" if better else ": the gain is not sure"))


def on(device: str, cluster: str | None) -> Callable[..., Contest]:
    """Where games are played."""
    from recollect.minds.tuning import Contest

    if cluster:
        from recollect.lab.cluster import ClusterContest

        return partial(ClusterContest, address=cluster)
    if device == "cpu":
        return Contest
    if device != "cuda":
        raise ValueError(f"there is no device {device!r}: cpu or cuda")
    from recollect.minds.tuning_gpu import GpuContest

    return GpuContest
