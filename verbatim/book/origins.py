"""The sources of quoted messages (`origin=`), and whether a source on this machine contains the quotation.

An origin is one of these:

- a file of an installed package, such as ``torch/cuda/__init__.py``: it is read, and must contain the message;
- a file of PyTorch's source that the package has as a header, such as ``c10/util/Exception.h``: likewise;
- another file of PyTorch's source, such as ``c10/cuda/CUDAFunctions.cpp``: it cannot be read here;
- a file of another project's release, ``LLVM OpenMP 20.1.8: openmp/runtime/src/i18n/en_US.txt``: neither can this;
- an address, ``https://…``.
"""

from __future__ import annotations

import functools
import re
import sysconfig
from pathlib import Path

#: Another project, its version, and the file or the call that has the message.
OTHER_PROJECT = re.compile(r"(?P<project>[A-Za-z][\w. +-]*?) (?P<version>\d[\w.+-]*): (?P<place>\S.*)")
#: A file of PyTorch's source, or of an installed package.
SOURCE_FILE = re.compile(r"[\w.-]+(?:/[\w.+-]+)+")
#: What stands between two parts of one text in C++ and Python: quotation marks, and the line's end between them.
_STRING_SEAM = re.compile(r"""["']\s*\n\s*(?:f|r|<<\s*)?["']""")


def well_formed(origin: str) -> bool:
    """Whether an origin has one of the forms above."""
    return origin.startswith("https://") or bool(OTHER_PROJECT.fullmatch(origin) or SOURCE_FILE.fullmatch(origin))


@functools.cache
def installed(origin: str) -> Path | None:
    """Return the installed file that an origin names, or ``None``."""
    if not SOURCE_FILE.fullmatch(origin):
        return None
    packages = Path(sysconfig.get_path("purelib"))
    headers = packages / "torch" / "include"
    tried = (packages / origin, headers / origin, headers / origin.removeprefix("aten/src/"))
    return next((path for path in tried if path.is_file()), None)


def lacks(says: str, text: str) -> str:
    """Return the first part of a message that a source does not contain; empty if it contains all of them.

    The parts lie between ``…``, which stands for values that the source inserts.
    """
    source = _STRING_SEAM.sub("", text).replace("\\n", " ")
    parts = (part.strip() for part in says.split("…"))
    return next((part for part in parts if part and part not in source), "")
