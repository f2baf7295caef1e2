"""What each page must have by itself: front matter, heading ids, lists that exist."""

from __future__ import annotations

import re
from collections.abc import Iterator

import yaml

from verbatim.checks.prose import HAN
from verbatim.lists import LISTS, PARTED, known
from verbatim.markdown import front_matter_end
from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean

#: The safe one that is written in C, where PyYAML has it: it takes a tenth of the time.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: What fits into one line of the navigation.
NAV_LETTERS = 24
NAV_HAN = 14
#: What a template that does not escape, or that takes tags out, would make HTML of.
MARKUP = re.compile(r"[<>]|&#?\w+;")


def check_front_matter(page: Page) -> Iterator[Problem]:
    """Each page says its title and a description, for search results and link previews; keywords are a list."""
    lines = page.text.splitlines()
    data: object = None
    if lines[:1] == ["---"] and not front_matter_end(lines):
        yield Problem(page.path, 1, "the front matter is never closed", "end it with a line of three hyphens: ---")
        return
    if end := front_matter_end(lines):
        try:
            data = yaml.load("\n".join(lines[1 : end - 1]), Loader=_LOADER)
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            yield Problem(
                page.path,
                mark.line + 2 if mark else 1,
                "the front matter is not YAML",
                "put texts with a colon in quotes",
            )
            return
    for key in ("title", "description"):
        if not isinstance(data, dict) or not data.get(key):
            yield Problem(page.path, 1, f"the front matter has no `{key}`", f"begin the page with ---, `{key}: …`, ---")
    said = {key: str(data.get(key) or "") for key in ("title", "description", "nav")} if isinstance(data, dict) else {}
    for key, text in said.items():
        if match := MARKUP.search(text):
            message = f"`{match[0]}` in the front matter's `{key}` would be markup where a template does not escape it"
            yield Problem(page.path, 1, message, "say it in words, or with another sign: ≤, →")
    if said:
        yield from _check_titles(page, said)
    words = data.get("keywords", []) if isinstance(data, dict) else []
    if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
        line = next((i for i, text in enumerate(lines, 1) if text.startswith("keywords:")), 1)
        hint = "write keywords: [first phrase, second phrase]; quote what YAML takes for a number or a truth value"
        yield Problem(page.path, line, "`keywords` in the front matter is not a list of texts", hint)


def _check_titles(page: Page, said: dict[str, str]) -> Iterator[Problem]:
    """The title is the page's heading; `nav` is short enough for the navigation."""
    heading = next((h for h in page.headings if h.level == 1), None)
    if heading and said["title"] and said["title"].replace("`", "") != heading.text.replace("`", ""):
        message = f"the heading `{heading.text}` is not the front matter's title `{said['title']}`"
        yield Problem(page.path, heading.line, message, "write the same in both")
    lines = page.text.splitlines()
    line = next((number for number, text in enumerate(lines, 1) if text.startswith("nav:")), 1)
    short = said["nav"] or said["title"]
    if len(short) > NAV_LETTERS or len(re.findall(HAN, short)) > NAV_HAN:
        what = "`nav`" if said["nav"] else "the title, which has no `nav` beside it,"
        hint = f"write `nav: …`: at most {NAV_LETTERS} characters, of them at most {NAV_HAN} Chinese"
        yield Problem(page.path, line, f"{what} is too long for the navigation: `{short}`", hint)


def check_heading_ids(page: Page) -> Iterator[Problem]:
    """Each heading below the page's own has an id, once."""
    seen: dict[str, int] = {}
    for heading in page.headings:
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
    for found in page.listings:
        if known(found.name):
            continue
        name, *part = found.name.split() or [""]
        if part and name in LISTS:
            hint = f"write its name alone, or of {' and '.join(PARTED)} a part: errors RuntimeError a-m"
            yield Problem(page.path, found.line, f"there is no part `{' '.join(part)}` of the list `{name}`", hint)
        else:
            yield Problem(page.path, found.line, f"there is no list `{name}`", did_you_mean(name, LISTS))
