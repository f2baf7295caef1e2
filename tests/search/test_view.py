"""A traceback that is pasted into the list of messages is shown there, beside the section about it."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.windows import Visit, Windows
from tests.search.test_dialog import MESSAGE, PASTE

TORCH = "/opt/env/lib/python3.11/site-packages/torch/nn/modules"
TRACE = f"""Traceback (most recent call last):
  File "/home/bob/secret/train.py", line 12, in <module>
    step(batch)
  File "{TORCH}/module.py", line 1751, in _wrapped_call_impl
    return self._call_impl(*args, **kwargs)
  File "{TORCH}/linear.py", line 125, in forward
    return F.linear(input, self.weight, self.bias)
{MESSAGE}"""
FOREIGN = """Traceback (most recent call last):
  File "/home/bob/secret/train.py", line 20, in <module>
    run.finish()
wandb.errors.CommError: the run was not saved"""
UNKNOWN = TRACE.replace(MESSAGE, "RuntimeError: istft window overlap of the inner sizes: 1 /home/bob/secret/a.wav")
LISTS = {"zh": "errors/", "en": "en/errors/"}


def paste(page: Page, text: str) -> None:
    """Paste a text into the page's own field."""
    page.locator("[data-traceback] textarea").focus()
    page.evaluate(PASTE, text)


def shown(page: Page):
    return page.locator(".trace")


@pytest.mark.parametrize("language", LISTS)
def test_own_frames_are_marked_and_those_of_torch_are_folded_beside_the_section(seen: Visit, base: str, language: str):
    page = seen.page
    page.goto(base + LISTS[language])
    assert not any(name in url for url in seen.requests for name in ("traceback.js", "view.js", "view.css"))
    paste(page, TRACE)
    own = shown(page).locator(".trace-own")
    expect(own).to_have_count(1)
    expect(own).to_contain_text("train.py:12")
    expect(own.locator("code")).to_have_text("step(batch)")
    fold = shown(page).locator("details")
    expect(fold.locator("summary")).to_have_text("2 frames of torch" if language == "en" else "torch：2 层")
    expect(fold.get_by_text("linear.py")).to_be_hidden()
    fold.locator("summary").click()
    expect(fold.get_by_text("linear.py")).to_be_visible()
    said = shown(page).locator(".trace-message")
    expect(said).to_contain_text(MESSAGE.partition(": ")[2])
    sizes = [
        page.locator(one).first.evaluate("e => parseFloat(getComputedStyle(e).fontSize)")
        for one in (".trace-message code", ".trace-own code")
    ]
    assert sizes[0] > 1.15 * sizes[1]
    link = shown(page).locator("a.vs-result")
    expect(link).to_contain_text("The inner sizes differ" if language == "en" else "内侧")
    expect(link.locator(".vs-remedy")).to_have_text("Make them equal." if language == "en" else re.compile("。$"))
    assert link.bounding_box()["x"] > own.bounding_box()["x"] + own.bounding_box()["width"]  # beside
    link.click()
    page.wait_for_url(re.compile("/topic/mm/#"))
    assert seen.complaints == []


def test_nothing_of_it_is_kept_or_sent(seen: Visit, base: str):
    page = seen.page
    page.goto(f"{base}en/errors/")
    address = page.url
    paste(page, UNKNOWN)
    expect(shown(page).locator(".trace-section")).to_contain_text("No page shows this message")
    expect(page).to_have_url(address)
    assert page.locator("[data-traceback] textarea").input_value() == ""
    kept = page.evaluate("JSON.stringify([{ ...localStorage }, { ...sessionStorage }])")
    assert "secret" not in kept + " ".join(seen.requests)
    assert all(url.startswith(base) for url in seen.requests)
    for link in shown(page).locator("a").all():
        assert "secret" not in link.get_attribute("href")


