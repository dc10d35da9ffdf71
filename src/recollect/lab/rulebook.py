"""The table "rule -> function" of a game's README, made from the code: `python -m recollect.lab.rulebook [GAME ...]`."""

from __future__ import annotations

import ast
import re
import sys
from pathlib import Path

from recollect.engine.shelf import GAMES, load

BEGIN, END = "<!-- rules: made from the code -->", "<!-- end of rules -->"


def table(folder: Path) -> str:
    """One row a rule function: its docstring is the rule, in the rulebook's words."""
    rows = ["| rule | function |", "|---|---|"]
    for file in sorted((folder / "rules").glob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            doc = ast.get_docstring(node) if isinstance(node, ast.FunctionDef) else None
            if doc and isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                rows.append(f"| {' '.join(doc.split())} | `{file.stem.replace('__init__', 'rules')}.{node.name}` |")
    return "\n".join(rows)


def with_table(folder: Path) -> str:
    """The README with its table made anew."""
    text = (folder / "README.md").read_text(encoding="utf-8")
    return re.sub(f"{re.escape(BEGIN)}.*?{re.escape(END)}", lambda _: f"{BEGIN}\n{table(folder)}\n{END}", text, flags=re.S)


if __name__ == "__main__":
    for folder in [load(name).folder for name in sys.argv[1:]] or sorted(readme.parent for readme in GAMES.glob("*/README.md")):
        (folder / "README.md").write_text(with_table(folder), encoding="utf-8")
        print("made", folder.name)
