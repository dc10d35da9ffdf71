"""The rules of Seven Cards: in turn look at a card, then keep one that lies face down; the highest sum wins."""

from recollect.engine import CHANCE, EVERYONE, Actions, Field, Option, State, below, known

from ..components import CARDS, VALUE

VERSION = 1
SEATS = 3
PLACES = tuple("abcdefghijkl"[:CARDS])
OPTIONS = (Option("players", (2, 3), default=2),)
POINTS = ("cards",)
TIES = ("highest",)

STATE = State(
    players=Field(EVERYONE),
    turn=Field(EVERYONE),  # whose question it is
    looking=Field(EVERYONE, values=PLACES),  # the card being looked at or kept; -1 none
    keeping=Field(EVERYONE),  # 1: it is being kept
    card=Field(known("known", "sight"), PLACES),  # 1, 2, ...; -1: nobody has looked, so it is no card in particular
    known=Field(EVERYONE, SEATS, PLACES, dtype="i1"),  # who has been shown it
    sight=Field(EVERYONE, SEATS, PLACES, dtype="i1"),  # who sees it now
    owner=Field(EVERYONE, PLACES),  # who keeps it, face up; -1 nobody
    kept=Field(EVERYONE, SEATS),  # how many each keeps
    seen=Field(EVERYONE),  # 1: this turn's look is done
)
ACTIONS = Actions(look=PLACES, keep=PLACES, put_back=None, deal=CARDS + 1)
LOOK, KEEP, PUT_BACK, DEAL = ACTIONS.starts("look", "keep", "put_back", "deal")


def setup(s, o):
    """Seven cards lie face down."""
    s.players = o[0]
    s.looking = -1
    for i in range(CARDS):
        s.card[i] = s.owner[i] = -1


def acting(s):
    """Each keeps two cards; chance deals what is looked at for the first time."""
    if s.kept[s.turn] == 2:
        return 0
    if s.looking >= 0 and s.card[s.looking] < 0:
        return 1 << CHANCE
    return 1 << s.turn


def choices(s, seat):
    """First look at a card that lies face down, put it back, then keep one; chance deals any card that is nowhere yet."""
    if seat == CHANCE:
        return DEAL, undealt(s), 0
    if s.looking >= 0:
        return PUT_BACK, 1, 0
    return KEEP if s.seen else LOOK, face_down(s), 0


def undealt(s):
    """The cards at which nobody has looked."""
    some = (1 << CARDS + 1) - 2
    for i in range(CARDS):
        if s.card[i] >= 0:
            some &= ~(1 << s.card[i])
    return some


def face_down(s):
    """The places of the cards that nobody keeps."""
    some = 0
    for i in range(CARDS):
        if s.owner[i] < 0:
            some |= 1 << i
    return some


def apply(s, seat, action):
    """Carry out a legal action and pass the question on."""
    if action == PUT_BACK:
        put_back(s, seat)
    elif action < PUT_BACK:
        s.keeping = action >= KEEP
        s.looking = action - KEEP if s.keeping else action - LOOK
        if s.card[s.looking] >= 0:
            show(s)
    else:
        s.card[s.looking] = action - DEAL
        show(s)


def show(s):
    """A look is for one; a kept card lies open for all."""
    i = s.looking
    if s.keeping:
        for seat in range(SEATS):
            s.known[seat, i] = s.sight[seat, i] = 1
        keep(s, i)
    else:
        s.known[s.turn, i] = s.sight[s.turn, i] = 1


def put_back(s, seat):
    """Face down again."""
    s.sight[seat, s.looking] = 0
    s.looking = -1
    s.seen = 1


def keep(s, i):
    """It counts for its owner; the next player looks."""
    s.owner[i] = s.turn
    s.kept[s.turn] += 1
    s.looking = -1
    s.keeping = s.seen = 0
    s.turn = s.turn + 1 if s.turn + 1 < s.players else 0


def points(s, out):
    """The sum of what each keeps."""
    for i in range(CARDS):
        if s.owner[i] >= 0:
            out[s.owner[i], 0] += VALUE[s.card[i]]


def ties(s, out):
    """The highest single card."""
    for i in range(CARDS):
        if s.owner[i] >= 0 and VALUE[s.card[i]] > out[s.owner[i], 0]:
            out[s.owner[i], 0] = VALUE[s.card[i]]


def redeal(s, seat, r):
    """Cards that others looked at and this seat did not become any that it has not seen."""
    free = 0
    for c in range(1, CARDS + 1):
        free |= 1 << c
    for i in range(CARDS):
        if s.card[i] >= 0 and has_seen(s, seat, i):
            free &= ~(1 << s.card[i])
    for i in range(CARDS):
        if s.card[i] >= 0 and not has_seen(s, seat, i):
            c = below(r, CARDS) + 1
            while not (free >> c) & 1:
                c = below(r, CARDS) + 1
            s.card[i] = c
            free &= ~(1 << c)


def has_seen(s, seat, i):
    """This seat was shown it; a spectator, if everybody was."""
    if seat >= 0:
        return s.known[seat, i] == 1
    for other in range(SEATS):
        if not s.known[other, i]:
            return False
    return True
