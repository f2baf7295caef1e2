"""Finds the message in what a reader has: a line, a traceback, a log of several processes. Pure.

Whatever the text, the work is bounded: of a log the last `LOG_CHARACTERS` and `LOG_LINES` are looked at, of a message
its beginning and its end, and no expression looks at more than `CLASS_LINE` characters of a line.

`chain` in `verbatim/site/search/words.js` does the same for what is pasted into the site's search.
"""

from __future__ import annotations

import itertools
import re
from typing import IO, NamedTuple, Optional

#: How many characters of a text are looked at, and how many lines.
LOG_CHARACTERS = 256 * 1024
LOG_LINES = 4000
#: How many tracebacks are looked at, from the last one on.
MOST_TRACEBACKS = 8
#: How many characters of a line are looked at for the class that it begins with.
CLASS_LINE = 1000
#: How many frames of a traceback are looked at that was pasted as one line.
MOST_FRAMES = 8
#: How many characters of a message are kept.
MESSAGE_CHARACTERS = 20_000

#: Colours and other orders to a terminal.
_TERMINAL_ORDER = re.compile(r"\x1b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|\][^\x07\x1b]{0,2000}(?:\x07|\x1b\\))")
_BEGINS = "Traceback (most recent call last)"
#: The class of an error or a warning, as a line begins with it; and within a line, where it needs an ending that only
#: such classes have, or a module that has nothing else.
_KIND = r"(?:Error|Exception|Warning|Interrupt|Iteration|Exit|Exceeded)"
_CLASS = rf"(?:(?:[A-Za-z_]\w*\.)+[A-Z]\w*|[A-Z]\w*{_KIND})"
_INSIDE = rf"(?:(?:[A-Za-z_]\w*\.)*(?:exc\.[A-Z]\w*|[A-Z]?\w*{_KIND})|(?:[A-Za-z_]\w*\.)+error)"
_MESSAGE_LINE = re.compile(rf"(?:\S+:\d+: )?(?P<message>{_CLASS}(?::(?=\s|$).*)?)$", re.ASCII)
_MESSAGE_WITHIN = re.compile(rf"(?<![\w.]){_INSIDE}(?=: +\S|:?\s*$)", re.ASCII)
#: The first line below the frames of a traceback: any class, also one of the reader's own.
_RAISED_LINE = re.compile(r"[A-Za-z_][\w.]*(?:<locals>[\w.]*)*(?::|\s*$)", re.ASCII)
#: A line that says more than a class.
_SAYS = re.compile(r": +\S")
#: What launchers put in front of each line, and pytest in front of the lines of an error.
_LAUNCHER_PREFIX = re.compile(
    r"(?:\[rank\d{1,9}\]: ?|\[\d{1,9}\]<std(?:err|out)>: ?|\((?:[\w.]{1,99} )?pid[= ]?\d{1,9}[^()\n]{0,60}\) ?)+",
    re.ASCII,
)
_PYTEST_PREFIX = re.compile(r"E\s{2,}(?=\S)|E\s*$")
#: The end of a frame, in a traceback that was pasted as one line.
_FRAME_END = re.compile(r"\bline \d{1,9}, in\b", re.ASCII)
#: An error as it is shown within a call: ``AssertionError('can only test a child process')``.
_SHOWN_ERROR = re.compile(rf"(?<![\w.])(?P<kind>{_INSIDE})\((?P<mark>['\"])(?P<said>.*)(?P=mark),?\)\W*$", re.ASCII)
#: What loggers put in front of a message.
_LOGGER_PREFIX = re.compile(r".{0,99}\b(?:ERROR|WARNING|CRITICAL|FATAL)\b.{0,200}? - (?=\S)")
#: Errors that only say that another process failed: its own traceback stands further up.
_WRAPPING_ERROR = re.compile(r"(?:[\w.]+\.)?(?:ChildFailedError|CalledProcessError|ProcessExitedException)\b", re.ASCII)


