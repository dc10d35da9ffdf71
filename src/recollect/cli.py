"""The command line: the same powers as the Python API and the table."""

from __future__ import annotations

import json
import re
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from recollect.engine import playthrough
from recollect.engine.game import Game, Standing
from recollect.engine.match import open_match, read_document, snapshot_of
from recollect.engine.match import verify as verify_document
from recollect.engine.position import open_position
from recollect.engine.shelf import add, elsewhere, faults, games, load, template, use
from recollect.engine.stream import CHANCE
from recollect.lab.arena_cli import arena
from recollect.minds.hint_cli import hint
from recollect.minds.recall_cli import recall
from recollect.minds.solve_cli import app as solve
from recollect.minds.tune_cli import tune
from recollect.review.command import report

if TYPE_CHECKING:
    from rich.console import Console

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False, help="A table for games of memory.")
app.add_typer(solve, name="solve")
app.command("report")(report)
app.command()(arena)
app.command()(recall)
app.command()(hint)
app.command()(tune)

Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Components = Annotated[Path | None, typer.Option(help="Your own components file in place of the game's.")]
Options = Annotated[list[str] | None, typer.Option("--option", "-o", help="NAME=VALUE, once for each option.")]


@cache
def out(stderr: bool = False) -> Console:
    """Where words go; made when there is something to say, for rich takes its time to load."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, soft_wrap=True)


def main() -> None:
    """Run; a fault in what was asked is said in one line, with exit code 2."""
    try:
        app()
    except (ValueError, OSError) as error:
        said = str(error)
    except Exception as error:
        if type(error).__module__ != "numba.core.errors":
            raise
        said = uncompiled(str(error))
    out(stderr=True).print(f"recollect: {said}", style="red", markup=False)
    sys.exit(2)


def uncompiled(error: str) -> str:
    """What Numba could not compile, in one line: its first sentence, and the innermost place in a game's rules."""
    told = [line.strip() for line in error.splitlines() if line.strip()]
    what = next((line for line in told if not line.startswith(("Failed in", "During", "-"))), told[0])
    places = re.findall(r'(rules/\S+\.py)"?,? (?:line |\()(\d+)', error)
    return f"the rules do not compile: {what}" + (f" ({places[-1][0]}, line {places[-1][1]})" if places else "")


def version(asked: bool) -> None:
    if asked:
        from recollect import __version__

        out().print(f"recollect {__version__}")
        raise typer.Exit


@app.callback()
def shelf(
    folder: Annotated[list[Path] | None, typer.Option("--games", help="A folder of more games; once for each. Or RECOLLECT_GAMES.")] = None,
    _: Annotated[bool, typer.Option("--version", callback=version, is_eager=True, help="Say which version this is.")] = False,
) -> None:
    """A table for games of memory."""
    for place in folder or ():
        add(place)


def pairs(words: list[str] | None) -> dict[str, Any]:
    """NAME=VALUE words as options."""
    for word in words or ():
        if "=" not in word:
            raise ValueError(f"{word!r}: write NAME=VALUE, such as players=3")
    return dict(word.split("=", 1) for word in words or ())


@app.command("games")
def list_games(as_json: Json = False, names: Annotated[bool, typer.Option("--names", help="Names only.")] = False) -> None:
    """The games there are, with their options; and what is wrong with those that cannot be played."""
    for name, fault in faults().items():
        out(stderr=True).print(f"{name} cannot be played: {fault}", style="red", markup=False)
    if names:
        out().print("\n".join(games()))
        return
    found = [load(name) for name in games()]
    if as_json:
        out().print_json(json.dumps([_card(game) for game in found]))
        return
    for game in found:
        t = game.texts("en")
        out().print(f"[bold]{game.name}[/]  {t('name')}: {t('tagline')}")
        for option in game.options:
            out().print(f"    {option.name} = {' | '.join(map(str, option.choices))}  (default {option.default})", markup=False)


def _card(game: Game) -> dict[str, Any]:
    t = game.texts("en")
    return {
        "name": game.name,
        "title": t("name"),
        "version": game.version,
        "seats": game.seats,
        "actions": game.actions.count,
        "record_bytes": game.state.dtype.itemsize,
        "options": {o.name: {"choices": list(o.choices), "default": o.default} for o in game.options},
    }


