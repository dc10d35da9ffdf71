"""Results kept in a file as they come: a line that says what is played, then a line a game. `--resume` goes on from it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np

from recollect.lab.arena import Job, table

FORMAT = 1


def line_of(row: np.ndarray) -> str:
    """One game."""
    return json.dumps({name: np.asarray(row[name]).tolist() for name in row.dtype.names or ()})


class Kept:
    """The file of a job. What stands in it is read once; a line that was cut short is played again."""

    def __init__(self, path: Path, job: Job) -> None:
        self.path, self.job = path, job
        self.done = table(job, 0)
        if path.exists() and path.stat().st_size:
            self._read()
        else:
            path.write_text(json.dumps({"recollect_arena": FORMAT, **job.document()}) + "\n", encoding="utf-8")

    def _read(self) -> None:
        lines = self.path.read_text(encoding="utf-8").split("\n")
        self._check(lines[0])
        rows = [json.loads(line) for line in lines[1:-1]]  # after the last line end stands nothing, or what was cut short
        self.done = table(self.job, len(rows))
        for name in self.done.dtype.names or ():
            if rows:
                self.done[name] = [row[name] for row in rows]
        self.done = self.done[np.unique(self.done["game"], return_index=True)[1]]
        if lines[-1]:
            self.path.write_text("\n".join(lines[:-1]) + "\n", encoding="utf-8")

    def _check(self, first: str) -> None:
        try:
            head: dict[str, Any] = json.loads(first)
        except ValueError:
            head = {}
        if head.get("recollect_arena") != FORMAT:
            raise ValueError(f"{self.path}: this is no file of an arena; name one that is, or a new one")
        for name, value in json.loads(json.dumps(self.job.document())).items():
            if head.get(name) != value:
                raise ValueError(f"{self.path}: kept of another arena: its {name} is {head.get(name)}, not {value}")

    def add(self, rows: np.ndarray) -> None:
        """Games that are finished."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write("".join(line_of(row) + "\n" for row in rows))
