"""The messages of a script's process to its parent: lines of JSON, each ``[kind, value]``.

The script runs in the process that sends them, so the messages may be forged. They cannot run code in the parent, as a
pickle could; the parent never waits for the rest of one; their size is limited; and the form of each value is checked
before it is used. A wrong message raises `Broken` and affects only this script.
"""

from __future__ import annotations

import dataclasses
import json
import os
import re
from dataclasses import dataclass, field
from multiprocessing.connection import Connection
from typing import Any, NoReturn

from verbatim.run.clean import visible

#: Bytes that one script may send in all: its figures are most of them.
LIMIT = 64 << 20
#: Larger than any position, line number or time that a run reports.
MOST = 1 << 53
#: The most characters of a name, or of its summary.
LONGEST = 4096
#: A public name of PyTorch, and the name of a version or a machine.
NAME = re.compile(r"torch(?:\.\w+)*", re.ASCII)
CALLED = re.compile(r"[\w .,+()/:-]{1,100}", re.ASCII)


class Broken(ValueError):
    """A message that no run would send."""


@dataclass
class Ran:
    """What happened to one cell."""

    name: str
    start: int
    """The position in the output file, in bytes, at which its text begins."""
    end: int = 0
    seconds: float = 0.0
    events: list[tuple[int, dict[str, Any]]] = field(default_factory=list)
    """Notebook outputs other than printed text, each with its position in the output file."""
    warned: list[tuple[str, str, int]] = field(default_factory=list)
    """``(category, first line, line of the script or 0)`` of each warning."""
    error: tuple[str, str, int] | None = None
    """``(type, message, line of the script or 0)`` of the exception that ended it."""
    skipped: str = ""
    """The capability that is missing here."""
    touched: bool = False
    """Whether a GPU may have been used: the cell allocated memory on it, or memory was allocated there before. Of one
    that needs a GPU also, whether it was the first to ask the driver, or a child process of it ended."""


def send(connection: Connection, *messages: tuple[str, Any]) -> None:
    """Send messages, each ``(kind, value)``, in one write, so that they wake the parent once. Called in the child."""
    data = memoryview(b"".join(json.dumps(message, default=vars).encode() + b"\n" for message in messages))
    while data:
        data = data[os.write(connection.fileno(), data) :]


class Receiver:
    """Splits what arrives into messages. Used in the parent."""

    def __init__(self, connection: Connection):
        self._connection = connection
        self._rest = bytearray()
        """The beginning of a message that has not arrived completely."""
        self._received = 0

    def read(self) -> list[tuple[str, Any]]:
        """Read once what has arrived, and return the complete messages.

        Raises:
            EOFError: the other end was closed.
            Broken: a line is no message, or too much has arrived in all.
        """
        data = os.read(self._connection.fileno(), 1 << 20)
        if not data:
            raise EOFError
        self._received += len(data)
        if self._received > LIMIT:
            raise Broken(f"sent more than {LIMIT >> 20} MiB of results")
        self._rest += data
        if b"\n" not in data:
            return []
        *lines, self._rest = self._rest.split(b"\n")
        return [_message(line) for line in lines]


def _message(line: bytearray) -> tuple[str, Any]:
    try:
        kind, value = json.loads(line, parse_constant=_refuse)
    except (ValueError, TypeError, RecursionError):
        raise Broken(_NO_RESULT) from None
    _check(isinstance(kind, str))
    return kind, value


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")


_NO_RESULT = "sent something that is no result"


def _check(fits: bool) -> None:
    if not fits:
        raise Broken(_NO_RESULT)


def _is(value: Any, *kinds: type) -> bool:
    """Whether a value has exactly one of these types: here, a bool is not an int."""
    return type(value) in kinds


def _number(value: Any) -> bool:
    """Whether a value counts or measures something."""
    return _is(value, int, float) and 0 <= value < MOST


def ran(value: Any) -> Ran:
    """Check the value of a message about a cell, and return it."""
    _check(_is(value, dict) and set(value) == {field.name for field in dataclasses.fields(Ran)})
    _check(all(_is(value[key], str) for key in ("name", "skipped")) and _is(value["touched"], bool))
    _check(all(_is(value[key], int) and _number(value[key]) for key in ("start", "end")))
    _check(_number(value["seconds"]) and _is(value["events"], list) and _is(value["warned"], list))
    events = [(place, _output(output)) for place, output in map(_pair, value["events"])]
    warned = [_triple(warning) for warning in value["warned"]]
    error = None if value["error"] is None else _triple(value["error"])
    return Ran(**{**value, "events": events, "warned": warned, "error": error})


def _pair(value: Any) -> tuple[int, Any]:
    _check(_is(value, list) and len(value) == 2 and _is(value[0], int) and _number(value[0]))
    return value[0], value[1]


def _triple(value: Any) -> tuple[str, str, int]:
    _check(_is(value, list) and [type(item) for item in value] == [str, str, int] and _number(value[2]))
    return visible(value[0]), value[1], value[2]


def _output(value: Any) -> dict[str, Any]:
    """Check a warning, an error or a figure, the outputs besides printed text, and return it."""
    _check(_is(value, dict))
    kind = value.get("output_type")
    if kind == "stream":
        _check(set(value) == {"output_type", "name", "text"} and value["name"] == "stderr" and _is(value["text"], str))
    elif kind == "error":
        _check(set(value) == {"output_type", "ename", "evalue", "traceback"} and _is(value["traceback"], list))
        name, message = value["ename"], value["evalue"]
        _check(_is(name, str) and _is(message, str))
        _check(value["traceback"] == [f"{name}: {message}" if message else name])
    else:
        _check(kind == "display_data" and set(value) == {"output_type", "data", "metadata"})
        data, metadata = value["data"], value["metadata"]
        _check(_is(data, dict) and set(data) == {"image/svg+xml"} and _is(data["image/svg+xml"], str))
        _check(_is(metadata, dict) and set(metadata) == {"axes"} and _is(metadata["axes"], list))
    return value  # type: ignore[no-any-return]


def failed(value: Any) -> tuple[str, str, int]:
    """Check the report of an exception in the engine's own code, and return it: message, place, line of the script."""
    what, where, line = _triple(value)
    _check("\n" not in where)
    return next(iter(visible(what[:LONGEST]).splitlines()), ""), visible(where[:LONGEST]), line


def left(value: Any) -> tuple[str, ...]:
    """Check the list of what a script leaves running, and return it."""
    _check(_is(value, list) and all(_is(item, str) and len(item) <= LONGEST for item in value))
    return tuple(map(visible, value))


def environment(value: Any) -> dict[str, str]:
    """Check the versions and the properties of the machine, and return them."""
    _check(_is(value, dict) and len(value) < 20)
    _check(all(_is(item, str) and CALLED.fullmatch(item) for pair in value.items() for item in pair))
    return value  # type: ignore[no-any-return]


def names(value: Any) -> tuple[dict[str, list[str]], dict[str, str]]:
    """Check the names that each cell uses, and their summaries, and return both.

    Summaries come from docstrings, which a script may replace. So they are made visible as printed text is.
    """
    _check(_is(value, list) and len(value) == 2 and all(_is(item, dict) for item in value))
    used, summaries = value
    _check(all(_is(called, list) and all(map(_name, called)) for called in used.values()))
    _check(all(_name(name) and _is(text, str) and len(text) <= LONGEST for name, text in summaries.items()))
    return used, {name: visible(text) for name, text in summaries.items()}


def _name(value: Any) -> bool:
    return _is(value, str) and len(value) <= LONGEST and bool(NAME.fullmatch(value))