@app.command()
def new(name: str) -> None:
    """Begin a game: a copy of the template, a whole small game, in the folder that --games names, or here."""
    folder = template(name, elsewhere() or Path())
    out().print(f"{folder} is a whole small game; change one thing after the other (docs/adding-a-game.md)")
    out().print(f"play it:  recollect --games {folder.parent} play {name}", markup=False)


@app.command()
def record(
    game: str,
    file: Annotated[Path, typer.Argument(help="Such as GAME/playthroughs/two-players.txt.")],
    mind: Annotated[str, typer.Option(help="Who plays, on every seat.")] = "random",
    option: Options = None,
    seed: Annotated[str, typer.Option(help="Another seed, another game.")] = "1",
    components: Components = None,
) -> None:
    """Let a mind play a whole game and write it down, move by move, as the tests replay it."""
    from recollect.minds import mind as find
    from recollect.minds import play_out

    match = load(game, components).match(seed=seed, **pairs(option))
    play_out(match, [find(match.game, mind)] * match.players, seed)
    file.write_text(playthrough.write(match), encoding="utf-8")
    out().print(f"{len(match.log)} moves written to {file}: scores {', '.join(map(str, match.scores()))}")


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="0.0.0.0 lets others on your network in.", envvar="RECOLLECT_HOST")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535)] = 8000,
    data: Annotated[Path, typer.Option(help="Where games are kept.")] = Path("data"),
    store: Annotated[
        str | None,
        typer.Option(help="postgresql://...: keep games there, with any number of servers beside this one.", envvar="RECOLLECT_STORE"),
    ] = None,
    log: Annotated[Literal["plain", "json"], typer.Option(help="json: one object a line.")] = "plain",
    level: Annotated[Literal["error", "warning", "info", "debug"], typer.Option("--log-level")] = "warning",
    components: Annotated[list[str] | None, typer.Option(help="GAME=FILE: your own components file for a game; once for each.")] = None,
    called: Annotated[
        list[str] | None,
        typer.Option("--name", help="A further name of the house as browsers ask for it; * any.", envvar="RECOLLECT_NAME"),
    ] = None,
) -> None:
    """Open the table in a browser: play here, by link, or against companions."""
    from recollect.table import serve as open_table
    from recollect.table.logs import keep_log

    for name, file in pairs(components).items():
        use(name, file)  # a fault is said before the table opens
    keep_log(log, level)
    open_table(host=host, port=port, data=data, names=called, store=store)


@app.command()
def play(
    game: str,
    bots: Annotated[int | None, typer.Option(min=0, help="How many of the seats a mind plays; one, unless you play alone.")] = None,
    mind: Annotated[str | None, typer.Option(help="Which mind; by default the game's strongest.")] = None,
    option: Options = None,
    seed: Annotated[str | None, typer.Option(help="For a game that can be repeated.")] = None,
    save: Annotated[Path | None, typer.Option(help="Keep the match in this file.")] = None,
    components: Components = None,
) -> None:
    """Play in the terminal, people against each other or against minds."""
    from recollect.terminal import Left, play_in_terminal

    if save and not save.resolve().parent.is_dir():
        raise ValueError(f"--save {save}: there is no folder {save.resolve().parent}")  # said before the game, not after it
    if save and save.is_dir():
        raise ValueError(f"--save {save}: this is a folder; a match is kept in a file")
    match = load(game, components).match(seed=seed, **pairs(option))
    try:
        play_in_terminal(match, bots, mind, out())
    except (Left, EOFError, KeyboardInterrupt):
        steps = "1 step" if len(match.log) == 1 else f"{len(match.log)} steps"
        out().print(f"\nleft after {steps}{'' if save else '; --save FILE would keep the game'}")
    if save:
        match.save(save)
        out().print(f"kept in {save}")


@app.command()
def score(game: str, position: Path, as_json: Json = False, components: Components = None) -> None:
    """Points of a position with their breakdown, the ranking, and the tie-break that decided."""
    match = open_position(game, position, components)
    standing = match.standing()
    if as_json:
        out().print_json(json.dumps(standing_json(standing)))
        return
    print_standing(match.game, standing)


def standing_json(standing: Standing) -> dict[str, Any]:
    return {
        "points": standing.points,
        "scores": standing.scores,
        "ties": standing.ties,
        "ranking": standing.ranking,
        "winners": standing.winners,
        "decided": standing.decided or "shared",
        "house": [{"points": h.points, "score": h.score, "ties": h.ties, "rank": h.rank} for h in standing.house],
    }


