"""Each page has a valid front matter, ids of headings, and lists that exist."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import yaml

from verbatim import languages, yaml_texts
from verbatim.checks.prose import HAN
from verbatim.lists import PART_RENDERERS, RENDERERS, exists
from verbatim.lists.places import only_leads
from verbatim.markdown import front_matter_end
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean

#: What fits into one line of the navigation.
NAV_LETTERS = 24
NAV_HAN = 14
#: This many English words are a sentence, not a name.
SENTENCE_WORDS = 3
#: The keys of the front matter, and what reads each. A new one is added here.
FRONT_MATTER_KEYS = (
    "chapter",  # the navigation: the chapter's name, on its first page
    "description",  # the search, feeds, and programs that show links
    "footer",  # on a chapter's first page: the footer links to it, not the navigation
    "hide",  # Material, and `overrides/partials/contents.html`
    "keywords",  # the search
    "long",  # `checks/lengths.py`: why a page has more sections or a script more lines
    "nav",  # the navigation: the page's short name
    "order",  # `checks/order.py`: why cells differ in the page's order
    "path",  # the home page: the chapter that a beginner reads from end to end
    "search",  # the search, as Material's own: `search: {exclude: true}`
    "tab",  # the navigation: the tab above chapters in a row
    "title",
    "wide",  # `checks/lengths.py`: why lines are longer
)
#: Keys whose texts templates show.
SHOWN_KEYS = ("chapter", "description", "nav", "tab", "title")
#: An id, the same in both languages, and part of addresses that people pass on.
SECTION_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
#: How a sentence ends. That none ends with an exclamation mark is said by `checks/wording.py`.
END_MARKS = (".", "?", "…", "。", "？", "!", "！")
#: Text that a template would turn into HTML if it did not escape it.
MARKUP_START = re.compile(r"[<>]|&#?\w+;")


def check_front_matter(page: Page) -> Iterator[Problem]:
    """Each page has a title and a description, for search results and link previews; keywords are a list."""
    lines = page.text.splitlines()
    data: object = None
    if lines[:1] == ["---"] and not front_matter_end(lines):
        yield Problem(page.path, 1, "the front matter is never closed", "end it with a line of three hyphens: ---")
        return
    if front_matter_end(lines):
        try:
            data = page.front_matter()
        except yaml.YAMLError as error:
            hint = "put texts with a colon in quotes"
            yield yaml_texts.problem(error, page.path, "the front matter", hint, above=1)
            return
    for key in ("title", "description"):
        if not isinstance(data, dict) or not data.get(key):
            yield Problem(page.path, 1, f"the front matter has no `{key}`", f"begin the page with ---, `{key}: …`, ---")
    texts = {key: str(data.get(key) or "") for key in SHOWN_KEYS} if isinstance(data, dict) else {}
    for key, text in texts.items():
        if match := MARKUP_START.search(text):
            message = f"`{match[0]}` in the front matter's `{key}` would be markup where a template does not escape it"
            yield Problem(page.path, 1, message, "say it in words, or with another sign: ≤, →")
    if texts:
        yield from _check_titles(page, texts)
        yield from _check_description(page, texts["description"])
    yield from _check_keys(page, lines)
    words, line = data.get("keywords", []) if isinstance(data, dict) else [], _line_of(lines, "keywords")
    if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
        hint = "write keywords: [first phrase, second phrase]; quote what YAML takes for a number or a truth value"
        yield Problem(page.path, line, "`keywords` in the front matter is not a list of texts", hint)
        return
    if twice := [word for word, count in Counter(word.casefold() for word in words).items() if count > 1]:
        yield Problem(page.path, line, f"the keyword `{twice[0]}` stands there twice", "keep one")
    if words and not lines[line - 1].endswith("]"):
        hint = "write all of them on one line: keywords: [first phrase, second phrase]"
        yield Problem(page.path, line, "the keywords stand on several lines", hint)
    if words and only_leads(page.name):
        hint = "give them to the page that answers: this one leads to others, which the search finds first"
        yield Problem(page.path, line, "the search does not read the `keywords` of this page", hint)


def _line_of(lines: list[str], key: str) -> int:
    """Return the number of the line of a key in the front matter; 1 if it has none."""
    return next((number for number, text in enumerate(lines, 1) if text.startswith(f"{key}:")), 1)


def _check_keys(page: Page, lines: list[str]) -> Iterator[Problem]:
    """The front matter has each key once, and only keys that something reads."""
    first: dict[str, int] = {}
    for number, text in enumerate(lines[: front_matter_end(lines)], 1):
        key, colon, _ = text.partition(":")
        if not colon or key != key.strip() or key.startswith(("#", "-")):
            continue
        if key not in FRONT_MATTER_KEYS:
            yield Problem(
                page.path, number, f"nothing reads `{key}` in the front matter", did_you_mean(key, FRONT_MATTER_KEYS)
            )
        elif (line := first.setdefault(key, number)) != number:
            yield Problem(page.path, number, f"`{key}` stands on line {line}, too", "keep one")


def _check_description(page: Page, text: str) -> Iterator[Problem]:
    """The description is a sentence in the page's language that a search result can show."""
    line = _line_of(page.text.splitlines(), "description")
    most = languages.record(page.language).description
    if len(text) > most:
        message = f"the description has {len(text)} characters, at most {most} are shown"
        yield Problem(page.path, line, message, "one sentence: what the reader will know")
    if page.language == "zh" and not re.search(HAN, text) and len(re.findall("[A-Za-z]{2,}", text)) >= SENTENCE_WORDS:
        yield Problem(page.path, line, "the description is not in Chinese", "write it for who searches in Chinese")


