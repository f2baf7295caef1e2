"""How well the search answers, on a site that is built: its own scripts, without a browser.

    python -m scripts.benchmarks.search [--site site] [--only NAME …] [--missed] [--ablate]

A topic is the id of a heading: a result on a page with that heading is a hit. Queries whose topics are not written yet are
skipped. Besides the lists in `lists`, it asks for what pages' titles name (`where`, `torch.where`, `x.where()`), for every
message that pages show (with other numbers, and behind a traceback on one line), for tracebacks of code that was really run,
and for what no page is about, where the dialog should say so. A quarter of all queries, told by their hash, is held out: rules
and words are not made by them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from scripts.benchmarks.search.book import Book
from scripts.benchmarks.search.engine import Search
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.pages import moved
from verbatim.project import Project, find_root
from verbatim.site.search.sections import names_of

QUERY_LISTS = Path(__file__).parent / "lists"
TRACEBACKS = "tracebacks"

#: What is asked, by its kind: text, and the addresses of the pages that answer; none where no page should.
Asked = dict[str, list[tuple[str, set[str]]]]

#: What the search does without, by the name of the variant: keywords, the thesaurus, how strangers ask, or other numbers
#: in `engine.js`.
KEYWORDS, THESAURUS, QUESTIONS = "keywords", "thesaurus", "questions"
VARIANTS: dict[str, tuple[set[str], dict[str, str]]] = {
    "all": (set(), {}),
    "without keywords": ({KEYWORDS}, {}),
    "without thesaurus": ({THESAURUS}, {}),
    "without questions": ({QUESTIONS}, {}),
    "without all three": ({KEYWORDS, THESAURUS, QUESTIONS}, {}),
    "without centroids": (set(), {"NEAR_POWER": "0"}),
    "without landing at the top": (set(), {"TOP_COVER": "Infinity"}),
    "without less for traps": (set(), {"TRAP_FACTOR": "1"}),
    "without general pages first": (set(), {"GENERAL_POWER": "0"}),
    "without spelling": (set(), {"SLIP_LETTERS": "Infinity"}),
}


@dataclass
class Tally:
    """How well some queries were answered."""

    count: int = 0
    first: int = 0
    five: int = 0
    zero: int = 0
    top: int = 0
    unfit: int = 0
    doubted: int = 0
    missed: list[str] = field(default_factory=list)

    def add(self, query: str, wanted: set[str], answer: Mapping) -> None:
        found = [one["url"].strip("/") for one in answer["results"]]
        self.count += 1
        self.first += bool(wanted & set(found[:1]))
        self.five += bool(wanted & set(found[:5]))
        self.zero += not found
        self.top += bool(found and not answer["results"][0]["id"])
        above = answer["unknown"] or answer["strange"]
        self.unfit += not answer["fits"] and above
        self.doubted += not answer["fits"] and not above
        if answer["fits"] if not wanted else not wanted & set(found[:1]):
            self.missed.append(f"{query[-160:]!r} → {' '.join(found[:3])}")


def held_out(query: str) -> bool:
    """Whether a query is among the quarter that nothing is made by."""
    return int(hashlib.sha256(query.encode()).hexdigest(), 16) % 4 == 0


def topics(site: Path) -> dict[str, dict[str, set[str]]]:
    """Return language → id of a heading → the pages that have it, as paths from the site's root."""
    found: dict[str, dict[str, set[str]]] = {language: {} for language in DEFAULT_LANGUAGES.all}
    for path in sorted(site.rglob("index.html")):
        name = path.parent.relative_to(site).as_posix()
        if name.split("/")[-1] == "notebook":
            continue
        language = "en" if name.split("/")[0] == "en" else "zh"
        for heading in re.findall(r'<h[1-6][^>]*\bid="([^"]+)"', path.read_text(encoding="utf-8")):
            found[language].setdefault(heading, set()).add(name)
    return found


def lists(language: str, places: Mapping[str, set[str]]) -> Asked:
    """Return the queries of all lists that a page answers, and those that none should."""
    found: Asked = {}
    for path in sorted(QUERY_LISTS.glob("*.json")):
        if path.stem == TRACEBACKS:
            continue
        for query in json.loads(path.read_text(encoding="utf-8")):
            urls = set().union(*(places.get(topic, ()) for topic in query["topics"]))
            if query["lang"] == language and (urls or not query["topics"]):
                found.setdefault(path.stem, []).append((query["query"], urls))
    return found


