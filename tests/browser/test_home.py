"""The home page: what shows at once what the book is."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.miniature import WIDTHS, each_language


@each_language
def test_a_message_and_an_output_that_changes_stand_side_by_side_above_the_ways_in(visit, address, prefix):
    page = visit(address + prefix).page
    message, changes = page.locator(".shown section").all()
    expect(message.locator(".verbatim-error").first).to_be_visible()
    expect(message.locator("details.versions")).not_to_have_attribute("open", "")
    expect(changes.locator("details.versions")).to_have_attribute("open", "")
    expect(changes.get_by_text("tensor([1., 1., 1.])")).to_be_visible()  # what an old release printed
    one, other = message.bounding_box(), changes.bounding_box()
    assert one["y"] == other["y"] and one["x"] + one["width"] < other["x"]
    assert other["y"] + other["height"] <= page.locator(".home > ul").first.bounding_box()["y"]
    assert page.locator(".ask").bounding_box()["y"] < one["y"]


@pytest.mark.parametrize("where", [".shown details.versions[open] .verbatim", ".shown .verbatim-error"])
def test_what_a_box_paints_has_the_boxs_corners(visit, address, where):
    box = visit(f"{address}en/").page.locator(where).first
    below = "e => parseFloat(getComputedStyle(e).borderBottomLeftRadius)"
    assert box.locator("pre > code").evaluate(below) == box.evaluate(below)


@each_language
def test_it_says_with_which_version_it_was_built_and_of_which_day_it_is(visit, address, prefix):
    stamp = visit(address + prefix).page.locator(".stamp").inner_text()
    sentence = (
        r"Unless an output names another source, torch \d+\.\d+\.\d+ printed it while this site was built"
        if prefix
        else r"除了另注来源的，输出都由 torch \d+\.\d+\.\d+ 在构建本站时打印"
    )
    date = r", as of \d{4}-\d\d-\d\d" if prefix else r"，截至 \d{4}-\d\d-\d\d"
    assert re.fullmatch(f"{sentence}(?:{date})?{'.' if prefix else '。'}", stamp)


def test_on_a_phone_they_stand_one_below_the_other(visit, address):
    page = visit(f"{address}en/", width="phone", has_touch=True, is_mobile=True).page
    message, changes = (section.bounding_box() for section in page.locator(".shown section").all())
    assert message["y"] + message["height"] <= changes["y"] and message["width"] <= WIDTHS["phone"]
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS["phone"]