#: What stands between the tracebacks of errors of which one came while another was handled, or that are a group.
_TRACEBACK_LINK = re.compile(
    r"During handling of the above exception, another|The above exception was the direct cause of"
    r"|\+-[+-]* \d{1,9} -+\s*$"
)
#: What Python draws between the errors of a group and below the last, behind what stands before each line.
_DRAWN = re.compile(r"[^+]{0,200}\+-[+-]{0,40}(?: \d{1,9} )?-{10,40}\s*$")
#: What a line begins with in whose traceback no line is indented, as chats paste them.
_FLAT = re.compile(r'File "[^"]+", line \d')
#: How many lines above a traceback that stands.
_LINES_ABOVE = 3
#: The file of a frame: of Python, of a notebook, of pytest.
_FRAME_FILE = re.compile(r"""(?<![^\s"'()])[^\s"'()]*\.py(?=[":]| in )""")
#: A file of torch, in a frame.
_TORCH_FILE = re.compile(r"[\\/](?:(?:site|dist)-packages|pytorch)[\\/]torch[\\/]")


class Read(NamedTuple):
    """A message that was found."""

    text: str
    """The message, on one line."""
    in_torch: bool = False
    """Whether it was raised in torch: the last frame of its traceback lies there, and not in code that torch calls."""


def last(stream: IO[bytes]) -> str:
    """Return the end of what a stream holds: the last `LOG_CHARACTERS` bytes, read in pieces."""
    kept = b""
    while piece := stream.read(LOG_CHARACTERS):
        kept = (kept + piece)[-LOG_CHARACTERS:]
    return kept.decode("utf-8", "replace")


def bounded(text: str) -> str:
    """Return a message of any length as its beginning and its end."""
    return text if len(text) <= LOG_CHARACTERS else f"{text[: LOG_CHARACTERS // 2]}\n{text[-LOG_CHARACTERS // 2 :]}"


def is_of_torch(file: str) -> bool:
    """Whether a file, or the line of a traceback that names it, is of torch."""
    return bool(_TORCH_FILE.search(file[:CLASS_LINE]))


def _raised_in_torch(lines: list[str]) -> bool:
    """Whether the last frame in some lines is of torch."""
    files = (_FRAME_FILE.findall(line[:CLASS_LINE]) for line in reversed(lines))
    return is_of_torch(next(filter(None, files), [""])[-1])


def messages(text: str) -> list[Read]:
    """Return the messages in a text: the last one, then those before it in its chain of errors, latest first.

    An error that only says that another process failed comes after that other one's. The list is empty where the text
    has nothing but white space.
    """
    lines = (
        _TERMINAL_ORDER.sub("", bounded(text))
        .replace("\r\n", "\n")
        .replace("\r", "\n")
        .rsplit("\n", LOG_LINES)[-LOG_LINES:]
    )
    messages: list[Read] = []
    begin = (number for number in range(len(lines) - 1, -1, -1) if _BEGINS in lines[number])
    for at in itertools.islice(begin, MOST_TRACEBACKS):
        if told := _raised(lines, at, inside=not messages):
            messages += told
            if not _WRAPPING_ERROR.match(told[0].text) and not any(
                map(_TRACEBACK_LINK.search, lines[max(0, at - _LINES_ABOVE) : at])
            ):
                break
    messages.sort(key=lambda message: bool(_WRAPPING_ERROR.match(message.text)))
    if messages and _MESSAGE_LINE.match(lines[0][:CLASS_LINE]):  # a message that quotes a traceback
        messages.append(Read(_folded("\n".join(lines))))
    alone = Read(_folded(_without_traceback(lines)), _raised_in_torch(lines))
    return messages or [message for message in [alone] if message.text]


def _raised(lines: list[str], at: int, *, inside: bool) -> list[Read]:
    """Return what the traceback that begins in a line ends with, if it ends: as a whole, then its first line alone.

    Below that notes may stand, which programs add (PEP 678).

    What stands before its beginning, such as ``[rank0]: `` or a date, stands before each of its lines; lines that begin
    otherwise are those of other processes. `inside`: another traceback further down belongs to the message.
    """
    prefix = lines[at].partition(_BEGINS)[0].removesuffix("Original ")
    if prefix.endswith("Exception Group "):  # below the cross at which a group begins, bars are drawn
        prefix = prefix.removesuffix("Exception Group ").replace("+", "|")
    if _MESSAGE_LINE.match(prefix.rstrip()):  # a notebook's: the class stands in front
        prefix = ""
    alike = _pattern(prefix)
    below = itertools.takewhile(lambda line: not _DRAWN.match(line[:CLASS_LINE]), lines[at + 1 :])
    own = [line[len(prefix) :] for line in below if _pattern(line[: len(prefix)]) == alike]
    begins = _MESSAGE_LINE if own and _FLAT.match(own[0]) else _RAISED_LINE
    for number, line in enumerate(own):
        if line[:1].strip() and begins.match(line[:CLASS_LINE]):
            in_torch = _raised_in_torch(own[:number])
            whole = _folded(_until_next(own[number:], inside=inside))
            first = _folded(line)
            alone = first != whole and _SAYS.search(first[:CLASS_LINE])
            return [Read(text, in_torch) for text in ([whole, first] if alone else [whole])]
    return []


