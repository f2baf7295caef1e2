"""Removes the keywords of pages that nobody's query needs, from their front matter.

    python -m scripts.benchmarks.search.prune [--site site] [--apply]

A keyword goes if its words all stand on its page anyway and, asked as a query, it finds that page first while no page
has keywords other than names. A bare name stays: it says that the page is about it. No list of queries is looked at, so
that all of them measure what remains.

It reads the built site and may be run again whenever pages or words have changed: what it has removed, it does not miss.
"""

from __future__ import annotations

import argparse
import re
from pathlib import Path

import yaml

from scripts.benchmarks.search.book import Book, recipe
from scripts.benchmarks.search.engine import Search
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.project import find_root
from verbatim.site.search.sections import Page, named
from verbatim.site.search.terms import terms

KEYWORDS_LINE = re.compile(r"^keywords: \[(.*)\]$", re.MULTILINE)
KEYWORD_ITEM = re.compile(r"""\s*("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^,]+)(?:,|$)""")


def said(page: Page) -> list[str]:
    """Return a page's keywords whose words all stand on it without them."""
    texts = [text for one in page.sections for text in (one.title, one.prose, one.code, one.messages, one.asked)]
    there = {term for found in terms(texts) for term in found}
    cut = zip(page.keywords, terms(page.keywords) if page.keywords else (), strict=True)
    return [word for word, found in cut if there.issuperset(found)]


def needless(book: Book, language: str) -> dict[str, set[str]]:
    """Return page (its address) → the keywords that it does without."""
    found: dict[str, set[str]] = {}
    with Search(book.index(language, lambda url, word: bool(named(word, book.known))), language) as search:
        for page in book.pages[language]:
            for word in said(page):
                first = search.find(word)[:1] if not named(word, book.known) else []
                if first and first[0]["url"] == page.url:
                    found.setdefault(page.url, set()).add(word)
    return found


def pruned(text: str, words: set[str]) -> str:
    """Return a page whose front matter lacks some keywords. The others are written as they were."""

    def line(match: re.Match[str]) -> str:
        items = [item.strip() for item in KEYWORD_ITEM.findall(match[1])]
        return f"keywords: [{', '.join(item for item in items if str(yaml.safe_load(item)) not in words)}]"

    return KEYWORDS_LINE.sub(line, text, count=1)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    root = find_root()
    parser.add_argument("--site", type=Path, default=root / "site", help="the built site (%(default)s)")
    parser.add_argument("--language", choices=DEFAULT_LANGUAGES.all, nargs="+", default=DEFAULT_LANGUAGES.all)
    parser.add_argument("--apply", action="store_true", help="write the pages")
    options = parser.parse_args()
    book = Book(root, options.site)
    for language in options.language:
        found = needless(book, language)
        before = sum(len(page.keywords) for page in book.pages[language])
        print(f"{language}: {sum(map(len, found.values()))} of {before} keywords are needless")
        for url, words in found.items() if options.apply else ():
            path = root / "docs" / language / recipe(url)
            text = path.read_text(encoding="utf-8")
            path.write_text(pruned(text, words), encoding="utf-8")


if __name__ == "__main__":
    main()
