"""Everything that is said: what to do, why not, what happened."""

from __future__ import annotations

from typing import Any

from recollect.engine.look import Look
from recollect.engine.sets import size

from ..components import HEXES, SHOWS, SIZE, SLOT, SPLITS, TILES
from ..rules.layout import (
    ADD,
    AUTOMA,
    BANK,
    BY_THREADS,
    CHERISHED,
    CHOOSE,
    CLAIMED,
    COLOUR,
    COLOURS,
    COMBINING,
    COUNT,
    DISCARD,
    DONE,
    GIVE,
    GOLDFISH,
    LAY,
    LAY_ON,
    LEFT_END,
    LEVELS,
    MAKE_ROOM,
    MOMENT_NAMES,
    NO_END,
    NUDGE,
    NUDGING,
    OVER,
    PAY_ASPIRATIONS,
    PAY_CORE,
    PAY_MOMENTS,
    PAY_THREADS,
    PICK,
    PLACE,
    REFLECT,
    REMEMBER,
    REVEAL,
    REWIRE,
    RIGHT,
    SPECULATING,
    SPLIT,
    SWAPPING,
    TAKE,
    TASKS,
    USE,
    WAIT,
    WISHES,
)
from ..rules.reflect import claimed, claims
from ..rules.reward import automa_counts, due, paid
from .paying import KINDS, stage, total_of
from .pieces import alike, colours_of, names_of, tile, where


def wished(s: Any) -> list[int]:
    """The colours in the order in which the automa wishes for them, as far as they are drawn."""
    drawn = [c for c in s.wish.tolist() if c >= 0]
    return [*drawn, *(set(range(5)) - set(drawn))] if len(drawn) == WISHES else drawn


def automa(look: Look) -> dict[str, Any]:
    """The house automa: its last turn explained, and what it has."""
    s = look.view
    wishes = [COLOURS[c] for c in wished(s)] if s.level == GOLDFISH else []
    took, end = colours_of(s.took), s.took_end
    best = next((c for c in wishes if COLOURS.index(c) in took), "")
    said = ""
    if took:
        how = ("three" if s.level == GOLDFISH else "three_chosen") if len(took) == 3 else "two" if len(took) == 2 else "one"
        said = look.t(
            f"automa.{how}",
            end=look.t("automa.left" if end == LEFT_END else "automa.right"),
            took=names_of(look.t, s.took),
            best=look.t(f"colours.{best}") if best else "",
        )
    return {
        "level": look.t(f"options.automa.{LEVELS[s.level]}"),
        "intro": look.t("automa.intro" if s.level == GOLDFISH else "automa.intro_chosen"),
        "wishes": wishes,
        "took": [COLOURS[c] for c in took],
        "said": said,
        "kept": [(COLOURS[c], s.kept[c]) for c in range(5)],
        "tiles": [tile(look, t) for t in range(TILES) if automa_counts(s, t)],
        "scored": sum(s.home[t] == CHERISHED + AUTOMA for t in range(TILES)),
        "total": total_of(s, AUTOMA),
        "turn": s.phase == REMEMBER and s.turn == AUTOMA,
    }


# -- what to do


def buttons(look: Look) -> list[dict[str, Any]]:
    """Answers that lie on no board."""
    out: list[dict[str, Any]] = [
        {"act": a, "kind": "colour", "colour": COLOURS[a - COLOUR], "words": words(look, a)}
        for a in sorted(look.legal)
        if COLOUR <= a < COUNT
    ]
    if DISCARD in look.legal:
        out.append({"act": DISCARD, "kind": "plain", "words": look.t("actions.discard")})
    if DONE in look.legal:
        out.append(
            {
                "act": DONE,
                "kind": "main",
                "words": look.t("button.no_rewire" if look.view.task[look.seat] == REWIRE and not look.view.moved else "actions.done"),
            }
        )
    return out


