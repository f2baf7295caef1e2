"""The outputs of other releases of PyTorch: a reader chooses one, and pages show its outputs first."""

from __future__ import annotations

import gzip
import re
from urllib.parse import urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from tests.browser.miniature import WIDTHS, shifts
from tests.browser.server import serving


def chosen(address: str, release: str) -> dict[str, object]:
    """A browser in which a reader has chosen a release before."""
    origin = "{0.scheme}://{0.netloc}".format(urlsplit(address))
    kept = {"origin": origin, "localStorage": [{"name": "verbatim.torch", "value": release}]}
    return {"storage_state": {"cookies": [], "origins": [kept]}}


SHOWS = """([cell, text]) => {
  const outputs = [...document.querySelectorAll(`[data-verbatim="${cell}"]`)];
  return outputs.find(output => !output.closest("details.versions"))?.textContent.includes(text);
}"""


def shows(page: Page, cell: str, text: str) -> None:
    """Wait until the output right below a cell's code has a text: the first choice of a release brings the scripts."""
    page.wait_for_function(SHOWS, arg=[cell, text])


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
    shows(page, "autograd/leaf#fails", "of tensors")
    select = page.locator(".torch select")
    assert select.evaluate("e => e.selectedOptions[0].text") == "2.13.0"
    select.focus()
    page.keyboard.type("2.6")
    assert select.input_value() == "2.6.0"
    select.select_option("1.13.1")
    shows(page, "autograd/leaf#fails", "of variables")
    shows(page, "autograd/leaf#fails", old)
    fold = page.locator("details.versions", has_text=new)
    assert "of tensors" in fold.last.text_content()
    expect(page.locator(".release")).to_contain_text(page.locator(".torch output").text_content())
    once = page.locator(".erratum.once details.versions")
    assert once.evaluate("e => e.open") and "1.13.1" in once.locator("summary").text_content()
    shows(page, "autograd/leaf#setup", "leaves are new here")
    select.select_option("2.13.0")
    assert page.evaluate(article) == before


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "prefix, label, most, one, back",
    [
        (
            "",
            "我的 PyTorch",
            "在 torch 1.13.1 上，本页有 3 处不同。",
            "在 torch 2.6.0 上，本页有 1 处不同。",
            "回到 torch 2.13.0",
        ),
        (
            "en/",
            "My PyTorch",
            "In torch 1.13.1, 3 places on this page differ.",
            "In torch 2.6.0, 1 place on this page differs.",
            "Back to torch 2.13.0",
        ),
    ],
    ids=["zh", "en"],
)
def test_the_top_of_a_page_says_what_came_of_it(visit, address, prefix, label, most, one, back, width):
    page = visit(f"{address}{prefix}autograd/leaf/", width=width).page
    select, line, told = page.get_by_label(label), page.locator(".release"), page.locator(".torch output")
    assert page.get_by_text(label, exact=True).is_visible() and not line.is_visible()
    for release, said in (("1.13.1", most), ("2.6.0", one)):
        select.select_option(release)
        expect(told).to_have_text(said)
        expect(line).to_contain_text(said)
    page.reload()
    expect(line).to_contain_text(one)
    edges = line.evaluate("""e => {
        const range = document.createRange();
        range.selectNodeContents(e.firstChild);
        const [text, ...buttons] = [range, ...e.querySelectorAll("button")].map(one => one.getBoundingClientRect());
        return buttons.filter(b => b.top > text.bottom - 4).map(b => b.left - text.left);
    }""")
    assert all(edge >= 0 for edge in edges) and (not edges or min(edges) == 0), (
        "what is wrapped begins where the line does"
    )
    page.get_by_role("button", name=back).click()
    assert not line.is_visible() and select.input_value() == "" and told.text_content() == "PyTorch 2.13.0"
    assert select.evaluate("e => e === document.activeElement")


def telling(page: Page, address: str, ran: str) -> None:
    """Open a page of which the build would have said this."""

    def answer(route: Route) -> None:
        told = re.sub('data-ran="[^"]*"', f'data-ran="{ran}"', route.fetch().text())
        route.fulfill(body=told, content_type="text/html; charset=utf-8")

    page.route(re.compile(re.escape(address.partition("?")[0]) + r"(\?.*)?$"), answer)
    page.goto(address)


