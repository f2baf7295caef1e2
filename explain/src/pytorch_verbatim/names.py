"""The names of PyTorch that code uses, by reading it: nothing is imported or run.

The rules are those by which the book finds names in its cells (`verbatim.run.names`); a test holds both together.
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple, Optional

#: Functions that do not call what they are given.
ASK = {"isinstance", "issubclass", "signature"}


class Use(NamedTuple):
    """A place in a file that uses a name."""

    line: int
    given: Optional[frozenset[str]] = frozenset()
    """The names of the arguments where it is called, of the methods where a class derives from it. ``None`` where it is
    neither, but asked about: ``isinstance(data, IterableDataset)``."""


class Written(NamedTuple):
    """What a file imports, and the paths in it."""

    imported: dict[str, str]
    """Name in the file → full name of the imported module or object."""
    paths: dict[tuple[str, ...], list[Use]]
    """Every path that is read, such as ``("torch", "cat")`` → where."""


def read(source: str) -> Written:
    """Read a file's text.

    Raises:
        SyntaxError: It is not Python, or of a newer one than this.
    """
    tree = ast.parse(source)
    paths: dict[tuple[str, ...], list[Use]] = {}
    try:
        for path, use in _paths_in(tree, frozenset()):
            paths.setdefault(tuple(path), []).append(use)
    except RecursionError:  # a sum of a thousand terms, which Python itself can read
        paths = {}
    return Written(dict(_imports(tree)), paths)


def used(
    source: str, known: Container[str], moved: Mapping[str, str] = MappingProxyType({})
) -> tuple[dict[str, list[Use]], set[str]]:
    """Return the names that a file's text uses → where, in the order of lines; and those of torch that are not known.

    Args:
        source: The text.
        moved: Modules with another name: old → new.
        known: Full names that count, such as ``torch.nn.Linear``. The type of an object is not known, so that a method
            counts only where its class is written: ``torch.Tensor.sum``, not ``x.sum()``.

    Raises:
        SyntaxError: As `read`.
    """
    written = read(source)
    found: dict[str, list[Use]] = {}
    unknown: set[str] = set()
    imported = set(written.imported.values())
    paths = [
        (".".join([written.imported[path[0]], *path[1:]]), uses)
        for path, uses in written.paths.items()
        if path[0] in written.imported
    ]
    for full, uses in paths:
        for old, new in moved.items():
            full = f"{new}{full[len(old) :]}" if full.startswith(f"{old}.") else full
        parts = full.split(".")
        names = [".".join(parts[:count]) for count in range(len(parts), 1, -1)]
        # of `torch.cuda.amp.GradScaler.step`, the class counts, too
        for name in (there := [name for name in names if name in known]):
            found.setdefault(name, []).extend(uses)
        if not there and parts[0] == "torch" and names and full not in imported:
            unknown.add(full)
    for name, use in _at_import(ast.parse(source)):
        if name in known and name not in found:
            found[name] = [use]
    return {name: sorted(uses, key=lambda use: use.line) for name, uses in found.items()}, unknown


def _at_import(tree: ast.AST) -> Iterator[tuple[str, Use]]:
    """Yield every module and name of a module that is imported, in full, with its place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, Use(node.lineno)) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, Use(node.lineno)
            yield from ((f"{node.module}.{alias.name}", Use(node.lineno)) for alias in node.names)


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield ``(name in the file, full name)`` of every import."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _path(node: ast.AST) -> list[str]:
    """``torch.nn.Linear`` → its parts; empty if the expression is more than names and dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []


def _given(parent: ast.AST, child: ast.AST) -> Optional[frozenset[str]]:
    """Return `Use.given` of a part of the code."""
    if isinstance(parent, ast.Call):
        if child is parent.func:
            return frozenset(keyword.arg for keyword in parent.keywords if keyword.arg)
        if ASK.intersection(_path(parent.func)[-1:]):
            return None
    if isinstance(parent, ast.ClassDef) and child in parent.bases:
        return frozenset(part.name for part in parent.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return frozenset()


def _paths_in(
    tree: ast.AST, hidden: frozenset[str], given: Optional[frozenset[str]] = frozenset()
) -> Iterator[tuple[list[str], Use]]:
    """Yield every path that is read and does not begin with a local name of a function, with its place."""
    if isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        outside = [*tree.args.defaults, *filter(None, tree.args.kw_defaults), *getattr(tree, "decorator_list", ())]
        for part in outside:
            yield from _paths_in(part, hidden)
        body: list[ast.AST] = list(tree.body) if isinstance(tree.body, list) else [tree.body]
        hidden |= {a.arg for a in ast.walk(tree.args) if isinstance(a, ast.arg)} | {
            n.id for b in body for n in ast.walk(b) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        for part in body:
            yield from _paths_in(part, hidden)
        return
    path = _path(tree)
    if path:
        if path[0] not in hidden:
            yield path, Use(getattr(tree, "lineno", 0), given)
        return
    for child in ast.iter_child_nodes(tree):
        yield from _paths_in(child, hidden, given if isinstance(tree, ast.Tuple) else _given(tree, child))
