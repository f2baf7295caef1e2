"""Parses scripts into cells. Nothing is run.

A script is jupytext's percent format with a title::

    \"\"\"detach() leaves the graph but keeps the storage.\"\"\"

    # %% shares-storage
    print(x.detach().data_ptr() == x.data_ptr())

    # %% backward-fails raises="RuntimeError"
    x.detach().sum().backward()
"""

from __future__ import annotations

import ast
import functools
import hashlib
import io
import re
import threading
import tokenize
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from verbatim.problems import Problem, Problems, did_you_mean
from verbatim.run import variables

HEADER = re.compile(r"^# %%(?P<rest>.*)$")
#: A comment that was probably meant as a header.
ALMOST = re.compile(r"^\s*#+\s*%%(?P<rest>.*)$")
NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
OPTION = re.compile(r'\s*(?P<key>[A-Za-z_]+)=(?:"(?P<text>[^"]*)"|(?P<flag>true|false))(?=\s|$)')
#: A share between 0 and 1, such as 0.01 or 1e-3.
SHARE = re.compile(r"0?\.\d+|[1-9]e-[1-9]\d?")
ANNOTATION = re.compile(r"#\s*\((\d+)\)!?\s*$", re.MULTILINE)

#: What any encoding that Python's own letters stand in leaves as it is.
_ASCII = bytes(byte for byte in range(128) if byte != ord("\\")) + rb"\u0041"
#: The most bytes of a script. The largest one of the book has 6 KiB.
LARGEST = 1 << 18

#: A script that contains one of these uses a GPU if there is one, and also runs on a CPU.
GPU_PROBES = ("torch.accelerator", "cuda.is_available")

#: Capability that a cell may need (``needs=``) → the package that must be importable, or ``None`` if the worker checks
#: the machine. ``cuda:2`` asks for two GPUs, ``no-cuda`` for a torch that was built without CUDA. ``no-driver`` and
#: ``old-driver`` ask for a torch that was built with CUDA, where no NVIDIA driver is installed, or one that supports
#: only an older CUDA. ``compiler`` is the C++ compiler that torch.compile calls, ``ninja`` that and the program
#: that builds C++ extensions with it; such cells have more time, see `watch.COMPILING`.
CAPABILITIES: dict[str, str | None] = {
    "cuda": None,
    "no-cuda": None,
    "no-driver": None,
    "old-driver": None,
    "mps": None,
    "xpu": None,
    "windows": None,
    "gcc": None,  # and its tools nm and c++filt, on Linux
    "compiler": None,
    "ninja": None,
    "sklearn": "sklearn",
    "tensorboard": "tensorboard",
    "torchvision": "torchvision",
    "torchao": "torchao",
    "torchinfo": "torchinfo",
    "transformers": "transformers",
    "tqdm": "tqdm",
    "safetensors": "safetensors",
    "onnx": "onnxscript",  # what torch.onnx.export needs; it brings onnx
    "executorch": "executorch",
    "triton": "triton",
    "onnxruntime": "onnxruntime",
    "pandas": "pandas",
    "pyarrow": "pyarrow",
    "h5py": "h5py",
    "lmdb": "lmdb",
    "webdataset": "webdataset",
    "datasets": "datasets",
    "jiwer": "jiwer",
    "pycocotools": "pycocotools",
    "sacrebleu": "sacrebleu",
    "lightning": "lightning",
    "torchcodec": "torchcodec",
    "pyinstaller": "PyInstaller",
}


class Effect(Enum):
    """What an option of a cell changes."""

    RUN = "what the cell does, or whether it is run"
    RECORD = "what its record says of it, which a run does not look at; to set it makes the record stale"
    SHOW = "only how pages show it; runs and records know nothing of it"


@dataclass(frozen=True)
class Option:
    """An option of a cell; `Cell` says what it means."""

    type: type[str] | type[bool]
    effect: Effect
    read_by: str
    """What looks at it, besides records and notebooks, which have all but those that only show."""


#: What the header of a cell may say.
OPTIONS = {
    "raises": Option(str, Effect.RUN, "run.worker, checks, write"),
    "warns": Option(str, Effect.RUN, "run.worker, checks, write"),
    "needs": Option(str, Effect.RUN, "run, book.gather, pages.document"),
    "varies": Option(bool, Effect.RECORD, "book.compare, book.drift, book.releases, write"),
    "tolerance": Option(str, Effect.RECORD, "book.compare"),
    "hidden": Option(bool, Effect.RECORD, "pages.document, write"),
    "fold": Option(bool, Effect.RECORD, "write"),
    "says": Option(str, Effect.RECORD, "lists, write"),
    "origin": Option(str, Effect.RECORD, "book.origins, write"),
    "asks": Option(bool, Effect.SHOW, "checks.asks, write"),
}

