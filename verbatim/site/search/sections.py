"""What the search shall find on a page: its sections, and the names that they are about. Pure.

`reading` takes them from a page's document, `index` makes the index of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from verbatim.languages import IDEOGRAPHS
from verbatim.pages.page import Page as Source

#: The fields of a document whose text is sent to the browser, in the order in which the files store them.
SHOWN_FIELDS = ("title", "prose", "code", "outputs", "messages", "asked")
#: All fields.
ALL_FIELDS = (*SHOWN_FIELDS, "other")

#: Scores of a section as the main section about a name, by where the name occurs: what the page's title explains (all
#: that stands before its colon), the page's title, its address, the section's title, the page's keywords. Scores for
#: titles are divided by the square root of their number of names.
EXPLAINED, IN_TITLE, IN_ADDRESS, IN_HEADING, IN_KEYWORDS = 14, 8, 12, 6, 3


@dataclass
class Section:
    """A heading and the text below it, by field."""

    id: str
    """The heading's id; empty for the first section, below the page's title."""
    title: str = ""
    prose: str = ""
    code: str = ""
    outputs: str = ""
    messages: str = ""
    """Errors and warnings, which readers paste into the search field."""
    asked: str = ""
    """Texts of links to this section, one per line, such as the questions on a chapter's index page. For a page's first
    section also its description and keywords."""
    other: str = ""
    """Its titles in the other languages, because readers may search for those words. For a page's first section also
    what strangers ask when the page is what they need."""


@dataclass(frozen=True)
class Link:
    """A link to a page of the site."""

    url: str
    """Its address relative to the site root."""
    id: str
    """The id of the section that it leads to; empty for the page itself."""
    text: str
    section: str
    """The id of the section that contains it."""


@dataclass(frozen=True)
class Page:
    """The searchable content of a page."""

    url: str
    """Address relative to the site root, such as ``en/autograd/detach/``."""
    sections: list[Section] = field(default_factory=list)
    overview: bool = False
    """Whether the page only leads to other pages, which are then ranked above it."""
    links: tuple[Link, ...] = ()
    keywords: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        return self.sections[0].title


# -- What other pages add to a section ------------------------------------------------------------


def titles(twin: Source) -> dict[str, str]:
    """Return what the source of a page's translation calls its sections: id → title.

    For the first section, whose id is empty, it is the page's title and its keywords.
    """
    found = {heading.id: heading.text for heading in twin.headings if heading.level > 1}
    return {**found, "": "\n".join((str(twin.meta.get("title") or ""), *keywords_of(twin.meta)))}


def translate(one: Page, other: Sequence[Mapping[str, str]]) -> Page:
    """Return a page with its titles and keywords in other languages in `Section.other`; an overview as it is.

    Args:
        one: The page.
        other: For each other language that has the page, its `titles`.
    """
    if one.overview or not other:
        return one
    found = ["\n".join(filter(None, (named.get(section.id) for named in other))) for section in one.sections]
    return replace(one, sections=[replace(s, other=text) for s, text in zip(one.sections, found, strict=True)])


def ask(one: Page, questions: Iterable[str]) -> Page:
    """Return a page that is found by what strangers ask, too."""
    first, *others = one.sections
    return replace(one, sections=[replace(first, other="\n".join(filter(None, (first.other, *questions)))), *others])


def keywords_of(meta: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the keywords of a page's front matter."""
    words = meta.get("keywords")
    return tuple(str(word) for word in (words if isinstance(words, list) else [words]) if word)


# -- Sections → names ----------------------------------------------------------------------------

#: A name as written in code: `torch.where`, `zero_()`, `.grad`.
CODE_NAME = re.compile(r"(?<![\w.])\.?([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(\(\))?")
#: Separators between names at the beginning of a title.
NAME_SEPARATOR = re.compile(r" *(?:(?:[,、/@*+=]|\(\w*\)|and|or|vs|与|和|或|还是) *)+|")
#: Beginning of titles about errors. Their section is not the main section about a name in the title.
ERROR_TITLE_START = re.compile(r"(?:Error|Warning|报错|警告)\b")


def names(one: Page, known: Container[str]) -> list[dict[str, int]]:
    """Return, for each section of a page, the names that it is about, with its score as the main section about them.

    Only the last part of a dotted name is used, because readers type `torch.where`, `x.where` and `where`.
    """
    found: list[dict[str, int]] = []
    slug = one.url.strip("/").rpartition("/")[2].replace("-", "_")
    for number, section in enumerate(one.sections):
        names: Counter[str] = Counter()
        own = names_of(section.title, known)
        in_title = IN_HEADING if number else EXPLAINED if explains(section.title, known) else IN_TITLE
        for name in own:
            names[name] += round(in_title / len(own) ** 0.5)
        if number == 0:
            for name in {slug, slug.replace("_", "")}:
                names[name] += IN_ADDRESS if name in own else IN_KEYWORDS if name in known else 0
            for keyword in one.keywords:
                if name := named(keyword, known):
                    names[name] += IN_KEYWORDS
        found.append({name: surely for name, surely in names.items() if surely})
    return found


def named(keyword: str, known: Container[str]) -> str:
    """Return the name that a keyword is, without module and class; empty if it is more, or none."""
    match = CODE_NAME.fullmatch(keyword.strip())
    return _last(match) if match and _named(match, known) else ""


def names_of(title: str, known: Container[str]) -> list[str]:
    """Return the names that a title is about: those at its beginning, and words that can only be names.

    Args:
        title: The title.
        known: Names of the API, without module or class.
    """
    if ERROR_TITLE_START.match(title):
        return []
    found: dict[str, None] = {}
    end = 0
    follows = True  # another name, or nothing
    for match in CODE_NAME.finditer(title):
        if match[1] in ("and", "or", "vs"):
            continue
        between = title[end : match.start()]
        lists = between.strip() in (":", "：") and title[match.end() :].lstrip()[:1] in (",", "、")
        listed = (follows and NAME_SEPARATOR.fullmatch(between)) or lists
        follows = bool(listed and match[1].rpartition(".")[2] in known) or _named(match, known)
        end = match.end()
        if follows:
            found[_last(match)] = None
    return list(found)


def explains(title: str, known: Container[str]) -> bool:
    """Whether a title says something of names, which are all that stands before its colon: ``view(): same memory``."""
    lemma, colon, _ = re.sub("：", ":", title).partition(":")
    words = [word for word, _ in CODE_NAME.findall(lemma) if word not in ("and", "or", "vs")]
    return bool(colon) and not re.search(f"[{IDEOGRAPHS}]", lemma) and len(names_of(lemma, known)) == len(words) > 0


def _named(match: re.Match[str], known: Container[str]) -> bool:
    """Whether a word can only be an API name, judging by its spelling (parentheses, dots, underscores, capitals)."""
    called = match[2] or match[0].startswith(".") or re.search(r"\w[._]\w", match[1])
    return bool(called) or (match[1] in known and match[1] != match[1].lower())


def _last(match: re.Match[str]) -> str:
    return match[1].rpartition(".")[2].lower()