@pytest.mark.parametrize("path", ["autograd/leaf/", "tensors/print/", "autograd/leaf/notebook/"])
@pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])
def test_what_the_top_says_fits_and_the_answer_begins_high(visit, address, path, prefix):
    page = visit("about:blank", **chosen(address, "1.13.1")).page
    for width in (320, 390, 820, 1280):
        page.set_viewport_size({"width": width, "height": 900})
        telling(page, address + prefix + path, "1.13.1=12~")
        line = page.locator(".release")
        assert "12" in line.inner_text() and line.evaluate("e => e.scrollWidth <= e.clientWidth")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.locator(".release + *").bounding_box()["y"] < 330, width


@pytest.mark.parametrize(
    "verdict, zh, en",
    [
        ("0", "在 torch 2.6.0 上，本页没有一处不同。", "In torch 2.6.0, nothing on this page differs."),
        ("0~", "其余的没有运行过。", "the rest was not run."),
        ("1~", "本页有 1 处不同；有一部分没有运行过。", "1 place on this page differs; part of it was not run."),
        ("12~", "本页有 12 处不同；有一部分没有运行过。", "12 places on this page differ; part of it was not run."),
        ("?", "没有在 torch 2.6.0 上运行过，下面是 torch 2.13.0 的输出。", "below is what torch 2.13.0 prints."),
    ],
)
def test_the_top_says_no_more_than_was_run(visit, address, verdict, zh, en):
    for prefix, told in (("", zh), ("en/", en)):
        page = visit("about:blank").page
        telling(page, f"{address}{prefix}autograd/leaf/?torch=2.6", f"1.13.1=4 2.6.0={verdict}")
        assert told in page.locator(".release").inner_text()


# -- The address ----------------------------------------------------------------------------------


def asked(page: Page, query: str) -> None:
    """Wait until the address ends in this query: what changes it may be on its way."""
    page.wait_for_function("query => location.search === query", arg=query)


@pytest.mark.parametrize("named", ["1.13.1", "1.13", "1", "1.13.1+cu117"])
def test_a_link_shows_what_its_sender_saw(visit, address, named):
    page = visit(f"{address}en/autograd/leaf/?torch={named}#fails").page
    assert page.locator(".torch select").input_value() == "1.13.1"
    shows(page, "autograd/leaf#fails", "of variables")
    expect(page).to_have_url(f"{address}en/autograd/leaf/?torch=1.13.1#fails")
    assert page.evaluate("localStorage.getItem('verbatim.torch')") is None  # the reader's own choice stays
    page.locator("a.switch").click()
    page.wait_for_url(f"{address}autograd/leaf/?torch=1.13.1*")
    shows(page, "autograd/leaf#fails", "of variables")
    page.goto(f"{address}en/autograd/leaf/")
    shows(page, "autograd/leaf#fails", "of tensors")
    asked(page, "")


def test_the_address_follows_the_choice(visit, address):
    page = visit(f"{address}autograd/leaf/").page
    asked(page, "")
    page.locator(".torch select").select_option("2.6.0")
    asked(page, "?torch=2.6.0")
    page.goto(f"{address}tensors/print/")
    asked(page, "?torch=2.6.0")
    page.locator(".torch select").select_option("2.13.0")
    asked(page, "")


def test_a_link_to_the_built_version_shows_it_to_who_has_another(visit, address):
    page = visit(f"{address}autograd/leaf/?torch=2.13", **chosen(address, "1.13.1")).page
    shows(page, "autograd/leaf#fails", "of tensors")
    asked(page, "?torch=2.13")
    assert not page.locator(".release").is_visible()


@pytest.mark.parametrize(
    "prefix, said",
    [
        ("", "本书没有在 torch 1.2 上运行过，下面是 torch 2.13.0 的输出。"),
        ("en/", "This book was not run with torch 1.2: below is what torch 2.13.0 prints."),
    ],
    ids=["zh", "en"],
)
def test_a_link_to_a_release_that_was_not_run_says_so(visit, address, prefix, said):
    page = visit(f"{address}{prefix}autograd/leaf/?torch=1.2", **chosen(address, "1.13.1")).page
    assert page.locator(".release").inner_text() == said
    shows(page, "autograd/leaf#fails", "of tensors")


