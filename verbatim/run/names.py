"""Finds the public PyTorch names that a script's own lines use, while it runs.

The text is parsed in the parent (`read`); the rest runs in the script's process. There are two sources. Names written
as a path (`torch.cat`, `nn.Linear`, `x.grad`) are looked up among the script's objects, step by step and without
calling anything. Methods are noticed when they are called: a profile function sees the calls that the script's lines
make, and is removed as soon as every method call of the cell was seen, because it slows down each call within
libraries, too.

`torch.overrides.TorchFunctionMode` would also see tensor methods, but it changes what happens: with a mode active,
attention layers leave their fast path, `torch.compile` traces the mode, and C++ warnings name the mode's line instead
of the script's.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import types
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verbatim.run.channel import LONGEST
from verbatim.run.script import Cell, Script, tree_of
from verbatim.run.used_names import imports_in, path_of, paths_in

#: The most calls within libraries that are watched in one cell. Calls during imports do not count, because the modules
#: that are imported already depend on the process.
PATIENCE = 3000
IMPORT = importlib._bootstrap._find_and_load.__code__  # type: ignore[attr-defined]

_MISSING = object()
_SIGNATURE = re.compile(r"^[\w.]+\(.*|^.*->.*$")
_MATH = re.compile(r":math:`(?P<text>[^`]*)`")
_ROLE = re.compile(r":[\w:]+:`(?P<text>[^`<]*?)(?:\s*<[^`>]*>)?`")
_SEE = re.compile(r"^See :(?:func|meth|class):`[~.]?(?P<name>[\w.]+)`")


@dataclass(frozen=True)
class Call:
    """A call of an attribute, such as ``x.sum()``."""

    line: int
    method: str


@dataclass(frozen=True)
class Written:
    """The calls and paths in the text of a cell."""

    calls: tuple[Call, ...]
    paths: tuple[tuple[str, ...], ...]
    """Every path that is read: ``("torch", "cat")``."""


@dataclass(frozen=True)
class Text:
    """The imports, calls and paths in a script's text."""

    imported: dict[str, str]
    """Name in the script → full name of the imported module or object."""
    cells: dict[str, Written]


def read(script: Script) -> Text:
    """Read a script's text."""
    trees = {cell.name: _parse(cell) for cell in script.cells}
    nodes = {name: list(ast.walk(tree)) for name, tree in trees.items()}
    imported = dict(item for node in nodes.values() for item in imports_in(node))
    return Text(imported, {name: _written(tree, nodes[name], imported) for name, tree in trees.items()})


def _written(tree: ast.Module, nodes: list[ast.AST], imported: dict[str, str]) -> Written:
    try:
        paths = tuple(dict.fromkeys(tuple(path) for path, _ in paths_in(tree)))
    except RecursionError:  # a sum of a thousand terms, which Python itself can read
        paths = ()
    return Written(tuple(_method_calls(nodes, imported)), paths)


