"""Nothing that looks back can be had before the end, by anyone: what is dealt anew changes no byte of any answer."""

from __future__ import annotations

from pathlib import Path

import pytest
from people import TestClient

from recollect.engine.shelf import games
from recollect.table.app import application
from recollect.table.live.room import Room
from recollect.table.store import Chair, Store

from .test_leaks import redealt, stand
from .test_own import cookie, lay

WHO = {"mila": 0, "theo": 1, "stranger": -1}
ASKED = [
    *(f"/t/runs/{where}" for where in ("replay/0", "replay/3?seat=0", "replay/3?seat=1&live", "report", "report?seat=0", "report?seat=1")),
    *(f"/t/runs/{where}" for where in ("turning", "better/0", "better/3", "onward/0", "onward/3", "verify", "match.json")),
    "/me", "/me?all=1", "/me/everything.json", "/",
]  # fmt: skip


@pytest.mark.parametrize("name", games())
def test_what_looks_back_says_nothing_of_a_game_that_runs(tmp_path: Path, name: str) -> None:
    store = Store(tmp_path)
    lay(store, "runs", name, [Chair("here", "Mila", "mila"), Chair("link", "Théo", "theo")], moves=25)
    lay(store, "over", name, [Chair("here", "Mila", "mila"), Chair("link", "Théo", "theo")])
    cookies = {who: cookie(store, who, who) for who in WHO}
    seed = store.row("runs").seed  # type: ignore[union-attr]
    store.close()
    with TestClient(application(tmp_path, pace=1000), base_url="http://testserver") as client:
        room: Room = client.portal.call(client.app.state.house.rooms.get, "runs")  # type: ignore[union-attr, attr-defined]
        kept = dict(room.states)
        for who, seat in WHO.items():
            client.cookies.set("recollect", cookies[who])
            before = {path: client.get(path) for path in ASKED}
            stand(room, {at: redealt(room, record, seat, at) for at, record in kept.items()})
            after = {path: client.get(path) for path in ASKED}
            stand(room, kept)
            for path in ASKED:
                assert before[path].status_code == after[path].status_code, (who, path)
                assert before[path].content == after[path].content, (who, path)
                assert seed not in before[path].text, (who, path)
                running = path.startswith("/t/runs/") and not path.endswith("verify")
                assert (before[path].status_code in (403, 404)) == running, (who, path)
