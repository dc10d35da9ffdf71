"""One source, three speeds: the rule files of a game loaded as they are, or as a twin package with every function compiled."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import os
import platform
import sys
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

from recollect.engine import components, observation, sets, stream

ENGINE = Path(__file__).parent
TWIN = ENGINE / "twin"
ASKED = {"acting", "choices", "odds", "apply"}  # asked at every move: compiled into the loops themselves
SMALL = 20_000  # bytes of Python's code; a game with less is compiled as one piece, a larger one would take too long


def digest(folder: Path, data: Path) -> str:
    """Changes whenever a rule file, the data, the engine's loops or the compiler does, so that stale code never runs."""
    h = hashlib.sha256(f"{sys.version}{platform.machine()}{platform.processor()}".encode())
    rules = [*sorted((folder / "rules").glob("*.py")), folder / "components.py"]
    for file in [
        *rules,
        *sorted(TWIN.glob("*.py")),
        ENGINE / "stream.py",
        ENGINE / "sets.py",
        ENGINE / "observation.py",
        ENGINE / "compile.py",
        data,
    ]:
        h.update(file.name.encode() + b"\0" + (file.read_bytes() if file.exists() else b"") + b"\0")
    return h.hexdigest()[:20]


def cache_folder() -> Path:
    """Where compiled code is kept: RECOLLECT_CACHE, or the user's cache folder."""
    given = os.environ.get("RECOLLECT_CACHE")
    return Path(given) if given else Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "recollect"


def load_plain(folder: Path, package: str, data: Path | None = None) -> ModuleType:
    """The loops of a game in plain Python, under the package's name."""
    if package not in sys.modules:
        try:
            importlib.import_module(package)
        except ModuleNotFoundError:
            _new_package(package, folder)
    if data is not None:
        components.files[package] = data
    return _import_loops(package)


def load_compiled(folder: Path, package: str, data: Path | None = None, boundscheck: bool = False) -> ModuleType:
    """The loops of a game with every rule function compiled by Numba, in a twin package of their own."""
    import numba

    key = digest(folder, data or folder / "components.toml")
    name = f"_recollect_{folder.name}_{key}{'_checked' if boundscheck else ''}"
    if name + ".loops" in sys.modules:
        return sys.modules[name + ".loops"]
    _new_package(name, folder)
    if data is not None:
        components.files[name] = data
    loops = _import_loops(name)
    modules = [m for n, m in sys.modules.items() if n.startswith(name + ".") and n != name + ".components"]
    how: dict[str, Any] = {"nogil": True, "boundscheck": boundscheck, "_nrt": hasattr(sys.modules[name + ".rules"], "legal")}  # before.py
    ours = (stream.below, stream.sow, sets.size, sets.member)
    compiled: dict[object, object] = {f: numba.njit(f, **how, forceinline=True) for f in ours}
    numba.config.CACHE_DIR = str(cache_folder() / f"{numba.__version__}-{name}")  # type: ignore[attr-defined]
    looping = (loops, sys.modules[name + ".environment"])
    small = sum(len(f.__code__.co_code) for module in modules for f in _functions(module)) < SMALL
    for module in modules:
        for value in _functions(module):
            if not value.__name__.startswith("_"):
                inline = module is not looping[1] and (small or "rules" not in module.__name__ or value.__name__ in ASKED)
                compiled[value] = numba.njit(value, **how, cache=module in looping, forceinline=inline)
    for module in modules:
        for global_name, value in list(vars(module).items()):
            if isinstance(value, FunctionType) and value in compiled:
                setattr(module, global_name, compiled[value])
    return loops


def _functions(module: ModuleType) -> list[FunctionType]:
    return [value for value in vars(module).values() if isinstance(value, FunctionType) and value.__module__ == module.__name__]


def _new_package(name: str, folder: Path) -> None:
    package = ModuleType(name)
    package.__path__ = [str(folder)]
    package.__package__ = name
    package.__spec__ = importlib.util.spec_from_loader(name, loader=None, is_package=True)
    sys.modules[name] = package


def _import_loops(package: str) -> ModuleType:
    path = sys.modules[package].__path__
    if str(TWIN) not in path:
        path.append(str(TWIN))
    rules = importlib.import_module(package + ".rules")
    if hasattr(rules, "legal"):
        sys.modules[package + ".choosing"] = importlib.import_module(package + ".before")  # before.py
    _import_observation(package, rules)
    importlib.import_module(package + ".environment")
    return importlib.import_module(package + ".loops")


def _import_observation(package: str, rules: ModuleType) -> None:
    """What a seat observes: code written from the record's declared visibility."""
    if package + ".observation" not in sys.modules:
        module = ModuleType(package + ".observation")
        source = observation.Layout(rules.STATE, rules.SEATS).source()
        exec(compile(source, f"<observation of {package}>", "exec"), vars(module))
        sys.modules[package + ".observation"] = module