class Watch:
    """Notes the public names that each cell of one script uses."""

    def __init__(self, script: Script, text: Text, namespace: dict[str, Any]):
        self.namespace = namespace
        self._text = text
        self._cell_of = {
            line: cell.name
            for cell in script.cells
            for line in range(cell.line, cell.line + cell.source.count("\n") + 1)
        }
        self._found: dict[str, set[str]] = {cell.name: set() for cell in script.cells}
        self._awaited: dict[int, set[str]] = {}
        self._patience = 0
        self._imports = 0

    def start(self, cell: Cell) -> None:
        """Start watching calls."""
        for call in self._text.cells[cell.name].calls:
            self._awaited.setdefault(call.line, set()).add(call.method)
        self._patience = PATIENCE
        self._imports = 0
        if self._awaited and sys.getprofile() is None:  # else the script profiles itself
            sys.setprofile(self._see)

    def end(self) -> None:
        """Stop watching; if the script has set a profile function of its own, leave that in place."""
        if sys.getprofile() == self._see:
            sys.setprofile(None)

    def stop(self, cell: Cell) -> None:
        """Stop watching, and look up the names that are written in the cell's code."""
        self.end()
        for path in self._text.cells[cell.name].paths:
            if name := self._look_up(path):
                self._found[cell.name].add(name)

    def found(self) -> dict[str, tuple[str, ...]]:
        """Return cell → names, sorted."""
        return {cell: tuple(sorted(names)) for cell, names in self._found.items()}

    def _see(self, frame: types.FrameType, event: str, argument: Any) -> None:
        # Python calls this thousands of times in a cell, nearly always for what happens within a library.
        if event == "c_call":
            if frame.f_globals is self.namespace:
                self._note(frame, argument.__name__, getattr(argument, "__self__", None))
                return
        elif event == "call":
            if frame.f_code is IMPORT:
                self._imports += 1
            elif (caller := frame.f_back) is not None and caller.f_globals is self.namespace:
                for method in tuple(self._awaited.get(caller.f_lineno, ())):
                    owner = _first_argument(frame)
                    if frame.f_code.co_name == method or _code(owner, method) is frame.f_code:
                        self._note(caller, method, owner)
                return
        elif event == "return" and frame.f_code is IMPORT:
            self._imports -= 1
        if not self._imports:
            self._patience -= 1
            if self._patience < 0:
                sys.setprofile(None)

    def _note(self, frame: types.FrameType, method: str, owner: object) -> None:
        line = frame.f_lineno
        awaited = self._awaited.get(line)
        if awaited is None or method not in awaited:
            return
        if (name := method_name(owner, method)) and (cell := self._cell_of.get(line)):
            self._found[cell].add(name)
        awaited.discard(method)
        if not awaited:
            del self._awaited[line]
            if not self._awaited:
                sys.setprofile(None)

    def _look_up(self, path: tuple[str, ...]) -> str:
        """Return the public name of a path such as ``("nn", "Linear")`` or ``("weight", "grad")``; else ``""``."""
        value = self.namespace.get(path[0], _MISSING)
        spelled = self._text.imported.get(path[0], "")
        if spelled and isinstance(value, types.ModuleType):
            spelled = value.__name__
        if not spelled and isinstance(value, type | types.ModuleType | types.FunctionType):
            return ""
        for i, part in enumerate(path[1:], 1):
            if spelled and isinstance(value, types.ModuleType):
                value = vars(value).get(part, _MISSING)
                if isinstance(value, types.ModuleType) and value.__name__.startswith("torch"):
                    spelled = value.__name__
                else:
                    spelled = f"{spelled}.{part}"
                continue
            if i == len(path) - 1 or isinstance(value, type):
                return method_name(value, part)
            value, spelled = _attribute(value, part), ""
            if value is _MISSING:
                return method_name(value, part)
        return spelled if spelled and _is_api(spelled, value) else ""


def _parse(cell: Cell) -> ast.Module:
    return tree_of("\n" * (cell.line - 1) + cell.source)


def _method_calls(nodes: list[ast.AST], imported: dict[str, str]) -> Iterator[Call]:
    """Yield every call of an attribute, except methods of literals and paths that begin with an imported name."""
    for node in nodes:
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        path = path_of(node.func)
        if not isinstance(node.func.value, ast.Constant | ast.JoinedStr) and not (path and path[0] in imported):
            yield Call(node.func.end_lineno or node.lineno, node.func.attr)


def _attribute(owner: object, part: str) -> object:
    """Return an attribute without running any code of the script or of PyTorch: no properties, no ``__getattr__``."""
    try:
        stored = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return _MISSING
    if part in stored:
        return stored[part]
    return next(
        (stored[kind][part] for kind in ("_modules", "_parameters", "_buffers") if part in stored.get(kind, ())),
        _MISSING,
    )


