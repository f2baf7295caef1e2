"""The search, in a real browser, against Material's own (as it comes, and tuned), Pagefind and Zensical's on the same pages.

    python -m benchmarks.search [--site site] [--only ours,pagefind] [--queries …] [--most 20] [--timed 30]
    python -m benchmarks.search --quick [--site site] [--queries …] [--missed]

Quick: our own scripts without a browser, all lists at once, in seconds; no times and bytes. It also asks for what pages' titles
name (`where`, `torch.where`, `x.where()`), for every message that pages show (with other numbers, behind a traceback on one line),
and for what no page is about, where the dialog should say so.

In a browser, too, all lists are asked, or so many queries of each (`--most`). A topic is the id of a heading: a result on a
page with that heading is a hit. Queries whose topics are not written yet are skipped. The first queries of the first list are
asked once more, for times and bytes: each in a new browser context, where nothing is cached, and inserted at once, as if
pasted, right after the page has loaded (after the dialog has opened, where there is one). Bytes are those of the bodies, with
gzip, of what only the search needs, up to its results; of Material's bundle, which shows its results, nothing is counted.
Times are of this machine: compare them within a table.

Tuned: jieba, no stemmer, a separator that splits names, and no overviews. Pagefind, too, gets no overviews: pages that list
others, which ours puts last; it is asked without an interface. Material has one index for both languages: a page in the other
one counts as a hit.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import statistics
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from benchmarks.repository import build
from benchmarks.searches import Engine, engines
from scripts.browser import present
from tests.browser.conftest import ARGUMENTS
from tests.browser.server import serving
from tests.searching import Search
from verbatim.project import LANGUAGES, find_root
from verbatim.site.search import SHOWN, names_of

ENGINES = ("ours", "material", "tuned", "pagefind", "zensical")
COLUMNS = ("search", "lang", "queries", "KB", "most KB", "requests", "ms", "most ms", "again ms")

#: The queries of one kind: text, and the addresses of the pages that answer.
Asked = list[tuple[str, set[str]]]


@dataclass
class Cost:
    """What one query cost in a browser that had nothing of the search yet."""

    ms: float
    """From the insertion of the query to its first result."""
    again_ms: float
    """The same once more, everything being loaded."""
    bytes: int
    requests: int


@dataclass
class Tally:
    """How well some queries were answered."""

    count: int = 0
    first: int = 0
    five: int = 0
    zero: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, query: str, wanted: set[str], found: list[str]) -> None:
        self.count += 1
        self.first += bool(wanted & set(found[:1]))
        self.five += bool(wanted & set(found[:5]))
        self.zero += not found
        if not wanted & set(found[:1]):
            self.missed.append(f"{query} → {' '.join(found[:3])}")

    def __str__(self) -> str:
        return f"{self.first / self.count:.0%} · {self.five / self.count:.0%} · {self.zero}"


# -- Queries --------------------------------------------------------------------------------------


def topics(site: Path) -> dict[str, dict[str, set[str]]]:
    """Return language → id of a heading → the pages that have it, as paths from the site's root."""
    found: dict[str, dict[str, set[str]]] = {language: {} for language in LANGUAGES}
    for path in sorted(site.rglob("index.html")):
        name = path.parent.relative_to(site).as_posix()
        if name.split("/")[-1] == "notebook":
            continue
        language = "en" if name.split("/")[0] == "en" else "zh"
        for heading in re.findall(r'<h[1-6][^>]*\bid="([^"]+)"', path.read_text()):
            found[language].setdefault(heading, set()).add(name)
    return found


def load(path: Path, language: str, places: dict[str, set[str]]) -> Asked:
    """Return a list's queries that a page answers, and those that none should."""
    found = []
    for query in json.loads(path.read_text()):
        urls = set().union(*(places.get(topic, ()) for topic in query["topics"]))
        if query["lang"] == language and (urls or not query["topics"]):
            found.append((query["query"], urls))
    return found


# -- Without a browser ----------------------------------------------------------------------------

TRACEBACK = (
    '[rank0]: Traceback (most recent call last): [rank0]: File "/home/u/train.py", line 41, in <module> main() '
    "[rank0]: for images, labels in DataLoader(data, num_workers=4): [rank0]: "
)
MESSAGE = re.compile(r"(?:\S+: )?((?:\w+\.)*\w*(?:Error|Warning|Exception): .{12,})")


