"""The record, the actions and the icons that several phases count."""

from recollect.engine import EVERYONE, NOBODY, OWNER, Actions, Field, Option, State, size

from ..components import (
    BITS,
    CARDS,
    COMMON,
    FLOWERY,
    FRAGMENTS,
    ICONS,
    MOST_SHORT,
    MOST_SLOTS,
    ORDINARY,
    PLACES,
    POWERFUL,
    POWERS,
    SHAPES,
    SIDES,
    TILES,
)

SEATS = 4
COPIES = 2  # of every bit and of every card
TILE_COUNT, BIT_KINDS, SHAPE_COUNT, CARD_KINDS, ORDINARIES = len(TILES), len(BITS), len(SHAPES), len(CARDS), len(ORDINARY)
OPTIONS = (
    Option("players", (2, 3, 4), default=2),
    Option("map", ("drawn", "built"), default="drawn"),  # "drawn": chance builds it for us
    Option("speed", (False, True), default=False),  # three or four players
    Option("rounds", (30, 60, 0), default=30),  # ours: nothing in the rulebook ends a game in which nobody builds; 0: no limit
    Option("first", ("random", "first_seat"), default="random"),
    Option("hints", (False, True), default=False, rules=False),  # whether who is asked may ask the elephant
)
HAND, FOOTPRINT, SHORT_TERM, WHITE_PICK, CHEST, FLOWER = range(len(POWERS))

# What is asked now. A turn runs down this list from MORNING; setting the map and dealing come before.
STAGES = (
    "first_player",  # chance names the first player
    "map",  # place a tile (chance does, when the map is drawn)
    "fragments",  # chance lays a fragment on the next tile
    "choose",  # set-up: which cards to remember, which to discard
    "morning",  # sow, or walk with the girl first
    "walk",  # the girl's steps, then perhaps a flower
    "sow",  # drop the bits taken up, one a tile
    "white",  # take white bits from the last tile
    "build",  # which card, or a flower, or done
    "lay",  # cover the slots of the card on the bench
    "grow",  # pay for a flower
    "save",  # which bits go into the chests
    "meditate",  # (passed at once) the rest goes into the grid
    "refill",  # which of the emptiest tiles next
    "bit",  # chance draws the bit for that tile
    "discard",  # which cards of the hand go
    "draw",  # chance draws a card
    "over",
)
(
    FIRST_PLAYER,
    MAP,
    LAY_FRAGMENTS,
    CHOOSE,
    MORNING,
    WALK,
    SOW,
    WHITES,
    BUILD,
    LAYING,
    GROWING,
    SAVING,
    MEDITATE,
    REFILLING,
    BIT_DRAWN,
    DISCARDING,
    CARD_DRAWN,
    OVER,
) = range(len(STAGES))

STATE = State(
    # --- the game
    players=Field(EVERYONE, dtype="i1"),
    speed=Field(EVERYONE, dtype="i1"),  # the speed game
    hands_build=Field(EVERYONE, dtype="i1"),  # the players build the map
    last_round=Field(EVERYONE, dtype="i1"),  # the round after which the game ends at the latest, 0 no limit
    stage=Field(EVERYONE, dtype="i1", values=STAGES),
    turn=Field(EVERYONE, dtype="i1"),  # whose turn it is
    rounds=Field(EVERYONE),  # rounds begun; 0 is the set-up
    first=Field(EVERYONE, dtype="i1"),  # the first player
    awake=Field(EVERYONE, dtype="i1"),  # who remembered enough to end the game, -1 nobody yet
    strolled=Field(EVERYONE, dtype="i1"),  # the planting phase of this turn is over
    sown=Field(EVERYONE, dtype="i1"),  # the sowing phase of this turn is over
    # --- the cosmic map
    placed=Field(EVERYONE, dtype="i1"),  # tiles on the table
    east=Field(EVERYONE, TILES, dtype="i1"),  # where a tile lies, in steps east
    south=Field(EVERYONE, TILES, dtype="i1"),  # and in steps south-east
    near=Field(EVERYONE, TILES),  # the tiles that it touches, one binary digit each
    far=Field(EVERYONE, dtype="i1"),  # from every tile a way leads over so many others; longer ones are looked for when they are needed
    bits=Field(EVERYONE, TILES, of=BITS, copies=COPIES),  # bits on a tile
    fragment=Field(EVERYONE, TILES, dtype="i1", values=FRAGMENTS),  # the fragment on a tile; -1: a flower grows there
    girl=Field(EVERYONE, dtype="i1", values=TILES),
    # --- a walk or a sowing on its way
    at=Field(EVERYONE, dtype="i1", values=TILES),  # the last tile of the way
    steps=Field(EVERYONE, dtype="i1"),  # tiles crossed since the start
    crossed=Field(EVERYONE, of=TILES),  # the tiles of the way, the start among them
    way=Field(EVERYONE, dtype="i8"),  # the same in their order, four binary digits each, the last one lowest
    held=Field(EVERYONE, of=BITS, copies=COPIES),  # bits taken up and not yet dropped
    upcoming=Field(EVERYONE, dtype="i1", values=BITS),  # the one dropped next
    chosen=Field(EVERYONE, dtype="i1"),  # it was chosen by the player
    picks=Field(EVERYONE, dtype="i1"),  # white bits that may still be taken
    # --- tableaux
    own=Field(EVERYONE, SEATS, of=BITS, copies=COPIES),  # bits in the chests; on one's turn also those gathered
    hand=Field(OWNER, SEATS, of=ORDINARY),
    hand_count=Field(EVERYONE, SEATS, dtype="i1"),
    short=Field(EVERYONE, SEATS, PLACES, dtype="i1", values=CARDS),  # cards in short-term memory, -1 a free place
    laid=Field(EVERYONE, SEATS, PLACES, MOST_SLOTS, dtype="i1", values=BITS),  # bits on their slots, -1 an open slot
    long=Field(EVERYONE, SEATS, of=CARDS),  # cards in long-term memory
    tokens=Field(EVERYONE, SEATS),  # points in tokens
    circle=Field(EVERYONE, SEATS, dtype="i1"),  # a flower stands on the girl's circle
    bloom=Field(EVERYONE, SEATS, dtype="i1"),  # flowers that stand on cards
    found=Field(EVERYONE, SEATS, of=FRAGMENTS),  # fragments
    # --- building
    bench=Field(EVERYONE, dtype="i1"),  # the place of the card being built, -1 none
    fresh=Field(EVERYONE, dtype="i1"),  # bits laid on it since it was chosen
    latest=Field(EVERYONE, dtype="i1", values=CARDS),  # the card last taken to the bench this turn; -1 for a flower
    from_hand=Field(EVERYONE, dtype="i1"),  # it came from the hand now, so it needs a free place to stay
    paid=Field(EVERYONE, dtype="i1"),  # bits paid for the flower that is growing
    room=Field(EVERYONE, dtype="i1"),  # chests still free while bits are saved
    saved=Field(EVERYONE, of=BITS, copies=COPIES),  # bits put into chests at the end of this turn
    # --- the supply
    aside=Field(EVERYONE, of=BITS, copies=COPIES),  # bits used this turn
    grid=Field(EVERYONE, of=BITS, copies=COPIES),  # the memory grid
    target=Field(EVERYONE, dtype="i1", values=TILES),  # the tile that the next drawn bit or fragment goes to
    flowers=Field(EVERYONE, dtype="i1"),  # flower tokens left
    common=Field(EVERYONE, of=COMMON, copies=COPIES),  # common cards on the table
    deck=Field(NOBODY, of=ORDINARY, copies=COPIES),
    deck_count=Field(EVERYONE, dtype="i1"),
    discard=Field(EVERYONE, of=ORDINARY, copies=COPIES),  # the open discard pile
    twin=Field(EVERYONE, of=ORDINARY, copies=COPIES),  # second copies drawn now; they join the discard when all is drawn
)

