"""Pages as plain Markdown, for assistants and for whoever copies a page: one file a page, and the lists of them. Pure.

Each page stands below the site's root where its file stands below ``docs/``, the first language at the root:
``autograd/detach.md``, ``en/autograd/detach.md``. Links and figures are absolute, so that a page can be read anywhere.
``llms.txt`` lists the pages of a language (https://llmstxt.org), messages first; ``llms-full.txt`` holds its recipes in
one file, ``autograd/llms-full.txt`` those of a chapter. ``errors.json`` has every message, its places and remedies.
"""

from __future__ import annotations

import hashlib
import html
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any
from urllib.parse import urljoin

from verbatim.book import environment
from verbatim.export import PAPER
from verbatim.languages import Languages
from verbatim.lists import package
from verbatim.lists.errors import Message
from verbatim.lists.places import LISTS_FOLDER, Sources, chapter, chapter_title, escape_brackets, title
from verbatim.markdown import OUTSIDE_LINK, resolve, retarget
from verbatim.pages.document import Document
from verbatim.pages.page import Page
from verbatim.site.html.smaller_svg import lighter
from verbatim.site.search.messages import Template
from verbatim.words import ASSISTANTS
from verbatim.write import data

#: Where figures lie as files, from the site's root; languages share them.
FIGURES = "assets/figures"

#: The file with the recipes of the book or of a chapter, and that with all messages.
FULL = "llms-full.txt"
ERRORS = "errors.json"

#: As many characters of a message tell it from all others.
MESSAGE_CHARACTERS = 200

#: HTML that says how something looks; and code in the prose, in which HTML would be meant.
_LOOKS_MARKUP = re.compile(
    r"(?P<code>`+[^`]*`+)|<code>(?P<html>[^<]*)</code>|(?P<break>(?<!。)<br>)|</?(?:p|span|b|br|time)(?: [^>]*)?>"
)

#: A page's Markdown, and its figures: path from the site's root → SVG.
Made = tuple[str, dict[str, str]]


def pages(
    sources: Sources,
    language: str,
    documents: Mapping[str, Document],
    existing: Callable[[Page], str | None],
    site_url: str,
) -> dict[str, Made]:
    """Return the files of a language's pages, in their order: page (its path below its language) → file and figures.

    Args:
        sources: The book, for the order of its pages.
        language: The language.
        documents: Page → its document.
        existing: Returns the file of a page that is reused, else ``None``.
        site_url: The site's address; absolute ones begin with it.
    """
    ordered = sorted(sources.pages_in(language), key=lambda page: page.name != "index.md")  # home, then its order
    languages = sources.languages
    known = {languages.folder(page.language) + page.name for page in sources.pages}
    made: dict[str, Made] = {}
    for page in ordered:
        if (text := existing(page)) is not None:
            made[page.name] = text, {}
        elif page.name in documents:
            text, _, figures = _page(page, documents[page.name], known, languages, site_url)
            made[page.name] = text, figures
    return made


def as_released(
    sources: Sources, document: Callable[[Page], Document], site_url: str
) -> dict[str, tuple[str, list[data.Replaced]]]:
    """Return file of a page, as on the site → its text, and what of it a chosen release of torch replaces.

    Args:
        sources: The book.
        document: Returns the document of a page.
        site_url: The site's address.
    """
    languages = sources.languages
    known = {languages.folder(page.language) + page.name for page in sources.pages}
    pages = (page for page in sources.pages if page.language in languages.whole)
    return {
        languages.folder(page.language) + page.name: _page(page, document(page), known, languages, site_url)[:2]
        for page in pages
    }


def lists(
    sources: Sources, language: str, made: Mapping[str, Made], *, site_url: str, site_name: str, summary: str
) -> Iterator[tuple[str, str]]:
    """Yield path from the site's root and text of the lists of a language's pages.

    Args:
        sources: The book.
        language: The language.
        made: What `pages` returned.
        site_url: The site's address.
        site_name: The site's name.
        summary: The site, in a sentence.
    """
    known = {page.name: page for page in sources.pages_in(language)}
    listed = [known[name] for name in made]
    folder = sources.languages.folder(language)
    yield f"{folder}llms.txt", overview(sources, listed, language, site_url, site_name, summary)
    chapters: dict[str, list[str]] = {}
    for page in listed:
        if chapter(page) != LISTS_FOLDER:
            chapters.setdefault(chapter(page), []).append(made[page.name][0])
    head = _head(language, site_name, summary)
    yield f"{folder}{FULL}", "\n".join([head, *(text for texts in chapters.values() for text in texts)])
    for name, texts in chapters.items():
        if name:  # the home page belongs to none
            yield f"{folder}{name}/{FULL}", "\n".join([head, *texts])


