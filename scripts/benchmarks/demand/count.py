"""Counts the names of PyTorch that code uses, from its text alone."""

from __future__ import annotations

import ast
import contextlib
import re
import textwrap
import types
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

_PYTHON_FENCE = re.compile(r"^```\{?\.?(?:python|py)\b.*?\n(.*?)^```", re.MULTILINE | re.DOTALL)
_NOTEBOOK_COMMAND = re.compile(r"^[%!].*$", re.MULTILINE)
#: Whose methods people call on objects that the text does not name the class of.
_METHOD_OWNERS = (torch.Tensor, torch.nn.Module, torch.optim.Optimizer)
#: Whose methods are Python's own: `x.split(",")` says nothing of tensors.
_PYTHON_OWNERS = (str, bytes, list, dict, set, frozenset, tuple, int, float, Path)
_METHODS = {n for owner in _METHOD_OWNERS for n in dir(owner) if n[0] != "_"} - {
    n for o in _PYTHON_OWNERS for n in dir(o)
}
#: torchvision and others stand below no module of PyTorch's.
_ROOT = "torch"


@dataclass(frozen=True)
class Name:
    """A name and how much it is used."""

    name: str
    """Its last part: a function and a method of one name are one to a reader."""
    files: dict[str, int]
    """Code base → files that use it."""
    share: float
    """Mean share of a code base's files that use it, of those files that use PyTorch at all."""

    def as_dict(self) -> dict[str, Any]:
        """Return what JSON holds of it."""
        return {"name": self.name, "share": round(self.share, 4), "files": self.files}


def uses(folder: Path) -> list[set[str]]:
    """Return the names that each file of a folder uses; files that use none are left out.

    Python files are read, and the Python in fences of Markdown files. What does not parse is left out.
    """
    by_file = []
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.md")]):
        text = path.read_text(encoding="utf-8", errors="replace")
        pieces = (
            [text]
            if path.suffix == ".py"
            else [_NOTEBOOK_COMMAND.sub("", piece) for piece in _PYTHON_FENCE.findall(text)]
        )
        if used := names(pieces):
            by_file.append(used)
    return by_file


def names(pieces: Iterable[str]) -> set[str]:
    """Return the names that pieces of one file use; a later piece knows the imports of those above it."""
    imported: dict[str, str] = {"torch": _ROOT, "nn": "torch.nn", "F": "torch.nn.functional"}
    read: set[str] = set()
    for piece in pieces:
        with warnings.catch_warnings(), contextlib.suppress(SyntaxError, ValueError):
            warnings.simplefilter("ignore")  # what Python thinks of other people's code
            tree = ast.parse(textwrap.dedent(piece))
            imported.update(_imports(tree))
            read.update(_used(tree, imported))
    return read


def _imports(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what imports bind: name → full path."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _used(tree: ast.AST, imported: Mapping[str, str]) -> Iterator[str]:
    """Yield the last part of each name of PyTorch that is read, and of each method that may be one of PyTorch's."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.Attribute, ast.Name)) and isinstance(node.ctx, ast.Load):
            path = _path(node)
            full = f"{imported.get(path[0], '')}{''.join(f'.{part}' for part in path[1:])}" if path else ""
            if _public(full):
                yield full.rpartition(".")[2]
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _METHODS:
            path = _path(node.func)
            if not path or path[0] not in imported:  # else a function of a module: `np.sum(x)`
                yield node.func.attr


def _path(node: ast.expr) -> tuple[str, ...]:
    """Return the parts of ``a.b.c``; nothing for what does not begin with a name."""
    if isinstance(node, ast.Name):
        return (node.id,)
    if isinstance(node, ast.Attribute):
        before = _path(node.value)
        return (*before, node.attr) if before else ()
    return ()


def _public(full: str) -> bool:
    """Whether a path leads to a public function, class or value of PyTorch that is no module."""
    parts = full.split(".")
    if parts[0] != _ROOT or len(parts) == 1 or any(part.startswith("_") for part in parts):
        return False
    value: Any = torch
    with contextlib.suppress(Exception):  # `torch.classes` and `torch.ops` refuse what nobody registered, each its way
        for part in parts[1:]:
            value = getattr(value, part, None)
        return value is not None and not isinstance(value, types.ModuleType)
    return False


def rank(bases: Mapping[str, list[set[str]]]) -> list[Name]:
    """Return the names, the most used first; each code base weighs the same, however large it is."""
    files: dict[str, dict[str, int]] = defaultdict(dict)
    for base, used in bases.items():
        for name, count in Counter(name for names in used for name in names).items():
            files[name][base] = count
    ranked = [
        Name(name, counts, sum(n / len(bases[base]) for base, n in counts.items()) / len(bases))
        for name, counts in files.items()
    ]
    return sorted(ranked, key=lambda item: (-item.share, item.name))
