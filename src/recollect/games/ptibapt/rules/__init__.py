"""Pti Bapt: find the pairs, beware of the reds.

    A   B   C   D   E          20 cards lie in 4 rows of 5: seven green pairs, one golden pair, four reds.
1  [ ] [ ] [ ] [ ] [ ]         A turn opens one card, then another; the turned cards lie open until they
2  [ ] [ ] [ ] [ ] [ ]         are kept or turned back.
3  [ ] [ ] [ ] [ ] [ ]
4  [ ] [ ] [ ] [ ] [ ]         Places are numbered over the largest table, 7 by 7, so `a3` is always the same.
"""

import numpy as np

from recollect.engine import CHANCE, EVERYONE, NOBODY, Actions, Field, Option, State, known, size
from recollect.engine.unseen import SECOND as TWIN
from recollect.engine.unseen import copies, deal, hide_all, redeal, show, show_all, twice, uncover, undealt

from ..components import BONUSES, COLOUR, COLOURS, COLUMNS, EFFECT, FACES, GOLDS, GREENS, REDS, SECONDS_A_RED, SIDE, WORTH

__all__ = ["redeal"]  # what a seat cannot know is what only the other saw, by a lantern

VERSION = 1
SEATS = 2
PLACES = tuple(f"{column}{row}" for row in range(1, SIDE + 1) for column in "abcdefg")
PLACE_COUNT = len(PLACES)
FACE_COUNT = len(FACES)

OPTIONS = (
    Option("players", (1, 2), default=2),
    Option("greens", tuple(range(2, GREENS + 1)), default=7),  # green pairs
    Option("golds", tuple(range(GOLDS + 1)), default=1),  # golden pairs
    Option("reds", tuple(range(REDS + 1)), default=4),  # red cards
    Option("bonus", (False, True), default=False),  # the extension: blue pairs
    Option("replay", (False, True), default=False),  # a green pair plays again, as in the classic game
    Option("stalemate", (True, False), default=True),  # the game ends after six turns that bring nothing
    Option("starts", ("draw", "first", "second"), default="draw"),  # whose last walk was the longest
    Option("show", (0.8, 1.2, 2, 3, 4, 5), default=2, rules=False),  # seconds two cards lie open
    Option("hints", (False, True), default=False, rules=False),  # whether who is asked may ask the elephant
)


def REFUSES(options):
    """Bonus cards cannot be used alone."""
    return "Bonus cards cannot be used in a solo game." if options["players"] == 1 and options["bonus"] else None


VARIANTS: tuple[dict[str, object], ...] = (  # what the tests of all games play
    {},
    {"players": 1},
    {"players": 1, "greens": 2, "golds": 0, "reds": 0},
    {"bonus": True},
    {"bonus": True, "greens": 2, "golds": 0, "reds": 0, "starts": "first"},
    {"bonus": True, "greens": 3, "golds": 0, "reds": 1, "starts": "second", "stalemate": False},
    {"bonus": True, "greens": 12, "golds": 2, "reds": 8},
    {"golds": 0, "reds": 0, "replay": True},
    {"bonus": True, "greens": 8, "golds": 2, "reds": 1, "starts": "first"},
)
POINTS = ("green", "gold", "red")
TIES = ()  # equal points are a draw
PATIENCE = 6  # turns in a row that bring nothing before the game is called
LOOKS = 2  # cards that a lantern lights

GREEN, GOLD, RED, BLUE = 0, 1, 2, 3
AGAIN, LANTERN, GIFT = 1, 2, 3
STEPS = ("start", "first", "second", "keep", "turn_back", "lantern", "over")
START, FIRST, SECOND, KEEPING, TURNING, LOOKING, OVER = range(7)

STATE = State(
    players=Field(EVERYONE, dtype="i1"),
    replay=Field(EVERYONE, dtype="i1"),  # a green pair plays again
    stalemate=Field(EVERYONE, dtype="i1"),  # the game ends when nothing happens any more
    columns=Field(EVERYONE, dtype="i1"),  # of the table
    step=Field(EVERYONE, dtype="i1", values=STEPS),  # what is asked now
    turn=Field(EVERYONE, dtype="i1"),  # the seat whose turn it is
    one=Field(EVERYONE, dtype="i1", values=PLACES),  # place of the first open card, -1 when there is none
    two=Field(EVERYONE, dtype="i1", values=PLACES),  # place of the second open card, or -1
    dealing=Field(EVERYONE, dtype="i1", values=PLACES),  # place whose card chance now draws, or -1
    looks=Field(EVERYONE, dtype="i1"),  # cards that the lantern may still light
    news=Field(EVERYONE, dtype="i1"),  # this turn somebody saw a card for the first time
    idle=Field(EVERYONE, dtype="i1"),  # turns in a row that brought nothing
    pairs=Field(EVERYONE, COLOURS, dtype="i1"),  # pairs still on the table; of red, cards
    lies=Field(EVERYONE, of=PLACES),  # where a card lies
    card=Field(known("known", "sight"), PLACES, dtype="i1", values=FACES),  # its face; -1 while nobody has ever looked at it
    known=Field(EVERYONE, SEATS, of=PLACES),  # where the seat has been shown the card
    sight=Field(EVERYONE, SEATS, of=PLACES),  # where it sees it now
    unseen=Field(NOBODY, of=twice(FACES)),  # the cards at which nobody has looked
    pile=Field(EVERYONE, SEATS, of=FACES),  # what the seat has kept: of a pair both cards, of red the one
)