def texts(site: Path, language: str) -> tuple[dict[str, str], list[list]]:
    """Return the files of a language's index, and of each page that answers its address and sections."""
    files = {path.name: path.read_text() for path in sorted((site / "assets/search" / language).glob("*.js"))}
    overviews = set(json.loads(_data(files["index.js"]))["overviews"])
    count = sum(name.startswith("page-") for name in files)
    return files, [json.loads(_data(files[f"page-{i}.js"])) for i in range(count) if i not in overviews]


def _data(text: str) -> str:
    return text.split(",", 2)[2].rstrip().removesuffix(")")


def names(pages: list[list], known: frozenset[str]) -> Asked:
    """Return the names of titles, each written in three ways."""
    found: dict[str, set[str]] = {}
    for url, sections in pages:
        for name in names_of(sections[0][1], known):
            found.setdefault(name, set()).add(url.strip("/"))
    return [(form.format(name), urls) for name, urls in found.items() for form in ("{}", "torch.{}", "x.{}()")]


def messages(pages: list[list]) -> Asked:
    """Return the messages that pages show, with other numbers."""
    found: dict[str, tuple[str, set[str]]] = {}
    for url, sections in pages:
        for section in sections:
            for line in section[SHOWN.index("messages") + 1].splitlines():
                if match := MESSAGE.match(line):
                    other = re.sub(r"\d+", lambda n: str((int(n[0][:6]) + 7) % 97 + 2), match[1])
                    found.setdefault(re.sub(r"\d+", "0", match[1]), (other, set()))[1].add(url.strip("/"))
    return list(found.values())


def quick(site: Path, lists: list[Path], missed: bool) -> None:
    """Print what our search finds, list by list."""
    places = topics(site)
    known = frozenset(re.findall(r">torch(?:\.\w+)*\.(\w+)<", (site / "ways/names/index.html").read_text()))
    print(
        "|".join(("", "queries", "lang", "count", "hit@1", "hit@5", "zero", "nothing fits", "")),
        "|---" * 7 + "|",
        sep="\n",
    )
    for language in LANGUAGES:
        files, pages = texts(site, language)
        kinds: dict[str, Asked] = {}
        for path in lists:
            kinds[path.stem] = load(path, language, places[language])
        told = messages(pages)
        kinds |= {"names": names(pages, known), "messages": told}
        kinds["messages on one line"] = [(TRACEBACK + text, urls) for text, urls in told]
        with Search(files, language) as search:
            for kind, queries in kinds.items():
                _quickly(search, kind, language, queries, missed)


def _quickly(search: Search, kind: str, language: str, queries: Asked, missed: bool) -> None:
    tally, unfit = Tally(), 0
    for text, urls in queries:
        answer = search.ask(text)
        tally.add(text, urls, [one["url"].strip("/") for one in answer["results"]])
        unfit += not answer["fits"]
    if tally.count:
        hits = f"{tally.first / tally.count:.0%} | {tally.five / tally.count:.0%} | {tally.zero}"
        print(f"| {kind} | {language} | {tally.count} | {hits} | {unfit / tally.count:.0%} |")
    if missed:
        print(*(f"    {language}: {line}" for line in tally.missed), sep="\n")


# -- In a browser ---------------------------------------------------------------------------------


def answers(browser: Browser, engine: Engine, lists: dict[str, dict[str, Asked]]) -> dict[tuple[str, str], Tally]:
    """Ask all queries of a language on one page, one after the other; return list and language → how that went."""
    tallies: dict[tuple[str, str], Tally] = {}
    with serving(engine.site) as base:
        for language in LANGUAGES:
            page = _opened(browser, engine, base, language)
            for name, queries in lists[language].items():
                for text, urls in queries:
                    found = _pages(engine.ask(page, text)[0])
                    if engine.mixed:
                        found, urls = [_either(one) for one in found], set(map(_either, urls))
                    tallies.setdefault((name, language), Tally()).add(text, urls, found)
            page.context.close()
    return tallies


def costs(browser: Browser, engine: Engine, language: str, queries: Asked) -> list[Cost]:
    """Ask each query in a browser context of its own, twice."""
    found = []
    sent: list[tuple[str, int]] = []
    with serving(engine.site, sent=sent) as base:
        for text, _ in queries:
            sent.clear()
            page = _opened(browser, engine, base, language)
            try:
                urls, ms = engine.ask(page, text)
                needed = [size for path, size in sent if engine.files.search(path)]
                again = engine.ask(page, text)[1] if urls else ms
                found.append(Cost(ms, again, sum(needed), len(needed)))
            except TimeoutError as error:
                print(f"    {engine.name}, {language}: {text}: {error}")
            page.context.close()
    return found