# -- What differs ---------------------------------------------------------------------------------

MARKED = "() => [...(CSS.highlights.get('verbatim-differs') ?? [])].map(String)"


@pytest.mark.parametrize(
    "prefix, said", [("", "与 torch 2.13.0 不同"), ("en/", "not as in torch 2.13.0")], ids=["zh", "en"]
)
def test_an_output_that_differs_says_so_and_marks_the_words(visit, address, prefix, said):
    seen = visit(f"{address}{prefix}autograd/leaf/?torch=1.13.1")
    page = seen.page
    page.wait_for_function("CSS.highlights.has('verbatim-differs')")
    shows(page, "autograd/leaf#fails", said)
    assert "variables" in page.evaluate(MARKED) and not any("grad_fn" in one for one in page.evaluate(MARKED))
    page.locator(".torch select").select_option("2.13.0")
    assert said not in page.locator("article").text_content()
    page.wait_for_function("!CSS.highlights.get('verbatim-differs').size")
    assert seen.complaints == [] and not [one for one in seen.requests if not one.startswith(address)]


def test_an_address_cannot_put_words_on_a_page(visit, address):
    page = visit(f"{address}en/autograd/leaf/?torch=call%20me").page
    assert not page.locator(".release").is_visible() and "call" not in page.locator("article").inner_text()


def test_who_chooses_no_release_loads_nothing_for_it(visit, address):
    seen = visit(address + "autograd/leaf/")
    assert not [one for one in seen.requests if "assets/releases/" in one]
    seen.page.locator(".torch select").select_option("2.6.0")
    expect(seen.page.locator(".torch output")).to_contain_text("1")
    expect(seen.page.locator(".release")).to_be_visible()
    shows(seen.page, "autograd/leaf#fails", "of variables")


@pytest.mark.parametrize(
    "prefix, said", [("", "从 torch 2.13.0 起能运行"), ("en/", "runs from torch 2.13.0 on")], ids=["zh", "en"]
)
@pytest.mark.parametrize("release", ["1.13.1", "2.6.0"], ids=["absent", "not run"])
def test_code_that_does_not_run_there_is_grey_and_says_from_when_it_does(visit, address, prefix, said, release):
    page = visit(f"{address}{prefix}tensors/print/?torch={release}").page
    grey = page.locator(".idle")
    assert grey.count() == 1 and "document.title" in grey.text_content()
    colours = "e => new Set([...e.querySelectorAll('code span')].map(one => getComputedStyle(one).color)).size"
    assert grey.evaluate(colours) == 1
    shows(page, "tensors/print#markup", said)
    assert page.evaluate(MARKED) == []  # an error beside an output: each word differs
    page.locator(".torch select").select_option("2.13.0")
    assert page.locator(".idle, .differs").count() == 0


def test_an_output_that_was_not_compared_says_so(visit, address):
    page = visit("about:blank").page

    def answer(route: Route) -> None:
        mark = 'data-verbatim="autograd/leaf#leaf" data-unrun="1.13.1 2.6.0"'
        told = route.fetch().text().replace('data-verbatim="autograd/leaf#leaf"', mark)
        route.fulfill(body=told, content_type="text/html; charset=utf-8")

    page.route("**/autograd/leaf/*", answer)
    page.goto(f"{address}en/autograd/leaf/?torch=2.6.0")
    shows(page, "autograd/leaf#leaf", "not run with torch 2.6.0")
    page.locator(".torch select").select_option("2.13.0")
    assert "not run" not in page.locator("article").text_content()


def test_the_next_place_that_differs_gets_the_keyboard(visit, address):
    page = visit(f"{address}en/autograd/leaf/?torch=1.13.1").page
    cell = "document.activeElement.dataset.verbatim"
    found = []
    for _ in range(4):
        button = page.get_by_role("button", name="Next difference")
        button.focus()
        button.press("Enter")
        found.append(page.evaluate(cell))
        assert page.evaluate("document.activeElement.getBoundingClientRect().top < innerHeight")
    assert found == [f"autograd/leaf#{cell}" for cell in ("setup", "warns", "fails", "setup")]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("path", ["autograd/leaf/", "en/tensors/print/"])
