"""Links names of PyTorch's API in code spans to PyTorch's documentation.

A name is linked only if the installed PyTorch has it and documents it. PyTorch's own tests demand that a public
function of `torch` or method of `torch.Tensor` with a docstring has a page of its own below ``generated/``, except
those in `UNLISTED_NAMES`. `GENERATED_MODULES` lists the other modules whose names have such pages, `SHARED_PAGES` those
whose names share a page.
"""

from __future__ import annotations

import contextlib
import functools
import html
import importlib
import importlib.metadata
import inspect
import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from verbatim.memo import Memo, software

DOCUMENTATION = "https://docs.pytorch.org/docs/stable/"

#: Abbreviations that scripts and pages use.
ALIASES = {
    "F": "torch.nn.functional",
    "Tensor": "torch.Tensor",
    "dist": "torch.distributed",
    "init": "torch.nn.init",
    "nn": "torch.nn",
    "optim": "torch.optim",
}

#: Modules whose documented functions and classes have a page each: ``generated/MODULE.NAME.html``.
GENERATED_MODULES = (
    "torch.nn",
    "torch.nn.functional",
    "torch.optim",
    "torch.optim.lr_scheduler",
    "torch.linalg",
    "torch.fft",
    "torch.func",
    "torch.nn.utils",
    "torch.nn.utils.rnn",
)

#: Modules whose names share one page: ``PAGE.html#MODULE.NAME``.
SHARED_PAGES = {
    "torch.nn.init": "nn.init",
    "torch.utils.data": "data",
    "torch.utils.checkpoint": "checkpoint",
    "torch.distributions": "distributions",
    "torch.testing": "testing",
}

#: Functions of `torch` with a docstring and without a page. The copying variants of views, such as ``view_copy``, have
#: none either.
UNLISTED_NAMES = {
    "empty_permuted",
    "fork",
    "hspmm",
    "import_ir_module",
    "import_ir_module_from_buffer",
    "init_num_threads",
    "merge_type_from_type_comment",
    "parse_ir",
    "parse_schema",
    "parse_type_comment",
    "quantize_per_tensor_dynamic",
    "segment_reduce",
    "sparse_compressed_tensor",
    "thread_safe_generator",
    "to_dlpack",
    "typename",
    "unify_type_list",
    "wait",
    "while_loop",
}

#: Names whose page has another name.
RENAMED_PAGES = {
    "torch.Tensor": "tensors.html",
    "torch.device": "tensor_attributes.html#torch.device",
    "torch.dtype": "tensor_attributes.html#torch.dtype",
    "torch.layout": "tensor_attributes.html#torch.layout",
    "torch.memory_format": "tensor_attributes.html#torch.memory_format",
    "torch.Size": "size.html",
    "torch.Generator": "generated/torch.Generator.html",
    "torch.autocast": "amp.html#torch.autocast",
    "torch.amp.autocast": "amp.html#torch.autocast",
    "torch.amp.GradScaler": "amp.html#torch.amp.GradScaler",
    "torch.autograd.Function": "autograd.html#torch.autograd.Function",
    "torch.autograd.grad": "generated/torch.autograd.grad.html",
    "torch.autograd.backward": "generated/torch.autograd.backward.html",
    "torch.no_grad": "generated/torch.no_grad.html",
    "torch.enable_grad": "generated/torch.enable_grad.html",
    "torch.set_grad_enabled": "generated/torch.autograd.grad_mode.set_grad_enabled.html",
    "torch.inference_mode": "generated/torch.autograd.grad_mode.inference_mode.html",
    "torch.nn.Parameter": "generated/torch.nn.parameter.Parameter.html",
    "torch.nn.parallel.DistributedDataParallel": "generated/torch.nn.parallel.DistributedDataParallel.html",
    "torch.optim.Optimizer": "optim.html#torch.optim.Optimizer",
    "torch.profiler.profile": "profiler.html#torch.profiler.profile",
}

#: Arguments that most functions of PyTorch take, and NumPy's names for theirs, whatever their documentation says.
COMMON_ARGUMENTS = {
    "a", "axis", "device", "dtype", "generator", "keepdims", "layout", "memory_format", "names", "out",
    "pin_memory", "requires_grad", "size", "x", "x1", "x2",
}  # fmt: skip

#: Names that a page of the documentation calls deprecated, and no docstring.
DEPRECATED_NAMES = ("torch.autograd.Variable", "torch.autograd.variable.Variable")

_SPAN_NAME = re.compile(r"(?:with )?(?P<dotted>\.?[A-Za-z]\w*(?:\.[A-Za-z]\w*)*)(?P<call>\(.*\))?:?", re.DOTALL)
#: Tags of a page. A block of code counts as one, because it contains most tags of a page.
_PAGE_TAG = re.compile(r"<pre\b.*?</pre>|<(?P<close>/?)(?P<tag>[a-zA-Z][\w-]*)[^>]*>", re.DOTALL)
_CODE_ELEMENT = re.compile(r"<code>(?P<text>[^<]*)</code>")
#: Code spans inside of these are not linked.
_UNLINKED_ELEMENTS = {"a", "pre", "h1", "h2", "h3", "h4", "h5", "h6", "button", "summary"}


