"""The page of the report in a browser: nothing serious stands in anybody's way, and it fits on every screen."""

from __future__ import annotations

import base64
import json
from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect.minds import mind, play_out
from recollect.review import review
from recollect.review.page import report_page

pytestmark = pytest.mark.browser
SIZES = ((1440, 900), (390, 844))
GRAVE = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter((fault) => ["serious", "critical"].includes(fault.impact))
  .flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.target} ${node.failureSummary.split("\\n")[1]}`))"""
# How many colours the left half of a picture has.
COLOURS = """async (data) => {
  const image = new Image();
  image.src = "data:image/png;base64," + data;
  await image.decode();
  const ink = Object.assign(document.createElement("canvas"), { width: 600, height: 832 }).getContext("2d");
  ink.drawImage(image, 0, 0);
  const dots = new Uint32Array(ink.getImageData(0, 0, 600, 832).data.buffer);
  return new Set(dots).size;
}"""
WIDE = "() => document.documentElement.scrollWidth"


REPORTS = [("ptibapt", {"stalemate": False}, "en"), ("ptibapt", {"players": 1}, "fr"), ("memoarrr", {"players": 4}, "en")]
OTHERS = [(name, options, "fr" if language == "en" else "en") for name, options, language in REPORTS]  # the same, in the other language


@pytest.mark.parametrize(("name", "options", "language"), [*REPORTS, *(pytest.param(*other, marks=pytest.mark.long) for other in OTHERS)])
def test_the_report_can_be_read_by_everybody(chromium: Any, tmp_path: Path, name: str, options: dict[str, Any], language: str) -> None:
    script = pytest.importorskip("axe_playwright_python.base").AXE_FILE_PATH.read_text(encoding="utf-8")
    game = recollect.load(name)
    match = game.match(seed="eyes", **options)
    play_out(match, [mind(game, "goldfish")] * match.players, "eyes")
    file = tmp_path / "report.html"
    file.write_text(report_page(review(match, names=["Mila", "Théo", "Ada", "Bo"][: match.players]), 0, language), encoding="utf-8")
    page = chromium.new_page()
    page.goto(file.as_uri())
    page.evaluate(script)
    found: dict[Any, Any] = {}
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for theme in ("dark", "light"):
            page.emulate_media(color_scheme=theme)
            page.wait_for_timeout(50)
            found[width, theme] = page.evaluate(GRAVE)
    for width in (1440, 820, 390, 360):
        page.set_viewport_size({"width": width, "height": 700})
        found[width] = [wide] if (wide := page.evaluate(WIDE)) > width else []
    page.close()
    assert not {where: faults for where, faults in found.items() if faults}


@pytest.fixture
def report(chromium: Any, tmp_path: Path) -> Any:
    """The report of a game in which something slipped, open in a browser."""
    game = recollect.load("ptibapt")
    match = game.match(seed="slips")
    play_out(match, [mind(game, "goldfish")] * 2, "slips")
    file = tmp_path / "report.html"
    file.write_text(report_page(review(match, names=["Mila", "Théo"]), 0, "en"), encoding="utf-8")
    page = chromium.new_page(viewport={"width": 390, "height": 844})
    page.errors = []
    page.on("pageerror", lambda error: page.errors.append(str(error)))
    page.goto(file.as_uri())
    yield page
    page.close()
    assert page.errors == []


def test_the_table_is_walked_through_again(report: Any) -> None:
    walk = json.loads(report.text_content("#said"))["walk"]

    def kinds(kind: str) -> int:
        return int(report.locator(f".cell--{kind}").count())

    assert (
        report.inner_text("#walk-say").startswith(f"Turn {walk['turns'][walk['at']]['n']}.")
        and report.locator(".cell--slipped").count() == 1
    )
    assert report.inner_text(".band--now") == str(walk["turns"][walk["at"]]["n"]), "the turn one looks at is named"
    assert not report.locator(".band:not(.band--now) .rest:visible").count(), "the others where there is room"
    report.click("#walk-first")
    assert kinds("never") == len(walk["places"]) - len(walk["turns"][0]["up"]) and kinds("up") == len(walk["turns"][0]["up"])
    assert report.is_disabled("#walk-back") and report.locator("#walk-ticks .later").count() == len(walk["turns"]) - 1
    report.click("#walk-last")
    assert kinds("gone") == sum(len(turn.get("taken", ())) for turn in walk["turns"][:-1]) and report.is_disabled("#walk-on")
    report.click("#walk-back")
    faded = report.locator(".cell--shown").first.evaluate("el => +el.style.getPropertyValue('--left')")
    report.check("[name=from][value='-1']", force=True)
    assert faded < 1 == report.locator(".cell--shown").first.evaluate("el => +el.style.getPropertyValue('--left')")
    report.locator("#walk-turn").focus()
    report.keyboard.press("Home")
    report.click(".there >> nth=0")
    assert report.inner_text("#walk-say").startswith(report.inner_text(".there >> nth=0"))


@pytest.mark.parametrize("name", ["ptibapt", "memoarrr"])
def test_the_postcard_is_kept_as_a_picture(chromium: Any, tmp_path: Path, name: str) -> None:
    game = recollect.load(name)
    match = game.match(seed="card", players=2)
    play_out(match, [mind(game, "elephant")] * 2, "card")
    file, kept = tmp_path / "report.html", tmp_path / "card.png"
    file.write_text(report_page(review(match, names=["Mila", "Théo"]), 0, "fr"), encoding="utf-8")
    page = chromium.new_page()
    page.goto(file.as_uri())
    with page.expect_download() as download:
        page.click("#card-save")
    download.value.save_as(kept)
    assert kept.read_bytes()[16:24] == bytes([0, 0, 4, 176, 0, 0, 3, 64])  # 1200 x 832
    colours = page.evaluate(COLOURS, base64.b64encode(kept.read_bytes()).decode())
    page.close()
    assert colours > 200, "the picture is drawn, not only its paper"