def test_of_a_chain_the_error_that_the_book_has_counts(page: Page, base: str):
    page.goto(f"{base}en/errors/")
    paste(page, f"{TRACE}\n\nDuring handling of the above exception, another exception occurred:\n\n{FOREIGN}")
    expect(shown(page).locator(".vs-remedy")).to_have_text("Make them equal.")
    expect(shown(page).locator(".trace-message")).to_contain_text("mat1 and mat2")
    errors = shown(page).locator(".trace-error")
    expect(errors).to_have_count(2)
    expect(errors.nth(0)).to_have_attribute("open", "")
    expect(errors.nth(0).locator(".trace-chosen")).to_have_text("The book explains this one")
    expect(shown(page).locator(".trace-link")).to_have_text("While this one was handled, the next came:")
    expect(errors.nth(1).get_by_text("run.finish()")).to_be_hidden()
    errors.nth(1).locator("summary").first.click()
    expect(errors.nth(1).get_by_text("run.finish()")).to_be_visible()
    paste(page, f"{TRACE}\n\nThe above exception was the direct cause of the following exception:\n\n{FOREIGN}")
    expect(shown(page).locator(".trace-link")).to_have_text("This one caused the next:")
    expect(shown(page)).to_have_count(1)


@pytest.mark.parametrize("language", LISTS)
def test_of_a_group_each_error_has_its_frames_and_the_one_that_the_book_has_is_open(
    page: Page, base: str, language: str
):
    members = "\n".join(
        f"  +-+---------------- {number} ----------------\n{re.sub('^', '    | ', error, flags=re.M)}"
        for number, error in enumerate([TRACE, FOREIGN], 1)
    )
    head = "  + Exception Group Traceback (most recent call last):\n"
    raised = '  |   File "/home/bob/secret/train.py", line 30, in <module>\n  |     raise ExceptionGroup("workers", errors)\n'
    said = "  | ExceptionGroup: workers (2 sub-exceptions)\n"
    text = f"{head}{raised}{said}{members}\n    +------------------------------------"
    page.goto(base + LISTS[language])
    paste(page, re.sub("^", "> ", text, flags=re.M))  # as a chat quotes it
    expect(shown(page).locator(".vs-remedy")).to_be_visible()
    expect(shown(page).locator(".trace-message")).to_contain_text("mat1 and mat2")
    expect(shown(page).locator(".trace-link")).to_have_text(
        ["In this group:" if language == "en" else "这组异常里的："]
    )
    errors = shown(page).locator(".trace-error")
    expect(errors).to_have_count(3)
    expect(errors.nth(1)).to_have_attribute("open", "")
    expect(errors.nth(1).locator(".trace-own")).to_contain_text("train.py:12")


def test_what_launchers_write_before_each_line_is_no_part_of_it(page: Page, base: str):
    page.goto(f"{base}en/errors/")
    both = f"{TRACE}\n\nDuring handling of the above exception, another exception occurred:\n\n{FOREIGN}"
    paste(page, re.sub("^", "[rank1]: ", both, flags=re.M))
    expect(shown(page).locator(".vs-remedy")).to_have_text("Make them equal.")
    expect(shown(page).locator(".trace-own").first).to_contain_text("train.py:12")


def test_what_notes_say_below_a_message_does_not_matter_and_processes_that_fail_alike_are_told_of_once(
    page: Page, base: str
):
    page.goto(f"{base}en/errors/")
    noted = f"{TRACE}\nepoch 3 of 90, batch 17 of 1200, learning rate 0.0001\nconfiguration: secret/experiment.yaml"
    ranks = "\n".join(re.sub("^", f"[rank{rank}]: ", noted, flags=re.M) for rank in range(4))
    paste(
        page, f"{ranks}\n\n{FOREIGN}\n\nDuring handling of the above exception, another exception occurred:\n\n{noted}"
    )
    expect(shown(page).locator(".vs-remedy")).to_have_text("Make them equal.")
    expect(shown(page).locator(".trace-error > summary")).to_have_count(3)
    expect(shown(page).locator(".trace-message")).to_contain_text("epoch 3 of 90")


def test_the_summary_of_a_launcher_is_a_message(page: Page, base: str):
    page.goto(f"{base}en/errors/")
    paste(page, "torch.distributed.elastic.multiprocessing.errors.ChildFailedError: \n====\ntrain.py FAILED\n----")
    expect(shown(page).locator(".trace-message")).to_contain_text("train.py FAILED")


