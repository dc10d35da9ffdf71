"""What a seat sees of the walk: the cards, the piles, the sentence that says what to do, and alone the clock."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache
from typing import Any

from recollect.engine.drawn import Drawn, drawn, once
from recollect.engine.look import Look
from recollect.engine.sets import members, size
from recollect.engine.texts import Texts
from recollect.engine.texts import day as day_words

from ..components import CARDS, COLOURS, EFFECTS
from ..rules import (
    BLUE,
    BONUSES,
    COLOUR,
    FACE_COUNT,
    FIRST,
    GOLD,
    GREEN,
    KEEP,
    KEEPING,
    LOOK,
    LOOKING,
    PLACE_COUNT,
    PLACES,
    PUT_OUT,
    RED,
    SECOND,
    SECONDS_A_RED,
    SIDE,
    START,
    TURN,
    TURNING,
    WORTH,
    reds,
    time_counted,
)
from .journey import journey

WALKS = 5  # best times shown


def scene(look: Look) -> dict[str, Any]:
    s = look.view
    rows = -(-cards_laid(look) // s.columns)
    return {
        "alone": s.players == 1,
        "columns": s.columns,
        "rows": rows,
        "laid": laid(look, rows),
        "hands": [hand(look, seat) for seat in range(s.players)],
        "way": way(look),
        "left": left(look),
        "say": say(look),
        "heard": heard(look),
        "asked": look.seat in look.acting and s.step in (FIRST, SECOND, LOOKING),
        "open": s.step in (KEEPING, TURNING),
        "put_out": PUT_OUT if PUT_OUT in look.legal else None,
        "idle": s.idle if s.idle >= 3 and not look.over else 0,
        "effects": effects(look.t) if look.options["bonus"] else None,
        "walk": walk(look) if s.players == 1 else None,
        "ended": ended(look) if look.over else None,
        "journey": journey(look, places_laid(look, rows), face, at),
    }


# -- the table


def at(p: int) -> str:
    return PLACES[p].upper()


def cards_laid(look: Look) -> int:
    """Cards on the table at the start."""
    o = look.options
    return 2 * (int(o["greens"]) + int(o["golds"])) + int(o["reds"]) + (2 * BONUSES if o["bonus"] else 0)


def places_laid(look: Look, rows: int) -> list[int | None]:
    """The places, row by row; None where no card ever lay."""
    return spread(look.view.columns, rows, cards_laid(look))


@lru_cache(maxsize=64)
def spread(columns: int, rows: int, laid: int) -> list[int | None]:
    return [i // columns * SIDE + i % columns if i < laid else None for i in range(rows * columns)]


def laid(look: Look, rows: int) -> list[Drawn]:
    """The places, row by row, each with its card if it lies in this seat's sight."""
    s = look.view
    looking, lie, cards, columns = s.step == LOOKING, s.lies, s.card.tolist(), s.columns
    lit, each, full = lit_places(look.legal, LOOK if looking else TURN), cards_laid(look), (1 << columns) - 1
    return [
        row(look.t, r, columns, each - r * columns, tuple(cards[p : p + columns]), lie >> p & full, looking, lit >> p & full)
        for r, p in zip(range(rows), range(0, PLACE_COUNT, SIDE), strict=False)
    ]


@lru_cache(maxsize=4096)
def lit_places(legal: frozenset[int], start: int) -> int:
    """The set of places that a click may turn, or look at."""
    return sum(1 << p for p in range(PLACE_COUNT) if start + p in legal)


@drawn
def row(t: Texts, r: int, columns: int, many: int, cards: tuple[int, ...], lie: int, looking: bool, lit: int) -> dict[str, Any]:
    """One row as it lies: None where no card ever lay."""
    there = range(min(many, columns))
    cells = [cell(t, r * SIDE + i, cards[i], bool(lie >> i & 1), looking, bool(lit >> i & 1)) for i in there]
    return {"n": r + 1, "cells": (*cells, *[None] * (columns - len(cells)))}


