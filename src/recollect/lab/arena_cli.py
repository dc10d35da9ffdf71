"""`recollect arena`: minds play one another."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    import numpy as np

    from recollect.lab.arena import Job
    from recollect.lab.kept import Kept
    from recollect.lab.sprt import Sprt


def arena(
    game: str,
    minds: Annotated[list[str], typer.Argument(metavar="MIND...", help="Who plays; all at one table, or each choice of as many as sit.")],
    games: Annotated[int, typer.Option(min=1, help="How many games; with --sprt, at most.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    workers: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 1,
    cluster: Annotated[str | None, typer.Option(metavar="ADDRESS", help="Play on a Ray cluster; `local` starts one here.")] = None,
    sprt: Annotated[bool, typer.Option("--sprt", help="Stop when it is clear whether the first mind is better.")] = False,
    margin: Annotated[float, typer.Option(min=0.001, max=0.4, help="--sprt: how much better, in share.")] = 0.05,
    resume: Annotated[Path | None, typer.Option(metavar="FILE", help="Keep results in this file; go on from what it holds.")] = None,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="A page with plots.")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE, once for each option.")] = None,
    components: Annotated[Path | None, typer.Option(help="Your own components file in place of the game's.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """Minds play one another: seats rotated, deals shared, results with 95% intervals."""
    from recollect.cli import out, pairs
    from recollect.engine.shelf import load
    from recollect.lab.arena import left_of, make_job, table
    from recollect.lab.kept import Kept
    from recollect.lab.sprt import Sprt

    job = make_job(load(game, components), minds, pairs(option), games, seed)
    kept = Kept(resume, job) if resume else None
    done = kept.done if kept else table(job, 0)
    run = Run(job, done, Sprt(margin) if sprt else None)
    with closing(source(job, left_of(job, done), workers, cluster)) as played:
        run.go(played, kept)
    result = told_as_json(job, run)
    if html:
        from recollect.lab.report import page

        html.write_text(page(job, run.counted, result, run.test), encoding="utf-8")
    if as_json:
        out().print_json(json.dumps(result))
    else:
        out().print(told(result), markup=False)
    if run.stopped:
        stopped(run, games, resume)


def stopped(run: Run, games: int, resume: Path | None) -> None:
    """Say how to go on from what was played."""
    from recollect.cli import out

    word = f"what was played is in {resume}, and the same command goes on" if resume else "--resume FILE would keep them and go on"
    out(stderr=True).print(f"stopped after {len(run.counted)} of {games} games; {word}", style="yellow", markup=False)
    sys.exit(130)


def source(job: Job, left: Iterator[int], workers: int, cluster: str | None) -> Any:
    """Where the results come from: this process, several, or a cluster."""
    from recollect.lab.arena import here, on_workers

    if cluster:
        from recollect.lab.cluster import on_cluster

        return on_cluster(job, left, cluster, workers)
    return here(job, left) if workers == 1 else on_workers(job, left, workers)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C is heard after this: what is counted is also kept."""
    heard: list[int] = []
    before = signal.signal(signal.SIGINT, lambda number, _: heard.append(number))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)
    if heard:
        raise KeyboardInterrupt


@dataclass
class Run:
    """An arena as it goes on: what is done, what the test says, whether somebody stopped it."""

    job: Job
    done: np.ndarray
    test: Sprt | None
    stopped: bool = False

    def go(self, played: Iterable[np.ndarray], kept: Kept | None) -> None:
        """Take results as they come, until all are there, the test has decided, or Ctrl-C."""
        import numpy as np

        parts = [self.done]
        with bar(self.job.games) as moved:
            try:
                moved(len(self.done))
                for rows in () if self.decided(self.done) else played:
                    with undisturbed():
                        parts.append(rows)
                        if kept:
                            kept.add(rows)
                    moved(len(rows))
                    if self.test and self.decided(np.concatenate(parts)):
                        break
            except KeyboardInterrupt:
                self.stopped = True
        self.done = np.concatenate(parts)

    def decided(self, rows: np.ndarray) -> bool:
        """Weigh the groups that are whole and in order; whether it is decided."""
        from recollect.lab.figures import scores_of_first

        if self.test is None or self.test.decided:
            return bool(self.test)
        return any(self.test.weigh(score) for score in scores_of_first(self.job, rows)[self.test.groups :])

    @property
    def counted(self) -> np.ndarray:
        """The games that count: in order, those of this job, and none that came after the test had decided."""
        from recollect.lab.arena import in_order
        from recollect.lab.figures import groups_with_first

        rows = in_order(self.done[self.done["game"] < self.job.games])
        if self.test and self.test.decided:
            last = groups_with_first(self.job, self.test.groups)[-1]
            rows = rows[rows["game"] // self.job.players <= last]
        return rows


def bar(games: int) -> Any:
    """A progress bar on stderr, with the time that is left."""
    from contextlib import contextmanager

    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    from recollect.cli import out

    columns = (TextColumn("games"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"), TimeRemainingColumn())

    @contextmanager
    def shown() -> Iterator[Any]:
        with Progress(*columns, console=out(stderr=True), transient=True) as progress:
            task = progress.add_task("games", total=games)
            yield lambda n: progress.advance(task, n)

    return shown()


def told_as_json(job: Job, run: Run) -> dict[str, Any]:
    """The figures, with ratings where openskill is."""
    from recollect.lab.figures import figures
    from recollect.lab.ratings import can_rate, ratings

    rows = run.counted
    result = figures(job, rows)
    if can_rate() and job.players > 1 and len(rows):
        for name, rated in ratings(job, rows).items():
            result["minds"][name].update(rated)
    if run.test:
        result["sprt"] = run.test.document()
    return {**result, "stopped": run.stopped}


def told(result: dict[str, Any]) -> str:
    """The result for people."""
    lines = [f"{result['game']}: {result['games']} games ({', '.join(f'{k} {v}' for k, v in result['options'].items())})"]
    for name, m in sorted(result["minds"].items(), key=lambda item: -item[1]["share"]):
        rating = f"   rating {m['rating']:.1f} ({m['rating_low']:.1f} to {m['rating_high']:.1f})" if "rating" in m else ""
        lines.append(
            f"  {name:16} share {m['share']:.3f} ({m['low']:.3f} to {m['high']:.3f})   points {m['points']:.2f}"
            f" ({m['points_low']:.2f} to {m['points_high']:.2f})   rank {m['rank']:.2f}{rating}   {m['turn_ms']:.3f} ms a turn"
        )
    lines += [f"  seat {i}: share {s['share']:.3f} ({s['low']:.3f} to {s['high']:.3f})" for i, s in enumerate(result["seats"])]
    if length := result["length"]:
        lines.append(f"  actions a game: mean {length['mean']:.1f}, nine of ten from {length['p5']:.0f} to {length['p95']:.0f}")
    if test := result.get("sprt"):
        weighed = f"{test['log_ratio']:+.2f} of +-{test['bound']:.2f} after {test['groups']} deals, {test['null']} against {test['claim']}"
        lines.append(f"  first mind: {test['verdict']} ({weighed})")
    lines.append(f"  thought {result['thought_s']:.1f} s; all else {result['overhead_s']:.1f} s")
    return "\n".join(lines)
