"""Names of PyTorch exist, take the arguments that they are given, and are not deprecated: `nn.Liner` is told."""

from __future__ import annotations

import ast
import contextlib
import importlib.metadata
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
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
from verbatim.run.script import tree_of

#: Calls a function, in which PyTorch is imported, with an argument.
Ask = Callable[[Callable[[Any], Any], Any], Any]

ROOT = rf"(?:torch|{'|'.join(api.ALIASES)})"
#: A name with a dot, below PyTorch or one of its usual abbreviations.
DOTTED_NAME = re.compile(rf"`+ ?(?:with )?(?P<name>{ROOT}(?:\.[A-Za-z]\w*)+)(?:\(.*\))?:? ?`+")
#: A call of such a name, or of a function's name alone, with an argument that is named.
NAMED_CALL = re.compile(rf"`+ ?(?P<call>(?:{ROOT}(?:\.[A-Za-z]\w*)+|[a-z]\w*)\(.*\w ?=.*\)) ?`+")
#: Where a function may be whose name stands alone.
FUNCTION_OWNERS = ("torch", "torch.Tensor", "torch.nn.functional", "torch.linalg", "torch.fft", "torch.special")
#: An argument in code, switched on or off.
SWITCHED_ARGUMENT = re.compile(r"(?<![\w.\-$])([a-z]\w*) ?= ?(?:True|False|None)\b")
#: Other libraries, as sentences name them.
OTHER_LIBRARY = re.compile(
    r"Accelerate|Hugging ?Face|JAX|Jupyter|Keras|Lightning|Matplotlib|NumPy|ONNX|OpenCV|pandas|Pillow|scikit|SciPy|"
    r"TensorFlow|timm|torchaudio|torchvision|[Tt]ransformers|`(?:np|pd|plt|sklearn|tf|PIL|cv2|json|tarfile)\."
)
#: How a page says that a name is deprecated.
SAYS_SO = re.compile(r"deprecat|弃用", re.IGNORECASE)


@dataclass(frozen=True)
class Named:
    """What the code spans of a page name, each with its line, and neither its scripts nor their outputs have."""

    names: tuple[tuple[int, str], ...]
    arguments: tuple[tuple[int, tuple[str, str]], ...]
    """Functions, each with an argument that the same span gives it."""
    switches: tuple[tuple[int, str], ...]
    """Arguments that are switched on or off."""


#: Pages, each with what it names.
Found = Sequence[tuple[Page, Named]]


def named(book: Book, page: Page) -> Named:
    """Return what a page names."""
    spans = [(number, span[0]) for number, line in prose(page.text) for span in CODE_SPAN.finditer(line)]
    names = [(number, match["name"]) for number, span in spans if (match := DOTTED_NAME.fullmatch(span))]
    calls = [(number, match["call"]) for number, span in spans if (match := NAMED_CALL.fullmatch(span))]
    switches = [(number, name) for number, span in spans for name in SWITCHED_ARGUMENT.findall(span)]
    said = "\n".join(shown_text(book, script) for script in page.scripts)
    return Named(
        names=tuple((number, name) for number, name in names if name.rpartition(".")[2] not in said),
        arguments=tuple(
            (number, argument)
            for number, call in calls
            for argument in _arguments(call)
            if argument[1] not in said and f"def {argument[0]}(" not in said
        ),
        switches=tuple((number, name) for number, name in switches if name not in said)
        if page.scripts and not OTHER_LIBRARY.search(page.text)
        else (),
    )


def check_names(book: Book, named_pages: Found, memo: Memo, ask: Ask = server.ask) -> Iterator[Problem]:
    """Every PyTorch name in prose exists in the installed torch, in a script of the page, or in that script's output.

    Args:
        book: The book.
        named_pages: The pages, each with what it names.
        memo: Caches which names exist.
        ask: Calls a function where PyTorch is imported.
    """
    places = [(page, line, name) for page, said in named_pages for line, name in said.names]
    missing = _asked(book, memo, ask, api.missing_names, sorted({name for _, _, name in places}))
    for page, line, name in places:
        if name in missing and name.rpartition(".")[2] not in _elsewhere(book, page):
            hint = "how is it spelt? What only some releases have, an output shows"
            yield Problem(page.path, line, f"PyTorch has no `{name}`", hint)


