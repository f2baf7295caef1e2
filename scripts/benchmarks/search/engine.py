"""The search of the site without a browser, as the package that readers install runs it, on the scripts as they are here."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Mapping
from pathlib import Path

from verbatim.site.search import terms

ROOT = Path(__file__).parents[3]
SCRIPTS = ROOT / "docs/assets/search"
_SPEC = importlib.util.spec_from_file_location("searching", ROOT / "explain/src/pytorch_verbatim/searching.py")
searching = importlib.util.module_from_spec(_SPEC)  # the package need not be installed
_SPEC.loader.exec_module(searching)


def _with(script: str, constants: Mapping[str, str]) -> str:
    """Return a script whose constants have other numbers. A name that it does not have is a LookupError."""
    for name, number in constants.items():
        script, count = re.subn(rf"(?<=const {name} = )[\d.]+(?=;)", number, script)
        if count != 1:
            raise LookupError(f"engine.js has {count} constants {name}")
    return script


class Search(searching.Search):
    """The search of one language.

    Args:
        files: Names and texts, as `verbatim.site.search.index.files` makes them.
        language: The language of its pages.
        constants: Numbers that `engine.js` has otherwise: name → number, as JavaScript writes it.
    """

    def __init__(
        self, files: Mapping[str, str], language: str = "en", constants: Mapping[str, str] | None = None
    ) -> None:
        files_of = {name: SCRIPTS / name for name in searching.SCRIPTS} | {terms.SCRIPT.name: terms.SCRIPT}
        scripts = {name: path.read_text(encoding="utf-8") for name, path in files_of.items()}
        scripts["engine.js"] = _with(scripts["engine.js"], constants or {})
        super().__init__(scripts.values(), files.values(), language)
