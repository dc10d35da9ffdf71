"""Ratings, and the page with plots: on its own, whole, and looked at by a browser."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

import recollect
from recollect.cli import app
from recollect.lab.arena import make_job, play

pytest.importorskip("openskill", reason="ratings need openskill: pip install 'recollect[lab]'")
pytest.importorskip("altair", reason="plots need altair: pip install 'recollect[lab]'")


def test_who_wins_is_rated_above_who_loses():
    from recollect.lab.ratings import ratings

    job = make_job(recollect.load("memoarrr"), ["random", "sensible", "random"], {"players": 2}, 60, 1)
    rated = ratings(job, play(job))
    assert rated["sensible"]["rating_low"] > max(rated["random"]["rating_high"], rated["random-2"]["rating_high"])


@pytest.fixture
def report(tmp_path: Path) -> Path:
    file = tmp_path / "report.html"
    words = ["arena", "memoarrr", "sensible", "random", "random", "-o", "players=2", "--games", "24", "--sprt", "--html", str(file)]
    answer = CliRunner().invoke(app, words)
    assert answer.exit_code == 0, answer.output
    return file


def test_the_page_stands_on_its_own(report: Path):
    text = report.read_text()
    assert text.count("<svg") == 6 and "Sequential test" in text and "Who against whom" in text
    assert "<script" not in text
    asked_for = re.findall(r'(?:src|href)="([^"#][^"]*)"|url\(([^#)][^)]*)\)', text)
    assert asked_for == [], "it asks for nothing from anywhere"


@pytest.mark.browser
def test_the_page_opens_in_a_browser_and_fits_a_phone(report: Path, chromium):
    for width in (1200, 390):
        page = chromium.new_page(viewport={"width": width, "height": 900})
        page.goto(report.as_uri())
        assert page.locator("figure svg").count() == 6
        assert page.locator("figure svg text", has_text="sensible").count() >= 3, "the plots name the minds"
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        page.close()