Given = dict[str, str | bool]
#: What options may not say together, or alone: whether it is so, the message, and the hint.
CONFLICTS: tuple[tuple[Callable[[Given], bool], str, str], ...] = (
    (
        lambda given: bool(given.get("says")) != bool(given.get("origin")),
        "`says` and `origin` belong together",
        'write both: says="CUDA out of memory. …" origin="c10/cuda/CUDACachingAllocator.cpp"',
    ),
    (
        lambda given: bool(given.get("says")) and not (given.get("needs") and given.get("raises", given.get("warns"))),
        "`says` stands on a cell that this machine could run",
        "it is for a cell with `needs` that raises or warns; what can be run prints its own message",
    ),
    (
        lambda given: bool(given.get("asks") and given.get("hidden")),
        "a hidden cell asks what it prints",
        "readers see neither its code nor its outputs: keep one of the two",
    ),
    (
        lambda given: "tolerance" in given and not SHARE.fullmatch(str(given["tolerance"])),
        "`tolerance` is no share between 0 and 1",
        'write tolerance="0.01": numbers with a fraction may differ by one per cent',
    ),
    (
        lambda given: bool(given.get("tolerance") and given.get("varies")),
        "what varies is not compared, so it needs no tolerance",
        "keep one of the two",
    ),
)


@dataclass(frozen=True)
class Cell:
    """A named part of a script, with the options of its header."""

    name: str
    source: str
    """The code without its header and without blank lines around it."""
    line: int
    """1-based line of the script on which ``source`` begins."""
    header_line: int
    raises: str = ""
    """The exception type that the cell must raise, or nothing."""
    warns: str = ""
    """The warning category that the cell must give, or nothing."""
    needs: str = ""
    """A key of `CAPABILITIES`; the cell is not run where it is missing."""
    varies: bool = False
    """The output changes from run to run: it is labelled so and not compared."""
    tolerance: str = ""
    """The share of its value by which a number with a fraction may differ from run to run, where rounding grows."""
    hidden: bool = False
    """The cell is run but not shown."""
    fold: bool = False
    """The code is folded, such as that of a plot; the outputs are not."""
    says: str = ""
    """The message of a cell with ``needs``, quoted from its source; it is shown until a run has recorded the output."""
    origin: str = ""
    """The source of ``says``: an address, or the file of PyTorch's source that contains it."""
    asks: bool = False
    """The reader is to guess the outputs, which are folded behind a question."""

    @property
    def annotations(self) -> list[int]:
        """The numbers of the code annotations, ``# (1)!``, in order of appearance."""
        return [int(n) for n in ANNOTATION.findall(self.source)]

    @functools.cached_property
    def options(self) -> dict[str, str | bool]:
        """The header's options, without those that only show and those left at their default."""
        return {
            name: value
            for name, option in OPTIONS.items()
            if option.effect is not Effect.SHOW and (value := getattr(self, name))
        }

    @property
    def run_options(self) -> list[tuple[str, str | bool]]:
        """The options that a run can depend on."""
        return sorted((name, value) for name, value in self.options.items() if OPTIONS[name].effect is Effect.RUN)

    @functools.cached_property
    def sha(self) -> str:
        """Hash of what the cell does: its code and its options."""
        text = repr((self.source, sorted(self.options.items())))
        return hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Script:
    """A parsed script."""

    path: str
    """Path from the project's root, with forward slashes."""
    text: str
    title: str
    cells: tuple[Cell, ...]

    @functools.cached_property
    def _by_name(self) -> dict[str, Cell]:
        return {cell.name: cell for cell in reversed(self.cells)}

    def cell(self, name: str) -> Cell | None:
        """Return the cell of this name, or ``None``."""
        return self._by_name.get(name)

    @functools.cached_property
    def codes(self) -> dict[str, str]:
        """Cell → hash of the script up to and including the cell. Earlier cells can affect its output."""
        digest, codes = hashlib.sha256(), {}
        for cell in self.cells:
            digest.update(repr((cell.source, cell.needs)).encode())
            codes[cell.name] = digest.hexdigest()[:8]
        return codes

    @property
    def compiles(self) -> bool:
        """Whether it calls a compiler: of C++, or where there is a GPU, the one of its kernels."""
        on_gpu = (cell for cell in self.cells if cell.needs.startswith("cuda"))
        cpp = any(cell.needs in ("compiler", "ninja") for cell in self.cells)
        return cpp or any("torch.compile(" in cell.source for cell in on_gpu)

    @property
    def gpus(self) -> int:
        """The number of GPUs that the script can use; 0 if no cell asks for one or looks for one."""
        needed = [int(cell.needs.partition(":")[2] or 1) for cell in self.cells if cell.needs.startswith("cuda")]
        looks = any(word in cell.source for cell in self.cells for word in GPU_PROBES)
        return max([*needed, int(looks)])

    @property
    def run_text(self) -> str:
        """The text without the options that a run does not look at: the same code on the same lines."""
        lines = self.text.split("\n")
        for cell in self.cells:
            if HEADER.match(lines[cell.header_line - 1]):  # not the code above the first cell
                lines[cell.header_line - 1] = repr(("# %%", cell.name, *cell.run_options))
        return "\n".join(lines)

    @property
    def sha(self) -> str:
        """Hash of the whole text."""
        return hashlib.sha256(self.text.encode()).hexdigest()[:16]


