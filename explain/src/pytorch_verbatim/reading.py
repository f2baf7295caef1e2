"""Finds the message in what a reader has: a line, a traceback, a log of several processes. Pure.

Whatever the text, the work is bounded: of a log the last `LOG` characters and `LINES` lines are looked at, of a message
its beginning and its end, and no expression looks at more than `CLASS_LINE` characters of a line.

`message` in `docs/assets/search/words.js` does the same for what is pasted into the site's search.
"""

from __future__ import annotations

import itertools
import re
from typing import IO

#: How many characters of a text are looked at, and how many lines.
LOG = 256 * 1024
LINES = 4000
#: How many tracebacks are looked at, from the last one on.
TRACEBACKS = 8
#: How many characters of a line are looked at for the class that it begins with.
CLASS_LINE = 1000
#: How many characters of a message are kept.
MESSAGE = 20_000

#: Colours and other orders to a terminal.
_ORDERS = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\))")
_BEGINS = "Traceback (most recent call last)"
#: The class of an error or a warning, as a line begins with it; and within a line, where it needs an ending that only
#: such classes have, or a module that has nothing else.
_KIND = r"(?:Error|Exception|Warning|Interrupt|Iteration|Exit|Exceeded)"
_CLASS = rf"(?:(?:[A-Za-z_]\w*\.)+[A-Z]\w*|[A-Z]\w*{_KIND})"
_INSIDE = rf"(?:(?:[A-Za-z_]\w*\.)*(?:exc\.[A-Z]\w*|[A-Z]?\w*{_KIND})|(?:[A-Za-z_]\w*\.)+error)"
_LINE = re.compile(rf"(?:\S+:\d+: )?(?P<message>{_CLASS}(?::(?=\s|$).*)?)$", re.ASCII)
_WITHIN = re.compile(rf"(?<![\w.]){_INSIDE}(?=: +\S|:?\s*$)", re.ASCII)
#: The first line below the frames of a traceback: any class, also one of the reader's own.
_RAISED = re.compile(r"[A-Za-z_][\w.]*(?:<locals>[\w.]*)*(?::|\s*$)", re.ASCII)
_RANK = re.compile(r"\[rank\d+\]:", re.ASCII)
#: Errors that only say that another process failed: its own traceback stands further up.
_WRAPPERS = re.compile(r"(?:[\w.]+\.)?(?:ChildFailedError|CalledProcessError|ProcessExitedException)\b", re.ASCII)


def last(stream: IO[bytes]) -> str:
    """Return the end of what a stream holds: the last `LOG` bytes, read in pieces."""
    kept = b""
    while piece := stream.read(LOG):
        kept = (kept + piece)[-LOG:]
    return kept.decode("utf-8", "replace")


def bounded(text: str) -> str:
    """Return a message of any length as its beginning and its end."""
    return text if len(text) <= LOG else f"{text[: LOG // 2]}\n{text[-LOG // 2 :]}"


def messages(text: str) -> list[str]:
    """Return the message in a text, on one line; before an error that stands for another one, that other one.

    The list is empty where the text has nothing but white space.
    """
    lines = _ORDERS.sub(" ", bounded(text)).replace("\r\n", "\n").replace("\r", "\n").rsplit("\n", LINES)[-LINES:]
    found: list[str] = []
    begin = (number for number in range(len(lines) - 1, -1, -1) if _BEGINS in lines[number])
    for at in itertools.islice(begin, TRACEBACKS):
        if told := _raised(lines, at, inside=not found):
            found.insert(0, _folded(told))
            if not _WRAPPERS.match(told):
                break
    if found and _LINE.match(lines[0][:CLASS_LINE]):  # a message that quotes a traceback
        found.append(_folded("\n".join(lines)))
    return found or [one for one in [_folded(_without_traceback(lines))] if one]


def _raised(lines: list[str], at: int, *, inside: bool) -> str:
    """Return what the traceback that begins in a line ends with; empty if it does not end.

    What stands before its beginning, such as ``[rank0]: `` or a date, stands before each of its lines; lines that begin
    otherwise are those of other processes. `inside`: another traceback further down belongs to the message.
    """
    prefix = lines[at].partition(_BEGINS)[0].removesuffix("Original ").removesuffix("Exception Group ")
    alike = _pattern(prefix)
    own = [line[len(prefix) :] for line in lines[at + 1 :] if _pattern(line[: len(prefix)]) == alike]
    for number, line in enumerate(own):
        if line[:1].strip() and _RAISED.match(line[:CLASS_LINE]):
            return _until_next(own[number:], inside=inside)
    return ""


def _until_next(lines: list[str], *, inside: bool) -> str:
    """Return the lines of a message up to another traceback, as far as they count."""
    kept: list[str] = []
    size = 0
    for line in lines:
        if (_BEGINS in line and not inside) or size > MESSAGE:
            break
        kept.append(line)
        size += len(line)
    return "\n".join(kept)


def _pattern(prefix: str) -> str:
    """Return what stands before a line with its digits alike: dates go on, and a process keeps its number mostly."""
    return re.sub(r"\d", "0", prefix[:CLASS_LINE]) if "T" in prefix or ":" in prefix[:-2] else prefix


def _without_traceback(lines: list[str]) -> str:
    """Return the last error or warning of a text without a traceback, with what follows; a single line as it is."""
    told = [_RANK.sub(" ", line).strip() if "[rank" in line else line for line in lines]
    for number in range(len(told) - 1, -1, -1):
        if match := _LINE.match(told[number][:CLASS_LINE]):
            return "\n".join([match["message"] + told[number][CLASS_LINE:], *told[number + 1 :]])
    text = "\n".join(told).strip()
    if "\n" in text:
        text = text[-MESSAGE:]
        inside = list(_WITHIN.finditer(text))
        return text[inside[-1].start() :] if inside else text.rpartition("\n")[2]
    return text


def _folded(text: str) -> str:
    return " ".join(text[:MESSAGE].split())
