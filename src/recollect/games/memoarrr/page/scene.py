"""What a seat sees of the island: places, piles, players, and the one sentence that says what to do."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from recollect.engine.drawn import Drawn, drawn, once
from recollect.engine.look import Look
from recollect.engine.sets import size
from recollect.engine.texts import Texts

from ..components import BIRDS
from ..recall import round_of
from ..rules import BESIDE
from ..rules.layout import (
    ACTIONS,
    CARDS,
    CENTRE,
    CHOOSE_SIDE,
    FIRST,
    GUARD,
    GUARD_WHICH,
    LOOK,
    MIDDLE,
    PEEK,
    PEEK_WHICH,
    PEEKING,
    PLACES,
    PUT_BACK,
    REVEAL,
    ROUND_WON,
    ROUNDS,
    SIDE,
    SIDES,
    STAGES,
    SWAP,
    SWAP_WHICH,
    TAKE_TREASURE,
    TAKE_VOLCANO,
    TURN,
)
from .voyage import voyage

CLEARS = ("take_treasure",)  # the log begins anew: a line of an old round would help to remember
Fields = dict[str, Any]
Cards = tuple[int, ...]  # or actions, place by place
Moved = tuple[tuple[int, str], ...]
WHERE = {0: (), 1: ("north",), 2: ("west", "east"), 3: ("west", "north", "east")}  # the others, round the island


def scene(look: Look) -> dict[str, Any]:
    s = look.view
    return {
        "stage": STAGES[s.stage],
        "round": min(s.rounds + 1, ROUNDS),
        "rounds": ROUNDS,
        "grid": island(look),
        "fire": once(left=s.pile, lit=TAKE_VOLCANO in look.legal, act=TAKE_VOLCANO, birds=birds(s.top)),
        "hoard": ROUNDS - s.rounds,
        "flags": once(**{SIDES[s.side[seat]]: seat for seat in range(s.players) if s.side[seat] >= 0}),
        "hands": [hand(look, seat) for seat in range(s.players)],
        "where": WHERE.get(s.players - (look.seat >= 0), ("west", "north", "east", "south")),
        "link": face(s.card[s.last]) if s.last >= 0 and s.card[s.last] >= 0 else None,
        "asked": look.seat in look.acting and s.stage != ROUND_WON,
        "say": question(look),
        "put_back": PUT_BACK if PUT_BACK in look.legal else None,
        "buried": TAKE_VOLCANO if TAKE_VOLCANO in look.legal else None,
        "winner": s.turn if s.stage == ROUND_WON else None,
        "missed": missed(look),
        "heard": heard(look),
        "unseen": unseen(look) if look.over else None,
        "voyage": voyage(look, face, at) if look.over else [],
    }


def at(p: int) -> str:
    return PLACES[p].upper()


@drawn
def face(card: int) -> dict[str, Any]:
    animal, land = CARDS[card].split("-")
    return {"animal": animal, "land": land}


def island(look: Look) -> list[Drawn]:
    """The places, row by row: each with its card if it lies in this seat's sight, and what a click on it means."""
    s, means, moved, mark = look.view, clicks(look), came_from(look), badge(look)
    cards, last = s.card.tolist(), s.last if s.stage not in (CHOOSE_SIDE, ROUND_WON) and not look.over else -1
    return [
        row(
            look.t,
            p,
            tuple(cards[p : p + 5]),
            s.up >> p & 31,
            means[p : p + 5],
            s.last - p if p <= s.last < p + 5 else -1,
            last >= 0,
            mark,
            s.guarded - p if p <= s.guarded < p + 5 else -1,
            moved if any(p <= place < p + 5 for place, _ in moved) else (),
        )
        for p in range(0, 25, 5)
    ]


