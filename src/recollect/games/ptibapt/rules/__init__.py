"""Pti Bapt: find the pairs, beware of the reds.

    A   B   C   D   E          20 cards lie in 4 rows of 5: seven green pairs, one golden pair, four reds.
1  [ ] [ ] [ ] [ ] [ ]         A turn opens one card, then another; the turned cards lie open until they
2  [ ] [ ] [ ] [ ] [ ]         are kept or turned back.
3  [ ] [ ] [ ] [ ] [ ]
4  [ ] [ ] [ ] [ ] [ ]         Places are numbered over the largest table, 7 by 7, so `a3` is always the same.
"""

from recollect.engine import CHANCE, EVERYONE, NOBODY, Actions, Field, Option, State, below, known

from ..components import BONUSES, COLOUR, COLOURS, COLUMNS, EFFECT, FACES, GOLDS, GREENS, REDS, SECONDS_A_RED, SIDE, WORTH

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
    lies=Field(EVERYONE, PLACES, dtype="i1"),  # a card lies here
    card=Field(known("known", "sight"), PLACES, dtype="i1", values=FACES),  # its face; -1 while nobody has ever looked at it
    known=Field(EVERYONE, SEATS, PLACES, dtype="i1"),  # the seat has been shown this card
    sight=Field(EVERYONE, SEATS, PLACES, dtype="i1"),  # the seat sees it now
    unseen=Field(NOBODY, FACES, dtype="i1"),  # cards of a face at which nobody has looked
    pile=Field(EVERYONE, SEATS, FACES, dtype="i1"),  # cards kept
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


# Setting the table ----------------------------------------------------------------------------------------------------


def setup(s, o):
    """Place all the cards face down."""
    s.players = o[0]
    s.replay = o[5]
    s.stalemate = o[6] * (o[0] - 1)
    s.one = s.two = s.dealing = -1
    lay_pairs(s, GREEN, 0, o[1])
    lay_pairs(s, GOLD, GREENS, o[2])
    for face in range(GREENS + GOLDS, GREENS + GOLDS + o[3]):
        s.unseen[face] = 1
    s.pairs[RED] = o[3]
    lay_pairs(s, BLUE, GREENS + GOLDS + REDS, BONUSES * o[4] * (o[0] - 1))
    spread(s, 2 * (s.pairs[GREEN] + s.pairs[GOLD] + s.pairs[BLUE]) + s.pairs[RED])
    choose_starter(s, o[7])


def lay_pairs(s, colour, first, count):
    """Two cards of each face."""
    for face in range(first, first + count):
        s.unseen[face] = 2
    s.pairs[colour] = count


