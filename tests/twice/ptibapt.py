"""Pti Bapt a second time, written from the rulebook alone: real cards, shuffled and laid out before anybody looks.

Nothing here is the project's. Where that one lets chance name a card when it is first looked at, here the card lies there
from the beginning; so chance may name it only if nobody has been shown it, and what it names is what lies there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

ONLOOKER = "onlooker"  # somebody who stands by and sees what lies open
COLOURS = ("green", "gold", "red", "blue")
IDLE_TURNS = 6  # in a row, and it is a stalemate
LOOKS = 2  # of a lantern
MOST_COLUMNS = 7


class Card:
    """One card on the table."""

    def __init__(self, name: str, colour: str, effect: str = "") -> None:
        self.name, self.colour, self.effect = name, colour, effect
        self.shown_to: set[int | str] = set()
        self.seen_by: set[int | str] = set()  # in whose sight it lies now


def rows_of(cards: int) -> list[str]:
    """The places of so many cards: about square, never higher than wide; one column more if that leaves fewer gaps."""
    wide = 1
    while wide * wide < cards:
        wide += 1
    gaps = {columns: -cards % columns for columns in (wide, wide + 1) if columns <= MOST_COLUMNS}
    columns = min(gaps, key=lambda c: (gaps[c], c))
    return [f"{'abcdefg'[n % columns]}{n // columns + 1}" for n in range(cards)]


class PtiBapt:
    """One game. `asks` and `draws` say what may happen now, `play` makes it happen."""

    chance: tuple[str, Callable[[], None]] | None = None

    def __init__(self, options: Mapping[str, Any], box: Mapping[str, Any], rng: random.Random) -> None:
        self.players: int = options["players"]
        self.replay: bool = options["replay"]
        self.stalemate: bool = options["stalemate"] and self.players == 2
        self.watching: list[int | str] = [*range(self.players), ONLOOKER]
        self.worth: Mapping[str, int] = box["points"]
        self.seconds_a_red: int = box["solo"]["seconds_a_red"]
        self._lay_out(options, box, rng)
        self.piles: list[list[Card]] = [[] for _ in range(self.players)]
        self.open: list[str] = []  # places of the cards turned in this turn, the first one first
        self.dealing: str | None = None
        self.lit = 0  # cards that the lantern may still light
        self.left_now = self.new_now = False  # in this turn: a card left the table, one was seen for the first time
        self.idle = 0
        self.asked = "first"
        self.over = False
        self.turn = 1 if self.players == 2 and options["starts"] == "second" else 0
        if self.players == 2 and options["starts"] == "draw":
            starter = rng.randrange(2)
            self.chance = (f"begin {starter}", lambda: self._begin(starter))

    def _lay_out(self, options: Mapping[str, Any], box: Mapping[str, Any], rng: random.Random) -> None:
        numbers = {"green": options["greens"], "gold": options["golds"], "red": options["reds"]}
        numbers["blue"] = len(box["blue"]["cards"]) if options["bonus"] else 0
        self.faces = [
            (entry["name"], colour, entry.get("effect", "")) for colour in COLOURS for entry in box[colour]["cards"][: numbers[colour]]
        ]
        cards = [Card(*face) for face in self.faces for _ in range(1 if face[1] == "red" else 2)]
        places = rows_of(len(cards))
        self.columns = len({place[0] for place in places})
        self.on_table = dict(zip(places, rng.sample(cards, len(cards)), strict=True))

    # -- what may happen now

    def asks(self) -> dict[int, set[str]]:
        """What each seat may do now."""
        if self.over or self.chance:
            return {}
        return {self.turn: self._may()}

    def _may(self) -> set[str]:
        if self.asked in ("first", "second"):
            return {f"turn {place}" for place in self.on_table if place not in self.open}
        if self.asked == "lantern":
            dark = [place for place, card in self.on_table.items() if not card.seen_by]
            return {"put_out"} | {f"look {place}" for place in dark if self.lit}
        return {self.asked}

    def draws(self) -> dict[str, int]:
        """What chance may bring now, and how likely each is."""
        if not self.chance:
            return {}
        if self.dealing is None:
            return {"begin 0": 1, "begin 1": 1}
        never_seen = [f"deal {card.name}" for card in self.on_table.values() if not card.shown_to]
        return {name: never_seen.count(name) for name in never_seen}

    def fate(self) -> str:
        """What chance does bring: what lies there."""
        assert self.chance
        return self.chance[0]

    def play(self, action: str) -> None:
        if self.chance:
            truth, then = self.chance
            assert action == truth, f"{action}, but there lies {truth}"
            self.chance = self.dealing = None
            then()
            return
        verb, _, place = action.partition(" ")
        if verb in ("turn", "look"):
            self._face(place, self._turned if verb == "turn" else self._looked)
        else:
            getattr(self, f"_{verb}")()

    def _begin(self, seat: int) -> None:
        self.turn = seat

    def _face(self, place: str, then: Callable[[str], None]) -> None:
        """A card is looked at; if nobody has been shown it, chance names it first."""
        card = self.on_table[place]
        if card.shown_to:
            then(place)
        else:
            self.dealing = place
            self.chance = (f"deal {card.name}", lambda: then(place))

    # -- a turn

    def _turned(self, place: str) -> None:
        card = self.on_table[place]
        if any(who not in card.shown_to for who in range(self.players)):
            self.new_now = True
        card.shown_to.update(self.watching)
        card.seen_by.update(self.watching)
        self.open.append(place)
        if card.colour == "red":
            self.asked = "keep"
        elif len(self.open) == 1:
            self.asked = "second"
        else:
            self.asked = "keep" if card.name == self.on_table[self.open[0]].name else "turn_back"

    def _turn_back(self) -> None:
        self._end_turn(again=False)

    def _keep(self) -> None:
        second = self.on_table[self.open[-1]]
        taken = self.open[-1:] if second.colour == "red" else self.open
        cards = [self.on_table.pop(place) for place in taken]
        self.left_now, self.idle = True, 0
        if second.colour != "blue":
            self.piles[self.turn] += cards
            self._end_turn(again=second.colour == "gold" or (second.colour == "green" and self.replay))
        elif second.effect == "lantern":
            self._cover()
            self.asked, self.lit = "lantern", LOOKS
        else:
            if second.effect == "gift":
                self._give_red()
            self._end_turn(again=second.effect == "again")

    def _give_red(self) -> None:
        mine, other = self.piles[self.turn], self.piles[1 - self.turn]
        order = [face[0] for face in self.faces]
        reds = sorted((card for card in mine if card.colour == "red"), key=lambda card: order.index(card.name))
        if reds:
            mine.remove(reds[0])
            other.append(reds[0])

    def _looked(self, place: str) -> None:
        self.on_table[place].shown_to.add(self.turn)
        self.on_table[place].seen_by.add(self.turn)
        self.lit -= 1

    def _put_out(self) -> None:
        self.lit = 0
        self._end_turn(again=False)

    def _cover(self) -> None:
        self.open = []
        for card in self.on_table.values():
            card.seen_by.clear()

    def _end_turn(self, again: bool) -> None:
        self._cover()
        self.idle = 0 if self.left_now or self.new_now or not self.stalemate else self.idle + 1
        self.left_now = self.new_now = False
        if self._finished() or (self.stalemate and self.idle == IDLE_TURNS):
            self._end()
            return
        self.asked = "first"
        if not again:
            self.turn = (self.turn + 1) % self.players

    def _finished(self) -> bool:
        wanted = ("green",) if self.players == 2 else ("green", "gold")
        return not any(card.colour in wanted for card in self.on_table.values())

    def _end(self) -> None:
        """What somebody has seen of the cards that are left is turned up."""
        self.over = True
        for card in self.on_table.values():
            if card.shown_to:
                card.shown_to.update(self.watching)
                card.seen_by.update(self.watching)

    # -- what there is to see

    def sees(self, who: int | str) -> dict[str, str]:
        """The cards in somebody's sight, by place."""
        return {place: card.name for place, card in self.on_table.items() if who in card.seen_by}

    def was_shown(self, who: int | str) -> dict[str, str]:
        """The cards on the table that somebody has ever been shown."""
        return {place: card.name for place, card in self.on_table.items() if who in card.shown_to}

    def table(self) -> dict[str, Any]:
        """What everybody sees beside the faces of cards."""
        left = [card.colour for card in self.on_table.values()]
        return {
            "players": self.players,
            "replay": self.replay,
            "stalemate": self.stalemate,
            "turn": self.turn,
            "one": self.open[0] if self.open else None,
            "two": self.open[1] if len(self.open) > 1 else None,
            "dealing": self.dealing,
            "looks": self.lit,
            "new": self.new_now,
            "idle": self.idle,
            "columns": self.columns,
            "left": [left.count(colour) // (1 if colour == "red" else 2) for colour in COLOURS],
            "lies": set(self.on_table),
            "pile": [{card.name for card in pile} for pile in self.piles],
        }

    def points(self) -> list[dict[str, int]]:
        """What each player's cards count, by colour."""
        return [
            {colour: self.worth[colour] * sum(card.colour == colour for card in pile) for colour in ("green", "gold", "red")}
            for pile in self.piles
        ]

    def seconds(self, timed: int) -> int:
        """Alone: the time, and so much for each red card."""
        return timed + self.seconds_a_red * sum(card.colour == "red" for card in self.piles[0])
