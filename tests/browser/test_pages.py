"""Every kind of page in a real browser: where requests go, what the policy forbids, what a reader sees and can do."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import unquote, urljoin, urlsplit

import pytest

from tests.browser.miniature import MINIATURE, PAGES, WIDTHS, build, each_language, each_page
from tests.browser.server import DRAWN, serving
from tests.waiting import fetch
from verbatim import git
from verbatim.pages.download import runnable
from verbatim.run.script import parse
from verbatim.words import OUTPUTS

# -- Nothing leaves the origin --------------------------------------------------------------------


@each_page
def test_works_below_a_path(visit, below, path):
    seen = visit(below + path)
    assert [url for url in seen.requests if not url.startswith(below)] == []
    missing = {url for url, status in seen.statuses.items() if status >= 400}
    assert missing - {f"{below}en/{PAGES['missing']}"} == ({below + path} if path == PAGES["missing"] else set())
    assert seen.page.locator(".md-header").evaluate("e => getComputedStyle(e).position") == "sticky"


@pytest.fixture(scope="module")
def below(built_once, serve):
    """The miniature, as GitHub serves it below the repository's name; published elsewhere, too, and as a book in Chinese."""
    mirror = "https://book.example/verbatim/"

    def made(folder: Path) -> None:
        with TemporaryDirectory() as editions:
            for kind, size in (("epub", 2_400_000), ("pdf", 12_600_000)):
                Path(editions, f"pytorch-verbatim-zh.{kind}").write_bytes(bytes(size))
            build(folder, "https://example.org/repo/", mirror, editions)

    return serve(built_once("below", made), "/repo/")


@pytest.mark.parametrize("path", ["autograd/leaf/index.html", "en/tensors/print/notebook/index.html"])
def test_can_be_read_from_a_folder(visit, site, path):
    seen = visit((site / path).as_uri())
    assert [url for url in seen.requests if not url.startswith("file:")] == []
    assert seen.complaints == []
    assert seen.page.locator(".md-code__button").count() > 0
    links = seen.page.evaluate("[...document.links].map(a => a.href).filter(url => url.startsWith('file:'))")
    assert len(links) > 5
    assert [url for url in links if not Path(unquote(urlsplit(url).path)).is_file()] == []


@each_language
@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_the_zip_of_a_language_is_read_from_a_folder(visit, site, tmp_path, prefix, scripts):
    language = prefix.strip("/") or "zh"
    with zipfile.ZipFile(site / f"pytorch-verbatim-{language}.zip") as zipped:
        zipped.extractall(tmp_path)
    folder = tmp_path / f"pytorch-verbatim-{language}"
    page = visit((folder / prefix / "autograd/leaf/index.html").as_uri(), java_script_enabled=scripts).page
    for link in page.eval_on_selector_all("a[href]", "links => links.map((link) => link.getAttribute('href'))"):
        target = urljoin(page.url, link)
        assert not target.startswith("file:") or Path(unquote(urlsplit(target).path)).is_file(), target
    other = page.locator("a.switch").get_attribute("href")
    assert other == f"https://example.org/{'' if prefix else 'en/'}autograd/leaf/"
    page.locator("article a[href*='tensors/print/']").first.click()
    page.wait_for_url("**/tensors/print/index.html*")
    assert page.locator("article h1").is_visible()
    if scripts:
        page.keyboard.press("/")
        page.keyboard.type("leaf" if prefix else "叶子张量")
        found = page.locator("dialog[open] a.vs-result").first
        found.wait_for()
        assert "autograd/leaf/index.html" in found.get_attribute("href")
        found.click()
        page.wait_for_url("**/autograd/leaf/index.html*")
    page.goto((folder / "index.html").as_uri())
    page.wait_for_url(f"**/{prefix}index.html")
    assert page.locator("html").get_attribute("lang") == language


@each_language
def test_every_page_leads_to_the_zip_of_its_language(visit, address, site, prefix):
    page = visit(address + prefix + "autograd/leaf/").page
    link = page.get_by_role("link", name="Read offline (zip)" if prefix else "离线阅读（zip）")
    name = urlsplit(link.evaluate("e => e.href")).path.removeprefix("/")
    assert name == f"pytorch-verbatim-{prefix.strip('/') or 'zh'}.zip" and (site / name).is_file()