def check_descriptions_end(pages: Iterable[Page]) -> Iterator[Problem]:
    """Each description ends as a sentence does, in a book where most do."""
    described = [(page, text) for page in pages if isinstance(text := page.meta.get("description"), str) and text]
    unended = [(page, text) for page, text in described if not text.rstrip('”"）)').endswith(END_MARKS)]
    for page, text in unended if len(unended) * 2 < len(described) else ():
        message = f"the description does not end as a sentence does: `{text[-20:]}`"
        line = _line_of(page.text.splitlines(), "description")
        yield Problem(page.path, line, message, "one whole sentence: what the reader will know")


def check_front_matter_differs(pages: Iterable[Page]) -> Iterator[Problem]:
    """No two pages have one description, and no two of a chapter one name in the navigation."""
    first: dict[tuple[str, ...], Page] = {}
    for page in sorted(pages, key=lambda page: page.path):
        folder = page.path.rpartition("/")[0]
        for key, where in (("description", page.language), ("nav", folder)):
            text = page.meta.get(key)
            if not isinstance(text, str) or not text:
                continue
            other = first.setdefault((key, where, text), page)
            if other is not page:
                line = _line_of(page.text.splitlines(), key)
                message = f"the `{key}` is that of {other.path}, too: `{text}`"
                yield Problem(page.path, line, message, "say in it what only this page answers")


def _check_titles(page: Page, texts: dict[str, str]) -> Iterator[Problem]:
    """The title is the page's heading; `nav` is short enough for the navigation."""
    heading = next((h for h in page.headings if h.level == 1), None)
    if heading and texts["title"] and texts["title"].replace("`", "") != heading.text.replace("`", ""):
        message = f"the heading `{heading.text}` is not the front matter's title `{texts['title']}`"
        yield Problem(page.path, heading.line, message, "write the same in both")
    line = _line_of(page.text.splitlines(), "nav")
    short = texts["nav"] or texts["title"]
    if len(short) > NAV_LETTERS or len(re.findall(HAN, short)) > NAV_HAN:
        what = "`nav`" if texts["nav"] else "the title, which has no `nav` beside it,"
        hint = f"write `nav: …`: at most {NAV_LETTERS} characters, of them at most {NAV_HAN} Chinese"
        yield Problem(page.path, line, f"{what} is too long for the navigation: `{short}`", hint)


def check_heading_ids(page: Page) -> Iterator[Problem]:
    """Each heading below the page's own has an id, once; none skips a level or ends as a sentence does."""
    seen: dict[str, int] = {}
    above = 0
    siblings: dict[tuple[int, str], int] = {}
    for heading in page.headings:
        if above and heading.level > above + 1:
            message = f"a heading of level {heading.level} below one of level {above}"
            yield Problem(page.path, heading.line, message, f"write {'#' * (above + 1)}, one level deeper at a time")
        above = heading.level
        siblings = {key: line for key, line in siblings.items() if key[0] <= heading.level}
        if (line := siblings.setdefault((heading.level, heading.text), heading.line)) != heading.line:
            message = f"the heading `{heading.text}` stands on line {line}, too"
            yield Problem(page.path, heading.line, message, "say what only this section answers")
        if heading.text.endswith((".", ",", ";", ":", "。", "，", "；", "：")) and not heading.text.endswith("..."):
            message = f"the heading `{heading.text}` ends as a sentence does"
            yield Problem(page.path, heading.line, message, "leave its last mark out")
        if heading.id and not SECTION_ID.fullmatch(heading.id):
            hint = "lower-case English words joined by hyphens: shares-storage"
            yield Problem(page.path, heading.line, f"`{heading.id}` cannot be an id", hint)
        if heading.level > 1 and not heading.id:
            hint = "the same English id in both languages: ## … { #shares-storage }"
            yield Problem(page.path, heading.line, f"the heading `{heading.text}` has no id", hint)
        elif heading.id in seen and heading.id:
            yield Problem(
                page.path,
                heading.line,
                f"the id `{heading.id}` stands on line {seen[heading.id]}, too",
                "give each heading its own",
            )
        seen.setdefault(heading.id, heading.line)
    titles = [h for h in page.headings if h.level == 1]
    if len(titles) != 1:
        yield Problem(
            page.path,
            titles[1].line if titles else 1,
            f"{len(titles)} headings of level 1, where a page has one",
            "begin the text with `# Title`",
        )


def check_lists(page: Page) -> Iterator[Problem]:
    """Each list that a page asks for exists."""
    for listing in page.listings:
        if exists(listing.name):
            continue
        name, *part = listing.name.split() or [""]
        if part and name in RENDERERS:
            hint = f"write its name alone, or of {' and '.join(PART_RENDERERS)} a part: errors RuntimeError a-m"
            yield Problem(page.path, listing.line, f"there is no part `{' '.join(part)}` of the list `{name}`", hint)
        else:
            yield Problem(page.path, listing.line, f"there is no list `{name}`", did_you_mean(name, RENDERERS))
