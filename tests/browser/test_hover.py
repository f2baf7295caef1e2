"""What a name is, and where a link leads, where it is pointed at, reached with the keyboard, or tapped."""

from __future__ import annotations

import gzip

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.miniature import WIDTHS, each_language, shifts, timers
from verbatim.site.hover import FILE

PATH = "autograd/leaf/"
NAMES = FILE.format("names")


def card(page: Page):
    return page.locator(".hover:visible")


def link(page: Page):
    return page.locator("article a.api", has_text="nn.Parameter").first


@each_language
@pytest.mark.parametrize("width", WIDTHS)
def test_a_name_is_told_by_mouse_and_the_card_stays_below_the_pointer(visit, address, prefix, width):
    seen = visit(f"{address}{prefix}{PATH}", width=width)
    page = seen.page
    assert not any("hover" in url for url in seen.requests)  # nothing on first load
    link(page).hover()
    expect(card(page)).to_contain_text("torch.nn.Parameter(")
    assert card(page).locator("a").get_attribute("href") == link(page).get_attribute("href")
    assert any(url.partition("?")[0].endswith(NAMES) for url in seen.requests)
    box = card(page).bounding_box()
    assert box["x"] >= 0 and box["x"] + box["width"] <= WIDTHS[width]
    card(page).hover()
    timers(page)  # whatever was to hide it has
    assert card(page).is_visible()
    page.keyboard.press("Escape")
    assert not card(page).count()
    moved = [
        text for text in shifts(page) if 'data-md-component="toc"' not in text
    ]  # follows the scrolled page by a frame
    assert moved == [] and seen.complaints == []


def test_a_name_is_told_by_keyboard(visit, address):
    page = visit(address + PATH).page
    link(page).focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(card(page)).to_contain_text("torch.nn.Parameter(")
    assert link(page).get_attribute("aria-describedby") == card(page).get_attribute("id")
    page.keyboard.press("Escape")
    assert not card(page).count() and link(page).evaluate("e => e === document.activeElement")
    page.keyboard.press("Shift+Tab")
    expect(card(page)).to_contain_text("torch.Tensor.is_leaf")
    page.keyboard.press("Tab")
    expect(card(page)).to_contain_text("torch.nn.Parameter(")
    assert page.locator(".hover").count() == 1


def test_the_first_tap_tells_and_the_card_has_the_link(visit, address):
    page = visit(address + PATH, width="phone", has_touch=True).page
    link(page).tap()
    expect(card(page)).to_contain_text("torch.nn.Parameter(")
    expect(page).to_have_url(address + PATH)
    assert card(page).locator("a").is_visible()
    page.locator("article h1").tap()
    assert not card(page).count()


def test_a_name_in_code_is_told_and_a_comment_is_none(visit, address):
    page = visit(address + PATH).page
    code = page.locator("article pre > code").first
    places = code.evaluate(
        """code => ["torch.tensor", "# (3,)"].map(text => {
          const walker = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
          const whole = code.textContent.indexOf(text) + text.length - 2;
          for (let node, at = 0; (node = walker.nextNode()); at += node.length) {
            if (whole >= at + node.length) continue;
            const range = new Range();
            range.setStart(node, whole - at);
            range.setEnd(node, whole - at + 1);
            const { x, y, width, height } = range.getBoundingClientRect();
            return [x + width / 2, y + height / 2];
          }
        })"""
    )
    page.mouse.move(*places[0])
    expect(card(page)).to_contain_text("torch.tensor(data,")
    page.mouse.move(*places[1])
    expect(card(page)).to_have_count(0)


@pytest.mark.parametrize(
    ("prefix", "other", "title"),
    [("", "leaf tensor", "叶子张量：谁会有梯度"), ("en/", "叶子张量", "Leaf tensors: who gets a gradient")],
    ids=["zh", "en"],
)
def test_a_term_is_told_in_the_other_language(visit, address, prefix, other, title):
    page = visit(f"{address}{prefix}tensors/print/").page
    term = page.locator("a.term")
    assert term.count() == 1
    term.hover()
    expect(card(page)).to_contain_text(other)
    assert card(page).locator("a").inner_text() == title
    term.click()
    page.wait_for_url(f"**/{prefix}autograd/leaf/")
    assert page.locator("a.term").count() == 0  # the page that explains it


def leading(page: Page):
    """A link to a section of another page."""
    return page.locator("#read-on ~ ul a").first


@each_language
def test_a_link_to_another_page_tells_the_section_and_how_it_begins(visit, address, prefix):
    seen = visit(f"{address}{prefix}{PATH}")
    page = seen.page
    assert leading(page).get_attribute("href").endswith("tensors/print/#wide")
    leading(page).hover()
    goal = visit(f"{address}{prefix}tensors/print/").page
    heading = goal.locator("#wide").inner_text().rstrip("¶").strip()
    title = goal.locator("article h1").inner_text().rstrip("¶").strip()
    expect(card(page).locator("b")).to_have_text(heading)
    expect(card(page).locator("small")).to_have_text(title)
    assert {
        url for url in seen.requests if "assets/hover-" in url
    } == set()  # no data but the page, which is fetched anyway
    assert page.locator(".hover").bounding_box()["width"] <= WIDTHS["wide"]
    page.keyboard.press("Escape")
    assert not card(page).count() and seen.complaints == []


def test_a_link_to_the_top_of_a_page_tells_its_first_sentence(visit, address):
    page = visit(f"{address}en/{PATH}").page
    leading(page).evaluate("link => { link.hash = ''; }")
    leading(page).hover()
    expect(card(page).locator("b")).to_have_text("Printing tensors: what one sees")
    expect(card(page).locator("p")).to_have_text("What is printed stands on the page as it is, to the letter.")
    assert not card(page).locator("small").count()


def test_where_a_link_leads_is_told_by_keyboard_and_a_tap_follows_it(visit, address):
    page = visit(f"{address}en/{PATH}").page
    leading(page).focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    expect(card(page).locator("b")).to_be_visible()
    assert leading(page).get_attribute("aria-describedby") == card(page).get_attribute("id")
    page.keyboard.press("Shift+Tab")
    expect(card(page)).to_have_count(0)
    touched = visit(f"{address}en/{PATH}", width="phone", has_touch=True).page
    leading(touched).tap()
    touched.wait_for_url("**/en/tensors/print/#wide")


@pytest.mark.parametrize("connection", ["{saveData: true}", "{effectiveType: 'slow-2g'}"])
def test_who_saves_data_gets_no_page_for_a_card(visit, address, connection):
    seen = visit("about:blank")
    seen.page.add_init_script(f"Object.defineProperty(navigator, 'connection', {{value: {connection}}})")
    seen.page.goto(f"{address}en/{PATH}")
    leading(seen.page).hover()
    seen.page.wait_for_function("() => self.verbatimHover")
    timers(seen.page)
    assert not card(seen.page).count() and not [url for url in seen.requests if "tensors/print" in url]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_card_breaks_no_rule_of_axe(visit, address, scheme):
    page = visit(address + PATH, width="phone", scheme=scheme).page
    link(page).hover()
    expect(card(page)).to_be_visible()
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    page.emulate_media(media="print")
    assert not card(page).count()


def test_a_name_is_told_in_a_folder_too(visit, site):
    page = visit((site / PATH / "index.html").as_uri()).page
    link(page).hover()
    expect(card(page)).to_contain_text("torch.nn.Parameter(")


def test_what_names_are_is_one_small_file(site):
    data = (site / NAMES).read_bytes()
    assert data.startswith(b'verbatimHover("names",[{"torch') and len(gzip.compress(data)) < 40 << 10