def test_a_policy_stands_in_every_page(site):
    for path in site.rglob("*.html"):
        text = path.read_text()
        assert text.index("Content-Security-Policy") < text.index("<script"), path
        policy = re.search(r'Content-Security-Policy" content="([^"]*)"', text)[1]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy


def test_the_policy_stops_a_script(visit, address):
    seen = visit(address + PAGES["recipe"])
    seen.page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"document.title=1\">')")
    seen.page.wait_for_function("() => document.images[document.images.length - 1].complete")
    assert seen.page.title() != "1"
    assert any("policy" in text for text in seen.complaints)


@pytest.mark.parametrize("path", ["tensors/print/", "tensors/print/notebook/"])
def test_what_is_printed_is_text(visit, address, path):
    seen = visit(address + path)
    assert "owned" not in seen.page.title()
    assert seen.page.get_by_text("<script>document.title = 'owned'</script><b>&amp;</b>", exact=True).count() == 1


# -- Code and outputs -----------------------------------------------------------------------------


@each_language
def test_copies_code_alone(visit, address, prefix):
    seen = visit(address + prefix + "autograd/leaf/")
    seen.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    block = seen.page.locator(".highlight", has_text="weight.is_leaf").first
    block.hover()
    block.get_by_role("button").click()
    seen.page.locator(".md-dialog--active").wait_for()
    assert seen.page.evaluate("navigator.clipboard.readText()") == (
        "hidden = weight * 2\nprint(weight.is_leaf, hidden.is_leaf)\nhidden.sum().backward()\nprint(weight.grad)"
    )


def test_outputs_have_no_copy_button(visit, address):
    page = visit(address + "autograd/leaf/").page
    assert page.locator(".verbatim").count() >= 3
    assert page.locator(".verbatim .md-code__button").count() == 0


@pytest.mark.parametrize(
    ("prefix", "labels"),
    [("", ["输出", "警告", "报错"]), ("en/", ["Output", "Warning", "Error"])],
    ids=["zh", "en"],
)
def test_outputs_are_labelled_in_the_language_of_the_page(visit, address, prefix, labels):
    page = visit(address + prefix + "autograd/leaf/").page
    shown = [label.split(" · ")[0] for label in page.locator(".verbatim > .filename").all_text_contents()]
    assert {*shown} == {*labels}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_errors_and_warnings_look_like_it(visit, address, scheme):
    page = visit(address + "autograd/leaf/", scheme=scheme).page
    grounds = {
        kind: page.locator(f".verbatim-{kind}").first.evaluate("e => getComputedStyle(e).backgroundColor")
        for kind in ("output", "warning", "error")
    }
    code = page.locator(".highlight:not(.verbatim)").first.evaluate("e => getComputedStyle(e).backgroundColor")
    assert len({code, *grounds.values()}) == 4


@pytest.mark.parametrize("path", ["tensors/print/", "en/tensors/print/notebook/", "autograd/leaf/"])
@pytest.mark.parametrize("width", WIDTHS)
def test_wide_things_scroll_in_their_box(visit, address, path, width):
    page = visit(address + path, width=width).page
    assert page.evaluate("document.documentElement.scrollWidth") == WIDTHS[width]
    assert page.evaluate("document.body.scrollWidth") == WIDTHS[width]
    if "print" in path:
        box = page.locator(".verbatim code, .jp-OutputArea-output").first
        assert box.evaluate("e => e.scrollWidth > e.clientWidth && e.tabIndex === 0")


def test_a_note_is_tied_to_its_code(visit, address):
    page = visit(address + "autograd/leaf/").page
    assert not page.locator("ol.annotations").is_visible()
    page.locator(".highlight .md-annotation__index").click()
    note = page.locator(".md-tooltip--active")
    note.wait_for()
    box = note.bounding_box()  # nothing of it is cut off by the code's own box
    middle = [box["x"] + box["width"] / 2, box["y"] + box["height"] - 2]
    assert page.evaluate("p => document.elementFromPoint(...p).closest('.md-tooltip') !== null", middle)
    assert note.inner_text().startswith("梯度在叶子上")