def question(look: Look, task: int) -> dict[str, Any]:
    """The sentence that says what to do: its key, and what is put into it."""
    s, seat = look.view, look.seat
    args: dict[str, Any] = {}
    if task == WAIT:
        return waiting(look)
    key = TASKS[task]
    if task == TAKE:
        n = int(SIZE[s.hand])
        more = any(a < PLACE for a in look.legal)
        first = "take" if s.first < s.last else "take_last"
        key = first if n == 0 else "third" if n == 2 and more else "more" if more else "place" if n > 1 else "place_one"
    elif task in (REWIRE, MAKE_ROOM, NUDGING) and s.held[seat] >= 0:
        key, args = "move_to", {"the": look.t(f"the.{COLOURS[s.what[seat]]}")}
    elif task == REWIRE and s.moved:
        key = "finish" if look.legal == {DONE} else "rewire_out" if s.into < 0 else "rewire_into" if s.out_of < 0 else "rewire_on"
    elif task == REWIRE and DONE not in look.legal:  # a lesson waits for one thing
        key = "rewire_only"
    elif task == MAKE_ROOM and look.legal == {DONE}:
        key = "stuck"
    elif task == LAY:
        free, args = sum(LAY_ON <= a < DISCARD for a in look.legal), {"tile": look.t(f"tiles.{MOMENT_NAMES[claimed(s, seat)]}")}
        key = "no_slot" if not free else "lay_some" if DISCARD in look.legal else "lay"
        args |= {"n": free, "have": size(claims(s, seat))} if key == "lay_some" else {}
    elif task == CHOOSE:
        n = sum(USE <= a < LAY_ON for a in look.legal)
        key, args = ("choose" if DONE in look.legal else "choose_only") if n else "finish", {"n": n}
    elif task in (ADD, SPLIT):
        args = {"the": look.t(f"the.{COLOURS[SHOWS[s.bank[seat, s.slot[seat]]]]}")}
    elif task in (COMBINING, SWAPPING) and s.held[seat] >= 0:
        key = {COMBINING: "combine_second", SWAPPING: "swap_with"}[task]
    elif task == SPECULATING:
        args = {"colour": look.t(f"colours.{COLOURS[s.what[seat]]}")}
    elif task == GIVE:
        args = {"the": look.t(f"the.{COLOURS[SLOT[seat, due(s, seat)]]}")}
    return {"key": key, "args": args, "mine": True}


def waiting(look: Look) -> dict[str, Any]:
    """What is awaited, or what is being counted."""
    s = look.view
    names = [look.names[seat] for seat in sorted(look.acting) if seat != look.seat]
    name = look.t("list_and", one=", ".join(names[:-1]), two=names[-1]) if len(names) > 1 else names[0] if names else ""
    if look.over:
        return {"key": "over", "args": {}, "mine": False}
    if s.phase >= PAY_MOMENTS and not any(s.task[seat] == GIVE for seat in range(s.players)):
        return {"key": f"counting_{KINDS[stage(s.phase)]}", "args": {}, "mine": False}
    key = {REMEMBER: "wait_turn", REFLECT: "wait_reflect"}.get(s.phase, "wait_give")
    return {"key": key, "args": {"name": name}, "mine": False}


def why(look: Look, action: int) -> str:
    """Why an action may not be played now."""
    s, seat = look.view, look.seat
    task = s.task[seat]
    if action < PLACE:
        return look.t(f"why.{why_take(s, action)}") if task == TAKE else look.t("why.not_taking")
    if action < DONE:
        return look.t(f"why.{why_place(look, action - PLACE) if action < PICK else why_pick(look)}")
    if USE <= action < LAY_ON:
        return look.t(f"why.{why_use(s, seat, action - USE)}") if task == CHOOSE else look.t("why.finish_first")
    if LAY_ON <= action < DISCARD:
        return look.t("why.covered")
    return look.t("why.no")


def why_take(s: Any, action: int) -> str:
    c, n = action % 5, int(SIZE[s.hand])
    if s.end != NO_END and (s.end == LEFT_END) != (action < RIGHT):
        return "one_end"
    if n == 3 or (n == 2 and alike(s.hand)):
        return "hand_full"
    if n == 2:
        return "third_differs"
    return "no_third" if n == 1 and c not in colours_of(s.hand) else "not_there"


