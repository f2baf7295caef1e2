"""The paths that code reads, such as ``torch.nn.Linear``, and what it imports. Pure, of Python's own modules alone.

The book finds with it which names of PyTorch a script uses, and the package that readers install, which ones their code
uses. It depends on nothing, so it has a copy of this file: `verbatim/run/used_names.py` is
`explain/src/pytorch_verbatim/used_names.py`, and a test holds both together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from typing import NamedTuple

#: Functions that do not call what they are given.
ASK = {"isinstance", "issubclass", "signature"}


class Use(NamedTuple):
    """A place in a file that uses a name."""

    line: int
    given: frozenset[str] | None = frozenset()
    """The names of the arguments where it is called, of the methods where a class derives from it. ``None`` where it is
    neither, but asked about: ``isinstance(data, IterableDataset)``."""


def imports_in(nodes: Iterable[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield ``(name in the file, full name)`` of every import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.partition(".")[0]
                yield (alias.asname, alias.name) if alias.asname else (top, top)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def path_of(node: ast.AST) -> list[str]:
    """``torch.nn.Linear`` → its parts; empty if the expression is more than names and dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []


def paths_in(
    tree: ast.AST, hidden: frozenset[str] = frozenset(), given: frozenset[str] | None = frozenset()
) -> Iterator[tuple[list[str], Use]]:
    """Yield every path that is read and does not begin with a local name of a function, with its place."""
    if isinstance(tree, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        outside = [*tree.args.defaults, *filter(None, tree.args.kw_defaults), *getattr(tree, "decorator_list", ())]
        for part in outside:
            yield from paths_in(part, hidden)
        body: list[ast.AST] = list(tree.body) if isinstance(tree.body, list) else [tree.body]
        hidden |= {a.arg for a in ast.walk(tree.args) if isinstance(a, ast.arg)} | {
            n.id for b in body for n in ast.walk(b) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        for part in body:
            yield from paths_in(part, hidden)
        return
    path = path_of(tree)
    if path:
        if path[0] not in hidden:
            yield path, Use(getattr(tree, "lineno", 0), given)
        return
    for child in ast.iter_child_nodes(tree):
        yield from paths_in(child, hidden, given if isinstance(tree, ast.Tuple) else _given(tree, child))


def _given(parent: ast.AST, child: ast.AST) -> frozenset[str] | None:
    """Return `Use.given` of a part of the code."""
    if isinstance(parent, ast.Call):
        if child is parent.func:
            return frozenset(keyword.arg for keyword in parent.keywords if keyword.arg)
        if ASK.intersection(path_of(parent.func)[-1:]):
            return None
    if isinstance(parent, ast.ClassDef) and child in parent.bases:
        return frozenset(part.name for part in parent.body if isinstance(part, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return frozenset()
