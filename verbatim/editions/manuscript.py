"""The book, or a chapter of it, as one HTML text, which pandoc turns into an EPUB or into Typst's source. Pure.

Chapters are headings of the first level, recipes of the second. Each page is converted by Python-Markdown with the same
extensions as the site, so that pages mean the same in both. Links between pages become links inside the book; what is
not in the book, such as lists and pages of the other language, is linked where the site is published.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from html import escape
from itertools import groupby
from urllib.parse import urljoin

from markdown import Markdown

from verbatim.build import Build
from verbatim.export import PAPER
from verbatim.languages import Languages
from verbatim.lists.places import LISTS_FOLDER, chapter, chapter_title
from verbatim.markdown import resolve
from verbatim.pages.chapters import Map
from verbatim.pages.document import Footer
from verbatim.pages.page import Page
from verbatim.words import EDITIONS
from verbatim.write import edition, markdown

#: As in mkdocs.yml, except that code is left to pandoc to colour.
_EXTENSIONS = [
    "admonition",
    "attr_list",
    "tables",
    "pymdownx.arithmatex",
    "pymdownx.details",
    "pymdownx.highlight",
    "pymdownx.superfences",
]
_EXTENSION_SETTINGS = {
    "pymdownx.arithmatex": {"generic": True, "inline_syntax": ["round"], "block_syntax": ["square"]},
    "pymdownx.highlight": {"use_pygments": False},
}

_CODE_BLOCK = re.compile(
    r'<pre class="highlight"><code class="([^"]*)"((?: [\w-]+="[^"]*")*)>(.*?)</code></pre>', re.DOTALL
)
#: A fold that has none inside.
_INNERMOST_FOLD = re.compile(
    r'<details\b(?: class="([\w-]*)[^"]*")?[^>]*>\s*'
    r"<summary>((?:(?!</summary>).)*)</summary>((?:(?!<details).)*?)</details>",
    re.DOTALL,
)
_BOX = re.compile(r'<div class="admonition ([\w-]+)[^"]*">\s*<p class="admonition-title">(.*?)</p>', re.DOTALL)
_HEADING = re.compile(r"<h([1-6])(?: id=\"([^\"]*)\")?>(.*?)</h\1>", re.DOTALL)
_LINK = re.compile(r'<(a|img)\b([^>]*?) (href|src)="([^"]*)"')
_ADDRESS_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:")
_FIGURE_PARAGRAPH = re.compile(r"<p>(<img [^>]*>)</p>(?:\s*<p><em>((?:(?!</p>).)*)</em></p>)?", re.DOTALL)
#: What Material's annotations are marked with: their text stands below the code.
_ANNOTATION_MARK = re.compile(r"(# ?\(\d+\))!")

#: The name of a figure's file → its SVG.
Figures = dict[str, str]


def pages_of(build: Build, language: str, volume: str = "") -> list[Page]:
    """Return the pages of the book in a language, in their order. `volume`: the only chapter; all if empty."""
    sources = build.sources
    order = [entry.name for entry in sources.map.entries]
    pages = [
        page
        for page in sources.pages_in(language)
        if chapter(page) and chapter(page) != LISTS_FOLDER and page.name in order
    ]
    return sorted((p for p in pages if not volume or chapter(p) == volume), key=lambda page: order.index(page.name))


def volumes(book: Map) -> list[str]:
    """Return the chapters that are volumes; one that has but lists and other chapters' pages would be empty."""
    return [
        name
        for name, entries in book.chapters.items()
        if name != LISTS_FOLDER and any(entry.name.startswith(f"{name}/") for entry in entries)
    ]


def write(build: Build, language: str, site_url: str, volume: str = "") -> tuple[str, Figures]:
    """Return the book in a language as the body of an HTML page, and its figures.

    Args:
        build: The pages.
        language: The language.
        site_url: Where the site is published.
        volume: The only chapter; all chapters if empty.
    """
    sources = build.sources
    pages = pages_of(build, language, volume)
    figures: Figures = {}
    parts: list[str] = []
    for _, of_chapter in groupby(pages, key=chapter):
        for number, page in enumerate(of_chapter):
            first = page.name.endswith("/index.md")
            if number == 0:
                id = f' id="{anchor(page.name)}"' if first else ""
                parts.append(f"<h1{id}>{escape(chapter_title(sources, chapter(page), language))}</h1>")
            body = _levels(_page(build, page, figures, site_url), page, first)
            parts.append(_linked(body, page, pages, sources.languages, site_url))
    return "\n".join(parts), figures


def anchor(name: str, heading: str = "") -> str:
    """Return the id of a page in the book, or of a heading on it: ``autograd-detach``, ``autograd-detach--shared``."""
    page = posixpath.splitext(name)[0].replace("/", "-")
    return f"{page}--{heading}" if heading else page


