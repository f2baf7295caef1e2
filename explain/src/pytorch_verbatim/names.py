"""The names of PyTorch that code uses, by reading it: nothing is imported or run.

The rules are those by which the book finds names in its cells (`used_names`).
"""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from pytorch_verbatim.used_names import Use, imports_in, paths_in


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
        for path, use in paths_in(tree):
            paths.setdefault(tuple(path), []).append(use)
    except RecursionError:  # a sum of a thousand terms, which Python itself can read
        paths = {}
    return Written(dict(imports_in(ast.walk(tree))), paths)


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
    by_name: dict[str, list[Use]] = {}
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
            by_name.setdefault(name, []).extend(uses)
        if not there and parts[0] == "torch" and names and full not in imported:
            unknown.add(full)
    for name, use in _at_import(ast.parse(source)):
        if name in known and name not in by_name:
            by_name[name] = [use]
    return {name: sorted(uses, key=lambda use: use.line) for name, uses in by_name.items()}, unknown


def _at_import(tree: ast.AST) -> Iterator[tuple[str, Use]]:
    """Yield every module and name of a module that is imported, in full, with its place."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, Use(node.lineno)) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module, Use(node.lineno)
            yield from ((f"{node.module}.{alias.name}", Use(node.lineno)) for alias in node.names)