@drawn
def row(t: Texts, first: int, cards: Cards, up: int, acts: Cards, turned: int, lies: bool, mark: str, guarded: int, moved: Moved) -> Fields:
    """One row as it lies; `turned` and `guarded` are places in it, or none. In the midst of the island there is no card."""
    was = dict(moved)
    cells = [
        place(
            t,
            p := first + i,
            card,
            card >= 0 and not up >> i & 1,
            lies and i == turned,
            mark if i == turned else "",
            i == guarded,
            REVEAL + p if acts[i] < 0 else acts[i],
            acts[i] >= 0,
            was.get(p, ""),
        )
        if first + i != CENTRE
        else None
        for i, card in enumerate(cards)
    ]
    return {"n": first // 5 + 1, "cells": cells, "middle": None in cells}


@drawn
def place(t: Texts, p: int, card: int, secret: bool, last: bool, mark: str, guarded: bool, act: int, lit: bool, was: str) -> dict[str, Any]:
    """One place as it lies: the same for all who see it so."""
    return {
        "id": PLACES[p],
        "at": at(p),
        "face": face(card) if card >= 0 else None,
        "secret": secret,
        "last": last,
        "badge": mark,
        "guarded": guarded,
        "lit": lit,
        "act": act,
        "from": was,
        "words": said(t, act) if lit else "",
    }


def heard(look: Look) -> str:
    """The card turned last, and those that only this seat sees, for those who hear the table; whoever sees it hears it."""
    s = look.view
    if look.over:
        return ""
    secret = [p for p in range(25) if s.card[p] >= 0 and p != s.last and not s.up >> p & 1]
    said = [look.t("heard_secret", at=at(p), card=card_words(look.t, s.card[p])) for p in secret]
    if s.last >= 0 and s.card[s.last] >= 0:
        said.append(look.t("heard", at=at(s.last), card=card_words(look.t, s.card[s.last])))
    return " ".join(said)


def unseen(look: Look) -> dict[str, Any]:
    """At the end: the places at which nobody ever looked, and the cards that must lie there in some order."""
    known = {int(look.view.card[p]) for p in range(25)}
    hidden = [at(p) for p in range(25) if p != CENTRE and look.view.card[p] < 0]
    return {"at": ", ".join(hidden), "cards": [face(c) for c in range(len(CARDS)) if c not in known] if hidden else []}


def badge(look: Look) -> str:
    """What is written on the card turned last, while somebody is to link with it."""
    s = look.view
    if s.stage not in (TURN, ROUND_WON):
        return ""
    return "miss" if missed(look) is not None else "link" if s.stage == TURN else ""


def missed(look: Look) -> int | None:
    """Who has just turned a card that did not link. It is still the card to link with, unless it ended the round."""
    s, entry = look.view, look.extra.get("entry")
    if s.stage not in (TURN, ROUND_WON) or s.last < 0 or not isinstance(entry, tuple):
        return None
    seat, action = entry
    return seat if action == REVEAL + s.last and s.volcano[seat] >= 0 else None


def clicks(look: Look) -> Cards:
    """The action that a click on each place means at this stage, where it is legal; else -1."""
    s = look.view
    return meant(s.stage, s.last if s.stage == SWAP_WHICH else -1, look.legal)


@lru_cache(maxsize=16_384)
def meant(stage: int, last: int, legal: frozenset[int]) -> Cards:
    if stage == CHOOSE_SIDE:
        means = {p: SIDE + side for side in reversed(range(4)) for p in MIDDLE[side]}
    elif stage == SWAP_WHICH:
        means = {last + int(BESIDE[d]): SWAP + d for d in reversed(range(4))}
    else:
        start = {TURN: REVEAL, PEEK_WHICH: PEEK, GUARD_WHICH: GUARD}.get(stage, -1)
        means = {p: start + p for p in range(25)} if start >= 0 else {}
    return tuple([action if (action := means.get(p, -1)) in legal else -1 for p in range(25)])


def came_from(look: Look) -> Moved:
    """The octopus has just moved two cards: where each was before."""
    s, entry = look.view, look.extra.get("entry")
    if not isinstance(entry, tuple) or not SWAP <= entry[1] < SWAP + 4 or s.last < 0:
        return ()
    was = s.last - int(BESIDE[entry[1] - SWAP])
    return (was, PLACES[s.last]), (s.last, PLACES[was])


def birds(volcano: int) -> int:
    """How many birds a volcano has; none where there is no volcano."""
    return int(BIRDS[volcano]) if volcano >= 0 else 0


def hand(look: Look, seat: int) -> Drawn:
    """What lies before a player: treasures nobody has opened, a volcano when out, rubies after the end."""
    s, entry = look.view, look.extra.get("entry")
    who, what = entry if isinstance(entry, tuple) else (-1, -1)
    new = s.rounds - 1 if what == TAKE_TREASURE else -1
    mine = [(k, k == new, s.rubies[k] if look.over else 0) for k, owner in enumerate(s.owner.tolist()) if owner == seat]
    return once(
        treasures=tuple([once(k=k, new=new, rubies=rubies) for k, new, rubies in mine]),
        out=s.volcano[seat] >= 0,
        birds=birds(s.volcano[seat]),
        burnt=s.volcano[seat] >= 0 and who == seat,
        note=note(look, seat, who),
    )


def sure(s: Any) -> list[int]:
    """The rubies that everybody can already count on, for the chart of a replay: a closed treasure holds one at least."""
    return [sum(max(1, int(s.rubies[k])) for k, owner in enumerate(s.owner.tolist()) if owner == seat) for seat in range(s.players)]


def note(look: Look, seat: int, last: int) -> str:
    s = look.view
    if s.volcano[seat] >= 0:
        return look.t("seat.out")
    if seat in look.acting:
        return look.t("seat.won" if s.stage == ROUND_WON else "seat.plays")
    if seat == last and s.last >= 0:
        return look.t("seat.last")
    return ""


def question(look: Look) -> str:
    """The key of the sentence that says what to do, or what is awaited."""
    s = look.view
    stage = STAGES[s.stage]
    if look.over or s.stage == ROUND_WON:
        return "over" if look.over else "won" if s.rounds + 1 < ROUNDS else "last"
    if look.seat not in look.acting:
        return f"wait.{stage}"
    if s.stage == TURN:
        first = s.rounds == 0 and s.last < 0
        return "first" if first else "open" if s.last < 0 else "link"
    return stage


# -- words


def words(look: Look, action: int) -> str:
    """An action as a person says it."""
    if FIRST <= action < FIRST + len(look.names):
        return look.t("actions.first", at=look.names[action - FIRST])
    return said(look.t, action)


@lru_cache(maxsize=1024)
def said(t: Texts, action: int) -> str:
    """An action that names nobody."""
    r = ACTIONS.range_of(action)
    label = r.labels[action - r.start]
    if r.name in ("side", "swap"):
        label = t(f"sides.{label}")
    elif r.name == "deal":
        label = card_words(t, action - r.start)
    elif label in PLACES:
        label = label.upper()
    return t(f"actions.{r.name}", at=label)


def card_words(t: Texts, card: int) -> str:
    shown = face(card)
    return t("card", animal=t(f"names.{shown['animal']}"), land=t(f"names.{shown['land']}"))


def why(look: Look, action: int) -> str:
    """Why a card cannot be turned now."""
    s, p = look.view, action - REVEAL
    if not 0 <= p < 25 or s.stage not in (TURN, PEEK_WHICH, GUARD_WHICH):
        return look.t(f"why.{STAGES[s.stage]}")
    if s.up >> p & 1:
        return look.t("why.up", at=at(p))
    if s.guarded == p:
        return look.t("why.guarded", at=at(p))
    return look.t("why.first", at=at(p))


def line(look: Look, seat: int, action: int) -> str | tuple[str, str] | None:
    """Where a card was turned and whether it linked; what it was, and a power that would tell, only when the game is over."""
    said = told(look, seat, action)
    p = action - REVEAL
    if said is None or not look.extra.get("told") or not 0 <= p < 25 or look.view.card[p] < 0:
        return said
    text, tone = said if isinstance(said, tuple) else (said, "")
    return look.t("log.face", line=text, card=card_words(look.t, look.view.card[p])), tone


def told(look: Look, seat: int, action: int) -> str | tuple[str, str] | None:
    """A line without its face."""
    s, who = look.view, look.names[seat] if 0 <= seat < len(look.names) else ""
    you = "you" if look.you(seat) else "they"
    if SIDE <= action < SIDE + 4:
        return look.t(f"log.{you}.side", name=who, at=look.t(f"sides.{SIDES[action - SIDE]}"))
    if REVEAL <= action < REVEAL + 25:
        if s.volcano[seat] >= 0:
            return look.t(f"log.{you}.failed", name=who, at=at(action - REVEAL)), "bad"
        return look.t(f"log.{you}.opened" if size(s.up) == 1 else f"log.{you}.linked", name=who, at=at(action - REVEAL))
    if action == TAKE_VOLCANO:
        return look.t(f"log.{you}.buried", name=who), "bad"
    if action == TAKE_TREASURE:
        return look.t(f"log.{you}.treasure", name=who, round=s.rounds), "good"
    return None


def almanac(look: Look) -> dict[str, Any]:
    """Every animal and every landscape there is."""
    faces = [face(card) for card in range(len(CARDS))]
    kinds = {key: sorted({shown[key] for shown in faces}) for key in ("animal", "land")}
    return {"animals": kinds["animal"], "lands": kinds["land"]}


__all__ = ["LOOK", "PEEKING", "almanac", "line", "round_of", "scene", "sure", "why", "words"]
