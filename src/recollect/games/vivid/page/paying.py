"""What the reward phase pays, line by line, and the sheet of the round."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from recollect.engine import size
from recollect.engine.look import Look

from ..components import CLUSTERS, CORE, CORE_PAYS, HEXES, PATTERN, PAYS, RING, SLOT, TILES
from ..rules.fragments import having
from ..rules.layout import (
    ADD,
    AUTOMA,
    BY_MOMENTS,
    COLOURS,
    GIVE,
    NUDGING,
    OVER,
    PAY_ASPIRATIONS,
    PAY_CORE,
    PAY_MOMENTS,
    PAY_THREADS,
    PICK,
    PLACE,
    REFLECT,
    ROUNDS,
    SPECULATING,
)
from ..rules.reflect import reflect_step
from ..rules.reward import (
    aspiration_points,
    automa_counts,
    automa_pays,
    cherished_with,
    connects,
    core_points,
    next_part,
    paid,
    pay_moments,
    pay_threads,
)
from . import drawing
from .pieces import board, hexes_of, tile

KINDS = ("moments", "threads", "core", "aspiration")


def stage(phase: int) -> int:
    """Which kind of points is being counted."""
    return {PAY_MOMENTS: 0, PAY_THREADS: 1, PAY_CORE: 2}.get(phase, 3)


# -- the end


def counted_minds(look: Look) -> list[dict[str, Any]]:
    """One's board as it was when each round was counted, and what earned its points."""
    past: Any = look.extra.get("past", ())
    seat, out = max(look.seat, 0), list[dict[str, Any]]()
    for n in range(ROUNDS):
        view = next((step.view for step in past if step.view.phase == PAY_MOMENTS and step.view.round_no == n), None)
        if view is None:
            continue
        then = replace(look, view=view, over=False, extra={})
        mind, paid_ = {**board(then, seat), "id": f"r{n + 1}"}, gain(then, seat)
        for part in paid_["parts"]:
            part["light"] = " ".join(line["light"] for line in part["lines"] if line["points"]).replace(f"b{seat}-", f"r{n + 1}-")
            for line in part["lines"]:
                line["light"] = line["light"].replace(f"b{seat}-", f"r{n + 1}-")
        shining = {name for part in paid_["parts"] for name in part["light"].split()}
        out.append({"n": n + 1, "board": mind, "parts": paid_["parts"], "shining": shining, "total": paid_["total"]})
    return out


# -- what the round pays


def gain(look: Look, seat: int) -> dict[str, Any]:
    """What the reward phase pays this board now, line by line; each line names what it lights."""
    s = look.view
    parts = {"moments": moment_lines(look, seat), "threads": thread_lines(look, seat), "core": core_lines(look, seat)}
    if s.phase > PAY_MOMENTS:
        parts["moments"] = []
    if s.phase > PAY_THREADS or any(s.task[other] == GIVE for other in range(s.players)):
        parts["threads"] = []
    row = counted(look, seat)
    sums = [
        row["paid"][k] if row["paid"][k] is not None else sum(line["points"] for line in lines) for k, lines in enumerate(parts.values())
    ]
    before = sum(paid(s, seat, n, kind) for n in range(s.round_no) for kind in range(4))
    return {
        "parts": [{"kind": kind, "lines": lines, "sum": n} for (kind, lines), n in zip(parts.items(), sums, strict=True)],
        "total": sum(sums),
        "before": before,
    }


def prospects(look: Look) -> tuple[int, ...]:
    """While one chooses a hex in Reflect: by how much each would change what the round pays. Nothing at other times."""
    if look.seat not in look.acting or look.view.task[look.seat] not in (ADD, SPECULATING, NUDGING):
        return ()
    if not any(PLACE <= a < PICK for a in look.legal):
        return ()
    now = worth(look)
    return tuple([worth(look, PLACE + h) - now if PLACE + h in look.legal else 0 for h in range(HEXES)])


def worth(look: Look, action: int = -1) -> int:
    """What one's board would be paid if the round ended now, or after an action: by the rules, on a copy."""
    seat, state = look.seat, look.game.state
    s = state.open(state.copy(look.view.record))
    if action >= 0:
        reflect_step(s, seat, action)
    pay_moments(s, seat)
    pay_threads(s, seat)
    return int(paid(s, seat, s.round_no, 0) + paid(s, seat, s.round_no, 1) + core_points(seat, s.filled[seat] | s.owed[seat]))


def moment_lines(look: Look, seat: int) -> list[dict[str, Any]]:
    s, out = look.view, []
    for k in range(4):
        n = s.bank[seat, k]
        if n >= 0 and s.flipped[seat] >> k & 1:
            hits = [h for h in range(HEXES) if s.hexes[seat, h] == PATTERN[n]]
            light = [f"b{seat}-cell-{h + 1}" for h in hits] + [f"b{seat}-h{h + 1}-{i}" for h in hits for i in (1, 2, 3)]
            out.append(
                {"id": f"m{n}", "tile": tile(look, n), "hits": len(hits), "points": int(PAYS[n]) * len(hits), "light": " ".join(light)}
            )
    return sorted(out, key=lambda line: -line["points"])