def print_standing(game: Game, standing: Standing, names: list[str] | None = None) -> None:
    """The standing as a table for people."""
    from rich.table import Table

    t = game.texts("en")
    table = Table(
        "seat",
        *(t(f"points.{name}") for name in standing.points),
        "sum",
        *(t(f"ties.{name}") for name in standing.ties),
        "rank",
        box=None,
        pad_edge=False,
    )
    for seat, total in enumerate(standing.scores):
        cells = [
            *(row[seat] for row in standing.points.values()),
            total,
            *(row[seat] for row in standing.ties.values()),
            standing.ranking[seat],
        ]
        table.add_row(names[seat] if names else str(seat), *map(str, cells))
    for h in standing.house:
        table.add_row(t("house.name"), *map(str, (*h.points.values(), h.score, *h.ties.values(), h.rank)))
    out().print(table)
    out().print(f"decided by: {standing.decided or 'nothing, the first place is shared'}")


@app.command()
def legal(
    game: str,
    position: Path,
    seat: Annotated[int, typer.Option(help="Seats count from 0.")],
    as_json: Json = False,
    components: Components = None,
) -> None:
    """The legal actions of a seat in a position."""
    match = open_position(game, position, components)
    if not 0 <= seat < match.players:
        raise ValueError(f"there is no seat {seat}: this position has seats 0 to {match.players - 1}")
    actions = match.legal(seat)
    if as_json:
        acting = ["chance" if s == CHANCE else s for s in sorted(match.acting)]
        out().print_json(json.dumps({"seat": seat, "acting": acting, "legal": [{"action": a, "notation": match.say(a)} for a in actions]}))
        return
    for action in actions:
        out().print(f"{action:4}  {match.say(action)}", markup=False)
    if not actions:
        who = ", ".join("chance" if s == CHANCE else f"seat {s}" for s in sorted(match.acting))
        out().print(f"nothing: {who} to act" if who else "nothing: the game is over")


@app.command()
def replay(
    file: Path,
    as_json: Json = False,
    components: Components = None,
    html: Annotated[Path | None, typer.Option(help="Write one page that stands alone, with every moment from every seat.")] = None,
    language: Annotated[str, typer.Option("--lang", help="Of the page: en or fr.")] = "en",
) -> None:
    """Go through a saved match move by move, to its result."""
    doc = read_document(file)
    game = load(doc["game"], components)
    if html:
        from recollect.review.command import times_of
        from recollect.table.render.film import film

        match = open_match(file, components)
        html.write_text(film(match, doc.get("names") or (), times_of(doc, match), language), encoding="utf-8")
        return out().print(f"written to {html}")
    if doc["version"] != game.version and doc.get("over"):
        out().print(f"{file}: of version {doc['version']} of the rules (now {game.version}); only its end is shown", style="yellow")
        standing = game.standing(snapshot_of(doc, game, file), game.players(game.settle(doc["options"])))
    else:
        match = open_match(file, components)
        standing = match.standing()
        if not as_json:
            for n, (seat, action) in enumerate(match.log, 1):
                out().print(f"{n:4}  {'chance' if seat == CHANCE else f'seat {seat}':7} {match.say(action)}", markup=False)
    if as_json:
        said = {"game": game.name, "moves": len(doc["log"]), "over": doc.get("over", False), **standing_json(standing)}
        out().print_json(json.dumps(said))
    else:
        print_standing(game, standing)


@app.command()
def verify(file: Path, as_json: Json = False, components: Components = None) -> None:
    """Check the seal of a finished match and re-derive every draw of chance."""
    document = read_document(file)
    draws, given = verify_document(document, file, components), document.get("given", 0)
    if as_json:
        out().print_json(json.dumps({"verified": True, "draws": draws, "given": given}))
    else:
        after = f" after the {given} entries of the game that it goes on from" if given else ""
        out().print(f"[green]verified[/]: the seed matches its hash, and all {draws} draws{after} follow from it")


@app.command()
def bench(
    game: str,
    as_json: Json = False,
    device: Annotated[str, typer.Option(help="cpu or cuda")] = "cpu",
    option: Options = None,
    seconds: Annotated[float, typer.Option(min=0.01, max=600, help="About how long each speed is measured.")] = 2.0,
) -> None:
    """Random play: moves and games a second, plain, compiled on one core and on all; or on an NVIDIA GPU."""
    from recollect.lab.bench import bench_command

    bench_command(load(game), pairs(option), device, seconds, as_json, out(), out(stderr=True))


if __name__ == "__main__":
    main()
