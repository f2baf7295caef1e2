"""How soon the first result is there: one built site beside another, in Chromium.

    python -m scripts.benchmarks.search.latency --site site --beside ../before/site [--language en] [--queries 24]

Each query is asked of both sites in turn, so that a busy machine slows both alike: what holds anywhere is the ratio, the
milliseconds only on a quiet machine. Cold is the first search of a fresh browser, with the dialog and the engine to be
fetched; warm is every later one. Both sites are served by this process, without compression.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median
from threading import Thread

from playwright.sync_api import Page, sync_playwright

from scripts.benchmarks.search.measure import QUERY_LISTS
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.project import find_root

#: Search for a query, in the dialog or, where there is none yet, by opening it. Return how many milliseconds later the first
#: result stands there.
ASK = """async (query) => {
    const field = document.querySelector(".vs-field");
    document.querySelector(".vs-results")?.replaceChildren();
    const there = new Promise((resolve) => {
        const seen = new MutationObserver(() => document.querySelector(".vs-result") && (seen.disconnect(), resolve()));
        seen.observe(document.body, { childList: true, subtree: true });
    });
    const start = performance.now();
    if (field) {
        field.value = query;
        field.dispatchEvent(new InputEvent("input"));
    } else {
        await verbatimSearch.dialog();
        await verbatimSearch.open(async () => ({ text: query }));
    }
    await there;
    return performance.now() - start;
}"""


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Say nothing of each request."""


@contextmanager
def served(site: Path) -> Iterator[str]:
    """Serve a folder while the context lasts; the value is its address."""
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(site))) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/"
        server.shutdown()


def queries(language: str, count: int) -> list[str]:
    """Return so many questions of the lists that some page answers, spread over them."""
    rows = [row for path in sorted(QUERY_LISTS.glob("*.json")) for row in json.loads(path.read_text(encoding="utf-8"))]
    asked = [row["query"] for row in rows if row.get("lang") == language and row["topics"]]
    return asked[:: max(1, len(asked) // count)][:count]


def waits(pages: Sequence[Page], asked: Sequence[str]) -> list[list[float]]:
    """Return the milliseconds of each query on each page, which shows its site's home: first cold, then warm."""
    return [[page.evaluate(ASK, query) for page in pages] for query in asked]


def ratio(pairs: Sequence[Sequence[float]]) -> float:
    """Return the median of how many times as long the first of each pair takes as the second."""
    return median(one / other for one, other in pairs)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, default=find_root() / "site", help="the built site (%(default)s)")
    parser.add_argument("--beside", type=Path, required=True, help="the built site that it is compared with")
    parser.add_argument("--language", choices=DEFAULT_LANGUAGES.all, default=DEFAULT_LANGUAGES.default)
    parser.add_argument("--queries", type=int, default=24, help="how many are asked (%(default)s)")
    parser.add_argument("--rounds", type=int, default=5, help="how many fresh browsers of each site (%(default)s)")
    parser.add_argument("--browser", type=Path, help="a Chromium (Playwright's own)")
    options = parser.parse_args()
    home = DEFAULT_LANGUAGES.folder(options.language)
    asked = queries(options.language, options.queries)
    cold: list[list[float]] = []
    warm: list[list[float]] = []
    with ExitStack() as stack:
        addresses = [stack.enter_context(served(site)) for site in (options.site, options.beside)]
        browser = stack.enter_context(sync_playwright()).chromium.launch(executable_path=options.browser)
        for number in range(options.rounds):
            pages = [browser.new_context().new_page() for _ in addresses]
            for page, address in zip(pages, addresses, strict=True):
                page.goto(address + home, wait_until="networkidle")
            turned = [*asked[number:], *asked[:number]]
            first, *others = waits(pages, turned)
            cold.append(first)
            warm += others
            for page in pages:
                page.context.close()
        browser.close()
    print("| first result | this site, ms | the other, ms | times as long |\n|---|--:|--:|--:|")
    for name, pairs in (("cold", cold), ("warm", warm)):
        one, other = (median(column) for column in zip(*pairs, strict=True))
        print(f"| {name} | {one:.0f} | {other:.0f} | {ratio(pairs):.2f} |")


if __name__ == "__main__":
    main()
