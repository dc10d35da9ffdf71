"""What lies on the table, and what may be done with it.

The hexes of a board, numbered in reading order (h1 to h19), with the ring of 18 places for core-memory slots around them (components.toml
says so, and an owner's may say otherwise):

             12    11    10     9
          13   h1    h2    h3    8
       14   h4    h5    h6    h7    7
    15   h8    h9    h10   h11   h12   6
       16   h13   h14   h15   h16   5
          17   h17   h18   h19   4
              0     1     2     3
"""

from recollect.engine import EVERYONE, Actions, Field, State, known

from ..components import BANK, CAP, COLOUR_NAMES, HANDFULS, HEXES, IN_HEX, RING, TILES

__all__ = ["BANK", "CAP"]

SEATS = 4
ROUNDS = 3
COLOURS = COLOUR_NAMES
COMBINE, SPECULATE, NUDGE, SWAP = map(BANK.index, ("combine", "speculate", "nudge", "swap"))  # the actions of the memory bank
SLOTS = 4
LINE = 6  # moments in the longest moment line
HEX_NAMES = tuple(f"h{n}" for n in range(1, HEXES + 1))
EACH = 25  # fragments of each colour in the box
WISHES = 4
AUTOMA = 1  # the place of the house automa at a solo table
LEVELS = ("goldfish", "parrot", "dolphin", "elephant")  # how well it plays
GOLDFISH, PARROT, DOLPHIN, ELEPHANT = range(4)

PHASES = ("start", "aspire", "moments", "fragments", "remember", "reflect",
          "pay_moments", "pay_threads", "pay_core", "reveal", "pay_aspirations", "over")  # fmt: skip
START, ASPIRE, MOMENTS, FRAGMENTS, REMEMBER, REFLECT, PAY_MOMENTS, PAY_THREADS, PAY_CORE, REVEAL, PAY_ASPIRATIONS, OVER = range(12)

# the question that a seat has before it
TASKS = ("wait", "take", "rewire", "make_room", "lay", "choose", "add", "split", "split_into",
         "combine", "combine_into", "draw", "speculate", "nudge", "swap", "give")  # fmt: skip
WAIT, TAKE, REWIRE, MAKE_ROOM, LAY, CHOOSE, ADD, SPLIT, SPLIT_INTO = range(9)
COMBINING, COMBINE_INTO, DRAWING, SPECULATING, NUDGING, SWAPPING, GIVE = range(9, 16)

# where a moment tile is: in the deck, in the line, out of the game, or claimed by, in the bank of, cherished by a seat
HOMES = ("deck", "line", "out", *(f"{what}-{seat}" for what in ("claimed", "bank", "cherished") for seat in range(SEATS)))
DECK, IN_LINE, OUT, CLAIMED, BANKED, CHERISHED = 0, 1, 2, 3, 7, 11
NO_END, LEFT_END, RIGHT_END = range(3)
BY_MOMENTS, BY_THREADS, BY_CORE, BY_ASPIRATION = range(4)

# a handful in letters: `ryy` is one red and two yellow
FRAGMENTS_OF = tuple("".join(COLOURS[c][0] for c in some) or f"?{n}" if n else "" for n, some in enumerate(HANDFULS))
HELD = tuple(FRAGMENTS_OF[n] if n in IN_HEX else f"?{n}" for n in range(max(IN_HEX) + 1))  # what a hex, or a hand, can hold
MOMENT_NAMES = tuple(f"m{n}" for n in range(1, TILES + 1))
PLACES = tuple(str(p) for p in range(RING))
SEAT_NAMES = tuple(str(seat) for seat in range(SEATS))

