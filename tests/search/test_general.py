"""How general a page is, by the links that lead to it."""

from __future__ import annotations

from verbatim.site.search.general import GREATEST, general

LINKS = {
    "home": ["chapter", "saving"],
    "chapter": ["saving", "saving-ddp", "names"],
    "saving": [],
    "saving-ddp": ["saving"],
    "names": ["saving"],
    "list": ["list-only"],
    "list-only": [],
}


def test_what_home_chapters_and_most_pages_link_to_is_general():
    found = general(LINKS, "home")
    assert found["saving"] == GREATEST
    assert GREATEST > found["chapter"] > found["saving-ddp"] > 0


def test_a_page_that_no_way_leads_to_is_about_one_case():
    found = general(LINKS, "home")
    assert found["list"] == found["list-only"] == 0


def test_the_same_links_give_the_same_numbers_in_any_order():
    assert general(dict(reversed(LINKS.items())), "home") == general(LINKS, "home")


def test_a_book_of_one_page():
    assert general({"home": []}, "home") == {"home": GREATEST}
