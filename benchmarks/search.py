"""The search, in a real browser, against Material's own (as it comes, and tuned) and Pagefind on the same pages.

    python -m benchmarks.search [--site site] [--only ours] [--queries tests/data/search-queries.json]
    python -m benchmarks.search --quick [--site site] [--queries …] [--missed]

Quick: our own scripts without a browser, all lists at once, in seconds; no times and bytes. It also asks for what pages' titles
name (`where`, `torch.where`, `x.where()`), for every message that pages show (with other numbers, behind a traceback on one line),
and for what no page is about, where the dialog should say so.

Tuned: jieba, no stemmer, a separator that splits names, and no overviews. Pagefind, too, gets no overviews: pages that list
others, which ours puts last.

Every query is a new browser context: nothing is cached. It is inserted at once, as if pasted, right after the page has
loaded (with ours, after the dialog has opened). A topic is the id of a heading: a result on a page with that heading is
a hit. Queries whose topics are not written yet are skipped. Bytes are those of the bodies, with gzip, of what only the
search needs, up to its results; of Material's bundle, which shows its results, nothing is counted. Pagefind is asked
without an interface. Times are of this machine: compare them within a table.

Pagefind comes from npm, jieba (which lets Material's search split Chinese) from PyPI; both go into `build/benchmarks`.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, Page, TimeoutError, sync_playwright

from benchmarks.repository import build, plain
from scripts.browser import present
from tests.browser.conftest import ARGUMENTS
from tests.browser.server import serving
from tests.searching import Search
from verbatim.project import LANGUAGES, find_root
from verbatim.site.search import SHOWN, names_of

PAGEFIND = "pagefind@1.6.0"
JIEBA = "jieba==0.42.1"
SEPARATOR = r"""[\s\u200b\u3000\-、。，．？！；：（）“”《》,:;!=\[\](){}"'`/*+<>|\\]+|\.(?!\d)|&[lg]t;"""
#: Milliseconds without a result after which there is none.
PATIENCE = 8000
NOTHING = -1.0
COLUMNS = (
    "search",
    "lang",
    "queries",
    "hit@1",
    "hit@5",
    "zero",
    "KB",
    "most KB",
    "requests",
    "ms",
    "most ms",
    "again ms",
)


@dataclass
class Answer:
    """What one query got."""

    urls: list[str]
    """Pages, best first."""
    ms: float
    """From the insertion of the query to its first result."""
    again_ms: float
    """The same once more, everything being loaded: a letter removed and put back."""
    bytes: int
    requests: int


@dataclass(frozen=True)
class Engine:
    """A search on a built site."""

    name: str
    site: Path
    files: re.Pattern[str]
    """Which files only the search loads."""
    ask: Callable[[Page, str], tuple[list[str], float, float]]


@dataclass
class Tally:
    """The answers to the queries of one language."""

    hit1: int = 0
    hit5: int = 0
    zero: int = 0
    answers: list[Answer] = field(default_factory=list)
    missed: list[str] = field(default_factory=list)


# -- The sites ------------------------------------------------------------------------------------


def material(config: Path, site: Path, options: str, jieba: str) -> None:
    """Build the same pages in Material's own frame with its search."""
    text = config.read_text()
    text = re.sub(r"^  custom_dir: .*\n", "", text, flags=re.MULTILINE)
    text = re.sub(r"^extra_(css|javascript):\n(?:  .*\n)+", "", text, flags=re.MULTILINE)
    text = re.sub(r"^  - search\n", "", text, flags=re.MULTILINE)
    text = text.replace("\nplugins:\n", f"\nplugins:\n  - search{options}\n")
    own = config.with_name("material.yml")
    own.write_text(text)
    build(own, site, jieba)


def overviews(docs: Path) -> Iterator[Path]:
    """Return the pages that only lead to others."""
    yield from (path for path in sorted(docs.rglob("*.md")) if path.stem == "index" or path.parent.name == "ways")


def pagefind(site: Path, copy: Path, tools: Path, docs: Path) -> None:
    """Index a copy of the site, the text of the pages without their frame. What is not indexed is put back."""
    shutil.copytree(site, copy)
    for path in overviews(docs):
        name = path.relative_to(docs).as_posix().removeprefix("zh/").removesuffix(".md").removesuffix("index")
        (copy / name / "index.html").unlink(missing_ok=True)
    for path in copy.rglob("notebook/index.html"):
        path.unlink()
    shutil.rmtree(copy / "assets/search")
    subprocess.run(["npm", "install", "--silent", "--prefix", str(tools), PAGEFIND], check=True)
    command = [str(tools / "node_modules/.bin/pagefind"), "--site", str(copy), "--root-selector", "article"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copytree(site, copy, dirs_exist_ok=True)


# -- The searches ---------------------------------------------------------------------------------

#: Inserts a text into the field that has the focus; resolves to the milliseconds until a selector shows something new.
TYPE = """([text, selector, patience]) => new Promise((resolve) => {
  const start = performance.now();
  const field = document.activeElement;
  const end = (found) => { watch.disconnect(); clearTimeout(timer); resolve(found ? performance.now() - start : -1); };
  const watch = new MutationObserver(() => document.querySelector(selector) && end(true));
  const timer = setTimeout(() => end(false), patience);
  watch.observe(document.body, { childList: true, subtree: true });
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
})"""


def _typed(page: Page, query: str, selector: str, empty: str) -> tuple[list[str], float, float]:
    ms = page.evaluate(TYPE, [query, selector, PATIENCE])
    page.wait_for_timeout(150)
    urls = page.eval_on_selector_all(selector, "found => found.map((one) => one.href)")
    again = NOTHING
    if urls:
        page.evaluate(TYPE, ["", empty, 1500])
        page.wait_for_timeout(150)
        again = page.evaluate(TYPE, [query, selector, PATIENCE])
    return urls, ms, again


def ask_ours(page: Page, query: str) -> tuple[list[str], float, float]:
    page.wait_for_function("() => !!self.verbatimSearch")
    page.keyboard.press("/")
    page.wait_for_selector("dialog[open] input:focus")
    return _typed(page, query, ".vs-result", "[role=listbox]:not(:has(.vs-result))")


def ask_material(page: Page, query: str) -> tuple[list[str], float, float]:
    page.locator("label.md-search__icon, label[for=__search]").first.wait_for(state="attached")
    page.locator("[data-md-component=search-query]").focus()
    link = ".md-search-result__item > a, .md-search-result__item .md-search-result__link"
    return _typed(page, query, link, ".md-search-result__list:empty")


def ask_pagefind(page: Page, query: str) -> tuple[list[str], float, float]:
    """Ask its programming interface; an interface for readers would add to bytes and time."""
    code = """async (query) => {
      const ask = async () => {
        const start = performance.now();
        const engine = await import(new URL("/pagefind/pagefind.js", location));
        const { results } = await engine.search(query);
        const data = [];
        if (results.length) data.push(await results[0].data());
        const ms = results.length ? performance.now() - start : -1;
        for (const result of results.slice(1, 10)) data.push(await result.data());
        return [data.map((one) => one.url), ms];
      };
      const [urls, ms] = await ask();
      return [urls, ms, urls.length ? (await ask())[1] : -1];
    }"""
    return tuple(page.evaluate(code, query))


# -- Without a browser ----------------------------------------------------------------------------

#: The queries of one kind: text, and the addresses of the pages that answer.
Asked = list[tuple[str, set[str]]]

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
            queries = [q for q in json.loads(path.read_text()) if q["lang"] == language]
            kinds[path.stem] = [
                (q["query"], urls)
                for q in queries
                if (urls := set().union(*(places[language].get(topic, ()) for topic in q["topics"]))) or not q["topics"]
            ]
        told = messages(pages)
        kinds |= {"names": names(pages, known), "messages": told}
        kinds["messages on one line"] = [(TRACEBACK + text, urls) for text, urls in told]
        with Search(files, language) as search:
            for kind, queries in kinds.items():
                _quickly(search, kind, language, queries, missed)


def _quickly(search: Search, kind: str, language: str, queries: Asked, missed: bool) -> None:
    first = five = zero = unfit = 0
    wrong = []
    for text, urls in queries:
        answer = search.ask(text)
        found = [one["url"].strip("/") for one in answer["results"]]
        first += bool(urls & set(found[:1]))
        five += bool(urls & set(found[:5]))
        zero += not found
        unfit += not answer["fits"]
        if not urls & set(found[:1]):
            wrong.append(f"    {language}: {text} → {' '.join(found[:3])}")
    if count := len(queries):
        print(
            f"| {kind} | {language} | {count} | {first / count:.0%} | {five / count:.0%} | {zero} | {unfit / count:.0%} |"
        )
    if missed:
        print("\n".join(wrong))


# -- The measurement ------------------------------------------------------------------------------


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


def measure(browser: Browser, engine: Engine, queries: list[dict], found: dict) -> dict[str, Tally]:
    """Ask every query whose topics are there."""
    tallies = {language: Tally() for language in LANGUAGES}
    sent: list[tuple[str, int]] = []
    with serving(engine.site, sent=sent) as base:
        for query in queries:
            language = query["lang"]
            pages = set().union(*(found[language].get(topic, ()) for topic in query["topics"]))
            if not pages:
                continue
            sent.clear()
            context = browser.new_context(viewport={"width": 1280, "height": 800})
            page = context.new_page()
            page.goto(base + ("en/" if language == "en" else ""), wait_until="load")
            try:
                urls, ms, again = engine.ask(page, query["query"])
            except TimeoutError:
                urls, ms, again = [], NOTHING, NOTHING
            context.close()
            names = [re.sub(r"[?#].*", "", re.sub(r"^(https?://[^/]+)?/", "", url)).strip("/") for url in urls]
            names = [re.sub(r"/?index\.html$", "", name) for name in names]
            needed = [size for path, size in sent if engine.files.search(path)]
            tally = tallies[language]
            tally.answers.append(Answer(names, ms, again, sum(needed), len(needed)))
            tally.zero += not names
            tally.hit1 += bool(names) and names[0] in pages
            tally.hit5 += bool(pages & set(names[:5]))
            if not names or names[0] not in pages:
                tally.missed.append(query["query"])
    return tallies


def report(engine: Engine, tallies: dict[str, Tally]) -> Iterator[str]:
    for language, tally in tallies.items():
        answers = tally.answers
        count = len(answers)
        if not count:
            continue
        first = sorted(a.ms for a in answers if a.ms >= 0) or [0.0]
        again = [a.again_ms for a in answers if a.again_ms >= 0] or [0.0]
        sizes = sorted(a.bytes for a in answers)
        yield (
            f"| {engine.name} | {language} | {count} "
            f"| {tally.hit1 / count:.0%} | {tally.hit5 / count:.0%} | {tally.zero} "
            f"| {statistics.median(sizes) / 1000:.0f} | {sizes[-1] / 1000:.0f} "
            f"| {statistics.median(a.requests for a in answers):.0f} "
            f"| {statistics.median(first):.0f} | {first[-1]:.0f} | {statistics.median(again):.0f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--site", type=Path, help="a site that is built already")
    parser.add_argument("--only", help="engines to measure: ours, material, tuned, pagefind; comma between")
    parser.add_argument("--queries", type=Path, nargs="+", help="lists of queries; in a browser the first alone")
    parser.add_argument("--missed", action="store_true", help="list the queries whose first result is no hit")
    parser.add_argument("--quick", action="store_true", help="without a browser, all lists unless --queries names one")
    options = parser.parse_args()
    root = find_root()
    if options.quick:
        every = sorted((root / "tests/data").glob("search-queries*.json"))
        quick(options.site or root / "site", options.queries or every, options.missed)
        return
    only = set((options.only or "ours,material,tuned,pagefind").split(","))
    queries = json.loads((options.queries or [root / "tests/data/search-queries.json"])[0].read_text())
    chromium = present()
    tools = root / "build/benchmarks"
    tools.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        site = options.site
        if not site:
            site = folder / "ours"
            build(root / "mkdocs.yml", site)
        engines = [Engine("ours", site, re.compile(r"/assets/search/"), ask_ours)]
        if only & {"material", "tuned"}:
            jieba = tools / "jieba"
            pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(jieba), JIEBA]
            if not jieba.is_dir():
                subprocess.run(pip, check=True)
            config = plain(root, folder)
            files = re.compile(r"/search/search_index\.json|/workers/search\.")
            material(config, folder / "material", "", "")
            tuned = f":\n      lang: [en]\n      pipeline: []\n      separator: {json.dumps(SEPARATOR)}"
            for path in overviews(folder / "docs"):
                path.write_text(path.read_text().replace("---\n", "---\nsearch: {exclude: true}\n", 1))
            material(config, folder / "tuned", tuned, str(jieba))
            engines.append(Engine("material", folder / "material", files, ask_material))
            engines.append(Engine("tuned", folder / "tuned", files, ask_material))
        if "pagefind" in only:
            pagefind(site, folder / "pagefind", tools, root / "docs")
            engines.append(Engine("pagefind", folder / "pagefind", re.compile("/pagefind/"), ask_pagefind))
        found = topics(site)
        there = {language: sum(q["lang"] == language for q in queries) for language in LANGUAGES}
        print(f"queries: {there}; those whose topics are not written yet are skipped")
        print("|".join(("", *COLUMNS, "")), "|---" * len(COLUMNS) + "|", sep="\n")
        browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
        for engine in engines:
            if engine.name not in only:
                continue
            tallies = measure(browser, engine, queries, found)
            print("\n".join(report(engine, tallies)), flush=True)
            if options.missed:
                print("\n".join(f"    {language}: {q}" for language, t in tallies.items() for q in t.missed))
        browser.close()


if __name__ == "__main__":
    main()
