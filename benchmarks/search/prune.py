"""Removes the keywords of pages that nothing needs, from their front matter.

    python -m benchmarks.search.prune [--site site] [--apply]

Kept are, of each page in each language, at most `MOST`, in this order:

1. what a query of the lists needs: one that is not held out, that finds its page only with keywords, and not without. Of that
   page the keywords count that have most of the query's words, `NEEDED` at most;
2. what only this page can say: a keyword with a word that stands on no page and in no row of the thesaurus;
3. the first ones, until there are `LEAST`.

It reads the built site and may be run again whenever pages or words have changed: what it has removed, it does not miss.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from pathlib import Path

import yaml

from benchmarks.search.book import Book, data, recipe
from benchmarks.search.engine import Search
from benchmarks.search.measure import held_out, lists, topics
from verbatim.languages import USUAL
from verbatim.project import find_root
from verbatim.site.search.index import NUMBER, SAID
from verbatim.site.search.terms import terms

LEAST, NEEDED, MOST = 2, 2, 5
LINE = re.compile(r"^keywords: \[(.*)\]$", re.MULTILINE)
ITEM = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)(?:,|$)""")

#: Page (its address) → its keywords that are kept.
Kept = dict[str, list[str]]


def wanting(book: Book, language: str, site: Path) -> dict[str, list[str]]:
    """Return page → the queries that find it first with keywords, but not without."""
    asked = [
        (text, urls)
        for queries in lists(language, topics(site)[language]).values()
        for text, urls in queries
        if urls and not held_out(text)
    ]
    first: list[list[str]] = []
    for keep in (True, False):
        with Search(book.index(language, lambda url, word, keep=keep: keep), language) as search:
            found = [search.find(text)[:1] for text, _ in asked]
            first.append([one[0]["url"].strip("/") if one else "" for one in found])
    needing: dict[str, list[str]] = {}
    for (text, urls), with_words, without in zip(asked, *first, strict=True):
        if with_words in urls and without not in urls:
            needing.setdefault(with_words, []).append(text)
    return needing


def known(book: Book, language: str) -> set[str]:
    """Return the terms that stand on pages without their keywords, and in the thesaurus."""
    files = book.index(language, lambda url, word: False)
    found = {
        entry[0].rstrip("=")
        for name in files
        if name.startswith("terms-")
        for entry in data(files[name])
        if not entry[0].endswith(SAID)
    }
    said = json.loads(book.said[language])
    return found | {part for phrases in said.values() for _, parts in phrases for part in parts}


def keep(book: Book, language: str, site: Path) -> Kept:
    """Return the keywords that are kept, of each page."""
    needing, there = wanting(book, language, site), known(book, language)
    kept: Kept = {}
    for page in book.pages[language]:
        cut = dict(zip(page.keywords, map(set, terms(page.keywords)), strict=True)) if page.keywords else {}
        chosen: dict[str, None] = {}
        queries = needing.get(page.url.strip("/"), [])
        for query in map(set, terms(queries) if queries else []):
            shared = Counter({word: len(query & own) / len(own) ** 0.5 for word, own in cut.items() if query & own})
            chosen |= dict.fromkeys(word for word, _ in shared.most_common(NEEDED))
        new = (word for word, own in cut.items() if any(term not in there and not NUMBER.match(term) for term in own))
        chosen |= dict.fromkeys(new)
        chosen |= dict.fromkeys(word for word in page.keywords if len(chosen) < LEAST)
        kept[page.url] = [*chosen][: max(MOST, len(queries))]
    return kept


def pruned(text: str, words: list[str]) -> str:
    """Return a page whose front matter has only some of its keywords, written as they were."""

    def line(match: re.Match[str]) -> str:
        items = [item.strip() for item in ITEM.findall(match[1])]
        return f"keywords: [{', '.join(item for item in items if str(yaml.safe_load(item)) in words)}]"

    return LINE.sub(line, text, count=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = find_root()
    parser.add_argument("--site", type=Path, default=root / "site", help="the built site (%(default)s)")
    parser.add_argument("--apply", action="store_true", help="write the pages")
    options = parser.parse_args()
    book = Book(root, options.site)
    for language in USUAL.all:
        kept = keep(book, language, options.site)
        before = sum(len(page.keywords) for page in book.pages[language])
        print(f"{language}: {sum(map(len, kept.values()))} of {before} keywords are kept")
        for url, words in kept.items() if options.apply else ():
            path = root / "docs" / language / recipe(url)
            if path.is_file():
                text = path.read_text(encoding="utf-8")
                path.write_text(pruned(text, words), encoding="utf-8")


if __name__ == "__main__":
    main()