STATE = State(
    players=Field(EVERYONE, dtype="i1"),  # people at the table; alone, the house automa takes turns too
    phase=Field(EVERYONE, dtype="i1", values=PHASES),
    round_no=Field(EVERYONE, dtype="i1"),  # 0, 1, 2
    start=Field(EVERYONE, dtype="i1"),  # holds the start player marker
    turn=Field(EVERYONE, dtype="i1"),  # whose turn it is in Remember; after it, who took the last one
    # the moment line: tiles first..last are there
    line=Field(EVERYONE, LINE, dtype="i1", values=MOMENT_NAMES),
    tokens=Field(EVERYONE, LINE, dtype="u1", values=FRAGMENTS_OF),  # fragments on each tile of the line
    first=Field(EVERYONE, dtype="i1"),
    last=Field(EVERYONE, dtype="i1"),
    dealing=Field(EVERYONE, dtype="i1"),  # Prepare: how many seats have their aspiration, tiles lie, or fragments lie
    bag=Field(EVERYONE, COLOURS, dtype="i1"),  # what is left in the bag follows from what is seen; the order of drawing is chance's
    supply=Field(EVERYONE, COLOURS, dtype="i1"),
    home=Field(EVERYONE, MOMENT_NAMES, dtype="i1", values=HOMES),  # where each moment tile is
    # the turn: what is in hand, and the rewiring
    hand=Field(EVERYONE, dtype="i1", values=HELD),  # fragments taken
    end=Field(EVERYONE, dtype="i1", values=("none", "left", "right")),  # the end they come from
    moved=Field(EVERYONE, dtype="i1"),  # fragments moved by this rewiring
    out_of=Field(EVERYONE, dtype="i1", values=HEX_NAMES),  # the hex that all of them left, or -1
    into=Field(EVERYONE, dtype="i1", values=HEX_NAMES),  # the hex that all of them went to, or -1
    # each seat
    task=Field(EVERYONE, SEATS, dtype="i1", values=TASKS),  # its question
    slot=Field(EVERYONE, SEATS, dtype="i1", values=BANK),  # the bank slot whose action it performs
    held=Field(EVERYONE, SEATS, dtype="i1", values=HEX_NAMES),  # the hex of the fragment it pointed at, or -1
    what=Field(EVERYONE, SEATS, dtype="i1", values=COLOURS),  # that fragment's colour, or the one drawn from the bag
    hexes=Field(EVERYONE, SEATS, HEX_NAMES, dtype="i1", values=HELD),  # fragments in each hex
    ones=Field(EVERYONE, SEATS, of=HEX_NAMES),  # follows from hexes: those with one or three fragments...
    twos=Field(EVERYONE, SEATS, of=HEX_NAMES),  # ... and with two or three (how many there are, in binary)
    filled=Field(EVERYONE, SEATS, of=PLACES),  # core-memory slots with a fragment
    owed=Field(EVERYONE, SEATS, of=PLACES),  # a thread was scored that connects this slot: a fragment moves there
    bank=Field(EVERYONE, SEATS, BANK, dtype="i1", values=MOMENT_NAMES),  # the tile on each bank slot, or -1
    flipped=Field(EVERYONE, SEATS, of=BANK),  # bank slots whose tile lies with its scoring side up
    used=Field(EVERYONE, SEATS, of=BANK),  # bank actions performed this round
    ample=Field(EVERYONE, dtype="i1"),  # when this Reflect began, supply and bag sufficed for whatever anybody may do in it
    aspiration=Field(known("shown", "shown"), SEATS, dtype="i1", values=COLOURS),
    shown=Field(EVERYONE, SEATS, of=SEAT_NAMES),  # whose aspirations the seat has seen
    # points of each round
    moments=Field(EVERYONE, SEATS, ROUNDS),
    threads=Field(EVERYONE, SEATS, ROUNDS),
    core=Field(EVERYONE, SEATS, ROUNDS, dtype="u1"),
    aspired=Field(EVERYONE, SEATS, dtype="u1"),  # the aspiration is paid in the last round only
    # the house automa
    level=Field(EVERYONE, dtype="i1", values=LEVELS),
    kept=Field(EVERYONE, COLOURS, dtype="i1"),  # its fragments
    wish=Field(EVERYONE, WISHES, dtype="i1", values=COLOURS),  # its preferences this turn, as far as drawn; the fifth is what is left
    took=Field(EVERYONE, dtype="i1", values=HELD),  # what it took in its last turn
    took_end=Field(EVERYONE, dtype="i1", values=("none", "left", "right")),  # and from which end
)

ACTIONS = Actions(
    left=COLOURS,  # take a fragment of this colour from the left end of the line
    right=COLOURS,  # from the right end
    place=HEX_NAMES,  # put what is in hand into this hex
    pick=tuple(f"{h}-{c}" for h in HEX_NAMES for c in COLOURS),  # this fragment, in this hex
    done=None,  # nothing more
    use=BANK,  # perform the action of this slot: the tile's, or the bank's own
    lay=BANK,  # put the claimed tile on this slot
    discard=None,  # the claimed tile goes out of the game
    colour=COLOURS,  # a fragment of this colour from the supply
    count=None,  # the next points are counted
    begin=SEATS,  # chance: who starts
    aspire=COLOURS,  # chance: an aspiration
    moment=MOMENT_NAMES,  # chance: a moment tile for the line
    draw=COLOURS,  # chance: a fragment from the bag
    wish=COLOURS,  # chance: the automa's next preference
)
LEFT, RIGHT, PLACE, PICK, DONE, USE, LAY_ON, DISCARD, COLOUR, COUNT, BEGIN, ASPIRE_TO, MOMENT, DRAW, WISH = ACTIONS.starts(*ACTIONS.ranges)
END = ACTIONS.count
