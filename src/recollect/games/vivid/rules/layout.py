"""What lies on the table, and what may be done with it.

The hexes of a board, numbered in reading order (h1 to h19), with the ring of 18 places for core-memory slots around them:

             12    11    10     9
          13   h1    h2    h3    8
       14   h4    h5    h6    h7    7
    15   h8    h9    h10   h11   h12   6
       16   h13   h14   h15   h16   5
          17   h17   h18   h19   4
              0     1     2     3
"""

from recollect.engine import EVERYONE, Actions, Field, State, known

from ..components import HEXES, RING, TILES

SEATS = 4
ROUNDS = 3
COLOURS = ("red", "yellow", "green", "blue", "purple")
BANK = ("combine", "speculate", "nudge", "swap")  # the four actions of the memory bank, one for each slot
COMBINE, SPECULATE, NUDGE, SWAP = range(4)
SLOTS = 4
LINE = 6  # moments in the longest moment line
HEX_NAMES = tuple(f"h{n}" for n in range(1, HEXES + 1))
EACH = 25  # fragments of each colour in the box
CAP = 3  # a hex never holds more
AUTOMA = 1  # the place of the house automa at a solo table

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
ACTION_SIDE, SCORING_SIDE = range(2)
BY_MOMENTS, BY_THREADS, BY_CORE, BY_ASPIRATION = range(4)


def _spell(bag: int) -> str:
    """A bag of fragments in words: `ryy` is one red and two yellow."""
    return "".join(colour[0] * (bag >> 2 * c & 3) for c, colour in enumerate(COLOURS))


FRAGMENTS_OF = tuple(_spell(bag) for bag in range(4**5))
MOMENT_NAMES = tuple(f"m{n}" for n in range(1, TILES + 1))

STATE = State(
    players=Field(EVERYONE),  # people at the table
    takers=Field(EVERYONE),  # who takes turns: the players, and the house automa when one plays alone
    phase=Field(EVERYONE, values=PHASES),
    round_no=Field(EVERYONE),  # 0, 1, 2
    start=Field(EVERYONE),  # holds the start player marker
    turn=Field(EVERYONE),  # whose turn it is in Remember; after it, who took the last one
    # the moment line: tiles first..last are there
    line=Field(EVERYONE, LINE, dtype="i1", values=MOMENT_NAMES),
    tokens=Field(EVERYONE, LINE, COLOURS, dtype="i1"),  # fragments on each tile of the line
    first=Field(EVERYONE),
    last=Field(EVERYONE),
    dealing=Field(EVERYONE),  # Prepare: how many seats have their aspiration, tiles lie, or fragments lie
    bag=Field(EVERYONE, COLOURS),  # what is left in the bag follows from what is seen; the order of drawing is chance's
    supply=Field(EVERYONE, COLOURS),
    home=Field(EVERYONE, MOMENT_NAMES, dtype="i1", values=HOMES),  # where each moment tile is
    # the turn: what is in hand, and the rewiring
    hand=Field(EVERYONE, values=FRAGMENTS_OF),  # fragments taken, two bits a colour
    end=Field(EVERYONE, values=("none", "left", "right")),  # the end they come from
    moved=Field(EVERYONE),  # fragments moved by this rewiring
    out_of=Field(EVERYONE, values=HEX_NAMES),  # the hex that all of them left, or -1
    into=Field(EVERYONE, values=HEX_NAMES),  # the hex that all of them went to, or -1
    # each seat
    task=Field(EVERYONE, SEATS, dtype="i1", values=TASKS),  # its question
    slot=Field(EVERYONE, SEATS, dtype="i1", values=BANK),  # the bank slot whose action it performs
    held=Field(EVERYONE, SEATS, dtype="i1", values=HEX_NAMES),  # the hex of the fragment it pointed at, or -1
    what=Field(EVERYONE, SEATS, dtype="i1", values=COLOURS),  # that fragment's colour, or the one drawn from the bag
    due=Field(EVERYONE, SEATS, dtype="i1"),  # Reward: the slot that waits for the fragment which the seat chooses
    hexes=Field(EVERYONE, SEATS, HEX_NAMES, values=FRAGMENTS_OF),  # fragments in each hex, two bits a colour
    filled=Field(EVERYONE, SEATS, RING, dtype="i1"),  # a fragment lies in the core-memory slot
    owed=Field(EVERYONE, SEATS, RING, dtype="i1"),  # a thread was scored that connects this slot: a fragment moves there
    bank=Field(EVERYONE, SEATS, BANK, dtype="i1", values=MOMENT_NAMES),  # the tile on each bank slot, or -1
    face=Field(EVERYONE, SEATS, BANK, dtype="i1", values=("action", "scoring")),
    used=Field(EVERYONE, SEATS, BANK, dtype="i1"),  # the bank action was performed this round
    ample=Field(EVERYONE),  # supply and bag suffice for whatever anybody may still do in this Reflect
    aspiration=Field(known("shown", "shown"), SEATS, dtype="i1", values=COLOURS),
    shown=Field(EVERYONE, SEATS, SEATS, dtype="i1"),  # seat (first) has seen the aspiration of seat (second)
    score=Field(EVERYONE, SEATS, ROUNDS, 4),  # points by round, and for moments, threads, core memories, aspiration
    # the house automa
    kept=Field(EVERYONE, COLOURS),  # its fragments
    wish=Field(EVERYONE, 5, dtype="i1", values=COLOURS),  # its preferences this turn, first to last
    wishes=Field(EVERYONE),  # how many of them are drawn
    took=Field(EVERYONE, values=FRAGMENTS_OF),  # what it took in its last turn
    took_end=Field(EVERYONE, values=("none", "left", "right")),  # and from which end
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
