"""What pages show of a name that is pointed at. `docs/assets/hover.js` loads it when that happens first. Pure."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from verbatim.lists.signatures import Described

#: From the site's root. A script, because a page that is opened from a folder may not read other files.
FILE = "assets/hover-names.js"
#: The name that an address in PyTorch's documentation ends with.
_NAMED = re.compile(r"(?:#|/generated/)(?P<name>torch\.[\w.]+?)(?:\.html)?$")


def script(
    described: Described, address: Callable[[str], str], terms: Mapping[str, Mapping[str, tuple[str, str]]]
) -> str:
    """Return the file's text: name → its signature and summary; names in addresses → names; terms.

    Args:
        described: What is known of names.
        address: Returns the address of a code span in PyTorch's documentation, or nothing.
        terms: Language → word of the glossary → its counterpart, and the title of the page that explains it.
    """
    known = {name: [signature, summary] for name, signature, summary in described.values() if signature or summary}
    ends = {text: _NAMED.search(address(text)) for text in described}
    called = {end["name"]: described[text][0] for text, end in ends.items() if end and end["name"] not in known}
    data = [dict(sorted(known.items())), dict(sorted(called.items())), terms]
    return f"verbatimHover({json.dumps(data, ensure_ascii=False, separators=(',', ':'))});\n"
