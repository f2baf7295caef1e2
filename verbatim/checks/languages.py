"""The languages of a page share one skeleton."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial

from verbatim.languages import DEFAULT_LANGUAGES, Languages
from verbatim.markdown import OUTSIDE_LINK
from verbatim.memo import Memo
from verbatim.pages.page import Page
from verbatim.problems import Problem

#: The home page of a language.
HOME = "index.md"


def _formulas(page: Page) -> list[tuple[str, int]]:
    """Return each formula once: a sentence may repeat a quantity that the other language names once."""
    return sorted({formula.tex: line for line, formula in reversed(page.formulas)}.items())


def _links_within(page: Page) -> list[tuple[str, int]]:
    return sorted((target, number) for number, target in page.links if not OUTSIDE_LINK.match(target))


#: Part that all languages of a page share → a function that returns its elements as `(key, line)`. Formulas and links
#: are sorted, because their order may differ.
SKELETON: dict[str, Callable[[Page], list[tuple[str, int]]]] = {
    "headings": lambda page: [(f"{'#' * h.level} {h.id}", h.line) for h in page.headings if h.level > 1],
    "embeds": lambda page: [(e.target, e.line) for e in page.embeds],
    "lists": lambda page: [(listing.name, listing.line) for listing in page.listings],
    "boxes": lambda page: [(kind, line) for line, kind in page.boxes],
    "formulas": _formulas,
    "links": _links_within,
}


def check_twins(
    pages: list[Page], memo: Memo | None = None, languages: Languages = DEFAULT_LANGUAGES
) -> Iterator[Problem]:
    """Each page stands in every language that the tree has pages in, but for partial ones, with the same skeleton.

    Args:
        pages: The pages.
        memo: Caches the problems of pairs of pages.
        languages: The languages of the book.
    """
    memo = memo or Memo()
    by_language = {lang: {p.name: p for p in pages if p.language == lang} for lang in languages.all}
    used = [language for language in languages.all if by_language[language]]
    for page in pages:
        for other in (language for language in used if language not in languages.partial):
            if page.name not in by_language[other]:
                yield Problem(page.path, 0, f"docs/{other}/{page.name} is missing", "write the page in both languages")
    for language in languages.partial.intersection(languages.all):
        if HOME not in by_language[language] and HOME in by_language[languages.default]:
            hint = "write it: each page's switch of languages leads there where the other language lacks the page"
            place = next((page.path for page in by_language[language].values()), "mkdocs.yml")
            yield Problem(place, 0, f"docs/{language}/{HOME} is missing", hint)
    first, *others = used or languages.all
    for name, page in by_language[first].items():
        for other in others:
            if twin := by_language[other].get(name):
                pair = f"{page.path}\0{page.text}\0{twin.path}\0{twin.text}"
                yield from memo.check("twins", pair, partial(_differences, page, twin))


def _differences(page: Page, twin: Page) -> Iterator[Problem]:
    for what, part in SKELETON.items():
        yield from _same(what, page, twin, part(page), part(twin))


def _same(
    what: str, page: Page, twin: Page, here: list[tuple[str, int]], there: list[tuple[str, int]]
) -> Iterator[Problem]:
    ours, theirs = [k for k, _ in here], [k for k, _ in there]
    if ours == theirs:
        return
    missing = list((Counter(ours) - Counter(theirs)).elements())
    extra = list((Counter(theirs) - Counter(ours)).elements())
    line = next(
        (line for (key, line), other in zip(there, ours + [""] * len(there), strict=False) if key != other),
        there[-1][1] if there else 0,
    )
    message = f"{len(there)} {what} here, {len(here)} in {page.path}"
    parts = []
    if missing:
        parts.append("missing: " + ", ".join(f"`{m}`" for m in missing))
    if extra:
        parts.append("only here: " + ", ".join(f"`{e}`" for e in extra))
    if not parts:
        parts.append(f"in another order, first `{next(t for o, t in zip(ours, theirs, strict=True) if o != t)}`")
    yield Problem(twin.path, line, f"{message}; {'; '.join(parts)}", "both languages share one skeleton")