def why_place(look: Look, h: int) -> str:
    s, seat = look.view, look.seat
    task, n = s.task[seat], int(SIZE[s.hand])
    if task == TAKE and (n == 0 or (n == 2 and not alike(s.hand))):
        return "two_differ" if n else "no_hand"
    if task in (TAKE, ADD, SPECULATING):
        return "not_empty"
    if not any(PLACE <= a < PICK for a in look.legal):
        return why_pick(look)
    return "full" if SIZE[s.hexes[seat, h]] == 3 else "not_beside"


def why_pick(look: Look) -> str:
    if look.view.task[look.seat] == GIVE:
        return "give"
    return "pick" if any(PICK <= a < DONE for a in look.legal) else "no"


def why_use(s: Any, seat: int, k: int) -> str:
    n = s.bank[seat, k]
    if n >= 0 and s.flipped[seat] >> k & 1:
        return "flipped"
    if n < 0 and s.used[seat] >> k & 1:
        return "used"
    if n >= 0:
        return "no_split" if SPLITS[n] else "no_add"
    return f"no_{BANK[k]}"


# -- words


def words(look: Look, action: int) -> str:
    """An action as a person says it."""
    r = look.game.actions.range_of(action)
    label = r.labels[action - r.start]
    if label in COLOURS:
        label = look.t(f"colours.{label}")
    elif label in BANK:
        label = on_slot(look, action, label)
    elif r.name in ("place", "pick"):
        h, _, c = label.partition("-")
        label = where(look.t, int(h[1:]) - 1)
        label = look.t("in_hex", colour=look.t(f"colours.{c}"), at=label) if c else label
    elif r.name == "moment":
        label = look.t(f"tiles.{label}")
    elif r.name == "begin":
        n = int(label)
        label = look.names[n] if n < len(look.names) else look.t("automa.name")
    return look.t(f"actions.{r.name}", at=label)


def on_slot(look: Look, action: int, name: str) -> str:
    """What is used on a slot of the bank: the tile that covers it, else the bank's own action; and where a tile is laid."""
    entry = look.extra.get("entry")
    seat = entry[0] if isinstance(entry, tuple) and entry[1] == action and action not in look.legal else look.seat
    n = look.view.bank[seat, BANK.index(name)] if USE <= action < LAY_ON and 0 <= seat < look.view.players else -1
    return look.t(f"tiles.{MOMENT_NAMES[n]}" if n >= 0 else f"bank.{name}")


def line(look: Look, seat: int, action: int) -> str | tuple[str, str] | None:
    """What a player did, told when it is done, and what they claimed by it; after the automa's turn, what it took."""
    said = told(look, seat, action)
    text, tone = said if isinstance(said, tuple) else (said or "", "")
    text = f"{text} {claims_line(look, seat)}"
    if automa_acted(look, action):
        its = f"{automa(look)['said']} {claims_line(look, AUTOMA) if look.view.players == 1 else ''}"
        text = f"{its} {text}" if action < PLACE else f"{text} {its}"
    return (text.strip(), tone) if text.strip() else None


def claims_line(look: Look, seat: int) -> str:
    """The tiles that this entry let a seat claim; nothing where what was before it is not known."""
    was: Any = look.extra.get("was")
    if was is None:
        return ""
    before, after = was().home, look.view.home
    now = [n for n in range(TILES) if after[n] == CLAIMED + seat != before[n]]
    tiles = ", ".join(look.t("log.tile", tile=look.t(f"tiles.{MOMENT_NAMES[n]}")) for n in now)
    if not tiles:
        return ""
    return look.t("automa.claimed", tiles=tiles) if seat >= look.view.players else log(look, seat, "claimed", tiles=tiles)


