"""What is asked, what may be answered, and why not; and what happened."""

from __future__ import annotations

from typing import Any

from recollect.engine import size
from recollect.engine.look import Look

from ..components import AWAKENING, COLOURS, FLOWER_PRICE, ICONS, SLOTS
from ..rules.construction import covered, pays
from ..rules.layout import (
    BUILD,
    CHOOSE,
    DISCARDING,
    DONE,
    DROP,
    FOOTPRINT,
    GROW,
    GROWING,
    HAND,
    HOLD,
    KEEP,
    LAY,
    LAYING,
    MAP,
    MORNING,
    ORDINARIES,
    PICK,
    PLANT,
    REFILL,
    REFILLING,
    REMEMBER,
    SAVE,
    SAVING,
    SHAPE_COUNT,
    SOW,
    SOW_FROM,
    STAGES,
    TILE_COUNT,
    WALK,
    WALK_TO,
    WANDER,
    WHITES,
    begun,
    icons,
    remembered,
    short_limit,
)
from ..rules.meditation import hand_limit
from ..rules.sowing import ALL_WHITE, WHITE_BITS
from .cosmos import lined_up
from .pieces import already, bit, bit_name, card, card_name, held_cards, kinds_in, named, reach_down, tile_name, wants
from .plans import Plan, ending, growing, idle_walk, picking, putting_by, refilling, saving, staying
from .tableaux import bench_card, bench_seat

# buttons that say what they are for, and the text in which they do
TIPS = {"plant-circle": "plant", "plant-card": "plant", **{id: id for id in ("wander", "stroll", "grow", "built-stroll")}}


