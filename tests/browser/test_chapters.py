"""The row of chapters, with the names that the book gives them."""

from __future__ import annotations

import pytest

from tests.browser.miniature import ROOT
from verbatim.languages import USUAL
from verbatim.pages import chapters
from verbatim.pages.page import Page
from verbatim.project import Project
from verbatim.site.navigation import nav


def names(language: str) -> list[str]:
    project = Project(ROOT)
    book = chapters.read(project)
    firsts = [f"docs/{language}/{entries[0].name}" for entries in book.chapters.values()]
    pages = [Page(path, (ROOT / path).read_text(encoding="utf-8")) for path in firsts]
    return [next(iter(entry)) for entry in nav(book, pages, language) if isinstance(entry, dict)]


@pytest.mark.parametrize("language", USUAL.all)
def test_all_chapters_fit_into_a_window_of_1280_pixels(visit, address, language):
    page = visit(address + ("" if language == "zh" else f"{language}/")).page
    page.set_viewport_size({"width": 1280, "height": 900})
    shown, room = page.evaluate(
        """names => {
          const row = document.querySelector(".md-tabs__list"), one = row.lastElementChild;
          for (const old of [...row.children].slice(1)) old.remove();
          for (const name of names) {
            const tab = row.appendChild(one.cloneNode(true));
            tab.querySelector("a").textContent = name;
          }
          return [row.lastElementChild.getBoundingClientRect().right, row.getBoundingClientRect().right];
        }""",
        names(language),
    )
    assert len(names(language)) > 10 and shown <= room
    print(language, shown, room)
