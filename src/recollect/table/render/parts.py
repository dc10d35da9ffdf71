"""A page is parts with ids: `{% part %}<li id="seat-1">...</li>{% endpart %}` in a template.

A part is one element with an id. It is rendered when what it shows has changed, once for all who see the same, and only changed parts
travel. What it shows is found when the template is read: every name that stands in it, with the attributes that are asked of it, is its
key, so that nothing can be in a part that is not in its key. Parts may lie in parts.
"""

from __future__ import annotations

import itertools
import operator
import pickle
import re
import zlib
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping
from typing import Any

import msgspec
import numpy as np
from jinja2 import Environment, TemplateSyntaxError, nodes
from jinja2.ext import Extension
from jinja2.parser import Parser
from markupsafe import Markup
from msgspec import Raw

from recollect.engine.drawn import Drawn
from recollect.table.render.brisk import MARK, PLAIN, SURE, Brisk, internal, is_part
from recollect.table.render.lines import Lines
from recollect.table.render.names import Path, walk

SPLIT = {"look", "table", "page"}  # of these a part names what it shows; anything else that it asks much of is in its key whole
MANY = 32_768  # parts of a game in a language; as many that were not asked for lately are kept besides
SHORT = 2048  # characters

ID = re.compile(r'<[^<>]*?\sid="([^"]+)"')
MARKED = {Drawn, Lines, list, tuple, dict}  # in these there may be something drawn, of which the mark says all

Method: Any = type(repr)
write = msgspec.json.Encoder().encode


def strange(value: Any) -> Any:
    """What is no plain value, as it stands in a key."""
    if isinstance(value, np.integer):
        return int(value)
    return (type(value).__name__, str(value) if type(value) is Markup else pickle.dumps(value, 5))


written_down = msgspec.msgpack.Encoder(enc_hook=strange).encode


class Piece:
    """Something rendered: text, and the parts that lie in it."""

    __slots__ = ("_written", "children", "frame", "id", "sum")

    def __init__(self, text: str, named: Mapping[str, Piece]) -> None:
        self.frame: tuple[str, ...] = (text,)  # what stands around the parts
        self.children: tuple[Piece, ...] = ()
        if MARK in text:
            found = text.split(MARK)  # every other one is the name of a part
            self.frame, self.children = tuple(found[::2]), tuple([named[name] for name in found[1::2]])
            text = "".join([*self.frame, *[child.sum for child in self.children]])
        self.id = id_of(self.frame[0])
        self.sum: str = str(zlib.crc32(text.encode()))
        self._written: Raw | None = None

    @property
    def html(self) -> str:
        if not self.children:
            return self.frame[0]
        inner = [child.html if child.children else child.frame[0] for child in self.children]
        return "".join(itertools.chain.from_iterable(itertools.zip_longest(self.frame, inner, fillvalue="")))

    @property
    def written(self) -> Raw:
        """As it stands in a message. What is short is often told again, at other tables too: it is kept."""
        if self._written is not None:
            return self._written
        html = self.html
        written = Raw(write(html))
        if len(html) < SHORT:
            self._written = written
        return written

    def since(self, before: Piece, changed: dict[str, Piece]) -> bool:
        """Note the parts that differ, the text around them being the same; false where other parts lie in it."""
        others = []
        for child, old in zip(self.children, before.children, strict=True):
            if child is not old:
                if child.id != old.id:
                    return False
                others.append((child, old))
        for child, old in others:
            if child.frame != old.frame or child.all_other(old) or not child.since(old, changed):
                changed[child.id] = child
        return True

    def all_other(self, before: Piece) -> bool:
        """Each of the parts that lie in it differs: it is told as one."""
        return len(self.children) > 2 and all(map(operator.is_not, self.children, before.children))


class Aging(dict[Any, Any]):
    """What was asked for lately, and what was before that: which is forgotten when enough is new."""

    def __init__(self) -> None:
        self.older: dict[Any, Any] = {}

    def __missing__(self, key: Any) -> Any:
        found = self[key] = self.older[key]
        return found

    def age(self) -> None:
        self.older = dict(self)
        self.clear()


