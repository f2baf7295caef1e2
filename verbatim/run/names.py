"""Finds the public PyTorch names that a script's own lines use, while it runs.

What the text says is read in the parent (`read`); the rest runs in the script's process. There are two sources. Names
written as a path (`torch.cat`, `nn.Linear`, `x.grad`) are looked up among the script's objects, step by step and
without calling anything. Methods are noticed when they are called: a profile function looks at calls that a line of
the script makes, and is removed as soon as every method call of the cell was seen. It takes time at each call within
libraries, too, so it does not wait for methods of objects that will still stand under their name after the cell.

`torch.overrides.TorchFunctionMode` would see tensor methods, too, but it changes what is seen: with a mode active,
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
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from verbatim.run.channel import LONGEST
from verbatim.run.script import Cell, Script

#: The most calls within libraries that are looked at in one cell; after that, the names seen so far are kept. Calls
#: during imports do not count, because it depends on the process which modules are imported already.
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
    kept: str = ""
    """The variable that the method is called on, if the cell binds it once or never: then it need not be watched."""
    new: bool = False
    """Whether the cell binds this variable, rather than a cell above."""


@dataclass(frozen=True)
class Written:
    """What the text of a cell says of the names that it uses."""

    calls: tuple[Call, ...]
    paths: tuple[tuple[str, ...], ...]
    """Every path that is read: ``("torch", "cat")``."""


@dataclass(frozen=True)
class Text:
    """What a script's text says of the names that it uses."""

    imported: dict[str, str]
    """Name in the script → what it stands for."""
    cells: dict[str, Written]


def read(script: Script) -> Text:
    """Read a script's text."""
    trees = {cell.name: _parse(cell) for cell in script.cells}
    nodes = {name: list(ast.walk(tree)) for name, tree in trees.items()}
    imported = dict(item for found in nodes.values() for item in _imports(found))
    return Text(imported, {name: _written(tree, nodes[name], imported) for name, tree in trees.items()})


def _written(tree: ast.Module, nodes: list[ast.AST], imported: dict[str, str]) -> Written:
    try:
        paths = tuple(dict.fromkeys(map(tuple, _paths_in(tree))))
    except RecursionError:  # a sum of a thousand terms, which Python itself can read
        paths = ()
    return Written(tuple(_method_calls(tree, nodes, imported)), paths)


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
            if not self._keeps(call):
                self._awaited.setdefault(call.line, set()).add(call.method)
        self._patience = PATIENCE
        self._imports = 0
        if self._awaited and sys.getprofile() is None:  # else the script profiles itself
            sys.setprofile(self._see)

    def _keeps(self, call: Call) -> bool:
        """Whether the object whose method is called will stand under its name after the cell; not a class.

        A variable that the cell binds and that was there before may stand for two objects.
        """
        if not call.kept or (call.kept in self.namespace) == call.new:
            return False
        return not isinstance(self.namespace.get(call.kept), type)

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
        """Return the public name of a path such as ``("nn", "Linear")`` or ``("weight", "grad")``, or nothing."""
        found = self.namespace.get(path[0], _MISSING)
        spelled = self._text.imported.get(path[0], "")
        if spelled and isinstance(found, types.ModuleType):
            spelled = found.__name__
        if not spelled and isinstance(found, type | types.ModuleType | types.FunctionType):
            return ""
        for i, part in enumerate(path[1:], 1):
            if spelled and isinstance(found, types.ModuleType):
                found = vars(found).get(part, _MISSING)
                if isinstance(found, types.ModuleType) and found.__name__.startswith("torch"):
                    spelled = found.__name__
                else:
                    spelled = f"{spelled}.{part}"
                continue
            if i == len(path) - 1 or isinstance(found, type):
                return method_name(found, part)
            found, spelled = _attribute(found, part), ""
            if found is _MISSING:
                return method_name(found, part)
        return spelled if spelled and _is_api(spelled, found) else ""


def _parse(cell: Cell) -> ast.Module:
    return ast.parse("\n" * (cell.line - 1) + cell.source)


def _imports(nodes: list[ast.AST]) -> Iterator[tuple[str, str]]:
    """Yield ``(name in the script, what it stands for)`` of every import."""
    for node in nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield (alias.asname, alias.name) if alias.asname else (alias.name.partition(".")[0],) * 2
        elif isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                yield alias.asname or alias.name, f"{node.module}.{alias.name}"