def test_a_page_as_another_release_ran_it_breaks_no_rule_of_axe(visit, address, path, scheme):
    page = visit(f"{address}{path}?torch=1.13.1", scheme=scheme).page
    assert page.locator(".release").is_visible()
    assert Axe().run(page).response["violations"] == []


def test_on_paper_nothing_is_said_of_the_choice(visit, address):
    page = visit(f"{address}en/tensors/print/?torch=1.13.1").page
    page.emulate_media(media="print")
    for what in (".release", ".differs"):
        assert page.locator(what).count() and not page.locator(what).first.is_visible()
    assert page.locator(".idle").evaluate("e => getComputedStyle(e).borderTopStyle") == "solid"


# -- The choice -----------------------------------------------------------------------------------


def test_the_release_is_remembered_everywhere(visit, address):
    seen = visit(address + "autograd/leaf/")
    seen.page.locator(".torch select").select_option("1.13.1")
    for path in ("en/autograd/leaf/", "tensors/print/", "en/", "autograd/leaf/notebook/"):
        seen.page.goto(address + path)
        assert seen.page.locator(".torch select").input_value() == "1.13.1"
    seen.page.goto(address + "tensors/print/")
    shows(seen.page, "tensors/print#markup", "has no attribute")
    figure = seen.page.locator(".verbatim-figure").first
    assert figure.get_attribute("data-torch") == "1.13.1"
    assert figure.evaluate("e => e.parentElement.nextElementSibling.textContent").startswith("图：")
    seen.page.locator(".torch select").select_option("2.6.0")
    shows(seen.page, "tensors/print#markup", "没有运行")
    assert seen.complaints == []


def test_a_release_that_the_site_has_no_longer_is_forgotten(visit, address):
    page = visit(address + "autograd/leaf/", **chosen(address, "0.4.1")).page
    assert page.locator(".torch select").evaluate("e => e.selectedOptions[0].text") == "2.13.0"
    shows(page, "autograd/leaf#fails", "of tensors")


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
        page = visit(address + "autograd/leaf/", width=width, slow=True, **chosen(address, "1.13.1")).page
        assert shifts(page) == []
        shows(page, "autograd/leaf#fails", "of variables")


def test_a_release_is_chosen_in_a_folder_too(visit, site):
    page = visit((site / "autograd/leaf/index.html").as_uri()).page
    page.locator(".torch select").select_option("1.13.1")
    page.goto((site / "en/autograd/leaf/index.html").as_uri())
    shows(page, "autograd/leaf#fails", "of variables")


@pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])
def test_the_message_of_another_release_leads_to_the_same_section(visit, address, prefix):
    page = visit(f"{address}{prefix}").page
    page.keyboard.press("/")
    page.locator(".vs-dialog input").fill("RuntimeError: element 0 of variables does not require grad")
    first = page.locator(".vs-result").first
    first.wait_for()
    assert "torch 1.13.1" not in first.locator(".vs-excerpt").text_content()  # once is enough
    assert urlsplit(first.get_attribute("href")).path == f"/{prefix}autograd/leaf/"
    assert first.get_attribute("href").endswith("#fails")
    said = "This wording: torch 1.13.1" if prefix else "这种措辞：torch 1.13.1"
    assert first.locator(".vs-printed").inner_text().startswith(said)


def test_other_releases_can_be_read_without_scripts(visit, address):
    page = visit(address + "autograd/leaf/", java_script_enabled=False).page
    assert not page.locator(".torch select").is_visible()
    folds = page.locator("details.versions")
    assert folds.count() == 3
    folds.last.locator("summary").first.click()
    assert folds.last.get_by_text("of variables").is_visible()


def test_the_chooser_is_light(site):
    for path in ("index.html", "en/index.html"):
        html = (site / path).read_text()
        start, end = (
            html.index('<div class="md-header__option torch">'),
            html.index("}</script>", html.index("verbatim.torch")),
        )
        with_it, without = html.encode(), (html[:start] + html[end + len("}</script>") :]).encode()
        assert len(gzip.compress(with_it, 9)) - len(gzip.compress(without, 9)) <= 700
        assert ("outputs.js" in html) == ('class="versions"' in html)
