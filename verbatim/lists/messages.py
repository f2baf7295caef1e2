"""Extracts the first lines of errors and warnings from outputs. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

#: An error that the script caught and printed itself: ``RuntimeError: …`` at the beginning of a line.
PRINTED = re.compile(r"(?P<name>(?:\w+\.)*[A-Z]\w*(?:Error|Warning|Exception)): \S")


def first_lines(output: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield ``(exception or warning category, first line)`` for each message in one notebook output."""
    if output["output_type"] == "error":
        yield output["ename"], next(iter("\n".join(output["traceback"]).splitlines()), "")
    elif output["output_type"] == "stream" and output["name"] == "stderr":
        line = next(iter(output["text"].splitlines()), "")
        yield line.partition(":")[0], line
    elif output["output_type"] == "stream":
        for line in output["text"].splitlines():
            if match := PRINTED.match(line):
                yield match["name"], line


def messages_of(outputs: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return ``(exception or warning category, first line)`` for each message in several outputs."""
    return [message for output in outputs for message in first_lines(output)]
