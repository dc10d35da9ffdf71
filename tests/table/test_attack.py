"""A small attack, as `bench/attack.py` runs a larger one: no secret in what pages are told, no move lost by kills, no 5xx for rubbish."""

from __future__ import annotations

import subprocess
import sys

from house import ROOT


def test_a_small_attack_finds_nothing():
    command = [sys.executable, str(ROOT / "bench" / "attack.py"), "--deals", "60", "--kills", "2", "--rubbish", "150"]
    run = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "Traceback" not in run.stderr, "the server told of a fault"
    assert "no difference" in run.stdout and " 0 tables with a move missing" in run.stdout and "no 5xx" in run.stdout
