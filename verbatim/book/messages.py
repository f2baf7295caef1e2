"""Extracts errors and warnings from outputs. Pure."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from typing import Any

from verbatim.book.compare import text_of

#: An error that the script caught and printed itself: ``RuntimeError: …`` at the beginning of a line.
PRINTED_ERROR = re.compile(r"(?P<name>(?:\w+\.)*[A-Z]\w*(?:Error|Warning|Exception)): \S")
#: What a message begins with, among those of an output.
MESSAGE_START = re.compile(r"(?:\w+\.)*[A-Z]\w*(?:Error|Warning|Exception)\b:?")
#: What differs from one printing of a message to the next: paths, addresses in memory, numbers, shapes, their lists.
VARYING_PART = re.compile(
    r"(?<![\w.@~+-])(?:[A-Za-z]:)?[\\/]?(?:[\w.@~+-]+[\\/])+[\w.@~+-]*"
    r"|0x[0-9A-Fa-f]+|(?<![A-Za-z0-9_])[+-]?\d+(?:[.x]\d+)*(?:e[+-]?\d+)?(?![A-Za-z0-9_])"
)
#: How many characters of a message are kept: about as many words as are compared.
MOST_CHARACTERS = 500


def first_lines(output: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield ``(exception or warning category, first line)`` for each message in one notebook output."""
    if output["output_type"] == "error":
        yield output["ename"], next(iter(text_of(output).splitlines()), "")
    elif output["output_type"] == "stream" and output["name"] == "stderr":
        line = next(iter(text_of(output).splitlines()), "")
        yield line.partition(":")[0], line
    elif output["output_type"] == "stream":
        for line in text_of(output).splitlines():
            if match := PRINTED_ERROR.match(line):
                yield match["name"], line


def messages_of(outputs: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return ``(exception or warning category, first line)`` for each message in several outputs."""
    return [message for output in outputs for message in first_lines(output)]


def whole(name: str, first: str, outputs: Sequence[dict[str, Any]]) -> str:
    """Return a message with its class, which some outputs leave out, and with the lines that follow its first one.

    Args:
        name: The exception or warning category.
        first: The first line.
        outputs: What printed it. Of what a script printed itself, only the first line is known to belong to it.
    """
    rest: list[str] = []
    for output in outputs:
        message = output["output_type"] == "error" or output.get("name") == "stderr"
        lines = text_of(output).splitlines() if message else []
        if first in lines:
            rest = list(
                itertools.takewhile(lambda line: not MESSAGE_START.match(line), lines[lines.index(first) + 1 :])
            )
            break
    printed = "\n".join(filter(None, (line.rstrip() for line in (first, *rest))))
    return (printed if first.startswith(name) else f"{name}: {printed}")[:MOST_CHARACTERS]


def template(name: str, text: str) -> str:
    """Return what messages have in common that differ in numbers alone: ``IndexError: Target … is out of bounds.``

    It is the first line, and the next one where that ends with a colon.

    Args:
        name: The exception or warning category.
        text: All that is printed, the class in front.
    """
    lines = text.strip().splitlines() or [name]
    first = " ".join(line.strip() for line in lines[: 2 if lines[0].rstrip().endswith(":") else 1])
    return re.sub(r"…(?:, ?…)+,?", "…", VARYING_PART.sub("…", first))