def _method_calls(tree: ast.Module, nodes: list[ast.AST], imported: dict[str, str]) -> Iterator[Call]:
    """Yield every call of an attribute, but for methods of text and paths that begin with an imported name."""
    calls = [node for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    if not calls:
        return
    bound = Counter(name for node in nodes for name in _binds(node))
    once = {name for name in _assigned(tree) if bound[name] == 1}
    later = {id(part) for node in nodes if isinstance(node, _LATER) for part in ast.walk(node)}
    for node in calls:
        assert isinstance(node.func, ast.Attribute)
        owner, path = node.func.value, _path(node.func)
        if isinstance(owner, ast.Constant | ast.JoinedStr) or (path and path[0] in imported):
            continue
        kept = owner.id if isinstance(owner, ast.Name) and id(node) not in later else ""
        if bound[kept] and kept not in once:
            kept = ""
        yield Call(node.func.end_lineno or node.lineno, node.func.attr, kept, kept in once)


#: What runs at another time than the line it stands on, or with variables of its own.
_LATER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


def _binds(node: ast.AST) -> Iterator[str]:
    """Yield the names to which a node gives another object, takes it away, or that mean another variable below it."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.arg(arg=name):
            yield name
        case (
            ast.FunctionDef(name=str(name))
            | ast.AsyncFunctionDef(name=str(name))
            | ast.ClassDef(name=str(name))
            | ast.ExceptHandler(name=str(name))
            | ast.MatchAs(name=str(name))
            | ast.MatchStar(name=str(name))
        ):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Global(names=names):
            yield from names


def _assigned(tree: ast.Module) -> Iterator[str]:
    """Yield the names to which a statement of the module itself assigns, in no loop and under no condition."""
    for statement in tree.body:
        if isinstance(statement, ast.Assign):
            for target in statement.targets:
                yield from (node.id for node in ast.walk(target) if isinstance(node, ast.Name) and _stored(node))


def _stored(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


def _path(node: ast.AST) -> list[str]:
    """``torch.nn.Linear`` → its parts; nothing where the expression is more than names and dots."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return [node.id, *parts] if isinstance(node, ast.Name) else []


def _paths_in(tree: ast.AST, hidden: frozenset[str] = frozenset()) -> Iterator[list[str]]:
    """Yield every path that is read and does not begin with a local name of a function."""
    if isinstance(tree, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        for default in (
            *tree.args.defaults,
            *filter(None, tree.args.kw_defaults),
            *getattr(tree, "decorator_list", ()),
        ):
            yield from _paths_in(default, hidden)
        body = tree.body if isinstance(tree.body, list) else [tree.body]
        hidden |= {a.arg for a in ast.walk(tree.args) if isinstance(a, ast.arg)} | {
            n.id for b in body for n in ast.walk(b) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
        for part in body:
            yield from _paths_in(part, hidden)
        return
    path = _path(tree)
    if path:
        if path[0] not in hidden:
            yield path
        return
    for child in ast.iter_child_nodes(tree):
        yield from _paths_in(child, hidden)


def _attribute(found: object, part: str) -> object:
    """Return an attribute without running any code of the script or of PyTorch: no properties, no ``__getattr__``."""
    try:
        stored = object.__getattribute__(found, "__dict__")
    except AttributeError:
        return _MISSING
    if part in stored:
        return stored[part]
    return next(
        (stored[kind][part] for kind in ("_modules", "_parameters", "_buffers") if part in stored.get(kind, ())),
        _MISSING,
    )


def method_name(owner: object, method: str) -> str:
    """``(a tensor, "sum")`` → ``torch.Tensor.sum``; nothing where PyTorch has no public method of this name."""
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


def _is_api(spelled: str, found: object) -> bool:
    """Whether a name of a module is a class, a function or a data type of PyTorch."""
    import torch

    parts = spelled.split(".")
    if parts[0] != "torch" or any(part.startswith("_") for part in parts) or isinstance(found, types.ModuleType):
        return False
    return callable(found) or isinstance(found, torch.dtype | torch.layout | torch.memory_format)


def _first_argument(frame: types.FrameType) -> object:
    """What a function was called with first: the object, where it is a method."""
    code, values = frame.f_code, frame.f_locals
    if code.co_argcount:
        return values.get(code.co_varnames[0])
    if code.co_flags & inspect.CO_VARARGS:  # a method behind a decorator
        given = values.get(code.co_varnames[code.co_kwonlyargcount])
        return given[0] if given else None
    return None


def _code(owner: object, method: str) -> types.CodeType | None:
    """The code of a method written in Python."""
    kind = owner if isinstance(owner, type) else type(owner)
    found = inspect.getattr_static(kind, method, None)
    return getattr(getattr(found, "__func__", found), "__code__", None)


def summaries(names: set[str]) -> dict[str, str]:
    """Return name → the first sentence of its docstring in the installed PyTorch, for those that have one."""
    return {name: text for name in sorted(names) if (text := summary(name)) and len(text) <= LONGEST}


def summary(name: str) -> str:
    """Return the first sentence of what PyTorch's docstring says of a name, as plain text, or nothing."""
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
    """What a public name stands for; only modules that are imported already are looked into."""
    parts = name.split(".")
    for count in range(len(parts), 0, -1):
        found: Any = sys.modules.get(".".join(parts[:count]))
        if found is not None:
            for part in parts[count:]:
                found = inspect.getattr_static(found, part, None)
                if isinstance(found, staticmethod | classmethod):
                    found = found.__func__
            return found
    return None