def method_name(owner: object, method: str) -> str:
    """``(a tensor, "sum")`` → ``torch.Tensor.sum``; empty if PyTorch has no public method of this name."""
    import torch

    if method.startswith("_") or owner is None or owner is _MISSING:
        return ""
    kind = owner if isinstance(owner, type) else type(owner)
    if issubclass(kind, torch.Tensor) and inspect.getattr_static(torch.Tensor, method, None) is not None:
        return f"torch.Tensor.{method}"
    home = ""
    for base in kind.__mro__:
        home = class_name(base) or home  # a base class that is not public is replaced by its own base
        if method in vars(base):
            return f"{home}.{method}" if home else ""
    return ""


def class_name(kind: type) -> str:
    """``torch.nn.modules.linear.Linear`` → ``torch.nn.Linear``: the shortest public path to a class of PyTorch."""
    parts = (kind.__module__ or "").split(".")
    if parts[0] != "torch" or kind.__name__.startswith("_") or kind.__name__.endswith("Base"):
        return ""
    for count in range(1, len(parts) + 1):
        if parts[count - 1].startswith("_"):
            return ""
        module = sys.modules.get(".".join(parts[:count]))
        if module and vars(module).get(kind.__name__) is kind:
            return f"{module.__name__}.{kind.__name__}"
    return ""


def _is_api(spelled: str, value: object) -> bool:
    """Whether a name of a module is a class, a function or a data type of PyTorch."""
    import torch

    parts = spelled.split(".")
    if parts[0] != "torch" or any(part.startswith("_") for part in parts) or isinstance(value, types.ModuleType):
        return False
    return callable(value) or isinstance(value, torch.dtype | torch.layout | torch.memory_format)


def _first_argument(frame: types.FrameType) -> object:
    """Return the first argument of a call; for a method, this is its object."""
    code, values = frame.f_code, frame.f_locals
    if code.co_argcount:
        return values.get(code.co_varnames[0])
    if code.co_flags & inspect.CO_VARARGS:  # a method behind a decorator
        given = values.get(code.co_varnames[code.co_kwonlyargcount])
        return given[0] if given else None
    return None


def _code(owner: object, method: str) -> types.CodeType | None:
    """Return the code of a method, if it is written in Python."""
    kind = owner if isinstance(owner, type) else type(owner)
    attribute = inspect.getattr_static(kind, method, None)
    return getattr(getattr(attribute, "__func__", attribute), "__code__", None)


def summaries(names: set[str]) -> dict[str, str]:
    """Return name → the first sentence of its docstring in the installed PyTorch, for those that have one."""
    return {name: text for name in sorted(names) if (text := summary(name)) and len(text) <= LONGEST}


def summary(name: str) -> str:
    """Return the first sentence of a name's docstring in PyTorch as plain text, or an empty string."""
    doc = inspect.cleandoc(getattr(_object(name), "__doc__", None) or "")
    paragraphs = [p for p in re.split(r"\n\s*\n", doc) if p.strip() and not p.startswith("..")]
    while paragraphs and _SIGNATURE.match(paragraphs[0].splitlines()[0]):
        rest = paragraphs[0].splitlines()[1:]  # some have no empty line below the signature
        paragraphs[0:1] = ["\n".join(rest)] if any(rest) and not _SIGNATURE.match(rest[0]) else []
    if not paragraphs:
        return ""
    text = " ".join(paragraphs[0].split())
    if (see := _SEE.match(text)) and see["name"] != name and (other := summary(see["name"])):
        return other
    text = _MATH.sub(lambda m: "…" if "\\" in m["text"] else m["text"], text)
    text = _ROLE.sub(lambda m: m["text"].lstrip("~."), text)
    text = re.sub(r"`+([^`]*)`+_*", r"\1", text).replace("*", "")
    return re.split(r"(?<!e\.g)(?<!i\.e)(?<=[^.]\.)\s", text)[0].rstrip(":")


def _object(name: str) -> object:
    """Return the object of a public name, from modules that are imported already, or ``None``."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        value: Any = sys.modules.get(".".join(parts[:count]))
        if value is not None:
            for part in parts[count:]:
                value = inspect.getattr_static(value, part, None)
                if isinstance(value, staticmethod | classmethod):
                    value = value.__func__
            return value
    return None
