"""Addresses of the site's own files with a hash of their content, so that browsers load a changed file anew."""

from __future__ import annotations

import hashlib
from pathlib import Path

from verbatim.site.output import SEARCH
from verbatim.site.search import terms


class AssetVersions:
    """Appends ``?v=`` and a hash to the addresses of files below ``docs/``. `docs`: that folder."""

    def __init__(self, docs: Path):
        self._docs = docs
        self._known: dict[str, str] = {}

    def __call__(self, path: str) -> str:
        """Return a file's address with its version; as it is where it is not there or has one already.

        Files in a folder of their own belong together: one that loads the others gives them its version.
        """
        if path not in self._known:
            file = self._docs / path
            try:
                together = [file] if file.parent.name == "assets" else [*file.parent.iterdir()]
                together += [terms.SCRIPT] if path.startswith(f"{SEARCH}/") else []
                text = b"".join(part.read_bytes() for part in sorted(together, key=lambda part: part.name))
                self._known[path] = f"{path}?v={hashlib.sha256(text).hexdigest()[:8]}"
            except OSError:
                self._known[path] = path
        return self._known[path]
