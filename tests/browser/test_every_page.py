"""What holds for every kind of page, on a phone and a wide screen, light and dark."""

from __future__ import annotations

import json

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.miniature import PAGES, WIDTHS, each_page, shifts

#: A page of text and code: the numbers that issue and README give.
MOST_BYTES = 75_000
MOST_REQUESTS = 9


@each_page
@pytest.mark.parametrize("width", WIDTHS)
def test_a_page_keeps_to_its_origin_its_policy_and_its_weight_holds_still_and_is_accessible(
    visit, address, path, width
):
    """All in one visit: half of what such a test costs is to open a page."""
    seen = visit(address + path, width=width)
    if path != PAGES["missing"]:
        assert sum(seen.bytes.values()) <= MOST_BYTES, json.dumps(seen.bytes, indent=1)
        assert len(seen.requests) <= MOST_REQUESTS, seen.requests
    assert shifts(seen.page) == []  # by then, Material's script has put its buttons into the code
    assert [url for url in seen.requests if not url.startswith(address)] == []
    missing = {url for url, status in seen.statuses.items() if status >= 400}
    # The switch of a missing page asks for the page in the other language.
    assert missing - {f"{address}en/{PAGES['missing']}"} == ({address + path} if path == PAGES["missing"] else set())
    allowed = "the server responded with a status of 404" if path == PAGES["missing"] else None
    assert [text for text in seen.complaints if not (allowed and allowed in text)] == []
    for scheme, colours in (("light", "default"), ("dark", "slate")):
        seen.page.emulate_media(color_scheme=scheme)
        seen.page.wait_for_function(f"() => document.body.dataset.mdColorScheme === '{colours}'")
        found = Axe().run(seen.page).response["violations"]
        told = [(rule["id"], [node["html"][:120] for node in rule["nodes"]]) for rule in found]
        assert told == [], scheme


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_chapters(visit, address, scheme):
    page = visit(address + "autograd/leaf/", scheme=scheme, width="phone").page
    page.locator(".menu").click()
    page.locator(".md-sidebar--primary").wait_for()
    assert [rule["id"] for rule in Axe().run(page).response["violations"]] == []
