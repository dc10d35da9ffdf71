"""Vivid Memories at one screen that several share."""

from __future__ import annotations

import random
import re

from people import TestClient, Wire, open_table, visitor

import recollect
from recollect.games.vivid.rules import layout

GAME = recollect.load("vivid")


def test_two_at_one_screen_play_without_a_curtain_and_see_an_aspiration_only_while_they_press(client: TestClient):
    id = open_table(client, "vivid", seat1="here", name1="Ana", start="first")
    t, rng = GAME.texts("en"), random.Random(3)
    dreams = [t(f"aspirations.{colour}") for colour in layout.COLOURS]
    seen = set()
    with client.websocket_connect(f"/t/{id}/live") as socket:
        wire = Wire(socket)
        wire.hear()
        for _ in range(60):
            assert "curtain" not in wire.html and not any(f"<strong>{dream}<" in wire.html for dream in dreams)
            seen.add(int(re.search(r'data-seat="(\d)"', wire.html)[1]))
            wire.act(rng.choice(wire.acts))
            wire.hear()
            while not wire.acts:  # something is being shown to all
                wire.hear()
    assert seen == {0, 1}, "both were asked"
    shown = [[dream for dream in dreams if dream in client.get(f"/t/{id}/press/{seat}").text] for seat in (0, 1)]
    assert [len(each) for each in shown] == [1, 1] and shown[0] != shown[1]
    assert visitor(client).get(f"/t/{id}/press/0").status_code == 403
