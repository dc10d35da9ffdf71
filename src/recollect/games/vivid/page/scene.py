"""What a seat sees: boards, the moment line, the bank, what the round would pay, and the one sentence that says what to do."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from recollect.engine.drawn import once
from recollect.engine.look import Look, heard
from recollect.engine.sets import size
from recollect.engine.texts import day as day_words

from ..components import SLOTS_OF, TILES, TIMES
from ..rules.enough import not_done, reflecting
from ..rules.layout import (
    BANK,
    CHERISHED,
    CLAIMED,
    COLOURS,
    GIVE,
    HEXES,
    LAY,
    LINE,
    OVER,
    PAY_CORE,
    PAY_MOMENTS,
    REFLECT,
    REMEMBER,
    ROUNDS,
    TASKS,
    WAIT,
)
from ..rules.prepare import takers
from ..rules.reflect import claimed
from ..rules.reward import aspiration_points, cherished_with, paid
from . import drawing
from .paying import KINDS, counted, counted_minds, gain, lanes, prospects, stage
from .pieces import bank, board, colours_of, line_tile, tile, ways
from .telling import automa, buttons, line, question, why, words

PRESSED = ("aspiration",)  # where several share a screen it is shown while pressed: no curtain for it at every turn
DREAMS = ("health-worker", "astronaut", "farmer", "diving-mask", "person-mage")  # the picture of each aspiration
TOYS = ("teddy-bear", "sauropod", "unicorn", "fox")  # each seat's toy on the score track
STEPS = ("prepare", "remember", "reflect", "reward")


def scene(look: Look) -> dict[str, Any]:
    s, me = look.view, look.seat
    task = s.task[me] if me in look.acting else WAIT
    mine = max(me, 0)
    dreams = [dream(look, seat) for seat in range(takers(s))]
    pays = prospects(look)
    return {
        "step": step(s.phase),
        "steps": STEPS,
        "round": s.round_no + 1,
        "rounds": ROUNDS,
        "task": TASKS[task],
        "say": question(look, task),
        "boards": [board(look, seat, pays) for seat in range(s.players)],
        "S": drawing.S,
        "tiles": [line_tile(look, i) for i in range(LINE) if s.line[i] >= 0],
        "places": takers(s) + 2,
        "hand": [COLOURS[c] for c in colours_of(s.hand)] if s.phase == REMEMBER else [],
        "ways": ways(s.hand),
        "banks": [bank(look, seat) for seat in range(s.players)],
        "claimed": [tile(look, t) for t in range(TILES) if s.home[t] == CLAIMED + mine],
        "claims": [sum(s.home[t] == CLAIMED + seat for t in range(TILES)) for seat in range(s.players)],
        "laying": claimed(s, mine) if task == LAY else -1,
        "cherished": [[tile(look, t) for t in range(TILES) if s.home[t] == CHERISHED + seat] for seat in range(takers(s))],
        **points(look, mine),
        "supply": [(COLOURS[c], s.supply[c]) for c in range(5)],
        "bag": sum(s.bag[c] for c in range(5)),
        "dream": dreams[me] if me >= 0 else None,
        "dreams": dreams,
        "status": [status(look, seat) for seat in range(s.players)],
        "automa": automa(look) if takers(s) > s.players else None,
        "buttons": buttons(look),
        "colours": COLOURS,
        "toys": [*TOYS[:1], "robot"] if takers(s) > s.players else TOYS,
        "starter": s.start,
        "scarce": s.phase == REFLECT and reflecting(s) != not_done(s),
        "best": best(look),
        "heard": heard(look, line, words),
    }


def points(look: Look, mine: int) -> dict[str, Any]:
    """What was paid, what is being counted and where it comes from."""
    s = look.view
    sheet = [counted(look, seat) for seat in range(takers(s))]
    gained = gain(look, mine) if look.seat >= 0 and REFLECT <= s.phase < OVER else None
    earned = [earns(look, seat) for seat in range(s.players)]
    return {
        "gain": gained,
        "sheet": sheet if PAY_MOMENTS <= s.phase <= OVER else None,
        "kinds": KINDS[: 4 if s.round_no == ROUNDS - 1 else 3],
        "counting": KINDS[stage(s.phase)] if PAY_MOMENTS <= s.phase < OVER else "",
        "shining": once(**{name: True for lines in earned for line in lines for name in line["light"].split()}),
        "earns": earned,
        "lanes": lanes(look, sheet, gained),
        "minds": [with_dream(look, mine, mind) for mind in counted_minds(look)] if look.over else [],
        "rounds_of": [[[paid(s, seat, n, kind) for kind in range(4)] for n in range(ROUNDS)] for seat in range(takers(s))]
        if look.over
        else [],
    }


def best(look: Look) -> list[dict[str, Any]]:
    """After a game alone: one's best scores, with the day in words."""
    rows: Any = look.extra.get("best", [])
    days = [datetime.fromtimestamp(row["at"]).astimezone() for row in rows]
    told = [{"day": day_words(day, "medium", look.t.language), "at": day.isoformat(timespec="seconds")} for day in days]
    return [{**row, **day} for row, day in zip(rows, told, strict=True)]


