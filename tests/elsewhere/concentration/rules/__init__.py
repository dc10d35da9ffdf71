"""Concentration: turn two cards; a pair is yours, and the turn passes either way. Everything is shown to everybody."""

from recollect.engine import CHANCE, EVERYONE, NOBODY, Actions, Field, Option, State, known

VERSION = 1
SEATS = 4
FACES = ("apple", "bell", "cat", "drum", "egg", "fish")
PLACES = tuple(f"{column}{row}" for row in range(1, 4) for column in "abcd")
OPTIONS = (Option("players", (2, 4), default=2), Option("show", (1, 2, 5), default=2, rules=False))
POINTS = ("pairs",)
TIES = ()

STATE = State(
    players=Field(EVERYONE),
    turn=Field(EVERYONE),
    one=Field(EVERYONE, values=PLACES),  # the first open card; -1 none
    two=Field(EVERYONE, values=PLACES),  # the second; -1 none
    card=Field(known("known", "sight"), PLACES, values=FACES),  # -1: nobody has ever looked at it
    known=Field(EVERYONE, SEATS, of=PLACES),
    sight=Field(EVERYONE, SEATS, of=PLACES),
    lies=Field(EVERYONE, of=PLACES),  # where a card lies
    unseen=Field(NOBODY, FACES),  # how many of each nobody has looked at
    pairs=Field(EVERYONE, SEATS),
)
ACTIONS = Actions(turn=PLACES, go_on=None, deal=FACES)
TURN, GO_ON, DEAL = ACTIONS.starts("turn", "go_on", "deal")
PACED = ("go_on",)
UNEVEN = ("deal",)


def setup(s, o):
    """Six pairs lie face down."""
    s.players = o[0]
    s.one = s.two = -1
    s.lies = (1 << len(PLACES)) - 1
    for p in range(len(PLACES)):
        s.card[p] = -1
    for face in range(len(FACES)):
        s.unseen[face] = 2


def acting(s):
    """In turn, until no card lies there; chance says what is turned for the first time."""
    if s.lies == 0:
        return 0
    latest = s.two if s.two >= 0 else s.one
    if latest >= 0 and s.card[latest] < 0:
        return 1 << CHANCE
    return 1 << s.turn


def choices(s, seat):
    """Any card that lies face down; two open cards are looked at."""
    if seat == CHANCE:
        return DEAL, faces_left(s), 0
    if s.two >= 0:
        return GO_ON, 1, 0
    return TURN, s.lies & ~s.sight[0], 0


def faces_left(s):
    """The faces of which one or two have not been seen."""
    some = 0
    for face in range(len(FACES)):
        if s.unseen[face] > 0:
            some |= 1 << face
    return some


def odds(s, action):
    """As many as are left of this face."""
    return s.unseen[action - DEAL]


def apply(s, seat, action):
    """Carry out a legal action."""
    if action == GO_ON:
        go_on(s)
    elif action < GO_ON:
        turn(s, action - TURN)
    else:
        place = s.two if s.two >= 0 else s.one
        s.card[place] = action - DEAL
        s.unseen[action - DEAL] -= 1
        show(s, place)


def turn(s, place):
    """The first card, or the second."""
    if s.one < 0:
        s.one = place
    else:
        s.two = place
    if s.card[place] >= 0:
        show(s, place)


def show(s, place):
    """Open for all."""
    for seat in range(SEATS):
        s.known[seat] |= 1 << place
        s.sight[seat] |= 1 << place


def go_on(s):
    """A pair is kept, other cards are turned back; the next player turns."""
    if s.card[s.one] == s.card[s.two]:
        s.pairs[s.turn] += 1
        s.lies &= ~(1 << s.one | 1 << s.two)
    for seat in range(SEATS):
        s.sight[seat] = 0
    s.one = s.two = -1
    s.turn = s.turn + 1 if s.turn + 1 < s.players else 0


def points(s, out):
    """A point a pair."""
    for seat in range(SEATS):
        out[seat, 0] = s.pairs[seat]


def ties(s, out):
    """Equal pairs are a draw."""


def redeal(s, seat, r):
    """Nobody knows anything that another does not: there is nothing to deal again."""
