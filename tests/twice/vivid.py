"""Vivid Memories a second time, written from the rulebook and our rulings alone, to be walked beside the game's own rules.

Nothing here is shared with them but the data file and the names of actions. It is slow and plain on purpose: boards are lists
of lists of words, what may be done is found by trying it."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from random import Random

COLOURS = ("red", "yellow", "green", "blue", "purple")
IN_BAG = {1: 11, 2: 11, 3: 17, 4: 20}  # of each colour, by players
EACH = 25  # of each colour in the box
ROUNDS = 3
CHANCE = "chance"


class Board:
    """What lies before one player."""

    def __init__(self, box: dict, printed: dict) -> None:
        self.hexes: list[list[str]] = [[] for _ in box["outline"]["hexes"]]
        rings = [pair for cluster in printed["clusters"] for pair in zip(cluster["ring"], cluster["colours"], strict=True)]
        self.slots: dict[int, str] = dict(rings)  # the colour of each slot, by its place on the ring
        self.clusters = [(cluster["points"], cluster["ring"]) for cluster in printed["clusters"]]
        self.filled: set[int] = set()
        self.bank: list[int | None] = [None] * len(box["bank"]["order"])  # the tile on each slot
        self.flipped: set[int] = set()  # slots whose tile shows its scoring side
        self.used: set[int] = set()  # slots whose own action was performed this round
        self.claimed: list[int] = []
        self.cherished: list[int] = []
        self.owed: list[int] = []  # slots that wait for a fragment of their thread
        self.aspiration: str | None = None
        self.task = "wait"
        self.slot: int | None = None  # the slot whose action is being performed
        self.picked: tuple[int, str] | None = None  # a fragment pointed at
        self.drawn: str | None = None  # by speculate
        self.pays = {"moments": [0] * ROUNDS, "threads": [0] * ROUNDS, "core": [0] * ROUNDS, "aspiration": 0}

    def empty(self) -> list[int]:
        return [h for h, content in enumerate(self.hexes) if not content]


class Vivid:
    """One game, from the first draw to the last point. Seats and hexes count from 0, tiles and hexes are named from 1."""

    def __init__(self, box: dict, players: int, start: str = "random", **_: object) -> None:
        self.box = box
        self.players = players
        self.takers = max(players, 2)  # alone, the house automa takes turns too
        self.boards = [Board(box, printed) for printed in box["board"][:players]]
        self.near = self._neighbours()
        self.round = 0
        self.start = 0
        self.turn = 0
        self.bag = Counter({colour: IN_BAG[players] for colour in COLOURS})
        self.supply = Counter({colour: EACH - IN_BAG[players] for colour in COLOURS})
        self.deck = set(range(len(box["moment"])))
        self.out: set[int] = set()
        self.line: list[tuple[int, list[str]]] = []  # tiles with their fragments
        self.hand: list[str] = []
        self.end: str | None = None
        self.emptied: list[int] = []  # tiles emptied this turn, claimed when the fragments are placed
        self.moves: list[tuple[int, int]] = []  # of a rewiring: from hex, to hex
        self.kept: Counter[str] = Counter()  # the automa's
        self.automa_claimed: list[int] = []
        self.automa_scored: list[int] = []
        self.automa_pays = [0] * ROUNDS
        self.automa_aspiration: str | None = None
        self.automa_aspired = 0
        self.took: tuple[list[str], str] | None = None
        self.wishes: list[str] = []
        self.revealed = False
        self.phase = "start"
        if start != "random":
            self.start = ("first", "second", "third", "fourth").index(start)
            self.phase = "aspire"

    def _neighbours(self) -> list[list[int]]:
        cells = [tuple(cell) for cell in self.box["outline"]["hexes"]]
        steps = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
        return [[cells.index((q + dq, r + dr)) for dq, dr in steps if (q + dq, r + dr) in cells] for q, r in cells]

    # -- who acts, and what they may do

    def acting(self) -> set:
        if self.phase in ("start", "aspire", "moments", "fragments", "reveal"):
            return {CHANCE}
        if self.phase == "remember":
            return {CHANCE} if self.turn == self.players else {self.turn}  # only alone is there a taker without a seat
        if self.phase == "reflect":
            return {CHANCE} if any(board.task == "draw" for board in self.boards) else self._reflecting()
        if self.phase == "give":
            return {seat for seat, board in enumerate(self.boards) if board.owed}
        return set() if self.phase == "over" else {self.start if self.players > 1 else 0}

    def odds(self) -> dict[str, int]:
        """What chance may draw, and how likely each draw is."""
        if self.phase == "start":
            return {f"begin {seat}": 1 for seat in range(self.takers)}
        if self.phase in ("aspire", "reveal"):
            dealt = [board.aspiration for board in self.boards]
            return {f"aspire {colour}": 1 for colour in COLOURS if colour not in dealt}
        if self.phase == "moments":
            return {f"moment m{tile + 1}": 1 for tile in self.deck}
        if self.phase == "remember":
            return {f"wish {colour}": 1 for colour in COLOURS if colour not in self.wishes}
        return {f"draw {colour}": n for colour, n in self.bag.items() if n}

    def legal(self, seat: int) -> set[str]:
        board = self.boards[seat]
        if self.phase == "remember":
            return {"take": self._take, "rewire": self._rewire, "make_room": self._rewire}[board.task](board)
        if self.phase == "reflect":
            return getattr(self, "_may_" + board.task)(board)
        if self.phase == "give":
            return {pick(h, board.slots[board.owed[0]]) for h in self._givers(board, board.owed[0])}
        return {"count"}

    def play(self, seat: int | str, action: str) -> None:
        word, _, what = action.partition(" ")
        if seat == CHANCE:
            getattr(self, "_drawn_" + word)(what)
        elif self.phase == "remember":
            self._remember(self.boards[seat], word, what)
        elif self.phase == "reflect":
            self._reflect(self.boards[seat], word, what)
        elif self.phase == "give":
            self._give(self.boards[seat], int(what.partition("-")[0][1:]) - 1)
        else:
            self._count()

    # -- prepare

    def _drawn_begin(self, what: str) -> None:
        self.start = int(what)
        self.phase = "aspire"

    def _drawn_aspire(self, what: str) -> None:
        if self.phase == "reveal":
            self.automa_aspiration = what
            self.revealed = True
            self.phase = "pay_aspirations"
            return
        next(board for board in self.boards if board.aspiration is None).aspiration = what
        if all(board.aspiration for board in self.boards):
            self.phase = "moments"

    def _drawn_moment(self, what: str) -> None:
        tile = int(what[1:]) - 1
        self.deck.remove(tile)
        self.line.append((tile, []))
        if len(self.line) == self.takers + 2:
            self.phase = "fragments"
            self._fill_bag()

    def _drawn_draw(self, what: str) -> None:
        self.bag[what] -= 1
        if self.phase == "reflect":
            board = next(board for board in self.boards if board.task == "draw")
            board.task, board.drawn = "speculate", what
            board.used.add(board.slot)
            return
        on_each = 4 if self.takers == 2 else 5
        next(tokens for _, tokens in self.line if len(tokens) < on_each).append(what)
        if all(len(tokens) == on_each for _, tokens in self.line):
            self.phase = "remember"
            self._begin_turn(self.start)
        else:
            self._fill_bag()

    def _fill_bag(self) -> None:
        """So that the line can be completed."""
        for colour in COLOURS if not self.bag.total() else ():
            if self.supply[colour]:
                self.supply[colour] -= 1
                self.bag[colour] += 1

    # -- remember

    def _begin_turn(self, taker: int) -> None:
        self.turn = taker
        self.hand, self.end, self.emptied, self.moves = [], None, [], []
        if taker == self.players:
            self.wishes = []
        else:
            self.boards[taker].task = "take" if self.boards[taker].empty() else "make_room"

    def _end_turn(self) -> None:
        if self.turn < self.players:
            self.boards[self.turn].task = "wait"
        following = (self.turn + 1) % self.takers
        if self.line:
            self._begin_turn(following)
            return
        self.hand, self.emptied = [], []
        if self.round < ROUNDS - 1:
            self.start = following
        self.phase = "reflect"
        for board in self.boards:
            board.task = "lay" if board.claimed else "choose"

    def _reach(self, line: list, end: str) -> list[str]:
        """The fragments that can be taken next from this end."""
        return line[0 if end == "left" else -1][1] if line else []

    def _without(self, line: list, end: str, colour: str) -> list:
        """The line when one fragment was taken from this end; an emptied tile is no longer the end."""
        at = 0 if end == "left" else len(line) - 1
        tile, tokens = line[at]
        rest = list(tokens)
        rest.remove(colour)
        return line[:at] + ([(tile, rest)] if rest else []) + line[at + 1 :]

    def _can_finish(self, hand: list[str], line: list, end: str) -> bool:
        """Whether these are one, two alike or three different, or can become that."""
        if complete(hand) or len(hand) == 3:
            return complete(hand)
        return any(self._can_finish([*hand, more], self._without(line, end, more), end) for more in set(self._reach(line, end)))

    def _take(self, board: Board) -> set[str]:
        ends = [self.end] if self.end else ["left", "right"] if len(self.line) > 1 else ["left"]
        found = {f"place h{h + 1}" for h in board.empty()} if complete(self.hand) else set()
        for end in ends:
            for colour in set(self._reach(self.line, end)):
                if len(self.hand) < 3 and self._can_finish([*self.hand, colour], self._without(self.line, end, colour), end):
                    found.add(f"{end} {colour}")
        return found

    def _grab(self, end: str, colour: str) -> None:
        tiles = [tile for tile, _ in self.line]
        self.line = self._without(self.line, end, colour)
        self.emptied += [tile for tile in tiles if tile not in [left for left, _ in self.line]]
        self.hand.append(colour)
        self.end = end

    def _remember(self, board: Board, word: str, what: str) -> None:
        if word in ("left", "right"):
            self._grab(word, what)
        elif word == "pick":
            board.picked = picked(what)
        elif word == "done":
            self._end_turn()
        elif board.task == "take":
            board.hexes[int(what[1:]) - 1] += self.hand
            board.claimed += self.emptied
            alone = len(self.hand) == 1
            self.hand, self.emptied = [], []
            if alone:
                board.task = "rewire"
            else:
                self._end_turn()
        else:
            source, colour = board.picked
            self._shift(board, source, int(what[1:]) - 1, colour)
            board.picked = None

    def _shift(self, board: Board, source: int, target: int, colour: str) -> None:
        board.hexes[source].remove(colour)
        board.hexes[target].append(colour)
        self.moves.append((source, target))

    def _onward(self, board: Board, moves: list[tuple[int, int]]) -> list[tuple[int, int]]:
        """Moves that may follow in the same rewiring: all out of one hex, or all into one."""
        found = []
        for source, content in enumerate(board.hexes):
            for target in self.near[source] if content else []:
                together = [*moves, (source, target)]
                if len(board.hexes[target]) < 3 and (len({s for s, _ in together}) == 1 or len({t for _, t in together}) == 1):
                    found.append((source, target))
        return found

    def _makes_room(self, board: Board, moves: list[tuple[int, int]]) -> bool:
        """Whether this rewiring can be brought to an end that leaves an empty hex."""
        if board.empty():
            return True
        for source, target in self._onward(board, moves):
            colour = board.hexes[source][-1]  # which of them does not matter for room
            board.hexes[source].pop()
            board.hexes[target].append(colour)
            well = self._makes_room(board, [*moves, (source, target)])
            board.hexes[target].pop()
            board.hexes[source].append(colour)
            if well:
                return True
        return False

    def _rewirings(self, board: Board) -> list[tuple[int, int]]:
        found = self._onward(board, self.moves)
        if board.task == "rewire":
            return found
        good = []
        for source, target in found:
            colour = board.hexes[source].pop()
            board.hexes[target].append(colour)
            if self._makes_room(board, [*self.moves, (source, target)]):
                good.append((source, target))
            board.hexes[target].pop()
            board.hexes[source].append(colour)
        return good

    def _rewire(self, board: Board) -> set[str]:
        moves = self._rewirings(board)
        if board.picked:
            return {f"place h{target + 1}" for source, target in moves if source == board.picked[0]}
        found = {pick(source, colour) for source, _ in moves for colour in board.hexes[source]}
        return found | ({"done"} if board.task == "rewire" or board.empty() or not found else set())

    # -- the automa, as our own rules have it (the goldfish)

    def _drawn_wish(self, what: str) -> None:
        self.wishes.append(what)
        if len(self.wishes) < len(COLOURS):
            return
        ends = ["left", "right"] if len(self.line) > 1 else ["left"]
        end = next(end for wish in self.wishes for end in ends if wish in self._reach(self.line, end))
        for colour in self._automa_hand(end):
            self._grab(end, colour)
        self.kept.update(self.hand)
        self.automa_claimed += self.emptied
        self.took = (self.hand, end)
        self._end_turn()

    def _automa_hand(self, end: str) -> list[str]:
        first = next(wish for wish in self.wishes if wish in self._reach(self.line, end))
        after = self._without(self.line, end, first)
        for second in self.wishes:
            if second == first or second not in self._reach(after, end):
                continue
            beyond = self._without(after, end, second)
            for third in self.wishes:
                if third not in (first, second) and third in self._reach(beyond, end):
                    return [first, second, third]
        for colour in self.wishes:
            if colour in self._reach(self.line, end) and colour in self._reach(self._without(self.line, end, colour), end):
                return [colour, colour]
        return [first]

    # -- reflect: what lies open

    def _free(self, board: Board) -> list[int]:
        return [slot for slot, tile in enumerate(board.bank) if tile is None]

    def _named(self, action: str) -> int:
        return self.box["bank"]["order"].index(action)

    def _takes(self, tile: int, colour: str) -> bool:
        """Whether the tile's action can take a fragment of the colour from the supply."""
        moment = self.box["moment"][tile]
        return colour == moment["colour"] if moment["action"] == "add" else colour in moment["into"]

    def _open_bank(self, board: Board, action: str) -> bool:
        """Whether the bank action can still be performed, when tiles have been laid as they must."""
        slot = self._named(action)
        return board.bank[slot] is None and slot not in board.used and len(board.claimed) < len(self._free(board))

    def _wants(self, board: Board, colour: str) -> int:
        """The most fragments of the colour that may still go to this player in this phase."""
        open_tiles = [tile for slot, tile in enumerate(board.bank) if tile is not None and slot not in board.flipped]
        most = sum(self._takes(tile, colour) for tile in open_tiles)
        most += min(sum(self._takes(tile, colour) for tile in board.claimed), len(self._free(board)))
        return most + self._open_bank(board, "combine")

    def _reflecting(self) -> set[int]:
        """All together, but nobody takes what those before them might still want of what is short."""
        order = [(self.start + k) % self.takers for k in range(self.takers)]
        waiting = [self.boards[seat] for seat in order if seat < self.players and self.boards[seat].task != "wait"]
        may = set()
        for k, board in enumerate(waiting):
            enough = all(
                not self._wants(board, colour) or sum(self._wants(other, colour) for other in waiting[: k + 1]) <= self.supply[colour]
                for colour in COLOURS
            )
            draws = [self._open_bank(other, "speculate") for other in waiting[: k + 1]]
            if k == 0 or board.task == "lay" or (enough and not (draws[-1] and sum(draws) > self.bag.total())):
                may.add(self.boards.index(board))
        return may

    def _may_lay(self, board: Board) -> set[str]:
        free = self._free(board)
        excess = {"discard"} if len(board.claimed) > len(free) else set()
        return {f"lay {self.box['bank']['order'][slot]}" for slot in free} | excess

    def _may_choose(self, board: Board) -> set[str]:
        return {"done"} | {f"use {name}" for slot, name in enumerate(self.box["bank"]["order"]) if self._possible(board, slot, name)}

    def _possible(self, board: Board, slot: int, name: str) -> bool:
        tile = board.bank[slot]
        if tile is None:
            if name == "speculate":
                return slot not in board.used and bool(self.bag.total() and board.empty())
            return slot not in board.used and bool(getattr(self, "_may_" + name)(board))
        if slot in board.flipped:
            return False
        moment = self.box["moment"][tile]
        if moment["action"] == "add":
            return bool(self.supply[moment["colour"]] and board.empty())
        return bool(self._splits(board, moment))

    def _may_add(self, board: Board) -> set[str]:
        return {f"place h{h + 1}" for h in board.empty()}

    _may_speculate = _may_add

    def _splits(self, board: Board, moment: dict) -> set[str]:
        there = [self.supply[colour] > 0 for colour in moment["into"]]
        return {
            pick(h, moment["colour"])
            for h, content in enumerate(board.hexes)
            if moment["colour"] in content and (any(there) if len(content) == 3 else all(there))
        }

    def _may_split(self, board: Board) -> set[str]:
        return self._splits(board, self.box["moment"][board.bank[board.slot]])

    def _may_split_into(self, board: Board) -> set[str]:
        return {f"colour {colour}" for colour in self.box["moment"][board.bank[board.slot]]["into"] if self.supply[colour]}

    def _may_combine(self, board: Board) -> set[str]:
        if board.picked:
            return {pick(board.picked[0], other) for other in board.hexes[board.picked[0]]}
        return {pick(h, colour) for h, content in enumerate(board.hexes) if len(content) >= 2 for colour in content}

    def _may_combine_into(self, board: Board) -> set[str]:
        return {f"colour {colour}" for colour in COLOURS if self.supply[colour]}

    def _may_nudge(self, board: Board) -> set[str]:
        room = {h: [n for n in self.near[h] if len(board.hexes[n]) < 3] for h in range(len(board.hexes))}
        if board.picked:
            return {f"place h{n + 1}" for n in room[board.picked[0]]}
        return {pick(h, colour) for h, content in enumerate(board.hexes) if room[h] for colour in content}

    def _may_swap(self, board: Board) -> set[str]:
        if board.picked:
            return {pick(n, colour) for n in self.near[board.picked[0]] for colour in board.hexes[n]}
        return {pick(h, colour) for h, content in enumerate(board.hexes) if any(board.hexes[n] for n in self.near[h]) for colour in content}

    # -- reflect: what is done

    def _reflect(self, board: Board, word: str, what: str) -> None:
        if word == "lay":
            board.bank[self._named(what)] = self._next_claim(board)
        elif word == "discard":
            self.out.add(self._next_claim(board))
        elif word == "use":
            board.slot = self._named(what)
            tile = board.bank[board.slot]
            name = what if tile is None else self.box["moment"][tile]["action"]
            board.task = "draw" if name == "speculate" else name
        elif word == "done":
            board.task = "wait"
            if all(other.task == "wait" for other in self.boards):
                self._begin_reward()
        else:
            getattr(self, "_do_" + board.task)(board, what)
        if board.task == "lay" and not board.claimed:
            board.task = "choose"

    def _next_claim(self, board: Board) -> int:
        tile = min(board.claimed)
        board.claimed.remove(tile)
        return tile

    def _performed(self, board: Board) -> None:
        if board.bank[board.slot] is None:
            board.used.add(board.slot)
        else:
            board.flipped.add(board.slot)
        board.task, board.slot, board.picked, board.drawn = "choose", None, None, None

    def _do_add(self, board: Board, what: str) -> None:
        colour = self.box["moment"][board.bank[board.slot]]["colour"]
        self.supply[colour] -= 1
        board.hexes[int(what[1:]) - 1].append(colour)
        self._performed(board)

    def _do_speculate(self, board: Board, what: str) -> None:
        board.hexes[int(what[1:]) - 1].append(board.drawn)
        self._performed(board)

    def _do_split(self, board: Board, what: str) -> None:
        board.picked = picked(what)
        if len(board.hexes[board.picked[0]]) == 3:
            board.task = "split_into"
        else:
            self._replace(board, self.box["moment"][board.bank[board.slot]]["into"])

    def _do_split_into(self, board: Board, what: str) -> None:
        self._replace(board, [what])

    def _replace(self, board: Board, new: list[str]) -> None:
        h, old = board.picked
        board.hexes[h].remove(old)
        board.hexes[h] += new
        self.supply.subtract(new)
        self.supply[old] += 1
        self._performed(board)

    def _do_combine(self, board: Board, what: str) -> None:
        h, colour = picked(what)
        board.hexes[h].remove(colour)
        self.supply[colour] += 1
        if board.picked:
            board.task = "combine_into"
        board.picked = h, colour

    def _do_combine_into(self, board: Board, what: str) -> None:
        self.supply[what] -= 1
        board.hexes[board.picked[0]].append(what)
        self._performed(board)

    def _do_nudge(self, board: Board, what: str) -> None:
        if not board.picked:
            board.picked = picked(what)
            return
        h, colour = board.picked
        board.hexes[h].remove(colour)
        board.hexes[int(what[1:]) - 1].append(colour)
        self._performed(board)

    def _do_swap(self, board: Board, what: str) -> None:
        if not board.picked:
            board.picked = picked(what)
            return
        (h, one), (n, other) = board.picked, picked(what)
        board.hexes[h].remove(one)
        board.hexes[n].remove(other)
        board.hexes[h].append(other)
        board.hexes[n].append(one)
        self._performed(board)

    # -- reward

    def _begin_reward(self) -> None:
        self.phase = "pay_moments"
        for board in self.boards:
            board.used = set()

    def _count(self) -> None:
        getattr(self, "_" + self.phase)()

    def _pay_moments(self) -> None:
        for board in self.boards:
            for slot in sorted(board.flipped):
                tile = board.bank[slot]
                pattern = sorted(self.box["moment"][tile]["pattern"])
                matches = sum(sorted(content) == pattern for content in board.hexes)
                if matches:
                    board.pays["moments"][self.round] += matches * (4 if len(pattern) == 2 else 6)
                    board.bank[slot] = None
                    board.flipped.remove(slot)
                    board.cherished.append(tile)
        for tile in list(self.automa_claimed):
            pattern = self.box["moment"][tile]["pattern"]
            if all(self.kept[colour] >= n for colour, n in Counter(pattern).items()):
                self.automa_pays[self.round] += 4 if len(pattern) == 2 else 6
                self.automa_claimed.remove(tile)
                self.automa_scored.append(tile)
        self.phase = "pay_threads"

    def _threads(self, board: Board, colour: str) -> list[set[int]]:
        """The parts of the board that are connected by the colour."""
        left = {h for h, content in enumerate(board.hexes) if colour in content}
        parts = []
        while left:
            part, edge = set(), {min(left)}
            while edge:
                part |= edge
                edge = {n for h in edge for n in self.near[h]} & left - part
            left -= part
            parts.append(part)
        return parts

    def _touches(self, ring: int) -> list[int]:
        return [h - 1 for h in self.box["outline"]["touches"][ring]]

    def _pay_threads(self) -> None:
        for board in self.boards:
            owed = []
            for colour in COLOURS:
                for part in self._threads(board, colour):
                    slots = [ring for ring, own in board.slots.items() if own == colour and part & set(self._touches(ring))]
                    empty = [ring for ring in slots if ring not in board.filled]
                    if len(slots) >= 2:
                        board.pays["threads"][self.round] += len(part) * len(empty)
                        owed += empty
            board.owed = sorted(owed)
            self._build(board)
        self._all_given()

    def _givers(self, board: Board, ring: int) -> list[int]:
        return [h for h in self._touches(ring) if board.slots[ring] in board.hexes[h]]

    def _build(self, board: Board) -> None:
        """Fragments move into slots, until there is a choice; after the last round it makes no difference which of them goes."""
        while board.owed:
            givers = self._givers(board, board.owed[0])
            if len(givers) > 1 and self.round < ROUNDS - 1:
                return
            self._fill(board, min(givers))

    def _fill(self, board: Board, h: int) -> None:
        ring = board.owed.pop(0)
        board.hexes[h].remove(board.slots[ring])
        board.filled.add(ring)

    def _give(self, board: Board, h: int) -> None:
        self._fill(board, h)
        self._build(board)
        self._all_given()

    def _all_given(self) -> None:
        self.phase = "give" if any(board.owed for board in self.boards) else "pay_core"

    def _pay_core(self) -> None:
        for board in self.boards:
            board.pays["core"][self.round] = sum(points for points, rings in board.clusters if board.filled.issuperset(rings))
        if self.round < ROUNDS - 1:
            self.round += 1
            self.phase = "moments"
            return
        self.revealed = self.players > 1  # alone, together with the automa's
        self.phase = "pay_aspirations" if self.revealed else "reveal"

    def _with(self, tiles: list[int], colour: str) -> int:
        return sum(colour in self.box["moment"][tile]["pattern"] for tile in tiles)

    def _pay_aspirations(self) -> None:
        for board in self.boards:
            colour = board.aspiration
            lying = list(chain(*board.hexes)).count(colour)
            kept = [board.slots[ring] for ring in board.filled].count(colour)
            board.pays["aspiration"] = lying + 2 * kept + 5 * self._with(board.cherished, colour)
        if self.automa_aspiration:
            self.automa_aspired = self.kept[self.automa_aspiration] + 5 * self._with(self.automa_scored, self.automa_aspiration)
        self.phase = "over"

    # -- any legal move, but rather one that leads on: with blind chance there would hardly ever be a thread

    def fancy(self, seat: int, rng: Random) -> str:
        may = sorted(self.legal(seat))
        board = self.boards[seat]
        places = [action for action in may if action.startswith("place")]
        if places and rng.random() < (0.9 if len(places) == len(may) else 0.4):
            colours = self.hand or [board.picked[1] if board.picked else board.drawn]
            return max(places, key=lambda action: (self._promise(board, int(action[7:]) - 1, colours), rng.random()))
        if len(may) > 1 and "done" in may and rng.random() < 0.7:
            may.remove("done")
        return rng.choice(may)

    def _promise(self, board: Board, h: int, colours: list) -> int:
        """Neighbours that hold these colours, and empty slots of theirs that are touched."""
        slots = [board.slots[ring] for ring in board.slots if ring not in board.filled and h in self._touches(ring)]
        return sum(3 * slots.count(colour) + sum(2 * (colour in board.hexes[n]) for n in self.near[h]) for colour in colours)

    # -- how it stands

    def points(self) -> dict[str, list[int]]:
        """By category, the automa last when one plays alone."""
        rows = [{name: sum(paid) if isinstance(paid, list) else paid for name, paid in board.pays.items()} for board in self.boards]
        if self.players == 1:
            rows.append({"moments": sum(self.automa_pays), "threads": 0, "core": 0, "aspiration": self.automa_aspired})
        return {name: [row[name] for row in rows] for name in rows[0]}

    def ranks(self) -> tuple[list[int], str]:
        """Who is first, second ..., and what decided the first place: points, aspiration, or who came last in the final order."""
        points, ties = self.points(), self.ties()
        keys = [(sum(row[taker] for row in points.values()), *(row[taker] for row in ties.values())) for taker in range(self.takers)]
        best = sorted(keys, reverse=True)
        by = next(name for i, name in enumerate(("points", "aspiration", "order")) if best[0][i] > best[1][i])
        return [best.index(key) + 1 for key in keys], by

    def ties(self) -> dict[str, list[int]]:
        return {"aspiration": self.points()["aspiration"], "order": [(taker - self.start) % self.takers for taker in range(self.takers)]}

    def told(self) -> dict:
        """All that lies open, in words."""
        names = self.box["bank"]["order"]
        return {
            "phase": self.phase,
            "round": self.round,
            "start": self.start,
            "line": [(f"m{tile + 1}", sorted(tokens)) for tile, tokens in self.line],
            "home": self._homes(),
            "bag": [self.bag[colour] for colour in COLOURS],
            "supply": [self.supply[colour] for colour in COLOURS],
            "hand": sorted(self.hand),
            "kept": [self.kept[colour] for colour in COLOURS],
            "turn": (self.turn, self.end, *self._rewired()) if self.phase == "remember" else None,
            "wishes": self.wishes[:4] if self.phase == "remember" else None,  # the fifth is the one that is left
            "took": (sorted(self.took[0]), self.took[1]) if self.took else None,
            "task": ["give" if board.owed else board.task for board in self.boards],
            "slot": [None if board.slot is None else names[board.slot] for board in self.boards],
            "hexes": [[sorted(content) for content in board.hexes] for board in self.boards],
            "filled": [sorted(map(str, board.filled)) for board in self.boards],
            "owed": [sorted(map(str, board.owed)) for board in self.boards],
            "bank": [[None if tile is None else f"m{tile + 1}" for tile in board.bank] for board in self.boards],
            "flipped": [sorted(names[slot] for slot in board.flipped) for board in self.boards],
            "used": [sorted(names[slot] for slot in board.used) for board in self.boards],
            "picked": [self._pointed(board) for board in self.boards],
            "paid": [list(board.pays.values()) for board in self.boards],
        }

    def _rewired(self) -> tuple:
        """The one hex that all fragments left so far, and the one that all went into."""
        if not self.moves:
            return None, None
        hexes = ({source for source, _ in self.moves}, {target for _, target in self.moves})
        return tuple(f"h{min(some) + 1}" if len(some) == 1 else None for some in hexes)

    def _pointed(self, board: Board) -> tuple | str | None:
        return (f"h{board.picked[0] + 1}", board.picked[1]) if board.picked and not board.task.endswith("into") else board.drawn

    def _homes(self) -> list[str]:
        """Where each tile is."""
        homes = {tile: "line" for tile in self.emptied} | {tile: "line" for tile, _ in self.line}
        homes |= {tile: "deck" for tile in self.deck} | {tile: "out" for tile in self.out}
        for seat, board in enumerate(self.boards):
            homes |= {tile: f"claimed-{seat}" for tile in board.claimed} | {tile: f"cherished-{seat}" for tile in board.cherished}
            homes |= {tile: f"bank-{seat}" for tile in board.bank if tile is not None}
        homes |= {tile: "claimed-1" for tile in self.automa_claimed} | {tile: "cherished-1" for tile in self.automa_scored}
        return [homes[tile] for tile in range(len(self.box["moment"]))]

    def aspirations(self, seat: int | None) -> list[str | None]:
        """What the seat knows of everybody's aspiration; -1 looks on, None knows all."""
        own = [board.aspiration if self.revealed or seat in (k, None) else None for k, board in enumerate(self.boards)]
        return own + ([self.automa_aspiration] if self.players == 1 else [])


def complete(hand: list[str]) -> bool:
    """One, two alike, or three different."""
    return len(hand) == 1 or (len(hand) == 2 and len(set(hand)) == 1) or (len(hand) == 3 and len(set(hand)) == 3)


def pick(h: int, colour: str) -> str:
    return f"pick h{h + 1}-{colour}"


def picked(what: str) -> tuple[int, str]:
    h, _, colour = what.partition("-")
    return int(h[1:]) - 1, colour
