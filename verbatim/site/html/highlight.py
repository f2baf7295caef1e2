"""Code blocks as HTML, made once for both languages: colouring them is a quarter of a page's time.

A page's blocks go to `pymdownx.superfences` as its catch-all custom fence, which hands what is new to superfences' own
way of showing code, and then marks calls.
"""

from __future__ import annotations

import json
from typing import Any

from pymdownx.superfences import highlight_validator

from verbatim.site import adapt
from verbatim.site.html import markup


class Blocks:
    """The coloured blocks of one build."""

    def __init__(self) -> None:
        self._made: dict[str, str] = {}

    def fence(self) -> dict[str, Any]:
        """Return the entry for superfences' option `custom_fences`."""
        return {"name": "*", "class": "", "format": self.format, "validator": highlight_validator}

    def format(self, source: str, language: str, css_class: str, options: Any, md: Any, **kwargs: Any) -> str:
        """Return a block as HTML."""
        key = json.dumps((source, language, css_class, options, kwargs), sort_keys=True, default=str)
        if key not in self._made:
            html = adapt.highlight(source, language, options, md, **kwargs)
            self._made[key] = markup.calls(html) if language == "python" else html
        return self._made[key]
