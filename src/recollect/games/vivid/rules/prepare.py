"""1: Prepare. Set-up of the game and of each round."""

from ..components import TILES, WITH
from .layout import (
    ASPIRE,
    ASPIRE_TO,
    BEGIN,
    DECK,
    DRAW,
    EACH,
    FRAGMENTS,
    IN_LINE,
    LINE,
    MOMENT,
    MOMENTS,
    SEATS,
    SLOTS,
    START,
    WISHES,
)  # fmt: skip


def takers(s):
    """How many take turns: the players, and the house automa when one plays alone."""
    return s.players if s.players > 1 else 2


def set_up(s, players, start, level):
    """Boards, bag and supply, and the start player marker."""
    s.players = players
    s.level = level if players == 1 else 0
    turns = takers(s)  # alone: the set-up for two, the automa takes the second place
    for c in range(5):
        s.bag[c] = 11 if turns == 2 else 17 if turns == 3 else 20
        s.supply[c] = EACH - s.bag[c]
    for i in range(WISHES):
        s.wish[i] = -1
    clear_line(s)
    for seat in range(SEATS):
        clear_board(s, seat)
    s.phase = START
    if start >= 0:
        give_marker(s, start % turns)


def clear_line(s):
    """No tile in the line, nothing in hand."""
    for i in range(LINE):
        s.line[i] = -1
    s.first = 0
    s.last = -1
    s.out_of = -1
    s.into = -1


def clear_board(s, seat):
    """An empty board without an aspiration."""
    s.aspiration[seat] = -1
    s.slot[seat] = -1
    s.held[seat] = -1
    s.what[seat] = -1
    for k in range(SLOTS):
        s.bank[seat, k] = -1


def give_marker(s, seat):
    """The start player marker goes to the seat; then aspirations are dealt."""
    s.start = seat
    s.phase = ASPIRE
    s.dealing = 0


def deal_aspiration(s, colour):
    """One aspiration tile for each player, who alone looks at it."""
    s.aspiration[s.dealing] = colour
    s.shown[s.dealing] |= 1 << s.dealing
    s.dealing += 1
    if s.dealing == s.players:
        begin_round(s)


def begin_round(s):
    """A new moment line is due."""
    clear_line(s)
    s.phase = MOMENTS
    s.dealing = 0


def deal_moment(s, tile):
    """Tiles at random, two more than players, action side up, make the moment line."""
    s.line[s.dealing] = tile
    s.home[tile] = IN_LINE
    s.dealing += 1
    if s.dealing == takers(s) + 2:
        s.last = s.dealing - 1
        s.phase = FRAGMENTS
        s.dealing = 0
        refill(s)


def per_tile(s):
    """Four fragments on each tile for two players, else five."""
    return 4 if takers(s) == 2 else 5


def deal_fragment(s, colour):
    """Fragments at random from the bag, tile after tile; returns 1 when the line is complete."""
    s.bag[colour] -= 1
    i = s.dealing // per_tile(s)
    s.tokens[i] = WITH[s.tokens[i], colour]
    s.dealing += 1
    if s.dealing == per_tile(s) * (takers(s) + 2):
        return 1
    refill(s)
    return 0


def refill(s):
    """If the bag is empty during this, one fragment of each colour goes from the supply into it."""
    if bag_size(s) == 0:
        for c in range(5):
            if s.supply[c] > 0:
                s.supply[c] -= 1
                s.bag[c] += 1


def bag_size(s):
    """How many fragments are in the bag."""
    n = 0
    for c in range(5):
        n += s.bag[c]
    return n


def deal(s, action):
    """Carry out a draw of chance; returns 1 when the round can begin."""
    if s.phase == FRAGMENTS:
        return deal_fragment(s, action - DRAW)
    if s.phase == MOMENTS:
        deal_moment(s, action - MOMENT)
    elif s.phase == ASPIRE:
        deal_aspiration(s, action - ASPIRE_TO)
    else:
        give_marker(s, action - BEGIN)
    return 0


def prepare_choices(s):
    """What chance may draw in set-up and Prepare."""
    if s.phase == FRAGMENTS:
        return bag_choices(s)
    if s.phase == MOMENTS:
        return MOMENT, deck(s), 0
    if s.phase == ASPIRE:
        return ASPIRE_TO, free_aspirations(s), 0
    return BEGIN, (1 << takers(s)) - 1, 0


def deck(s):
    """The tiles that lie in the deck."""
    found = 0
    for tile in range(TILES):
        found |= (1 if s.home[tile] == DECK else 0) << tile
    return found


def free_aspirations(s):
    """The aspirations that nobody has."""
    free = 31
    for seat in range(takers(s)):
        if s.aspiration[seat] >= 0:
            free &= ~(1 << s.aspiration[seat])
    return free


def bag_choices(s):
    """The colours in the bag; each fragment is as likely."""
    found = 0
    for c in range(5):
        found |= (1 if s.bag[c] > 0 else 0) << c
    return DRAW, found, 0
