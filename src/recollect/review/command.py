"""`recollect report`: what a finished match says of everybody's memory."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from recollect.engine.match import Match, read_document, rebuild
from recollect.review.report import Report, chances_of, review

LATEST = 1e12  # seconds: no moment of a match is further from 1970

Components = Annotated[Path | None, typer.Option(help="The owner's components file that the match was played with.")]


def report(
    file: Annotated[Path, typer.Argument(help="A finished match.")],
    seat: Annotated[int | None, typer.Option(help="One seat only; seats count from 0.")] = None,
    also: Annotated[list[Path] | None, typer.Option(help="Earlier matches of the same people in the same seats, for the curve.")] = None,
    html: Annotated[Path | None, typer.Option(help="Write the page of the report to this file.")] = None,
    language: Annotated[str, typer.Option("--lang", help="Of the page: en or fr.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
    components: Components = None,
) -> None:
    """What each seat was shown, what it remembered and what was luck, after a finished game of recall."""
    said = of_file(file, also or (), components)
    if seat is not None and not 0 <= seat < said.players:
        raise ValueError(f"there is no seat {seat}: this match has seats 0 to {said.players - 1}")
    if html:
        from recollect.review.page import report_page

        html.write_text(report_page(said, seat or 0, language, components=components), encoding="utf-8")
    if as_json:
        typer.echo(json.dumps(said.json(None if seat is None else [seat])))
    elif html:
        typer.echo(f"written to {html}")
    else:
        typer.echo("\n".join(words(said, range(said.players) if seat is None else [seat])))


def of_file(file: Path, also: Any = (), components: Path | None = None) -> Report:
    """The report of a match file."""
    doc = read_document(file)
    match = rebuild(doc, file, components)
    return review(match, times_of(doc, match), doc.get("names") or (), earlier(match, also, components))


def times_of(doc: dict[str, Any], match: Match) -> list[float]:
    """The moments of the entries, where they were kept with the match."""
    times = doc.get("times")
    good = isinstance(times, list) and len(times) == len(match.log) and all(isinstance(t, int | float) and abs(t) < LATEST for t in times)
    return [float(t) for t in times] if good and times else []


def earlier(match: Match, files: Any, components: Path | None) -> list[list[Any]]:
    """For each seat the chances in other matches of the same game."""
    games: list[list[Any]] = [[] for _ in range(match.players)]
    for file in files:
        doc = read_document(file)
        other = rebuild(doc, file, components)
        if other.game.name != match.game.name or not other.over:
            raise ValueError(f"{file}: not a finished match of {match.game.name}")
        for seat, own in enumerate(chances_of(other, times_of(doc, other))[: match.players]):
            games[seat].append(own)
    return games


def words(said: Report, seats: Any) -> list[str]:
    """For a terminal."""
    out = [f"{said.game}: {' to '.join(map(str, said.standing.scores))}"]
    for seat in seats:
        n = said.counts(seat)
        out.append(f"seat {seat}: {n['used']} used, {n['missed']} missed, {n['lucky']} lucky, {n['guessed']} guessed")
        out += [f"  {line}" for line in missed(said, seat)]
    if said.account:
        a = said.account.json()
        own, other = a["losses"]
        kind = "" if said.account.exact else " (an estimate: bonus cards)"
        out.append(
            f"margin of seat 0 {a['margin']:+.0f} = start {a['start']:+.2f} + luck {a['luck']:+.2f} - own losses + the other's{kind}"
        )
        for name, loss in (("own losses", own), ("the other's", other)):
            out.append(f"  {name}: memory {loss['memory']:.2f}, decisions {loss['decision']:.2f}")
    return out


def missed(said: Report, seat: int) -> list[str]:
    """What was shown and not found again."""
    lines = []
    for d in said.own(seat):
        if d.outcome == "missed":
            m = min(d.wanted, key=lambda m: m.turns)
            ago = "1 turn" if m.turns == 1 else f"{m.turns} turns"
            lines.append(f"turn {d.turn}: turned {d.place} ({d.face}); {m.face} had been seen at {m.place}, {ago} before")
    return lines
