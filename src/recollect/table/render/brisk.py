"""Templates made quick: what is the same on every page is written when a template is read, and the rest is asked without detours.

A macro that reads nothing but what it is given (and texts, and other such macros) is *plain*: it is called as the function that it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import lru_cache
from types import MethodType
from typing import Any

from jinja2 import Environment, Template, TemplateSyntaxError, nodes
from jinja2.compiler import CodeGenerator, Frame, find_undeclared
from jinja2.defaults import DEFAULT_NAMESPACE
from jinja2.runtime import Context, Macro
from jinja2.utils import missing
from jinja2.visitor import NodeTransformer
from markupsafe import Markup, escape

from recollect.engine.drawn import Drawn
from recollect.engine.look import You
from recollect.table.render.names import walk
from recollect.table.render.players import Player

MARK = "\x02"  # before and after the name of a part in what is rendered; no name or text of people's has such a letter

Remembered = type(lru_cache(repr))  # what a text is behind its cache
DIRECT = {Remembered, type(lambda: None), type(repr), type, MethodType, You}  # these want to know nothing of the page
SURE = {str, Markup, int, float, bool, type(None), type(missing), Drawn, Player}  # told apart by type and value, or by being themselves
PLAIN = {"table", "page"}  # these are dicts of plain values: what is asked of them is there
Names = tuple[tuple[str, str], ...]
SAID = 32_768  # of a macro


@lru_cache(maxsize=32_768)
def safe(text: str) -> str:
    """Plain text as it may stand in a page."""
    return str(escape(text))


class Written(dict[type, Callable[[Any], str]]):
    """How a value stands in a page, by its type; what is markup already stands as it is."""

    def __missing__(self, kind: type) -> Callable[[Any], str]:
        return escape


def called(context: Context, what: Any, /, *given: Any, **named: Any) -> Any:
    """Calls functions and macros, which are most of what a page calls, without asking first what else they might want."""
    kind = type(what)
    if kind in DIRECT:
        return what(*given, **named)
    if kind is not Macro:
        return context.call(what, *given, **named)
    if what.catch_kwargs or what.catch_varargs or what.explicit_caller or len(given) > what._argument_count:
        return what(context.eval_ctx, *given, **named)
    if len(given) < what._argument_count:
        given += tuple([named.pop(name, missing) for name in what.arguments[len(given) :]])
    if what.caller:
        given += (named.pop("caller", None) or context.environment.nobody,)  # type: ignore[attr-defined]
    if named:
        raise TypeError(f"macro {what.name!r} takes no argument {next(iter(named))!r}")
    return Markup(what._func(*given))


class Code(CodeGenerator):
    """What a template becomes: as Jinja writes it, but for parts, calls and what is put out."""

    environment: Brisk

    def visit_Macro(self, node: nodes.Macro, frame: Frame) -> None:
        super().visit_Macro(node, frame)
        where = f"{self.name} {node.name}"
        if where in self.environment.takes:
            self.writeline(f"environment.keep({where!r}, macro)")

    def blockvisit(self, body: Iterable[nodes.Node], frame: Frame) -> None:
        """What a block or a template says is said at once: word by word it would go through every template around it."""
        if not (frame.block_frame or frame.rootlevel) or frame.buffer is not None:
            return super().blockvisit(body, frame)
        self.buffer(frame)
        super().blockvisit(body, frame)
        self.writeline(f"yield concat({frame.buffer})")

    def visit_CallBlock(self, node: nodes.CallBlock, frame: Frame) -> None:
        if not is_known(node.call):
            return super().visit_CallBlock(node, frame)
        self.macro_body(node, frame)
        self.start_write(frame, node)
        self.visit(node.call, frame)
        self.end_write(frame)

    def visit_Call(self, node: nodes.Call, frame: Frame, forward_caller: bool = False) -> None:
        if is_known(node):
            self.visit(node.node, frame)
            self.write("(")
            for given in (*node.args, *node.kwargs):
                self.visit(given, frame)
                self.write(", ")
        else:
            self.write("environment.called(context, ")
            self.visit(node.node, frame)
            self.signature(node, frame, {"caller": "caller"} if forward_caller else None)
        self.write(")")

    def visit_FromImport(self, node: nodes.FromImport, frame: Frame) -> None:
        """What is taken from a template that knows nothing of the page is the same on every page."""
        if node.with_context or not isinstance(node.template, nodes.Const) or not frame.toplevel:
            return super().visit_FromImport(node, frame)
        names = aliases(node)
        self.writeline(f"taken = environment.borrowed({node.template.value!r}, {names!r})", node)
        for _, alias in names:
            self.writeline(f"{frame.symbols.ref(alias)} = taken[{alias!r}]")
        self.writeline("context.vars.update(taken)")

    def visit_Getattr(self, node: nodes.Getattr, frame: Frame) -> None:
        """What is asked of a dict is found without a call; of what is always one, without asking what it is."""
        if isinstance(node.node, nodes.Name) and node.node.name in PLAIN:
            self.visit(node.node, frame)
            return self.write(f"[{node.attr!r}]")
        self.write(f"(asked[{node.attr!r}] if isinstance(asked := ")
        self.visit(node.node, frame)
        self.write(f", dict) and {node.attr!r} in asked else environment.attribute(asked, {node.attr!r}))")

    def visit_CondExpr(self, node: nodes.CondExpr, frame: Frame) -> None:
        """Nothing where there is no "else"."""
        super().visit_CondExpr(nodes.CondExpr(node.test, node.expr1, node.expr2 or nodes.Const("")), frame)

    def visit_Output(self, node: nodes.Output, frame: Frame) -> None:
        if frame.require_output_check or frame.eval_ctx.volatile or not frame.eval_ctx.autoescape:
            return super().visit_Output(node, frame)
        alone = len(node.nodes) == 1
        begin = "yield (" if frame.buffer is None else f"{frame.buffer}.append("
        together = "yield concat((" if frame.buffer is None else f"{frame.buffer}.extend(("
        self.writeline(begin if alone else together, node)
        for child in node.nodes:
            self._put(child, frame)
            self.write("" if alone else ", ")
        self.write(")" if alone else "))")

    def _const(self, node: nodes.Expr, frame: Frame) -> str | None:
        """What is put out, if it is known already."""
        try:
            return str(escape(node.as_const(frame.eval_ctx)))
        except Exception:  # not constant, or a fault: it shows when the page is made
            return None

    def _put(self, node: nodes.Expr, frame: Frame) -> None:
        """What is put out; it is escaped where it is plain text."""
        if (const := self._const(node, frame)) is not None:
            self.write(repr(const))
        elif isinstance(node, nodes.CondExpr):
            self.write("(")
            self._put(node.expr1, frame)
            self.write(" if ")
            self.visit(node.test, frame)
            self.write(" else ")
            self._put(node.expr2 or nodes.Const(""), frame)
            self.write(")")
        elif isinstance(node, nodes.MarkSafe):
            self.visit(node.expr, frame)
        else:
            self.write("(put if type(put := (")
            self.visit(node, frame)
            self.write(")) is Markup else environment.written[type(put)](put))")


class Given(dict[str, Any]):
    """What names stand for on a page; Jinja asks what is there before it says that something is not."""

    def __missing__(self, name: str) -> Any:
        return missing


class Found(Context):
    """What a template is given and what it takes from others, as one: a name is found by one look."""

    def __init__(self, environment: Environment, parent: dict[str, Any], *given: Any, **named: Any) -> None:
        super().__init__(environment, parent, *given, **named)
        self.parent = self.vars = Given(parent)
        self.resolve_or_missing = self.vars.__getitem__  # type: ignore[assignment, method-assign]

    def get_all(self) -> dict[str, Any]:
        """A copy: what another template makes of it is its own."""
        return dict(self.vars)


class Shared(Template):
    """A template of an environment whose templates all have the same globals: what others take from it is made once."""

    def _get_default_module(self, ctx: Context | None = None) -> Any:
        return super()._get_default_module()


class Brisk(Environment):
    """An environment of such templates."""

    code_generator_class = Code
    context_class = Found
    template_class = Shared
    called = staticmethod(called)
    written = Written({str: safe, int: str, float: str})

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self._taken: dict[str, Template] = {}
        self._borrowed: dict[tuple[str, Names], dict[str, Any]] = {}
        self.takes: dict[str, tuple[str, ...]] = {}  # what each plain macro is given, by template and name
        self.plain: dict[str, Callable[..., str]] = {}  # plain macros, by template and name, and texts
        self.whole: set[str] = set()  # plain macros that say the same whenever they are given the same
        self._naming: set[Any] = set()  # what those have said that have named parts
        self.nobody = self.undefined("no caller defined", name="caller")

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

    def keep(self, where: str, macro: Callable[..., str]) -> None:
        """A plain macro is the same whichever page brought it."""
        if where not in self.plain:
            self.plain[where] = self._kept(macro) if where in self.whole else macro

    def _kept(self, macro: Callable[..., str]) -> Callable[..., str]:
        """It is asked once for the same; what cannot be told apart surely is not kept."""

        @lru_cache(maxsize=SAID, typed=True)
        def said(*given: Any) -> str:
            text = macro(*given)
            if MARK in text:
                self._naming.add(said)
            return text

        sure = SURE.issuperset
        return lambda *given: said(*given) if sure(map(type, given)) else macro(*given)

    def say_anew(self) -> None:
        """Parts are forgotten: what names some is said anew, all else stands."""
        for said in self._naming:
            said.cache_clear()
        self._naming.clear()

    def make_globals(self, d: Any) -> Any:
        """All templates have the same."""
        return self.globals

    def attribute(self, obj: Any, name: str) -> Any:
        """What is asked of something that is no dict, or does not hold it."""
        found = getattr(obj, name, missing)
        return self.getattr(obj, name) if found is missing else found

    def _parse(self, source: str, name: str | None, filename: str | None) -> nodes.Template:
        template = super()._parse(source, name, filename)
        Foreseen(template, self, name).visit(template)
        return template


class Foreseen(NodeTransformer):
    """Texts, and macros taken from other templates, that are given nothing but constants are written here and now; texts and plain
    macros that are given more are known by now."""

    def __init__(self, template: nodes.Template, environment: Brisk, name: str | None) -> None:
        self.environment, self.name = environment, name
        self.context = nodes.EvalContext(environment, None)
        self.known: dict[str, tuple[str, Any]] = {}  # by name: under which it is kept if it is plain, and what it is
        self.modules: dict[str, tuple[str, Any]] = {}
        self._find(template)
        for made in template.find_all(nodes.Name):
            if made.ctx != "load":  # somewhere in this template it is something else
                self.known.pop(made.name, None)
                self.modules.pop(made.name, None)
        environment.plain.update({name: what for name, (_, what) in self.known.items() if type(what) is Remembered})
        self.known |= {macro.name: (f"{name} {macro.name}", None) for macro in self._plain(template)}

    def _find(self, template: nodes.Template) -> None:
        """Texts, and what is taken from templates that know nothing of the page."""
        self.known |= {name: (name, value) for name, value in self.environment.globals.items() if type(value) is Remembered}
        taken: Any
        for taken in template.find_all((nodes.Import, nodes.FromImport)):
            if taken.with_context or not isinstance(taken.template, nodes.Const):
                continue
            name, module = taken.template.value, self.environment.get_template(taken.template.value).module
            if isinstance(taken, nodes.Import):
                self.modules[taken.target] = name, module
            else:
                self.known |= {alias: (f"{name} {macro}", getattr(module, macro, None)) for macro, alias in aliases(taken)}

    def _plain(self, template: nodes.Template) -> list[nodes.Macro]:
        """Macros of this template that read nothing of the page; what each is given is noted."""
        made = {name.name for name in template.find_all(nodes.Name) if name.ctx != "load"}
        macros = {node.name: node for node in template.body if isinstance(node, nodes.Macro) and node.name not in made}
        constant = {*DEFAULT_NAMESPACE, *self.known, *self.modules} - made
        while strange := [name for name, macro in macros.items() if not reads(macro) <= constant | set(macros)]:
            for name in strange:
                del macros[name]
        for name, macro in macros.items():
            caller = find_undeclared(macro.body, ("caller",))
            self.environment.takes[f"{self.name} {name}"] = (*(arg.name for arg in macro.args), *caller)
        return list(macros.values())

    def visit_Macro(self, node: nodes.Macro) -> nodes.Node:
        self.generic_visit(node)
        if all(self._whole(call.node) for call in node.find_all(nodes.Call)):
            self.environment.whole.add(f"{self.name} {node.name}")
        return node

    def _whole(self, what: nodes.Node) -> bool:
        """What comes of calling it depends on what it is given: a part, a text, another such macro, a range, a method of a value."""
        if isinstance(what, nodes.ExtensionAttribute):
            return True
        if isinstance(what, nodes.InternalName):
            return what.name in {plainly(name) for name in (*self.environment.whole, *self.environment.globals)}
        if isinstance(what, nodes.Name):
            return what.name == "range"
        return isinstance(what, nodes.Getattr) and not (isinstance(what.node, nodes.Name) and what.node.name in self.modules)

    def visit_Call(self, node: nodes.Call) -> nodes.Node:
        self.generic_visit(node)
        if isinstance(node.node, nodes.Name) and node.node.name == "caller":
            return nodes.MarkSafe(node, lineno=node.lineno)  # what lies in a block is markup
        where, what = self._what(node.node)
        if not where or node.dyn_args or node.dyn_kwargs:
            return node
        if said := self._said(node, what):
            return said
        if type(what) is Remembered:
            node.node = internal(plainly(where))
            return node
        direct = self._direct(node, where)
        return nodes.MarkSafe(direct, lineno=node.lineno) if direct else node

    def _said(self, node: nodes.Call, what: Any) -> nodes.Const | None:
        """What it says whenever it is asked so."""
        try:
            given = [arg.as_const(self.context) for arg in node.args]
            said = what(*given, **{pair.key: pair.value.as_const(self.context) for pair in node.kwargs})
        except Exception:  # not constant, or a fault: it shows when the page is made
            return None
        if MARK in said:
            return None  # a part is looked up anew on each page
        return nodes.Const(said, lineno=node.lineno, environment=self.environment)

    def visit_CallBlock(self, node: nodes.CallBlock) -> nodes.Node:
        self.generic_visit(node.call)
        node.body = [child for one in node.body for child in self.visit_list(one)]
        where, _ = self._what(node.call.node)
        if "caller" in self.environment.takes.get(where, ()):
            node.call = self._direct(node.call, where, "macro") or node.call
        return node

    def _direct(self, node: nodes.Call, where: str, caller: str = "environment.nobody") -> nodes.Call | None:
        """A call of a plain macro, which takes what it is given in order."""
        takes = self.environment.takes.get(where)
        named = {pair.key: pair.value for pair in node.kwargs}
        if takes is None or node.dyn_args or node.dyn_kwargs or len(node.args) > len(takes) or not named.keys() <= set(takes):
            return None
        given = {**dict.fromkeys(takes, internal("missing")), **named, **dict(zip(takes, node.args, strict=False))}
        if takes[-1:] == ("caller",):
            given["caller"] = internal(caller)
        return nodes.Call(internal(plainly(where)), list(given.values()), [], None, None, lineno=node.lineno)

    def _what(self, node: nodes.Node) -> tuple[str, Any]:
        if isinstance(node, nodes.Name):
            return self.known.get(node.name, ("", None))
        if isinstance(node, nodes.Getattr) and isinstance(node.node, nodes.Name) and node.node.name in self.modules:
            name, module = self.modules[node.node.name]
            return f"{name} {node.attr}", getattr(module, node.attr, None)
        return "", None


def reads(macro: nodes.Macro) -> set[str]:
    """The names that a macro reads besides what it is given."""
    try:
        given = frozenset(arg.name for arg in macro.args)
        found = {path[0] for path in walk([*macro.defaults, *macro.body], given | {"caller"})}
        return found | (given & {"caller"})  # one that names its caller is called as Jinja does
    except TemplateSyntaxError:  # it includes another template, which may read anything
        return {"self"}


def aliases(node: nodes.FromImport) -> Names:
    """What is taken from a template, with the name that it has here."""
    return tuple((name, name) if isinstance(name, str) else name for name in node.names)


def plainly(where: str) -> str:
    """Where a text or a plain macro is found."""
    return f"environment.plain[{where!r}]"


def internal(source: str) -> nodes.InternalName:
    """A piece of the code that a template becomes, as Jinja's parser makes such."""
    name = object.__new__(nodes.InternalName)
    nodes.Node.__init__(name, source)
    return name


def is_known(node: nodes.Expr) -> bool:
    """A call of something that was known when the template was read."""
    return isinstance(node, nodes.Call) and isinstance(node.node, nodes.InternalName)


def is_part(block: nodes.CallBlock) -> bool:
    return isinstance(block.call.node, nodes.ExtensionAttribute)
