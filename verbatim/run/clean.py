"""Removes from outputs what depends on the machine and not on PyTorch: paths, addresses, control characters."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

from verbatim.run.job import Job

_TRIGGERED = re.compile(r" \(Triggered internally at [^)]*\)")

_SITE = re.compile(r"(?<![^\s'\"(])/[^\s'\"(]{0,300}/site-packages/")

#: The engine's own frames, in stacks that C++ writes: ``  verbatim/run/worker.py(178): _execute``.
_OWN = re.compile(r"^  (?:[^(\n]*verbatim/run/\w+\.py|<string>)\(\d+\): \S+\n?", re.MULTILINE)
#: The same in those of `faulthandler`, which begin with the innermost frame.
_BEHIND = re.compile(
    r"(?:^  File \"[^\"\n]*verbatim/run/\w+\.py\", line \d+ in [^\n]+\n)+"
    r"  File \"<string>\", line 1 in <module>(?:\n|\Z)",
    re.MULTILINE,
)

#: Frames of the functions that `reads` put in place of Python's.
_REPLACED = re.compile(r"^[^\n]*  File \"<verbatim>\", line \d+,? in \w+\n", re.MULTILINE)

_TEMPORARY = re.compile(r"/tmp/(?:…/)?[\w.+-]+|(?<=/tmp/…)/tmp\w{8}\b")

#: How lines of torch's log begin, Python's and C++'s: level, date and time, process. The level stays.
_LOG = re.compile(r"^((?:\[rank\d+\]:)?\[?[VIWEFC])\d{4} \d\d:\d\d:\d\d\.\d+(?: \d+)? ", re.MULTILINE)
#: torch's log names its own files from the first folder of `sys.path` above them, which may be the project's.
_LOGGED = re.compile(r"^((?:\[rank\d+\]:)?\[?[VIWEFC] )[^\s\])]{0,300}/site-packages/", re.MULTILINE)
#: How lines of the profiler's log begin: level, date and time, process and thread. The level stays.
_PROFILED = re.compile(r"^([A-Z]{2,10}:)\d{4}-\d\d-\d\d \d\d:\d\d:\d\d \d+:\d+ ", re.MULTILINE)
#: Builds with CUDA warn on a machine that has the CUDA compiler and no GPU.
_COMPILER = re.compile(r"^[^\n]*\bNo CUDA runtime is found, using CUDA_HOME='[^'\n]*'\n", re.MULTILINE)
#: What a terminal obeys: colours and moves (CSI), links and titles (OSC, which end with BEL or ST), character sets. Of
#: a link its text stays.
_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)|[()][0-9A-Z])")

#: Control characters are shown, not obeyed: C0 and DEL as pictures, bidirectional ones as escapes.
_CONTROLS: dict[int, str] = {c: chr(0x2400 + c) for c in range(32) if chr(c) not in "\n\t"} | {127: "\u2421"}

_CONTROLS |= {
    c: f"\\u{c:04x}" for c in (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)
}

_CONTROLS |= {c: f"\\x{c:02x}" for c in range(0x80, 0xA0)}
_CONTROLS |= {c: f"\\u{c:04x}" for c in range(0xE000, 0xF900)}  # private use: they mean what each program likes

#: What stands before a script's frame in a stack that is printed whole: the fork server and the engine. Alone, the
#: script would be the first frame. Each line may stand behind a log's mark.
_BELOW = re.compile(
    r"^(?P<log>[^\n]*\] |)  File \"<string>\", line 1, in <module>\n"
    r"(?:(?P=log)    [^\n]*\n)*"  # since Python 3.13
    r"(?:(?P=log)  File \"(?:[^\"]*/)?verbatim/run/\w+\.py\", line \d+, in \w+\n"
    r"(?:(?P=log)    [^\n]*\n)*)+",
    re.MULTILINE,
)


def visible(text: str) -> str:
    """Replace control characters by visible ones, and unpaired surrogates, which cannot be encoded, by escapes."""
    return text.translate(_CONTROLS).encode("utf-8", "backslashreplace").decode()


class Cleaner:
    """Cleans the outputs of one run."""

    def __init__(self, job: Job):
        paths = {
            str(Path(job.scratch, "cwd")): "…",
            str(Path(job.scratch, "tmp")): "/tmp/…",
            job.scratch: "/tmp/…",
            os.path.realpath(job.scratch): "/tmp/…",
            job.root + os.sep: "",
            sys.base_prefix: "…/python",
            sys.prefix: "…/python",
        }
        # faulthandler writes letters beyond ASCII as escapes
        paths |= {path.encode("ascii", "backslashreplace").decode(): name for path, name in paths.items()}
        self.paths = sorted(paths.items(), key=lambda item: -len(item[0]))

    def __call__(self, text: str) -> str:
        text = _ANSI.sub("", text.replace("\r\n", "\n"))
        text = _PROFILED.sub(r"\1 ", text)
        text = _LOG.sub(r"\1 ", _TRIGGERED.sub("", _COMPILER.sub("", text)))
        text = _SITE.sub("…/site-packages/", text)  # before the root is cut off: the environment lies below it
        for path, name in self.paths:
            text = text.replace(path, name)
        text = _BEHIND.sub("", _OWN.sub("", _LOGGED.sub(r"\1", text)))
        text = _TEMPORARY.sub("/tmp/…", text)
        text = re.sub(r"0x[0-9a-fA-F]{6,16}\b", "0x…", text)
        text = _REPLACED.sub("", _BELOW.sub("", text))
        return visible(text)