@functools.cache
def address(text: str) -> str:
    """Return the address of the documentation of the name in a code span; empty if there is none.

    ``torch.cat``, ``nn.Linear(3, 4)``, ``Tensor.view``, ``with torch.no_grad():`` and, where only tensors have such a
    method, ``detach()`` are names; ``x.detach()`` is not, because the type of ``x`` is unknown.
    """
    page = _page(name) if (name := named(text)) else ""
    return DOCUMENTATION + page if page else ""


def named(text: str) -> str:
    """Return the full name in a code span, ``torch.nn.Linear`` for ``nn.Linear(3, 4)``; empty if there is none.

    Whether PyTorch has a name that is written with its module is not asked.
    """
    name, alone = _written(text)
    return _method(name) if name and alone else name


def may_name(text: str) -> bool:
    """Whether a code span has the form of a name, so that `named` may know it. Imports nothing."""
    return bool(_written(text)[0])


def _written(text: str) -> tuple[str, bool]:
    """Return the name in a code span, if there is one, and whether it is a method's alone: ``detach()``."""
    match = _SPAN_NAME.fullmatch(text.strip())
    if not match:
        return "", False
    dotted = match["dotted"]
    root, _, rest = dotted.partition(".")
    if root in ALIASES and (rest or root == "Tensor"):
        return ALIASES[root] + (f".{rest}" if rest else ""), False
    if root == "" or (not rest and match["call"]):
        return (dotted.lstrip(".") if match["call"] else ""), True
    return (dotted if root == "torch" else ""), False


def missing_names(names: list[str]) -> list[str]:
    """Return those of many dotted names, such as ``nn.Liner``, that the installed PyTorch does not have."""
    nothing = object()
    return [name for name in names if resolve(_full(name), nothing) is nothing]


