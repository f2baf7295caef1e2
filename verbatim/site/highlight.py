"""Code blocks as HTML, kept between builds and shared by the languages: colouring them is a quarter of a page's time.

A page's blocks go to `pymdownx.superfences` as its catch-all custom fence, which hands what is new to superfences' own
way of showing code, and then marks calls. So a kept block is, byte for byte, what would be made of it again.
"""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
from functools import cached_property
from pathlib import Path
from typing import Any

from pymdownx.superfences import highlight_validator

from verbatim import store
from verbatim.site import markup


class Coloured:
    """The blocks of one site.

    Args:
        folder: Where they are kept.
        settings: The options of `pymdownx.highlight`.
    """

    def __init__(self, folder: Path, settings: Any = None):
        versions = [importlib.metadata.version(name) for name in ("pygments", "pymdown-extensions")]
        makers = (Path(file).read_text(encoding="utf-8") for file in (__file__, markup.__file__))
        key = repr((versions, settings)) + "".join(makers)
        self._path = store.file(folder, "code", key, "json")
        self._used: dict[str, str] = {}

    @cached_property
    def _kept(self) -> dict[str, str]:
        return store.load(self._path)

    @property
    def fence(self) -> dict[str, Any]:
        """The entry for superfences' option `custom_fences`."""
        return {"name": "*", "class": "", "format": self.block, "validator": highlight_validator}

    def block(self, source: str, language: str, css_class: str, options: Any, md: Any, **kwargs: Any) -> str:
        """Return a block as HTML."""
        asked = json.dumps((source, language, css_class, options, kwargs), sort_keys=True, default=str)
        key = hashlib.sha256(asked.encode()).hexdigest()[:24]
        if key not in self._used:
            self._used[key] = self._kept.get(key) or self._new(source, language, options, md, **kwargs)
        return self._used[key]

    @staticmethod
    def _new(source: str, language: str, options: Any, md: Any, **kwargs: Any) -> str:
        html = md.preprocessors["fenced_code_block"].highlight(source, language, options, md, **kwargs)
        return markup.calls(html) if language == "python" else str(html)

    def keep(self, *, whole: bool) -> None:
        """Write down the blocks that were used; beside the others, unless `whole`: they are all that the site has."""
        if self._used.keys() - self._kept.keys() or (whole and self._used != self._kept):
            store.save(self._path, self._used if whole else {**self._kept, **self._used})
