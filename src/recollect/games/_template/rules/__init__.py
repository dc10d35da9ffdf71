"""The rules of Seven Cards: in turn look at a card, then keep one that lies face down; the highest sum wins."""

from recollect.engine import CHANCE, EVERYONE, NOBODY, Actions, Field, Option, State, known
from recollect.engine.unseen import count_unseen, deal, redeal, show, show_all, undealt

from ..components import CARDS, VALUE

__all__ = ["redeal"]

VERSION = 1
SEATS = 3
PLACES = tuple("abcdefghijkl"[:CARDS])
OPTIONS = (Option("players", (2, 3), default=2),)
POINTS = ("cards",)
TIES = ("highest",)

NUMBERS = tuple(map(str, range(CARDS + 1)))  # cards are numbered from 1

STATE = State(
    players=Field(EVERYONE),
    turn=Field(EVERYONE),  # whose question it is
    looking=Field(EVERYONE, values=PLACES),  # the card being looked at or kept; -1 none
    keeping=Field(EVERYONE),  # 1: it is being kept
    card=Field(known("known", "sight"), PLACES),  # 1, 2, ...; -1: nobody has looked, so it is no card in particular
    known=Field(EVERYONE, SEATS, of=PLACES),  # where the seat has been shown the card
    sight=Field(EVERYONE, SEATS, of=PLACES),  # where it sees it now
    unseen=Field(NOBODY, of=NUMBERS),  # cards at which nobody has looked
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
    derive(s)


def derive(s):
    """What follows from the cards that were looked at: the others were not."""
    count_unseen(s, (1 << CARDS + 1) - 2)


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
            looked_at(s)
    else:
        deal(s, s.looking, action - DEAL)
        looked_at(s)


def looked_at(s):
    """A look is for one; a kept card lies open for all."""
    if s.keeping:
        show_all(s, s.looking)
        keep(s, s.looking)
    else:
        show(s, s.turn, s.looking)


def put_back(s, seat):
    """Face down again."""
    s.sight[seat] &= ~(1 << s.looking)
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
