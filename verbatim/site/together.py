"""What is made once the pages of a language are made: its search, pages as Markdown, the styles that they use."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from verbatim.build import Build
from verbatim.lists import names
from verbatim.pages.page import Page
from verbatim.project import LANGUAGES
from verbatim.site import assistants, index, search, stylesheet
from verbatim.site.carried import Carried
from verbatim.site.reuse import Shelf, digest


@dataclass
class Together:
    """Makes it, or takes from earlier builds what still is as it was."""

    build: Build | None
    shelf: Shelf | None
    carried: Carried | None

    def search(self, language: str, pages: Mapping[str, index.Given]) -> Iterator[tuple[str, str]]:
        """Yield ``(path from the site's root, text)`` of the files of a language's search.

        They are those of the last build, with what changed since; what the existing site has, too, is carried over.

        Args:
            language: The language.
            pages: Page below the language's folder → what there is to find on it.
        """
        known: set[str] = set()
        if self.build:
            known = {name.name.rpartition(".")[2] for name in names.names(self.build.sources, language)}
        given = [self._given(language, name, found) for name, found in pages.items()]
        kept = self.shelf.take("search", language, lambda facts: True) if self.shelf else None
        made = index.make(given, known, kept[1] if kept else "")
        if self.shelf:
            self.shelf.made.setdefault("search", set()).update(made.loaded)
            if not kept or made.kept != kept[1]:
                self.shelf.put("search", language, {}, made.kept)
        folder = f"assets/search/{language}"
        there = self._there(f"{folder}/index.js", made.files["index.js"])
        for name, text in made.files.items():
            if name in there and self.carried:
                self.carried.also.add(f"{folder}/{name}")
            else:
                yield f"{folder}/{name}", text

    def _there(self, path: str, text: str) -> set[str]:
        """Return the files of a search that the existing site has as they are. `path`, `text`: of its ``index.js``."""
        before = self.carried.before(path) if self.carried else ""
        return {name for name, _ in index.versions(before).items() & index.versions(text).items()} if before else set()

    def _given(self, language: str, name: str, found: index.Given) -> index.Given:
        """Return a page for the search's index, to which its titles in the other languages belong."""
        others = [f"docs/{other}/{name}" for other in LANGUAGES if other != language]
        twins = map(self.build.page, others) if self.build else ()
        titles = [search.titles(twin) for twin in twins if twin]
        return index.given(found.url, found.of, found.load, titles)

    def page(self, page: Page, of: str, make: Callable[[], assistants.Made]) -> assistants.Made:
        """Return a page as Markdown with its figures: the `keep` of `assistants.write`."""
        place = page.path.removeprefix("docs/")
        if self.carried and place in self.carried.pages:
            return self.carried.text(assistants.address(page.language, page.name)), {}
        said = digest(of)
        kept = self.shelf.take("markdown", place, lambda facts: bool(facts["of"] == said)) if self.shelf else None
        text, drawn = (kept[1], kept[0]["drawn"]) if kept else make()
        if self.shelf and not kept:
            self.shelf.put("markdown", place, {"of": said, "drawn": drawn}, text)
        if self.carried:
            self.carried.note(place, figures=sorted(drawn))
        return text, drawn

    def styles(self, language: str, material: str, used: stylesheet.Used) -> str:
        """Return what pages use of Material's stylesheets. `material`: their text."""
        said = digest(material, used)
        if self.shelf and (kept := self.shelf.take("sheet", language, lambda facts: bool(facts["of"] == said))):
            return kept[1]
        text = stylesheet.trim(material, used)
        if self.shelf:
            self.shelf.put("sheet", language, {"of": said}, text)
        return text