def test_notes_stand_below_their_code_without_scripts(visit, address):
    page = visit(address + "autograd/leaf/", java_script_enabled=False).page
    assert page.locator("ol.annotations").is_visible()
    assert page.get_by_text("# (1)!", exact=True).is_visible()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["tensors/print/", "tensors/print/notebook/"])
def test_a_figure_takes_the_colour_of_the_text(visit, address, path, scheme):
    page = visit(address + path, scheme=scheme).page
    figure = page.locator("article svg[role=img]").first  # the second is another release's
    assert figure.get_attribute("aria-label").startswith("图：sigmoid")
    ink = figure.evaluate("e => getComputedStyle(e).color")
    assert ink == page.locator("article p").first.evaluate("e => getComputedStyle(e).color")
    assert figure.locator('[fill="currentColor"], [stroke="currentColor"]').count() > 5


def test_what_varies_and_what_is_not_recorded_says_so(visit, address):
    label = visit(address + "tensors/print/").page.locator(".verbatim > .filename").last
    assert label.inner_text() == f"输出 · {OUTPUTS['zh']['varies']}"
    page = visit(address + "en/autograd/leaf/").page
    assert "cuda" in page.locator(".verbatim-unrecorded").inner_text()
    assert "torch" in page.locator(".verbatim-ran").inner_text()


def test_tabs_are_changed_with_the_keyboard(visit, address):
    page = visit(address + "tensors/print/").page
    first, second = page.locator(".tabbed-block").all()
    assert first.is_visible()
    assert not second.is_visible()
    page.locator(".tabbed-set > input").first.focus()
    page.keyboard.press("ArrowRight")
    assert second.is_visible()
    assert not first.is_visible()


# -- Formulas -------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["autograd/leaf/", "en/autograd/leaf/notebook/"])
def test_formulas_are_typeset(visit, address, path):
    seen = visit(address + path)
    formulas = seen.page.locator(".katex-html")
    assert formulas.count() == 3
    assert "\\(" not in seen.page.locator("article").inner_text()
    assert seen.page.evaluate("[...document.fonts].filter(f => f.status === 'loaded').length") >= 2
    fraction = seen.page.locator(".math-display .mfrac").first.bounding_box()
    assert fraction["height"] > 20, "the fraction is not stacked"
    assert seen.page.locator(".katex math").count() == 3


def test_only_pages_with_formulas_load_their_stylesheet(visit, address):
    assert any("assets/math/" in url for url in visit(address + "autograd/leaf/").requests)
    assert not any("assets/math/" in url for url in visit(address + "tensors/print/").requests)


# -- Getting about --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "twin"),
    [
        ("", "en/"),
        ("en/", ""),
        ("autograd/leaf/", "en/autograd/leaf/"),
        ("en/tensors/print/", "tensors/print/"),
        ("tensors/print/notebook/", "en/tensors/print/notebook/"),
    ],
)
@pytest.mark.parametrize("width", WIDTHS)
def test_the_language_changes_on_the_same_page(visit, address, path, twin, width):
    page = visit(address + path, width=width).page
    page.locator(".switch").click()
    page.wait_for_url(address + twin)


def test_the_language_changes_at_the_same_section(visit, address):
    page = visit(address + "autograd/leaf/").page
    page.locator("#fails").evaluate("e => e.scrollIntoView({ behavior: 'instant' })")
    current = "document.querySelector('.md-sidebar--secondary .md-nav__link--active')"
    page.wait_for_function(f"() => {current}?.hash === '#fails'")
    page.locator(".switch").click()
    page.wait_for_url(address + "en/autograd/leaf/#fails")
    page.wait_for_function("() => Math.abs(document.querySelector('#fails').getBoundingClientRect().top - 72) < 60")


def test_previous_next_and_edit(visit, address):
    page = visit(address + "autograd/leaf/").page
    following = page.locator(".md-footer__link--next")
    assert following.inner_text().split("\n") == ["下一页", "打印张量：屏幕上看到的是什么"]
    edit = page.get_by_role("link", name="编辑此页").get_attribute("href")
    assert edit.endswith("/edit/main/docs/zh/autograd/leaf.md")
    following.click()
    page.wait_for_url(address + "tensors/print/")


