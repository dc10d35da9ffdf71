"""What docs/research.md shows runs, in fifteen lines each; the example of learning learns."""

from __future__ import annotations

import importlib.util
import re
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("gymnasium", reason="environments need Gymnasium: pip install 'recollect[envs]'")
ROOT = Path(__file__).parents[2]
EXAMPLES = re.findall(r"## ([^\n]+)\n```python\n(.*?)```", (ROOT / "docs/research.md").read_text(), re.S)


@pytest.mark.compiled
@pytest.mark.parametrize(("name", "code"), EXAMPLES, ids=[name for name, _ in EXAMPLES])
def test_an_example_runs(name: str, code: str, capsys):
    assert len(code.strip().splitlines()) <= 15
    for package in re.findall(r"^import (\w+)|envs\.(pettingzoo|openspiel)", code, re.M):
        pytest.importorskip({"openspiel": "pyspiel"}.get(package[1], package[0] or package[1]))
    exec(compile(code, name, "exec"), {})
    assert capsys.readouterr().out.strip()


def test_there_are_examples_of_all():
    assert len(EXAMPLES) == 5


@pytest.mark.compiled
def test_a_recurrent_policy_learns_to_remember():
    pytest.importorskip("pettingzoo")
    spec = importlib.util.spec_from_file_location("recurrent", ROOT / "examples/recurrent.py")
    example = sys.modules["recurrent"] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(example)
    weights = example.train(12, 128, say=lambda text: None)
    before, _ = example.regret(np.zeros(example.SIZE), 24)
    after, _ = example.regret(weights, 24)
    assert before > 9 and after < before - 3