def spread(s, cards):
    """The cards lie in rows, the last of which may be short."""
    s.columns = COLUMNS[cards]
    for n in range(cards):
        s.lies[n // s.columns * SIDE + n % s.columns] = 1
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


def legal(s, seat, mask):
    """Any card may be turned, and then any other."""
    if s.step == FIRST or s.step == SECOND:
        for p in range(PLACE_COUNT):
            if s.lies[p] == 1 and p != s.one:
                mask[TURN + p] = 1
    elif s.step == KEEPING:
        mask[KEEP] = 1
    elif s.step == TURNING:
        mask[TURN_BACK] = 1
    elif s.step == LOOKING:
        legal_looks(s, seat, mask)


def legal_looks(s, seat, mask):
    """The lantern lights a card that lies face down, or goes out."""
    mask[PUT_OUT] = 1
    if s.looks > 0:
        for p in range(PLACE_COUNT):
            if s.lies[p] == 1 and s.sight[seat, p] == 0:
                mask[LOOK + p] = 1


def reach(s, seat):
    """First and one past the last action that can be legal, or drawn, now."""
    if s.step == START:
        return BEGIN, TURN
    if s.dealing >= 0:
        return DEAL, DEAL + FACE_COUNT
    if s.step == FIRST or s.step == SECOND:
        return TURN, KEEP
    if s.step == LOOKING:
        return LOOK, DEAL
    return KEEP, LOOK


def odds(s, weights):
    """A card nobody has looked at may be any of those nobody has looked at."""
    if s.step == START:
        weights[BEGIN] = 1
        weights[BEGIN + 1] = 1
    else:
        for face in range(FACE_COUNT):
            weights[DEAL + face] = s.unseen[face]


def apply(s, seat, action):
    """Carry out a legal action and pass the question on."""
    if action >= DEAL:
        deal(s, action - DEAL)
    elif action == PUT_OUT:
        put_out(s, seat)
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


def deal(s, face):
    """The card has this face; until now nobody could know."""
    p = s.dealing
    s.dealing = -1
    s.unseen[face] -= 1
    s.card[p] = face
    if s.step == LOOKING:
        lit(s, p)
    else:
        opened(s, p)


def opened(s, p):
    """Everyone sees the card."""
    for seat in range(SEATS):
        if s.known[seat, p] == 0:
            s.news = 1
        s.known[seat, p] = 1
        s.sight[seat, p] = 1
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
    s.pile[s.turn, s.card[p]] += 1
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
        s.pile[s.turn, face] = 2
        end_turn(s, 1 if colour == GOLD or s.replay == 1 else 0)


def clear(s, p):
    """The place stays empty."""
    s.lies[p] = 0
    s.card[p] = -1
    s.idle = -1  # the turn that ends now brought something
    for seat in range(SEATS):
        s.known[seat, p] = 0
        s.sight[seat, p] = 0


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
    for seat in range(SEATS):
        if s.one >= 0:
            s.sight[seat, s.one] = 0
        if s.two >= 0:
            s.sight[seat, s.two] = 0
    s.one = s.two = -1


def uncover(s):
    """After the end the cards that somebody has seen are turned up; the others never had a face."""
    for p in range(PLACE_COUNT):
        if s.card[p] >= 0:
            for seat in range(SEATS):
                s.known[seat, p] = 1
                s.sight[seat, p] = 1


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
    s.known[s.turn, p] = 1
    s.sight[s.turn, p] = 1
    s.looks -= 1


def put_out(s, seat):
    """The lantern goes out and the turn is over."""
    s.looks = 0
    for p in range(PLACE_COUNT):
        s.sight[seat, p] = 0
    end_turn(s, 0)


def give_red(s):
    """One red card goes from the finder's pile to the other's."""
    for face in range(GREENS + GOLDS, GREENS + GOLDS + REDS):
        if s.pile[s.turn, face] == 1:
            s.pile[s.turn, face] = 0
            s.pile[1 - s.turn, face] = 1
            return


# The end --------------------------------------------------------------------------------------------------------------


def points(s, out):
    """Each card counts what is printed on it."""
    for seat in range(s.players):
        for face in range(GREENS + GOLDS + REDS):
            out[seat, COLOUR[face]] += s.pile[seat, face] * WORTH[COLOUR[face]]


def ties(s, out):
    """Equal points are a draw."""


def reds(s, seat):
    """Red cards in the pile."""
    count = 0
    for face in range(GREENS + GOLDS, GREENS + GOLDS + REDS):
        count += s.pile[seat, face]
    return count


def time_counted(elapsed, reds):
    """Alone, ten seconds are added for each red card."""
    return elapsed + SECONDS_A_RED * reds


# What a seat cannot know ----------------------------------------------------------------------------------------------


def redeal(s, seat, r):
    """Cards that only the other has seen, by a lantern, are shuffled back among those that nobody has seen, and drawn again."""
    for p in range(PLACE_COUNT):
        if secret(s, seat, p):
            s.unseen[s.card[p]] += 1
    for p in range(PLACE_COUNT):
        if secret(s, seat, p):
            s.card[p] = draw_unseen(s, r)


def secret(s, seat, p):
    """Somebody has seen this card, but not this seat; a spectator has seen what all have."""
    if s.card[p] < 0:
        return False
    if seat < 0:
        return s.known[0, p] == 0 or s.known[1, p] == 0
    return s.known[seat, p] == 0


def draw_unseen(s, r):
    """The face of one of the cards at which nobody has looked."""
    total = 0
    for face in range(FACE_COUNT):
        total += s.unseen[face]
    k = below(r, total)
    for face in range(FACE_COUNT):
        k -= s.unseen[face]
        if k < 0:
            s.unseen[face] -= 1
            return face
    return -1
