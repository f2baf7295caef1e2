"""The pages of a built site as the search's index is made from them, so that it can be made again in other ways."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.parse import urljoin

from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.lists import glossary, questions
from verbatim.lists.places import LISTS_FOLDER
from verbatim.markdown import resolve
from verbatim.pages.page import Page as Source
from verbatim.project import Project
from verbatim.site.search import index, messages, sections, thesaurus

#: Where a link of a page's content leads; of one to the glossary, which the site adds, not.
_HREF = re.compile(r'<a (?![^>]*class="(?:term|headerlink))[^>]*href="([^"]*)"')

#: Which of a page's keywords are kept: address, keyword → whether.
Keep = Callable[[str, str], bool]


def data(text: str) -> list:
    """Return what a file of the index hands over."""
    return json.loads(text.split(",", 2)[2].rstrip().removesuffix(")"))


def recipe(url: str) -> str:
    """Return the page's path below its language's folder: ``en/autograd/detach/`` → ``autograd/detach.md``."""
    return url.removeprefix("en/").strip("/") + ".md"


class Book:
    """The searchable pages of a site, both languages. ``root``: the project; ``site``: where it was built."""

    def __init__(self, root: Path, site: Path) -> None:
        self.project = Project(root)
        self.files: dict[str, dict[str, str]] = {}
        self.messages: dict[str, list[messages.Template]] = {}
        self.said: dict[str, str] = {}
        self.pages: dict[str, list[sections.Page]] = {}
        names = (site / "ways/names/index.html").read_text(encoding="utf-8")
        self.known = frozenset(re.findall(r">torch(?:\.\w+)*\.(\w+)<", names))
        for language in DEFAULT_LANGUAGES.all:
            folder = site / "assets/search" / language
            self.files[language] = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.js")}
            self.pages[language] = [*self._pages(root, site, language)]
            self.messages[language] = self._messages(language)
            texts = ((root / name).read_text(encoding="utf-8") for name in (thesaurus.FILE, glossary.FILE))
            self.said[language] = thesaurus.dumps(*texts, language)

    def _messages(self, language: str) -> list[messages.Template]:
        """Return the messages that pages show, in their order."""
        found = []
        for text, page, section, remedy, *rest in data(self.files[language]["messages-0.js"])["templates"]:
            shown = self.pages[language][page]
            found.append(messages.Template(text, shown.url, shown.sections[section].id, remedy, "", *rest))
        return found

    def _pages(self, root: Path, site: Path, language: str) -> list[sections.Page]:
        files = self.files[language]
        overviews = {*data(files["index.js"])["overviews"]}
        made = []
        for number in range(sum(name.startswith("page-") for name in files)):
            url, found = data(files[f"page-{number}.js"])
            fields = ("id", *sections.SHOWN_FIELDS)
            parts = [sections.Section(**dict(zip(fields, one, strict=False))) for one in found]
            overview = number in overviews
            source = self._source(root / "docs" / language, recipe(url))
            meta = source.meta if not overview else {}
            keywords = tuple(map(str, meta.get("keywords") or ()))
            asked = (line for line in parts[0].asked.splitlines() if line not in keywords)
            parts[0].asked = "\n".join(asked)
            made.append(sections.Page(url, parts, overview, tuple(self._links(site, source, url)), keywords))
        return made

    def _source(self, docs: Path, name: str) -> Source:
        """Return the page of a name, or the first page of the folder that has this name."""
        if not (docs / name).is_file():
            name = f"{name.removesuffix('.md')}/index.md".lstrip("/")
        return Source(f"docs/{docs.name}/{name}", (docs / name).read_text(encoding="utf-8"))

    def _links(self, site: Path, source: Source, url: str) -> Iterator[sections.Link]:
        """Yield the links of a page to others; what these are asked for has their texts already."""
        found: Iterable[str] = ()
        if source.name.endswith("index.md"):  # lists that the build makes have links, too
            html = (site / url / "index.html").read_text(encoding="utf-8")
            content = html.partition("<article")[2].partition("</article>")[0]
            found = (urljoin(url, href).partition("#")[0] for href in _HREF.findall(content))
        elif not source.name.startswith(f"{LISTS_FOLDER}/"):
            named = (resolve(target, source.name)[0] for _, target in source.links)
            found = (self.project.languages.address(source.language, name) for name in named if name.endswith(".md"))
        return (sections.Link(there, "-", "", "") for there in found)

    def index(
        self, language: str, keep: Keep = lambda url, word: True, said: bool = True, asked: bool = True
    ) -> dict[str, str]:
        """Return the files of an index whose pages have only some of their keywords.

        Args:
            language: The language of the pages.
            keep: Which keywords they keep.
            said: Whether there is a thesaurus.
            asked: Whether they are found by how strangers ask for them.
        """
        (other,) = (one for one in DEFAULT_LANGUAGES.all if one != language)
        twins = {recipe(page.url): page for page in self.pages[other]}

        def kept(page: sections.Page) -> tuple[str, ...]:
            return tuple(word for word in page.keywords if keep(page.url, word))

        made = []
        for page in self.pages[language]:
            first = page.sections[0]
            parts = [replace(first, asked="\n".join(filter(None, (first.asked, *kept(page))))), *page.sections[1:]]
            page = replace(page, sections=parts, keywords=kept(page))
            if twin := twins.get(recipe(page.url)):
                titles = {section.id: section.title for section in twin.sections}
                titles[""] = "\n".join((twin.title, *kept(twin)))
                page = sections.translate(page, [titles])
            if asked:
                recipe_name = recipe(page.url).removesuffix(".md")
                page = sections.ask(page, questions.read(self.project, language, recipe_name))
            made.append(page)
        return index.files(made, self.known, self.messages[language], self.said[language] if said else "{}")
