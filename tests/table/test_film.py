"""A finished match as one page that stands alone, from the command line and from an uploaded file."""

from __future__ import annotations

import base64
import json
import random
import re
import zlib
from pathlib import Path
from typing import Any

import pytest
from people import TestClient
from typer.testing import CliRunner

import recollect
from recollect.cli import app
from recollect.engine.match import Match
from recollect.minds import mind
from recollect.table.render.film import ABOVE, Reel, film
from recollect.table.web import upload

ORIGIN = {"origin": "http://testserver"}


def played(name: str, moves: int = 10**6, **options: Any) -> Match:
    game = recollect.load(name)
    match, rng, player = game.match(seed="film", **options), random.Random(3), mind(game, "sensible")
    while not match.over and moves:
        seat, moves = min(match.acting), moves - 1
        match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
    return match


@pytest.fixture(scope="module", params=recollect.game_names())
def match(request: pytest.FixtureRequest) -> Match:
    return played(request.param, players=2)


def unpacked(html: str) -> dict[str, Any]:
    data: dict[str, Any] = json.loads(zlib.decompress(base64.b64decode(re.search(r'id="film">([^<]+)<', html)[1])))  # type: ignore[index]
    return data


def made(data: dict[str, Any], n: int) -> str:
    """As film.js puts a moment together."""
    return "".join(made(data, x) if i % 2 else data["texts"][x] for i, x in enumerate(data["pieces"][n]))


def test_every_moment_from_every_seat_is_in_the_page(match: Match) -> None:
    html = film(match, ["Mila", "<b>Théo"], language="fr")
    data, reel = unpacked(html), Reel(match, ["Mila", "<b>Théo"], (), "fr")
    assert {len(steps) for steps in data["seats"].values()} == {len(reel.states)} and set(data["seats"]) == {"-1", "0", "1"}
    for step, seat in ((0, ABOVE), (7, 0), (len(reel.states) - 1, 1)):
        moment = made(data, data["seats"][str(seat)][step])
        assert moment == reel.sheet(step, seat).html and "data-act" not in moment
    assert "<b>Théo" not in html and len(html) < 3_000_000


def test_nothing_is_fetched_from_anywhere(match: Match) -> None:
    html = film(match)
    text = html + json.dumps(unpacked(html))
    assert not re.search(r'<(link|img|script|iframe)[^>]*(src|href)="', text) and not re.search(r"url\((?!data:|#|\\?\"data:|%23)", text)
    assert html.count("<script>") == html.count("'sha256-") == 5


def test_nothing_is_shown_before_the_end(tmp_path: Path) -> None:
    running = played("memoarrr", 8, players=2)
    running.save(tmp_path / "m.json")
    with pytest.raises(ValueError, match="not over"):
        film(running)
    answer = CliRunner().invoke(app, ["replay", str(tmp_path / "m.json"), "--html", str(tmp_path / "m.html")])
    assert answer.exit_code and not (tmp_path / "m.html").exists()


def test_the_command_line_writes_it(tmp_path: Path) -> None:
    played("ptibapt", players=1).save(tmp_path / "m.json")
    answer = CliRunner().invoke(app, ["replay", str(tmp_path / "m.json"), "--html", str(tmp_path / "m.html")])
    assert answer.exit_code == 0, answer.output
    assert "Pti Bapt" in (tmp_path / "m.html").read_text(encoding="utf-8")


def send(client: TestClient, text: bytes | str, **more: Any) -> Any:
    return client.post("/replay", files={"file": ("match.json", text, "application/json")}, headers=ORIGIN, **more)


def test_an_uploaded_file_is_shown_and_not_kept(client: TestClient, match: Match) -> None:
    assert 'type="file"' in client.get("/replay").text
    answer = send(client, json.dumps({**match.document(), "names": ["Mila", "Théo"]}))
    assert answer.status_code == 200 and "Théo" in answer.text and unpacked(answer.text)["seats"]
    assert (
        "default-src 'none'" in answer.headers["content-security-policy"]
        and "script-src 'sha256-" in answer.headers["content-security-policy"]
    )
    assert not client.app.state.house.store.read("select * from tables")  # type: ignore[attr-defined]


