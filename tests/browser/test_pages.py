"""Every kind of page in a real browser: where requests go, what the policy forbids, what a reader sees and can do."""

from __future__ import annotations

import gzip
import json
import re
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, unquote, urljoin, urlsplit
from xml.etree import ElementTree

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.server import serving
from tests.test_plugin import command
from verbatim import git
from verbatim.pages.download import runnable
from verbatim.project import Project
from verbatim.run.script import parse
from verbatim.words import OUTPUTS

ROOT = Path(__file__).parents[2]
MINIATURE = ROOT / "tests" / "site"
WIDTHS = {"phone": 390, "wide": 1440}

PAGES = {
    "home": "",
    "recipe": "autograd/leaf/",
    "outputs": "tensors/print/",
    "notebook": "autograd/leaf/notebook/",
    "english home": "en/",
    "english recipe": "en/autograd/leaf/",
    "english notebook": "en/tensors/print/notebook/",
    "missing": "no/such/page",
}

#: A page of text and code: the numbers that issue and README give.
MOST_BYTES = 75_000
MOST_REQUESTS = 9

each_page = pytest.mark.parametrize("path", PAGES.values(), ids=PAGES)
each_language = pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])


# -- The miniature, and what a visit tells -------------------------------------------------------


def build(folder: Path, site_url: str = "https://example.org/") -> Path:
    """Build the miniature strictly, with each language's zip; return the site."""
    arguments = ("build", "--strict", "--site-dir", str(folder))
    done = command(Project(MINIATURE), "mkdocs", *arguments, SITE_URL=site_url, VERBATIM_OFFLINE="1")
    assert done.returncode == 0, done.stdout
    return folder


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The miniature, built for the root of a host."""
    return build(tmp_path_factory.mktemp("build") / "site")


@pytest.fixture(scope="session")
def address(site: Path, serve) -> str:
    """The address of the miniature."""
    return serve(site)


@dataclass
class Visit:
    """A page that was opened, and what happened."""

    page: Page
    requests: list[str] = field(default_factory=list)
    statuses: dict[str, int] = field(default_factory=dict)
    bytes: dict[str, int] = field(default_factory=dict)
    """Address → bytes that came over the wire, headers left out."""
    complaints: list[str] = field(default_factory=list)
    """What the browser's console and the page's policy complained about."""


@pytest.fixture
def visit(browser: Browser, request: pytest.FixtureRequest):
    """Open an address cold, on a phone or a wide screen, light or dark; write down every request and complaint."""
    contexts = []

    def visit(url: str, *, width: str = "wide", scheme: str = "light", **options) -> Visit:
        size = {"width": WIDTHS[width], "height": 900}
        context = browser.new_context(viewport=size, color_scheme=scheme, **options)
        contexts.append(context)
        seen = Visit(context.new_page())
        wire = context.new_cdp_session(seen.page)
        wire.send("Network.enable")
        names: dict[str, str] = {}

        def received(event: dict) -> None:
            names[event["requestId"]] = event["response"]["url"]
            seen.statuses[event["response"]["url"]] = event["response"]["status"]
            seen.bytes.setdefault(event["response"]["url"], 0)

        def data(event: dict) -> None:
            if event["requestId"] in names:
                seen.bytes[names[event["requestId"]]] += event["encodedDataLength"]

        wire.on("Network.responseReceived", received)
        wire.on("Network.dataReceived", data)
        seen.page.on("request", lambda r: r.url.startswith("data:") or seen.requests.append(r.url))
        seen.page.on("console", lambda m: m.type in ("error", "warning") and seen.complaints.append(m.text))
        seen.page.on("pageerror", lambda error: seen.complaints.append(str(error)))
        seen.page.add_init_script(
            "addEventListener('securitypolicyviolation', e => console.error('policy', e.violatedDirective, e.blockedURI))"
        )
        seen.page.goto(url, wait_until="load")
        return seen

    yield visit
    for context in contexts:
        context.close()


# -- Nothing leaves the origin --------------------------------------------------------------------


@each_page
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_asks_its_own_origin_only_and_breaks_no_policy(visit, address, path, width, scheme):
    seen = visit(address + path, width=width, scheme=scheme)
    assert [url for url in seen.requests if not url.startswith(address)] == []
    missing = {url for url, status in seen.statuses.items() if status >= 400}
    # The switch of a missing page asks for the page in the other language.
    assert missing - {f"{address}en/{PAGES['missing']}"} == ({address + path} if path == PAGES["missing"] else set())
    allowed = "the server responded with a status of 404" if path == PAGES["missing"] else None
    assert [text for text in seen.complaints if not (allowed and allowed in text)] == []


@each_page
def test_works_below_a_path(visit, below, path):
    seen = visit(below + path)
    assert [url for url in seen.requests if not url.startswith(below)] == []
    missing = {url for url, status in seen.statuses.items() if status >= 400}
    assert missing - {f"{below}en/{PAGES['missing']}"} == ({below + path} if path == PAGES["missing"] else set())
    assert seen.page.locator(".md-header").evaluate("e => getComputedStyle(e).position") == "sticky"


@pytest.fixture(scope="module")
def below(tmp_path_factory, serve):
    """The miniature, as GitHub serves it below the repository's name."""
    folder = tmp_path_factory.mktemp("below") / "site"
    return serve(build(folder, "https://example.org/repo/"), "/repo/")


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
    assert "cuda" in page.locator(".not-recorded").inner_text()
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
    for _ in range(80):
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


