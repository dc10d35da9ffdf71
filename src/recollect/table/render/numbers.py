"""What programs are told: games, tables and looks in numbers and plain words. Each kind of answer is a type, and the types describe it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from recollect.engine.game import Game, Standing
from recollect.engine.look import Look, Moment, action_words
from recollect.engine.options import Value
from recollect.engine.record import Field, Opened
from recollect.minds import companions
from recollect.table.render.prose import game_texts

if TYPE_CHECKING:
    from recollect.table.live.room import Room


class Refusal(msgspec.Struct, frozen=True):
    """Why something was not done."""

    status: int
    why: str


class Choice(msgspec.Struct, frozen=True):
    """What players agree on before a game."""

    name: str
    choices: list[Value]
    default: Value


class Range(msgspec.Struct, frozen=True):
    """Actions `start`, `start + 1`, ...: one for each label."""

    name: str
    start: int
    labels: list[str]


class Part(msgspec.Struct, frozen=True):
    """A field of a view. An axis is a list of labels, or of numbers where it has none; `values` name the numbers of the field;
    with `members` each number is a set of these: the i-th is in it when bit i is set. What is hidden has the number `hidden`."""

    axes: list[list[str]]
    hidden: int
    values: list[str] | None = None
    members: list[str] | None = None
    copies: int = 1


class Title(msgspec.Struct, frozen=True):
    """A game on the shelf."""

    game: str
    name: str
    players: list[int]


class Rules(msgspec.Struct, frozen=True):
    """A game: how its actions and views are read."""

    game: str
    name: str
    version: int
    options: list[Choice]
    companions: list[str]
    actions: list[Range]
    view: dict[str, Part]


class Legal(msgspec.Struct, frozen=True):
    """An action that may be played now: its number, its notation, its words."""

    action: int
    notation: str
    words: str


class Showing(msgspec.Struct, frozen=True):
    """Something is shown to all: for so long, and then the socket is to say `shown` with this stamp."""

    stamp: int
    seconds: float


class Sight(msgspec.Struct, frozen=True, kw_only=True):
    """A table from one `seat`; -1 watches. While it is `waiting` for people to sit down its host has the `links` of free seats, by number.
    `n`: entries of the log, to be sent with what one does. `acting`: the seats that are asked. `view`: in numbers, as the game's `view`
    says; none while something is shown that one has had, or has by socket alone. `rematch`: the table where they play again."""

    table: str
    game: str
    options: dict[str, Value]
    seat: int
    names: list[str]
    waiting: bool
    links: dict[str, str] = {}
    n: int = 0
    acting: list[int] = []
    legal: list[Legal] = []
    may_undo: bool = False
    showing: Showing | None = None
    view: dict[str, Any] | None = None
    over: bool = False
    standing: Standing | None = None  # when the game is over
    rematch: str | None = None


class Line(msgspec.Struct, frozen=True):
    """An entry of the log as this seat may read it, and its number among what was played and drawn."""

    n: int
    seat: int
    notation: str
    words: str


class Log(msgspec.Struct, frozen=True):
    """What the page's log says: its latest lines, oldest first."""

    table: str
    n: int
    lines: list[Line]


def title(game: Game, language: str) -> Title:
    players = next((option.choices for option in game.options if option.name == "players"), (game.seats,))
    return Title(game.name, game_texts(game, language)("name"), [int(n) for n in players])


def rules(game: Game, language: str) -> Rules:
    return Rules(
        game=game.name,
        name=game_texts(game, language)("name"),
        version=game.version,
        options=[Choice(option.name, list(option.choices), option.default) for option in game.options],
        companions=companions(game),
        actions=[Range(r.name, r.start, list(r.labels)) for r in game.actions.ranges.values()],
        view={name: part(field) for name, field in seen(game).items()},
    )


def seen(game: Game) -> dict[str, Field]:
    """The fields that anybody may ever see."""
    return {name: field for name, field in game.state.fields.items() if field.visibility.kind != "nobody"}


def part(field: Field) -> Part:
    axes = [list(map(str, range(axis) if isinstance(axis, int) else axis)) for axis in field.axes]
    values, members = (list(names) if names else None for names in (field.values, field.of))
    return Part(axes, field.hidden, values, members, field.copies)


def view(game: Game, opened: Opened) -> dict[str, Any]:
    """A view in numbers."""
    return {name: opened.record[name].tolist() for name in seen(game)}


def legal(room: Room, moment: Moment, seat: int, language: str) -> list[Legal]:
    """What a seat may do; what is paced is the table's own and nobody's to choose."""
    may = [action for action in moment.legal(seat) if action not in room.game.paced]
    look = Look.of(moment, seat, room.names(language), game_texts(room.game, language))
    return [Legal(action, room.match.say(action), action_words(look, action)) for action in may]


def log(room: Room, seat: int, language: str) -> Log:
    """The page's log: an entry that the page does not tell is not told here, and of one that it tells, what was done and by whom."""
    lines = room.log.lines(seat, language, room.at) if room.row.ready else []
    said = [(line["n"], *room.entries[line["n"]], str(line["text"]).replace("*", "")) for line in reversed(lines)]
    return Log(room.row.id, room.n, [Line(n, who, room.match.say(action), words) for n, who, action, words in said])
