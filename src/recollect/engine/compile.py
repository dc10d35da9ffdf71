"""One source, three speeds: the rule files of a game loaded as they are, or as a twin package with every function compiled."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import platform
import re
import sys
from collections.abc import Iterable
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from recollect.engine.observation import Layout

ENGINE = Path(__file__).parent
TWIN = ENGINE / "twin"
ASKED = {"acting", "choices", "odds", "apply"}  # asked at every move: compiled into the loops themselves
ASIDE = {"search", "environment"}  # parts of the twin that others do not read
SMALL = 10_000  # bytes of Python's code; rules of less are compiled into whatever asks them, larger ones would take too long


class NotCompiled(ValueError):
    """A rule function that Numba cannot compile: where, and why, in one line."""


def digest(folder: Path, data: Path, what: str = "loops") -> str:
    """Changes whenever a rule file, the data, the engine or the compiler does, so that stale code never runs."""
    h = hashlib.sha256(f"{sys.version}{platform.machine()}{platform.processor()}".encode())
    rules = [*sorted((folder / "rules").glob("*.py")), folder / "components.py"]
    if what == "search":
        rules.append(folder / "worth.py")
    parts = {file: file.relative_to(TWIN).with_suffix("").parts[0] for file in sorted(TWIN.rglob("*.py"))}
    twin = [file for file, part in parts.items() if part == what or part not in ASIDE]
    for file in [*rules, *twin, *sorted(ENGINE.glob("*.py")), data]:
        h.update(file.name.encode() + b"\0" + (file.read_bytes() if file.exists() else b"") + b"\0")
    return h.hexdigest()[:20]


def cache_folder() -> Path:
    """Where compiled code is kept: RECOLLECT_CACHE, or the user's cache folder."""
    given = os.environ.get("RECOLLECT_CACHE")
    return Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "recollect"


def load_plain(folder: Path, package: str, data: Path | None = None, what: str = "loops") -> ModuleType:
    """The loops of a game, or its environment, in plain Python, under the package's name."""
    if package not in sys.modules:
        try:
            importlib.import_module(package)
        except ModuleNotFoundError:
            _new_package(package, folder, data)
    return _import_loops(package, what)


def load_compiled(folder: Path, package: str, data: Path | None = None, boundscheck: bool = False, what: str = "loops") -> ModuleType:
    """The loops of a game, or its search, with every rule function compiled by Numba, in a twin package of their own.
    The environment is beside the loops, for the same rules serve both."""
    import numba

    parts = "loops" if what == "environment" else what
    key, kept = (digest(folder, data or folder / "components.toml", part) for part in (parts, what))
    name = f"_recollect_{folder.name}_{key}{'_checked' if boundscheck else ''}"
    if f"{name}.{what}" in sys.modules:
        return sys.modules[f"{name}.{what}"]
    if what != parts:
        load_compiled(folder, package, data, boundscheck)
    else:
        _new_package(name, folder, data)
    loops = _import_loops(name, what)
    modules = [m for n, m in sys.modules.items() if n.startswith(name + ".") and n != name + ".components"]
    how: dict[str, Any] = {"nogil": True, "boundscheck": boundscheck, "_nrt": False}  # rules allocate nothing: no reference counts
    numba.config.CACHE_DIR = str(cache_folder() / f"{numba.__version__}-{name.replace(key, kept)}")  # type: ignore[attr-defined]
    own = [m for m in modules if m.__name__ == loops.__name__ or m.__name__.startswith(loops.__name__ + ".")]
    entries = [(m, f.__name__) for m in own for f in _functions(m)]
    rules = [f for module in modules if ".rules" in module.__name__ for f in _functions(module)]
    small = sum(len(f.__code__.co_code) for f in rules) < SMALL
    compiled: dict[FunctionType, Any] = {}
    for module in modules:
        for f in _functions(module):
            inline = what != "search" and (small or f not in rules or f.__name__ in ASKED)  # a search asks from too many places
            compiled[f] = numba.njit(f, **how, cache=module in own, forceinline=inline)
    twins = {f: FunctionType(f.__code__, dict(f.__globals__), f.__name__) for f in _of_the_engine(modules)}
    compiled.update({f: numba.njit(twin, **how, forceinline=True) for f, twin in twins.items()})
    for names in [*map(vars, modules), *(twin.__globals__ for twin in twins.values())]:
        names.update({n: compiled[f] for n, f in names.items() if isinstance(f, FunctionType) and f in compiled})
    for module, name in entries:
        _say_faults(getattr(module, name), folder)
    return loops


