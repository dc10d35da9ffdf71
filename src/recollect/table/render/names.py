"""Which names of the moment a template reads, and with which attributes."""

from __future__ import annotations

from collections.abc import Iterator

from jinja2 import TemplateSyntaxError, nodes

Path = tuple[str, ...]  # a name, and what is asked of it


def walk(body: list[nodes.Node], bound: frozenset[str]) -> Iterator[Path]:
    """The names that are read in a body and not made in it."""
    for node in body:
        if isinstance(node, nodes.Assign):
            yield from walk([node.node], bound)
            bound |= stored(node.target)
        elif isinstance(node, nodes.AssignBlock):
            yield from walk([*node.body, *([node.filter] if node.filter else [])], bound)
            bound |= stored(node.target)
        else:
            yield from read(node, bound)


def read(node: nodes.Node, bound: frozenset[str]) -> Iterator[Path]:
    """The names read in one node."""
    if isinstance(node, nodes.Include):
        raise TemplateSyntaxError("a part may not include a template: it would show what is not in its key", node.lineno)
    if isinstance(node, nodes.For):
        inner = bound | stored(node.target) | {"loop"}
        yield from read(node.iter, bound)
        yield from walk([*([node.test] if node.test else []), *node.body], inner)
        yield from walk(node.else_, bound)
    elif isinstance(node, nodes.CallBlock):
        yield from read(node.call, bound)
        yield from walk(node.body, bound | {arg.name for arg in node.args})
    elif isinstance(node, nodes.Name | nodes.Getattr):
        yield from named(node, bound)
    elif isinstance(node, nodes.If):
        yield from read(node.test, bound)
        for branch in (node.body, list[nodes.Node](node.elif_), node.else_):
            yield from walk(branch, bound)
    else:
        yield from walk(list(node.iter_child_nodes()), bound)


def named(node: nodes.Name | nodes.Getattr, bound: frozenset[str]) -> Iterator[Path]:
    """A name with what is asked of it, as long as that is plain."""
    path: list[str] = []
    inner: nodes.Node = node
    while isinstance(inner, nodes.Getattr):
        path.insert(0, inner.attr)
        inner = inner.node
    if not isinstance(inner, nodes.Name):
        yield from read(inner, bound)
    elif inner.ctx == "load" and inner.name not in bound:
        yield (inner.name, *path)


def stored(target: nodes.Node) -> frozenset[str]:
    return frozenset(name.name for name in [target, *target.find_all(nodes.Name)] if isinstance(name, nodes.Name))