@pytest.fixture(scope="module")
def good() -> dict[str, Any]:
    return played("ptibapt", players=2).document()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (b"not json", "not a match file"),
        (b"[" * 100_000, "not a match file"),
        (b"\xff\xfe", "not a match file"),
        (b"{}", "not a match file"),
        (b"", "not a match file"),
        ({"game": "chess"}, "not one of ours"),
        ({"game": "../vivid"}, "not one of ours"),
        ({"version": 99}, "version 99"),
        ({"box": "other"}, "other components"),
        ({"log": ["0 fly"]}, "log entry 1"),
        ({"log": ["0 turn a1"] * 5001}, "longer than 5000"),
        ({"log": []}, "not over"),
        ({"options": {"players": 9}}, "players"),
        ({"options": []}, "wrong kind"),
    ],
)
def test_what_is_wrong_with_a_file_is_said_in_words(client: TestClient, good: dict[str, Any], change: Any, said: str) -> None:
    answer = send(client, change if isinstance(change, bytes) else json.dumps({**good, **change}))
    assert answer.status_code == 400 and said in answer.text, answer.text[-600:]
    assert "cannot be watched" in answer.text and 'type="file"' in answer.text, "another can be chosen at once"


def test_a_file_with_odd_additions_is_shown(client: TestClient, good: dict[str, Any]) -> None:
    never = [10**400] * len(good["log"])  # a moment that no number of seconds reaches
    odds = [{"names": "Mila"}, {"names": [1, {}]}, {"names": ["<script>"] * 9}, {"times": ["x"]}, {"times": [0]}, {"times": never}]
    for odd in (*odds, {"over": False}):
        answer = send(client, json.dumps({**good, **odd}))
        assert answer.status_code == 200, (odd, answer.text[-300:])
        assert "<script>&lt;" not in answer.text


def test_a_file_has_a_bounded_size_and_comes_from_our_own_page(client: TestClient, good: dict[str, Any]) -> None:
    assert send(client, b"x" * (upload.LARGEST + 8192)).status_code == 413
    assert client.post("/replay", content=json.dumps(good), headers={"origin": "http://evil.example"}).status_code == 403
    assert client.post("/replay", content=json.dumps(good), headers={**ORIGIN, "content-type": "application/json"}).status_code == 200
    assert client.post("/replay", content=b"--x", headers={**ORIGIN, "content-type": "multipart/form-data; boundary=x"}).status_code == 400


@pytest.mark.browser
def test_the_page_is_gone_through_by_keys_without_a_server(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "film.html"
    file.write_text(film(played("memoarrr", players=2), ["Mila", "Théo"]), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 1440, "height": 900})
    faults: list[str] = []
    page.on("pageerror", lambda error: faults.append(str(error)))
    page.on("console", lambda message: faults.append(message.text) if message.type == "error" else None)
    page.goto(file.as_uri())
    first = page.inner_html("#table")
    for _ in range(6):
        page.keyboard.press("ArrowRight")
    page.wait_for_function("() => document.getElementById('live').dataset.n === '6'")
    assert page.inner_html("#table") != first and "step=6" in page.url
    assert "move 6 of" in page.inner_text("#say"), "what was done stands where a game says what to do"
    for key, pressed in (("s", "2×"), ("S", "4×"), ("s", "½×")):
        page.keyboard.press(key)
        assert page.inner_text("[data-speed][aria-pressed=true]") == pressed
    page.click("[data-speed='4']")
    assert page.inner_text("[data-speed][aria-pressed=true]") == "4×"
    page.keyboard.press("1")
    page.wait_for_function("() => document.getElementById('live').dataset.seat === '0'")
    page.keyboard.press("End")
    page.wait_for_function("() => document.getElementById('live').dataset.n === document.getElementById('timeline').dataset.last")
    page.close()
    assert not faults


def test_a_clock_stands_where_it_stood() -> None:
    match = played("ptibapt", players=1)
    reel = Reel(match, [], [3.0 * n for n in range(len(match.log))], "en")
    faces = [
        re.search(r'id="clock"[^>]*>(\d+):(\d\d)</strong><span>([^<]+)', reel.sheet(step, ABOVE).html) for step in range(len(reel.states))
    ]
    seconds = [60 * int(face[1]) + int(face[2]) for face in faces if face]
    assert len(seconds) == len(reel.states) and seconds == sorted(seconds) and seconds[0] == 0 and seconds[-1] > seconds[5] > 0
    assert [faces[step] and faces[step][3] for step in (0, 5, -1)] == ["ready", "walking", "home"]  # type: ignore[index]