def rejected_arguments(arguments: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return those of many pairs ``(dotted name, argument)`` in which the function does not take the argument.

    What neither a signature nor a docstring says is not known, and not returned.
    """
    return [
        pair for pair in arguments if pair[1] not in COMMON_ARGUMENTS and not _takes(resolve(_full(pair[0])), pair[1])
    ]


def arguments_nowhere_in_torch(arguments: list[str]) -> list[str]:
    """Return those of many names of arguments that stand nowhere in PyTorch's Python, C++'s functions included."""
    import torch

    folder = Path(torch.__file__).parent
    left = re.compile(rf"\b({'|'.join(map(re.escape, arguments))})\s*[:=,)]")
    heard: set[str] = set()
    for path in (*folder.rglob("*.py"), *folder.rglob("*.pyi")):
        heard.update(left.findall(path.read_text(encoding="utf-8", errors="replace")))
    return [name for name in arguments if name not in heard]


def _takes(function: Any, argument: str) -> bool:
    """Whether a function takes an argument, as far as is known."""
    if function is None:  # there is none of this name; since Python 3.13 `None` has a docstring
        return True
    try:
        parameters = inspect.signature(function).parameters.values()
    except (TypeError, ValueError):  # C++ tells its arguments in the docstring alone
        text = str(getattr(function, "__doc__", None) or "")
        return not text or bool(re.search(rf"\b{argument}\b", text))
    return any(parameter.kind is parameter.VAR_KEYWORD or parameter.name == argument for parameter in parameters)


def deprecated(names: list[str]) -> list[str]:
    """Return those of many dotted names whose docstring calls them deprecated, and not an argument of theirs."""
    return [name for name in names if _is_deprecated(name, str(getattr(resolve(_full(name)), "__doc__", None) or ""))]


def _is_deprecated(name: str, text: str) -> bool:
    if name in DEPRECATED_NAMES:
        return True
    itself = rf"(?:\w+\.)*{re.escape(name.rpartition('.')[2])}(?:\(.*?\))?`*|\bThis (?:function|class|method)"
    return bool(re.search(rf"(?:{itself}) is (?:now )?deprecated\b", text))


def _full(name: str) -> str:
    """Return a name with its module for the usual abbreviation of that: ``nn.Linear`` → ``torch.nn.Linear``."""
    root, _, rest = name.partition(".")
    return f"{ALIASES.get(root, root)}.{rest}"


def addresses(texts: list[str]) -> dict[str, str]:
    """Return `address` of each of many code spans."""
    return {text: address(text) for text in texts}


def _page(dotted: str) -> str:
    member = resolve(dotted)
    if member is None:
        return ""
    if dotted in RENAMED_PAGES:
        return RENAMED_PAGES[dotted]
    module, _, name = dotted.rpartition(".")
    if name.startswith("_") or not getattr(member, "__doc__", None):
        return ""
    if module == "torch":
        return _function(name, member)
    if module == "torch.Tensor":
        return f"generated/{dotted}.html" if _is_documented_method(name) else ""
    if module in GENERATED_MODULES and _is_public(member, module):
        return f"generated/{dotted}.html"
    if module in SHARED_PAGES and _is_public(member, module):
        return f"{SHARED_PAGES[module]}.html#{dotted}"
    return ""


def _function(name: str, function: Any) -> str:
    """Return the page of a function of `torch`. Some belong to `torch.nn.functional` and are documented there."""
    import torch.nn.functional

    if "function" not in type(function).__name__ or name in UNLISTED_NAMES:
        return ""
    if name.endswith("_copy") and name != "narrow_copy":
        return ""
    if getattr(torch.nn.functional, name, None) is function:
        return f"generated/torch.nn.functional.{name}.html"
    home = getattr(function, "__module__", None) or ""
    if home.startswith(("torch.nn", "torch._C._nn")):
        return ""
    return f"generated/torch.{name}.html"


def _is_public(member: Any, module: str) -> bool:
    """Whether a class or function belongs to a module, and was not merely imported there."""
    if not (inspect.isclass(member) or inspect.isroutine(member)):
        return False
    home = getattr(member, "__module__", None) or module
    top = ".".join(module.split(".")[:2])
    return home.startswith((top, "torch._C", "torch.functional", "torch._jit_internal")) or home == "torch"


def _is_documented_method(name: str) -> bool:
    import torch

    method = getattr(torch.Tensor, name, None)
    return not name.startswith("_") and bool(getattr(method, "__doc__", None)) and not hasattr(object, name)


@functools.cache
def _method(name: str) -> str:
    """Return the full name of a method that only tensors have: `detach()`, but not `to()`, `sum()` or `zero_grad()`."""
    import builtins

    import torch

    if not callable(getattr(torch.Tensor, name, None)) or not _is_documented_method(name):
        return ""
    others = (builtins, str, list, dict, set, tuple, torch.nn.Module, torch.optim.Optimizer, torch.nn.functional)
    if any(hasattr(other, name) for other in others):
        return ""
    return f"torch.Tensor.{name}"


def resolve(dotted: str, default: object = None) -> Any:
    """Return the object of a dotted name in the installed PyTorch, or `default`.

    A module is imported only where its parent has nothing of that name: `torch.autograd.gradcheck` is a function.
    """
    path = ""
    member: Any = None
    for part in dotted.split("."):
        path = f"{path}.{part}" if path else part
        inner = getattr(member, part, default)
        if inner is default and (member is None or inspect.ismodule(member)):
            try:
                inner = importlib.import_module(path)
            except ImportError:
                return default
        if inner is default:
            return default
        member = inner
    return member


class Addresses:
    """A cache of `address` between builds, because calling it imports PyTorch, which takes seconds.

    Args:
        memo: Stores the addresses.
    """

    def __init__(self, memo: Memo):
        self._memo = memo
        self._software = software(__file__, packages=(importlib.metadata.version("torch"),))
        self._addresses: dict[str, str] = memo.load("addresses", "", self._software) or {}
        self._stored = len(self._addresses)

    def address(self, text: str) -> str:
        """Return `address` of a code span."""
        if text not in self._addresses:
            self._addresses[text] = address(text)
        return self._addresses[text]

    def learn(self, texts: Iterable[str], ask: Callable[[Callable[[Any], Any], Any], Any]) -> None:
        """Look up and store the addresses of new code spans. `ask`: a function like `verbatim.run.server.ask`."""
        if missing := sorted({text for text in texts if may_name(text)} - self._addresses.keys()):
            with contextlib.suppress(EOFError):  # then each is looked up when it is needed
                self._addresses |= ask(addresses, missing)
                self.save()

    def save(self) -> None:
        """Store the addresses, if there are new ones."""
        if len(self._addresses) > self._stored:
            self._memo.save("addresses", "", self._addresses, self._software)
            self._stored = len(self._addresses)


def link(content: str, find: Callable[[str], str] = address) -> str:
    """Return a page's HTML with names of the API linked, except in code blocks, headings and existing links.

    Args:
        content: The HTML.
        find: Looks up an address, as `address` does; a caller may pass a cached version.
    """
    done: list[str] = []
    skipping = 0
    position = 0
    while token := _PAGE_TAG.search(content, position):
        done.append(content[position : token.start()])
        position = token.end()
        if not token["tag"]:
            done.append(token[0])
            continue
        if token["tag"].lower() in _UNLINKED_ELEMENTS:
            skipping += -1 if token["close"] else 1
        span = _CODE_ELEMENT.match(content, token.start()) if not skipping else None
        target = find(html.unescape(span["text"])) if span else ""
        if span and target:
            done.append(f'<a class="api" href="{html.escape(target)}">{span[0]}</a>')
            position = span.end()
        else:
            done.append(token[0])
    return "".join([*done, content[position:]])
