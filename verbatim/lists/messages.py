"""The first lines of errors and warnings in outputs. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

#: A message that the script caught and printed itself: ``RuntimeError: …`` at the beginning of a line.
PRINTED = re.compile(r"(?P<name>(?:\w+\.)*[A-Z]\w*(?:Error|Warning|Exception)): \S")


def first_lines(output: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield ``(exception, first line)`` of the messages in one output of a notebook."""
    if output["output_type"] == "error":
        yield output["ename"], "\n".join(output["traceback"]).splitlines()[0]
    elif output["output_type"] == "stream" and output["name"] == "stderr":
        line = output["text"].splitlines()[0]
        yield line.partition(":")[0], line
    elif output["output_type"] == "stream":
        for line in output["text"].splitlines():
            if match := PRINTED.match(line):
                yield match["name"], line


def messages_of(outputs: Sequence[dict[str, Any]]) -> list[tuple[str, str]]:
    """Return ``(exception, first line)`` of all messages in some outputs."""
    return [message for output in outputs for message in first_lines(output)]