def _until_next(lines: list[str], *, inside: bool) -> str:
    """Return the lines of a message up to another traceback, as far as they count."""
    kept: list[str] = []
    size = 0
    for line in lines:
        if (
            ((_BEGINS in line or _TRACEBACK_LINK.search(line)) and not inside)
            or size > MESSAGE_CHARACTERS
            or line[:3] == "```"
        ):
            break
        kept.append(line)
        size += len(line)
    return "\n".join(kept)


def _pattern(prefix: str) -> str:
    """Return what stands before a line with its digits alike: dates go on, and a process keeps its number mostly."""
    return re.sub(r"\d", "0", prefix[:CLASS_LINE]) if "T" in prefix or ":" in prefix[:-2] else prefix


def _without_traceback(lines: list[str]) -> str:
    """Return the last error or warning of a text without a traceback, with what follows; a single line as it is."""
    told = [_LAUNCHER_PREFIX.sub("", line[:CLASS_LINE]) + line[CLASS_LINE:] for line in lines]
    if asserted := _last_block([bool(_PYTEST_PREFIX.match(line)) for line in told]):
        told = [_PYTEST_PREFIX.sub("", line) for line in told[asserted]]
    else:
        told = [line.strip() for line in told]
    for number in range(len(told) - 1, -1, -1):
        match = _MESSAGE_LINE.match(told[number][:CLASS_LINE])
        if match and not _FRAME_END.search(told[number][:MESSAGE_CHARACTERS]):
            return "\n".join([match["message"] + told[number][CLASS_LINE:], *told[number + 1 :]])
    text = "\n".join(told).strip()
    if "\n" in text:
        text = text[-MESSAGE_CHARACTERS:]
        inside = list(_MESSAGE_WITHIN.finditer(text))
        if inside:
            return _quoted(text, inside[-1].start())
        logged = [number for number, line in enumerate(told) if _LOGGER_PREFIX.match(line[:CLASS_LINE])]
        return "\n".join(_said(line) for line in told[logged[-1] :]) if logged else _said(told[-1])
    return _said(text)


def _last_block(marked: list[bool]) -> Optional[slice]:
    """Return where the last of the marked lines stand, as far as nothing stands between them."""
    if True not in marked:
        return None
    end = len(marked) - marked[::-1].index(True)
    begin = end - 1
    while begin and marked[begin - 1]:
        begin -= 1
    return slice(begin, end)


def _said(line: str) -> str:
    """Return the message in one line, of which a logger or a reader may have said the rest."""
    frames = [frame.end() for frame in _FRAME_END.finditer(line[:MESSAGE_CHARACTERS])][-MOST_FRAMES:]
    for after in reversed(frames or [0]):  # a message may quote frames
        if match := _MESSAGE_WITHIN.search(line[:MESSAGE_CHARACTERS], after):
            return _quoted(line, match.start())
    if match := _SHOWN_ERROR.search(line[:CLASS_LINE]):
        said = match["said"].replace("\\'", "'").replace('\\"', '"')
        return f"{match['kind']}: {said}"
    return line[match.end() :] if (match := _LOGGER_PREFIX.match(line[:CLASS_LINE])) else line


def _quoted(text: str, start: int) -> str:
    """Return what begins somewhere in a text: up to the end, or to that of the quotes in which it stands."""
    mark = text[start - 1 : start]
    end = text.rfind(mark) if mark and mark in "`\"'" else -1
    return text[start : end if end > start else None]


def _folded(text: str) -> str:
    return " ".join(text[:MESSAGE_CHARACTERS].split())