def read(path: Path, name: str) -> str:
    """Return a script's text as Python would read it: byte order mark, encoding and line ends are taken care of.

    Args:
        path: The file.
        name: Its path, for messages.

    Raises:
        Problems: it cannot be read, or is no text that Python would read.
    """
    try:
        if (size := path.stat().st_size) > LARGEST:
            hint = f"a script has at most {LARGEST >> 10} KiB; data stand in a file beside it"
            raise Problems([Problem(name, 0, f"the script has {size >> 10} KiB", hint)])
        data = path.read_bytes()
    except OSError as error:
        hint = "put the file there, or remove its name"
        raise Problems([Problem(name, 0, f"the script cannot be read: {error.strerror}", hint)]) from error
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(data).readline)
        if _ASCII.decode(encoding) != _ASCII.decode():
            # Python reads it line by line, so that it may see other code than this.
            raise SyntaxError(f"in {encoding} other letters stand for Python's own")
        return re.sub(r"\r\n?", "\n", data.decode(encoding))
    except (SyntaxError, LookupError, UnicodeError) as error:
        line = data.count(b"\n", 0, getattr(error, "start", 0)) + 1
        raise Problems([Problem(name, line, f"the script cannot be read: {error}", "save it as UTF-8")]) from error


def parse(text: str, path: str, notes: list[Problem] | None = None) -> Script:
    """Parse a script.

    Args:
        text: The script's text.
        path: Its path, for messages.
        notes: If given, a missing title or missing cells are appended here and are not errors, so that any script can
            be run.

    Raises:
        Problems: All mistakes in the script, each with its line.
    """
    problems: list[Problem] = []
    lacking = problems if notes is None else notes
    text = re.sub(r"\r\n?", "\n", text.removeprefix("\ufeff"))
    lines = text.split("\n")  # str.splitlines() would see line ends where Python sees none
    for number, line in enumerate(lines, 1):
        if (almost := ALMOST.match(line)) and not HEADER.match(line):
            hint = f"write # %% {almost['rest'].strip()} at the beginning of the line"
            problems.append(Problem(path, number, f"`{line.strip()}` begins no cell", hint))
    starts = [i for i, line in enumerate(lines) if HEADER.match(line)]
    ends = [*starts, len(lines)][1:]

    head = lines[: starts[0]] if starts else lines
    title, body = _title(head, path, problems, lacking)
    if not starts:
        hint = "begin each part with a line such as `# %% setup`"
        lacking.append(Problem(path, 1, "the script has no cell", hint))

    cells = [_cell(lines, start, end, path, problems) for start, end in zip(starts, ends, strict=True)]
    if body and notes is not None:
        cells.insert(0, Cell("top", "\n".join(head[body - 1 :]).rstrip(), body, body))
    seen: dict[str, int] = {}
    for cell in cells:
        if cell.name and cell.name in seen:
            message = f"a second cell is named `{cell.name}`; the first is on line {seen[cell.name]}"
            problems.append(Problem(path, cell.header_line, message, "give each cell a name of its own"))
        seen.setdefault(cell.name, cell.header_line)

    lacking += _too_late(text, path)
    if problems or not cells:
        raise Problems(problems or lacking)
    return Script(path, text, title, tuple(cells))


def _title(head: list[str], path: str, problems: list[Problem], lacking: list[Problem]) -> tuple[str, int]:
    """Return the docstring above the first cell, and the line of the first other statement there, or 0."""
    hint = 'begin with one sentence: """What this script shows."""'
    tree, error = _parsed("\n".join(head))
    if tree is None:
        problems.append(Problem(path, error[0], error[1], hint))
        return "", 0
    body = tree.body
    title = ast.get_docstring(ast.Module(body[:1], []))
    if not title:
        lacking.append(Problem(path, 1, "the script has no title", hint))
    rest = body[1:] if title else body
    if rest and title:
        message = "code above the first cell would never be shown"
        lacking.append(Problem(path, rest[0].lineno, message, "put it under `# %% setup`"))
    return title.splitlines()[0] if title else "", rest[0].lineno if rest else 0