def _page(build: Build, page: Page, figures: Figures, site_url: str) -> str:
    """Return a page as HTML. Its figures are added to `figures`. `site_url`: where the site is published."""

    def figure(svg: str, recipe: str, cell: str) -> str:
        stem = f"{recipe}-{cell}".replace("/", "-")
        name, number = f"{stem}.svg", 1
        drawn = valid(svg).replace("<svg ", PAPER, 1)
        while figures.setdefault(name, drawn) != drawn:
            number += 1
            name = f"{stem}-{number}.svg"
        return f"verbatim:{name}"

    document = build.document(page)
    address = urljoin(site_url, build.sources.languages.address(page.language, page.name))

    def left_out(count: int) -> str:
        return EDITIONS[page.language]["left out"].format(count=count, address=address)

    html = code(unfold(edition.page(document, figure, _html, left_out)), left_out)
    html = _BOX.sub(r'<div class="box \1"><div class="label">\2</div>', html)
    html = _FIGURE_PARAGRAPH.sub(_figure, html)
    return "\n".join(filter(None, [html, _ran(document.footer, page.language)]))


def _html(text: str) -> str:
    return str(Markdown(extensions=_EXTENSIONS, extension_configs=_EXTENSION_SETTINGS).convert(text))


def _ran(footer: Footer, language: str) -> str:
    """Return what stands below a page's text: the versions that printed its outputs."""
    said = markdown.sentences(footer, language)
    return f'<div class="ran">{said}</div>' if said else ""


def valid(svg: str) -> str:
    """Return a figure as EPUB wants it: each path has an outline, a blank's too, and no two pictures have one id."""
    svg = re.sub(r"<path\b(?![^>]*\sd=)", '<path d="M0 0"', svg)
    return re.sub(r'(<image\b[^>]*?) id="[^"]*"', r"\1", svg)


def unfold(html: str) -> str:
    """Return HTML whose folds are open boxes. Code that only draws or prepares is left to the web page."""
    replaced = 1
    while replaced:  # the inner ones first
        html, replaced = _INNERMOST_FOLD.subn(_unfolded, html)
    return html


def _unfolded(match: re.Match[str]) -> str:
    kind, label, body = match.groups()
    return "" if kind == "example" else f'<div class="box {kind}"><div class="label">{label}</div>{body}</div>'


def code(html: str, left_out: Callable[[int], str]) -> str:
    """Return HTML whose author's own blocks of code are as pandoc reads them. `left_out`: as in `edition.page`."""

    def replace(match: re.Match[str]) -> str:
        language = match[1].split()[0].removeprefix("language-")
        if language == "text":
            return edition.printed(match[3], left_out)
        unmarked = _ANNOTATION_MARK.sub(r"\1", match[3])
        return f'<pre class="{language}"><code>{unmarked}</code></pre>'

    return _CODE_BLOCK.sub(replace, html)


def _figure(match: re.Match[str]) -> str:
    caption = f'<div class="caption">{match[2]}</div>' if match[2] else ""
    return f'<div class="figure">{match[1]}{caption}</div>'


def _levels(html: str, page: Page, first: bool) -> str:
    """Return a page whose headings stand one level lower, with ids that are unique in the book.

    Args:
        html: The page.
        page: Its source.
        first: Whether it is a chapter's first page, whose title stands above it already.
    """

    def replace(match: re.Match[str]) -> str:
        level, own, text = int(match[1]), match[2], match[3]
        if level == 1:
            return "" if first else f'<h2 id="{anchor(page.name)}">{text}</h2>'
        if first:  # headings of lists of links, of no use among the contents
            return f'<div class="heading">{text}</div>'
        id = f' id="{anchor(page.name, own)}"' if own else ""
        return f"<h{level + 1}{id}>{text}</h{level + 1}>"

    return _HEADING.sub(replace, html)


def _linked(html: str, page: Page, pages: list[Page], languages: Languages, site_url: str) -> str:
    """Return a page whose links lead to the book's other pages, or to the site."""
    known = {other.name: {heading.id for heading in other.headings if heading.id} for other in pages}

    def replace(match: re.Match[str]) -> str:
        tag, before, attribute, target = match.groups()
        return f'<{tag}{before} {attribute}="{new_target(target)}"'

    def new_target(target: str) -> str:
        if target.startswith("verbatim:"):
            return target.removeprefix("verbatim:")
        if _ADDRESS_SCHEME.match(target):
            return target
        name, heading = resolve(target, page.name)
        if name in known:
            inner = heading if heading in known[name] and not name.endswith("/index.md") else ""
            return f"#{anchor(name, inner)}"
        if name.endswith(".md"):
            address = languages.address(page.language, name)
            return urljoin(site_url, address) + (f"#{heading}" if heading else "")
        return urljoin(site_url, name.removeprefix("../"))

    return _LINK.sub(replace, html)
