"""The book, or a chapter of it, as one HTML text, which pandoc turns into an EPUB or into Typst's source. Pure.

Chapters are headings of the first level, recipes of the second. Each page is converted by Python-Markdown with the same
extensions as the site, so that pages mean the same in both. Links between pages become links inside the book; what is
not in the book, such as lists and pages of the other language, is linked where the site is published.
"""

from __future__ import annotations

import posixpath
import re
from dataclasses import replace
from html import escape, unescape
from itertools import accumulate, groupby
from urllib.parse import urljoin

from markdown import Markdown

from verbatim.build import Build
from verbatim.export import PAPER
from verbatim.languages import Languages
from verbatim.lists.places import LISTS_FOLDER, chapter, chapter_title
from verbatim.markdown import resolve
from verbatim.pages.document import Footer
from verbatim.pages.page import Page
from verbatim.words import EDITIONS
from verbatim.write import markdown

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
_SETTINGS = {
    "pymdownx.arithmatex": {"generic": True, "inline_syntax": ["round"], "block_syntax": ["square"]},
    "pymdownx.highlight": {"use_pygments": False},
}

_CODE = re.compile(r'<pre class="highlight"><code class="([^"]*)"((?: [\w-]+="[^"]*")*)>(.*?)</code></pre>', re.DOTALL)
_TITLE = re.compile(r' title="([^"]*)"')
#: A fold that has none inside.
_FOLDED = re.compile(
    r'<details\b(?: class="([\w-]*)[^"]*")?[^>]*>\s*'
    r"<summary>((?:(?!</summary>).)*)</summary>((?:(?!<details).)*?)</details>",
    re.DOTALL,
)
_BOX = re.compile(r'<div class="admonition ([\w-]+)[^"]*">\s*<p class="admonition-title">(.*?)</p>', re.DOTALL)
_HEADING = re.compile(r"<h([1-6])(?: id=\"([^\"]*)\")?>(.*?)</h\1>", re.DOTALL)
_LINK = re.compile(r'<(a|img)\b([^>]*?) (href|src)="([^"]*)"')
_OUTSIDE = re.compile(r"[a-zA-Z][\w+.-]*:")
_FIGURE = re.compile(r"<p>(<img [^>]*>)</p>(?:\s*<p><em>((?:(?!</p>).)*)</em></p>)?", re.DOTALL)
#: Which releases drew the figure that follows.
_DREW = re.compile(r'(?:<p>)?<p class="verbatim-version"[^>]*>(.*?)</p>(?:</p>)?', re.DOTALL)
#: The attribute of a paragraph that says why nothing is recorded, what stands for it, and the paragraph in HTML.
_UNRECORDED, _SMALL = "\n{ .verbatim-unrecorded }", "\ue010"
_SMALL_PRINT = re.compile(f"<p>((?:(?!</p>).)*){_SMALL}</p>", re.DOTALL)
#: What Material's annotations are marked with: their text stands below the code.
_MARK = re.compile(r"(# ?\(\d+\))!")

#: Of an output that is longer than this many lines of paper, about a page, the middle is left to the web page.
_MOST, _FIRST, _LAST = 48, 20, 8
_COLUMNS = 80

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
    own = replace(document, blocks=tuple(block for block in document.blocks if not isinstance(block, Footer)))
    text = markdown.plain(own, figure, markdown.EDITION, prose=lambda text: text.replace(_UNRECORDED, _SMALL))
    html = _SMALL_PRINT.sub(r'<div class="small">\1</div>', unfold(_html(text)))
    html = _BOX.sub(r'<div class="box \1"><div class="label">\2</div>', html)
    address = urljoin(site_url, build.sources.languages.address(page.language, page.name))
    html = printed(html, EDITIONS[page.language]["left out"], address)
    html = _DREW.sub(r'<div class="label">\1</div>', html)
    html = _FIGURE.sub(_figure, html)
    below = (_ran(block, page.language) for block in document.blocks if isinstance(block, Footer))
    return "\n".join([html, *filter(None, below)])


def _html(text: str) -> str:
    return str(Markdown(extensions=_EXTENSIONS, extension_configs=_SETTINGS).convert(text))


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
    found = 1
    while found:  # the inner ones first
        html, found = _FOLDED.subn(_unfolded, html)
    return html


def _unfolded(match: re.Match[str]) -> str:
    kind, label, body = match.groups()
    return "" if kind == "example" else f'<div class="box {kind}"><div class="label">{label}</div>{body}</div>'


def printed(html: str, left_out: str, address: str) -> str:
    """Return HTML with code as pandoc reads it, below a line that says what it is where PyTorch printed it.

    Args:
        html: A page.
        left_out: How to say that `count` lines of an output are on the web page `address` alone.
        address: Of the page.
    """

    def replace(match: re.Match[str]) -> str:
        classes, attributes, text = match.groups()
        language = classes.split()[0].removeprefix("language-")
        label = _TITLE.search(attributes)
        if not label and language != "text":  # the rest of a message is `text`
            unmarked = _MARK.sub(r"\1", text)
            return f'<pre class="{language}"><code>{unmarked}</code></pre>'
        first, count, last = shorten(text)
        shown = f"<pre><code>{first}</code></pre>"
        if count:
            said = left_out.format(count=count, address=address)
            shown += f'<div class="left-out">{said}</div><pre><code>{last}</code></pre>'
        if not label:
            return shown
        kinds = (name.removeprefix("verbatim-") for name in classes.split() if name.startswith("verbatim-"))
        return f'<div class="printed {next(kinds, "output")}"><div class="label">{label[1]}</div>{shown}</div>'

    return _CODE.sub(replace, html)


def shorten(text: str) -> tuple[str, int, str]:
    """Return the beginning of a printed text, how many lines are left out behind it, and the end.

    A text that is not much longer than a page of paper is returned whole, with 0 and an empty end.
    """
    lines = text.split("\n")
    heights = [-(-len(unescape(line)) // _COLUMNS) or 1 for line in lines]
    if sum(heights) <= _MOST:
        return text, 0, ""
    first = sum(total <= _FIRST for total in accumulate(heights)) or 1
    last = len(lines) - (sum(total <= _LAST for total in accumulate(reversed(heights))) or 1)
    return ("\n".join(lines[:first]), last - first, "\n".join(lines[last:])) if first < last else (text, 0, "")


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
        if _OUTSIDE.match(target):
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
