"""A language is its files: one made by this test is spoken on every page, and no word comes from anywhere else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tomllib
from html.parser import HTMLParser
from pathlib import Path

import pytest

import recollect

SOURCE = Path(__file__).parents[2] / "src"
LANGUAGE = "eo"  # any that has plural forms; its words are ours with brackets round them
HEARD = ("aria-label", "title", "alt", "placeholder", "data-waits", "data-lost", "data-kept", "data-copied")
SEAL = re.compile(r"\b(?=[a-f]*\d)[0-9a-f]{4,}\b")  # parts of a hash
NAMES = {*recollect.game_names(), "Mila", "Ana", "Recollect", "Pti", "Bapt", "EN", "FR", "EO", "English", "Français", "Esperanto", "MIT"}

SHOW = """
import random, sys, tempfile, warnings
from pathlib import Path
import recollect
from recollect import game_names
from recollect.minds import mind
from recollect.table.render.shot import page_of
out = Path(sys.argv[1])
for name in game_names():
    game = recollect.load(name)
    for players in (1, 2):
        try:
            match = game.match(seed="words", players=players)
        except ValueError:
            continue
        rng, player, moves, met = random.Random(1), mind(game, "sensible"), 0, set()
        while True:
            fields = [f for f in ("stage", "phase", "step") if hasattr(match.state, f)]
            stage = (*(int(getattr(match.state, f)) for f in fields), 0 in match.acting)
            if stage not in met or match.over:
                met.add(stage)
                (out / f"{name}-{players}-{moves}.html").write_text(page_of(match, 0, "eo"), encoding="utf-8")
            if match.over:
                break
            seat = min(match.acting)
            match.play(seat, player.choose(match.knowledge(seat), seat, match.legal(seat), rng))
            moves += 1
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from starlette.testclient import TestClient
from recollect.table.app import application
with TestClient(application(Path(tempfile.mkdtemp()), pace=0.001), base_url="http://testserver", follow_redirects=True) as client:
    for i, path in enumerate(["/", "/about", "/nowhere", *(f"/new/{name}" for name in game_names())]):
        text = client.get(path, headers={"accept-language": "eo"}).text
        (out / f"house-{i}.html").write_text(text, encoding="utf-8")
"""


def bracketed(value: object, key: str = "") -> object:
    """The same catalogue with brackets round every text."""
    if isinstance(value, dict):
        return {k: bracketed(v, k) for k, v in value.items()}
    text = str(value)
    return f"⟦{text}⟧" if re.search(r"[^\W\d_]", re.sub(r"\{\w+\}", "", text)) else text


def toml(table: dict, prefix: str = "") -> str:
    """A catalogue as a file, by dotted keys."""
    quoted = lambda text: '"' + text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'  # noqa: E731
    out = ""
    for key, value in table.items():
        name = f"{prefix}{quoted(key)}"
        out += toml(value, name + ".") if isinstance(value, dict) else f"{name} = {quoted(value)}\n"
    return out


class Words(HTMLParser):
    """Everything on a page that is read or heard."""

    def __init__(self) -> None:
        super().__init__()
        self.read: list[str] = []  # a text may run through several elements
        self.heard: list[str] = []
        self.skip = 0

    def handle_starttag(self, tag, attrs):
        self.skip += tag in ("script", "style")
        self.heard += [value for name, value in attrs if value and name in HEARD]

    def handle_endtag(self, tag):
        self.skip -= tag in ("script", "style")

    def handle_data(self, data):
        if not self.skip:
            self.read.append(data)


def outside(text: str) -> str:
    """What stands outside of all brackets."""
    depth, out = 0, ""
    for c in text:
        depth += c == "⟦"
        out += c if depth == 0 else ""
        depth -= c == "⟧"
    return out


@pytest.fixture(scope="module")
def pages(tmp_path_factory) -> dict[str, str]:
    """Every kind of page, from a copy of the sources with a third language put in as files."""
    root = tmp_path_factory.mktemp("tongues")
    shutil.copytree(SOURCE, root / "src", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (root / "src").rglob("texts.en.toml"):
        words = bracketed(tomllib.loads(file.read_text(encoding="utf-8")))
        (file.parent / f"texts.{LANGUAGE}.toml").write_text(toml(words), encoding="utf-8")
    (root / "out").mkdir()
    env = {**os.environ, "PYTHONPATH": str(root / "src"), "RECOLLECT_COMPILE": "no"}
    subprocess.run([sys.executable, "-c", SHOW, str(root / "out")], check=True, env=env, cwd=root)
    return {file.stem: file.read_text(encoding="utf-8") for file in sorted((root / "out").iterdir())}


def test_a_third_language_is_files_alone(pages):
    games = {name.split("-")[0] for name in pages}
    assert {"house", "memoarrr", "ptibapt", "vivid", "dejavu"} <= games and len(pages) > 40
    assert all(f'<html lang="{LANGUAGE}">' in html and "⟦" in html for html in pages.values())


def test_no_word_is_written_anywhere_but_in_a_catalogue(pages):
    wrong = {}
    for name, html in pages.items():
        words = Words()
        words.feed(html)
        heard = [outside(said) for said in words.heard] + [outside(" ".join(words.read))]
        left = {word for said in heard for word in re.findall(r"[^\W\d_]{2,}", SEAL.sub("", said))} - NAMES
        if left:
            wrong[name] = sorted(left)
    assert not wrong, str(wrong)[:3000]
