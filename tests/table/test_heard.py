"""What is seen is heard: the accessibility tree of a page and what it announces, over a whole turn of each game."""

from __future__ import annotations

import random
import re
from typing import Any

import pytest

import recollect
from recollect.engine.look import Look
from recollect.minds import mind
from recollect.table.render.prose import game_texts
from recollect.table.render.shot import NAMES, page_of
from table.test_fit import FETCH, serve

pytestmark = pytest.mark.browser
MOVES = {"memoarrr": 14, "ptibapt": 14, "vivid": 24, "dejavu": 30}  # of both players: at least one whole turn each


def states(name: str) -> list[tuple[str, Any, Any]]:
    """The page of the first seat after each move, with the match as it stood and the move made."""
    game = recollect.load(name)
    match, rng, player = game.match(seed="heard", players=2), random.Random(4), mind(game, "sensible")
    out = []
    for _ in range(MOVES[name]):
        seat = min(match.acting)
        action = player.choose(match.knowledge(seat), seat, match.legal(seat), rng)
        match.play(seat, action)
        out.append((page_of(match, 0, "en"), look_of(match), (seat, action)))
    return out


def look_of(match) -> Look:
    return Look.of(match.moment, 0, NAMES[: match.players], game_texts(match.game, "en"), {"entry": None})


def tree(session) -> list[tuple[str, str]]:
    """Roles and names, as a screen reader has them."""
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    return [(n["role"]["value"], n.get("name", {}).get("value", "")) for n in nodes if not n.get("ignored") and "role" in n]


def memoarrr(look: Look) -> list[str]:
    from recollect.games.memoarrr.page.scene import at, card_words
    from recollect.games.memoarrr.rules.layout import CENTRE

    s = look.view
    return [f"{at(p)}: {card_words(look.t, s.card[p])}" if s.card[p] >= 0 else at(p) for p in range(25) if p != CENTRE]


def ptibapt(look: Look) -> list[str]:
    from recollect.games.ptibapt.page.scene import at, card_name, cards_laid
    from recollect.games.ptibapt.rules import SIDE

    s = look.view
    laid = [p for p in range(SIDE * SIDE) if p % SIDE < s.columns and p // SIDE * s.columns + p % SIDE < cards_laid(look)]
    return [f"{at(p)}: {card_name(look.t, s.card[p])}" if s.card[p] >= 0 else at(p) for p in laid]


def vivid(look: Look) -> list[str]:
    from recollect.games.vivid.page.pieces import names_of, where
    from recollect.games.vivid.rules.layout import LINE, MOMENT_NAMES

    s = look.view
    hexes = [look.t("hex", at=where(look.t, h), held=names_of(look.t, s.hexes[0, h]) or look.t("empty")) for h in range(19)]
    line = [look.t(f"tiles.{MOMENT_NAMES[s.line[i]]}") for i in range(s.first, s.last + 1) if i < LINE and s.line[i] >= 0]
    return hexes + line


def dejavu(look: Look) -> list[str]:
    from recollect.games.dejavu.page.cosmos import cosmic_map
    from recollect.games.dejavu.page.pieces import bit_name, card_name, held_cards, kinds_in
    from recollect.games.dejavu.rules.layout import CHOOSE

    s = look.view
    waits = s.stage == CHOOSE and look.seat not in look.acting  # the hand is chosen, and lies on no page until all have chosen
    drawn = [] if s.stage == CHOOSE or s.bench >= 0 else cosmic_map(look, [])["tiles"]
    for t, x in enumerate(drawn):
        assert all(bit_name(look, k) in x["words"] for k in kinds_in(s.bits[t])), "every bit of a tile is in its name"
    return [x["words"] for x in drawn] + ([] if waits else [card_name(look, c) for c in held_cards(look)])


SEEN = {"memoarrr": memoarrr, "ptibapt": ptibapt, "vivid": vivid, "dejavu": dejavu}


@pytest.mark.parametrize("name", SEEN)
def test_all_that_lies_in_sight_is_in_the_accessibility_tree(chromium: Any, name: str):
    context = chromium.new_context(reduced_motion="reduce", viewport={"width": 1280, "height": 720})
    shots = states(name)
    serve(context, {str(i): html for i, (html, _, _) in enumerate(shots)})
    page = context.new_page()
    page.goto("http://table/page/0")
    page.evaluate(FETCH, [f"/page/{i}" for i in range(len(shots))])
    session = context.new_cdp_session(page)
    for i, (_, look, _) in enumerate(shots):
        page.evaluate("(n) => document.getElementById('live').replaceWith(document.adoptNode(shots[n]))", i)
        names = [" ".join(spoken.split()) for _, spoken in tree(session) if spoken]  # where words may not part is nothing to be heard
        missing = [seen for seen in SEEN[name](look) if not any(spoken.startswith(" ".join(seen.split())) for spoken in names)]
        assert not missing, f"move {i}: seen, and not heard: {missing}"
    context.close()


@pytest.mark.parametrize("name", SEEN)
def test_every_move_of_everybody_is_announced_with_its_place_and_face(name: str):
    """The status region names what was done: in games of recall the card that was shown, elsewhere who did what."""
    for html, look, (seat, action) in states(name):
        said = re.search(r'id="heard"[^>]*>(.*?)</p>', html, re.S)[1]
        if name in ("memoarrr", "ptibapt"):
            label = look.game.actions.range_of(action)
            shown = SEEN[name](look)
            place = label.labels[action - label.start].upper() if label.name in ("reveal", "turn") else ""
            face = next((text for text in shown if text.startswith(f"{place}: ")), None) if place else None
            assert face is None or face in said.replace("&#39;", "'"), f"{face} is open and not announced: {said!r}"
        else:
            assert said.strip(), f"{look.game.actions.notation(action)} of seat {seat} is not announced"
