"""Templates made quick: what is the same on every page is written when a template is read, and the rest is asked without detours."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from jinja2 import Environment, Template, nodes
from jinja2.compiler import CodeGenerator, Frame
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

MARK = "\x02"  # before and after the name of a part in what is rendered; no name or text of people's has such a letter

Remembered = type(lru_cache(repr))  # what a text is behind its cache
Function = type(lambda: None)
Names = tuple[tuple[str, str], ...]


@lru_cache(maxsize=8192)
def safe(text: str) -> str:
    """Plain text as it may stand in a page."""
    return str(escape(text))


def written(value: Any) -> str:
    """A value as it stands in a page."""
    kind = type(value)
    if kind is Markup:
        return value  # type: ignore[no-any-return]
    if kind is str:
        return safe(value)
    return str(value) if kind is int or kind is float else escape(value)


def called(context: Context, what: Any, /, *given: Any, **named: Any) -> Any:
    """Calls macros and texts, which are most of what a page calls, without asking first what else they might want."""
    kind = type(what)
    if kind is Remembered or kind is Function:
        return what(*given, **named)
    if kind is not Macro:
        return context.call(what, *given, **named)
    if what.catch_kwargs or what.catch_varargs or what.explicit_caller or len(given) > what._argument_count:
        return what(context.eval_ctx, *given, **named)
    if len(given) < what._argument_count:
        given += tuple([named.pop(name, missing) for name in what.arguments[len(given) :]])
    if what.caller:
        given += (named.pop("caller", None) or context.environment.undefined("no caller defined", name="caller"),)
    if named:
        raise TypeError(f"macro {what.name!r} takes no argument {next(iter(named))!r}")
    return Markup(what._func(*given))


class Code(CodeGenerator):
    """What a template becomes: as Jinja writes it, but for parts, calls and what is put out."""

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        if not is_part(node):
            return super().visit_CallBlock(node, frame)
        self.macro_body(node, frame)
        self.start_write(frame, node)
        self.write("environment.part(")
        for given in node.call.args:
            self.visit(given, frame)
            self.write(", ")
        self.write("macro)")
        self.end_write(frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        self.write("environment.called(context, ")
        self.visit(node.node, frame)
        self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:
        """What is taken from a template that knows nothing of the page is the same on every page."""
        if node.with_context or not isinstance(node.template, nodes.Const) or not frame.toplevel:
            return super().visit_FromImport(node, frame)
        names = tuple((name, name) if isinstance(name, str) else name for name in node.names)
        self.writeline(f"taken = environment.borrowed({node.template.value!r}, {names!r})", node)
        for _, alias in names:
            self.writeline(f"{frame.symbols.ref(alias)} = taken[{alias!r}]")
        self.writeline("context.vars.update(taken)")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """What is asked of a dict is found without a call."""
        self.write("(asked[")
        self.write(f"{node.attr!r}] if type(asked := ")
        self.visit(node.node, frame)
        self.write(f") is dict and {node.attr!r} in asked else environment.getattr(asked, {node.attr!r}))")

    def _output_child_pre(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            return super()._output_child_pre(node, frame, finalize)
        self.write("(put if type(put := (")

    def _output_child_post(self, node: nodes.Expr, frame: Frame, finalize: Any) -> None:
        if frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            return super()._output_child_post(node, frame, finalize)
        self.write(")) is Markup else environment.written(put))")


class Shared(Template):
    """A template of an environment whose templates all have the same globals: what others take from it is made once."""

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        return super()._get_default_module()


class Brisk(Environment):
    """An environment of such templates; what is asked of a dict is looked up in it first."""

    code_generator_class = Code
    template_class = Shared
    called = staticmethod(called)
    written = staticmethod(written)

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._taken: dict[str, Template] = {}
        self._borrowed: dict[tuple[str, Names], dict[str, Any]] = {}

    def get_template(self, name: Any, parent: str | None = None, globals: Any = None) -> Template:
        """Read once: what lies in the folders of pages stays as it is."""
        if globals is not None or name not in self._taken:
            self._taken[name] = super().get_template(name, parent, globals)
        return self._taken[name]

    def borrowed(self, name: str, names: Names) -> dict[str, Any]:
        """Macros of a template, by the names that they have in another."""
        if (name, names) not in self._borrowed:
            module = self.get_template(name).module
            self._borrowed[name, names] = {alias: getattr(module, macro) for macro, alias in names}
        return self._borrowed[name, names]

    def getattr(self, obj: Any, attribute: str) -> Any:
        if type(obj) is dict and attribute in obj:
            return obj[attribute]
        found = getattr(obj, attribute, missing)
        return super().getattr(obj, attribute) if found is missing else found

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        Foreseen(template, self).visit(template)
        return template


class Foreseen(NodeTransformer):
    """Texts, and macros taken from other templates, that are given nothing but constants: they are written here and now."""

    def __init__(self, template: nodes.Template, environment: Brisk) -> None:
        self.environment = environment
        self.context = nodes.EvalContext(environment, None)
        self.modules = {taken.target: found for taken, found in self._taken(template, nodes.Import)}
        self.known = {name: value for name, value in environment.globals.items() if type(value) is Remembered}
        for taken, module in self._taken(template, nodes.FromImport):
            pairs = [(name, name) if isinstance(name, str) else name for name in taken.names]
            self.known |= {alias: getattr(module, name) for name, alias in pairs if hasattr(module, name)}
        for name in template.find_all(nodes.Name):
            if name.ctx != "load":  # somewhere in this template it is something else
                self.known.pop(name.name, None)
                self.modules.pop(name.name, None)

    def _taken(self, template: nodes.Template, kind: Any) -> Iterator[tuple[Any, Any]]:
        for taken in template.find_all(kind):
            if not taken.with_context and isinstance(taken.template, nodes.Const):
                yield taken, self.environment.get_template(taken.template.value).module

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        self.generic_visit(node)
        what = self._what(node.node)
        if what is None or node.dyn_args or node.dyn_kwargs:
            return node
        try:
            given = [arg.as_const(self.context) for arg in node.args]
            said = what(*given, **{pair.key: pair.value.as_const(self.context) for pair in node.kwargs})
        except Exception:  # not constant, or a fault: it shows when the page is made
            return node
        if MARK in said:
            return node  # a part is looked up anew on each page
        return nodes.Const(said, lineno=node.lineno, environment=self.environment)

    def _what(self, node: nodes.Node) -> Any:
        if isinstance(node, nodes.Name):
            return self.known.get(node.name)
        if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name in self.modules:
            return getattr(self.modules[node.node.name], node.attr, None)
        return None


def is_part(block: nodes.CallBlock) -> bool:
    return isinstance(block.call.node, nodes.ExtensionAttribute)
