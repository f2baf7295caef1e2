"""The row of tabs, with the names that the book gives them, and the list of pages on the left."""

from __future__ import annotations

import pytest

from tests.browser.miniature import ROOT
from verbatim.languages import DEFAULT_LANGUAGES
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


@pytest.mark.parametrize("language", DEFAULT_LANGUAGES.all)
def test_all_tabs_fit_into_a_tablets_window(visit, address, language):
    page = visit(address + ("" if language == "zh" else f"{language}/")).page
    page.set_viewport_size({"width": 960, "height": 900})
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
    assert 4 < len(names(language)) < 9 and shown <= room


def test_below_a_tab_stand_all_chapters_and_only_the_readers_own_is_open(visit, address):
    page = visit(address + "en/tensors/print/").page
    shown = page.locator(".md-nav--primary .md-nav__link:visible")
    assert [text.strip() for text in shown.all_inner_texts()] == ["Autograd", "Tensors", "Printing tensors"]
    assert page.locator(".md-tabs__item--active").inner_text() == "Recipes"
    page.locator(".md-nav--primary").get_by_text("Autograd").click()
    page.wait_for_url(address + "en/autograd/leaf/")


@pytest.mark.parametrize(("width", "pages", "contents"), [(959, False, False), (960, True, False), (1220, True, True)])
def test_on_a_tablet_the_list_of_pages_stays_and_the_contents_are_a_menu(visit, address, width, pages, contents):
    page = visit("about:blank").page
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(address + "en/tensors/print/")
    for selector, there in (
        (".md-nav--primary a.md-nav__link--active", pages),
        (".md-tabs", pages),
        (".menu", not pages),
        (".md-sidebar--secondary", contents),
        (".contents", not contents),
    ):
        assert page.locator(selector).first.is_visible() == there, selector
