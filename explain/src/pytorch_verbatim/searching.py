"""The search of the site without a browser: its own scripts and index, run by mini-racer.

The package finds with it what the site finds, in the same order. The benchmarks of the search measure with it, too.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Iterable
from typing import Any

#: The site's scripts that a search needs, in the order in which they are run.
SCRIPTS = ("words.js", "minisearch.js", "messages.js", "engine.js")

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
    ({ results, terms, ...about }) => {
      const quoted = (one) => ({ ...one, excerpt: verbatimSearch.excerpt(one, terms) });
      told = JSON.stringify({ ...about, results: results.map(quoted), loaded: verbatimSearch.loaded });
    },
    (error) => { told = JSON.stringify({ error: String(error.stack) }); },
  );
  return "";
};
"""


class Search:
    """The search of one language. To be closed: left to the garbage collector, the engine can hang when Python ends.

    Args:
        scripts: The texts of `SCRIPTS`.
        files: The texts of the index.
        language: The language of its pages.

    Raises:
        ImportError: mini-racer is not installed.
    """

    def __init__(self, scripts: Iterable[str], files: Iterable[str], language: str) -> None:
        from py_mini_racer import MiniRacer

        self.engine = MiniRacer()
        self._asking = threading.Lock()
        self.engine.eval(FRAME % json.dumps(language))
        for text in (*scripts, *files, ASK):
            self.engine.eval(text)

    def __enter__(self) -> Search:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the engine."""
        self.engine.close()

    def ask(self, query: str) -> dict[str, Any]:
        """Return what a query finds.

        Returns:
            ``results``: sections, best first, with their texts and an ``excerpt``, what it is of and a line;
            ``fits``: whether one of them is likely to answer; ``unknown``: whether the query is a message that no page
            shows; ``strange``: whether it has a word that no page has; ``loaded``: the files that a browser would
            fetch of the index.
        """
        with self._asking:
            self.engine.call("ask", query)
            answer: dict[str, Any] = json.loads(str(self.engine.eval("told")))
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return answer

    def find(self, query: str) -> list[dict[str, Any]]:
        """Return the sections that a query finds, best first."""
        results: list[dict[str, Any]] = self.ask(query)["results"]
        return results
