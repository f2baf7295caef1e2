"""The library that a book is about: torch, unless `mkdocs.yml` says another as the plugin's option ``library``."""

from __future__ import annotations

import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field

#: The most bytes of a list. PyTorch's has some 200 KiB.
LARGEST = 64 << 20
#: What a page's foot names: key of an environment → as it is written, the library first.
PACKAGES = {"torch": "torch", "python": "Python", "numpy": "NumPy", "matplotlib": "Matplotlib"}
#: A line of Sphinx's list: name, domain and role, priority, address, title.
_LISTED = re.compile(r"(?P<name>\S+) py:\w+ -?\d+ (?P<address>\S+) .*")


@dataclass(frozen=True)
class Library:
    """The library that a book is about."""

    package: str = "torch"
    """A key of `PACKAGES`."""
    inventory: str = ""
    """Sphinx's list of what it documents, ``objects.inv``: a file from the project's root. torch needs none."""
    documentation: str = ""
    """The address that the list's addresses begin with."""
    aliases: Mapping[str, str] = field(default_factory=dict)
    """Abbreviations in scripts and pages, such as ``np`` for ``numpy``."""

    def ran(self, environment: Mapping[str, str]) -> str:
        """Return what printed outputs, such as ``torch 2.13.0``; empty where that is not known."""
        version = environment.get(self.package, "")
        return f"{PACKAGES[self.package]} {version}" if version else ""

    def beside(self, environment: Mapping[str, str]) -> str:
        """Return what else matters for the outputs, such as ``Python 3.11.9 · NumPy 2.4.0``."""
        others = [key for key in PACKAGES if key not in ("torch", self.package)]
        return " · ".join(f"{PACKAGES[key]} {environment[key]}" for key in others)


def read(options: object) -> Library:
    """Return the library that the plugin's option ``library`` names. What is wrong with it is told by `check`."""
    if not isinstance(options, dict) or options.get("package") not in PACKAGES:
        return Library()
    texts = {key: str(options.get(key) or "") for key in ("package", "inventory", "documentation")}
    aliases = options.get("aliases")
    return Library(**texts, aliases=aliases if isinstance(aliases, dict) else {})


def inventory(data: bytes) -> dict[str, str]:
    """Return name → address, of each Python name in Sphinx's list ``objects.inv``.

    Raises:
        ValueError: It is no such list.
    """
    head, *rest = data.split(b"\n", 4)
    if head != b"# Sphinx inventory version 2" or len(rest) < 4:
        raise ValueError("it is no list of Sphinx, version 2")
    try:
        unpacking = zlib.decompressobj()
        lines = unpacking.decompress(rest[3], LARGEST).decode().splitlines()
        if not unpacking.eof:
            raise ValueError("it is damaged, or larger than any such list")
    except (zlib.error, UnicodeDecodeError) as error:
        raise ValueError("it is damaged") from error
    found = (match for line in lines if (match := _LISTED.fullmatch(line)))
    return {match["name"]: re.sub(r"\$$", match["name"], match["address"]) for match in found}