@drawn
def cell(t: Texts, p: int, card: int, there: bool, looking: bool, lit: bool) -> dict[str, Any]:
    """One place as it lies, and what a click on it means: the same for all who see it so."""
    return {
        "id": PLACES[p],
        "at": at(p),
        "state": "up" if card >= 0 else "down" if there else "empty",
        "face": face(t, card) if card >= 0 else None,
        "secret": card >= 0 and looking,
        "lit": lit,
        "act": (LOOK if looking else TURN) + p,
    }


def lies(look: Look, p: int) -> bool:
    """A card lies here."""
    return bool(look.view.lies >> p & 1)


@drawn
def face(t: Texts, card: int) -> dict[str, Any]:
    """A card as it is drawn."""
    kind = CARDS[card]
    return {
        "name": card_name(t, card),
        "picture": kind.picture,
        "colour": COLOURS[kind.colour],
        "value": signed(int(WORTH[kind.colour])) if kind.colour != BLUE else "",
    }


def card_name(t: Texts, card: int) -> str:
    """Its name; a card that an owner added is called what their file calls it."""
    key = f"cards.{CARDS[card].name}"
    return t(key) if key in t else CARDS[card].name.replace("-", " ").capitalize()


def signed(n: int) -> str:
    return f"+{n}" if n > 0 else f"−{-n}" if n else "0"


# -- the players


def hand(look: Look, seat: int) -> Drawn:
    """What lies before a player."""
    s = look.view
    on = seat == s.turn and s.step != START and not look.over
    return lying_before(look.t, s.pile[seat], note(look, seat), on)


@drawn
def lying_before(t: Texts, some: int, note: str, on: bool) -> dict[str, Any]:
    """A pile, and what its player does."""
    return {**kept(t, some), "note": note, "on": on}