# The actions of one question lie close together: `choices` names them from the first of them on.
ACTIONS = Actions(
    first=SEATS,  # chance: who begins
    place=tuple(f"{tile}-{side}" for tile in TILES[:-1] for side in SIDES),  # on that side of that tile (of several, the first placed)
    lay_fragment=FRAGMENTS,  # chance
    wander=None,  # the planting phase, before sowing
    sow=TILES,  # take up the bits of a tile
    walk=TILES,
    plant=("circle", "card"),  # the flower of the girl's tile, or one from a card
    pick=SHAPES,  # a white bit of the last tile
    save=BITS,  # in a chest
    discard=ORDINARY,
    done=None,  # nothing more of this; go on
    grow=None,  # a flower for three bits
    remember=CARDS,  # build this card; in the speed set-up: into long-term memory
    keep=None,  # the card on the bench stays in short-term memory
    lay=BITS,  # on the next slot, or towards a flower
    drop=TILES,  # the upcoming bit
    hold=BITS,  # make this bit the upcoming one
    refill=TILES,
    draw_bit=BITS,  # chance
    draw_card=ORDINARY,  # chance
)
(
    FIRST,
    PLACE,
    LAY_FRAGMENT,
    WANDER,
    SOW_FROM,
    WALK_TO,
    PLANT,
    PICK,
    SAVE,
    DISCARD,
    DONE,
    GROW,
    REMEMBER,
    KEEP,
    LAY,
    DROP,
    HOLD,
    REFILL,
    DRAW_BIT,
    DRAW_CARD,
) = ACTIONS.starts(*ACTIONS.ranges)


def icons(s, seat, power):
    """Icons of a power on the girl's tile and in long-term memory."""
    return ICONS[power] + size(s.long[seat] & POWERFUL[power])


def remembered(s, seat):
    """Cards in long-term memory."""
    return size(s.long[seat])


def begun(s, seat):
    """Cards in short-term memory, the one on the bench included."""
    n = 0
    for place in range(PLACES):
        n += s.short[seat, place] >= 0
    return n


def short_limit(s, seat):
    """Cards that short-term memory holds."""
    return min(MOST_SHORT, icons(s, seat, SHORT_TERM))


def tableau(s, seat):
    """The cards in the seat's short- and long-term memory."""
    cards = s.long[seat]
    for place in range(PLACES):
        if s.short[seat, place] >= 0:
            cards |= 1 << s.short[seat, place]
    return cards


def enter_memory(s, seat, card):
    """Into long-term memory; a flower symbol gets its flower, while there are any."""
    s.long[seat] |= 1 << card
    if (FLOWERY >> card) & 1 and s.flowers > 0:
        s.flowers -= 1
        s.bloom[seat] += 1


def set_out(s, tile):
    """A way begins, of a walk or a sowing."""
    s.steps = 0
    s.crossed = 1 << tile
    s.way = tile


def step_to(s, tile):
    """One tile further."""
    s.steps += 1
    s.crossed |= 1 << tile
    s.way = s.way << 4 | tile


def forget_way(s):
    """The way of a walk or a sowing is over."""
    s.steps = 0
    s.crossed = 0
    s.way = 0