def known_errors(listed: Iterable[Message], templates: Iterable[Template], torch: str, site_url: str) -> str:
    """Return ``errors.json``: every message that the pages of a language show, with its places and their remedies.

    Args:
        listed: The messages.
        templates: The same ones, as the search knows them.
        torch: The release that printed those without ``torch``.
        site_url: The site's address.

    Returns:
        JSON, whose fields ``llms.txt`` describes: `words.ASSISTANTS`. One row is one template; messages that differ in
        numbers alone are one, as the first of its places prints it.
    """
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for message, template in zip(listed, templates, strict=True):
        row = rows.setdefault(
            (message.name, message.template), {"message": template.text[:MESSAGE_CHARACTERS], "places": []}
        )
        place: dict[str, Any] = {"at": f"{template.url}#{template.section}" if template.section else template.url}
        if message.runs_with:
            place["runs_with"] = message.runs_with
        elif template.remedy:
            place["remedy"] = template.remedy
        else:
            place["title"] = template.titles.replace("\n", " › ")
        place |= {"torch": message.torch} if message.torch and not message.runs_with else {}
        place |= {"quoted": True} if message.quoted else {}
        if place not in row["places"]:
            row["places"].append(place)
    lines = ",\n".join(json.dumps(row, ensure_ascii=False, separators=(",", ":")) for row in rows.values())
    head = json.dumps({"site": site_url, "torch": torch, "count": len(rows)}, ensure_ascii=False)
    return f'{head[:-1]}, "errors": [\n{lines}\n]}}\n'


def _page(
    page: Page, document: Document, known: set[str], languages: Languages, site_url: str
) -> tuple[str, list[data.Replaced], dict[str, str]]:
    """Return a page's Markdown, what of its lines a release replaces, and the files of its figures."""
    drawn: dict[str, str] = {}

    def figure(original: str, recipe: str, cell: str) -> str:
        svg = lighter(original.replace("<svg ", PAPER, 1)) + "\n"
        # By its own text: one figure on two pages is one file.
        path = f"{FIGURES}/{hashlib.sha256(svg.encode()).hexdigest()[:12]}.svg"
        drawn[path] = svg
        return urljoin(site_url, path)

    def linked(text: str) -> str:
        return retarget(text, lambda target: _absolute(page, target, known, languages, site_url))

    def unstyled(line: str) -> str:
        return _LOOKS_MARKUP.sub(_looked, line)

    head = f"<!-- {urljoin(site_url, languages.address(page.language, page.name))} -->\n\n"
    text, replaced = data.page(document, figure, rewrite_prose=linked, rewrite_line=unstyled)
    below = head.count("\n")
    return head + text, [[start + below, end + below, by] for start, end, by in replaced], drawn


def _looked(match: re.Match[str]) -> str:
    """Return what is left of code, or of HTML that says how something looks."""
    if match["html"]:
        return f"`{html.unescape(match['html'])}`"
    return match["code"] or (" " if match["break"] else "")


def _absolute(page: Page, target: str, known: set[str], languages: Languages, site_url: str) -> str:
    """Return where a page's link leads: to the Markdown of another page, a place of this one, or a shared file."""
    if OUTSIDE_LINK.match(target) or target.startswith("/"):
        return target
    path, sharp, anchor = target.partition("#")
    if not path:
        return urljoin(site_url, languages.folder(page.language) + page.name) + sharp + anchor
    # From the folder of documents, where every language has a folder; on the site the first has none.
    place, _ = resolve(target, f"{page.language}/{page.name}")
    first = place.removeprefix(f"{languages.default}/")
    if path.endswith(".md") and first not in known:
        _, _, default = place.partition("/")  # what a partial language lacks
        first = default if default in known else place
    return urljoin(site_url, first) + sharp + anchor


def _head(language: str, site_name: str, summary: str) -> str:
    return f"# {site_name}\n\n> {summary}\n\n{ASSISTANTS[language]['about']}\n"


def overview(
    sources: Sources, pages: Iterable[Page], language: str, site_url: str, site_name: str, summary: str
) -> str:
    """Return ``llms.txt``: where messages are, then every page by chapter, and each chapter in one file."""
    words = ASSISTANTS[language]
    library = environment.torch(sources.book.environment)
    lines = [_head(language, site_name, summary)]
    if package.exists(project := sources.book.project):
        install, mcp = (" && ".join(package.commands(project, extra)) for extra in ("", "mcp"))
        lines += [words["package"].format(install=install, mcp=mcp), ""]
    lines += [words["library"].format(library=library), ""] if library else []
    languages = sources.languages
    links = [(words["errors"], ERRORS, language), (words["full"], FULL, language)]
    links += [(languages.name(other), "llms.txt", other) for other in languages.others(language)]
    lines += [f"- [{text}]({urljoin(site_url, languages.folder(of) + name)})" for text, name, of in links]
    lines += ["", words["fields"]]
    current: str | None = None
    for page in pages:
        if chapter(page) != current:
            current = chapter(page)
            lines += ["", f"## {chapter_title(sources, current, language)}", ""]
            if current and current != LISTS_FOLDER:
                whole = urljoin(site_url, f"{languages.folder(language)}{current}/{FULL}")
                lines.append(f"- [{words['chapter']}]({whole})")
        target = urljoin(site_url, languages.folder(page.language) + page.name)
        lines.append(f"- [{escape_brackets(title(page))}]({target})")
    return "\n".join(lines) + "\n"