def _functions(module: ModuleType) -> list[FunctionType]:
    """The functions that a module defines for others."""
    own = (f for f in vars(module).values() if isinstance(f, FunctionType) and f.__module__ == module.__name__)
    return [f for f in own if not f.__name__.startswith("_")]


def _of_the_engine(modules: Iterable[ModuleType]) -> set[FunctionType]:
    """The engine's functions that these modules use, and those that these use."""
    found: set[FunctionType] = set()
    names = [vars(module) for module in modules]
    while names:
        used = {f for f in names.pop().values() if isinstance(f, FunctionType) and f.__module__.startswith("recollect.engine.")} - found
        found |= used
        names += [{n: f.__globals__[n] for n in f.__code__.co_names if n in f.__globals__} for f in used]
    return found


def _say_faults(f: Any, folder: Path) -> None:
    """What the compiler cannot do is said in one line, with the rule file's name and line."""
    from numba.core.errors import NumbaError

    compile_for = f._compile_for_args

    def compile_or_say(*args: Any, **more: Any) -> Any:
        try:
            return compile_for(*args, **more)
        except NumbaError as error:
            raise NotCompiled(_in_one_line(str(error), folder)) from None
        except KeyError as error:  # what Numba says of a field misspelt
            raise NotCompiled(f"{folder.name}: does not compile: the record has no field {error}") from None

    f._compile_for_args = compile_or_say


def _in_one_line(text: str, folder: Path) -> str:
    """The first place in the game's folder that the compiler names, which is the innermost; its source; and what is wrong with it."""
    text = re.sub(r"\x1b\[[0-9;]*m", "", text)  # its colours
    wrong = next(line.strip() for line in text.splitlines() if not line.startswith("Failed in nopython mode"))
    wrong = wrong.replace("NRT required but not enabled", "rules allocate nothing: no lists, arrays or texts")
    place = re.search(rf"{re.escape(str(folder))}/(\S+) \((\d+)\)", text)
    if place is None:
        return f"{folder.name}: does not compile: {wrong}"
    file, line = place[1], int(place[2])
    source = (folder / file).read_text(encoding="utf-8").splitlines()[line - 1].strip()
    return f"{folder.name}/{file}:{line}: does not compile: {source}: {wrong}"


def _new_package(name: str, folder: Path, data: Path | None) -> None:
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    package.__package__ = name
    package.__spec__ = importlib.util.spec_from_loader(name, loader=None, is_package=True)
    package.__dict__["OWNERS_FILE"] = data
    sys.modules[name] = package


def _import_loops(package: str, what: str = "loops") -> ModuleType:
    path = sys.modules[package].__path__
    if str(TWIN) not in path:
        path.append(str(TWIN))
    rules = importlib.import_module(package + ".rules")
    if what == "environment":
        _import_observation(package, rules)
    return importlib.import_module(f"{package}.{what}")


def _import_observation(package: str, rules: ModuleType) -> None:
    """What a seat observes: code written from the record's declared visibility."""
    if package + ".observation" not in sys.modules:
        module = ModuleType(package + ".observation")
        exec(compile(Layout(rules.STATE, rules.SEATS).source(), f"<observation of {package}>", "exec"), vars(module))
        sys.modules[package + ".observation"] = module
