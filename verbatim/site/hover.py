"""The data of hover cards: signatures of PyTorch's names, and terms of the glossary. Pure.

`docs/assets/hover.js` loads these files when a reader points at a name or a term.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from typing import Any

from verbatim.lists.signatures import Described

#: From the site's root; `{}` is ``names``, or the language of terms. Scripts, because a page that is opened from
#: a folder may not read other files.
FILE = "assets/hover-{}.js"
#: The name that an address in PyTorch's documentation ends with.
_ADDRESS_NAME = re.compile(r"(?:#|/generated/)(?P<name>torch\.[\w.]+?)(?:\.html)?$")

#: Word of the glossary → its counterpart, and the title of the page that explains it.
Words = Mapping[str, tuple[str, str]]


def files(described: Described, address: Callable[[str], str], terms: Mapping[str, Words]) -> dict[str, str]:
    """Return path from the site's root → text: of names, and of the terms of each language.

    Args:
        described: What is known of names.
        address: Returns the address of a code span in PyTorch's documentation, or nothing.
        terms: Language → its terms.
    """
    data: dict[str, Any] = {"names": _names(described, address), **terms}
    return {FILE.format(kind): f'verbatimHover("{kind}",{_json(value)});\n' for kind, value in data.items()}


def _names(described: Described, address: Callable[[str], str]) -> list[dict[str, Any]]:
    """Return name → its signature and summary, and names as addresses spell them → names."""
    known = {name: [signature, summary] for name, signature, summary in described.values() if signature or summary}
    ends = {text: _ADDRESS_NAME.search(address(text)) for text in described}
    called = {end["name"]: described[text][0] for text, end in ends.items() if end and end["name"] not in known}
    return [dict(sorted(known.items())), dict(sorted(called.items()))]


_json = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
