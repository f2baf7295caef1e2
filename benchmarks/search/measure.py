"""How well the search answers questions, on a site that is built: its own scripts, without a browser, in seconds.

    python -m tests.search.measure [--site site] [--queries FILE …] [--missed]

A topic is the id of a heading: a result on a page with that heading is a hit. Queries whose topics are not written yet are
skipped. Besides the lists in `queries`, it asks for what pages' titles name (`where`, `torch.where`, `x.where()`), for every
message that pages show (with other numbers, and behind a traceback on one line), and for what no page is about, where the
dialog should say so.
"""

from __future__ import annotations

import argparse
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from benchmarks.search.engine import Search
from verbatim.project import LANGUAGES, find_root
from verbatim.site.search.sections import SHOWN, names_of

QUERIES = Path(__file__).parent / "queries"

#: The queries of one kind: text, and the addresses of the pages that answer.
Asked = list[tuple[str, set[str]]]


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


def measure(site: Path, lists: list[Path], missed: bool) -> None:
    """Print what the search finds, list by list."""
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
                _measure(search, kind, language, queries, missed)


def _measure(search: Search, kind: str, language: str, queries: Asked, missed: bool) -> None:
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


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = find_root()
    parser.add_argument("--site", type=Path, default=root / "site", help="the built site (%(default)s)")
    parser.add_argument("--queries", type=Path, nargs="+", default=sorted(QUERIES.glob("*.json")), metavar="FILE")
    parser.add_argument("--missed", action="store_true", help="list the queries whose first result is no hit")
    options = parser.parse_args()
    measure(options.site, options.queries, options.missed)


if __name__ == "__main__":
    main()
