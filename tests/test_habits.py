"""Habits of the house that no other tool holds us to."""

from __future__ import annotations

import ast
from pathlib import Path

import recollect

LONGEST = 40  # lines of a function


def test_no_function_is_long():
    long = []
    for file in Path(recollect.__file__).parent.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.end_lineno - node.lineno >= LONGEST:
                long.append(f"{file.name}: {node.name}, {node.end_lineno - node.lineno + 1} lines")
    assert not long
