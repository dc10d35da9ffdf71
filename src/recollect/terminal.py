"""A game in the terminal: what may be seen, in words; the legal actions to choose from; a screen that passes from hand to hand."""

from __future__ import annotations

import importlib
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from recollect.engine.look import Look
from recollect.engine.match import Match
from recollect.engine.record import SPECTATOR, Field
from recollect.engine.stream import new_seed
from recollect.minds import Seated, companions
from recollect.minds import mind as find_mind

if TYPE_CHECKING:
    import numpy as np
    from rich.console import Console

WIPE = "\x1b[H\x1b[2J\x1b[3J"  # the screen, and what has scrolled off it


class Left(Exception):
    """Somebody left before the end."""


# -- what is seen, in words


def look_of(match: Match, seat: int, names: list[str], language: str = "en", extra: Mapping[str, object] | None = None) -> Look:
    """What a seat has before it."""
    return Look.of(match.moment, seat, names, match.game.texts(language), extra=extra)


def sketch_of(look: Look) -> str:
    """The game's own sketch, or else every field that says something."""
    if (look.game.folder / "page" / "sketch.py").is_file():
        module = importlib.import_module(look.game.package + ".page.sketch")
        return str(module.sketch(look))
    said = {name: written(f, look.view.record[name]) for name, f in look.game.state.fields.items()}
    return "\n".join(f"{name:>14}: {words}" for name, words in said.items() if words)


def written(f: Field, value: np.ndarray) -> str:
    """A field in words: labels for numbers, places for sets; nothing when it says nothing."""
    if f.of is not None:
        rows = f.flags(value).reshape(-1, len(f.of)).tolist()
        sets = [" ".join(f"{label} x{n}" if n > 1 else label for label, n in zip(f.of, row, strict=True) if n) for row in rows]
        return " | ".join(s or "-" for s in sets) if any(sets) else ""
    numbers = value.flatten().tolist()
    if all(n in (0, -1) for n in numbers) and f.values is None:
        return ""
    return " ".join(f.values[n] if f.values and 0 <= n < len(f.values) else "-" if n < 0 else str(n) for n in numbers)


def minutes(seconds: float) -> str:
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


# -- the screen


class Screen:
    """One screen for everybody. With several people, what one of them sees is gone before the next is asked;
    in a game of recall what was turned back is gone too, for a screen must not remember for anybody."""

    def __init__(self, match: Match, people: int, names: list[str], out: Console, ask: Callable[[str], str]) -> None:
        self.match, self.people, self.names, self.out, self._ask = match, people, names, out, ask
        self.common = 0 if people == 1 else SPECTATOR  # who the screen is for while nobody is asked
        self.holder: int | None = None  # whose secrets may stand on it
        self.recall = any(f.visibility.kind == "known" for f in match.game.state.fields.values())
        self.told: list[str] = []  # what the others did since a person was last asked
        self._drawn = ""

    def draw(self, seat: int) -> None:
        """What a seat sees, unless that stands there already."""
        drawn = sketch_of(look_of(self.match, seat, self.names))
        if drawn == self._drawn:
            return
        if self.recall:
            self.wipe()
        self.out.print(drawn, markup=False)
        self._drawn = drawn

    def to_all(self) -> None:
        """What everybody may see, and nothing else."""
        if self.people > 1 and self.holder is not None:
            self.wipe()
            self.holder = None
        self.draw(self.common)

    def to(self, seat: int) -> None:
        """Hand the screen to one person: the last one's secrets go before anybody is asked."""
        if self.people > 1 and self.holder != seat:
            self.wipe()
            self.draw(SPECTATOR)
            self.ask(f"-- {self.names[seat]}, press Enter when only you can see the screen ")
        self.holder = seat
        self.draw(seat)

    def wipe(self) -> None:
        """Nothing of what stood here stays, but what the others did."""
        self._drawn = ""
        if self.out.is_terminal:
            self.out.file.write(WIPE)
            for line in self.told:
                self.out.print(line, markup=False)

    def ask(self, prompt: str) -> str:
        words = " ".join(self._ask(prompt).lower().split())
        if words in ("quit", "exit"):
            raise Left
        return words

    def tell(self, seat: int, action: int) -> None:
        """What somebody did, in the words that the page's log has for it."""
        said: Any = self.names[seat]
        if (self.match.game.folder / "page" / "scene.py").is_file():
            look = look_of(self.match, self.common, self.names, extra={"entry": (seat, action)})
            said = self.match.game.scene.line(look, seat, action)
        if said:
            self.told.append((said[0] if isinstance(said, tuple) else said).replace("*", ""))
            self.out.print(self.told[-1], markup=False)