ACTIONS = Actions(
    begin=("0", "1"),  # chance: who starts
    turn=PLACES,  # turn a card over
    keep=None,  # take the pair, or the red card
    turn_back=None,  # two cards that differ are turned face down again
    look=PLACES,  # the lantern lights a card
    put_out=None,  # the lantern goes out
    deal=FACES,  # chance: the face of a card that is looked at for the first time
)
BEGIN, TURN, KEEP, TURN_BACK, LOOK, PUT_OUT, DEAL = ACTIONS.starts(*ACTIONS.ranges)
PACED = ("keep", "turn_back")
UNEVEN = ("deal",)  # of a pair there may be two left, or one
OF_COLOUR = np.array([sum(1 << face for face in range(FACE_COUNT) if COLOUR[face] == colour) for colour in range(len(COLOURS))])  # faces
ROW = (1 << SIDE) - 1


# Setting the table ----------------------------------------------------------------------------------------------------


def setup(s, o):
    """Place all the cards face down."""
    s.players = o[0]
    s.replay = o[5]
    s.stalemate = o[6] * (o[0] - 1)
    s.one = s.two = s.dealing = -1
    lay_pairs(s, GREEN, 0, o[1])
    lay_pairs(s, GOLD, GREENS, o[2])
    lay_reds(s, o[3])
    lay_pairs(s, BLUE, GREENS + GOLDS + REDS, BONUSES * o[4] * (o[0] - 1))
    spread(s, size(s.unseen))
    choose_starter(s, o[7])


def lay_pairs(s, colour, first, count):
    """Two cards of each face."""
    faces = ((1 << count) - 1) << first
    s.unseen |= faces | faces << TWIN
    s.pairs[colour] = count


def lay_reds(s, count):
    """Each is alone."""
    s.unseen |= ((1 << count) - 1) << (GREENS + GOLDS)
    s.pairs[RED] = count


def spread(s, cards):
    """The cards lie in rows, the last of which may be short."""
    s.columns = COLUMNS[cards]
    row = 0
    while cards > 0:
        s.lies |= ((1 << min(cards, s.columns)) - 1) << row
        cards -= s.columns
        row += SIDE
    for p in range(PLACE_COUNT):
        s.card[p] = -1


def choose_starter(s, starts):
    """Who walked furthest begins; if nobody says who that is, lots are drawn."""
    if s.players == 1:
        s.step = FIRST
    elif starts == 0:
        s.step = START
    else:
        s.turn = starts - 1
        s.step = FIRST


# Who may do what ------------------------------------------------------------------------------------------------------


def acting(s):
    """The player whose turn it is, or chance when a card is looked at for the first time."""
    if s.step == OVER:
        return 0
    if s.step == START or s.dealing >= 0:
        return 1 << CHANCE
    return 1 << s.turn


def choices(s, seat):
    """Any card may be turned, and then any other; chance deals what is looked at for the first time."""
    if s.dealing >= 0:
        return DEAL, undealt(s), 0
    if s.step == FIRST:
        return TURN, s.lies, 0
    if s.step == SECOND:
        return TURN, s.lies & ~(1 << s.one), 0
    if s.step == KEEPING:
        return KEEP, 1, 0
    if s.step == TURNING:
        return TURN_BACK, 1, 0
    if s.step == LOOKING:
        return LOOK, places_to_light(s, seat) | 1 << (PUT_OUT - LOOK), 0
    return BEGIN, 3, 0


def places_to_light(s, seat):
    """The lantern lights two cards that lie face down."""
    return s.lies & ~s.sight[seat] if s.looks > 0 else 0


def odds(s, action):
    """A card nobody has looked at may be any of those nobody has looked at."""
    return copies(s, action - DEAL)


def apply(s, seat, action):
    """Carry out a legal action and pass the question on."""
    if action >= DEAL:
        dealt(s, action - DEAL)
    elif action == PUT_OUT:
        put_out(s)
    elif action >= LOOK:
        look(s, action - LOOK)
    elif action == TURN_BACK:
        turn_back(s)
    elif action == KEEP:
        keep(s)
    elif action >= TURN:
        turn(s, action - TURN)
    else:
        begin(s, action - BEGIN)


# A turn ---------------------------------------------------------------------------------------------------------------


def begin(s, seat):
    """Lots are drawn: this player starts."""
    s.turn = seat
    s.step = FIRST


def turn(s, p):
    """Turn a card over where it lies."""
    if s.card[p] < 0:
        s.dealing = p
    else:
        opened(s, p)