def test_of_a_message_that_no_page_shows_the_nearest_sections_are_named(page: Page, base: str):
    page.goto(f"{base}en/errors/")
    paste(page, UNKNOWN)
    section = shown(page).locator(".trace-section")
    expect(section).to_contain_text("No page shows this message")
    expect(section.locator("a.vs-result").first).to_be_visible()
    expect(section.get_by_role("link", name="Suggest this topic")).to_have_attribute(
        "href", re.compile("search=RuntimeError")
    )
    expect(section.locator(".vs-remedy")).to_have_count(0)


@pytest.mark.parametrize("language", LISTS)
def test_an_error_of_pythons_own_is_said_to_be_that_and_no_section_stands_beside_it(
    page: Page, base: str, language: str
):
    page.goto(base + LISTS[language])
    paste(page, '  File "/home/me/train.py", line 3\n    if x = 1:\n       ^^^^^\nSyntaxError: invalid syntax')
    section = shown(page).locator(".trace-section")
    expect(section).to_contain_text("Python itself says this" if language == "en" else "这是 Python 自己的报错")
    expect(section.locator("a")).to_have_count(0)


def test_a_message_alone_has_no_frames_and_a_question_is_searched_for(page: Page, base: str):
    page.goto(f"{base}en/errors/")
    paste(page, MESSAGE)
    expect(shown(page).locator(".vs-remedy")).to_have_text("Make them equal.")
    assert not shown(page).locator(".trace-errors").count()
    paste(page, "strides")
    expect(page.get_by_role("combobox")).to_have_value("strides")


def test_a_text_that_is_dropped_is_shown_too(page: Page, base: str):
    page.goto(f"{base}en/errors/")
    page.locator("[data-traceback] textarea").fill(
        TRACE
    )  # as a keyboard puts it there that does not say that it pastes
    expect(shown(page).locator(".vs-remedy")).to_have_text("Make them equal.")
    expect(page.locator("[data-traceback] textarea")).to_have_value("")


def test_it_is_cleared_and_the_field_takes_another(page: Page, base: str):
    page.goto(f"{base}en/errors/")
    paste(page, TRACE)
    shown(page).get_by_role("button", name="Clear").click()
    expect(shown(page)).to_have_count(0)
    expect(page.locator("[data-traceback] textarea")).to_be_focused()
    paste(page, MESSAGE)
    expect(shown(page)).to_have_count(1)


def test_where_the_index_does_not_load_the_traceback_is_there_all_the_same(page: Page, base: str):
    page.route("**/en/index.js*", lambda route: route.abort())
    page.goto(f"{base}en/errors/")
    paste(page, TRACE)
    expect(shown(page).locator(".trace-status")).to_contain_text("did not load")
    expect(shown(page).locator(".trace-own")).to_have_count(1)


def test_in_a_folder_too(page: Page, site):
    page.goto((site / "en/errors/index.html").as_uri())
    paste(page, TRACE)
    expect(shown(page).locator(".vs-remedy")).to_have_text("Make them equal.")
    assert shown(page).locator("a.vs-result").get_attribute("href").partition("?")[0].endswith("topic/mm/index.html")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_it_fits_a_phone_and_breaks_no_rule_of_axe(windows: Windows, base: str, scheme: str, width: int):
    page = windows.lend(width, 800, color_scheme=scheme, has_touch=width < 500).page
    page.goto(f"{base}en/errors/")
    long = TRACE.replace("step(batch)", "step(" + "batch_of_the_day, " * 12 + ")")
    paste(page, f"{long}\n\nDuring handling of the above exception, another exception occurred:\n\n{FOREIGN}")
    expect(shown(page).locator(".vs-remedy")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    section, frames = (shown(page).locator(one).bounding_box() for one in (".trace-section", ".trace-errors"))
    assert section["y"] < frames["y"] if width < 500 else section["y"] == frames["y"]
    found = Axe().run(page, options={"rules": {"target-size": {"enabled": True}}})
    assert found.violations_count == 0, found.generate_report()