def test_the_navigation_says_short_titles_and_the_page_its_long_one(visit, address):
    page = visit(address + "en/autograd/leaf/").page
    assert page.locator(".md-nav--primary .md-nav__link--active:visible").inner_text() == "Leaf tensors"
    assert page.locator("h1").inner_text().startswith("Leaf tensors: who gets a gradient")
    assert page.title() == "Leaf tensors: who gets a gradient - PyTorch Verbatim"


def test_says_when_it_was_changed(visit, address):
    known = "docs/zh/autograd/leaf.md" in git.changed(MINIATURE)
    page = visit(address + "autograd/leaf/").page
    shown = page.locator(".md-source-file time")
    if not known:  # a part of git's history only, or none
        assert shown.count() == 0
        return
    assert re.fullmatch(r"\d{4}-\d\d-\d\d", shown.inner_text())
    assert shown.get_attribute("datetime").startswith(shown.inner_text())


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dark_and_light_are_remembered(visit, address, scheme):
    page = visit(address + "autograd/leaf/", scheme=scheme).page
    ground = "getComputedStyle(document.body).backgroundColor"
    before = page.evaluate(ground)
    assert (before == "rgb(255, 255, 255)") == (scheme == "light")
    for _ in range(2 if scheme == "light" else 1):  # as the system is → light → dark
        page.locator("[data-md-component=palette] label:visible").click()
    after = page.evaluate(ground)
    assert after != before
    page.goto(address + "en/")
    assert page.evaluate(ground) == after


def test_dark_comes_without_a_flash(visit, address, site):
    """Whatever is drawn while a slow line brings the page is dark."""
    with serving(site, pause=b"</header>") as slow:
        page = visit("about:blank", scheme="dark").page
        page.goto(slow + "autograd/leaf/", wait_until="commit")
        page.locator(".md-header__title").wait_for()
        assert page.evaluate("getComputedStyle(document.body).backgroundColor") != "rgb(255, 255, 255)"
        assert page.evaluate("document.querySelector('.md-main')") is None
        fetch(f"{slow}{DRAWN}?/autograd/leaf/")
        page.locator(".md-main").wait_for()


def test_the_keyboard_reaches_everything_on_a_phone(visit, address):
    page = visit(address + "autograd/leaf/", width="phone").page
    drawer = page.locator(".md-sidebar--primary")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('.md-skip')")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.matches('button.menu')")
    assert not drawer.is_visible()
    page.keyboard.press("Enter")
    drawer.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.md-sidebar--primary') !== null")
    page.keyboard.press("Escape")
    drawer.wait_for(state="hidden")
    reached = set()
    for _ in range(120):
        page.keyboard.press("Tab")
        reached.update(page.evaluate("(document.activeElement.className || document.activeElement.tagName).split(' ')"))
        reached.add(page.evaluate("document.activeElement.name ?? ''"))
    assert {"md-code__button", "md-annotation", "api", "md-footer__link--next", "switch", "__palette"} <= reached


@pytest.mark.parametrize("width", WIDTHS)
def test_the_header_shows_its_buttons(visit, address, width):
    page = visit(address + "autograd/leaf/", width=width).page
    shown = [
        ".md-header__title",
        "[data-search-open]",
        ".switch",
        ".torch select",
        "[data-md-component=palette] label:visible",
    ]
    for selector in shown:
        box = page.locator(selector).bounding_box()
        assert box["x"] >= 0, selector
        assert box["x"] + box["width"] <= WIDTHS[width], selector
    assert page.locator(".menu").is_visible() == (width == "phone")


def test_less_motion_where_it_is_asked_for(visit, address):
    """A jump is a jump for everybody: a link from elsewhere must not fly down the page."""
    for motion in ("no-preference", "reduce"):
        page = visit(address, reduced_motion=motion).page
        assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"
    moving = "e => getComputedStyle(e).transitionDuration.split(', ').some(time => time !== '0s')"
    assert not page.locator(".md-sidebar--primary").evaluate(moving)


def test_is_readable_without_scripts(visit, address):
    page = visit(address + "autograd/leaf/", width="phone", java_script_enabled=False).page
    page.locator(".md-header label[for=__drawer]").click()
    drawer = page.locator(".md-sidebar--primary")
    drawer.locator("label.md-nav__title[for=__nav_2_1]").click()  # from the chapter to the chapters
    assert drawer.get_by_role("link", name="首页", exact=True).is_visible()
    drawer.get_by_role("link", name="张量", exact=True).click()
    page.wait_for_url(address + "tensors/print/")


