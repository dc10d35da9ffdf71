"""Déjà Vu: Fragments of Memory a second time, written from the rulebook and our rulings alone, to be walked beside the game's own rules.

Nothing here is shared with them but the data file and the names of actions. It is slow and plain on purpose: piles are counters of
words, ways are searched for by walking them."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations
from random import Random

CHANCE = "chance"
SIDES = {"e": (1, 0), "se": (0, 1), "sw": (-1, 1), "w": (-1, 0), "nw": (0, -1), "ne": (1, -1)}


class Tableau:
    """What belongs to one player."""

    def __init__(self) -> None:
        self.hand: list[str] = []
        self.short: dict[str, list[str]] = {}  # cards begun, with the bits on them from the top
        self.long: list[str] = []
        self.own: Counter[str] = Counter()  # bits gathered, and those of the chests
        self.tokens = 0
        self.circle = 0  # a flower on the girl's circle
        self.bloom = 0  # flowers on cards
        self.found: list[str] = []  # fragments
        self.chosen_first = 0  # speed game: cards remembered before the first turn


class DejaVu:
    """One game, from the first draw to the last point. Seats count from 0."""

    def __init__(self, box: dict, players: int, **options: object) -> None:
        self.box = box
        self.players = players
        self.built = options.get("map") == "built"
        self.speed = bool(options.get("speed"))
        self.limit = int(options.get("rounds", 30))  # our own: 0 for none
        self.cards = {name: card for name, card in box["cards"].items() if isinstance(card, dict)}
        ordinary = [name for name, card in self.cards.items() if "power" in card]
        self.deck = Counter({name: box["cards"]["copies"] for name in ordinary})
        self.discard: Counter[str] = Counter()
        self.twins: Counter[str] = Counter()  # second copies that came up while cards are drawn
        self.common = Counter({name: 1 if players == 2 else 2 for name in self.cards if name not in ordinary})
        kinds = [f"{colour}-{shape}" for colour in box["bits"]["colours"] for shape in box["bits"]["shapes"]]
        self.kinds = kinds
        self.grid: Counter[str] = Counter()
        self.aside: Counter[str] = Counter()
        self.tiles = box["tiles"]["names"]
        self.at = {self.tiles[0]: (0, 0)}
        self.bits: dict[str, Counter[str]] = {tile: Counter() for tile in self.tiles}
        self.fragment: dict[str, str] = {}
        self.girl = self.tiles[0]
        self.flowers = box["flowers"]["tokens"]
        self.seats = [Tableau() for _ in range(players)]
        self.first = self.turn = 0
        self.rounds = 0
        self.awake: int | None = None
        self.strolled = self.sown = False
        self.way: list[str] = []  # of a walk or a sowing, from its start
        self.held: Counter[str] = Counter()  # bits being sown
        self.upcoming: str | None = None
        self.called = False  # the upcoming bit was chosen
        self.bench: str | None = None  # the card that bits are laid on
        self.fresh = 0  # bits laid on it since it was taken up
        self.paid = 0  # bits towards a flower
        self.saved: Counter[str] = Counter()
        self.target: str | None = None  # the tile that the next bit, or fragment, is drawn for
        self.whites = 0  # white bits that may still be picked
        self.stage = "first_player"
        if options.get("first") == "first_seat":
            self._drawn_first("0")

    # -- who acts, and what they may do

    def acting(self) -> set:
        if self.stage == "over":
            return set()
        if self.stage in ("first_player", "fragments", "bit", "draw") or (self.stage == "map" and not self.built):
            return {CHANCE}
        if self.stage == "map":
            return {(self.first + (len(self.at) - 1) // 2) % self.players}
        if self.stage == "choose":
            return {seat for seat in range(self.players) if self._chooses(seat)}
        return {self.turn}

    def odds(self) -> dict[str, int]:
        """What chance may draw, and how likely each draw is."""
        if self.stage == "first_player":
            return {f"first {seat}": 1 for seat in range(self.players)}
        if self.stage == "map":
            return {action: 1 for action in self._spots()}
        if self.stage == "fragments":
            lying = set(self.fragment.values())
            return {f"lay_fragment {name}": 1 for name in self._fragments() if name not in lying}
        if self.stage == "bit":
            return {f"draw_bit {kind}": n for kind, n in self.grid.items() if n}
        return {f"draw_card {card}": n for card, n in self.deck.items() if n}

    def legal(self, seat: int) -> set[str]:
        return set(getattr(self, "_may_" + self.stage)(self.seats[seat]))

    def play(self, seat: int | str, action: str) -> None:
        word, _, what = action.partition(" ")
        if seat == CHANCE:
            getattr(self, "_drawn_" + word)(what)
        elif word == "done":
            getattr(self, "_done_" + self.stage)(self.seats[seat])
        else:
            getattr(self, "_do_" + word)(self.seats[seat], what)

    # -- set-up

    def _drawn_first(self, what: str) -> None:
        self.first = self.turn = int(what)
        self.stage = "map"

    def _near(self, tile: str) -> list[str]:
        q, r = self.at[tile]
        spots = {(q + dq, r + dr) for dq, dr in SIDES.values()}
        return [other for other, spot in self.at.items() if spot in spots]

    def _spots(self) -> dict[str, tuple[int, int]]:
        """Where the next tile may lie, each spot named by the first tile that it touches."""
        found: dict[tuple[int, int], str] = {}
        touched: Counter[tuple[int, int]] = Counter()
        for tile, (q, r) in self.at.items():
            for side, (dq, dr) in SIDES.items():
                spot = (q + dq, r + dr)
                if spot not in self.at.values():
                    found.setdefault(spot, f"place {tile}-{side}")
                    touched[spot] += 1
        return {name: spot for spot, name in found.items() if touched[spot] >= min(2, len(self.at))}

    def _may_map(self, _: Tableau) -> list[str]:
        return list(self._spots())

    def _do_place(self, _: Tableau, what: str) -> None:
        self._drawn_place(what)

    def _drawn_place(self, what: str) -> None:
        self.at[self.tiles[len(self.at)]] = self._spots()[f"place {what}"]
        if len(self.at) == len(self.tiles):
            near = {tile: self._near(tile) for tile in self.tiles}

            @cache
            def leads(tile: str, crossed: frozenset[str], left: int) -> bool:
                return left == 0 or any(leads(n, crossed | {n}, left - 1) for n in near[tile] if n not in crossed)

            self.near, self.leads = near, leads
            self.grid = Counter({kind: self.box["bits"]["copies"] for kind in self.kinds})  # all bits are strewn as in a refill
            self._refill_on()

    def _fragments(self) -> list[str]:
        return [f"{kind}-{value + 1}" for kind in self.box["fragments"]["kinds"] for value in range(self.box["fragments"]["values"])]

    def _drawn_lay_fragment(self, what: str) -> None:
        self.fragment[self.target] = what
        place = self.tiles.index(self.target) + 1
        if place < len(self.tiles):
            self.target = self.tiles[place]
        else:
            self.target = None
            self.stage = "draw"
            self.turn = 0  # in whose order cards are dealt does not matter

    def _chooses(self, seat: int) -> bool:
        tableau = self.seats[seat]
        return len(tableau.hand) > self.box["girl"]["hand"]

    def _may_choose(self, tableau: Tableau) -> list[str]:
        first = self.speed and tableau.chosen_first < self.box["setup"]["fast_remembered"]
        return [f"{'remember' if first else 'discard'} {card}" for card in tableau.hand]

    def _remember_first(self, tableau: Tableau, card: str) -> None:
        tableau.hand.remove(card)
        self._enter(tableau, card)
        tableau.chosen_first += 1
        if tableau.chosen_first == self.box["setup"]["fast_remembered"]:
            tableau.tokens = self.box["setup"]["fast_tokens"] - sum(self.cards[card]["points"] for card in tableau.long)

    # -- turns

    def _begin_turn(self, seat: int) -> None:
        self.turn = seat
        self.strolled = self.sown = False
        self.stage = "morning"

    def _end_turn(self) -> None:
        if self.awake is None and len(self.seats[self.turn].long) >= self.box["awakening"]["cards"]:
            self.awake = self.turn
        following = (self.turn + 1) % self.players
        asleep = self.awake is None and following == self.first and self.limit and self.rounds >= self.limit
        if following == self.awake or asleep:
            self.stage = "over"
            return
        self.rounds += following == self.first
        self._begin_turn(following)

    def _icons(self, tableau: Tableau, power: str) -> int:
        return self.box["girl"][power] + sum(self.cards[card].get("power") == power for card in tableau.long)

    # -- 1: planting

    def _may_morning(self, tableau: Tableau) -> list[str]:
        found = [f"sow {tile}" for tile in self.tiles if self._can_sow(tile)]
        return (found or ["done"]) + ([] if self.strolled else ["wander"])

    def _do_wander(self, tableau: Tableau, _: str) -> None:
        self.way = [self.girl]
        self.stage = "walk"

    def _may_walk(self, tableau: Tableau) -> list[str]:
        stays = self.sown or len(self.way) > 1  # who stays in the morning does not set out
        return [*self._steps(tableau), *self._plants(tableau), *(["done"] if stays else [])]

    def _steps(self, tableau: Tableau) -> list[str]:
        if len(self.way) > self._icons(tableau, "footprint"):
            return []
        return [f"walk {tile}" for tile in self.near[self.girl] if tile not in self.way]

    def _plants(self, tableau: Tableau) -> list[str]:
        if self.girl not in self.fragment:
            return []
        return ["plant circle"] * tableau.circle + (["plant card"] if tableau.bloom else [])

    def _do_walk(self, tableau: Tableau, what: str) -> None:
        self.girl = what
        self.way.append(what)
        if len(self.way) > self._icons(tableau, "footprint") and not self._plants(tableau):
            self._done_walk(tableau)  # nothing is left to ask; with a step left she is asked, even in a dead end

    def _do_plant(self, tableau: Tableau, what: str) -> None:
        if what == "circle":
            tableau.circle = 0
        else:
            tableau.bloom -= 1
        tableau.found.append(self.fragment.pop(self.girl))
        self._done_walk(tableau)

    def _done_walk(self, tableau: Tableau) -> None:
        self.strolled = True
        self.way = []
        if self.sown:
            self._meditate()
        else:
            self.stage = "morning"

    # -- 2: recollection

    def _coloured(self, pile: Counter) -> bool:
        return any(n and not kind.startswith("white") for kind, n in pile.items())

    def _can_sow(self, tile: str) -> bool:
        return self._coloured(self.bits[tile]) and self.leads(tile, frozenset([tile]), self.bits[tile].total())

    def _done_morning(self, tableau: Tableau) -> None:
        self._end_sowing()

    def _do_sow(self, tableau: Tableau, tile: str) -> None:
        self.held, self.bits[tile] = +self.bits[tile], Counter()
        self.way = [tile]
        self.stage = "sow"
        self._line_up()

    def _line_up(self) -> None:
        """White bits first, then in the order of the box, unless the player calls another."""
        there = [kind for kind in self.kinds if self.held[kind]]
        self.upcoming = next((kind for kind in there if kind.startswith("white")), there[0])
        self.called = False

    def _may_sow(self, tableau: Tableau) -> list[str]:
        left = self.held.total() - 1
        crossed = frozenset(self.way)
        found = [f"drop {tile}" for tile in self.near[self.way[-1]] if tile not in crossed and self.leads(tile, crossed | {tile}, left)]
        if not self.called and left:
            others = [kind for kind, n in self.held.items() if n and kind != self.upcoming]
            found += [f"hold {kind}" for kind in others if self._coloured(self.held - Counter([kind]))]
        return found

    def _do_hold(self, tableau: Tableau, kind: str) -> None:
        self.upcoming, self.called = kind, True

    def _do_drop(self, tableau: Tableau, tile: str) -> None:
        kind = self.upcoming
        self.held[kind] -= 1
        self.bits[tile][kind] += 1
        self.way.append(tile)
        if self.held.total():
            self._line_up()
            return
        colour = kind.partition("-")[0]
        for other in [other for other in self.bits[tile] if other.partition("-")[0] == colour]:
            tableau.own[other] += self.bits[tile].pop(other)
        self.whites = self._icons(tableau, "white_pick")
        self.stage = "white"
        self._pick_on(tableau)

    def _white_shapes(self) -> list[str]:
        return [kind.partition("-")[2] for kind, n in self.bits[self.way[-1]].items() if n and kind.startswith("white")]

    def _pick_on(self, tableau: Tableau) -> None:
        if not self.whites or not self._white_shapes():
            self._end_sowing()

    def _may_white(self, tableau: Tableau) -> list[str]:
        return [*(f"pick {shape}" for shape in self._white_shapes()), "done"]

    def _do_pick(self, tableau: Tableau, shape: str) -> None:
        self.bits[self.way[-1]][f"white-{shape}"] -= 1
        tableau.own[f"white-{shape}"] += 1
        self.whites -= 1
        self._pick_on(tableau)

    def _done_white(self, tableau: Tableau) -> None:
        self._end_sowing()

    def _end_sowing(self) -> None:
        self.sown = True
        self.way, self.upcoming, self.whites = [], None, 0
        self.stage = "build"

    # -- 3: déjà vu

    def _fitting(self, pile: Counter, slot: str) -> list[str]:
        return [kind for kind, n in pile.items() if n and slot in ("any", kind.partition("-")[2])]

    def _covers(self, pile: Counter, slots: list[str]) -> bool:
        """Whether the pile covers all these slots: each of its shape first, then any."""
        shapes = Counter()
        for kind, n in pile.items():
            shapes[kind.partition("-")[2]] += n
        wanted = Counter(slot for slot in slots if slot != "any")
        return all(shapes[shape] >= n for shape, n in wanted.items()) and pile.total() >= len(slots)

    def _may_build(self, tableau: Tableau) -> list[str]:
        found = [card for card, laid in tableau.short.items() if self._fitting(tableau.own, self.cards[card]["slots"][len(laid)])]
        room = len(tableau.short) < self._icons(tableau, "short_term")
        for card in tableau.hand:
            slots = self.cards[card]["slots"]
            begins = room and self._fitting(tableau.own, slots[0])
            if card not in tableau.short and card not in tableau.long and (begins or self._covers(tableau.own, slots)):
                found.append(card)
        for card, n in self.common.items():
            if n and card not in tableau.long and self._covers(tableau.own, self.cards[card]["slots"]):
                found.append(card)
        grows = not tableau.circle and self.flowers and tableau.own.total() >= self.box["flowers"]["price"]
        return [*(f"remember {card}" for card in found), *(["grow"] if grows else []), "done"]

    def _do_remember(self, tableau: Tableau, card: str) -> None:
        if self.stage == "choose":
            self._remember_first(tableau, card)
            return
        if card in tableau.hand and card not in tableau.short:
            tableau.hand.remove(card)
        elif card not in tableau.short:
            self.common[card] -= 1
        tableau.short.setdefault(card, [])
        self.bench, self.fresh = card, 0
        self.stage = "lay"

    def _can_stay(self, tableau: Tableau) -> bool:
        return "power" in self.cards[self.bench] and len(tableau.short) <= self._icons(tableau, "short_term")

    def _may_lay(self, tableau: Tableau) -> list[str]:
        slots = self.cards[self.bench]["slots"][len(tableau.short[self.bench]) :]
        fitting = self._fitting(tableau.own, slots[0])
        stays = self._can_stay(tableau)
        if not stays:
            fitting = [kind for kind in fitting if self._covers(tableau.own - Counter([kind]), slots[1:])]
        return [*(f"lay {kind}" for kind in fitting), *(["keep"] if stays and self.fresh else [])]

    def _do_lay(self, tableau: Tableau, kind: str) -> None:
        tableau.own[kind] -= 1
        if self.stage == "grow":
            self._pay(tableau, kind)
            return
        laid = tableau.short[self.bench]
        laid.append(kind)
        self.fresh += 1
        if len(laid) == len(self.cards[self.bench]["slots"]):
            colour = self.bench.partition("-")[0]
            tableau.tokens += sum(bit.partition("-")[0] in (colour, "white") for bit in laid)
            self.aside.update(tableau.short.pop(self.bench))
            self._enter(tableau, self.bench)
            self._do_keep(tableau, "")

    def _enter(self, tableau: Tableau, card: str) -> None:
        """Into long-term memory, with a flower where one is printed, while there are any."""
        tableau.long.append(card)
        if self.flowers and (self.cards[card].get("power") == "flower" or self.cards[card].get("flower")):
            self.flowers -= 1
            tableau.bloom += 1

    def _do_keep(self, tableau: Tableau, _: str) -> None:
        self.bench, self.fresh = None, 0
        self.stage = "build"

    def _do_grow(self, tableau: Tableau, _: str) -> None:
        self.paid = 0
        self.stage = "grow"

    def _may_grow(self, tableau: Tableau) -> list[str]:
        return [f"lay {kind}" for kind, n in tableau.own.items() if n]

    def _pay(self, tableau: Tableau, kind: str) -> None:
        self.aside[kind] += 1
        self.paid += 1
        if self.paid == self.box["flowers"]["price"]:
            self.paid = 0
            tableau.circle = 1
            self.flowers -= 1
            self.stage = "build"

    def _done_build(self, tableau: Tableau) -> None:
        self.stage = "save"
        self._save_on(tableau)

    def _save_on(self, tableau: Tableau) -> None:
        if not tableau.own.total() or self.saved.total() == self._icons(tableau, "chest"):
            self._done_save(tableau)

    def _may_save(self, tableau: Tableau) -> list[str]:
        return [*(f"save {kind}" for kind, n in tableau.own.items() if n), "done"]

    def _do_save(self, tableau: Tableau, kind: str) -> None:
        tableau.own[kind] -= 1
        self.saved[kind] += 1
        self._save_on(tableau)

    def _done_save(self, tableau: Tableau) -> None:
        self.aside.update(tableau.own)
        tableau.own, self.saved = self.saved, Counter()
        if self.strolled:
            self._meditate()
        else:
            self._do_wander(tableau, "")

    # -- 4: meditation

    def _meditate(self) -> None:
        self.grid.update(self.aside)
        self.aside = Counter()
        if self.grid.total() >= self.box["grid"]["cells"]:
            self._refill_on()
        else:
            self.stage = "discard"

    def _emptiest(self) -> list[str]:
        fewest = min(pile.total() for pile in self.bits.values())
        return [tile for tile in self.tiles if self.bits[tile].total() == fewest]

    def _refill_on(self) -> None:
        if not self.grid.total():
            self.target = None if self.rounds else self.tiles[0]
            self.stage = "discard" if self.rounds else "fragments"
        elif self.grid.total() >= len(self._emptiest()):
            self._do_refill(self.seats[self.turn], self._emptiest()[0])
        else:
            self.target = None
            self.stage = "refill"

    def _may_refill(self, tableau: Tableau) -> list[str]:
        return [f"refill {tile}" for tile in self._emptiest()]

    def _do_refill(self, tableau: Tableau, tile: str) -> None:
        self.target = tile
        self.stage = "bit"

    def _drawn_draw_bit(self, kind: str) -> None:
        self.grid[kind] -= 1
        self.bits[self.target][kind] += 1
        self._refill_on()

    def _may_discard(self, tableau: Tableau) -> list[str]:
        return [*(f"discard {card}" for card in tableau.hand), "done"]

    def _do_discard(self, tableau: Tableau, card: str) -> None:
        tableau.hand.remove(card)
        self.discard[card] += 1
        if self.stage == "choose" and not any(self._chooses(seat) for seat in range(self.players)):
            self.rounds = 1
            self._begin_turn(self.first)

    def _done_discard(self, tableau: Tableau) -> None:
        self.stage = "draw"
        self._draw_on()

    def _draw_on(self) -> None:
        tableau = self.seats[self.turn]
        dealt = self.box["setup"]["fast_drawn" if self.speed else "drawn"]
        most = self._icons(tableau, "hand") if self.rounds else dealt
        if len(tableau.hand) < most and not self.deck.total():
            self.deck, self.discard = self.discard, Counter()
        if len(tableau.hand) < most and self.deck.total():
            return
        self.discard.update(self.twins)
        self.twins = Counter()
        if self.rounds:
            self._end_turn()
            return
        self.turn = (self.turn + 1) % self.players
        if self.turn == 0:
            self.stage = "choose"

    def _drawn_draw_card(self, card: str) -> None:
        self.deck[card] -= 1
        tableau = self.seats[self.turn]
        if card in tableau.hand or card in tableau.short or card in tableau.long:
            self.twins[card] += 1
        else:
            tableau.hand.append(card)
        self._draw_on()

    # -- awakening

    def points(self) -> dict[str, list[int]]:
        rows = [self._points(tableau) for tableau in self.seats]
        return {name: [row[name] for row in rows] for name in rows[0]}

    def _points(self, tableau: Tableau) -> dict[str, int]:
        colours = Counter(card.partition("-")[0] for card in tableau.long)
        return {
            "tokens": tableau.tokens,
            "cards": sum(self.cards[card].get("points", 0) for card in tableau.long),
            "colours": sum(self._by_colour(card, colours) for card in tableau.long),
            "fragments": self._fragment_points(tableau),
            "links": self.box["girl"]["link"] * self._links(tableau),
        }

    def _by_colour(self, card: str, colours: Counter) -> int:
        goal = self.cards[card].get("goal")
        if goal not in ("same_colour", "white"):
            return 0
        n = colours["white" if goal == "white" else card.partition("-")[0]]
        table = self.box["goals"][goal]
        return table[min(n, len(table)) - 1]

    def _links(self, tableau: Tableau) -> int:
        split = [(card.partition("-")[0], int(card.partition("-")[2])) for card in tableau.long]
        return sum((colour, number % 7 + 1) in split for colour, number in split)

    def _fragment_points(self, tableau: Tableau) -> int:
        """Each fragment for one card: every choice of sets is tried, and for each kind every run."""
        goals = [self.cards[card]["goal"] for card in tableau.long if "goal" in self.cards[card]]
        worth = self.box["goals"]
        kinds, values = self.box["fragments"]["kinds"], range(self.box["fragments"]["values"])
        have = {kind: {value for value in values if f"{kind}-{value + 1}" in tableau.found} for kind in kinds}
        each = worth["each"] if "each" in goals else 0
        full = [value for value in values if all(value in have[kind] for kind in kinds)] if "set" in goals else []
        best = 0
        for some in (some for n in range(len(full) + 1) for some in combinations(full, n)):
            total = worth["set"] * len(some)
            for kind in kinds:
                left = have[kind] - set(some)
                runs = self._runs(left) if f"run:{kind}" in goals else [0]
                total += max(worth["run"] * run + each * (len(left) - run) for run in runs)
            best = max(best, total)
        return best

    def _runs(self, left: set[int]) -> list[int]:
        """The lengths of all runs among these values; the last and the first are neighbours."""
        n = self.box["fragments"]["values"]
        return [0] + [size for start in range(n) for size in range(1, n + 1) if all((start + k) % n in left for k in range(size))]

    def ranks(self) -> tuple[list[int], str | None]:
        """Equal points share a rank, and the victory."""
        scores = [sum(self._points(tableau).values()) for tableau in self.seats]
        return [1 + sum(other > score for other in scores) for score in scores], "points" if scores.count(max(scores)) == 1 else None

    def ties(self) -> dict[str, list[int]]:
        return {}

    # -- what lies open, and what is hidden

    def told(self) -> dict:
        return {
            "stage": self.stage,
            "turn": None if self.stage == "over" or not (self.rounds or self.stage == "draw") else self.turn,
            "rounds": None if self.stage == "over" else self.rounds,
            "first": self.first,
            "awake": self.awake,
            "done": None if self.stage == "over" else (self.strolled, self.sown),
            "near": {tile: sorted(self._near(tile)) for tile in self.at},
            "bits": [listed(self.bits[tile]) for tile in self.tiles],
            "fragment": [self.fragment.get(tile) for tile in self.tiles],
            "girl": self.girl,
            "crossed": sorted(self.way) if self.stage in ("walk", "sow") else [],
            "sowing": (listed(self.held), self.upcoming, self.called) if self.stage == "sow" else None,
            "whites": self.whites if self.stage == "white" else None,
            "bench": (self.bench, self.fresh) if self.stage == "lay" else None,
            "paid": self.paid if self.stage == "grow" else None,
            "target": self.target,
            "aside": listed(self.aside),
            "grid": listed(self.grid),
            "saved": listed(self.saved),
            "flowers": self.flowers,
            "common": listed(self.common),
            "deck_count": self.deck.total(),
            "discard": listed(self.discard),
            "twins": listed(self.twins),
            "own": [listed(tableau.own) for tableau in self.seats],
            "hand_count": [len(tableau.hand) for tableau in self.seats],
            "short": [tableau.short for tableau in self.seats],
            "long": [sorted(tableau.long) for tableau in self.seats],
            "tokens": [tableau.tokens for tableau in self.seats],
            "flower": [(tableau.circle, tableau.bloom) for tableau in self.seats],
            "found": [sorted(tableau.found) for tableau in self.seats],
        }

    def hands(self, seat: int | None) -> list[list[str]]:
        """The cards that the seat sees in everybody's hand, and last the deck; -1 looks on, None sees all."""
        hands = [sorted(tableau.hand) if seat in (None, k) else [] for k, tableau in enumerate(self.seats)]
        return [*hands, listed(self.deck) if seat is None else []]

    # -- any legal move, but rather one that leads on

    def fancy(self, seat: int, rng: Random) -> str:
        may = sorted(self.legal(seat))
        if self.stage == "discard" and rng.random() < 0.7:
            return "done"
        if self.stage == "sow" and self.held.total() == 1 and rng.random() < 0.9:
            return max(may, key=lambda action: (self._gathered(action), rng.random()))
        if len(may) > 1 and "done" in may and rng.random() < (0.4 if self.stage == "build" and seat % 2 else 0.9):
            may.remove("done")  # every second seat saves its bits rather, for common cards
        if len(may) > 1 and "keep" in may and rng.random() < 0.9:
            may.remove("keep")
        for word, often in (("plant", 0.9), ("remember white", 1), ("remember", 0.8), ("pick", 0.7), ("drop", 0.6)):
            some = [action for action in may if action.startswith(word)]
            if some and rng.random() < often:
                return rng.choice([action for action in some if action[9:] in self.common] or some)
        return rng.choice(may)

    def _gathered(self, action: str) -> int:
        """How many bits the last drop brings."""
        colour = self.upcoming.partition("-")[0]
        return sum(n for kind, n in self.bits[action.partition(" ")[2]].items() if kind.startswith(colour))


def listed(pile: Counter) -> list[str]:
    return sorted(pile.elements())
