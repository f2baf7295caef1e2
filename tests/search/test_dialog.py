"""The search as readers use it, on a small site built with the project's own configuration."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, Route, expect

from scripts.benchmarks.search import latency
from tests.browser.windows import Visit, Windows
from tests.search import written
from verbatim.site.search import index

ROOT = Path(__file__).parents[2]


def field(page: Page):
    return page.get_by_role("combobox")


def options(page: Page):
    """The results; what is offered before anything is typed is none."""
    return page.get_by_role("option").and_(page.locator(".vs-result"))


def look_for(page: Page, query: str) -> None:
    """Open the search with the keyboard, as it is, and paste a query."""
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    page.keyboard.insert_text(query)


def marked(page: Page) -> list[str]:
    """The texts highlighted on the page."""
    return page.evaluate("[...(CSS.highlights.get('verbatim-search') ?? [])].map(String)")


# -- Opening, moving, closing ---------------------------------------------------------------------


def test_nothing_is_loaded_before_it_is_used(seen: Visit, base: str):
    page, loaded = seen.page, seen.requests
    page.goto(f"{base}topic/leaf/", wait_until="networkidle")
    assert [url.split("?v=")[0] for url in loaded if "assets/search/" in url] == [f"{base}assets/search/open.js"]
    look_for(page, "is_leaf")
    expect(options(page).first).to_be_visible()
    assert {url.split("/")[-1].split("?")[0] for url in loaded if "assets/search/" in url} >= {
        "words.js",
        "dialog.js",
        "dialog.css",
        "results.js",
        "engine.js",
        "minisearch.js",
        "index.js",
    }
    assert not [url for url in loaded if not url.startswith(base)]
    own = {url.partition("?")[2] for url in loaded if re.search(r"assets/search/\w+\.(js|css)", url)}
    assert len(own) == 1 and own != {""}, "files of two builds are never mixed"


def test_keyboard_from_slash_to_the_section_and_its_highlight(page: Page, base: str):
    page.goto(base)
    look_for(page, "retain_gra")
    first = options(page).first
    expect(first).to_have_attribute("aria-selected", "true")
    expect(first).to_contain_text("属性")
    expect(first).to_contain_text("叶子张量")
    expect(first.locator("mark", has_text="retain_graph")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}topic/leaf/#leaf-and-grad-fn")
    page.wait_for_function("() => CSS.highlights.get('verbatim-search')?.size")
    assert "retain_graph" in marked(page)
    page.keyboard.press("Escape")
    assert marked(page) == []


def test_a_word_within_which_a_line_may_end_is_marked_whole(page: Page, base: str):
    page.goto(f"{base}en/topic/leaf/")
    found = page.get_by_text("strides").last
    found.evaluate("e => { e.innerHTML = e.innerHTML.replace('strides', 'str<wbr>ides'); }")
    look_for(page, "strides")
    options(page).first.click()
    page.wait_for_function("() => CSS.highlights.get('verbatim-search')?.size")
    assert marked(page) == ["strides"]


def test_a_word_that_was_mistyped_is_marked_as_the_page_writes_it(page: Page, base: str):
    page.goto(base)
    look_for(page, "retian_graph")
    expect(options(page).first.locator("mark", has_text="retain_graph")).to_be_visible()
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}topic/leaf/#leaf-and-grad-fn")
    page.wait_for_function("() => CSS.highlights.get('verbatim-search')?.size")
    assert "retain_graph" in marked(page)


def test_arrows_choose_and_wrap_around(page: Page, base: str):
    page.goto(base)
    look_for(page, "torch")
    expect(options(page).nth(1)).to_be_visible()
    chosen = page.locator("[role=option][aria-selected=true]")
    last = options(page).count() - 1
    for key, number in (("ArrowDown", 1), ("ArrowUp", 0), ("ArrowUp", last), ("ArrowDown", 0)):
        page.keyboard.press(key)
        expect(chosen).to_have_count(1)
        expect(chosen).to_have_id(f"vs-{number}")
        expect(field(page)).to_have_attribute("aria-activedescendant", f"vs-{number}")


def test_escape_closes_and_gives_the_focus_back(page: Page, base: str):
    page.goto(base)
    page.locator("[data-search-open]").focus()
    page.keyboard.press("Enter")
    expect(field(page)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.locator("[data-search-open]")).to_be_focused()
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()


def test_focus_stays_in_the_dialog(page: Page, base: str):
    page.goto(base)
    look_for(page, "torch")
    expect(options(page).first).to_be_visible()
    for _ in range(6):
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement === document.body || !!document.activeElement.closest('dialog')")


def test_slash_is_a_letter_where_one_writes(page: Page, base: str):
    page.goto(base)
    page.evaluate("document.body.prepend(document.createElement('textarea'))")
    page.locator("textarea").focus()
    page.keyboard.press("/")
    expect(page.locator("textarea")).to_have_value("/")
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_clicking_beside_the_dialog_closes_it(page: Page, base: str):
    page.goto(base)
    look_for(page, "torch")
    page.mouse.click(5, 500)
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_a_result_on_the_same_page_does_not_load_it_again(page: Page, base: str):
    page.goto(f"{base}en/topic/leaf/")
    page.evaluate("self.same = true")
    look_for(page, "strides")
    options(page).first.click()
    page.wait_for_url(f"{base}en/topic/leaf/#far-away")
    assert page.evaluate("self.same")
    page.wait_for_function("() => CSS.highlights.get('verbatim-search')?.size")
    assert marked(page) == ["strides"]
    assert page.locator("#far-away").bounding_box()["y"] < 800


def test_enter_waits_for_the_results(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "strides")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}en/topic/leaf/#far-away")


# -- While it loads -------------------------------------------------------------------------------


DIALOG = "**/search/dialog.js*"


@pytest.fixture
def held(page: Page) -> Callable[[], None]:
    """Keep the dialog from coming until this is called."""
    routes: list[Route] = []
    page.route(DIALOG, lambda route: routes.append(route))  # Playwright takes no builtin

    def come() -> None:
        expect(page.get_by_role("dialog", include_hidden=True)).not_to_be_attached()
        for route in routes:
            route.continue_()
        page.unroute(DIALOG)

    return come


def test_keys_typed_while_the_dialog_loads_are_kept(page: Page, base: str, held):
    page.goto(f"{base}en/")
    page.keyboard.press("/")
    page.keyboard.type("strides")
    held()
    expect(page.get_by_role("dialog")).to_be_visible()
    expect(field(page)).to_have_value("strides")
    expect(field(page)).to_be_focused()
    expect(options(page).first).to_contain_text("The end")
    page.keyboard.type("x")
    expect(field(page)).to_have_value("stridesx")
    assert page.locator("body > input:not([type])").count() == 0
    page.keyboard.press("Escape")
    page.wait_for_function("document.activeElement === document.body")  # the dialog closes a moment later


def test_enter_typed_while_the_dialog_loads_opens_the_first_result(page: Page, base: str, held):
    page.goto(f"{base}en/")
    page.keyboard.press("/")
    page.keyboard.type("strides\n")
    held()
    page.wait_for_url(f"{base}en/topic/leaf/#far-away")


def test_an_input_method_that_writes_while_the_dialog_loads_is_left_to_finish(page: Page, base: str, held):
    page.goto(base)
    page.keyboard.press("/")
    page.evaluate(
        """() => {
            const early = document.activeElement;
            early.dispatchEvent(new CompositionEvent("compositionstart"));
            early.value = "ju zhen";
        }"""
    )
    held()
    expect(page.get_by_role("dialog", include_hidden=True)).to_be_attached()
    expect(page.get_by_role("dialog")).not_to_be_visible()
    page.evaluate(
        """() => {
            const early = document.activeElement;
            early.value = "矩阵";
            early.dispatchEvent(new CompositionEvent("compositionend"));
        }"""
    )
    expect(field(page)).to_have_value("矩阵")
    expect(options(page).first).to_contain_text("矩阵乘法")


# -- The home page's own field --------------------------------------------------------------------


@pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])
def test_what_is_written_into_the_home_pages_field_is_searched_for(page: Page, base: str, prefix: str):
    page.goto(base + prefix)
    own = page.locator(".home input[type=search]")
    own.focus()
    page.keyboard.type("leaf")
    expect(field(page)).to_have_value("leaf")
    expect(field(page)).to_be_focused()
    expect(options(page).first).to_contain_text("叶子" if not prefix else "Leaf")
    page.keyboard.press("Escape")
    expect(own).to_be_focused()
    expect(own).to_have_value("")


def test_the_home_pages_field_loses_no_key_and_no_enter(page: Page, base: str, held):
    page.goto(f"{base}en/")
    page.locator(".home input").focus()
    page.keyboard.type("strides\n")
    held()
    page.wait_for_url(f"{base}en/topic/leaf/#far-away")


def test_what_is_written_before_the_script_is_there_is_searched_for_too(page: Page, base: str):
    held: list = []
    page.route("**/search/open.js*", lambda route: held.append(route))
    page.goto(f"{base}en/", wait_until="commit")
    page.locator(".home input").press_sequentially("leaf")
    expect(page.get_by_role("dialog")).not_to_be_attached()
    held[0].continue_()
    expect(field(page)).to_have_value("leaf")


def test_an_input_method_in_the_home_pages_field_is_left_to_finish(page: Page, base: str, held):
    page.goto(base)
    page.locator(".home input").focus()
    page.evaluate(
        """() => {
            const own = document.activeElement;
            own.dispatchEvent(new CompositionEvent("compositionstart"));
            own.value = "ju zhen";
            own.dispatchEvent(new InputEvent("input", { bubbles: true, isComposing: true }));
        }"""
    )
    held()
    expect(page.get_by_role("dialog", include_hidden=True)).to_be_attached()
    expect(page.get_by_role("dialog")).not_to_be_visible()
    page.evaluate(
        """() => {
            const own = document.querySelector(".home input");
            own.value = "矩阵";
            own.dispatchEvent(new CompositionEvent("compositionend"));
        }"""
    )
    expect(field(page)).to_have_value("矩阵")


def test_enter_in_the_home_pages_empty_field_offers_questions(page: Page, base: str):
    page.goto(f"{base}en/")
    page.locator(".home input").press("Enter")
    expect(page.get_by_role("option", name="Who gets a .grad?")).to_be_visible()


def test_the_home_pages_field_is_not_shown_where_it_can_do_nothing(windows: Windows, base: str):
    page = windows.lend(1280, 800, java_script_enabled=False).page
    page.goto(base)
    assert page.locator(".home input").count() == 1
    expect(page.locator(".home input")).to_be_hidden()


def test_a_line_of_an_output_begins_without_the_space_before_it(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "attributes MulBackward0")
    assert page.locator(".vs-outputs code").first.text_content().startswith("attributes")


def test_the_dialogs_style_does_not_wait_for_its_script(page: Page, base: str):
    page.route("**/dialog.js*", lambda route: None)
    page.goto(base)
    page.wait_for_function("() => !!self.verbatimSearch")
    with page.expect_request("**/dialog.css*"):
        page.keyboard.press("/")


# -- The page that is missing ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "said", "address"),
    [
        ("topic/leaf-tensor/", "也许是这几页", "topic/leaf/"),
        ("en/topic/matrix.html", "Perhaps one of these", "en/topic/mm/"),
    ],
)
def test_a_missing_page_suggests_the_nearest(page: Page, base: str, path: str, said: str, address: str):
    page.goto(base + path)
    expect(page.locator(".nearest a").first).to_be_visible()
    assert base + address in page.locator(".nearest a").evaluate_all("links => links.map(a => a.href)")
    assert said in page.locator(".nearest").inner_text()
    assert page.locator(".nearest p:visible").count() == 1


@pytest.mark.parametrize(
    ("path", "said"), [("qqqqqqqq/", "没有与这个地址相近"), ("en/qqqqqqqq/", "No page of the book is near")]
)
def test_a_missing_page_that_is_like_no_other_says_so(page: Page, base: str, path: str, said: str):
    page.goto(base + path)
    expect(page.locator(".nearest p:visible")).to_contain_text(said)
    assert page.locator(".nearest :visible").count() == 1


@pytest.mark.parametrize("path", ["en///example.org/x", "en/data:text/html,x", "en//example.org", "%E0%A4%A/leaf/"])
def test_a_missing_page_asks_no_other_host_whatever_the_address_says(seen: Visit, base: str, path: str):
    seen.page.goto(base + path)
    seen.page.wait_for_function("() => self.verbatimSearch?.arrived.index")
    assert all(url.startswith(base) for url in seen.requests)
    assert not [text for text in seen.complaints if "Content Security" in text or "policy" in text] + seen.errors


def test_a_search_result_with_a_malformed_address_is_shown(page: Page, base: str):
    page.goto(f"{base}topic/leaf/?h=leaf#%E0%A4%A")
    page.wait_for_function("() => self.verbatimSearch?.mark")  # what scripts raise `seen` tells


@pytest.fixture(scope="session")
def halved(site: Path, tmp_path_factory: pytest.TempPathFactory, serve) -> str:
    """The site with one page in English alone, and one in Chinese alone."""
    folder = tmp_path_factory.mktemp("halved") / "site"
    shutil.copytree(site, folder)
    for name in ("topic/leaf", "en/topic/mm"):
        (folder / name / "index.html").unlink()
        (folder / name).rename(folder / f"{name}-was")
    return serve(folder)


@pytest.mark.parametrize(
    ("path", "leads", "said"),
    [
        ("topic/leaf/", "en/topic/leaf/", "English"),
        ("en/topic/mm/", "topic/mm/", "中文"),
        ("en/topic/mm/index.html", "topic/mm/index.html", "中文"),
        ("nowhere/", "en/", "English"),
        ("en/nowhere/", r"(?:\./?)?", "中文"),
    ],
)
def test_a_missing_pages_switch_leads_to_the_same_page_where_the_other_language_has_it(page, halved, path, leads, said):
    with page.expect_response(lambda answer: answer.request.method == "HEAD"):
        page.goto(halved + path)
    expect(page.locator(".switch")).to_have_attribute("href", re.compile(rf"^(?:{halved}|/){leads}$"))
    expect(page.locator(".switch")).to_have_text(said)
    expect(page.locator(".switch")).to_have_attribute("lang", "zh" if said == "中文" else "en")


def test_without_scripts_a_missing_pages_switch_leads_home(windows: Windows, halved: str):
    page = windows.lend(1280, 800, java_script_enabled=False).page
    page.goto(f"{halved}topic/leaf/")
    expect(page.locator(".switch")).to_have_attribute("href", "/en/")


# -- Before anything is typed ---------------------------------------------------------------------


def test_the_home_pages_questions_are_offered_and_opened_with_the_keyboard(page: Page, base: str):
    page.goto(f"{base}en/topic/mm/")
    look_for(page, "")
    group = page.get_by_role("group", name="Questions that many ask")
    expect(group.get_by_role("option")).to_have_text(["Who gets a .grad?", "Why must inner sizes be equal?"])
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}en/topic/leaf/")


def test_recent_searches_are_offered_and_forgotten(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "strides")
    expect(options(page).first).to_contain_text("The end")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}en/topic/leaf/#far-away")
    page.goto(f"{base}en/topic/mm/")
    look_for(page, "")
    recent = page.get_by_role("group", name="Recent searches")
    expect(recent.get_by_role("option")).to_have_text(["strides", "Clear recent searches"])
    recent.get_by_role("option", name="strides").click()
    expect(field(page)).to_have_value("strides")
    expect(options(page).first).to_contain_text("The end")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    recent.get_by_role("option", name="Clear").click()
    expect(recent).to_have_count(0)
    assert page.evaluate("localStorage.getItem('verbatim-search')") is None


def test_what_is_kept_of_recent_searches_may_be_anything(page: Page, base: str):
    page.goto(f"{base}en/")
    for kept in ("{", '{"a": 1}', "[1, null]"):
        page.evaluate("kept => localStorage.setItem('verbatim-search', kept)", kept)
        page.reload()
        look_for(page, "")
        expect(page.get_by_role("group")).to_have_count(1)


# -- What is found --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("start", "query", "address"),
    [
        ("", "mat1 and mat2 shapes cannot be multiplied (64x512 and 784x10)", "topic/mm/#mm-inner-sizes"),
        ("en/", "mat1 and mat2 shapes cannot be multiplied (64x512 and 784x10)", "en/topic/mm/#mm-inner-sizes"),
        ("", "梯度为None", "topic/leaf/"),
        ("", "矩阵乘法怎么用", "topic/mm/"),
        ("", "is_le", "topic/leaf/#leaf-and-grad-fn"),
        ("en/", "torch.mm", "en/topic/mm/"),
        ("en/", "What is a leaf tensor?", "en/topic/leaf/"),
        ("en/", "retian_graph", "en/topic/leaf/#leaf-and-grad-fn"),
        ("en/", "leaf retian_graph", "en/topic/leaf/#leaf-and-grad-fn"),
        ("", "中间节点", "topic/leaf/"),
    ],
)
def test_the_first_result(page: Page, base: str, start: str, query: str, address: str):
    page.goto(base + start)
    look_for(page, query)
    href = options(page).first.get_attribute("href")
    assert re.sub(r"\?h=[^#]*", "", href).removesuffix("#") == base + address


def test_each_language_finds_its_own_pages(page: Page, base: str):
    for start, other in (("", "/en/"), ("en/", None)):
        page.goto(base + start)
        look_for(page, "torch")
        expect(options(page).first).to_be_visible()
        found = [option.get_attribute("href") for option in options(page).all()]
        assert all(("/en/" in href) == (other is None) for href in found)


def test_how_many_is_announced_and_nothing_is_said_plainly(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "strides are the matter")
    expect(page.get_by_role("status")).to_have_text("1 section found")
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("qqqq")
    expect(page.get_by_role("status")).to_have_text("Nothing found for “qqqq”")
    expect(options(page)).to_have_count(0)
    expect(field(page)).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Control+a")
    page.keyboard.press("Delete")
    expect(page.get_by_role("status")).to_have_text("")


def test_where_nothing_fits_it_says_so_and_offers_to_suggest_the_topic(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "leaf springs of kubernetes recommenders")
    expect(page.get_by_role("status")).to_contain_text("Nothing fits well")
    expect(options(page).first).to_contain_text("Leaf tensors")
    link = page.get_by_role("link", name="Suggest this topic")
    expect(link).to_have_attribute(
        "href", re.compile(r"/issues/new\?template=missing-topic\.yml&search=leaf\+springs\+of\+kubernetes")
    )
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("leaf tensors")
    expect(page.get_by_role("status")).to_contain_text("found")
    expect(link).to_have_count(0)
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("qqqq")
    expect(link).to_have_attribute("href", re.compile(r"search=qqqq$"))


def test_doubt_alone_is_told_below_the_results(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "leaf tensors")
    expect(options(page).first).to_contain_text("Leaf tensors")
    page.evaluate("""() => {
        const { find } = verbatimSearch;
        verbatimSearch.find = async (...asked) => ({ ...(await find(...asked)), fits: false, strange: false });
    }""")
    page.keyboard.insert_text(" and")
    expect(page.locator(".vs-results + .vs-note")).to_contain_text("None of these?")
    expect(page.locator(".vs-note").get_by_role("link", name="Suggest this topic")).to_be_visible()
    expect(page.get_by_role("status")).to_contain_text("found")


def test_the_form_that_suggests_a_topic_takes_the_query():
    form = (ROOT / ".github/ISSUE_TEMPLATE/missing-topic.yml").read_text(encoding="utf-8")
    assert "id: search" in form


def test_a_pasted_traceback_is_cut_to_its_message(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "")
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3\nRuntimeError: mat1 and mat2 shapes'
    page.evaluate(
        """trace => {
            const data = new DataTransfer();
            data.setData("text/plain", trace);
            const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
            document.activeElement.dispatchEvent(event);
        }""",
        trace,
    )
    expect(field(page)).to_have_value("RuntimeError: mat1 and mat2 shapes")
    expect(options(page).first).to_contain_text("The inner sizes differ")


PASTE = """trace => {
    const data = new DataTransfer();
    data.setData("text/plain", trace);
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
}"""


def test_of_a_pasted_chain_the_error_that_a_page_shows_comes_first(page: Page, base: str):
    known = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x512 and 10x7)"
    begins = 'Traceback (most recent call last):\n  File "a.py", line 3\n'
    link = "\n\nDuring handling of the above exception, another exception occurred:\n\n"
    page.goto(f"{base}en/")
    look_for(page, "")
    page.evaluate(PASTE, f"{begins}{known}{link}{begins}wandb.errors.CommError: the run was not saved")
    expect(field(page)).to_have_value("wandb.errors.CommError: the run was not saved")
    expect(options(page).first.locator(".vs-remedy")).to_have_text("Make them equal.")
    expect(page.locator(".vs-note")).to_be_hidden()


def test_a_message_of_the_book_comes_first_with_its_remedy(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x512 and 10x7)")
    expect(options(page).first).to_contain_text("The inner sizes differ")
    expect(options(page).first.locator(".vs-remedy")).to_have_text("Make them equal.")
    expect(page.locator(".vs-note")).to_be_hidden()


def test_a_message_that_no_page_shows_is_told_above_the_nearest(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "RuntimeError: istft window overlap add min of the inner sizes: 1")
    expect(page.locator(".vs-note")).to_contain_text("No page shows this message")
    expect(page.get_by_role("status")).to_contain_text("No page shows this message")


def test_where_no_section_is_near_a_message_of_pythons_own_that_alone_is_told(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "SyntaxError: unterminated string literal (detected at line 3)")
    expect(page.locator(".vs-note")).to_have_text("Python itself says this, not PyTorch, and no page shows it.")
    expect(page.get_by_role("status")).to_contain_text("Python itself says this")
    expect(options(page)).to_have_count(0)


def test_nothing_of_a_readers_files_is_kept_or_sent(page: Page, base: str):
    trace = (
        'Traceback (most recent call last):\n  File "/home/bob/secret/a.py", line 3, in <module>\n    left @ left\n'
        "torch._dynamo.exc.Unsupported: mat1 and mat2 shapes of /home/bob/secret/b.png"
    )
    page.goto(f"{base}en/")
    look_for(page, "")
    page.evaluate(PASTE, trace)
    expect(field(page)).to_have_value(re.compile("^torch._dynamo.exc.Unsupported: mat1 and mat2"))
    expect(options(page).first).to_be_visible()
    options(page).first.evaluate("link => link.addEventListener('click', (event) => event.preventDefault())")
    options(page).first.click()
    kept = page.evaluate("JSON.stringify(localStorage)") + options(page).first.get_attribute("href")
    assert "Unsupported" in kept
    assert "secret" not in kept + page.locator(".vs-dialog").inner_html() + field(page).input_value()


def test_a_traceback_pasted_into_the_home_pages_field_is_cut_to_its_message(page: Page, base: str):
    page.goto(f"{base}en/")
    page.locator(".home input").focus()
    trace = (
        'Traceback (most recent call last):\n  File "/home/bob/secret/a.py", line 3\nRuntimeError: mat1 and mat2 shapes'
    )
    page.evaluate(PASTE, trace)
    expect(field(page)).to_have_value("RuntimeError: mat1 and mat2 shapes")
    expect(options(page).first).to_contain_text("The inner sizes differ")
    assert "secret" not in page.locator(".vs-dialog").inner_html() + page.locator(".home input").input_value()


def test_no_path_of_a_question_is_kept_or_sent(page: Page, base: str):
    page.goto(f"{base}en/")
    look_for(page, "leaf kubernetes of /home/bob/secret/a.pt")
    expect(page.get_by_role("link", name="Suggest this topic")).to_have_attribute("href", re.compile("search=leaf"))
    assert "secret" not in page.locator(".vs-dialog").inner_html()
    options(page).first.evaluate("link => link.addEventListener('click', (event) => event.preventDefault())")
    options(page).first.click()
    kept = page.evaluate("JSON.stringify(localStorage)")
    assert "kubernetes" in kept and "secret" not in kept


MESSAGE = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x512 and 10x7)"


@pytest.mark.parametrize(
    "text",
    [MESSAGE, f'Traceback (most recent call last): File "/home/bob/a.py", line 3, in <module> left @ left {MESSAGE}'],
    ids=["message", "traceback"],
)
def test_a_message_pasted_into_the_filter_leaves_the_one_that_it_is(page: Page, base: str, text: str):
    page.goto(f"{base}en/errors/")
    found = page.locator(".filter ~ ul > li")
    count = found.count()
    page.locator(".filter input").fill(text)
    expect(found.locator("visible=true")).to_have_count(1)
    assert count > 1
    expect(found.locator("visible=true")).to_contain_text("mat1 and mat2 shapes")
    expect(page.locator(".filter input")).to_have_value(MESSAGE)  # and nothing of a reader's files
    page.locator(".filter input").fill("RuntimeError: istft window overlap add min: 1 ")
    expect(page.locator(".filter input")).to_have_value(
        "RuntimeError: istft window overlap add min: 1 "
    )  # still typing
    expect(found.locator("visible=true")).to_have_count(0)


@pytest.mark.parametrize("prefix", ["", "en/"], ids=["zh", "en"])
def test_the_list_of_messages_begins_with_a_field_to_paste_one_into(page: Page, base: str, prefix: str):
    page.goto(f"{base}{prefix}errors/")
    own = page.locator("article [data-search] textarea")
    assert "traceback" in own.get_attribute("placeholder")
    assert own.bounding_box()["y"] < page.locator(".filter").bounding_box()["y"]
    own.focus()
    page.keyboard.insert_text(MESSAGE)
    expect(field(page)).to_have_value(MESSAGE)
    expect(options(page).first).to_contain_text("mat1 and mat2")
    page.goto(f"{base}{prefix}topic/leaf/")
    assert not page.locator("article [data-search]").count()


def test_input_methods_are_left_to_finish(page: Page, base: str):
    page.goto(base)
    look_for(page, "")
    page.evaluate(
        """async () => {
            await verbatimSearch.prepare();
            const { find } = verbatimSearch;
            self.asked = [];
            verbatimSearch.find = (query, ...rest) => (asked.push(query), find(query, ...rest));
            const field = document.activeElement;
            field.dispatchEvent(new CompositionEvent("compositionstart"));
            field.value = "ju zhen";
            field.dispatchEvent(new InputEvent("input", { isComposing: true }));
        }"""
    )
    page.evaluate(
        """() => {
            const field = document.activeElement;
            field.value = "矩阵";
            field.dispatchEvent(new CompositionEvent("compositionend", { data: "矩阵" }));
        }"""
    )
    expect(options(page).first).to_contain_text("矩阵乘法")
    assert page.evaluate("asked") == ["矩阵"]


# -- Where it works -------------------------------------------------------------------------------


def test_below_a_path(page: Page, site: Path, serve):
    base = serve(site, "/repo/")
    page.goto(f"{base}en/topic/mm/")
    look_for(page, "strides")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{base}en/topic/leaf/#far-away")


def test_from_a_folder_without_a_server(page: Page, site: Path):
    page.goto((site / "en/index.html").as_uri())
    look_for(page, "strides")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/en/topic/leaf/index\.html\?h=strides#far-away$"))
    page.wait_for_function("() => CSS.highlights.get('verbatim-search')?.size")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_it_fills_the_screen(windows: Windows, base: str, scheme):
    page = windows.lend(390, 800, color_scheme=scheme, has_touch=True).page
    page.goto(f"{base}topic/mm/")
    page.locator("[data-search-open]").tap()
    expect(field(page)).to_be_focused()
    page.keyboard.insert_text("mat1 and mat2 shapes cannot be multiplied")
    expect(options(page).first).to_be_visible()
    box = page.get_by_role("dialog").bounding_box()
    assert (box["x"], box["y"], box["width"], box["height"]) == (0, 0, 390, 800)
    assert page.evaluate("document.querySelector('dialog').scrollWidth") <= 390
    assert field(page).evaluate("field => parseFloat(getComputedStyle(field).fontSize)") >= 16


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    ("start", "query"), [("", "矩阵乘法"), ("en/", "mat1 and mat2"), ("en/", "leaf qqqq xxxx"), ("", "")]
)
def test_axe_finds_nothing(windows: Windows, base: str, scheme, width, start, query):
    page = windows.lend(width, 800, color_scheme=scheme).page
    page.goto(base + start)
    look_for(page, query)
    expect(options(page).first if query else page.get_by_role("option").first).to_be_visible()
    found = Axe().run(page).response["violations"]
    told = [(rule["id"], [node["html"][:160] for node in rule["nodes"]]) for rule in found]
    assert told == []


def test_the_policy_forbids_nothing_that_the_search_does(page: Page, base: str):
    page.add_init_script(
        "addEventListener('securitypolicyviolation', (e) => (self.forbidden ??= []).push(e.blockedURI))"
    )
    page.goto(f"{base}topic/leaf/")
    look_for(page, "步幅")
    expect(options(page).first).to_be_visible()
    assert page.evaluate("self.forbidden") is None
    page.keyboard.press("Enter")
    page.wait_for_function("() => CSS.highlights.get('verbatim-search')?.size")
    assert page.evaluate("self.forbidden") is None


def test_a_site_published_meanwhile_is_found_as_it_is_now(page: Page, site: Path, serve, tmp_path: Path):
    copy = tmp_path / "site"
    shutil.copytree(site, copy)
    page.goto(f"{serve(copy)}en/")
    with page.expect_response("**/en/index.js"):
        look_for(page, "")
    new = written.page("# Newly written\n\nAbout contiguous memory.", "en/new/")
    shutil.rmtree(copy / "assets/search/en")
    (copy / "assets/search/en").mkdir()
    for name, text in index.files([new]).items():
        (copy / "assets/search/en" / name).write_text(text)
    page.keyboard.insert_text("contiguous")
    expect(options(page).first).to_contain_text("Newly written")


def test_without_a_network_it_says_so_and_recovers(page: Page, base: str):
    page.route("**/en/index.js", lambda route: route.abort())  # before the page, which may fetch it at once
    page.goto(f"{base}en/")
    look_for(page, "strides")
    expect(page.get_by_role("status")).to_contain_text("did not load")
    page.unroute("**/en/index.js")
    page.keyboard.insert_text(" ")
    expect(options(page).first).to_contain_text("The end")


def test_what_the_first_result_takes_is_measured_beside_another_site(windows: Windows, base: str):
    pages = [windows.lend(1280, 800).page for _ in range(2)]
    for page in pages:
        page.goto(f"{base}en/")
    found = latency.waits(pages, ["leaf", "matrix product"])
    assert len(found) == 2 and all(wait > 0 for pair in found for wait in pair)
    assert latency.ratio([(2, 1), (9, 3), (40, 10)]) == 3


@pytest.mark.parametrize("language", ["zh", "en"])
def test_queries_that_are_timed_are_spread_over_the_lists(language: str):
    asked = latency.queries(language, 24)
    assert len(set(asked)) == 24