@each_language
def test_the_404_page_speaks_both_languages(visit, address, prefix):
    seen = visit(address + prefix + "no/such/page")
    title = seen.page.locator("main h1")
    assert title.inner_text() == ("There is no such page" if prefix else "没有这一页")
    site, tab, search, palette = (
        ("PyTorch Verbatim", "Recipes", "Search", "As the system is; switch to light")
        if prefix
        else ("PyTorch 实录", "条目", "搜索", "跟随系统，点击切换为浅色")
    )
    assert seen.page.title() == f"404 - {site}"
    frames = {name: seen.page.locator(f".md-{name}") for name in ("header", "tabs", "sidebar--primary")}
    assert {name: frame.count() for name, frame in frames.items()} == dict.fromkeys(frames, 1)
    assert site in frames["header"].inner_text() and search in frames["header"].inner_text()
    assert seen.page.get_by_label(palette).count() == 1
    for name in ("tabs", "sidebar--primary"):
        assert tab in (frames[name].text_content() or "")
    assert seen.page.locator(".switch").get_attribute("href").endswith("/" if prefix else "en/")
    assert len([url for url in seen.requests if "open.js" in url]) == 1
    asked = seen.page.locator("main input[type=search]:visible")
    assert asked.get_attribute("aria-label") == ("Search the book" if prefix else "搜索全书")
    asked.press_sequentially("l")
    seen.page.locator("dialog[open]").wait_for()
    seen.page.keyboard.press("Escape")
    seen.page.locator("dialog[open]").wait_for(state="detached")
    seen.page.get_by_role("article").get_by_role("link", name="home page" if prefix else "首页").click()
    seen.page.wait_for_url(address + prefix)


@each_language
def test_the_404_page_says_first_which_pages_are_near_and_both_languages_without_scripts(visit, address, prefix):
    page = visit(address + prefix + "autograd/leafs/").page
    near = page.locator(".nearest li a").first
    near.wait_for()
    assert near.get_attribute("href").endswith(f"/{prefix}autograd/leaf/")
    assert near.bounding_box()["y"] < page.locator("main input[type=search]:visible").bounding_box()["y"]
    plain = visit(address + prefix + "no/such/page", java_script_enabled=False).page.locator("main").inner_text()
    assert "没有这一页" in plain and "There is no such page" in plain


def test_errors_warnings_and_outputs_differ_in_forced_colours(visit, address):
    page = visit(address + "autograd/leaf/", forced_colors="active").page
    edges = {
        kind: page.locator(f".verbatim-{kind}").first.evaluate("e => getComputedStyle(e).borderLeftStyle")
        for kind in ("output", "warning", "error")
    }
    assert edges == {"output": "solid", "warning": "dashed", "error": "double"}


# -- Links to PyTorch -----------------------------------------------------------------------------


def test_names_of_the_api_lead_to_pytorch(visit, address):
    page = visit(address + "autograd/leaf/", java_script_enabled=False).page
    links = {e.inner_text(): e.get_attribute("href") for e in page.locator("a.api").all()}
    home = "https://docs.pytorch.org/docs/stable/generated/"
    assert links == {
        "backward()": home + "torch.Tensor.backward.html",
        "torch.Tensor.is_leaf": home + "torch.Tensor.is_leaf.html",
        "nn.Parameter": home + "torch.nn.parameter.Parameter.html",
        "torch.autograd.grad": home + "torch.autograd.grad.html",
    }


# -- Take it with you -----------------------------------------------------------------------------


@each_language
def test_downloads(visit, address, site, prefix):
    page = visit(address + prefix + "autograd/leaf/").page
    for ending in ("py", "ipynb"):
        if ending == "ipynb":
            page.locator(".take summary").first.click()
        with page.expect_download() as event:
            page.locator(f".take a[download][href$='.{ending}']").click()
        assert event.value.suggested_filename == f"leaf.{ending}"
    colab = page.locator(".take a[href*='colab']").get_attribute("href")
    assert colab.endswith(f"/blob/notebooks/{prefix}autograd/leaf/leaf.ipynb")
    script = Path(__file__).parents[1] / "miniature/examples/autograd/leaf.py"
    taken = (site / prefix / "autograd/leaf/leaf.py").read_text()
    assert taken == runnable(parse(script.read_text(), "examples/autograd/leaf.py"))