@lru_cache(maxsize=4096)
def kept(t: Texts, some: int) -> dict[str, Any]:
    """The cards of a pile, and what they are worth."""
    pile = [{**face(t, f), "count": 1 if COLOUR[f] == RED else 2} for f in members(some)]
    tally = {colour: sum(card["count"] for card in pile if card["colour"] == COLOURS[colour]) for colour in (GOLD, GREEN, RED)}
    return {
        "pile": sorted(pile, key=lambda card: ("gold", "green", "red").index(card["colour"])),
        "points": sum(int(WORTH[colour]) * n for colour, n in tally.items()),
        "tally": [
            {"colour": COLOURS[colour], "n": n if colour == RED else n // 2, "points": signed(int(WORTH[colour]) * n) if n else ""}
            for colour, n in tally.items()
        ],
    }


def note(look: Look, seat: int) -> str:
    s = look.view
    if look.over or s.step == START:
        return ""
    if seat == s.turn:
        return look.t("table.you_play" if look.you(seat) else "table.playing")
    return look.t("table.next") if s.step in (KEEPING, TURNING) and seat == next_seat(look) else ""


def next_seat(look: Look) -> int:
    """Whose turn it will be when the open cards are gone."""
    s = look.view
    return int(s.turn if s.players == 1 or again(look) else 1 - s.turn)


def again(look: Look) -> bool:
    """The open pair plays again."""
    s = look.view
    if s.two < 0 or s.card[s.one] != s.card[s.two]:
        return False
    kind = CARDS[s.card[s.one]]
    return kind.colour == GOLD or (kind.colour == GREEN and bool(s.replay)) or EFFECTS[kind.effect] == "again"


# -- how far, and what is left


def way(look: Look) -> Drawn:
    """The walk home: one stone for each pair that must be found."""
    s = look.view
    colours = (GREEN, GOLD) if s.players == 1 else (GREEN,)
    todo = tuple([COLOURS[colour] for colour in colours for _ in range(s.pairs[colour])])
    return stones(look.t, colours, tuple(s.pile.tolist()[: s.players]), todo)


@drawn
def stones(t: Texts, colours: tuple[int, ...], piles: tuple[int, ...], todo: tuple[str, ...]) -> dict[str, Any]:
    """The way so far."""
    of = [f for f in range(FACE_COUNT) if COLOUR[f] in colours]
    found = [{**face(t, f), "seat": seat} for f in of for seat, pile in enumerate(piles) if pile >> f & 1]
    return {"found": found, "todo": todo, "done": len(found), "all": len(found) + len(todo)}


def left(look: Look) -> Drawn:
    """What is still on the table, of how much, and what it is worth."""
    s, o = look.view, look.options
    begun = int(o["greens"]), int(o["reds"]), int(o["golds"]), BONUSES if o["bonus"] else 0
    return lying(look.t, tuple(s.pairs.tolist()), begun, s.players == 1)


@drawn
def lying(t: Texts, pairs: tuple[int, ...], begun: tuple[int, ...], alone: bool) -> dict[str, Any]:
    """The same, by colour."""
    of = dict(zip((GREEN, RED, GOLD, BLUE), begun, strict=True))
    return {"rows": [still(t, colour, pairs[colour], n, alone) for colour, n in of.items() if n or not alone or colour == RED]}


def still(t: Texts, colour: int, n: int, of: int, alone: bool) -> Drawn:
    """What is left of a colour."""
    worth = f"+{SECONDS_A_RED} s" if alone and colour == RED else signed(int(WORTH[colour]) * (1 if colour == RED else 2))
    key = f"left.{COLOURS[colour]}{'_alone' if alone else ''}" if of else f"left.no_{COLOURS[colour]}"
    return once(colour=COLOURS[colour], n=n, of=of, text=t(key, n=max(n, 1), points=worth))


@drawn
def effects(t: Texts) -> dict[str, Any]:
    """What the blue pairs do, in words."""
    blue = [f for f in range(FACE_COUNT) if COLOUR[f] == BLUE]
    return {"cards": [{**face(t, f), "count": 1, "effect": t(f"effects.{EFFECTS[CARDS[f].effect]}")} for f in blue]}


def almanac(look: Look) -> dict[str, Any]:
    """Every card there is, and what the blue ones do."""
    cards = [{**face(look.t, c), "blue": EFFECTS[CARDS[c].effect] if COLOUR[c] == BLUE else ""} for c in range(FACE_COUNT)]
    return {"groups": [(COLOURS[k], [card for card in cards if card["colour"] == COLOURS[k]]) for k in (GREEN, GOLD, RED, BLUE)]}


# -- the sentence


def heard(look: Look) -> str:
    """The open cards by place and face, for those who hear the table: the second too."""
    s = look.view
    if look.over:
        return ""
    turned = [p for p in (s.one, s.two) if p >= 0 and s.card[p] >= 0]
    secret = [p for p in range(PLACE_COUNT) if s.card[p] >= 0 and p not in turned] if s.step == LOOKING else []
    said = [look.t("line.heard", at=at(p), card=card_name(look.t, s.card[p])) for p in turned]
    return " ".join(said + [look.t("line.heard_secret", at=at(p), card=card_name(look.t, s.card[p])) for p in secret])


def say(look: Look) -> Drawn:
    """What to do, or what is awaited: a text and a second one, with what goes into them; `one`, `two` and `at` are places."""
    s = look.view
    key, more = sentence(look)
    name = look.names[s.turn] if s.turn < len(look.names) else ""
    other = look.names[1 - s.turn] if s.players == 2 else ""
    shown = s.two if s.two >= 0 else s.one
    card = card_name(look.t, s.card[shown]) if shown >= 0 and s.card[shown] >= 0 else ""
    return once(
        key=key,
        more=more,
        name=name,
        other=other,
        one=at(s.one) if s.one >= 0 else "",
        two=at(s.two) if s.two >= 0 else "",
        at=at(shown) if shown >= 0 else "",
        card=card,
        effect=effect_of(look),
        n=s.looks if s.step == LOOKING else pair_points(look),
    )


def sentence(look: Look) -> tuple[str, str]:
    """The keys of the sentence and of the one below it."""
    s, me = look.view, look.seat == look.view.turn
    alone = s.players == 1
    if look.over:
        return "over", ""
    if s.step == START:
        return "lots", ""
    if s.step == FIRST:
        return first_sentence(look, me, alone)
    if s.step == SECOND:
        return ("second_me", "second_me_more") if me else ("second_them", "second_them_more")
    if s.step == TURNING:
        return "back", "back_alone" if alone else "back_me" if me else "back_watch" if look.shared or look.seat < 0 else "back_them"
    if s.step == KEEPING:
        return keep_sentence(look, me, alone)
    if not me:
        return "look_them", "look_them_more"
    return ("look_me", "look_me_more") if s.looks else ("look_me_done", "look_me_out")


def first_sentence(look: Look, me: bool, alone: bool) -> tuple[str, str]:
    s, entry = look.view, look.extra.get("entry")
    if alone and me:
        return "first_alone", "first_alone_on" if begun(look) else "first_alone_more"
    if not me:
        return "first_them", "first_them_more"
    return ("first_me_again" if entry == (s.turn, KEEP) else "first_me"), "first_me_more"


def begun(look: Look) -> bool:
    """Some card has been turned."""
    s = look.view
    return bool(s.known[0]) or size(s.lies) < cards_laid(look)


def keep_sentence(look: Look, me: bool, alone: bool) -> tuple[str, str]:
    s = look.view
    who = "alone" if alone else "them" if look.shared or not me else "me"
    if s.two < 0 or s.card[s.one] != s.card[s.two]:
        return "red", f"red_{who}"
    if COLOUR[s.card[s.one]] == BLUE:
        return "pair", "pair_blue"
    return "pair", f"pair_{who}" + ("_again" if again(look) and not alone else "")


def pair_points(look: Look) -> int:
    s = look.view
    return 2 * int(WORTH[COLOUR[s.card[s.one]]]) if s.one >= 0 and s.card[s.one] >= 0 else 0


def effect_of(look: Look) -> str:
    s = look.view
    if s.one < 0 or s.card[s.one] < 0 or COLOUR[s.card[s.one]] != BLUE:
        return ""
    return look.t(f"effects.{EFFECTS[CARDS[s.card[s.one]].effect]}")


# -- alone, against the clock


def timed(options: Any) -> bool:
    """Whether the table keeps time: from the first card to the last."""
    return int(options["players"]) == 1


def course(options: Any) -> tuple[float, ...]:
    """Walks over the same cards are compared, where open cards stay as long."""
    return tuple(float(options[name]) for name in ("greens", "golds", "reds", "show"))


def counted(view: Any, elapsed: float) -> float:
    """The time as it counts."""
    return float(time_counted(elapsed, reds(view, 0)))


def milestone(view: Any) -> int:
    """Pairs found so far: where two walks are compared."""
    return sum(COLOUR[f] != RED for f in members(view.pile[0]))


def clock(seconds: float) -> str:
    whole = int(seconds)
    return f"{whole // 60}:{whole % 60:02}"


def walk(look: Look) -> dict[str, Any]:
    """The clock, what the reds add, and the best walks on this machine."""
    s = look.view
    time: Any = look.extra.get("clock") or {"elapsed": 0.0, "running": False, "best": ()}
    kept = reds(s, 0)
    total = counted(s, time["elapsed"])
    best = [walked(look, w) for w in time["best"][:WALKS]]
    found = way(look)
    return {
        "elapsed": round(time["elapsed"], 2),
        "running": time["running"],
        "state": "arrived" if look.over else "walking" if time["running"] or time["elapsed"] else "ready",
        "text": clock(time["elapsed"]),
        "toll": SECONDS_A_RED * kept,
        "a_red": SECONDS_A_RED,
        "reds": [{**face(look.t, f), "count": 1} for f in range(FACE_COUNT) if COLOUR[f] == RED and s.pile[0] >> f & 1],
        "counts": clock(total),
        "best": best,
        "scale": max([w["counted"] for w in best] + [total, 60]) * 1.05,
        "togo": len(found["todo"]),
        "half": bool(found["todo"]) and found["done"] == len(found["todo"]),
        "pace": pace(look, time),
    }


def walked(look: Look, w: dict[str, Any]) -> dict[str, Any]:
    """One line of the list of best walks."""
    day = datetime.fromtimestamp(w["at"]).astimezone()
    when = {"day": day_words(day, "d MMMM", look.t.language), "at": day.isoformat(timespec="seconds")}
    kept = round((w["counted"] - w["elapsed"]) / SECONDS_A_RED) if SECONDS_A_RED else 0
    return {"counted": w["counted"], "text": clock(w["counted"]), "reds": kept, **when, "this": w.get("this", False)}


def pace(look: Look, time: Any) -> dict[str, Any] | None:
    """How far ahead of the best walk, or behind it, at as many pairs."""
    splits = time["best"][0].get("splits", ()) if time["best"] else ()
    done = milestone(look.view)
    if look.over or not 0 < done <= len(splits) or len(time.get("splits", ())) < done:
        return None
    ahead = round(splits[done - 1] - time["splits"][done - 1])
    return {"ahead": ahead >= 0, "n": abs(ahead), "pairs": done}


# -- the end


def ended(look: Look) -> dict[str, Any]:
    """Why the game is over."""
    s = look.view
    return {"why": "all_found" if s.pairs[GREEN] == 0 else "stalemate", "left": size(s.lies)}


# -- words


def words(look: Look, action: int) -> str:
    """An action as a person says it."""
    r = look.game.actions.range_of(action)
    label = r.labels[action - r.start]
    return look.t(f"actions.{r.name}", at=label.upper()) if label in PLACES else look.t(f"actions.{r.name}")


def why(look: Look, action: int) -> str:
    """Why that cannot be done now."""
    s = look.view
    r = look.game.actions.range_of(action)
    p = action - r.start
    if s.step in (KEEPING, TURNING):
        return look.t("why.wait")
    if r.name not in ("turn", "look") or not 0 <= p < PLACE_COUNT:
        return look.t("why.cannot")
    if not lies(look, p):
        return look.t("why.empty", at=at(p))
    if s.step == LOOKING:
        return look.t("why.lantern" if r.name == "turn" else "why.looked" if s.card[p] >= 0 else "why.no_looks", at=at(p))
    return look.t("why.open" if r.name == "turn" else "why.no_lantern", at=at(p))


def line(look: Look, seat: int, action: int) -> tuple[str, str] | None:
    """Where cards were turned and what came of it; what they were, only when the game is over."""
    s = look.view
    who = look.t("line.you") if look.you(seat) else look.names[seat] if 0 <= seat < len(look.names) else ""
    if LOOK <= action < LOOK + PLACE_COUNT:
        return f"*{who}* {at(action - LOOK)} · {look.t('line.lantern')}", "lantern"
    if not TURN <= action < TURN + PLACE_COUNT or s.step not in (KEEPING, TURNING):
        return None
    turned = [p for p in (s.one, s.two) if p >= 0]
    told = bool(look.extra.get("told"))
    places = ", ".join(f"{at(p)} {card_name(look.t, s.card[p])}" if told else at(p) for p in turned)
    what, tone = outcome(look)
    return f"*{who}* {places} · {what}", tone


def outcome(look: Look) -> tuple[str, str]:
    """What came of the open cards, and its tone."""
    s = look.view
    if s.step == TURNING:
        return look.t("line.back"), "miss"
    colour = int(COLOUR[s.card[s.two if s.two >= 0 else s.one]])
    if colour == RED:
        return f"+{SECONDS_A_RED} s" if s.players == 1 else signed(int(WORTH[RED])), "red"
    if colour == BLUE:
        return effect_of(look), "blue"
    points = look.t("line.pair") if s.players == 1 else signed(pair_points(look))
    return points, COLOURS[colour]
