"""The lines of a log as a page shows them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markupsafe import Markup

from recollect.engine.drawn import MARKS, Drawn

Line = Drawn  # n, text, tone
Say = Callable[[Line, int], str]  # a macro of a page: a line, and which one in their order it is


class Lines(list[Line]):
    """Lines of a log, newest first. Nobody changes them: in the key of a part their mark stands for them all, and of those that a page
    knew before nothing is said again."""

    def __init__(self, new: Sequence[Line], before: Lines | None = None, left_out: int = 0) -> None:
        super().__init__([*new, *before] if before else new)
        self.mark = next(MARKS)
        self.left_out: int = before.left_out if before is not None else left_out  # older ones, of which nothing is shown
        self._told = dict[Say, str]()
        self._before = before if before is not None and before._told else None

    def told(self, say: Say) -> str:
        """What a page says of them."""
        if say not in self._told:
            before, self._before = self._before, None
            new, last = len(self) - (len(before) if before else 0), self.left_out + len(self)
            said = [say(line, last - i) for i, line in enumerate(self[:new])]
            self._told[say] = "".join([*said, before.told(say) if before else ""])
        return self._told[say]


def told(lines: Sequence[Line], say: Say) -> Markup:
    """In a template: each line by a macro."""
    return Markup((lines if isinstance(lines, Lines) else Lines(lines)).told(say))