def dealt(s, face):
    """The card has this face; until now nobody could know."""
    p = s.dealing
    s.dealing = -1
    deal(s, p, face)
    if s.step == LOOKING:
        lit(s, p)
    else:
        opened(s, p)


def opened(s, p):
    """Everyone sees the card."""
    s.news |= ~(s.known[0] & s.known[1]) >> p & 1
    show_all(s, p)
    if s.one < 0:
        first_card(s, p)
    else:
        second_card(s, p)


def first_card(s, p):
    """A red card is kept; any other asks for a second."""
    s.one = p
    s.step = KEEPING if COLOUR[s.card[p]] == RED else SECOND


def second_card(s, p):
    """A red card is kept; two alike are kept; two that differ are turned back."""
    s.two = p
    s.step = KEEPING if COLOUR[s.card[p]] == RED or alike(s) else TURNING


def alike(s):
    """Both open cards show the same."""
    return s.card[s.one] == s.card[s.two]


def turn_back(s):
    """Both cards are laid face down again."""
    end_turn(s, 0)


def keep(s):
    """The player takes the red card, or the pair."""
    if s.two < 0:
        keep_red(s, s.one)
    elif alike(s):
        keep_pair(s)
    else:
        keep_red(s, s.two)


def keep_red(s, p):
    """A red card is kept and the turn is over; the first card, if there was one, is turned back."""
    s.pile[s.turn] |= 1 << s.card[p]
    s.pairs[RED] -= 1
    clear(s, p)
    end_turn(s, 0)


def keep_pair(s):
    """A green or golden pair is kept; a blue pair has its effect and leaves the game. Gold plays again, green does not."""
    face = s.card[s.one]
    colour = COLOUR[face]
    clear(s, s.one)
    clear(s, s.two)
    s.pairs[colour] -= 1
    if colour == BLUE:
        bonus(s, EFFECT[face])
    else:
        s.pile[s.turn] |= 1 << face
        end_turn(s, 1 if colour == GOLD or s.replay == 1 else 0)


def clear(s, p):
    """The place stays empty."""
    s.lies &= ~(1 << p)
    s.card[p] = -1
    s.idle = -1  # the turn that ends now brought something
    for seat in range(SEATS):
        s.known[seat] &= s.lies


def end_turn(s, again):
    """No card lies open any more. The other player's turn, unless the finder plays again or the game is over."""
    hide(s)
    count_idle(s)
    if finished(s) or (s.stalemate == 1 and s.idle >= PATIENCE):
        s.step = OVER
        uncover(s)
        return
    s.step = FIRST
    if again == 0 and s.players == 2:
        s.turn = 1 - s.turn


def hide(s):
    """The open cards are laid face down again; of those that were kept nothing lies there."""
    hide_all(s)
    s.one = s.two = -1


def count_idle(s):
    """A turn brings something if a card leaves the table or is seen for the first time."""
    if s.idle < 0 or s.news == 1 or s.stalemate == 0:
        s.idle = 0
    else:
        s.idle += 1
    s.news = 0


def finished(s):
    """The last green pair is found; alone, the last golden pair as well."""
    return s.pairs[GREEN] == 0 and (s.players == 2 or s.pairs[GOLD] == 0)


# The extension --------------------------------------------------------------------------------------------------------


def bonus(s, effect):
    """The effect of a blue pair."""
    if effect == LANTERN:
        light(s)
    else:
        if effect == GIFT:
            give_red(s)
        end_turn(s, 1 if effect == AGAIN else 0)


def light(s):
    """The finder may look at two cards that lie face down; nobody else sees them."""
    hide(s)
    s.looks = LOOKS
    s.step = LOOKING


def look(s, p):
    """The lantern lights this card."""
    if s.card[p] < 0:
        s.dealing = p
    else:
        lit(s, p)


def lit(s, p):
    """The card is seen by the finder alone."""
    show(s, s.turn, p)
    s.looks -= 1


def put_out(s):
    """The lantern goes out and the turn is over."""
    s.looks = 0
    end_turn(s, 0)


def give_red(s):
    """One red card goes from the finder's pile to the other's."""
    mine = s.pile[s.turn] & OF_COLOUR[RED]
    first = mine & -mine
    s.pile[s.turn] &= ~first
    s.pile[1 - s.turn] |= first


# The end --------------------------------------------------------------------------------------------------------------


def points(s, out):
    """Each card counts what is printed on it."""
    for seat in range(s.players):
        for colour in (GREEN, GOLD, RED):
            out[seat, colour] += cards_kept(s, seat, colour) * WORTH[colour]


def ties(s, out):
    """Equal points are a draw."""


def cards_kept(s, seat, colour):
    """Cards of a colour in the pile: reds are alone, the others lie in pairs."""
    return size(s.pile[seat] & OF_COLOUR[colour]) * (1 if colour == RED else 2)


def reds(s, seat):
    """Red cards in the pile."""
    return cards_kept(s, seat, RED)


def time_counted(elapsed, reds):
    """Alone, ten seconds are added for each red card."""
    return elapsed + SECONDS_A_RED * reds
