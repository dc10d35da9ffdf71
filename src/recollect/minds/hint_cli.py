"""`recollect hint`: the strongest companion's next move for a seat, and why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from recollect.engine.match import Match, open_match
from recollect.engine.position import read, stand
from recollect.engine.shelf import load
from recollect.engine.texts import LANGUAGES
from recollect.minds.hint import hint as hint_of
from recollect.minds.hint import texts_of


def hint(
    game: str,
    file: Annotated[Path, typer.Argument(help="A saved match (.json), or a position (.toml) in which nothing was forged.")],
    seat: Annotated[int, typer.Option(help="Seats count from 0.")],
    language: Annotated[str, typer.Option(help=" or ".join(LANGUAGES))] = "en",
    components: Annotated[Path | None, typer.Option(help="Your own components file in place of the game's.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False,
) -> None:
    """What the strongest companion would do in a seat, from what this seat was shown, and why."""
    match = _match(game, file, components)
    if not 0 <= seat < match.players:
        raise ValueError(f"there is no seat {seat}: this match has seats 0 to {match.players - 1}")
    found = hint_of(match.game, match.options, match.log, seat)
    if as_json:
        why = {code: found.words(texts_of(match.game, code)) for code in LANGUAGES}
        typer.echo(json.dumps({**found.document(match.game, language), "why": why}))
        return
    expected = "" if found.expected is None else f"   ({found.expected:+.1f} points)"
    typer.echo(f"{match.words(found.move, language, seat)}{expected}")
    for sentence in found.words(texts_of(match.game, language)):
        typer.echo(f"  {sentence}")
    for action, value in found.alternatives[:3]:
        typer.echo(f"  {match.words(action, language, seat)}: {value:+.1f}")


def _match(game: str, file: Path, components: Path | None) -> Match:
    if file.suffix == ".toml":
        doc = read(file)
        if doc.get("state"):
            raise ValueError(f"{file}: what was shown when cannot be told of a forged position; give lines to play instead")
        return stand(load(game, components), doc, str(file))
    match = open_match(file, components)
    if match.game.name != game:
        raise ValueError(f"{file}: a match of {match.game.name}, not of {game}")
    return match
