"""Lines of code wrap where a reader wants them to, on every page from then on."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.miniature import WIDTHS, each_language, shifts

PATH = "autograd/leaf/"
NAMES = {"": "自动换行", "en/": "Wrap lines"}
#: How many blocks of code on the page have lines that do not fit.
WIDE = """[...document.querySelectorAll("article .highlight pre > code")].filter(e => e.scrollWidth > e.clientWidth).length"""


def block(page: Page):
    """The first block of code with lines that do not fit on a phone."""
    return page.locator("article .highlight:not(.verbatim) pre", has_text="tensor").first


def button(page: Page, prefix: str = ""):
    return block(page).get_by_role("button", name=NAMES[prefix])


@each_language
def test_lines_wrap_when_a_reader_asks_and_stay_wrapped_on_other_pages(visit, address, prefix):
    seen = visit(f"{address}{prefix}{PATH}", width="phone", has_touch=True, is_mobile=True)
    page = seen.page
    assert page.evaluate(WIDE) and not any("wrap.js" in url for url in seen.requests)
    block(page).tap()
    expect(button(page, prefix)).to_have_attribute("aria-pressed", "false")
    top = block(page).bounding_box()["y"]
    button(page, prefix).tap()
    expect(button(page, prefix)).to_have_attribute("aria-pressed", "true")
    assert not page.evaluate(WIDE) and abs(block(page).bounding_box()["y"] - top) < 1  # it stays where it is
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS["phone"]
    page.goto(f"{address}{prefix}tensors/print/")
    assert not page.evaluate(WIDE) and shifts(page) == []  # before anything was drawn
    page.goto(f"{address}{prefix}{PATH}")
    block(page).tap()
    button(page, prefix).tap()
    expect(button(page, prefix)).to_have_attribute("aria-pressed", "false")
    page.reload()
    assert page.evaluate(WIDE) and seen.complaints == []


def test_the_button_is_reached_with_the_keyboard_and_stands_where_lines_do_not_fit(visit, address):
    page = visit(address + PATH, width="phone").page
    block(page).locator("[data-md-type=copy]").focus()
    expect(button(page)).to_be_attached()
    page.keyboard.press("Tab")
    assert button(page).evaluate("e => e === document.activeElement")
    page.keyboard.press("Enter")
    expect(button(page)).to_have_attribute("aria-pressed", "true")
    wide = visit(address + PATH).page
    block(wide).hover()
    wide.wait_for_function("() => self.verbatimWrap")
    block(wide).locator("code").hover()
    assert wide.evaluate(WIDE) == 0 and button(wide).count() == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_wrapped_code_breaks_no_rule_of_axe(visit, address, scheme):
    page = visit(address + PATH, width="phone", scheme=scheme, has_touch=True, is_mobile=True).page
    block(page).tap()
    button(page).tap()
    found = Axe().run(page, options={"rules": {"target-size": {"enabled": True}}})
    assert found.violations_count == 0, found.generate_report()