# -- Other releases of torch ----------------------------------------------------------------------


def chosen(address: str, release: str) -> dict[str, object]:
    """A browser in which a reader has chosen a release before."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    kept = {"origin": origin, "localStorage": [{"name": "verbatim.torch", "value": release}]}
    return {"storage_state": {"cookies": [], "origins": [kept]}}


def first_output(page: Page, cell: str) -> str:
    """The output that stands right below a cell's code."""
    return page.evaluate(
        """cell => {
          const outputs = [...document.querySelectorAll(`[data-verbatim="${cell}"]`)];
          return outputs.find(output => !output.closest("details.versions")).textContent;
        }""",
        cell,
    )


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "prefix, old, new",
    [
        ("", "录制 · torch 1.13.1、2.6.0", "在其他版本：torch 2.13.0"),
        ("en/", "recorded · torch 1.13.1 and 2.6.0", "In other versions: torch 2.13.0"),
    ],
    ids=["zh", "en"],
)
def test_a_reader_chooses_a_release_and_gets_its_outputs_first(visit, address, prefix, old, new, width):
    page = visit(f"{address}{prefix}autograd/leaf/", width=width).page
    article = "[...document.querySelectorAll('[data-verbatim], summary')].map(e => e.textContent)"
    before = page.evaluate(article)
    assert "of tensors" in first_output(page, "autograd/leaf#fails")
    select = page.locator(".torch select")
    assert select.evaluate("e => e.selectedOptions[0].text") == "2.13.0"
    select.focus()
    page.keyboard.type("2.6")
    assert select.input_value() == "2.6.0"
    select.select_option("1.13.1")
    assert "of variables" in first_output(page, "autograd/leaf#fails")
    assert old in first_output(page, "autograd/leaf#fails")
    fold = page.locator("details.versions", has_text=new)
    assert "of tensors" in fold.last.text_content()
    assert "2" in page.locator(".torch output").text_content()
    once = page.locator(".erratum.once details.versions")
    assert once.evaluate("e => e.open") and "1.13.1" in once.locator("summary").text_content()
    assert "leaves are new here" in first_output(page, "autograd/leaf#setup")
    select.select_option("2.13.0")
    assert page.evaluate(article) == before


def test_the_release_is_remembered_everywhere(visit, address):
    seen = visit(address + "autograd/leaf/")
    seen.page.locator(".torch select").select_option("1.13.1")
    for path in ("en/autograd/leaf/", "tensors/print/", "en/", "autograd/leaf/notebook/"):
        seen.page.goto(address + path)
        assert seen.page.locator(".torch select").input_value() == "1.13.1"
    seen.page.goto(address + "tensors/print/")
    assert "has no attribute" in first_output(seen.page, "tensors/print#markup")
    figure = seen.page.locator(".verbatim-figure").first
    assert figure.get_attribute("data-torch") == "1.13.1"
    assert figure.evaluate("e => e.parentElement.nextElementSibling.textContent").startswith("图：")
    seen.page.locator(".torch select").select_option("2.6.0")
    assert "没有运行" in first_output(seen.page, "tensors/print#markup")
    assert seen.complaints == []


