"""The page of the report in a browser: nothing serious stands in anybody's way, and it fits on every screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import recollect
from recollect.minds import mind, play_out
from recollect.review import review
from recollect.review.page import report_page

pytestmark = [pytest.mark.browser, pytest.mark.xdist_group("browser")]
SIZES = ((1440, 900), (390, 844))
GRAVE = """async () => (await axe.run(document, { resultTypes: ["violations"] })).violations
  .filter((fault) => ["serious", "critical"].includes(fault.impact))
  .flatMap((fault) => fault.nodes.map((node) => `${fault.id}: ${node.target} ${node.failureSummary.split("\\n")[1]}`))"""
WIDE = "() => document.documentElement.scrollWidth"


@pytest.mark.parametrize("language", ["en", "fr"])
@pytest.mark.parametrize(
    ("name", "options"), [("ptibapt", {"stalemate": False}), ("ptibapt", {"players": 1}), ("memoarrr", {"players": 4})]
)
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
