"""The island, the piles, and what may be done."""

import numpy as np

from recollect.engine import EVERYONE, NOBODY, Actions, Field, Option, State, known

from ..components import ANIMALS, LANDSCAPES, TREASURES

SEATS = 4
#     A  B  C  D  E
#  1  0  1  2  3  4      north
#  2  5  6  7  8  9
#  3 10 11 12 13 14      12 is the centre: piles of volcanoes and treasures
#  4 15 16 17 18 19
#  5 20 21 22 23 24      south
PLACES = tuple(f"{column}{row}" for row in "12345" for column in "abcde")
CENTRE = 12
CARDS = tuple(f"{animal}-{landscape}" for animal in ANIMALS for landscape in LANDSCAPES)  # card = animal * 5 + landscape
SIDES = ("north", "east", "south", "west")
VOLCANOES = ("0", "1", "2")
ROUNDS = 7

OPTIONS = (
    Option("players", (2, 3, 4), default=2),
    Option("mode", ("base", "expert"), default="base"),
    Option("treasures", ("shuffled", "sorted"), default="shuffled"),
    Option("first", ("random", "first_seat"), default="random"),
    Option("hints", (False, True), default=False, rules=False),  # whether who is asked may ask the elephant
)
POINTS = ("rubies",)
TIES = ("treasures", "best_treasure")
STAGES = (
    "first_player",  # chance names the first player
    "choose_side",  # each player in turn chooses a side of the island...
    "look_deal",  # ... (chance deals the three middle cards)
    "look",  # ... and looks at them
    "volcano_deal",  # chance lays a volcano on top of the pile
    "turn",  # the player turns a card
    "turn_deal",  # (chance deals it)
    "buried",  # nothing is left to turn: the player takes a volcano
    "peek",  # penguin: which card to look at
    "peek_deal",  # (chance deals it)
    "peeking",  # the player looks, then puts it back
    "swap",  # octopus: with which neighbour to change places
    "guard",  # walrus: which card the next player may not turn
    "round_won",  # the last player without a volcano takes the treasure
    "treasure_deal",  # chance deals what the treasures hold, after the last round
    "over",
)

STATE = State(
    players=Field(EVERYONE, dtype="i1"),
    expert=Field(EVERYONE, dtype="i1"),  # 1: animals have powers
    sorted_pile=Field(EVERYONE, dtype="i1"),  # 1: treasures lie in rising order
    stage=Field(EVERYONE, values=STAGES, dtype="i1"),  # what is being asked
    turn=Field(EVERYONE, dtype="i1"),  # whose question it is
    starter=Field(EVERYONE, dtype="i1"),  # who opens this round
    rounds=Field(EVERYONE, dtype="i1"),  # rounds finished
    side=Field(EVERYONE, SEATS, values=SIDES, dtype="i1"),  # the side of the island each seat chose; -1 not yet
    card=Field(known("known", "sight"), PLACES, values=CARDS, dtype="i1"),  # -1: nobody has looked yet, so it is no card in particular
    unseen=Field(NOBODY, of=CARDS),  # cards at which nobody has looked
    known=Field(EVERYONE, SEATS, of=PLACES),  # where the seat has been shown the card
    sight=Field(EVERYONE, SEATS, of=PLACES),  # where it sees it now
    up=Field(EVERYONE, of=PLACES),  # face up
    last=Field(EVERYONE, values=PLACES, dtype="i1"),  # the card turned last, to link with; -1: this round is not opened
    pending=Field(EVERYONE, values=PLACES, dtype="i1"),  # the place whose card is being turned or looked at; -1 none
    guarded=Field(EVERYONE, values=PLACES, dtype="i1"),  # closed by a walrus for this turn; -1 none
    top=Field(EVERYONE, values=VOLCANOES, dtype="i1"),  # the volcano on top of the pile; -1 none
    pile=Field(EVERYONE, dtype="i1"),  # volcanoes in the pile
    in_game=Field(EVERYONE, of=VOLCANOES),  # volcanoes met so far: the game uses one fewer than players
    volcano=Field(EVERYONE, SEATS, values=VOLCANOES, dtype="i1"),  # the volcano before a seat; -1 none: still in the round
    owner=Field(EVERYONE, ROUNDS, dtype="i1"),  # who took the treasure of each round; -1 nobody yet
    rubies=Field(EVERYONE, ROUNDS, dtype="i1"),  # what it holds; 0: nobody knows yet
    closed=Field(EVERYONE, of=TREASURES),  # the treasures that nobody has opened
)
ACTIONS = Actions(
    side=SIDES,
    put_back=None,
    reveal=PLACES,
    take_volcano=None,
    peek=PLACES,
    swap=SIDES,
    guard=PLACES,
    take_treasure=None,
    first=SEATS,
    deal=CARDS,
    volcano=VOLCANOES,
    treasure=TREASURES,
)
PACED = ("take_treasure",)  # the round is over: everybody sees the last card before all are turned down
SIDE, PUT_BACK, REVEAL, TAKE_VOLCANO, PEEK, SWAP, GUARD, TAKE_TREASURE, FIRST, DEAL, VOLCANO, TREASURE = ACTIONS.starts(
    "side", "put_back", "reveal", "take_volcano", "peek", "swap", "guard", "take_treasure", "first", "deal", "volcano", "treasure"
)
(
    FIRST_PLAYER,
    CHOOSE_SIDE,
    LOOK_DEAL,
    LOOK,
    VOLCANO_DEAL,
    TURN,
    TURN_DEAL,
    BURIED,
    PEEK_WHICH,
    PEEK_DEAL,
    PEEKING,
    SWAP_WHICH,
    GUARD_WHICH,
    ROUND_WON,
    TREASURE_DEAL,
    OVER,
) = range(len(STAGES))
DEALS = sum(1 << _stage for _stage in (FIRST_PLAYER, LOOK_DEAL, VOLCANO_DEAL, TURN_DEAL, PEEK_DEAL, TREASURE_DEAL))  # asked of chance
CRAB, PENGUIN, OCTOPUS, TURTLE, WALRUS = map(ANIMALS.index, ("crab", "penguin", "octopus", "turtle", "walrus"))

ISLAND = (1 << 25) - 1 & ~(1 << CENTRE)  # the places of the 24 location cards
MIDDLE = np.array([[1, 2, 3], [9, 14, 19], [21, 22, 23], [5, 10, 15]])  # the middle three of each side...
MIDDLES = (1 << MIDDLE).sum(axis=1)  # ... as a set
LINKS = np.array([sum(1 << b for b in range(25) if a // 5 == b // 5 or a % 5 == b % 5) for a in range(25)])  # same animal or landscape
ASKS = np.zeros(len(STAGES), np.int64)  # the first of the actions that each stage asks for
for _stage, _name in (
    (FIRST_PLAYER, "first"),
    (CHOOSE_SIDE, "side"),
    (LOOK_DEAL, "deal"),
    (LOOK, "put_back"),
    (VOLCANO_DEAL, "volcano"),
    (TURN, "reveal"),
    (TURN_DEAL, "deal"),
    (BURIED, "take_volcano"),
    (PEEK_WHICH, "peek"),
    (PEEK_DEAL, "deal"),
    (PEEKING, "put_back"),
    (SWAP_WHICH, "swap"),
    (GUARD_WHICH, "guard"),
    (ROUND_WON, "take_treasure"),
    (TREASURE_DEAL, "treasure"),
):
    ASKS[_stage] = ACTIONS.ranges[_name].start