def test_a_release_that_the_site_has_no_longer_is_forgotten(visit, address):
    page = visit(address + "autograd/leaf/", **chosen(address, "0.4.1")).page
    assert page.locator(".torch select").evaluate("e => e.selectedOptions[0].text") == "2.13.0"
    assert "of tensors" in first_output(page, "autograd/leaf#fails")


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "part",
    [
        b'data-verbatim="autograd/leaf#fails"',
        b'class="versions"',
        b"<summary>",
        b'data-torch="1.13.1 2.6.0"',
        b"<footer",
    ],
)
def test_the_outputs_of_a_release_come_without_a_flash(visit, site, width, part):
    inside = (site / "autograd/leaf/index.html").read_bytes()
    assert part in inside
    with serving(site, pause=part) as address:
        page = visit(address + "autograd/leaf/", width=width, **chosen(address, "1.13.1")).page
        assert shifts(page) == []
        assert "of variables" in first_output(page, "autograd/leaf#fails")


def test_a_release_is_chosen_in_a_folder_too(visit, site):
    page = visit((site / "autograd/leaf/index.html").as_uri()).page
    page.locator(".torch select").select_option("1.13.1")
    page.goto((site / "en/autograd/leaf/index.html").as_uri())
    assert "of variables" in first_output(page, "autograd/leaf#fails")


@pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])
def test_the_message_of_another_release_leads_to_the_same_section(visit, address, prefix):
    page = visit(f"{address}{prefix}").page
    page.keyboard.press("/")
    page.locator(".vs-dialog input").fill("RuntimeError: element 0 of variables does not require grad")
    first = page.locator(".vs-result").first
    first.wait_for()
    assert "torch 1.13.1" in first.locator(".vs-excerpt").text_content()
    assert urlsplit(first.get_attribute("href")).path == f"/{prefix}autograd/leaf/"
    assert first.get_attribute("href").endswith("#fails")


def test_other_releases_can_be_read_without_scripts(visit, address):
    page = visit(address + "autograd/leaf/", java_script_enabled=False).page
    assert not page.locator(".torch select").is_visible()
    folds = page.locator("details.versions")
    assert folds.count() == 3
    folds.last.locator("summary").first.click()
    assert folds.last.get_by_text("of variables").is_visible()


def test_the_chooser_is_light(site):
    """Where no output differs, a page has the chooser and one line at its end."""
    for path in ("index.html", "en/index.html"):
        html = (site / path).read_text()
        start, end = (
            html.index('<div class="md-header__option torch">'),
            html.index("}</script>", html.index("verbatim.torch")),
        )
        with_it, without = html.encode(), (html[:start] + html[end + len("}</script>") :]).encode()
        assert len(gzip.compress(with_it, 9)) - len(gzip.compress(without, 9)) <= 700
        assert "details.versions" not in html


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
    drawer.locator("label.md-nav__title[for=__nav_2]").click()  # from the chapter to the chapters
    assert drawer.get_by_role("link", name="首页", exact=True).is_visible()
    drawer.get_by_role("link", name="张量", exact=True).click()
    page.wait_for_url(address + "tensors/print/")


@each_language
def test_the_404_page_speaks_both_languages(visit, address, prefix):
    seen = visit(address + prefix + "no/such/page")
    text = seen.page.locator("main").inner_text()
    assert "没有这一页" in text
    assert "There is no such page" in text
    assert seen.page.locator(".switch").get_attribute("href").endswith("en/")
    asked = seen.page.locator("main input[type=search]").all()
    assert [one.get_attribute("aria-label") for one in asked] == ["搜索全书", "Search the book"]
    for one in asked:
        one.press_sequentially("l")
        seen.page.locator("dialog[open]").wait_for()
        seen.page.keyboard.press("Escape")
        seen.page.locator("dialog[open]").wait_for(state="detached")
    seen.page.get_by_role("link", name="home page").click()
    seen.page.wait_for_url(address + "en/")


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
        with page.expect_download() as event:
            page.locator(f".take a[download][href$='.{ending}']").click()
        assert event.value.suggested_filename == f"leaf.{ending}"
    colab = page.locator(".take a[href*='colab']").get_attribute("href")
    assert colab.endswith(f"/blob/notebooks/{prefix}autograd/leaf/leaf.ipynb")
    script = Path(__file__).parents[1] / "site/examples/autograd/leaf.py"
    taken = (site / prefix / "autograd/leaf/leaf.py").read_text()
    assert taken == runnable(parse(script.read_text(), "examples/autograd/leaf.py"))