def automa_acted(look: Look, action: int) -> bool:
    """The automa has had its turn since: after one's own, at the start of a round, or before one's very first fragment."""
    s = look.view
    if s.players > 1 or not s.took or s.phase not in (REMEMBER, REFLECT):
        return False
    if action < PLACE:
        return s.start == AUTOMA and s.round_no == 0 and SIZE[s.hand] == 1 and not any(s.hexes[0, h] for h in range(HEXES))
    if action == COUNT:
        return bool(s.phase == REMEMBER and s.start == AUTOMA)
    ended = action == DONE or PLACE <= action < PICK
    if s.phase == REMEMBER:
        return bool(ended and s.turn == 0 and s.task[0] in (TAKE, MAKE_ROOM))
    began = s.task[0] == LAY or (not s.used[0] and not s.flipped[0])  # later, placing is an action of Reflect
    return bool(s.turn == AUTOMA and s.task[0] != WAIT and (action == DONE or (ended and began)))


def log(look: Look, seat: int, key: str, **args: object) -> str:
    """A line of the log: what you did, or what somebody did."""
    name = look.names[seat] if 0 <= seat < len(look.names) else ""
    return look.t(f"log.{'you' if look.you(seat) else 'they'}.{key}", name=name, **args)


def told(look: Look, seat: int, action: int) -> str | tuple[str, str] | None:
    s = look.view
    if action == COUNT:
        return count_line(look)
    if action == DONE:
        rewired = s.moved > 0 and s.phase in (REMEMBER, REFLECT) and not s.used[seat]
        key = "rewired" if rewired and s.phase == REMEMBER else "done" if s.phase >= REFLECT and s.task[seat] == WAIT else ""
        return log(look, seat, key) if key else None
    if PLACE <= action < PICK:
        return placed_line(look, seat, action - PLACE)
    if action == DISCARD:
        return log(look, seat, "discard")
    if LAY_ON <= action < DISCARD:
        k = action - LAY_ON
        return (
            log(look, seat, "laid", tile=look.t(f"tiles.{MOMENT_NAMES[s.bank[seat, k]]}"), slot=look.t(f"bank.{BANK[k]}"))
            if s.bank[seat, k] >= 0
            else None
        )
    if PICK <= action < DONE and s.phase == REFLECT and s.task[seat] == CHOOSE:
        h = (action - PICK) // 5
        return log(look, seat, "now_holds", held=names_of(look.t, s.hexes[seat, h]) or look.t("empty"), at=where(look.t, h))
    if COLOUR <= action < COUNT:
        return log(look, seat, "colour", colour=look.t(f"colours.{COLOURS[action - COLOUR]}"))
    if PICK <= action < DONE and s.phase in (PAY_THREADS, PAY_CORE):
        return log(look, seat, "gave")
    return None


def placed_line(look: Look, seat: int, h: int) -> str | None:
    """Fragments were taken and placed, or one was moved or added."""
    s = look.view
    if s.phase == REMEMBER and s.task[seat] in (REWIRE, MAKE_ROOM) and s.moved and s.turn == seat:
        return None  # a step of a rewiring, told when it is done
    held = names_of(look.t, s.hexes[seat, h])
    if s.phase == REMEMBER or (SIZE[s.hexes[seat, h]] > 1 and not s.used[seat] >> NUDGE & 1):
        return log(look, seat, "took", took=held, at=where(look.t, h))
    return log(look, seat, "now_holds", held=held, at=where(look.t, h))


def count_line(look: Look) -> tuple[str, str]:
    """What was just counted, for everybody."""
    s = look.view
    n, kind = s.round_no, {PAY_THREADS: 0, PAY_CORE: 1, REVEAL: 2, PAY_ASPIRATIONS: 2, OVER: 3}.get(s.phase, 2)
    if s.phase < REMEMBER or s.phase == REMEMBER:  # the next round has begun
        n -= 1
    if s.phase == PAY_THREADS and any(s.owed[seat] for seat in range(s.players)):
        kind = BY_THREADS
    names = [look.t("you") if look.you(seat) else look.names[seat] for seat in range(s.players)]
    names += [look.t("automa.name")] if s.players == 1 else []
    points = [paid(s, seat, n, kind) for seat in range(len(names))]
    values = ", ".join(f"{name} *+{earned}*" for name, earned in zip(names, points, strict=True))
    return look.t("log.counted", n=n + 1, kind=look.t(f"points.{KINDS[kind]}"), values=values), "good" if any(points) else ""
