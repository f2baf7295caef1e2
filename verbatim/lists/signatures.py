"""What a page shows of a name that is pointed at: its signature and a summary, as the installed PyTorch has them."""

from __future__ import annotations

import importlib.metadata
import inspect
import re
from collections.abc import Callable, Iterable
from typing import Any

from verbatim.lists import api
from verbatim.memo import Memo, software
from verbatim.run import names

#: The most characters of a summary, and of a signature: a card is read at a glance.
SUMMARY, SIGNATURE = 160, 300

#: Text of a code span → its full name, the signature behind the name, and a summary.
Described = dict[str, tuple[str, str, str]]


def described(texts: Iterable[str]) -> Described:
    """Return what is known of code spans that are names of PyTorch. Imports PyTorch."""
    described_names: Described = {}
    for text in texts:
        name = api.named(text)
        if name and api.resolve(name) is not None:
            described_names[text] = (name, signature(name), _short(names.summary(name), SUMMARY))
    return described_names


def signature(name: str) -> str:
    """Return the signature of a function, a class or a method: ``(input, dim=None) -> Tensor``; empty if it has none.

    Functions written in C++ have theirs in the first line of their docstring, all others in their code, where it is
    given without annotations.
    """
    member = api.resolve(name)
    own = re.escape(name.rpartition(".")[2])
    doc = inspect.cleandoc(getattr(member, "__doc__", None) or "")
    nested = r"\((?:[^()]|\([^()]*\))*\)"
    if written := re.match(rf"(?:\w+\.)*{own}(?P<given>{nested}(?:[ ]*->[ ]*[^\n]+)?)", doc):
        return _short(" ".join(written["given"].replace("\\", "").split()), SIGNATURE)
    if not (inspect.isclass(member) or inspect.isroutine(member)):
        return ""
    try:
        given = inspect.signature(member)
        parameters = [
            parameter
            for parameter in given.parameters.values()
            if parameter.name != "self" and not parameter.name.startswith("_")
        ]
        plain = [
            parameter.replace(annotation=inspect.Parameter.empty, default=_default(parameter))
            for parameter in parameters
        ]
        text = str(inspect.Signature(plain))
    except (TypeError, ValueError):  # written in C++, or with defaults that Python itself would refuse
        return ""
    return "" if text == "(*args, **kwargs)" else _short(text, SIGNATURE)  # a wrapper says nothing of what it takes


class _Written(str):
    """A default that a signature shows as it is."""

    __slots__ = ()

    __repr__ = str.__str__


def _default(parameter: inspect.Parameter) -> Any:
    """Return a parameter's default; where its text would differ from run to run, or say nothing, an ellipsis."""
    if parameter.default is inspect.Parameter.empty:
        return parameter.default
    text = repr(parameter.default)
    return _Written("…" if "<" in text or len(text) > 40 else text)


def _short(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most].rpartition(' ')[0]} …"


class Signatures:
    """A cache of `described` between builds, because it imports PyTorch.

    Args:
        memo: Stores what is known.
    """

    def __init__(self, memo: Memo):
        self._memo = memo
        self._software = software(
            __file__, api.__file__, names.__file__, packages=(importlib.metadata.version("torch"),)
        )

    def describe(self, texts: Iterable[str], ask: Callable[[Callable[[Any], Any], Any], Any]) -> Described:
        """Return `described` of many code spans. `ask`: a function like `verbatim.run.server.ask`."""
        known: dict[str, tuple[str, str, str] | None] = self._memo.load("signatures", "", self._software) or {}
        wanted = sorted({text for text in texts if api.may_name(text)})
        if missing := [text for text in wanted if text not in known]:
            try:
                described_names: Described = ask(described, missing)
            except EOFError:
                described_names = described(missing)
            known |= {text: described_names.get(text) for text in missing}
            self._memo.save("signatures", "", known, self._software)
        return {text: value for text in wanted if (value := known[text])}