@each_language
def test_a_page_is_copied_as_markdown(visit, address, site, prefix):
    page = visit(address + prefix + "autograd/leaf/", permissions=["clipboard-read", "clipboard-write"]).page
    head = page.locator("link[rel~=alternate][type='text/markdown']").get_attribute("href")
    assert urljoin(page.url, head) == address + prefix + "autograd/leaf.md"
    page.get_by_role("button", name="复制为 Markdown" if not prefix else "Copy as Markdown").click()
    page.get_by_role("button", name="已复制" if not prefix else "Copied").wait_for()
    written = (site / prefix / "autograd/leaf.md").read_text()
    assert page.evaluate("navigator.clipboard.readText()") == written
    page.get_by_role("link", name="Markdown", exact=True).click()
    assert urlsplit(page.url).path == urlsplit(address).path + prefix + "autograd/leaf.md"


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


# -- Accessible -----------------------------------------------------------------------------------


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


# -- Light ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", [p for n, p in PAGES.items() if n != "missing"])
def test_a_page_is_light(visit, address, path):
    seen = visit(address + path)
    assert sum(seen.bytes.values()) <= MOST_BYTES, json.dumps(seen.bytes, indent=1)
    assert len(seen.requests) <= MOST_REQUESTS, seen.requests


def shifts(page: Page) -> list[str]:
    """What moved, and how much, until a moment after the page was loaded."""
    return page.evaluate(
        """() => new Promise(resolve => {
          const seen = [];
          const tell = ({ value, sources }) => seen.push(`${value} ${sources.map(({ node }) => node?.outerHTML?.slice(0, 120))}`);
          new PerformanceObserver(list => list.getEntries().forEach(tell)).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(seen), 300);
        })"""
    )