def mini(look: Look, before: Look) -> dict[str, Any]:
    """One's own board after a move; the hexes that the move changed shine."""
    own, now, was = board(look, look.seat), look.view.hexes, before.view.hexes
    changed = [f"{own['id']}-cell-{h + 1}" for h in range(HEXES) if now[look.seat, h] != was[look.seat, h]]
    return {"board": own, "S": drawing.S, "name": look.names[look.seat], "shining": changed}


def at_rest(s: Any) -> bool:
    """Nothing is in hand: from here until the next such moment what is left on a tile of the line keeps its place."""
    return not s.hand


def step(phase: int) -> str:
    return STEPS[0 if phase < REMEMBER else 1 if phase == REMEMBER else 2 if phase == REFLECT else 3]


def earns(look: Look, seat: int) -> list[dict[str, Any]]:
    """What earns a player the points that are being counted, line by line; each line lights what it speaks of."""
    s = look.view
    if not PAY_MOMENTS <= s.phase <= PAY_CORE:
        return []
    return [line for line in gain(look, seat)["parts"][stage(s.phase)]["lines"] if line["points"]]


# -- aspiration, other players, the automa


def dream(look: Look, seat: int) -> dict[str, Any] | None:
    """An aspiration that lies in sight, and what it is worth so far."""
    s = look.view
    if s.aspiration[seat] < 0:
        return None
    c = s.aspiration[seat]
    worth = aspiration_points(s, seat, c) if seat < s.players else 0
    name = look.t(f"aspirations.{COLOURS[c]}")
    return {"colour": COLOURS[c], "name": name, "art": DREAMS[c], "worth": worth, "sky": c, "parts": dream_parts(s, seat, c)}


def dream_parts(s: Any, seat: int, c: int) -> list[tuple[str, int, int]]:
    """What an aspiration counts: how many in hexes (of the automa: kept), in slots, cherished, and what each is worth."""
    cherished = ("cherished", int(cherished_with(s, seat, c)), 5)
    if seat >= s.players:
        return [("kept", int(s.kept[c]), 1), cherished]
    in_hexes = sum(int(TIMES[s.hexes[seat, h], c]) for h in range(HEXES))
    return [("hex", in_hexes, 1), ("slot", size(s.filled[seat] & int(SLOTS_OF[seat, c])), 2), cherished]


def with_dream(look: Look, seat: int, mind: dict[str, Any]) -> dict[str, Any]:
    """A board as it was counted; in the last round with what the aspiration paid, and the fragments that it counted."""
    of = dream(look, seat)
    if mind["n"] < ROUNDS or of is None:
        return mind
    lights = {"hex": left_in_hexes(look, seat, mind["board"], of["sky"]), "slot": filled_slots(look, seat, mind["board"], of["colour"])}
    lines = [
        {"id": part, "part": part, "colour": of["colour"], "n": n, "points": n * each, "light": " ".join(lights.get(part, ()))}
        for part, n, each in of["parts"]
    ]
    light = " ".join(line["light"] for line in lines)
    return {**mind, "parts": [*mind["parts"], {"kind": "aspiration", "lines": lines, "sum": look.view.aspired[seat], "light": light}]}


def left_in_hexes(look: Look, seat: int, mind: dict[str, Any], c: int) -> list[str]:
    """The fragments of a colour, as drawn when the round was counted, that were in hexes at the very end."""
    lie: list[str] = []
    for h in mind["hexes"]:
        alike = [f"{mind['id']}-h{h['n']}-{i}" for i, k in enumerate(h["tokens"], 1) if k["colour"] == COLOURS[c]]
        lie += alike[: int(TIMES[look.view.hexes[seat, h["n"] - 1], c])]
    return lie


def filled_slots(look: Look, seat: int, mind: dict[str, Any], colour: str) -> list[str]:
    """The slots of a colour that were filled at the end."""
    slots = [slot for group in mind["groups"] for slot in group["slots"] if slot["colour"] == colour]
    return [f"{mind['id']}-slot-{slot['p']}" for slot in slots if look.view.filled[seat] >> slot["p"] & 1]


def status(look: Look, seat: int) -> str:
    """What a player is about."""
    s = look.view
    if s.phase == REMEMBER:
        return look.t("status.plays") if seat == s.turn else look.t("status.starts") if seat == s.start else ""
    if s.phase == REFLECT:
        return look.t("status.done") if s.task[seat] == WAIT else look.t("status.plans") if seat in look.acting else look.t("status.waits")
    return look.t("status.chooses") if s.task[seat] == GIVE else ""


def almanac(look: Look) -> dict[str, Any]:
    """Every tile with both its sides, every action of the memory bank, every aspiration."""
    dreams = [{"colour": colour, "art": DREAMS[c], "sky": c} for c, colour in enumerate(COLOURS)]
    return {"tiles": [tile(look, n) for n in range(TILES)], "bank": BANK, "dreams": dreams}


def round_of(s: Any) -> int:
    """The round on the timeline of a replay."""
    return int(s.round_no + 1)


def phase_of(s: Any) -> str:
    """The text that names the phase on that timeline."""
    return f"steps.{step(s.phase)}"


def spot(look: Look, action: int) -> str:
    """The hex in which an answer lies."""
    r = look.game.actions.range_of(action)
    return f"b{look.seat}-hex-{r.labels[action - r.start].partition('-')[0][1:]}" if r.name in ("place", "pick") else ""


__all__ = ["line", "scene", "why", "words"]