LINE = (
    '[rank0]: Traceback (most recent call last): [rank0]: File "/home/u/train.py", line 41, in <module> main() '
    "[rank0]: for images, labels in DataLoader(data, num_workers=4): [rank0]: "
)


def names(book: Book, language: str) -> Asked:
    """Return the names of titles, each written in three ways."""
    found: dict[str, set[str]] = {}
    for page in book.pages[language]:
        for name in () if page.overview else names_of(page.title, book.known):
            found.setdefault(name, set()).add(page.url.strip("/"))
    return {
        "names": [(form.format(name), urls) for name, urls in found.items() for form in ("{}", "torch.{}", "x.{}()")]
    }


def messages(book: Book, language: str) -> Asked:
    """Return the messages that pages show, with other numbers, alone and behind a traceback on one line."""
    found: dict[str, tuple[str, set[str]]] = {}
    for one in book.messages[language]:
        other = re.sub(r"\d+", lambda n: str((int(n[0][:6]) + 7) % 97 + 2), one.text)
        found.setdefault(re.sub(r"\d+", "0", one.text), (other, set()))[1].add(one.url.strip("/"))
    told = [*found.values()]
    return {"messages": told, "messages on one line": [(LINE + text, urls) for text, urls in told]}


def tracebacks(root: Path, language: str) -> Asked:
    """Return what broken code with a stranger's names, paths and shapes printed, and the pages that answer."""
    now = moved.read(Project(root))
    prefix = DEFAULT_LANGUAGES.folder(language)
    rows = json.loads((QUERY_LISTS / f"{TRACEBACKS}.json").read_text(encoding="utf-8"))
    return {TRACEBACKS: [(row["text"], {prefix + now.get(page, page) for page in row["pages"]}) for row in rows]}


def ask(search: Search, asked: Asked) -> dict[str, Tally]:
    """Return how well queries are answered: by kind, and for all of the lists that have topics those held out or not."""
    tallies: dict[str, Tally] = {}
    for kind, queries in asked.items():
        for text, urls in queries:
            answer = search.ask(text)
            sums = ["held out" if held_out(text) else "not held out"] if urls and kind not in OTHER_LISTS else []
            for name in (kind, *sums, *(() if urls else ("no page answers",))):
                tallies.setdefault(name, Tally()).add(text, urls, answer)
    return tallies


OTHER_LISTS = ("names", "messages", "messages on one line", TRACEBACKS)


def report(title: str, tallies: Mapping[str, Tally], missed: Iterable[str]) -> None:
    """Print how well queries were answered, and, of some kinds, which were not."""
    columns = ("count", "first", "among five", "none", "to the top", "nothing fits", "doubt below")
    print(f"\n{title}\n\n| queries | {' | '.join(columns)} |\n|---|{'--:|' * len(columns)}")
    for kind, one in tallies.items():
        first, five, top = (f"{100 * number / one.count:.0f} %" for number in (one.first, one.five, one.top))
        unfit, doubted = (f"{100 * number / one.count:.1f} %" for number in (one.unfit, one.doubted))
        print(f"| {kind} | {one.count} | {first} | {five} | {one.zero} | {top} | {unfit} | {doubted} |")
    for kind in missed:
        print(*(f"    {kind}: {line}" for line in tallies.get(kind, Tally()).missed), sep="\n")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = find_root()
    parser.add_argument("--site", type=Path, default=root / "site", help="the built site (%(default)s)")
    parser.add_argument("--only", nargs="+", metavar="NAME", help="only these lists")
    parser.add_argument("--language", choices=DEFAULT_LANGUAGES.all, nargs="+", default=DEFAULT_LANGUAGES.all)
    parser.add_argument("--missed", action="store_true", help="list the queries whose first result is no hit")
    parser.add_argument("--ablate", action="store_true", help="measure also without parts of the search")
    options = parser.parse_args()
    book, places = Book(root, options.site), topics(options.site)
    for language in options.language:
        asked = lists(language, places[language]) | tracebacks(root, language)
        asked |= names(book, language) | messages(book, language)
        asked = {kind: found for kind, found in asked.items() if not options.only or kind in options.only}
        for title, (without, constants) in (VARIANTS if options.ablate else {"all": VARIANTS["all"]}).items():
            kept = KEYWORDS not in without
            words = {"said": THESAURUS not in without, "asked": QUESTIONS not in without}
            files = book.index(language, lambda url, word, kept=kept: kept, **words)
            with Search(files, language, constants) as search:
                tallies = ask(search, asked)
            report(f"{language}, {title}", tallies, tallies if options.missed else ())


if __name__ == "__main__":
    main()
