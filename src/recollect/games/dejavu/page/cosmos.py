"""The cosmic map: tiles, the way of a sowing or a walk, and what each end would bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from recollect.engine import size
from recollect.engine.drawn import Drawn, drawn, once
from recollect.engine.look import Look
from recollect.engine.texts import Texts

from ..components import CARD_POINTS, COLOURS, EAST, SLOTS, SOUTH, TILES
from ..rules.layout import (
    DROP,
    MAP,
    MORNING,
    PLACE,
    REFILL,
    REFILLING,
    SHAPE_COUNT,
    SOW,
    SOW_FROM,
    TILE_COUNT,
    WALK,
    WALK_TO,
    WHITES,
    begun,
    short_limit,
)
from ..rules.mapping import ALL_SIDES
from ..rules.sowing import WHITE_BITS
from .pieces import (
    already,
    bit,
    bit_name,
    candidates,
    card_name,
    covers,
    drawn_bit,
    drawn_fragment,
    each_in,
    kinds_in,
    tag,
    tile_name,
    word,
)
from .plans import Way, coloured, sowing, walks, ways

COLUMNS = {1: 1, 2: 2, 3: 3, 4: 2, 5: 3, 6: 3}  # bits side by side on a tile
BESIDE_HER = {1: 1, 2: 2, 3: 2, 4: 2}  # the same where the girl is: she stands at their left, and nothing lies under her feet
MOST_ENDS = 12  # of a sowing that are listed
RINGS = (3, 5, 16)  # tiles around the first one in sight while the map is built
CLICKS = {MORNING: SOW_FROM, WALK: WALK_TO, SOW: DROP, REFILLING: REFILL}  # what one on a tile means
MODES = {SOW_FROM: "sow", DROP: "drop", REFILL: "refill"}
STEP, ROW, TALL = 173.2, 150, 200  # a tile's width, the way from row to row, a tile's height, in units of the drawing


def spot(east: int, south: int) -> tuple[float, float]:
    return STEP * (east + south / 2), ROW * south


def cosmic_map(look: Look, ways_on: list[dict[str, Any]]) -> Drawn:
    """Tiles with what lies on them, where the next one may go, and the way of a sowing or a walk."""
    s = look.view
    if s.stage in (MAP, SOW, WALK) or s.crossed or ways_on:
        return map_in_use(look, ways_on)
    start = CLICKS.get(s.stage, SOW_FROM)
    lit = tuple([start + t in look.legal for t in range(s.placed)])
    lie = tuple(zip(s.east.tolist()[: s.placed], s.south.tolist(), strict=False))
    return map_at_rest(
        look.t, lie, bool(s.hands_build), start, lit, tuple(s.bits.tolist()), tuple(s.fragment.tolist()), s.girl, s.rounds > 0
    )


@lru_cache(maxsize=4096)
def map_at_rest(
    words: Texts,
    lie: Spots,
    by_hand: bool,
    start: int,
    lit: tuple[bool, ...],
    bits: tuple[int, ...],
    fragments: tuple[int, ...],
    girl: int,
    begun: bool,
) -> Drawn:
    """The map between sowings and walks: it stays as it is while cards are built, and is drawn once."""
    wide, tall, centres, _ = spread(lie, ())
    tiles = [
        tile(
            words, t, bits[t], -1, -1, fragments[t], girl == t, begun, start + t, (), False, lit[t], MODES.get(start, "") if lit[t] else "",
            False, 0, 0, "", at,
        )
        for t, at in enumerate(centres)
    ]  # fmt: skip
    return drawn_map(wide, tall, centres, by_hand, tuple(tiles))


def drawn_map(wide: float, tall: float, centres: list[Drawn], by_hand: bool, tiles: tuple[Drawn, ...], **on: Any) -> Drawn:
    """The map as it is drawn; `on`: what is to be seen on it besides."""
    ghosts = on.pop("ghosts", ())
    sky = once(
        **{"way": (), "steps": (), "start": None, "plans": ()} | on,
        wide=wide,
        tall=tall,
        nebulas=once(lie=tuple(zip(TILES, centres, strict=False))),
    )
    across = wide > tall or by_hand  # one built by hand never turns: its builders know it as it lies
    return once(across=across, sky=sky, tiles=tiles, ghosts=ghosts)


def map_in_use(look: Look, ways_on: list[dict[str, Any]]) -> Drawn:
    """The map while it is built, sown or walked upon."""
    s = look.view
    sides = [a for a in sorted(look.legal) if PLACE <= a < PLACE + (TILE_COUNT - 1) * ALL_SIDES] if s.stage == MAP else []
    lie = tuple(zip(s.east.tolist()[: s.placed], s.south.tolist(), strict=False))
    wide, tall, centres, ghosts = spread(lie, tuple([side_of(s, a) for a in sides]))
    way = trail(s)
    after = [a - start for start in (DROP, WALK_TO) for a in look.legal if start <= a < start + TILE_COUNT]
    here = way[-1] if way else -1
    return drawn_map(
        wide,
        tall,
        centres,
        bool(s.hands_build),
        tuple(tiles(look, way, centres)),
        ghosts=tuple([once(act=a, **ghost) for a, ghost in zip(sides, ghosts, strict=True)]),
        way=tuple([centres[t] for t in way]),
        steps=tuple([(TILES[t], centres[here], centres[t]) for t in after]) if here >= 0 else (),
        start=centres[way[0]] if way and s.stage in (SOW, WHITES) else None,
        plans=tuple([(e["id"], tuple([centres[t] for t in (s.at, *e["way"])])) for e in ways_on]),
    )


Spots = tuple[tuple[int, int], ...]  # east and south
Begun = tuple[tuple[int, int], ...]  # cards that may be built, with how many bits lie on each


@lru_cache(maxsize=4096)
def spread(tiles: Spots, free: Spots) -> tuple[float, float, list[Drawn], list[Drawn]]:
    """Width and height of the map, the middle of each tile, and of each spot where the next one may go."""
    centres, ghosts = [spot(*tile) for tile in tiles], [spot(*side) for side in free]
    left, top, wide, tall = frame(centres, ghosts)
    middles = [Drawn({"x": round(x - left, 1), "y": round(y - top, 1)}) for x, y in centres + ghosts]
    return round(wide, 1), round(tall, 1), middles[: len(tiles)], middles[len(tiles) :]


def frame(centres: list[tuple[float, float]], ghosts: list[tuple[float, float]]) -> tuple[float, float, float, float]:
    """Left, top, width and height of the map; one that is being built grows by whole rings, not with every tile."""
    xs, ys = [x for x, _ in centres + ghosts], [y for _, y in centres + ghosts]
    if ghosts:
        x, y = centres[0]
        ring = next(n for n in RINGS if max(abs(a - x) / STEP for a in xs) <= n and max(abs(b - y) / ROW for b in ys) <= n)
        xs, ys = [x - ring * STEP, x + ring * STEP], [y - ring * ROW, y + ring * ROW]
    left, top = min(xs) - STEP / 2, min(ys) - TALL / 2
    return left, top, max(xs) - left + STEP / 2, max(ys) - top + TALL / 2


def trail(s: Any) -> list[int]:
    """The tiles of a walk or a sowing on its way, the start first."""
    return [s.way >> 4 * i & 15 for i in range(s.steps, -1, -1)] if s.crossed else []


def side_of(s: Any, action: int) -> tuple[int, int]:
    t, side = divmod(action - PLACE, ALL_SIDES)
    return s.east[t] + int(EAST[side]), s.south[t] + int(SOUTH[side])


def tiles(look: Look, way: list[int], centres: list[Drawn]) -> Iterator[Drawn]:
    """The tiles as they lie."""
    s, stage, asked = look.view, look.view.stage, look.seat in look.acting
    gone = walks(look) if stage == WALK and asked else {}  # how the girl comes to each
    gains = may_end(look)  # what a sowing that ends there would gather
    bits, fragments = s.bits.tolist(), s.fragment.tolist()
    for t, at in enumerate(centres):
        steps, end = gone.get(t, []), gains.get(t, ())
        action, lit = (steps[0], True) if steps else tile_action(look, t)
        if len(end) == 1 and size(s.held) > 2:
            end = ()  # of many possible ends only the richer ones are marked
        drop = lit and stage == SOW
        back = stage == SOW and s.steps == 0 and s.at == t and asked  # a click gives the bits back
        mode = "walk" if steps else MODES.get(action - t, "") if lit else ""
        yield tile(
            look.t, t, bits[t], end[0] // SHAPE_COUNT if end else -1, s.upcoming if drop else -1, fragments[t], s.girl == t, s.rounds > 0,
            action, tuple(steps[1:]), back, lit, mode, way[:1] == [t] and stage in (SOW, WHITES), way.index(t) if t in way else 0,
            len(end), " ".join(pointed(look, t)) if drop else "", at,
        )  # fmt: skip


@drawn
def tile(
    words: Texts,
    t: int,
    pile: int,
    colour: int,
    chance: int,
    fragment: int,
    girl: bool,
    begun: bool,
    act: int,
    then: tuple[int, ...],
    back: bool,
    lit: bool,
    mode: str,
    start: bool,
    step: int,
    gain: int,
    light: str,
    at: Drawn,
) -> dict[str, Any]:
    """A tile as it lies, with what a click on it means, where it stands on a way and what a sowing would gather there."""
    lies = lying(words, t, pile, colour, chance, fragment, girl, begun and fragment < 0)
    click = {"act": act, "then": then, "back": back, "lit": lit, "mode": mode, "light": light}
    gathers = {"gain": gain, "gain_colour": COLOURS[colour] if gain else ""}
    return {**lies, **at, **click, **gathers, "start": start, "step": step, "lies": lies}


@drawn
def lying(words: Texts, t: int, pile: int, gathered: int, chance: int, found: int, girl: bool, flower: bool) -> dict[str, Any]:
    """What lies on a tile: its bits, of which those of a colour would be gathered and one may come, a fragment, the girl."""
    bits = [drawn_bit(words, k, "gather" if k // SHAPE_COUNT == gathered else "") for k in each_in(pile)]
    bits += [drawn_bit(words, chance, "chance")] if chance >= 0 else []
    fragment, n = drawn_fragment(words, found) if found >= 0 else None, len(bits)
    return {
        "id": TILES[t],
        "name": word(words, "tiles", TILES[t]),
        "bits": bits,
        "girl": girl,
        "flower": flower,
        "fragment": fragment,
        "cols": BESIDE_HER.get(n, 3) if girl else COLUMNS.get(n, 4),
        "many": n > 4 if girl else n > 8,
        "words": tile_words(words, t, bits, flower, fragment, girl),
    }


def pointed(look: Look, t: int) -> list[str]:
    """What lights up when the next tile of a sowing is pointed at: the way there, and the ends that it leaves open."""
    s = look.view
    left = ways(s, t, s.crossed | 1 << t, size(s.held) - 1)
    return [f"step-{TILES[t]}", *(f"tile-{TILES[end]}" for end in sorted(left))]


def tile_words(words: Texts, t: int, bits: list[Drawn], flower: bool, found: dict[str, Any] | None, girl: bool) -> str:
    """A tile for those who hear it."""
    lie = Counter(b["words"] for b in bits if b["mood"] != "chance")
    held = ", ".join(f"{n} × {w}" if n > 1 else w for w, n in lie.items()) or words("label.no_bits")
    parts = [words("label.is", what=word(words, "tiles", TILES[t]), how=held)]
    parts += [words("label.flower")] if flower else [found["words"]] if found else []
    return "; ".join([*parts, words("label.girl")] if girl else parts)


def tile_action(look: Look, t: int) -> tuple[int, bool]:
    """What a click on a tile means now, and whether it is legal."""
    start = CLICKS.get(look.view.stage, SOW_FROM)
    return start + t, start + t in look.legal


def lined_up(look: Look) -> list[int]:
    """Bits still to drop in the order in which they come up: the upcoming one, white ones, the others."""
    s = look.view
    rest = kinds_in(s.held)
    rest.remove(s.upcoming)
    return [s.upcoming, *[k for k in rest if k >= WHITE_BITS], *[k for k in rest if k < WHITE_BITS]]


def may_end(look: Look) -> dict[int, tuple[int, ...]]:
    """Tiles where this sowing can end, with the bits that would be gathered there if the order stays as it is."""
    s = look.view
    if s.stage != SOW or look.seat not in look.acting:
        return {}
    last = lined_up(look)[-1]
    return {t: gathered(s, t, last) for t in sorted(ways(s, s.at, s.crossed, size(s.held)))}


def gathered(s: Any, t: int, last: int) -> tuple[int, ...]:
    """The bits that this one, dropped last on this tile, gathers: itself and those of its colour."""
    return gathered_of(s.bits[t], last)


@lru_cache(maxsize=32_768)
def gathered_of(pile: int, last: int) -> tuple[int, ...]:
    return (last, *[k for k in each_in(pile) if k // SHAPE_COUNT == last // SHAPE_COUNT])


class End(NamedTuple):
    """A sowing that ends on a tile with a bit, and the card that it would help most."""

    order: tuple[Any, ...]
    tile: int
    last: int
    way: Way
    got: tuple[int, ...]
    card: int | None
    done: int
    of: int


def ends(look: Look) -> list[dict[str, Any]]:
    """Each end of the sowing with each last bit: what it brings, the card that it would help most, and a way there."""
    s = look.view
    if s.stage != SOW or look.seat not in look.acting:
        return []
    lasts, own = coloured(s), each_in(s.own[look.seat])
    cards = tuple([(c, already(look, c)) for c in candidates(look)])
    room = bool(begun(s, look.seat) < short_limit(s, look.seat))
    found = [end(look, t, last, way, own, cards, room) for t, way in ways(s, s.at, s.crossed, size(s.held)).items() for last in lasts]
    found.sort(key=lambda one: one.order)
    best = {(one.tile, one.got[0] // SHAPE_COUNT): one for one in reversed(found)}  # of two bits of one colour the better one
    return [drawn_end(look, one) for one in sorted(best.values(), key=lambda one: one.order)[:MOST_ENDS]]


def end(look: Look, t: int, last: int, way: Way, own: tuple[int, ...], cards: Begun, room: bool) -> End:
    got = gathered(look.view, t, last)
    best, done, of = helped(cards, own + got, room)
    return End((done < of, -done / of, -len(got), tile_name(look, t), last), t, last, way, got, best, done, of)


@lru_cache(maxsize=8192)
def helped(cards: Begun, bits: tuple[int, ...], room: bool) -> tuple[int | None, int, int]:
    """The card that these bits help most, and how many of its slots would be covered, of how many.

    Without room in short-term memory a card from the hand must be finished at once.
    """
    have = tuple(sorted([k % SHAPE_COUNT for k in bits]))
    fits = [(covers(c, laid, have), c, laid, int(SLOTS[c]), int(CARD_POINTS[c])) for c, laid in cards]
    fits = [fit for fit in fits if room or fit[2] or fit[0] == fit[3]]
    n, best, laid, of, _ = max(fits, key=lambda fit: (fit[0] / (fit[3] - fit[2]), fit[4]), default=(0, None, 0, 1, 0))
    return best, laid + n, of


def drawn_end(look: Look, one: End) -> dict[str, Any]:
    """An end in words, with the way there."""
    t, id = one.tile, f"{TILES[one.tile]}-{COLOURS[one.last // SHAPE_COUNT]}"
    plan = sowing(look.view, one.way, one.last)
    names = ", ".join(bit_name(look, k) for k in one.got)
    words = look.t("label.end_at", at=tile_name(look, t), bit=bit_name(look, one.last), bits=names)
    if one.card is not None and one.done:
        words += "; " + look.t("label.fills", card=card_name(look, one.card), n=one.done, m=one.of)
    return {
        "id": id,
        "name": tile_name(look, t),
        "bits": [bit(look, k) for k in one.got],
        "way": one.way,
        "act": plan[0],
        "then": plan[1:],
        "lit": plan[0] in look.legal,
        "card": tag(one.card) if one.card is not None and one.done else None,
        "done": one.done,
        "of": one.of,
        "words": words,
        "light": f"plan-{id} tile-{TILES[t]}",
        "order": one.order,
    }