def check_calls(book: Book, named_pages: Found, memo: Memo, ask: Ask = server.ask) -> Iterator[Problem]:
    """The function of a call in a sentence has the arguments that the call names.

    Where its name stands alone, `mse_loss(x, y, reduction="sum")`, one of that name has them. Arguments: as of
    `check_names`.
    """
    places = [(page, line, argument) for page, said in named_pages for line, argument in said.arguments]
    alone = {f"{owner}.{name}" for _, _, (name, _) in places if "." not in name for owner in FUNCTION_OWNERS}
    there = sorted(alone.difference(_asked(book, memo, ask, api.missing_names, sorted(alone))))
    meant = {name: [name] for _, _, (name, _) in places if "." in name}
    for name in there:
        meant.setdefault(name.rpartition(".")[2], []).append(name)
    pairs = {(full_name, argument) for _, _, (name, argument) in places for full_name in meant.get(name, ())}
    unknown = _asked(book, memo, ask, api.rejected_arguments, sorted(pairs))
    for page, number, (name, argument) in places:
        if name in meant and all((full_name, argument) in unknown for full_name in meant[name]):
            hint = f"how is it spelt? Where the page is about the mistake, a cell shows it; else {FORM}"
            yield Problem(page.path, number, f"`{name}` takes no argument `{argument}`", hint)


def check_switches(book: Book, named_pages: Found, memo: Memo, ask: Ask = server.ask) -> Iterator[Problem]:
    """An argument that a sentence switches on or off, `keepdim=True`, is one that PyTorch or a script of the page has.

    On a page that names another library, it may be of that. Arguments: as of `check_names`.
    """
    places = [(page, line, name) for page, said in named_pages for line, name in said.switches]
    unheard = _asked(book, memo, ask, api.arguments_nowhere_in_torch, sorted({name for _, _, name in places}))
    for page, number, name in places:
        if name in unheard:
            hint = f"how is it spelt? Where it belongs to another library, name that; else {FORM}"
            yield Problem(page.path, number, f"nothing in PyTorch takes an argument `{name}`", hint)


def check_deprecated(book: Book, pages: Iterable[Page], memo: Memo, ask: Ask = server.ask) -> Iterator[Problem]:
    """No cell uses what PyTorch's documentation calls deprecated, unless it warns or fails so, or a page says it.

    Arguments: as of `check_names`.
    """
    used = {name for result in book.display_results.values() for ran in result.cells for name in ran.names}
    deprecated = {*_asked(book, memo, ask, api.deprecated, sorted(used))}
    about = {script for page in pages if deprecated and SAYS_SO.search(page.text) for script in page.scripts}
    hint = "use what its documentation names instead; where the page is about it, let it say “deprecated”"
    for path, ran in ((path, ran) for path, result in book.display_results.items() for ran in result.cells):
        cell = book.scripts[path].cell(ran.name)
        if not cell or cell.warns or cell.raises or path in about:
            continue
        for name in (name for name in ran.names if name in deprecated):
            message = f"cell `{cell.name}` uses `{name}`, which its documentation calls deprecated"
            yield Problem(path, cell.line, message, hint)


def _asked(book: Book, memo: Memo, ask: Ask, question: Callable[[list[Any]], list[Any]], of: list[Any]) -> list[Any]:
    """Return what a function finds among names of PyTorch, in a process that has it; nothing where there is none."""
    if not of:
        return []
    with contextlib.suppress(EOFError, importlib.metadata.PackageNotFoundError):
        known = software(__file__, api.__file__, packages=(importlib.metadata.version("torch"),))
        answer: list[Any] = memo.get(question.__name__, repr(of), lambda: ask(question, of), known)
        return answer
    return []


def _arguments(call: str) -> Iterator[tuple[str, str]]:
    """Yield the function of a call with each argument that is given by its name; nothing if it is no Python."""
    with contextlib.suppress(SyntaxError):
        match tree_of(call.replace("…", "...").lstrip(" \t")).body:
            case [ast.Expr(ast.Call(function, keywords=keywords))]:
                yield from ((ast.unparse(function), keyword.arg) for keyword in keywords if keyword.arg)


def _elsewhere(book: Book, page: Page) -> str:
    """Return what the scripts of a page print with other releases."""
    scripts = [book.scripts[name] for name in page.scripts if name in book.scripts]
    return repr([book.ranges(script.path, cell.name) for script in scripts for cell in script.cells])
