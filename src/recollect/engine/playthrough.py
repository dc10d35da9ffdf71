"""A playthrough: a whole game to read, one line a move. First its options, last its scores and ranking; # begins a remark."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from recollect.engine.game import Game
from recollect.engine.match import Match, parse_entry
from recollect.engine.stream import CHANCE


def write(match: Match) -> str:
    """A finished match as a playthrough."""
    chosen = [f"{option.name}={match.options[option.name]}" for option in match.game.options if option.rules]
    moves = [f"{'chance' if seat == CHANCE else seat} {match.say(action)}" for seat, action in match.log]
    ends = [f"{word} {' '.join(map(str, numbers))}" for word, numbers in (("scores", match.scores()), ("ranking", match.ranking()))]
    return "\n".join([" ".join(["options", *chosen]), *moves, *ends]) + "\n"


def walk(game: Game, file: Path) -> Iterator[Match]:
    """The match of a playthrough, after each of its moves."""
    lines = [line for line in _lines(file) if not line.startswith(("scores", "ranking"))]
    options = dict(word.split("=") for word in lines[0].split()[1:])
    match = Match(game, game.settle(options), seed="playthrough", auto_chance=False)
    for line in lines[1:]:
        match.play(*parse_entry(game, line))
        yield match


def ends(file: Path) -> Mapping[str, list[int]]:
    """The scores and the ranking that it says."""
    return {word: [int(n) for n in rest] for word, *rest in map(str.split, _lines(file)[-2:])}


def _lines(file: Path) -> list[str]:
    return [line for line in file.read_text(encoding="utf-8").splitlines() if line.strip() and not line.startswith("#")]
