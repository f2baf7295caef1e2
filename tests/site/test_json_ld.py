"""What pages say of themselves to crawlers."""

from __future__ import annotations

import json
from datetime import UTC, datetime

from verbatim import lists
from verbatim.book.gather import gather
from verbatim.pages.page import load_pages
from verbatim.site.page_context import PageContext
from verbatim.site.sharing.json_ld import article, website
from verbatim.site.sharing.share import LinkPreview, share


def test_a_page_says_what_it_is_and_where_it_stands():
    trail = [("书", "https://a.example/"), ("章", "https://a.example/c/"), ("</script>“题”", "https://a.example/c/x/")]
    text = article(
        "</script>“题”",
        "说明",
        language="zh",
        site_name="书",
        trail=trail,
        image="https://a.example/x.png",
        changed=datetime(2026, 11, 22, tzinfo=UTC),
    )
    assert "</" not in text and "题" in text
    page, steps = json.loads(text)["@graph"]
    assert (page["@type"], page["headline"], page["inLanguage"]) == ("TechArticle", "</script>“题”", "zh")
    assert (page["url"], page["image"]) == (trail[-1][1], "https://a.example/x.png")
    assert page["dateModified"] == "2026-11-22T00:00:00+00:00"
    assert [(s["position"], s["name"], s["item"]) for s in steps["itemListElement"]] == [
        (number, *step) for number, step in enumerate(trail, 1)
    ]


def test_a_home_page_is_a_website_and_what_is_not_known_is_not_said():
    (site,) = json.loads(website("Book", "All of it.", language="en", url="https://a.example/en/"))["@graph"]
    assert (site["@type"], site["name"], site["url"]) == ("WebSite", "Book", "https://a.example/en/")
    page = json.loads(article("T", "S", language="en", site_name="B", trail=[("B", "u"), ("T", "v")]))["@graph"][0]
    assert "image" not in page and "dateModified" not in page


def test_a_page_stands_below_its_chapter_by_the_name_that_the_navigation_has(project, write):
    write("docs/en/topic/index.md", "---\ntitle: A long title\nchapter: Topic\nnav: Overview\n---\n\n# A long title\n")
    write("docs/en/topic/a.md", "# A\n")
    sources = lists.gather(gather(project), load_pages(project)[0], [])

    def trail(name: str) -> list[str]:
        shared, _ = share(
            PageContext(),
            next(page for page in sources.pages if page.name == name),
            LinkPreview(name, "S", f"https://a.example/{name}"),
            sources,
            site_name="Book",
            site_url="https://a.example/",
        )
        return [step["name"] for step in json.loads(shared.linked_data)["@graph"][1]["itemListElement"]]

    assert trail("topic/a.md") == ["Book", "Topic", "topic/a.md"]
    assert trail("topic/index.md") == ["Book", "topic/index.md"]
