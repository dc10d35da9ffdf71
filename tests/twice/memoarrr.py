"""Memoarrr! a second time, written from the rulebook alone: real cards, shuffled and laid out before anybody looks.

Nothing here is the project's. Where that one lets chance name a card when it is first looked at, here the card lies there
from the beginning; so chance may name it only if nobody has been shown it, and what it names is what lies there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from typing import Any

ONLOOKER = "onlooker"  # somebody who stands by and sees what lies open
CHANCE = "chance"
ROUNDS = 7
CENTRE = "c3"
SIDES = {
    "north": ("b1", "c1", "d1"),
    "east": ("e2", "e3", "e4"),
    "south": ("b5", "c5", "d5"),
    "west": ("a2", "a3", "a4"),
}
PLACES = [f"{column}{row}" for row in "12345" for column in "abcde" if f"{column}{row}" != CENTRE]


def beside(place: str) -> dict[str, str]:
    """The places of the cards around this one, by direction."""
    column, row = ord(place[0]), int(place[1])
    around = {"north": (column, row - 1), "east": (column + 1, row), "south": (column, row + 1), "west": (column - 1, row)}
    return {way: at for way, (c, r) in around.items() if (at := f"{chr(c)}{r}") in PLACES}


class Location:
    """One card of the island."""

    def __init__(self, animal: str, landscape: str) -> None:
        self.animal, self.landscape = animal, landscape
        self.name = f"{animal}-{landscape}"
        self.up = False
        self.shown_to: set[int | str] = set()
        self.in_hand_of: int | None = None  # who looks at it in secret just now

    def links(self, other: Location) -> bool:
        return self.animal == other.animal or self.landscape == other.landscape


class Memoarrr:
    """One game. `asks` and `draws` say what may happen now, `play` makes it happen."""

    def __init__(self, options: Mapping[str, Any], box: Mapping[str, Any], rng: random.Random) -> None:
        self.players: int = options["players"]
        self.expert: bool = options["mode"] == "expert"
        self.sorted_pile: bool = options["treasures"] == "sorted"
        self.watching: list[int | str] = [*range(self.players), ONLOOKER]
        self.birds: list[int] = box["volcanoes"]["birds"]
        self._lay_out(box, rng)
        self.turn = self.starter = 0
        self.side: dict[int, str] = {}
        self.last: Location | None = None  # the card to link with
        self.guarded: Location | None = None
        self.waiting: list[Location] = []  # looked at by nobody yet: chance names them, one after the other
        self.asked = ""  # what the player in turn has to do; nothing while chance has
        self.over = False
        if options["first"] == "random":
            self._chance(f"first {rng.randrange(self.players)}", self._anybody_first, self._ask_side)
        else:
            self._ask_side()

    def _lay_out(self, box: Mapping[str, Any], rng: random.Random) -> None:
        self.all = [Location(a, land) for a in box["locations"]["animals"] for land in box["locations"]["landscapes"]]
        shuffled = rng.sample(self.all, len(self.all))
        self.island = dict(zip(PLACES, shuffled, strict=False))  # one card stays in the box, unseen
        self.rng = rng
        self.volcanoes = rng.sample(range(3), self.players - 1)  # the pile, its top first
        self.met: set[int] = set()  # volcanoes that everybody has seen on top of the pile
        self.top: int | None = None
        self.out: dict[int, int] = {}  # seat: the volcano before it
        rubies: list[int] = box["treasures"]["rubies"]
        self.rubies_of = {f"{n}{'abcdefg'[rubies[:i].count(n)]}": n for i, n in enumerate(rubies)}
        pile = list(self.rubies_of)
        self.treasures = pile if self.sorted_pile else rng.sample(pile, ROUNDS)
        self.opened = ROUNDS if self.sorted_pile else 0  # how many of the pile, from its top, have been seen by all
        self.won: list[int] = []  # the winner of each round

    # -- what may happen now

    def asks(self) -> dict[int, set[str]]:
        """What each seat may do now."""
        if self.over or self.chance:
            return {}
        return {self.turn: getattr(self, f"_may_{self.asked}")()}

    def draws(self) -> dict[str, int]:
        """What chance may bring now, and how likely each is."""
        return dict.fromkeys(self.chance[1](), 1) if self.chance else {}

    def fate(self) -> str:
        """What chance does bring: what lies there."""
        assert self.chance
        return self.chance[0]

    chance: tuple[str, Callable[[], list[str]], Callable[[], None]] | None = None

    def _chance(self, truth: str, options: Callable[[], list[str]], then: Callable[[], None]) -> None:
        self.chance = (truth, options, then)

    def _ask(self, what: str) -> None:
        self.asked = what

    def play(self, action: str) -> None:
        verb, _, label = action.partition(" ")
        if not self.chance:
            getattr(self, f"_{verb}")(label)
            return
        truth, _, then = self.chance
        assert action == truth, f"{action}, but there lies {truth}"
        self.chance = None
        if verb == "first":
            self.turn = self.starter = int(label)
        then()

    # -- before the first round

    def _anybody_first(self) -> list[str]:
        return [f"first {seat}" for seat in range(self.players)]

    def _ask_side(self) -> None:
        self._ask("side")

    def _may_side(self) -> set[str]:
        return {f"side {side}" for side in SIDES if side not in self.side.values()}

    def _side(self, side: str) -> None:
        self.side[self.turn] = side
        self._name([self.island[place] for place in SIDES[side]], self._look_at_side)

    def _look_at_side(self) -> None:
        for place in SIDES[self.side[self.turn]]:
            self._look(self.island[place])
        self._ask("put_back")

    def _look(self, card: Location) -> None:
        card.in_hand_of = self.turn
        card.shown_to.add(self.turn)

    def _may_put_back(self) -> set[str]:
        return {"put_back"}

    def _put_back(self, _: str) -> None:
        for card in self.all:
            card.in_hand_of = None
        if self.won or self.last:  # it was a penguin's look
            self._next_player()
            return
        self.turn = (self.turn + 1) % self.players
        if len(self.side) < self.players:
            self._ask_side()
        else:
            self._lay_volcano(self._new_turn)

    # -- cards that nobody has seen yet

    def _name(self, cards: list[Location], then: Callable[[], None]) -> None:
        """Chance names those that nobody has been shown."""
        self.waiting = [card for card in cards if not card.shown_to]
        self.named: list[Location] = []
        self._name_next(then)

    def _name_next(self, then: Callable[[], None]) -> None:
        if not self.waiting:
            then()
            return

        def go_on() -> None:
            self.named.append(self.waiting.pop(0))
            self._name_next(then)

        self._chance(f"deal {self.waiting[0].name}", self._never_seen, go_on)

    def _never_seen(self) -> list[str]:
        return [f"deal {card.name}" for card in self.all if not card.shown_to and card not in self.named]

    # -- a turn

    def _down(self) -> list[str]:
        return [place for place, card in self.island.items() if not card.up]

    def _open_to_turn(self) -> list[str]:
        """Face down, not closed by a walrus; and the very first card is one that nobody has looked at."""
        places = [place for place in self._down() if self.island[place] is not self.guarded]
        if not self.won and not self.last:
            return [place for place in places if not self.island[place].shown_to]
        return places

    def _begin_turn(self) -> None:
        self._ask("reveal" if self._open_to_turn() else "take_volcano")

    def _may_reveal(self) -> set[str]:
        return {f"reveal {place}" for place in self._open_to_turn()}

    def _may_take_volcano(self) -> set[str]:
        return {"take_volcano"}

    def _reveal(self, place: str) -> None:
        self._name([self.island[place]], lambda: self._turned(self.island[place]))

    def _turned(self, card: Location) -> None:
        before, self.last = self.last, card
        card.up = True
        card.shown_to.update(self.watching)
        if before is None:
            self._next_player()
        elif not card.links(before):
            self._take_volcano()
        elif self.expert:
            self._power(card.animal)
        else:
            self._next_player()

    def _take_volcano(self, _: str = "") -> None:
        self.out[self.turn] = self.volcanoes.pop(0)
        self.top = None
        if not self.volcanoes:
            self.turn = next(seat for seat in range(self.players) if seat not in self.out)
            self._ask("take_treasure")
            return
        self._pass_on()
        self._lay_volcano(self._new_turn)

    def _pass_on(self) -> None:
        """Clockwise, past those who are out."""
        self.turn = (self.turn + 1) % self.players
        while self.turn in self.out:
            self.turn = (self.turn + 1) % self.players

    def _next_player(self) -> None:
        self._pass_on()
        self._new_turn()

    def _new_turn(self) -> None:
        """What a walrus closed for the player before is open again."""
        self.guarded = None
        self._begin_turn()

    def _lay_volcano(self, then: Callable[[], None]) -> None:
        """The one on top of the pile lies open."""

        def laid() -> None:
            self.top = self.volcanoes[0]
            self.met.add(self.top)
            then()

        self._chance(f"volcano {self.volcanoes[0]}", self._volcanoes_to_come, laid)

    def _volcanoes_to_come(self) -> list[str]:
        """Which ones are in the pile everybody knows once each has been on top; before that it may be any of those not met."""
        all_met = len(self.met) == self.players - 1
        return [f"volcano {n}" for n in range(3) if (n in self.volcanoes if all_met else n not in self.met)]

    # -- the animals

    def _power(self, animal: str) -> None:
        hidden = len(self._down())
        if animal == "penguin" and hidden:
            self._ask("peek")
        elif animal == "octopus":
            self._ask("swap")
        elif animal == "walrus" and hidden > 1:
            self._ask("guard")
        elif animal == "crab":
            self._begin_turn()
        else:
            self._next_player()

    def _may_peek(self) -> set[str]:
        return {f"peek {place}" for place in self._down()}

    def _peek(self, place: str) -> None:
        card = self.island[place]

        def look() -> None:
            self._look(card)
            self._ask("put_back")

        self._name([card], look)

    def _place_of(self, card: Location | None) -> str | None:
        return next((place for place, there in self.island.items() if there is card), None)

    def _may_swap(self) -> set[str]:
        return {f"swap {way}" for way in beside(str(self._place_of(self.last)))}

    def _swap(self, way: str) -> None:
        here = str(self._place_of(self.last))
        there = beside(here)[way]
        self.island[here], self.island[there] = self.island[there], self.island[here]
        self._next_player()

    def _may_guard(self) -> set[str]:
        return {f"guard {place}" for place in self._down()}

    def _guard(self, place: str) -> None:
        self._pass_on()
        self.guarded = self.island[place]
        self._begin_turn()

    # -- the end of a round, and of the game

    def _may_take_treasure(self) -> set[str]:
        return {"take_treasure"}

    def _take_treasure(self, _: str) -> None:
        self.won.append(self.turn)
        self.last = self.guarded = None
        for card in self.all:
            card.up = False
        if len(self.won) == ROUNDS:
            self._end()
            return
        self.turn = self.starter = max(self.out, key=lambda seat: self.birds[self.out[seat]])
        self.volcanoes = self.rng.sample(sorted(self.out.values()), len(self.out))
        self.out = {}
        self._lay_volcano(self._new_turn)

    def _end(self) -> None:
        """What somebody has seen is turned up; then the treasures, in the order in which they were won."""
        for card in self.all:
            if card.shown_to:
                card.up = True
                card.shown_to.update(self.watching)
        self._open_treasure()

    def _open_treasure(self) -> None:
        if self.opened == ROUNDS:
            self.over = True
            return

        def opened() -> None:
            self.opened += 1
            self._open_treasure()

        self._chance(f"treasure {self.treasures[self.opened]}", self._closed, opened)

    def _closed(self) -> list[str]:
        return [f"treasure {name}" for name in self.rubies_of if name not in self.treasures[: self.opened]]

    # -- what there is to see

    def _seen(self, who: int | str, card: Location) -> bool:
        return card.up or (who != ONLOOKER and card.in_hand_of == who)

    def sees(self, who: int | str) -> dict[str, str]:
        """The cards in somebody's sight, by place."""
        return {place: card.name for place, card in self.island.items() if self._seen(who, card)}

    def was_shown(self, who: int | str) -> dict[str, str]:
        """The cards that somebody has ever been shown, where they lie now."""
        return {place: card.name for place, card in self.island.items() if who in card.shown_to}

    def table(self) -> dict[str, Any]:
        """What everybody sees beside the faces of cards."""
        return {
            "players": self.players,
            "expert": self.expert,
            "sorted_pile": self.sorted_pile,
            "turn": self.turn,
            "starter": self.starter,
            "rounds": len(self.won),
            "side": [self.side.get(seat) for seat in range(self.players)],
            "up": {place for place, card in self.island.items() if card.up},
            "last": self._place_of(self.last),
            "pending": self._place_of(self.waiting[0]) if self.waiting else None,
            "guarded": self._place_of(self.guarded),
            "top": self.top,
            "pile": len(self.volcanoes),
            "met": self.met,
            "volcano": [self.out.get(seat) for seat in range(self.players)],
            "won": self.won,
            "rubies": [self.rubies_of[name] for name in self.treasures[: self.opened]],
            "closed": {action.split()[1] for action in self._closed()},
        }

    def points(self) -> list[dict[str, int]]:
        """What each player has won, as far as it has been seen: rubies, then what breaks a tie."""
        mine = [
            [name for name, winner in zip(self.treasures[: self.opened], self.won, strict=False) if winner == seat]
            for seat in range(self.players)
        ]
        return [
            {
                "points": sum(self.rubies_of[name] for name in names),
                "treasures": self.won.count(seat),
                "best_treasure": max([self.rubies_of[name] for name in names], default=0),
            }
            for seat, names in enumerate(mine)
        ]