def thread_lines(look: Look, seat: int) -> list[dict[str, Any]]:
    s, out = look.view, []
    filled = s.filled[seat]
    for c in range(5):
        left = having(s, seat, c)
        while left:
            part = int(next_part(left))
            left &= ~part
            slots = int(connects(seat, c, part, filled))
            if slots:
                out.append(
                    {
                        "id": f"t{c}-{min(hexes_of(part)) + 1}",
                        "colour": COLOURS[c],
                        "hexes": size(part),
                        "slots": size(slots),
                        "ring": slots,
                        "points": size(part) * size(slots),
                        "light": " ".join(lights_of_thread(look, seat, c, part, slots)),
                    }
                )
    return sorted(out, key=lambda line: -line["points"])


def lights_of_thread(look: Look, seat: int, c: int, part: int, slots: int) -> list[str]:
    """Ids of the hexes, crystals, yarn and slots of a thread."""
    hexes, s = hexes_of(part), look.view
    held, yarn = drawing.laid(seat, tuple(s.hexes[seat, h] for h in range(HEXES)))
    ids = [f"b{seat}-cell-{h + 1}" for h in hexes]
    ids += [f"b{seat}-h{h + 1}-{i}" for h in hexes for i, token in enumerate(held[h], 1) if token["c"] == c]
    ids += [
        f"b{seat}-y{line['id']}"
        for line in yarn
        if line["c"] == c and line["of"] <= set(hexes) and (line["slot"] is None or slots >> line["slot"] & 1)
    ]
    return ids + [f"b{seat}-slot-{p}" for p in range(RING) if slots >> p & 1]


def core_lines(look: Look, seat: int) -> list[dict[str, Any]]:
    """Core memories that are complete, counting the slots which the threads of now fill."""
    s, out = look.view, []
    filled = s.filled[seat] | s.owed[seat]
    if s.phase <= PAY_THREADS:
        for line in thread_lines(look, seat):
            filled |= line["ring"]
    for k in range(CLUSTERS):
        places = [p for p in range(RING) if CORE[seat, k] >> p & 1]
        if places and CORE[seat, k] & ~filled == 0:
            light = " ".join([f"b{seat}-slot-{p}" for p in places] + [f"b{seat}-core-{k}"])
            out.append(
                {"id": f"c{k}", "colours": [COLOURS[SLOT[seat, p]] for p in places], "points": int(CORE_PAYS[seat, k]), "light": light}
            )
    return sorted(out, key=lambda line: -line["points"])


def counted(look: Look, seat: int) -> dict[str, Any]:
    """A row of the round's sheet: what was paid, what is being counted, what is still to come (None)."""
    s = look.view
    at = 9 if s.phase == OVER else stage(s.phase) if s.phase >= PAY_MOMENTS else -1
    choosing = s.phase == PAY_THREADS and any(s.task[other] == GIVE for other in range(s.players))
    so_far: list[int | None] = [paid(s, seat, s.round_no, k) if k < at or (choosing and k == at) else None for k in range(4)]
    now = due(look, seat, at) if 0 <= at < 4 and not choosing else 0
    total = total_of(s, seat)
    return {"seat": seat, "paid": so_far, "now": now, "at": at, "total": total, "round": sum(n for n in so_far if n is not None) + now}


def total_of(s: Any, seat: int) -> int:
    """All points of a seat so far."""
    return sum(sum(rows.tolist()[seat]) for rows in (s.moments, s.threads, s.core)) + int(s.aspired[seat])


def due(look: Look, seat: int, kind: int) -> int:
    """What this count is about to pay the seat."""
    s = look.view
    if seat >= s.players:
        return automa_due(look, kind)
    if kind < 3:
        return sum(line["points"] for line in (moment_lines, thread_lines, core_lines)[kind](look, seat))
    return aspiration_points(s, seat, s.aspiration[seat]) if s.phase == PAY_ASPIRATIONS else 0


def automa_due(look: Look, kind: int) -> int:
    s = look.view
    if kind == BY_MOMENTS:
        return int(sum(automa_pays(s, t) for t in range(TILES) if automa_counts(s, t)))
    if kind == 3 and s.phase == PAY_ASPIRATIONS:
        colour = s.aspiration[AUTOMA]
        return int(s.kept[colour] + 5 * cherished_with(s, AUTOMA, colour))
    return 0


def lanes(look: Look, sheet: list[dict[str, Any]], gained: dict[str, Any] | None) -> list[dict[str, Any]]:
    """The score track: where each toy stands, and where it goes."""
    s, out = look.view, []
    for row in sheet:
        plus = row["now"]
        if s.phase == REFLECT and row["seat"] == look.seat:
            plus = gained["total"] if gained else 0
        out.append({"seat": row["seat"], "at": row["total"], "plus": plus})
    end = max(60, *(20 * -(-(lane["at"] + lane["plus"]) // 20) for lane in out))
    return [{**lane, "end": end} for lane in out]