def sentence(look: Look) -> str:
    """The one sentence that says what to do, or what is awaited."""
    s = look.view
    stage = STAGES[s.stage]
    if look.over:
        return look.t("say.over")
    if look.seat not in look.acting:
        names = " · ".join(look.names[seat] for seat in sorted(look.acting))
        if not names:  # between two moves of a game that is looked back on
            return look.t("wait.chance")
        return look.t(f"wait.{stage}" if f"wait.{stage}" in look.t else "wait.someone", name=names)
    if s.stage == MORNING:
        key = "none" if DONE in look.legal else "walked" if s.strolled or idle_walk(look) else "morning"
        return look.t(f"say.morning_{key}")
    if s.stage == SOW:
        last = lined_up(look)[-1]
        args = {
            "next": bit_name(look, s.upcoming),
            "last": bit_name(look, last),
            "colour": named(look, "gathered", COLOURS[last // SHAPE_COUNT]),
        }
        return look.t("say.sow_last" if size(s.held) == 1 else "say.sow", **args)
    if s.stage == WALK:
        steps = icons(s, look.seat, FOOTPRINT) - s.steps
        plant = any(PLANT <= a < PICK for a in look.legal)
        key = "walk_plant" if plant and steps else "plant" if plant else "walk" if s.steps == 0 else "walk_on"
        return look.t(f"say.{key}", n=steps)
    return building(look)


def building(look: Look) -> str:
    """The sentences of construction, and of whatever asks for a number."""
    s = look.view
    if s.stage == LAYING:
        c, slot = bench_card(s), covered(s, bench_seat(s), s.bench)
        shape = wants(c, slot)
        return look.t(
            "say.lay" if any(LAY <= a < DROP for a in look.legal) else "say.lay_none",
            card=card_name(look, c),
            shape=named(look, "slots", shape),
        )
    if s.stage == BUILD:
        builds = not look.legal or any(REMEMBER <= a < KEEP for a in look.legal)  # nothing at all: a lesson speaks
        room = begun(s, look.seat) < short_limit(s, look.seat)  # with room, only a lesson does not offer what fits
        full = not room and any(reach_down(look, c, kinds_in(s.own[look.seat])) for c in held_cards(look))  # they lack a place
        if remembered(s, look.seat) >= AWAKENING and s.awake < 0:
            return look.t("say.build_ten")
        key = "build" if builds else "build_full" if full else "build_grow" if GROW in look.legal else "build_none"
        return look.t(f"say.{key}")
    if s.stage == CHOOSE:
        many = s.hand_count[look.seat] - int(ICONS[HAND])
        if any(REMEMBER <= a < KEEP for a in look.legal):
            return look.t("say.choose_remember", n=many - 2)
        return look.t("say.choose", n=many)
    if s.stage == REFILLING:
        return look.t("say.refill", n=size(s.grid), bit=bit_name(look, kinds_in(s.grid)[0]))
    if s.stage == WHITES:
        return look.t("say.white", n=s.picks, at=tile_name(look, s.at))
    if s.stage == GROWING:
        return look.t("say.grow", n=FLOWER_PRICE - s.paid)
    if s.stage == SAVING:
        return look.t("say.save", n=s.room)
    if s.stage == DISCARDING:
        return look.t("say.discard", n=hand_limit(s, look.seat))
    if s.stage == MAP and s.placed == 1:
        return look.t("say.map_first")
    return look.t(f"say.{STAGES[s.stage]}")


def buttons(look: Look) -> list[dict[str, Any]]:
    """Answers that are no piece on the table."""
    s, out = look.view, []

    def offer(id: str, plan: Plan, main: bool = False, icon: str = "", words: str = "") -> None:
        if plan and plan[0] in look.legal:
            out.append(
                {
                    "id": id,
                    "act": plan[0],
                    "then": plan[1:],
                    "words": look.t(f"do.{words or id}"),
                    "main": main,
                    "icon": icon,
                    "tip": tip(look, id),
                }
            )

    if look.seat not in look.acting:
        return out
    offer("stroll" if idle_walk(look) else "wander", [WANDER], icon="foot")
    offer("plant-circle", [PLANT], True, "flower")
    offer("plant-card", [PLANT + 1], not out, "flower")
    offer("grow", growing(look), icon="flower")
    every = {WHITES: ("all-whites", picking), SAVING: ("save-all", saving), REFILLING: ("spread", refilling)}
    if s.stage in every:
        offer(every[s.stage][0], every[s.stage][1](look), True)
    done = {MORNING: "skip", WALK: "stay", WHITES: "enough", BUILD: "built", SAVING: "saved", DISCARDING: "draw"}
    if s.stage in done:
        words = "save_none" if s.stage == SAVING and not s.saved else ""
        more = s.stage == SAVING or any(REMEMBER <= a < KEEP for a in look.legal)  # something can still be saved, or built
        main = not more and (s.stage in (DISCARDING, BUILD) or not out)
        plan = ending(look) if s.stage == BUILD else [DONE, *staying(look)] if s.stage == SAVING else [DONE]
        offer(done[s.stage], plan, main, words=words)
    if s.stage == BUILD and len(ending(look)) > 1:
        offer("built-stroll", [DONE], icon="foot")
    return out


def tip(look: Look, id: str) -> str:
    """What a button is for, where its name alone does not say it to a newcomer."""
    return look.t(f"tip.{TIPS[id]}") if id in TIPS else ""


def queue(look: Look) -> list[dict[str, Any]]:
    """The bits in hand while sowing; each may be called up next if that is legal."""
    if look.view.stage != SOW:
        return []
    line = lined_up(look)
    out = []
    for i, k in enumerate(line):
        role = "next" if i == 0 else "last" if i == len(line) - 1 else ""
        back = bool(i == 0 and look.view.chosen)  # it was called up; a click lets it fall back
        out.append(bit(look, k, role=role, act=HOLD + k, lit=HOLD + k in look.legal, back=back))
    return out


def tray(look: Look) -> list[dict[str, Any]]:
    """The bits one has for building, each with what a click on it means now."""
    s, seat = look.view, look.seat
    if s.stage == WHITES:
        return [bit(look, WHITE_BITS + a - PICK, act=a, then=[], lit=True, pays=None) for a in sorted(look.legal) if PICK <= a < SAVE]
    if s.stage not in (BUILD, LAYING, GROWING, SAVING):
        return []
    c = bench_card(s) if s.bench >= 0 else -1
    out = []
    for k in kinds_in(s.own[seat]):
        act, *then = putting_by(look, k) if s.stage == SAVING else [LAY + k]
        lit = act in look.legal
        out.append(bit(look, k, act=act, then=then, lit=lit, pays=int(pays(c, k)) if lit and s.stage == LAYING else None))
    return out


def words(look: Look, action: int) -> str:
    """An action as a person says it."""
    r = look.game.actions.range_of(action)
    label = r.labels[action - r.start]
    groups = {
        "sow": "tiles",
        "walk": "tiles",
        "drop": "tiles",
        "refill": "tiles",
        "pick": "slots",
        "save": "bits",
        "lay": "bits",
        "hold": "bits",
        "draw_bit": "bits",
    }
    if r.name in groups:
        label = named(look, groups[r.name], label)
    elif r.name in ("remember", "discard", "draw_card"):
        label = card_name(look, action - r.start)
    else:
        label = told(look, r.name, label)
    return look.t(f"actions.{r.name}", at=label)


def told(look: Look, name: str, label: str) -> str:
    """What a label means that names neither a tile, a bit nor a card."""
    thing, _, which = label.rpartition("-")
    if name == "place":
        return look.t("spot", tile=named(look, "tiles", thing), way=look.t(f"ways.{which}"))
    if name == "lay_fragment":
        return f"{named(look, 'kinds', thing)}\u00a0{which}"
    if name == "first":
        return look.names[int(label)] if int(label) < len(look.names) else label
    return look.t(f"plant.{label}") if name == "plant" else label


def why(look: Look, action: int) -> str:
    """Why something cannot be done now."""
    s, t = look.view, action
    if SOW_FROM <= action < SOW_FROM + TILE_COUNT and s.stage == MORNING:
        return why_not_sow(look, action - SOW_FROM)
    if WALK_TO <= action < WALK_TO + TILE_COUNT and s.stage == WALK:
        t = action - WALK_TO
        key = (
            "steps" if s.steps >= icons(s, look.seat, FOOTPRINT) else "here" if t == s.girl else "crossed" if s.crossed >> t & 1 else "far"
        )
        return look.t(f"why.{key}", at=tile_name(look, t))
    if DROP <= action < DROP + TILE_COUNT and s.stage == SOW:
        t = action - DROP
        key = "crossed" if s.crossed >> t & 1 else "far" if not s.near[s.at] >> t & 1 else "dead_end"
        return look.t(f"why.{key}", at=tile_name(look, t))
    if REFILL <= action < REFILL + TILE_COUNT and s.stage == REFILLING:
        return look.t("why.emptiest", n=min(map(size, s.bits)))
    if REMEMBER <= action < KEEP and s.stage == BUILD:
        return why_not_build(look, action - REMEMBER)
    if REMEMBER <= action < KEEP:  # a card was touched to be read
        return str(card(look, action - REMEMBER)["label"])
    if LAY <= action < DROP and s.stage == LAYING:
        c, slot = bench_card(s), covered(s, look.seat, s.bench)
        return look.t("why.shape", shape=named(look, "slots", wants(c, slot)))
    if HOLD <= action < REFILL and s.stage == SOW:
        return look.t("why.chosen" if s.chosen else "why.white_last")
    key = f"why.{STAGES[s.stage]}"
    return look.t(key if key in look.t else "why.now")


def why_not_sow(look: Look, t: int) -> str:
    s = look.view
    n = size(s.bits[t])
    key = "empty" if n == 0 else "all_white" if s.bits[t] & ~ALL_WHITE == 0 else "too_long"
    return look.t(f"why.{key}", at=tile_name(look, t), n=n)


def why_not_build(look: Look, c: int) -> str:
    s, name = look.view, card_name(look, c)
    if s.long[look.seat] >> c & 1:
        return look.t("why.second", card=name)
    if c >= ORDINARIES:
        return look.t("why.at_once", card=name)
    slot = already(look, c)
    if reach_down(look, c, kinds_in(s.own[look.seat])) == 0:
        return look.t("why.no_bit", card=name, shape=named(look, "slots", wants(c, slot) if slot < SLOTS[c] else "any"))
    return look.t("why.no_place", card=name)


def line(look: Look, seat: int, action: int) -> str | tuple[str, str] | None:
    """What happened, for the log; only what everybody saw."""
    s, r = look.view, look.game.actions.range_of(action)
    if not 0 <= seat < len(look.names):
        return None
    at = action - r.start

    def say(key: str, tone: str = "", **args: object) -> tuple[str, str]:
        return look.t(f"log.{'you' if look.you(seat) else 'they'}.{key}", name=look.names[seat], **args), tone

    if r.name == "place":
        return say("place", at=tile_name(look, s.placed - 1))
    if r.name in ("walk", "sow"):
        return say(r.name, at=tile_name(look, at), n=size(s.held)) if r.name == "sow" else say("walk", at=tile_name(look, at))
    if r.name == "plant":
        return say("plant", "good", at=tile_name(look, s.girl))
    if r.name == "drop" and s.stage != SOW:
        return say("gather", at=tile_name(look, s.at), colour=named(look, "gathered", COLOURS[s.upcoming // SHAPE_COUNT]))
    if r.name == "lay" and s.stage == BUILD:
        return say("built", "good", card=card_name(look, s.latest)) if s.latest >= 0 else say("grew")
    if r.name == "remember" and s.bench < 0:
        return say("first", "good", card=card_name(look, at))
    if r.name == "keep":
        return say("keep", card=card_name(look, s.latest))
    if r.name == "discard":
        return say("discard", card=card_name(look, at))
    if r.name == "done" and s.awake >= 0 and s.awake == seat and s.stage == MORNING and remembered(s, seat) >= AWAKENING:
        return say("awake", "good")
    return None