@each_page
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_while_a_page_loads(visit, address, path, width):
    assert shifts(visit(address + path, width=width).page) == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "part",
    [
        b'data-md-component="palette"',
        b'class="vs-open"',
        b'class="md-header__button switch"',
        b"</header>",
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
        assert shifts(visit(address + "autograd/leaf/", width=width).page) == []


def test_scripts_and_styles_arrive_without_comments(site):
    for name in ("page.js", "site.css", "search/open.js", "search/engine.js"):
        sent, written = (site / "assets" / name).read_text(), (ROOT / "docs/assets" / name).read_text()
        assert "/*" in written and "/*" not in sent and len(sent) < 0.9 * len(written)
    assert "license" in (site / "assets/search/minisearch-license.txt").read_text().lower()
    shipped = (site / "assets/search/minisearch.js").read_bytes()
    assert shipped == (ROOT / "docs/assets/search/minisearch.js").read_bytes()


def test_nothing_moves_where_a_box_with_a_fold_at_its_end_is_here_before_the_page(visit, site):
    with serving(site, pause=b'<div class="table">') as address:
        page = visit(address + "en/").page
        page.set_viewport_size({"width": 1440, "height": 1600})
        page.goto(address + "autograd/leaf/")
        assert shifts(page) == []


# -- Lists ----------------------------------------------------------------------------------------

LIST = """
<article><p class="filter" data-label="Filter" data-none="Nothing."><b>3</b> messages</p>
<h2>KeyError</h2><ul><li>no key <a href="#a">where</a></li></ul>
<h2>ValueError</h2><ul><li>bad Value</li><li>no value</li></ul></article>
"""


def test_a_list_is_filtered_without_a_request(browser):
    page = browser.new_page()
    requests: list[str] = []
    page.set_content(LIST)
    page.add_script_tag(path=ROOT / "docs/assets/page.js")
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    page.on("request", lambda request: requests.append(request.url))
    field, count = page.get_by_label("Filter"), page.locator(".filter b")

    def shown() -> list[str]:
        return [e.inner_text() for e in page.locator("h2:visible, li:visible").all()]

    field.fill(" value NO ")
    assert (shown(), count.inner_text()) == (["ValueError", "no value"], "1 / 3")
    field.fill("nowhere")
    assert shown() == [] and page.get_by_text("Nothing.").is_visible()
    field.fill("")
    assert (len(shown()), count.inner_text()) == (5, "3")
    assert not page.get_by_text("Nothing.").is_visible()
    assert requests == []
    page.close()


def test_on_a_phone_numbers_stay_whole_and_pictures_stay_readable(browser):
    page = browser.new_page(viewport={"width": 390, "height": 800})
    cells = "".join(f'<td align="{side}">6.90–7.14</td>' for side in ("left", "right"))
    table = f'<div class="table"><table><tr>{cells}<td>{"word " * 40}</td></tr></table></div>'
    picture = '<p id="picture"><img alt="" src="data:image/svg+xml,<svg xmlns=%22http://www.w3.org/2000/svg%22 viewBox=%220 0 9 5%22/>"></p>'
    page.set_content(f'<html lang="en"><body><article class="md-typeset">{table}{picture}')
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    page.add_script_tag(path=ROOT / "docs/assets/page.js")
    assert page.locator("td[align=right]").evaluate("e => getComputedStyle(e).whiteSpace") == "nowrap"
    assert page.locator("#picture").evaluate("e => e.scrollWidth > e.clientWidth && e.tabIndex === 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.close()


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_moves_when_a_list_gets_its_filter(browser, width):
    page = browser.new_page(viewport={"width": width, "height": 800})
    page.set_content(f'<html lang="en"><body class="md-typeset">{LIST}')
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    places = """() => [...document.querySelectorAll('.filter b, h2, li')].map(e => {
        const { x, y } = e.getBoundingClientRect();
        return [Math.round(x), Math.round(y / 3)];
    })"""
    before = page.evaluate(places)
    page.add_script_tag(path=ROOT / "docs/assets/page.js")
    box = page.get_by_label("Filter").bounding_box()
    assert box["x"] + box["width"] > 360 if width == 390 else box["width"] > 200
    assert page.evaluate(places) == before
    page.close()


def test_a_title_beside_a_button_has_lines_of_one_length(browser):
    page = browser.new_page(viewport={"width": 440, "height": 800})
    button = '<a class="md-content__button" style="float: right; width: 40px; height: 30px"></a>'
    link = '<a class="headerlink" style="display: inline-block; margin-left: 10px">¶</a>'
    title = f"<h1>Loss curves that give away a mistake in the loop{link}</h1>"
    page.set_content(f'<html lang="en"><article class="md-typeset">{button}{title}')
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    widths = page.locator("h1").evaluate(
        """title => {
            const range = document.createRange();
            range.selectNodeContents(title.firstChild);
            return [...range.getClientRects()].map(line => line.width);
        }"""
    )
    assert len(widths) > 1 and min(widths) > max(widths) * 0.6
    page.close()


def test_the_notebook_view_folds_other_releases_as_the_page_does(browser):
    page = browser.new_page()
    fold = "<details{}><summary>In other versions</summary></details>"
    page.set_content(f'<div class="md-typeset">{fold.format(" class=versions")}<div class="notebook">{fold.format("")}')
    for name in ("site.css", "notebook.css"):
        page.add_style_tag(path=ROOT / "docs/assets" / name)
    looks = page.locator("summary").evaluate_all(
        """all => all.map(e => {
            const [own, icon] = [getComputedStyle(e), getComputedStyle(e, "::before")];
            return [own.color, own.backgroundColor, own.fontWeight, icon.backgroundColor, icon.maskImage];
        })"""
    )
    assert looks[0] == looks[1]
    page.close()


def test_long_names_are_whole_in_the_contents(browser):
    page = browser.new_page()
    name = '<span class="md-ellipsis" style="overflow: hidden">torch._dynamo.exc.BackendCompilerFailed 2</span>'
    page.set_content(f'<nav class="md-nav--secondary" style="display: flex; width: 180px">{name}</nav>')
    assert page.locator("span").evaluate("e => e.scrollWidth > e.clientWidth")
    page.add_style_tag(path=ROOT / "docs/assets/site.css")
    assert page.locator("span").evaluate("e => e.scrollWidth <= e.clientWidth")
    page.close()


# -- Reading --------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["en/autograd/leaf/", "en/autograd/leaf/notebook/"])
def test_a_phone_has_the_contents_in_a_fold_and_a_wide_screen_beside_the_text(visit, address, path):
    wide = visit(address + path).page
    beside = wide.locator(".md-sidebar--secondary a").evaluate_all("links => links.map(a => a.hash)")
    assert beside and not wide.locator(".contents").is_visible()
    phone = visit(address + path, width="phone").page
    assert not phone.locator(".md-sidebar--secondary").is_visible()
    assert not phone.locator(".contents a").first.is_visible()
    phone.locator(".contents summary").click()
    assert phone.locator(".contents a").evaluate_all("links => links.map(a => a.hash)") == beside
    phone.locator(".contents a").last.click()
    phone.wait_for_function("hash => location.hash === hash", arg=beside[-1])


def test_the_contents_mark_the_last_section_at_the_end_of_the_page(visit, address):
    page = visit(address + "autograd/leaf/").page
    links = page.locator(".md-sidebar--secondary .md-nav__link[href^='#']")
    first, *_, last = links.evaluate_all("links => links.map(a => a.hash)")
    marked = """hash => [...document.querySelectorAll('.md-sidebar--secondary .md-nav__link--active')]
        .map(a => a.hash).join() === hash"""
    page.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    page.wait_for_function(marked, arg=last)
    page.locator(f".md-content [id='{first[1:]}']").evaluate("e => e.scrollIntoView()")
    page.wait_for_function(marked, arg=first)


def test_what_is_jumped_to_is_there_at_once(visit, address):
    page = visit(address + "autograd/leaf/").page
    assert page.evaluate("getComputedStyle(document.documentElement).scrollBehavior") == "auto"


@pytest.mark.parametrize(("prefix", "most"), [("", 45), ("en/", 85)], ids=["zh", "en"])
@pytest.mark.parametrize("wide", [768, 1440, 1920])
def test_lines_are_not_too_long_to_read(visit, address, prefix, most, wide):
    page = visit(address + prefix + "autograd/leaf/").page
    page.set_viewport_size({"width": wide, "height": 900})
    page.locator("article p").nth(1).evaluate(
        "(p, text) => { p.textContent = text; }",
        "字" * 200 if not prefix else "Every output was printed by PyTorch. " * 9,
    )
    longest = (
        page.locator("article p")
        .nth(1)
        .evaluate(
            """p => {
            const range = new Range(), tops = {};
            for (let i = 0; i < p.firstChild.length; i++) {
                range.setStart(p.firstChild, i);
                range.setEnd(p.firstChild, i + 1);
                const top = Math.round(range.getBoundingClientRect().top);
                tops[top] = (tops[top] ?? 0) + 1;
            }
            return Math.max(...Object.values(tops));
        }"""
        )
    )
    assert longest <= most


def test_every_page_says_with_which_version_it_was_built(visit, address):
    built = json.loads((MINIATURE / "outputs/cpu/environment.json").read_text())["torch"].partition("+")[0]
    for path in ("autograd/leaf/", "en/autograd/leaf/notebook/"):
        assert visit(address + path).page.locator("h1 + .take .built").inner_text().strip() == f"PyTorch {built}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_calls_constants_and_keywords_differ_in_colour(visit, address, scheme):
    page = visit(address + "tensors/print/", scheme=scheme).page
    code = page.locator(".highlight:not(.verbatim) code").first
    kinds = ("nf", "kn", "nb")
    colours = {kind: code.locator(f".{kind}").first.evaluate("e => getComputedStyle(e).color") for kind in kinds}
    colours["code"] = code.evaluate("e => getComputedStyle(e).color")
    assert len(set(colours.values())) == 4, colours


def test_code_and_outputs_have_the_sites_own_fonts(visit, address):
    page = visit(address + "tensors/print/").page
    fonts = page.locator("code").evaluate_all("all => all.map(e => getComputedStyle(e).fontFamily)")
    assert fonts and all(font.startswith("ui-monospace") and "Noto Sans CJK SC" in font for font in fonts)


def test_another_tab_follows_the_colours(visit, address):
    page = visit(address + "autograd/leaf/").page
    other = page.context.new_page()
    other.goto(address + "en/")
    page.locator("label[for^=__palette]:visible").click()  # from the system's to light
    page.locator("label[for^=__palette]:visible").click()
    page.wait_for_function("() => document.body.dataset.mdColorScheme === 'slate'")
    other.wait_for_function("() => document.body.dataset.mdColorScheme === 'slate'")
    page.locator("label[for^=__palette]:visible").click()  # back to the system's
    other.wait_for_function("() => document.body.dataset.mdColorScheme === 'default'")


def test_an_erratum_carries_its_verdict(visit, address):
    page = visit(address + "autograd/leaf/").page
    box = page.locator(".erratum").first
    mark = box.locator(".admonition-title + p").evaluate("p => getComputedStyle(p, '::before').content")
    assert mark.startswith('"✓')
    assert "✓" not in page.locator(".admonition:not(.erratum) p").first.evaluate(
        "p => getComputedStyle(p, '::before').content"
    )


# -- Found from outside ---------------------------------------------------------------------------


@each_language
def test_a_page_says_what_it_is(visit, address, prefix):
    page = visit(address + prefix + "autograd/leaf/").page
    meta = {
        e.get_attribute("property") or e.get_attribute("name"): e.get_attribute("content")
        for e in page.locator("meta[property], meta[name]").all()
    }
    title = "叶子张量：谁会有梯度" if not prefix else "Leaf tensors: who gets a gradient"
    assert page.title().startswith(title)
    assert meta["og:title"] == title
    assert meta["description"] == meta["og:description"]
    assert meta["og:url"] == f"https://example.org/{prefix}autograd/leaf/"
    twins = {
        e.get_attribute("hreflang"): e.get_attribute("href")
        for e in page.locator("link[rel~=alternate][hreflang]").all()
    }
    assert twins == {
        "zh": "https://example.org/autograd/leaf/",
        "en": "https://example.org/en/autograd/leaf/",
        "x-default": "https://example.org/autograd/leaf/",
    }
    assert page.locator("html").get_attribute("lang") == ("en" if prefix else "zh")
    built = json.loads((MINIATURE / "outputs/cpu/environment.json").read_text())["torch"].partition("+")[0]
    assert page.locator(".take .built").inner_text().strip() == f"PyTorch {built}"
    report = page.get_by_role("link", name="Report an error" if prefix else "报告本页的错误").get_attribute("href")
    assert parse_qs(urlsplit(report).query)["section"] == [meta["og:url"]]


@each_language
@pytest.mark.parametrize("name", ["", "autograd/leaf/"], ids=["home", "recipe"])
def test_a_page_has_a_card_and_data_for_crawlers(visit, address, site, prefix, name):
    page = visit(address + prefix + name).page

    def meta(key: str) -> str:
        return page.locator(f"meta[property='{key}'], meta[name='{key}']").get_attribute("content")

    card = meta("og:image")
    assert card.startswith("https://example.org/assets/cards/") and meta("twitter:card") == "summary_large_image"
    data = (site / card.removeprefix("https://example.org/")).read_bytes()
    assert data.startswith(b"\x89PNG") and int.from_bytes(data[16:20]) == int(meta("og:image:width"))
    about = json.loads(page.locator("script[type='application/ld+json']").text_content())["@graph"]
    assert about[0]["url"] == meta("og:url") and about[0]["description"] == meta("description")
    assert about[0]["@type"] == ("TechArticle" if name else "WebSite")
    if name:
        assert about[0]["headline"] == meta("og:title") and about[0]["image"] == card
        assert about[1]["itemListElement"][0]["item"] == f"https://example.org/{prefix}"


NEXT = "document.querySelectorAll('link[rel=prefetch]').length"


def test_the_page_that_is_pointed_at_is_fetched_ahead_once(visit, address):
    seen = visit(address + "autograd/leaf/")
    page, link = seen.page, seen.page.locator("article a[href*='tensors/print/']").first
    assert page.evaluate(NEXT) == 0
    goal = link.evaluate("e => e.href.split('#')[0]")
    link.hover()
    page.wait_for_function("goal => performance.getEntriesByName(goal).length", arg=goal)
    assert page.locator("link[rel=prefetch]").evaluate("e => e.href") == goal
    page.mouse.move(0, 0)
    link.hover()
    page.locator(".headerlink").first.dispatch_event("pointerover")
    page.locator("a[download]").first.hover()
    page.locator("a.api").first.dispatch_event("pointerover")
    page.wait_for_timeout(300)
    assert page.evaluate(NEXT) == 1
    assert seen.complaints == []


def test_the_chosen_result_of_the_search_is_fetched_ahead(visit, address):
    page = visit(address + "en/tensors/print/").page
    page.keyboard.press("/")
    page.keyboard.type("leaf")
    page.wait_for_function(f"() => {NEXT} > 0")
    assert "autograd/leaf/?h=leaf" in page.locator("link[rel=prefetch]").first.get_attribute("href")


@pytest.mark.parametrize("connection", ["{saveData: true}", "{effectiveType: 'slow-2g'}"])
def test_nothing_is_fetched_ahead_where_readers_save_data(visit, address, connection):
    page = visit("about:blank").page
    page.add_init_script(f"Object.defineProperty(navigator, 'connection', {{value: {connection}}})")
    page.goto(address + "autograd/leaf/")
    page.locator("article a[href*='tensors/print/']").first.hover()
    page.wait_for_timeout(300)
    assert page.evaluate(NEXT) == 0


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_browser_takes_the_colour_and_the_icon_of_the_site(visit, address, site, scheme):
    page = visit(address + "autograd/leaf/", scheme=scheme).page
    ground = page.evaluate("getComputedStyle(document.querySelector('.md-header')).backgroundColor")
    page.wait_for_function(
        "ground => { const probe = document.createElement('i'); probe.style.color = "
        "document.querySelector('meta[name=theme-color]').content; return probe.style.color === ground; }",
        arg=ground,
    )
    own = "() => getComputedStyle(document.documentElement).colorScheme"
    assert page.evaluate(own) == scheme
    page.evaluate("document.body.dataset.mdColorScheme = 'slate'")  # as the reader may choose, whatever the system says
    assert page.evaluate(own) == "dark"
    icon = page.locator("link[rel=apple-touch-icon]").get_attribute("href")
    assert (site / "assets/icon.png").read_bytes().startswith(b"\x89PNG")
    assert urljoin(page.url, icon) == address + "assets/icon.png"


def test_the_sitemap_lists_every_page_with_its_twin(site):
    pages = {p.parent.relative_to(site).as_posix() for p in site.rglob("index.html") if "notebook" not in p.parts}
    root = ElementTree.parse(site / "sitemap.xml").getroot()
    spaces = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9", "x": "http://www.w3.org/1999/xhtml"}
    listed = {url.find("s:loc", spaces).text: url for url in root.findall("s:url", spaces)}
    assert set(listed) == {"https://example.org/" + ("" if p == "." else p + "/") for p in pages}
    twins = [link.get("href") for link in listed["https://example.org/en/autograd/leaf/"].findall("x:link", spaces)]
    assert sorted(twins) == ["https://example.org/autograd/leaf/", "https://example.org/en/autograd/leaf/"]
    assert (site / "robots.txt").read_text().endswith("Sitemap: https://example.org/sitemap.xml\n")


@each_language
def test_a_feed_a_language(visit, address, site, prefix):
    page = visit(address + prefix + "autograd/leaf/").page
    link = page.locator("link[type='application/atom+xml']").evaluate("e => e.href")
    assert link == f"{address}{prefix}feed.xml"
    root = ElementTree.parse(site / prefix / "feed.xml").getroot()
    links = [e.get("href") for e in root.findall("{*}entry/{*}link")]
    known = git.changed(MINIATURE)
    names = [n for n in ("autograd/leaf", "tensors/print") if f"docs/{prefix or 'zh/'}{n}.md" in known]
    assert sorted(links) == [f"https://example.org/{prefix}{name}/" for name in names]


# -- Paper ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_light_and_has_the_text_alone(visit, address, scheme):
    page = visit(address + "tensors/print/", scheme=scheme).page
    page.emulate_media(media="print", color_scheme=scheme)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    hidden = (
        ".md-header",
        ".md-tabs",
        ".md-sidebar--primary",
        ".md-sidebar--secondary",
        ".md-footer",
        ".take",
        ".contents",
    )
    for selector in hidden:
        assert not page.locator(selector).is_visible(), selector
    # A page break may go through what was unfolded and through boxes: else most of a page would be left empty.
    for selector in ("details.example", "details.example .highlight", "details.example summary"):
        assert page.locator(selector).first.evaluate("e => getComputedStyle(e).display") == "block", selector
    said = page.locator(".address").inner_text()
    assert said.startswith("https://example.org/tensors/print/")
    assert page.locator("details.example .highlight").is_visible()
    wide = page.locator(".verbatim code").first
    assert wide.evaluate("e => e.scrollWidth <= e.clientWidth")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator("details.example").evaluate("e => e.open")
    assert page.pdf()[:5] == b"%PDF-"


def test_paper_has_the_notes_of_code(visit, address):
    page = visit(address + "autograd/leaf/").page
    page.locator(".md-annotation__index").wait_for()
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("ol.annotations").inner_text().startswith("梯度在叶子上")
    assert not page.locator(".md-code__nav").first.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator("ol.annotations").is_visible()
