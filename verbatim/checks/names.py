"""Names of PyTorch exist, take the arguments that they are given, and are not deprecated: `nn.Liner` is told."""

from __future__ import annotations

import ast
import contextlib
import importlib.metadata
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from verbatim.book.gather import Book
from verbatim.checks.exemptions import FORM
from verbatim.checks.outputs import shown_text
from verbatim.lists import api
from verbatim.markdown import CODE_SPAN, prose
from verbatim.memo import Memo, software
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run import server

#: Calls a function, in which PyTorch is imported, with an argument.
Ask = Callable[[Callable[[Any], Any], Any], Any]

ROOT = rf"(?:torch|{'|'.join(api.ALIASES)})"
#: A name with a dot, below PyTorch or one of its usual abbreviations.
NAME = re.compile(rf"`+ ?(?:with )?(?P<name>{ROOT}(?:\.[A-Za-z]\w*)+)(?:\(.*\))?:? ?`+")
#: A call of such a name, or of a function's name alone, with an argument that is named.
CALL = re.compile(rf"`+ ?(?P<call>(?:{ROOT}(?:\.[A-Za-z]\w*)+|[a-z]\w*)\(.*\w ?=.*\)) ?`+")
#: Where a function may be whose name stands alone.
OWNERS = ("torch", "torch.Tensor", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special")
#: A name in code; one that is shorter than `LETTERS` is near to many.
WORD = re.compile(r"[A-Za-z_]\w*")
LETTERS = 5
#: An argument in code, switched on or off.
SWITCH = re.compile(r"(?<![\w.\-$])([a-z]\w*) ?= ?(?:True|False|None)\b")
#: Other libraries, as sentences name them.
OTHERS = re.compile(
    r"Accelerate|Hugging ?Face|JAX|Jupyter|Keras|Lightning|Matplotlib|NumPy|ONNX|OpenCV|pandas|Pillow|scikit|SciPy|"
    r"TensorFlow|timm|torchaudio|torchvision|[Tt]ransformers|`(?:np|pd|plt|sklearn|tf|PIL|cv2|json|tarfile)\."
)
#: How a page says that a name is deprecated.
SAYS_SO = re.compile(r"deprecat|弃用", re.IGNORECASE)


def check_names(book: Book, pages: Iterable[Page], memo: Memo, ask: Ask = server.ask) -> Iterator[Problem]:
    """Each name of PyTorch in a sentence is one that it has, or that a script of the page, or what it prints, has, too.

    Args:
        book: The book.
        pages: The pages.
        memo: Caches which names exist.
        ask: Calls a function where PyTorch is imported.
    """
    places = list(_places(book, pages))
    missing = _asked(book, memo, ask, api.missing, sorted({name for _, _, name in places}))
    for page, line, name in places:
        if name in missing and name.rpartition(".")[2] not in _elsewhere(book, page):
            hint = "how is it spelt? What only some releases have, an output shows"
            yield Problem(page.path, line, f"PyTorch has no `{name}`", hint)


def check_calls(book: Book, pages: Iterable[Page], memo: Memo, ask: Ask = server.ask) -> Iterator[Problem]:
    """The function of a call in a sentence has the arguments that the call names.

    Where its name stands alone, `mse_loss(x, y, reduction="sum")`, one of that name has them. Arguments: as of
    `check_names`.
    """
    places = [
        (page, number, argument)
        for page in pages
        for number, line in prose(page.text)
        for span in CODE_SPAN.finditer(line)
        if (match := CALL.fullmatch(span[0]))
        for argument in _arguments(match["call"])
    ]
    alone = {f"{owner}.{name}" for _, _, (name, _) in places if "." not in name for owner in OWNERS}
    there = sorted(alone.difference(_asked(book, memo, ask, api.missing, sorted(alone))))
    meant = {name: [name] for _, _, (name, _) in places if "." in name}
    for name in there:
        meant.setdefault(name.rpartition(".")[2], []).append(name)
    pairs = {(one, argument) for _, _, (name, argument) in places for one in meant.get(name, ())}
    unknown = _asked(book, memo, ask, api.unknown, sorted(pairs))
    for page, number, (name, argument) in places:
        wrong = name in meant and all((one, argument) in unknown for one in meant[name])
        said = "".join(shown_text(book, script) for script in page.scripts) if wrong else argument
        if argument not in said and f"def {name}(" not in said:
            hint = f"how is it spelt? Where the page is about the mistake, a cell shows it; else {FORM}"
            yield Problem(page.path, number, f"`{name}` takes no argument `{argument}`", hint)


def check_misspelt(book: Book, pages: Iterable[Page]) -> Iterator[Problem]:
    """A name in code that no script has is not one slip away from a name of the page's own scripts."""
    names = {path: set(WORD.findall(shown_text(book, path))) for path in book.scripts}
    known = set().union(*names.values())
    for page in pages:
        for number, line in prose(page.text) if page.scripts else ():
            for word in (word for span in CODE_SPAN.finditer(line) for word in WORD.findall(span[0])):
                if word in known or len(word) < LETTERS:
                    continue
                own = {name for script in page.scripts for name in names.get(script, ()) if len(name) >= LETTERS}
                if meant := next((name for name in sorted(own) if _one_slip(word, name)), ""):
                    message = f"no script has `{word}`, and the page's own has `{meant}`"
                    yield Problem(page.path, number, message, f"{meant}? {FORM}")


def _one_slip(one: str, other: str) -> bool:
    """Whether two neighbouring letters are swapped, or one letter within is left out."""
    long, short = sorted((one, other), key=len, reverse=True)
    if len(long) == len(short):
        return any(long[:i] + long[i + 1] + long[i] + long[i + 2 :] == short for i in range(len(long) - 1))
    return any(long[i].isalpha() and long[:i] + long[i + 1 :] == short for i in range(1, len(long) - 1))


def check_switches(book: Book, pages: Iterable[Page], memo: Memo, ask: Ask = server.ask) -> Iterator[Problem]:
    """An argument that a sentence switches on or off, `keepdim=True`, is one that PyTorch or a script of the page has.

    On a page that names another library, it may be of that. Arguments: as of `check_names`.
    """
    places = [
        (page, number, name)
        for page in pages
        if page.scripts and not OTHERS.search(page.text)
        for number, line in prose(page.text)
        for span in CODE_SPAN.finditer(line)
        for name in SWITCH.findall(span[0])
    ]
    said = {page.path: "".join(shown_text(book, script) for script in page.scripts) for page, _, _ in places}
    places = [place for place in places if place[2] not in said[place[0].path]]
    unheard = _asked(book, memo, ask, api.unheard, sorted({name for _, _, name in places}))
    for page, number, name in places:
        if name in unheard:
            hint = f"how is it spelt? Where it belongs to another library, name that; else {FORM}"
            yield Problem(page.path, number, f"nothing in PyTorch takes an argument `{name}`", hint)


def check_deprecated(book: Book, pages: Iterable[Page], memo: Memo, ask: Ask = server.ask) -> Iterator[Problem]:
    """No cell uses what PyTorch's documentation calls deprecated, unless it warns or fails so, or a page says it.

    Arguments: as of `check_names`.
    """
    used = [
        (script, ran.name, name)
        for path, script in book.scripts.items()
        if path in book.results
        for ran in book.results[path].cells
        for name in ran.names
    ]
    deprecated = set(_asked(book, memo, ask, api.deprecated, sorted({name for _, _, name in used})))
    about = {script for page in pages if deprecated and SAYS_SO.search(page.text) for script in page.scripts}
    for script, cell_name, name in used:
        cell = script.cell(cell_name)
        if name in deprecated and cell and not cell.warns and not cell.raises and script.path not in about:
            message = f"cell `{cell.name}` uses `{name}`, which its documentation calls deprecated"
            hint = "use what its documentation names instead; where the page is about it, let it say “deprecated”"
            yield Problem(script.path, cell.line, message, hint)


def _asked(book: Book, memo: Memo, ask: Ask, question: Callable[[list[Any]], list[Any]], of: list[Any]) -> list[Any]:
    """Return what a function finds among names of PyTorch, in a process that has it; nothing where there is none."""
    if not of or book.project.library.package != "torch":
        return []
    with contextlib.suppress(EOFError, importlib.metadata.PackageNotFoundError):
        known = software(__file__, api.__file__, packages=(importlib.metadata.version("torch"),))
        found: list[Any] = memo.get(question.__name__, repr(of), lambda: ask(question, of), known)
        return found
    return []


def _arguments(call: str) -> Iterator[tuple[str, str]]:
    """Yield the function of a call with each argument that is given by its name; nothing if it is no Python."""
    with contextlib.suppress(SyntaxError):
        node = ast.parse(call.replace("…", "..."), mode="eval").body
        if isinstance(node, ast.Call):
            yield from ((ast.unparse(node.func), one.arg) for one in node.keywords if one.arg)


def _elsewhere(book: Book, page: Page) -> str:
    """Return what the scripts of a page print with other releases."""
    scripts = [book.scripts[name] for name in page.scripts if name in book.scripts]
    return repr([book.ranges(script.path, cell.name) for script in scripts for cell in script.cells])


def _places(book: Book, pages: Iterable[Page]) -> Iterator[tuple[Page, int, str]]:
    """Yield page, line and name, of each that neither the scripts of the page nor their outputs have."""
    for page in pages:
        spans = [
            (number, match["name"])
            for number, line in prose(page.text)
            for span in CODE_SPAN.finditer(line)
            if (match := NAME.fullmatch(span[0]))
        ]
        said = "\n".join(shown_text(book, script) for script in page.scripts) if spans else ""
        yield from ((page, number, name) for number, name in spans if name.rpartition(".")[2] not in said)
