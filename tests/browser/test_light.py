"""That nothing of a page moves where the line is slow, and that nothing is sent that is not needed."""

from __future__ import annotations

import pytest

from tests.browser.miniature import ROOT, WIDTHS, shifts
from tests.browser.server import DRAWN, serving


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "part",
    [
        b'data-md-component="palette"',
        b'class="vs-open"',
        b'class="md-header__button switch"',
        b"</header>",
        "更多</summary>".encode(),  # the arrow of a menu is there before its name
        b'data-md-type="toc"',
        b'class="md-content"',
        b"<math",
        b'<span class="mop op-limits">',
        b"</article>",
        b"<footer",
    ],
)
def test_nothing_moves_where_the_line_is_slow(visit, site, width, part):
    inside = (site / "autograd/leaf/index.html").read_bytes().partition(b"<body")[2]
    assert part in inside
    with serving(site, pause=part) as address:
        assert shifts(visit(address + "autograd/leaf/", width=width, slow=True).page) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("part", [b"<section", b"</article>", b"<footer", b'class="md-dialog"'])
def test_nothing_moves_on_a_missing_page_where_the_line_is_slow(visit, site, width, part):
    """It has the words of all languages, and those of one are shown."""
    assert part in (site / "404.html").read_bytes()
    with serving(site, pause=part) as address:
        assert shifts(visit(address + "no/such/page", width=width, slow=True).page) == []


def test_the_contents_stand_where_they_stood_before_their_items_were_here(windows, site):
    """A browser counts it as a move, now and then: the list's room below its items is drawn."""
    page = (site / "autograd/leaf/index.html").read_bytes()
    items = page[page.rindex(b'data-md-component="toc"') :].partition(b">\n")[2].partition(b"</article>")[0]
    assert items.startswith(b"<li") and page.count(items) == 1
    with serving(site, pause=items) as address:
        page = windows.lend(WIDTHS["wide"], 900).page
        page.goto(address + "autograd/leaf/", wait_until="commit")
        contents = page.locator(".md-sidebar--secondary ul")
        contents.wait_for(state="attached")
        page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        top = contents.bounding_box()["y"]
        page.evaluate(f"() => fetch('/{DRAWN}?' + encodeURIComponent(location.pathname))")
        page.wait_for_load_state("load")
        assert contents.locator("li").count() > 1 and contents.bounding_box()["y"] == top


def test_scripts_and_styles_arrive_without_comments(site):
    scripts = {path.relative_to(ROOT / "docs/assets").as_posix() for path in (ROOT / "docs/assets").rglob("*.js")}
    assert scripts >= {"page.js", "releases/told.js", "search/open.js", "search/engine.js"}
    for name in ("site.css", *sorted(scripts - {"search/minisearch.js"})):
        sent, written = (site / "assets" / name).read_text(), (ROOT / "docs/assets" / name).read_text()
        assert "/*" in written and "/*" not in sent and len(sent) < 0.9 * len(written)
    assert "license" in (site / "assets/search/minisearch-license.txt").read_text().lower()
    shipped = (site / "assets/search/minisearch.js").read_bytes()
    assert shipped == (ROOT / "docs/assets/search/minisearch.js").read_bytes()


def test_nothing_moves_where_a_box_with_a_fold_at_its_end_is_here_before_the_page(visit, site):
    with serving(site, pause=b'<div class="table">') as address:
        page = visit(address + "en/", slow=True).page
        page.set_viewport_size({"width": 1440, "height": 1600})
        page.goto(address + "autograd/leaf/")
        assert shifts(page) == []


def test_nothing_moves_on_the_home_page_where_its_boxes_are_here_before_the_rest(visit, site):
    """The second box ends with a fold, and so does what contains both."""
    shown = (site / "index.html").read_bytes().partition(b'class="shown"')[2]
    assert shown.index(b"</details>") < shown.index(b"</section>") < shown.index(b"</article>")
    with serving(site, pause=b"</article>") as address:
        assert shifts(visit(address, slow=True).page) == []