class Parts(Extension):
    """The tag, and what was rendered lately in this environment."""

    tags = {"part"}  # noqa: RUF012 (as Jinja declares it)
    environment: Brisk

    def __init__(self, environment: Brisk) -> None:
        super().__init__(environment)
        self.kept = Aging()  # by what a part shows: its name, marked
        self.named = Aging()  # by such a name: the piece
        self._names = map(f"{MARK}{{}}{MARK}".format, itertools.count())
        environment.extend(part=self.show, reach=reach)

    def parse(self, parser: Parser) -> nodes.Node:
        line = next(parser.stream).lineno
        body = parser.parse_statements(("name:endpart",), drop_needle=True)
        call = self.call_method("show", [nodes.Const(f"{parser.name}:{line}")])
        return nodes.CallBlock(call, [], [], body).set_lineno(line)

    def show(self, place: str, values: tuple[Any, ...], render: Callable[[], str]) -> str:
        """A reference to the part, rendered now or before."""
        shown: Hashable
        if SURE.issuperset(kinds := tuple(map(type, values))):
            shown = place, values, kinds
        elif kinds == (Lines,):
            shown = place, values[0].mark
        else:
            shown = written_down((place, [marked(value) if type(value) in MARKED else value for value in values]))
        reference = self.kept.get(shown)
        return self._anew(shown, render) if reference is None else reference

    def _anew(self, shown: Hashable, render: Callable[[], str]) -> str:
        """One that was not asked for lately, or never."""
        reference: str = self.kept.older.get(shown) or next(self._names)
        name = reference.strip(MARK)
        self.named[name] = self.named.older.get(name) or Piece(render().strip(), self.named)
        self.kept[shown] = reference
        if len(self.kept) > MANY:
            self._age()
        return reference

    def _age(self) -> None:
        """What was not asked for lately is forgotten next time; what macros have said names parts, and is said anew."""
        self.kept.age()
        self.named.age()
        self.environment.say_anew()


def marked(value: Any) -> Any:
    """What stands for a value in a key: of what was drawn its mark."""
    kind = type(value)
    if kind is Drawn or kind is Lines:
        return value.mark
    if kind is list or kind is tuple:
        return [one.mark if type(one) is Drawn else one for one in value]
    return {key: marked(one) if type(one) is list else one for key, one in value.items()} if kind is dict else value


def reach(value: Any, path: Path) -> Any:
    """What a path leads to; nothing where it breaks off. What a method of a plain value says depends on that value."""
    for name in path:
        value = value[name] if isinstance(value, dict) and name in value else getattr(value, name, None)
    return value.__self__ if type(value) is Method else value


class PartedEnvironment(Brisk):
    """Templates with parts."""

    part: Callable[[str, tuple[Any, ...], Callable[[], str]], str]

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        known = Known(template, self)
        for part in list(filter(is_part, template.find_all(nodes.CallBlock))):
            values = [self._value(path, part.lineno) for path in sorted(known.paths(part))]
            shown = nodes.Tuple(values, "load", lineno=part.lineno)
            part.call = nodes.Call(internal("environment.part"), [part.call.args[0], shown, internal("macro")], [], None, None)
        return template

    def _value(self, path: Path, line: int) -> nodes.Expr:
        """What stands under a path when the part is shown."""
        name = nodes.Name(path[0], "load", lineno=line)
        if len(path) == 1:
            return name
        if len(path) == 2 and path[0] in PLAIN:
            return nodes.Getattr(name, path[1], "load", lineno=line)
        return nodes.Call(internal("environment.reach"), [name, nodes.Const(path[1:], lineno=line)], [], None, None, lineno=line)


