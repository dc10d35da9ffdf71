"""`recollect solve`: exact values of games of pairs under perfect memory."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Annotated, Any

import typer

from recollect.engine.shelf import load

from .pairs import Count, First, Knowledge, classic, points, ptibapt, ptibapt_start, solitaire

app = typer.Typer(help="Exact values of games of pairs under perfect memory.", no_args_is_help=True)

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
Number = Annotated[int, typer.Argument(min=1, max=60, metavar="N", help="Pairs on the table.")]
KINDS = ("green", "gold")
NEW = "The open card is taken as new, turned for the first time: say --seen-before if it had been seen."
SEEN = "The open card is taken as seen before: leave out --seen-before if it was turned for the first time."

At = Annotated[
    str,
    typer.Option(
        metavar="GREEN/GOLD/REDS",
        help="Advice from here: known pairs, singles, unseen pairs of the greens, the same of the golds, reds left; e.g. 1,2,4/0,1,0/3.",
    ),
]
Open = Annotated[
    str,
    typer.Option(
        metavar="KIND[-pair]",
        help="The open first card, already counted in --at: green or gold, or green-pair or gold-pair when its partner's place is known.",
    ),
]
SeenBefore = Annotated[bool, typer.Option("--seen-before", help="The open first card is no news: a known second card is a pass.")]
AsPlayed = Annotated[bool, typer.Option("--as-played", help="Turns may be passed, and six such turns end the game, as at the table.")]


@app.command("ptibapt")
def solve_ptibapt(
    greens: Annotated[int, typer.Option(min=1, max=12, help="Green pairs.")] = 7,
    golds: Annotated[int, typer.Option(min=0, max=2, help="Golden pairs.")] = 1,
    reds: Annotated[int, typer.Option(min=0, max=8, help="Red cards.")] = 4,
    replay_on_green: Annotated[bool, typer.Option("--replay-on-green", help="A green pair plays again, as in the classic game.")] = False,
    at: At = "",
    first: Open = "",
    seen_before: SeenBefore = False,
    as_played: AsPlayed = False,
    components: Annotated[Path | None, typer.Option(help="Your own components file: its points count.")] = None,
    as_json: AsJson = False,
) -> None:
    """Points that the player to move gains on the other in Pti Bapt, and what to do."""
    solved = ptibapt(replay_on_green, as_played, points(load("ptibapt", components)))
    k = _knowledge(at) if at else ptibapt_start(greens, golds, reds)
    options = solved.answers(k, _first(first, k)._replace(fresh=not seen_before)) if first else solved.moves(k)
    options.sort(key=lambda option: -option[1])
    advice = [{"move": move.what, **({"kind": KINDS[move.kind]} if move.kind >= 0 else {}), "value": worth} for move, worth in options]
    value = advice[0]["value"] if advice else 0.0
    if as_json:
        opened = {"first": first, "seen_before": seen_before} if first else {}
        _json({"game": "ptibapt", "replay_on_green": replay_on_green, "as_played": as_played, **opened, "value": value, "advice": advice})
        return
    _say(f"The player to move gains {value:+.4f} points on the other.")
    if first:
        _say(SEEN if seen_before else NEW)
    from rich.console import Console
    from rich.table import Table

    table = Table("move", "value")
    for line in advice:
        table.add_row(" ".join(filter(None, (str(line["move"]), str(line.get("kind", ""))))), f"{line['value']:+.4f}")
    Console().print(table)


@app.command("pairs")
def solve_pairs(
    n: Number,
    no_pass: Annotated[bool, typer.Option("--no-pass", help="A turn may not show nothing new and take nothing.")] = False,
    as_json: AsJson = False,
) -> None:
    """Pairs that the first player gains on the second in the classic game, where a pair plays again."""
    _exact(as_json, "pairs", n, classic(n, not no_pass), f"With {n} pairs the first player gains {{}} pairs on the second.")


@app.command("solitaire")
def solve_solitaire(n: Number, as_json: AsJson = False) -> None:
    """Turns of two cards that one player needs, on average."""
    _exact(as_json, "solitaire", n, solitaire(n), f"One player takes {n} pairs in {{}} turns on average.")


def _exact(as_json: bool, game: str, n: int, value: Any, sentence: str) -> None:
    if as_json:
        _json({"game": game, "n": n, "value": float(value), "exact": str(value)})
    else:
        _say(sentence.format(f"{float(value):.4f} ({value})"))


def _knowledge(at: str) -> Knowledge:
    """Read `known,singles,unseen/known,singles,unseen/reds`."""
    if not re.fullmatch(r"\d+,\d+,\d+/\d+,\d+,\d+/\d+", at):
        raise typer.BadParameter(f"{at!r} is not of the form 1,2,4/0,1,0/3", param_hint="--at")
    green, gold, reds = at.split("/")
    counts = (_count(green, 12, "green"), _count(gold, 2, "gold"), Count())
    if int(reds) > 8:
        raise typer.BadParameter("at most 8 reds", param_hint="--at")
    return Knowledge(counts, int(reds))


def _count(text: str, most: int, kind: str) -> Count:
    count = Count(*map(int, text.split(",")))
    if sum(count) > most:
        raise typer.BadParameter(f"at most {most} {kind} pairs", param_hint="--at")
    return count


def _first(text: str, k: Knowledge) -> First:
    """Read the open first card, and see that the knowledge counts it."""
    kind, _, pair = text.partition("-")
    if kind not in KINDS or pair not in ("", "pair"):
        raise typer.BadParameter(f"{text!r} is none of green, gold, green-pair, gold-pair", param_hint="--first")
    count = k.counts[KINDS.index(kind)]
    if not (count.known if pair else count.singles):
        raise typer.BadParameter(f"--at counts no {kind} {'known pair' if pair else 'single'}", param_hint="--first")
    return First(KINDS.index(kind), bool(pair))


def _json(answer: dict[str, Any]) -> None:
    typer.echo(json.dumps(answer))


def _say(sentence: str) -> None:
    typer.echo(sentence)
