"""Outputs that readers guess before they look: folded behind a question, unless a reader wants all of them shown."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.miniature import WIDTHS, each_language, shifts
from tests.browser.server import serving
from tests.browser.test_releases import chosen
from verbatim.words import OUTPUTS, SITE

PATH = "tensors/print/"
PRINTED = "<b>&amp;</b>"


def shown(page: Page) -> bool:
    """Whether the output can be seen."""
    return page.locator("details.asks").get_by_text(PRINTED).is_visible()


@each_language
@pytest.mark.parametrize("width", WIDTHS)
def test_a_reader_guesses_then_looks_by_keyboard(visit, address, prefix, width):
    language = prefix.strip("/") or "zh"
    page = visit(f"{address}{prefix}{PATH}", width=width).page
    summary = page.locator("details.asks > summary")
    assert summary.inner_text() == OUTPUTS[language]["asks"]
    assert not shown(page)
    summary.focus()
    page.keyboard.press("Enter")
    assert shown(page)
    page.keyboard.press("Tab")
    switch = page.get_by_label(SITE[language]["always"])
    assert switch.evaluate("e => e === document.activeElement")
    assert switch.is_visible() and not switch.is_checked()
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_an_open_question_breaks_no_rule_of_axe(visit, address, scheme):
    page = visit(f"{address}{PATH}", width="phone", scheme=scheme).page
    page.locator("details.asks > summary").click()
    found = Axe().run(page, options={"rules": {"target-size": {"enabled": True}}})
    assert found.violations_count == 0, found.generate_report()


def test_who_wants_no_questions_is_asked_none(visit, address):
    page = visit(address + PATH).page
    page.locator("details.asks > summary").click()
    page.locator(".always input").check()
    page.goto(f"{address}en/{PATH}")
    assert shown(page) and page.locator(".always input").is_checked()
    page.locator(".always input").uncheck()
    assert shown(page)  # what is being read stays
    page.reload()
    assert not shown(page)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "part", [b'<details class="asks"', b'class="always"', b'data-verbatim="tensors/print#markup"', b"<footer"]
)
def test_nothing_moves_where_outputs_are_always_shown(visit, site, width, part):
    with serving(site, pause=part) as address:
        kept = chosen(address, "2.6.0")
        kept["storage_state"]["origins"][0]["localStorage"].append({"name": "verbatim.outputs", "value": "always"})
        page = visit(address + PATH, width=width, slow=True, **kept).page
        assert page.locator("details.asks").evaluate("e => e.open")
        assert shifts(page) == []


def test_the_release_that_a_reader_has_chosen_answers(visit, address):
    page = visit(address + PATH, **chosen(address, "1.13.1")).page
    fold = page.locator("details.asks")
    assert not fold.evaluate("e => e.open")
    fold.locator("> summary").click()
    assert fold.get_by_text("has no attribute").is_visible() and not shown(page)


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_without_scripts_there_is_no_switch_and_on_paper_no_question(visit, address, scripts):
    page = visit(address + PATH, java_script_enabled=scripts).page
    summary = page.locator("details.asks > summary")
    summary.click()
    assert shown(page) and page.locator(".always").is_visible() == scripts
    summary.click()
    assert not shown(page)
    page.emulate_media(media="print")
    assert shown(page) and not page.locator(".always").is_visible()
    assert summary.evaluate("summary => getComputedStyle(summary, '::after').display") == "none"


def test_who_comes_from_the_search_sees_the_output(visit, address):
    page = visit(address + "en/").page
    page.keyboard.press("/")
    page.locator(".vs-dialog input").fill("document.title owned")
    page.locator(".vs-result").first.click()
    page.wait_for_url("**/tensors/print/**")
    page.wait_for_function("() => CSS.highlights.get('verbatim-search')?.size")
    assert shown(page)


def test_in_a_folder_the_choice_is_kept_too(visit, site):
    page = visit((site / PATH / "index.html").as_uri()).page
    page.locator("details.asks > summary").click()
    page.locator(".always input").check()
    page.goto((site / "en" / PATH / "index.html").as_uri())
    assert shown(page)
