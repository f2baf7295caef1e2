"""What axe finds on every kind of page: nothing."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.miniature import WIDTHS, each_page, shifts


@each_page
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_axe_finds_nothing(visit, address, path, scheme, width):
    page = visit(address + path, scheme=scheme, width=width).page
    shifts(page)  # until Material's script has put its buttons into the code
    found = Axe().run(page).response["violations"]
    told = [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in found]
    assert told == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_chapters(visit, address, scheme):
    page = visit(address + "autograd/leaf/", scheme=scheme, width="phone").page
    page.locator(".menu").click()
    page.locator(".md-sidebar--primary").wait_for()
    assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []
