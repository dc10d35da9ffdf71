"""A game in the terminal: the seat's view in words, its legal actions to choose from."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import TYPE_CHECKING

from recollect.engine.look import Look
from recollect.engine.match import Match
from recollect.engine.stream import new_seed
from recollect.minds import Seated, companions
from recollect.minds import mind as find_mind

if TYPE_CHECKING:
    from rich.console import Console


class Left(Exception):
    """Somebody left before the end."""


def look_of(match: Match, seat: int, names: list[str], language: str = "en") -> Look:
    """What a seat has before it."""
    acting = match.acting
    legal = frozenset(match.legal(seat)) if seat in acting else frozenset()
    return Look(
        match.game,
        match.view(seat),
        seat,
        acting,
        legal,
        names,
        match.game.texts(language),
        match.options,
        match.over,
        match.standing() if match.over else None,
    )


def sketch_of(look: Look) -> str:
    """The game's own sketch, or else every field that says something."""
    if (look.game.folder / "page" / "sketch.py").is_file():
        module = importlib.import_module(look.game.package + ".page.sketch")
        return str(module.sketch(look))
    lines = []
    for name, f in look.game.state.fields.items():
        value = look.view.record[name]
        shown = [f.values[v] if f.values and 0 <= v < len(f.values) else str(v) for v in value.flatten().tolist()]
        if any(v not in ("0", "-1") for v in shown):
            lines.append(f"{name:>14}: {' '.join(shown)}")
    return "\n".join(lines)


def play_in_terminal(match: Match, bots: int, mind: str | None, out: Console, ask: Callable[[str], str] = input) -> None:
    """People on the first seats, minds on the last; a private look is shown on a cleared screen."""
    people = max(match.players - bots, 0)
    names = [f"Player {seat + 1}" for seat in range(people)] + [f"Bot {seat + 1}" for seat in range(people, match.players)]
    player = find_mind(match.game, mind or companions(match.game)[-1])
    bot = [Seated(match.game, match.options, seat, player, new_seed()) for seat in range(match.players)]
    out.print(f"sealed: {match.commitment}", style="dim")
    said = 0
    while not match.over:
        seat = min(match.acting)
        if seat >= people:
            action = bot[seat].choose(match.log)
            match.play(seat, action)
            out.print(f"{names[seat]}: {match.say(action)}", markup=False)
            continue
        if people > 1 and said != seat + 1:
            ask(f"-- {names[seat]}, press Enter when only you can see the screen ")
            out.clear()
            said = seat + 1
        _turn(match, seat, names, out, ask)
    out.print(sketch_of(look_of(match, -1, names)), markup=False)
    for seat, (rank, points) in enumerate(zip(match.ranking(), match.scores(), strict=True)):
        out.print(f"{rank}. {names[seat]}: {points}")
    for h in match.standing().house:
        out.print(f"{h.rank}. {match.game.texts('en')('house.name')}: {h.score}")


def _turn(match: Match, seat: int, names: list[str], out: Console, ask: Callable[[str], str]) -> None:
    """Ask until a legal action is named: by its words, its last word, or its number in the list."""
    legal = match.legal(seat)
    out.print(sketch_of(look_of(match, seat, names)), markup=False)
    if len(legal) == 1:
        ask(f"{names[seat]}: {match.say(legal[0])} (press Enter) ")
        match.play(seat, legal[0])
        return
    offer = ", ".join(f"{n} {match.say(a)}" for n, a in enumerate(legal, 1))
    out.print(f"{names[seat]} may: {offer}", markup=False)
    while True:
        words = " ".join(ask("> ").lower().split())
        if words in ("quit", "exit"):
            raise Left
        if words in ("?", "help", ""):
            out.print(f"type a number or the words: {offer}; or quit", markup=False)
            continue
        if words.isdecimal() and not any(match.say(a).split()[-1] == words for a in legal):
            same = legal[int(words) - 1 : int(words)] if int(words) > 0 else []
        else:
            same = [a for a in legal if words in (match.say(a).lower(), match.say(a).lower().split()[-1])]
        if len(same) == 1:
            match.play(seat, same[0])
            return
        out.print(f"{words!r} is not one of these: {offer}", style="yellow", markup=False)
