"""The source code that a result depends on: its modules and all modules that they import."""

from __future__ import annotations

import ast
import hashlib
import re
import sys
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec, resolve_name
from pathlib import Path
from time import time

from duelbook.catalog import loader

OURS = "duelbook"
OUR_IMPORTS = re.compile(
    rb"^ *(import [\w., ]+|from [\w.]+ import (?:\([^)]*\)|[\w, ]+))(?: *#.*)?\r?$", re.MULTILINE
)
"""An import statement in our style; to parse only these takes a tenth of the time."""
STARTED = time()
FUNCTIONS = frozenset(("__import__", "compile", "eval", "exec", "import_module", "open"))
METHODS = frozenset(
    ("environ", "getenv", "import_module", "load", "open", "read_bytes", "read_text", "urlopen")
)
"""Names that read other data; a module that uses one may depend on more than its imports."""


def fingerprint(modules: list[str]) -> str | None:
    """Return a hash of the source that modules depend on, or None if it cannot be determined.

    Python's version stands for the standard library; a package's version stands for the package.
    """
    sources: dict[str, bytes] = {"python": sys.version.encode()}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        top = name.partition(".")[0]
        if name in sources or top in sources or top in sys.stdlib_module_names:
            continue
        if _is_others(top):
            try:
                sources[top] = version(top).encode()
            except PackageNotFoundError:
                return None
            continue
        source = _source(name)
        if source is None:
            return None
        sources[name] = source
        imported = _imported(name, source)
        if imported is None:
            return None
        waiting += imported
    digest = hashlib.sha256()
    for name in sorted(sources):
        digest.update(f"{name} {len(sources[name])} ".encode() + sources[name])
    return digest.hexdigest()


@cache
def _is_others(top: str) -> bool:
    """Return whether a version identifies a package: it is installed, or part of Python."""
    if top == OURS or top in sys.stdlib_module_names:
        return top != OURS
    file = _file(top)
    return file is not None and bool({"site-packages", "dist-packages"} & set(file.parts))


def _source(name: str) -> bytes | None:
    """Return the source of a module, or None if it may differ from the running code."""
    file = _file(name)
    if file is None or file.suffix != ".py":
        return None
    try:
        return file.read_bytes() if file.stat().st_mtime <= STARTED else None
    except OSError:
        return None


def _file(name: str) -> Path | None:
    loaded = getattr(sys.modules.get(name), "__file__", None)
    if loaded:
        return Path(loaded)
    try:
        spec = find_spec(name)
    except (ImportError, ValueError, AttributeError):
        return None
    return Path(spec.origin) if spec and spec.origin and spec.has_location else None


@cache
def _imported(name: str, source: bytes) -> list[str] | None:
    """Return the modules that a module imports, or None if the module may read other data."""
    ours = name.partition(".")[0] == OURS
    try:
        tree = ast.parse(b"\n".join(OUR_IMPORTS.findall(source)) if ours else source)
    except (SyntaxError, ValueError):
        return None
    nodes = list(ast.walk(tree))
    if not ours and any(_reads_more(node) for node in nodes):
        return None
    return [_beside(name, module) or module for module in _imports(name, nodes)]


def _beside(name: str, imported: str) -> str | None:
    """Return the name of a loaded module whose file is beside the file of another, or None."""
    file = _file(name) if name.startswith(loader.PREFIX) else None
    loaded = loader.module_name(file.with_name(f"{imported}.py")) if file else None
    return loaded if loaded in sys.modules else None


def _reads_more(node: ast.AST) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr in METHODS
    return isinstance(node, ast.Name) and node.id in FUNCTIONS


def _imports(name: str, nodes: list[ast.AST]) -> Iterator[str]:
    if name.partition(".")[0] != OURS:  # our packages' __init__ files do not affect their modules
        yield from _parents(name)
    package = name if (file := _file(name)) and file.stem == "__init__" else name.rpartition(".")[0]
    for node in nodes:
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = node.module or ""
            if node.level:
                module = resolve_name("." * node.level + module, package)
            if module != OURS:
                yield module
            if _is_others(module.partition(".")[0]):
                continue
            inside = _modules_in(module)
            yield from (f"{module}.{alias.name}" for alias in node.names if alias.name in inside)


@cache
def _modules_in(package: str) -> frozenset[str]:
    """Return the names of the modules in a package; none for a plain module."""
    file = _file(package)
    if file is None or file.stem != "__init__":
        return frozenset()
    return frozenset(entry.stem for entry in file.parent.iterdir() if entry.suffix in ("", ".py"))


def _parents(name: str) -> Iterator[str]:
    while "." in name:
        name = name.rpartition(".")[0]
        yield name