def _cell(lines: list[str], start: int, end: int, path: str, problems: list[Problem]) -> Cell:
    first, last = start + 1, end
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last - 1].strip():
        last -= 1
    source = "\n".join(lines[first:last])
    name, options = _header(lines[start], path, start + 1, problems)
    if not source:
        problems.append(Problem(path, start + 1, f"cell `{name}` is empty", "write code below it or remove it"))
    tree, error = _parsed(source)
    if tree is None:
        line, message = error
        problems.append(Problem(path, first + line, message.replace("syntax error", f"syntax error in cell `{name}`")))
    return Cell(name, source, first + 1, start + 1, **options)


def _too_late(text: str, path: str) -> Iterator[Problem]:
    """Yield each variable that a script sets for PyTorch before it imports PyTorch: here it is imported already."""
    tree = _parsed(text)[0] if "environ" in text else None
    for statement in tree.body if tree else ():
        if isinstance(statement, ast.Import | ast.ImportFrom) and "torch" in ast.unparse(statement):
            return
        for node in (part for part in ast.walk(statement) if isinstance(part, ast.expr)):
            name = _variable_set(node)
            if name.startswith(variables.READ_EARLY):
                message = f"`{name}` is set too late: PyTorch is imported before a script begins"
                yield Problem(
                    path, node.lineno, message, "set it for a process that the script starts: subprocess, env=…"
                )


def _variable_set(node: ast.expr) -> str:
    """Return the variable of the environment that a part of a script sets, or nothing."""
    match node:
        case ast.Subscript(ast.Attribute(attr="environ"), ast.Constant(str(name)), ast.Store()):
            return name
        case ast.Call(ast.Attribute(ast.Attribute(attr="environ"), "setdefault"), [ast.Constant(str(name)), *_]):
            return name
    return ""


_parsing = threading.Lock()


def tree_of(source: str | bytes) -> ast.Module:
    """Parse Python, one thread at a time: Python 3.11 counts the depth of its trees for all threads together.

    Two that parse at once can end in `SystemError: AST constructor recursion depth mismatch`.

    Raises:
        SyntaxError: it is no Python.
    """
    with _parsing:
        return ast.parse(source)


def _parsed(source: str) -> tuple[ast.Module | None, tuple[int, str]]:
    """Parse Python. Return its tree, or ``None`` and the line and message of what is wrong with it."""
    try:
        return tree_of(source), (0, "")
    except SyntaxError as error:
        return None, (error.lineno or 1, f"syntax error: {error.msg}")
    except (RecursionError, MemoryError):
        return None, (1, "syntax error: an expression is nested too deeply for Python")
    except ValueError as error:  # a null byte, before Python 3.12
        return None, (1, f"syntax error: {error}")


def _header(line: str, path: str, number: int, problems: list[Problem]) -> tuple[str, dict[str, Any]]:
    """Read ``# %% name key="value" key=true``."""
    rest = HEADER.match(line)["rest"].strip()  # type: ignore[index]
    name, _, tail = rest.partition(" ")
    if not NAME.fullmatch(name):
        message = f"a cell needs a name, found `{rest}`" if rest else "a cell needs a name"
        hint = "lower-case words joined by hyphens: `# %% shares-storage`; sentences live in the pages"
        problems.append(Problem(path, number, message, hint))
        return "", {}

    options: dict[str, str | bool] = {}
    position = 0
    while tail[position:].strip():
        match = OPTION.match(tail, position)
        if not match:
            message = f"cannot read the cell's options from `{tail[position:].strip()}`"
            problems.append(Problem(path, number, message, 'write them as raises="ValueError" or varies=true'))
            break
        position = match.end()
        key, value = match["key"], match["text"] if match["flag"] is None else match["flag"] == "true"
        if key not in OPTIONS:
            problems.append(Problem(path, number, f"unknown option `{key}`", did_you_mean(key, OPTIONS)))
        elif isinstance(value, bool) != (OPTIONS[key].type is bool):
            hint = f"write {key}=true" if OPTIONS[key].type is bool else f'write {key}="…"'
            problems.append(Problem(path, number, f"option `{key}` has a value of the wrong kind", hint))
        elif key in options:
            problems.append(Problem(path, number, f"option `{key}` is given twice", "keep one"))
        else:
            options[key] = value
    problems += [Problem(path, number, message, hint) for is_so, message, hint in CONFLICTS if is_so(options)]
    need = str(options.get("needs", ""))
    if need and not _is_capability(need):
        hint = 'write needs="cuda"' if need.lower() == "gpu" else did_you_mean(need, CAPABILITIES)
        problems.append(Problem(path, number, f"unknown capability `{need}`", hint))
    return name, options


def _is_capability(need: str) -> bool:
    base, colon, count = need.partition(":")
    return base in CAPABILITIES and (not colon or (base == "cuda" and bool(re.fullmatch("[1-9][0-9]?", count))))
