"""What the documents say is true: the README's Python runs, and names in the docs exist."""

import doctest
import re
import subprocess
from importlib.util import find_spec
from pathlib import Path

import pytest

import recollect.engine.batch
from recollect.engine.position import stand

ROOT = Path(__file__).parent.parent


@pytest.mark.compiled
def test_readme_runs():
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 10 and result.failed == 0


@pytest.mark.compiled
def test_docstrings_run():
    assert doctest.testmod(recollect.engine.batch).failed == 0
    assert doctest.testmod(recollect).failed == 0


def test_readme_commands_exist():
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"^make (\w+)", (ROOT / "README.md").read_text(), re.M):
        assert f"\n{target}:" in makefile
    assert "make test" in (ROOT / ".ci/run").read_text()


def test_files_named_in_documents_exist():
    for doc in (ROOT / "README.md", ROOT / "docs/adding-a-game.md"):
        for name in re.findall(r"\(?(docs/[\w.-]+|NOTICE\.md|LICENSE)", doc.read_text()):
            assert (ROOT / name.rstrip(".")).exists(), f"{doc.name} names {name}"


def test_the_guide_to_pages_names_what_games_ask_of_the_table():
    guide = (ROOT / "docs/pages.md").read_text(encoding="utf-8")
    given = guide[guide.index("## What a template gets") : guide.index("## Parts")]
    for name in ("paced", "shown", "sand", "instead", "shared"):
        assert f"`{name}`" in given, name
    assert "enough(table.shown" in guide and "enough(table)" not in guide, "as the games call it"


def test_modules_that_documents_run_exist():
    named = {
        doc: re.findall(r"python -m (recollect[\w.]*)", doc.read_text(encoding="utf-8"))
        for doc in [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")]
    }
    assert sum(map(len, named.values())) >= 5
    for doc, modules in named.items():
        for module in modules:
            found = find_spec(module.rstrip("."))
            assert found and "__main__" in Path(found.origin or "").read_text(encoding="utf-8"), f"{doc.name}: python -m {module}"


def test_the_position_in_the_guide_stands():
    import tomllib

    text = (ROOT / "docs/adding-a-game.md").read_text()
    doc = tomllib.loads(re.search(r"```toml\n(.*?)```", text, re.S).group(1))  # type: ignore[union-attr]
    doc["state"] |= {"rounds": 1, "side": [0, 1, 2, 3], "top": 0, "pile": 3}
    match = stand(recollect.load("memoarrr"), {**doc, "options": {"players": 4, "first": "first_seat"}})
    assert recollect.engine.position.faults(match, doc["expect"]) == []


def test_nothing_names_a_machine():
    kinds, elsewhere = {".py", ".md", ".toml", ".jinja", ".css", ".js", ".c"}, {".venv", ".tools", "node_modules", ".cache", "data"}
    for file in ROOT.glob("**/*"):
        if file.suffix in kinds and not elsewhere & set(file.parts) and file != Path(__file__):
            assert not re.search(r"/(work|farm|root)/", file.read_text(encoding="utf-8")), file


def as_written(folder: Path, begins: str, **stubs: str) -> subprocess.CompletedProcess[str]:
    """What the page for who runs it says from here to the end of its block, done where programs do this instead."""
    text = (ROOT / "docs/running-it.md").read_text(encoding="utf-8")
    for name, does in stubs.items():
        (folder / name).write_text(f"#!/bin/sh\n{does}\n")
        (folder / name).chmod(0o755)
    (folder / "told").write_text("")
    commands = text[text.index(begins) :].partition("```")[0]
    return subprocess.run(["bash", "-c", f"PATH={folder}:$PATH; {commands}"], capture_output=True, text=True, timeout=10)


def upgrade(folder: Path, curl: str) -> tuple[int, list[str], str]:
    """The restarts of the upgrade, where `curl` answers so: what was restarted, and what was said."""
    told = f'echo "$*" >> {folder}/told'
    done = as_written(folder, "for port in 8001 8002", systemctl=told, curl=curl, sleep="exec /bin/sleep 0.01")
    return done.returncode, (folder / "told").read_text().splitlines(), done.stderr


def test_an_upgrade_whose_version_cannot_start_ends_before_the_next_process_and_says_so(tmp_path: Path):
    both = ["restart recollect@8001", "restart recollect@8002"]
    assert upgrade(tmp_path, "exit 0") == (0, both, "")
    _, restarted, said = upgrade(tmp_path, "exit 7")
    assert restarted == both[:1], "the other one still serves people"
    assert "recollect@8001 does not come" in said and "journalctl -u recollect@8001" in said


def restored(folder: Path, kept: str) -> list[str]:
    """What is done to databases and processes when the backup that is found is this."""
    told = f'echo "$*" >> {folder}/told'
    asked = f'{told}; case "$*" in *pg_restore*) grep -q kept;; esac'
    as_written(folder, "cd / && KEPT=$(ls", runuser=asked, systemctl=told, ls=f"echo {kept}")
    return (folder / "told").read_text().splitlines()


def test_a_backup_that_cannot_be_read_takes_nothings_place(tmp_path: Path):
    (tmp_path / "good").write_text("kept")
    (tmp_path / "bad").write_text("")
    done = restored(tmp_path, str(tmp_path / "good"))
    assert done[-3].startswith("stop") and "rename" in done[-2] and done[-1].startswith("start")
    for kept in (str(tmp_path / "bad"), str(tmp_path / "none"), ""):
        done = restored(tmp_path, kept)
        assert not any("rename" in asked or "dropdb before" in asked or asked.startswith("stop") for asked in done), kept
