"""The site's search without a browser: its own scripts, run by mini-racer on the files of an index."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any

from py_mini_racer import MiniRacer

SCRIPTS = Path(__file__).parents[2] / "docs/assets/search"

#: What `open.js` makes in a browser, with every file of the index there already.
FRAME = """
var self = globalThis;
var verbatimSearch = {
  language: %s,
  arrived: {},
  loaded: [],
  load: async (name) => void verbatimSearch.loaded.push(name),
  prepare: async () => {},
  part: (version, name, data) => { verbatimSearch.arrived[name] = { version, data }; },
};
"""

ASK = """
var told;
var ask = (query) => {
  told = undefined;
  verbatimSearch.loaded = [];
  verbatimSearch.find(query).then(
    (found) => { told = JSON.stringify({ ...found, loaded: verbatimSearch.loaded }); },
    (error) => { told = JSON.stringify({ error: String(error.stack) }); },
  );
  return "";
};
"""


def _with(script: str, constants: Mapping[str, str]) -> str:
    """Return a script whose constants have other numbers. A name that it does not have is a LookupError."""
    for name, number in constants.items():
        script, count = re.subn(rf"(?<=const {name} = )[\d.]+(?=;)", number, script)
        if count != 1:
            raise LookupError(f"engine.js has {count} constants {name}")
    return script


class Search:
    """The search of one language.

    Args:
        files: Names and texts, as `verbatim.site.search.index.files` makes them.
        language: The language of its pages.
        constants: Numbers that `engine.js` has otherwise: name → number, as JavaScript writes it.
    """

    def __init__(
        self, files: Mapping[str, str], language: str = "en", constants: Mapping[str, str] | None = None
    ) -> None:
        self.engine = MiniRacer()
        self.engine.eval(FRAME % json.dumps(language))
        for name in ("words.js", "minisearch.js", "messages.js"):
            self.engine.eval((SCRIPTS / name).read_text(encoding="utf-8"))
        self.engine.eval(_with((SCRIPTS / "engine.js").read_text(encoding="utf-8"), constants or {}))
        for text in files.values():
            self.engine.eval(text)
        self.engine.eval(ASK)

    def __enter__(self) -> Search:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.engine.close()  # left to the garbage collector, it can hang when Python ends

    def ask(self, query: str) -> dict[str, Any]:
        """Return what a query finds (`results`, best first), whether that `fits`, and the files that it `loaded`."""
        self.engine.call("ask", query)
        answer: dict[str, Any] = json.loads(str(self.engine.eval("told")))
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def find(self, query: str) -> list[dict[str, Any]]:
        """Return the sections that a query finds, best first."""
        found: list[dict[str, Any]] = self.ask(query)["results"]
        return found