def lying_open(match: Match) -> bytes:
    """What lies in everybody's sight."""
    view = match.view(SPECTATOR).record
    return b"".join(view[name].tobytes() for name, f in match.game.state.fields.items() if f.visibility.kind == "known")


# -- playing


def seats_for_people(match: Match, bots: int | None) -> int:
    """How many people sit: all but the bots; unless something else is said, one bot where there are two seats or more."""
    if bots is not None and bots > match.players:
        raise ValueError(f"--bots {bots}: this game has {match.players} {'seat' if match.players == 1 else 'seats'}")
    return match.players - (min(match.players - 1, 1) if bots is None else bots)


def play_in_terminal(
    match: Match,
    bots: int | None,
    mind: str | None,
    out: Console,
    ask: Callable[[str], str] = input,
    now: Callable[[], float] = time.monotonic,
) -> None:
    """People on the first seats, minds on the last."""
    people = seats_for_people(match, bots)
    names = [f"{'Player' if seat < people else 'Bot'} {seat + 1}" for seat in range(match.players)]
    screen, clock = Screen(match, people, names, out, ask), Clock(match, now)
    player = find_mind(match.game, mind or companions(match.game)[-1]) if people < match.players else None
    bots_at = {seat: Seated(match.game, match.options, seat, player, new_seed()) for seat in range(people, match.players) if player}
    out.print(f"sealed: {match.commitment}", style="dim")
    while not match.over:
        seat = min(match.acting)
        legal, before = match.legal(seat), lying_open(match)
        if match.game.paced.issuperset(legal):
            screen.to_all()
            if people:
                screen.ask("-- press Enter when everybody has seen it ")
            match.play(seat, legal[0])
            screen.tell(seat, legal[0])
        elif seat < people:
            screen.to(seat)
            action = choose(screen, seat, legal, clock.words())
            screen.told.clear()
            clock.start()
            match.play(seat, action)
            clock.stop()
        else:
            with out.status(f"{names[seat]} is thinking ...", spinner="line"):
                action = bots_at[seat].choose(match.log)
            match.play(seat, action)
            screen.tell(seat, action)
        if lying_open(match) != before:
            screen.to_all()
    finish(screen, clock)


def choose(screen: Screen, seat: int, legal: list[int], time_gone: str) -> int:
    """Ask until a legal action is named: by its words, its last word, or its number in the list."""
    name, say, out = screen.names[seat], screen.match.say, screen.out
    if time_gone:
        out.print(time_gone)
    if len(legal) == 1:
        screen.ask(f"{name}: {say(legal[0])} (press Enter) ")
        return legal[0]
    offer = ", ".join(f"{n} {say(a)}" for n, a in enumerate(legal, 1))
    out.print(f"{name} may: {offer}", markup=False)
    while True:
        words = screen.ask("> ")
        if words in ("?", "help", ""):
            out.print(f"type a number or the words: {offer}; or quit", markup=False)
            continue
        if words.isdecimal() and not any(say(a).split()[-1] == words for a in legal):
            same = legal[int(words) - 1 : int(words)] if int(words) > 0 else []
        else:
            same = [a for a in legal if words in (say(a).lower(), say(a).lower().split()[-1])]
        if len(same) == 1:
            return same[0]
        out.print(f"{words!r} is not one of these: {offer}", style="yellow", markup=False)


class Clock:
    """The time of a game against the clock: from the first move by hand to the last. The game says what it counts as."""

    def __init__(self, match: Match, now: Callable[[], float]) -> None:
        scene = match.game.scene if (match.game.folder / "page" / "scene.py").is_file() else None
        timed = getattr(scene, "timed", None)
        self.match, self.now, self.scene = match, now, scene
        self.runs = bool(timed and timed(match.options))
        self.begun = self.ended = 0.0

    def start(self) -> None:
        self.begun = self.begun or self.now()

    def stop(self) -> None:
        self.ended = self.now()

    def words(self) -> str:
        """The time so far and what it counts as; nothing in a game without a clock."""
        if not self.runs:
            return ""
        gone = (self.ended if self.match.over else self.now()) - self.begun if self.begun else 0.0
        return f"time {minutes(gone)}, counts as {minutes(self.scene.counted(self.match.view(0), gone))}"  # type: ignore[union-attr]


def finish(screen: Screen, clock: Clock) -> None:
    """The end: what lies there, and the ranks; or the time that it took."""
    match = screen.match
    screen.to_all()
    if clock.runs:
        screen.out.print(f"{screen.names[0]}: {clock.words()}")
        return
    for seat, (rank, points) in enumerate(zip(match.ranking(), match.scores(), strict=True)):
        screen.out.print(f"{rank}. {screen.names[seat]}: {points}")
    for h in match.standing().house:
        screen.out.print(f"{h.rank}. {match.game.texts('en')('house.name')}: {h.score}")