@each_language
def test_a_page_is_copied_as_markdown(visit, address, site, prefix):
    page = visit(address + prefix + "autograd/leaf/", permissions=["clipboard-read", "clipboard-write"]).page
    head = page.locator("link[rel~=alternate][type='text/markdown']").get_attribute("href")
    assert urljoin(address + prefix + "autograd/leaf/", head) == address + prefix + "autograd/leaf.md"
    page.get_by_role("button", name="复制本页" if not prefix else "Copy page").click()
    page.get_by_role("button", name="已复制" if not prefix else "Copied").wait_for()
    written = (site / prefix / "autograd/leaf.md").read_text()
    assert page.evaluate("navigator.clipboard.readText()") == written
    page.locator(".take summary").first.click()
    page.get_by_role("link", name="Markdown", exact=True).click()
    page.wait_for_url(address + prefix + "autograd/leaf.md")


@each_language
def test_the_notebook_can_be_opened_where_colab_is_not(visit, address, prefix):
    """Its address is copied, a sentence says what for, and nothing is asked of anybody before a click."""
    seen = visit(address + prefix + "autograd/leaf/", permissions=["clipboard-read", "clipboard-write"])
    page = seen.page
    page.locator(".take summary").first.click()
    assert "Jupyter" in page.locator(".take .elsewhere").inner_text()
    page.get_by_role("button", name="Copy the .ipynb" if prefix else "复制 .ipynb 的网址").click()
    page.get_by_role("button", name="Copied" if prefix else "已复制").wait_for()
    assert page.evaluate("navigator.clipboard.readText()") == f"{address}{prefix}autograd/leaf/leaf.ipynb"
    assert [url for url in seen.requests if not url.startswith(address)] == []


def test_pages_offer_the_book_in_their_language_with_its_size(visit, below):
    told = visit(f"{below}autograd/leaf/").page.locator(".md-copyright")
    assert "EPUB（2 MB） · PDF（13 MB）" in told.inner_text()
    with told.page.expect_download() as event:
        told.get_by_role("link", name="EPUB").click()
    assert event.value.suggested_filename == "pytorch-verbatim-zh.epub"
    assert visit(f"{below}en/autograd/leaf/").page.get_by_role("link", name="EPUB").count() == 0


def test_the_footer_names_both_addresses_where_there_are_two(visit, address, below):
    assert visit(address + "autograd/leaf/").page.locator("a[href*='book.example']").count() == 0
    for prefix, said in (("", "本站网址："), ("en/", "This site:")):
        told = visit(f"{below}{prefix}autograd/leaf/").page.locator(".md-copyright")
        assert f"{said} example.org book.example" in " ".join(told.inner_text().split())
        other = told.get_by_role("link", name="book.example").get_attribute("href")
        assert other == f"https://book.example/verbatim/{prefix}autograd/leaf/"


@each_language
def test_the_notebook_view(visit, address, prefix):
    page = visit(address + prefix + "autograd/leaf/notebook/").page
    assert page.locator(".jp-Notebook").count() == 1
    assert page.locator(".jp-CodeCell .jp-CodeCell").count() == 6
    assert page.locator("style, .jupyter-wrapper script").count() == 0
    canonical = page.locator("link[rel=canonical]").get_attribute("href")
    assert canonical == f"https://example.org/{prefix}autograd/leaf/"
    page.locator("article").get_by_role("link", name=re.compile("打印张量|Printing tensors")).click()
    page.wait_for_url(address + prefix + "tensors/print/#wide")


def test_the_notebook_view_is_dark_when_the_page_is(visit, address):
    page = visit(address + "autograd/leaf/notebook/", scheme="dark").page
    for selector in ("body", ".jp-OutputArea", ".highlight", ".jp-OutputArea-output[data-mime-type$='stderr']"):
        colour = page.locator(selector).first.evaluate("e => getComputedStyle(e).backgroundColor")
        assert max(int(n) for n in re.findall(r"\d+", colour)[:3]) < 60, (selector, colour)


def test_notebooks_are_not_in_the_sitemap(site):
    assert "notebook" not in (site / "sitemap.xml").read_text()