def _opened(browser: Browser, engine: Engine, base: str, language: str) -> Page:
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(base + ("en/" if language == "en" else ""), wait_until="load")
    engine.open(page)
    return page


def _pages(urls: list[str]) -> list[str]:
    """Return addresses as paths from the site's root, without places on pages."""
    names = [re.sub(r"[?#].*", "", re.sub(r"^(https?://[^/]+)?/", "", url)).strip("/") for url in urls]
    return [re.sub(r"/?index\.html$", "", name) for name in names]


def _either(page: str) -> str:
    """Return a page's path without its language."""
    return page.removeprefix("en").removeprefix("/")


def table(found: dict[str, dict[tuple[str, str], Tally]]) -> Iterator[str]:
    """Return how all lists were answered, a column a search, as lines of Markdown."""
    yield "|".join(("", "queries", "lang", "count", *found, ""))
    yield "|---" * (3 + len(found)) + "|"
    for name, language in next(iter(found.values())):
        tallies = [one[name, language] for one in found.values()]
        yield f"| {name} | {language} | {tallies[0].count} | {' | '.join(map(str, tallies))} |"


def line(engine: Engine, language: str, asked: list[Cost]) -> str:
    """Return the costs of one search as a line of Markdown."""
    first = sorted(one.ms for one in asked if one.ms >= 0) or [0.0]
    again = [one.again_ms for one in asked if one.again_ms >= 0] or [0.0]
    sizes = sorted(one.bytes for one in asked)
    return (
        f"| {engine.name} | {language} | {len(asked)} "
        f"| {statistics.median(sizes) / 1000:.0f} | {sizes[-1] / 1000:.0f} "
        f"| {statistics.median(one.requests for one in asked):.0f} "
        f"| {statistics.median(first):.0f} | {first[-1]:.0f} | {statistics.median(again):.0f} |"
    )


def some(queries: Asked, most: int) -> Asked:
    """Return at most so many queries, spread over all."""
    return queries[:: math.ceil(len(queries) / most) or 1]


def compare(root: Path, lists: list[Path], options: argparse.Namespace) -> None:
    """Print what each search finds, and what it costs."""
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        site = options.site
        if site is None:
            site = folder / "ours"
            build(root / "mkdocs.yml", site)
        places = topics(site)
        asked = {
            language: {path.stem: some(load(path, language, places[language]), options.most) for path in lists}
            for language in LANGUAGES
        }
        browser = playwright.chromium.launch(executable_path=present(), args=list(ARGUMENTS))
        found, lines = {}, []
        for engine in engines(set(options.only.split(",")), root, site, folder):
            found[engine.name] = answers(browser, engine, asked)
            for language in LANGUAGES:
                if cost := costs(browser, engine, language, asked[language][lists[0].stem][: options.timed]):
                    lines.append(line(engine, language, cost))
                    print(lines[-1], flush=True)
            if options.missed:
                print(*(f"    {key[1]}: {one}" for key, t in found[engine.name].items() for one in t.missed), sep="\n")
        browser.close()
    print("First · among five (% of queries) · without a result", "", *table(found), "", sep="\n")
    print("|".join(("", *COLUMNS, "")), "|---" * len(COLUMNS) + "|", *lines, sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, help="a site that is built already")
    parser.add_argument("--only", default=",".join(ENGINES), help="searches to measure (%(default)s)")
    parser.add_argument("--queries", type=Path, nargs="+", help="lists of queries; without it, all of tests/data")
    parser.add_argument("--most", type=int, default=10_000, help="how many queries of each list and language are asked")
    parser.add_argument("--timed", type=int, default=30, help="how many queries a language are timed (%(default)s)")
    parser.add_argument("--missed", action="store_true", help="list the queries whose first result is no hit")
    parser.add_argument("--quick", action="store_true", help="without a browser")
    options = parser.parse_args()
    root = find_root()
    lists = options.queries or sorted((root / "tests/data").glob("search-queries*.json"), key=lambda path: path.stem)
    if options.quick:
        quick(options.site or root / "site", lists, options.missed)
    else:
        compare(root, lists, options)


if __name__ == "__main__":
    main()
