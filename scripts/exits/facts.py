"""What must be true of a built site, whoever built it: a folder of HTML in, problems out."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

from verbatim.book import records
from verbatim.book.compare import Difference, compare, text_of
from verbatim.book.gather import parse_all
from verbatim.book.records import Record
from verbatim.markdown import formulas
from verbatim.pages.document import cells_of
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.project import Project
from verbatim.run.script import Script

#: Markdown that nothing turned into HTML.
LEFTOVER_MARKDOWN = re.compile(r'^\s*(?:!!!|\?\?\?\+?) ?\w|^\s*=== "|\{ ?[#.][\w-]+|```|verbatim:\w', re.MULTILINE)
#: Where a stylesheet or a style loads something from elsewhere.
FOREIGN_ADDRESS = re.compile(r"""(?:url\(\s*|@import\s*)["']?(?:https?:)?//[^)"';\s]+""")
#: What is fetched as soon as the page is read; links are not.
FETCHED_ATTRIBUTES = {"script", "img", "iframe", "source", "object", "embed", "audio", "video", "use"}
FETCHED_LINKS = {"stylesheet", "icon", "preload", "modulepreload", "prefetch", "manifest"}
CAPTION_STARTS = ("图：", "Figure:")


@dataclass
class Read(HTMLParser):
    """What a page's HTML says."""

    text: str
    language: str = ""
    headings: int = 0
    formulas: int = 0
    figures: int = 0
    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)
    outputs: Counter[tuple[str, str]] = field(default_factory=Counter)
    """(cell, device) → how many blocks show it."""
    printed: dict[tuple[str, str], str] = field(default_factory=dict)
    """(cell, device) → what they show."""
    prose: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._mute: list[str] = []
        self._block: tuple[str, str] | None = None
        self.feed(self.text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        if tag == "html":
            self.language = values.get("lang", "")
        elif tag == "h1":
            self.headings += 1
        elif tag == "div" and "data-torch" in values:
            self._block = None  # what another release printed
        elif tag == "div" and "data-verbatim" in values:
            self._block = values["data-verbatim"], values.get("data-device", "")
        elif tag == "pre" and self._block:
            self.outputs[self._block] += 1
            self.printed.setdefault(self._block, "")
        self.figures += (values.get("alt") or values.get("aria-label", "")).startswith(CAPTION_STARTS)
        if "id" in values:
            self.ids.add(values["id"])
        address = values.get("href") or values.get("xlink:href") or values.get("src") or values.get("data", "")
        if tag in FETCHED_ATTRIBUTES or (tag == "link" and FETCHED_LINKS & set(values.get("rel", "").split())):
            self.fetched.append(address)
        elif tag in ("a", "link"):
            self.links.append(address)
        formula = tag in ("span", "div") and {"arithmatex", "math"} & set(values.get("class", "").split())
        self.formulas += bool(formula)
        if tag in ("pre", "code", "script", "style", "svg", "math") or values.get("class") == "arithmatex":
            self._mute.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self._mute and self._mute[-1] == tag:
            self._mute.pop()
        if tag == "pre":
            self._block = None

    def handle_data(self, data: str) -> None:
        if self._block and "pre" in self._mute:
            self.printed[self._block] += data
        elif not self._mute:
            self.prose.append(data)


class Built:
    """A built site.

    Args:
        folder: Where it lies.
        url: The address it was built for.
    """

    def __init__(self, folder: Path, url: str):
        self.folder = folder
        self.url = url
        self._pages: dict[str, Read] = {}

    def page(self, address: str) -> Read | None:
        """Read the page at an address from the site's root; ``None`` where there is none."""
        file = self.file(address)
        if file not in self._pages:
            path = self.folder / file
            if not path.is_file() or path.suffix != ".html":
                return None
            self._pages[file] = Read(path.read_text(encoding="utf-8"))
        return self._pages[file]

    def file(self, address: str) -> str:
        """Return the file that a server sends for an address from the site's root."""
        file = posixpath.normpath(unquote(address) or ".")
        return posixpath.normpath(f"{file}/index.html") if (self.folder / file).is_dir() else file

    def problem_of_link(self, address: str, target: str) -> str:
        """Say what is wrong with a link on a page; nothing where it leads somewhere, or to another site."""
        absolute = urlsplit(urljoin(self.url + address, target))
        if not absolute.geturl().startswith(self.url):
            return ""
        inside = absolute.path.removeprefix(urlsplit(self.url).path)
        if not (self.folder / self.file(inside)).is_file():
            return f"the link `{target}` leads nowhere"
        if absolute.fragment and (page := self.page(inside)) and unquote(absolute.fragment) not in page.ids:
            return f"the link `{target}` leads to a section that is not there"
        return ""


@dataclass
class Count:
    """What was seen, so that one can tell a check that passed from one that saw nothing."""

    pages: Counter[str] = field(default_factory=Counter)
    outputs: int = 0
    figures: int = 0
    formulas: int = 0
    links: int = 0

    def __str__(self) -> str:
        pages = ", ".join(f"{count} {language}" for language, count in sorted(self.pages.items()))
        return f"{pages}; {self.outputs} outputs, {self.figures} figures, {self.formulas} formulas, {self.links} links"


def check(project: Project, pages: list[Page], site: Built) -> tuple[list[Problem], Count]:
    """Compare a site with the pages and records that it was built from."""
    scripts, problems = parse_all(project, project.scripts())
    approved = {
        (name, device): record
        for name in scripts
        for device in ("cpu", "cuda")
        if (record := records.load(project, project.recipe(name), device))
    }
    count, languages = Count(), project.languages
    names = {(page.language, page.name) for page in pages}
    for page in pages:
        address = languages.address(page.language, page.name)
        read = site.page(address)
        if read is None:
            problems.append(Problem(page.path, 0, f"the site has no page at /{address}"))
            continue
        twins = [lang for lang in languages.others(page.language) if (lang, page.name) in names]
        said = [
            *_of_page(page, read),
            *_of_outputs(project, page, read, scripts, approved, count),
            *_of_links(site, address, read, [languages.address(language, page.name) for language in twins], count),
        ]
        problems += [Problem(page.path, 0, message) for message in dict.fromkeys(said)]
        count.pages[page.language] += 1
        count.formulas += read.formulas
    return problems + list(_of_styles(site)), count


def _of_page(page: Page, read: Read) -> Iterator[str]:
    if not read.language.startswith(page.language):
        yield f"the page says that its language is `{read.language}`"
    if read.headings != 1:
        yield f"the page has {read.headings} titles"
    if read.formulas < len(formulas(page.text)):
        yield f"{len(formulas(page.text))} formulas are written, {read.formulas} are shown"
    if left := LEFTOVER_MARKDOWN.search("".join(read.prose)):
        yield f"Markdown was left as it is: `{left[0].strip()}`"


def _of_outputs(
    project: Project,
    page: Page,
    read: Read,
    scripts: dict[str, Script],
    approved: dict[tuple[str, str], Record],
    count: Count,
) -> Iterator[str]:
    """Every approved output of the cells that a page shows is on it, but for rounding."""
    figures = 0
    for (path, name), times in _cells(page, scripts).items():
        target = f"{project.recipe(path)}#{name}"
        for device, outputs in _expected(path, name, approved).items():
            drawn = [output for output in outputs if output["output_type"] == "display_data"]
            text = "\n".join(text_of(output).strip("\n") for output in outputs if output not in drawn)
            figures += len(drawn) * times
            if not text:
                continue
            printed = read.printed.get((target, device), "")
            cell = scripts[path].cell(name)
            if not printed.strip():
                yield f"what `{target}` prints ({device}) is not shown"
            elif cell and not cell.varies and not _same("\n".join([text] * times), printed):
                yield f"what `{target}` prints ({device}) is not what was approved"
            count.outputs += 1
    if read.figures < figures:
        yield f"{figures} figures were drawn, {read.figures} are shown"
    count.figures += figures


def _cells(page: Page, scripts: dict[str, Script]) -> Counter[tuple[str, str]]:
    """Return the cells that a page shows, each with how often."""
    return Counter(
        (embed.script, cell.name)
        for embed in page.embeds
        if embed.script in scripts
        for cell in cells_of(scripts[embed.script], embed)
    )


def _expected(path: str, name: str, approved: dict[tuple[str, str], Record]) -> dict[str, tuple]:
    """Return what of a cell is shown: device → outputs."""
    by_device = {}
    for device in ("cpu", "cuda"):
        record = approved.get((path, device))
        cell = record.cell(name) if record else None
        if cell and not cell.skipped and (device == "cpu" or cell.touched or "cpu" not in by_device):
            by_device[device] = cell.outputs
    return by_device


def _same(approved: str, printed: str) -> bool:
    old, new = ({"output_type": "stream", "name": "stdout", "text": text} for text in (approved, printed))
    return compare([old], [new]) is not Difference.DRIFT


def _of_links(site: Built, address: str, read: Read, twins: list[str], count: Count) -> Iterator[str]:
    for target in dict.fromkeys([*read.links, *read.fetched]):
        if problem := site.problem_of_link(address, target):
            yield problem
    for target in read.fetched:
        absolute = urljoin(site.url + address, target)
        if not absolute.startswith((site.url, "data:")):
            yield f"the page fetches `{absolute}` from elsewhere"
    for twin in twins:
        if not any(urljoin(site.url + address, link) == site.url + twin for link in read.links):
            yield f"no link leads to /{twin}"
    for loaded in FOREIGN_ADDRESS.findall(read.text):
        yield f"a style of the page loads `{loaded}`"
    count.links += len(read.links)


def _of_styles(site: Built) -> Iterator[Problem]:
    for path in sorted(site.folder.rglob("*.css")):
        for loaded in FOREIGN_ADDRESS.findall(path.read_text(encoding="utf-8")):
            yield Problem(path.relative_to(site.folder).as_posix(), 0, f"it loads `{loaded}` from elsewhere")
