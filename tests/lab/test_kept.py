"""What was played is kept: a run that was stopped goes on, and ends as if it had not been."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import recollect
from recollect.cli import app
from recollect.lab.arena import make_job, play_games
from recollect.lab.kept import Kept

WORDS = ["arena", "memoarrr", "sensible", "random", "--games", "12", "--seed", "5"]


def told(*words: str) -> dict:
    answer = CliRunner().invoke(app, [*WORDS, "--json", *words])
    assert answer.exit_code == 0, answer.output
    return timeless(json.loads(answer.stdout))


def timeless(said: dict) -> dict:
    """Without what depends on the clock."""
    minds = {name: {k: v for k, v in m.items() if k != "turn_ms"} for name, m in said["minds"].items()}
    return {k: v for k, v in said.items() if not k.endswith("_s")} | {"minds": minds}


def test_a_file_cut_anywhere_is_gone_on_from(tmp_path: Path):
    whole, file = told(), tmp_path / "kept"
    assert told("--resume", str(file)) == whole
    text = file.read_text()
    for cut in (text.index("\n") + 1, len(text) // 2, len(text) - 1):
        file.write_text(text[:cut])
        assert told("--resume", str(file)) == whole
        assert sorted(json.loads(line)["game"] for line in file.read_text().splitlines()[1:]) == list(range(12)), "each once"


def test_more_games_of_the_same_go_into_the_same_file(tmp_path: Path):
    file = tmp_path / "kept"
    job = make_job(recollect.load("memoarrr"), ["sensible", "random"], {}, 4, 5)
    Kept(file, job).add(play_games(job, range(4)))
    assert told("--resume", str(file)) == told()


def test_a_file_of_something_else_is_refused_and_left_alone(tmp_path: Path):
    file = tmp_path / "kept"
    Kept(file, make_job(recollect.load("memoarrr"), ["random", "random"], {}, 4, 5))
    before = file.read_bytes()
    answer = CliRunner().invoke(app, [*WORDS, "--resume", str(file)])
    assert "its minds is ['random', 'random']" in str(answer.exception) and file.read_bytes() == before
    file.write_text("dear diary\n")
    answer = CliRunner().invoke(app, [*WORDS, "--resume", str(file)])
    assert "no file of an arena" in str(answer.exception) and file.read_text() == "dear diary\n"


def heeding() -> None:
    """Ctrl-C is heard, also where these tests run in the background of a shell, which has them ignore it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("workers", [1, 2])
def test_ctrl_c_keeps_what_was_played_and_says_so(tmp_path: Path, workers: int):
    file = tmp_path / "kept"
    words = [sys.executable, "-m", "recollect", *WORDS, "--games", "100000", "--workers", str(workers), "--resume", str(file), "--json"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True, preexec_fn=heeding)
    while not (file.exists() and file.read_text().count("\n") > 3):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGINT)  # as a terminal does
    out, err = process.communicate(timeout=120)
    assert process.returncode == 130 and "stopped after" in err and str(file) in " ".join(err.split())
    said = json.loads(out)
    kept = [json.loads(line)["game"] for line in file.read_text().splitlines()[1:]]
    assert said["stopped"] and said["games"] == len(kept) == len(set(kept)) > 0
    assert np.isfinite(said["minds"]["sensible"]["share"])


def test_ctrl_c_while_games_are_written_loses_none_of_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file, add = tmp_path / "kept", Kept.add

    def interrupted(kept: Kept, rows: np.ndarray) -> None:
        os.kill(os.getpid(), signal.SIGINT)
        add(kept, rows)

    monkeypatch.setattr(Kept, "add", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        answer = CliRunner().invoke(app, [*WORDS, "--games", "100000", "--resume", str(file), "--json"])
    finally:
        signal.signal(signal.SIGINT, before)
    assert answer.exit_code == 130
    assert json.loads(answer.stdout)["games"] == len(file.read_text().splitlines()[1:]) > 0
