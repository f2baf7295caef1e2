"""The outputs of other releases of PyTorch: a reader chooses one, and pages show its outputs first."""

from __future__ import annotations

import gzip
import re
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route

from tests.browser.miniature import ROOT, WIDTHS, shifts
from tests.browser.server import serving


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
    assert page.locator(".torch output").text_content() == page.locator(".built").text_content()
    once = page.locator(".erratum.once details.versions")
    assert once.evaluate("e => e.open") and "1.13.1" in once.locator("summary").text_content()
    assert "leaves are new here" in first_output(page, "autograd/leaf#setup")
    select.select_option("2.13.0")
    assert page.evaluate(article) == before


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "prefix, label, most, one",
    [
        ("", "我的 PyTorch", "torch 1.13.1 运行过：3 处不同", "torch 2.6.0 运行过：1 处不同"),
        ("en/", "My PyTorch", "torch 1.13.1, run: 3 places differ", "torch 2.6.0, run: 1 place differs"),
    ],
    ids=["zh", "en"],
)
def test_the_line_below_the_title_says_what_came_of_the_page(visit, address, prefix, label, most, one, width):
    page = visit(f"{address}{prefix}autograd/leaf/", width=width).page
    select, line = page.get_by_label(label), page.locator(".built")
    assert page.get_by_text(label, exact=True).is_visible()
    assert line.inner_text() == "PyTorch 2.13.0"
    before = line.bounding_box()
    for release, told in (("1.13.1", most), ("2.6.0", one)):
        select.select_option(release)
        assert line.inner_text() == told
        assert line.bounding_box() == before
        assert line.evaluate("e => e.scrollWidth <= e.clientWidth")
    page.reload()
    assert line.inner_text() == one
    select.select_option("2.13.0")
    assert line.inner_text() == "PyTorch 2.13.0"


#: What a page may say of a release; each of one that a reader can choose, whose numbers take the same room.
VERDICTS = {f"1.13.{patch}": verdict for patch, verdict in enumerate(("0", "1", "12", "0~", "12~", "?"))}
CHOOSE = """release => {
  const chooser = document.querySelector(".torch select");
  if (![...chooser.options].some((option) => option.value === release)) chooser.add(new Option(release));
  chooser.value = release;
  chooser.dispatchEvent(new Event("change", { bubbles: true }));
}"""
LINE = """() => {
  const shown = [...document.querySelectorAll(".take > li")].filter((item) => item.checkVisibility() && item.offsetHeight);
  const line = document.querySelector(".take .built");
  return {
    tops: new Set(shown.map((item) => item.getBoundingClientRect().top)).size,
    whole: line.scrollWidth <= line.clientWidth,
    text: line.innerText,
    brief: getComputedStyle(line, "::before").content,
    below: document.querySelector(".take + *").getBoundingClientRect().y,
  };
}"""


@pytest.mark.parametrize("path", ["autograd/leaf/", "tensors/print/", "autograd/leaf/notebook/"])
@pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])
def test_the_line_below_the_title_is_one_line_whatever_it_says(visit, address, path, prefix):
    """Nothing of it is cut off, and on a phone the answer begins high."""
    page = visit("about:blank", **chosen(address, "1.13.1")).page
    ran = " ".join(f"{release}={verdict}" for release, verdict in VERDICTS.items())

    def answer(route: Route) -> None:
        told = re.sub('data-ran="[^"]*"', f'data-ran="{ran}"', route.fetch().text())
        route.fulfill(body=told, content_type="text/html; charset=utf-8")

    page.route(address + prefix + path, answer)
    page.goto(address + prefix + path)
    for width in (320, 360, 390, 820, 1280, 1440):
        page.set_viewport_size({"width": width, "height": 900})
        for release, verdict in VERDICTS.items():
            page.evaluate(CHOOSE, release)
            seen = page.evaluate(LINE)
            assert seen["tops"] == 1 and seen["whole"], (verdict, width)
            assert seen["text"].startswith(f"torch {release}")
            assert (release in seen["brief"]) == (width < 768)
            assert width >= 768 or seen["below"] < 250, (verdict, width)


@pytest.mark.parametrize(
    "verdict, zh, en",
    [
        ("0", "运行过：与所示一致", ", run: all as shown"),
        ("0~", "运行过一部分：与所示一致", ", run in part: all as shown"),
        ("12~", "运行过一部分：12 处不同", ", run in part: 12 places differ"),
        ("?", "：还没有运行过本页现在的代码", ": not run on this page as it is"),
    ],
)
def test_the_line_says_no_more_than_was_run(visit, verdict, zh, en):
    for language, told in (("zh", zh), ("en", en)):
        page = visit("about:blank").page
        chooser = '<p class="torch"><select><option value="">2.13.0<option selected>2.0.1</select></p>'
        line = f'<p class="built" data-ran="1.13.1=4 2.0.1={verdict} 12.0.1=5">PyTorch 2.13.0</p>'
        page.set_content(f'<html lang="{language}"><body>{chooser}{line}')
        page.add_script_tag(path=ROOT / "docs/assets/page.js")
        assert page.locator(".built").text_content().replace("torch 2.0.1", "").strip() == told.strip()


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
        page = visit(address + "autograd/leaf/", width=width, slow=True, **chosen(address, "1.13.1")).page
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
    """Where no output differs, a page has the chooser and one line at its end."""
    for path in ("index.html", "en/index.html"):
        html = (site / path).read_text()
        start, end = (
            html.index('<div class="md-header__option torch">'),
            html.index("}</script>", html.index("verbatim.torch")),
        )
        with_it, without = html.encode(), (html[:start] + html[end + len("}</script>") :]).encode()
        assert len(gzip.compress(with_it, 9)) - len(gzip.compress(without, 9)) <= 700
        assert "releases.js" not in html