class Known:
    """What a template's names are: macros of its own or taken from others, and things of the moment."""

    def __init__(self, template: nodes.Template, environment: Environment) -> None:
        self.constant = set(environment.globals)
        self.macros = {macro.name: macro for macro in template.find_all(nodes.Macro)}
        self.made = {name.name for name in template.find_all(nodes.Name) if name.ctx != "load"}
        self.impure = {"caller", "varargs", "kwargs", "self", "super"}
        for whole in template.find_all(nodes.Import):
            (self.impure if whole.with_context else self.constant).add(whole.target)
        for some in template.find_all(nodes.FromImport):
            (self.impure if some.with_context else self.constant).update(n if isinstance(n, str) else n[1] for n in some.names)

    def paths(self, part: nodes.CallBlock) -> set[Path]:
        """Every name of the moment that stands in it, by the shortest path asked; through the template's own macros too."""
        found: set[Path] = set()
        waiting: list[tuple[str, Iterator[Path]]] = [("", walk(part.body, frozenset()))]
        seen: set[str] = set()
        while waiting:
            within, names = waiting.pop()
            for path in names:
                self._check(path[0], within, part.lineno)
                if path[0] in self.macros and path[0] not in seen:
                    seen.add(path[0])
                    macro = self.macros[path[0]]
                    waiting.append((path[0], walk([*macro.defaults, *macro.body], frozenset(arg.name for arg in macro.args))))
                elif path[0] not in self.macros and path[0] not in self.constant:
                    found.add(path)
        often = {name for name, n in Counter(path[0] for path in found).items() if n > 3 and name not in SPLIT}
        found = {(path[0],) if path[0] in often else path for path in found}
        return {path for path in found if not any(path[:k] in found for k in range(1, len(path)))}

    def _check(self, name: str, within: str, line: int) -> None:
        """What a part shows must be what stands under its names where it stands."""
        if name in self.impure and not (within and name == "caller"):
            raise TemplateSyntaxError(f"a part may not use {name!r}: what it shows would not be in its key", line)
        if within and name in self.made and name not in self.macros:
            raise TemplateSyntaxError(f"the macro {within!r} reads {name!r}, which may be another one where a part calls it", line)


# -- what is told


class Sheet:
    """A page as it was rendered, with its parts."""

    def __init__(self, text: str, environment: Environment | None = None) -> None:
        self.piece = Piece(text.strip(), parts_in(environment).named if environment else {})
        self.k = int(self.piece.sum)  # by which a page knows whether what comes builds upon what it has
        tag, closed, rest = self.piece.frame[0].partition(">")
        self.tag = tag + closed  # it changes with every move, and goes beside the parts
        self._around = rest, *self.piece.frame[1:]

    @property
    def html(self) -> str:
        return self.piece.html

    def since(self, before: Sheet) -> dict[str, Piece] | None:
        """The parts that changed, by id; None where more than parts did."""
        changed: dict[str, Piece] = {}
        return changed if self._around == before._around and self.piece.since(before.piece, changed) else None


def parts_in(environment: Environment) -> Parts:
    found = environment.extensions[Parts.identifier]
    assert isinstance(found, Parts)
    return found


def id_of(text: str) -> str:
    """A part is one element, and has an id."""
    found = ID.match(text)
    if not found:
        raise ValueError(f"a part begins with an element that has an id, not with {text[:60]!r}")
    return found[1]


def after(html: str, message: Mapping[str, Any]) -> str:
    """The page after a message, as a browser keeps it: all of it anew, or parts by their ids."""
    if "html" in message:
        return str(message["html"])
    html = message["live"] + html[html.index(">") + 1 :]
    for id, part in message["parts"].items():
        html = swap(html, id, part)
    return html


def swap(html: str, id: str, part: str) -> str:
    """A page with one element put in place of another: what a browser does, for those who are none."""
    begin, end = element(html, id)
    return html[:begin] + part + html[end:]


def element(html: str, id: str) -> tuple[int, int]:
    """Where the element of this id begins and ends."""
    begin = html.rindex("<", 0, html.index(f' id="{id}"'))
    tag = re.match(r"<(\w+)", html[begin : begin + 40])[1]  # type: ignore[index]
    depth = 0
    for found in re.compile(rf"<(/?){tag}\b[^>]*?(/?)>").finditer(html, begin):
        depth += -1 if found[1] else 0 if found[2] else 1
        if not depth:
            return begin, found.end()
    raise ValueError(f"the element {id!r} has no end")
