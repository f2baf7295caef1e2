"""What an upgrade changes for code that a reader pastes: told in the page, and sent nowhere."""

from __future__ import annotations

import shutil
from pathlib import Path
from urllib.parse import urlsplit

import material
import pytest
import rjsmin
from playwright.sync_api import expect

from tests.browser.miniature import ROOT, WIDTHS
from verbatim.lists import changes
from verbatim.site.downloads import upgrades
from verbatim.site.downloads.differences import BREAKING_KINDS, DIFFERENCE_KINDS, MESSAGE_KINDS, MOST_LINES
from verbatim.words import UPGRADE

CODE = (
    "import torch\ntorch.load(secret)\ntorch.load(secret, weights_only=True)\ntorch.nothing_known(secret)\ntorch.gone\n"
)
LONG = [
    f"+line {number} of many, which is so long that it is wider than any phone that a reader may have"
    for number in range(MOST_LINES + 3)
]


def data(language: str) -> dict:
    """Data of three releases."""

    def prints(release: str, text: str) -> dict:
        raises = "Error" in text
        messages = text.splitlines()[:1] if raises else []
        return {
            "releases": [release],
            "absent": False,
            "text": text,
            "messages": messages,
            "raises": raises,
            "deprecates": [],
            "removes": [],
        }

    address = "" if language == "zh" else "en/"
    said = "\n".join(["UnpicklingError: no", *LONG])
    releases = ["1.13.1", "2.4.1", "2.13.0"]
    cell = upgrades.steps([prints("1.13.1", "loaded"), prints("2.4.1", "loaded"), prints("2.13.0", said)], releases)
    return {
        "releases": releases, "moved": {}, "kinds": DIFFERENCE_KINDS, "breaks": BREAKING_KINDS, "told": MESSAGE_KINDS, "most": MOST_LINES,
        "names": {"torch.load": [], "torch.gone": ["2.13.0"]},
        "cells": [{"names": ["torch.load"], "place": [f"{address}a/#s", "Load & save\nNo <b>"], "settles": ["weights_only"], **cell}],
    }  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory, serve) -> str:
    """The address of a folder with the form on a page, its scripts as a build makes them, and data."""
    folder = tmp_path_factory.mktemp("own-code")
    for name in ("page.js", "search/open.js", *(f"changes/{one}.js" for one in ("names", "between", "form"))):
        path = folder / "assets" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(rjsmin.jsmin((ROOT / "docs/assets" / name).read_text(encoding="utf-8")), encoding="utf-8")
    theme = Path(material.__file__).parent / "templates/assets/stylesheets"
    for path in (next(theme.glob("main.*.css")), ROOT / "docs/assets/site.css"):
        shutil.copy(path, folder / f"assets/{path.name.partition('.')[0]}.css")
    for language in ("zh", "en"):
        (folder / f"assets/changes/{language}").mkdir()
        (folder / f"assets/changes/{language}/data.js").write_text(upgrades.as_script(data(language)), encoding="utf-8")
        (folder / f"{language}.html").write_text(
            f'<!doctype html><html lang="{language}"><meta charset="utf-8"><meta name="viewport" content="width=device-width">'
            '<link rel="stylesheet" href="assets/main.css"><link rel="stylesheet" href="assets/site.css"><script src="assets/search/open.js"></script>'
            f'<body class="md-typeset">{changes.form(language, data(language)["releases"], "2.13.0")}'
            '<script src="assets/page.js"></script>'
            '<script src="assets/changes/names.js"></script><script src="assets/changes/between.js"></script>'
            '<script src="assets/changes/form.js"></script></body></html>',
            encoding="utf-8",
        )
    return serve(folder)


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_changes_for_own_code(visit, address, language, width):
    seen = visit(f"{address}{language}.html", width=width)
    page, words = seen.page, UPGRADE[language]
    page.get_by_label(words["code"]).fill(CODE)
    status, found = page.get_by_role("status"), page.locator(".upgrade-form section")
    older, to = page.locator(".upgrade-form select").all()
    expect(status).to_have_text(words["summary"].format(names=2, changes=2, breaks=2))
    missing, raises = found.all()
    assert missing.locator("p").inner_text() == f"{words['missing']} torch.gone · {words['line'].format(lines=5)}"
    head, place = raises.locator("p").all_inner_texts()
    assert head == f"{words['new error']} torch.load · {words['line'].format(lines=2)}"
    assert place == "Load & save › No <b>"
    href = raises.get_by_role("link").get_attribute("href")
    assert urlsplit(href).path == ("/a/" if language == "zh" else "/en/a/")
    lines = raises.locator("code").last.inner_text().splitlines()
    assert lines[0] == "-loaded" and lines[1] == "+UnpicklingError: no"
    assert lines[-1] == words["more"].format(count=len(LONG) + 2 - MOST_LINES)
    assert words["unknown"].format(count=1, names="torch.nothing_known") in page.locator(".upgrade-form").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth") <= WIDTHS[width]
    assert not [request for request in seen.requests if "secret" in request]

    to.select_option("2.4.1")
    expect(status).to_have_text(words["summary"].format(names=2, changes=0, breaks=0))
    older.select_option("2.4.1")
    assert to.input_value() == "2.13.0"
    expect(status).to_have_text(words["summary"].format(names=2, changes=2, breaks=2))
    page.get_by_label(words["code"]).fill("")
    expect(status).to_have_text("")


def test_data_that_do_not_come_are_told(visit, address):
    page = visit(f"{address}en.html").page
    page.route("**/data.js", lambda route: route.abort())
    page.get_by_label("Code").fill(CODE)
    expect(page.get_by_role("status")).to_have_text(UPGRADE["en"]["broken"])


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_moves_when_the_form_comes(visit, address, width):
    page = visit(f"{address}en.html", width=width).page
    page.locator(".upgrade-form").evaluate("e => e.insertAdjacentHTML('afterend', '<h2>Below</h2>')")
    place = "document.querySelector('h2').getBoundingClientRect().top"
    with_it = page.evaluate(place)
    page.locator(".upgrade-form").evaluate("e => e.remove()")
    assert abs(page.evaluate(place) - with_it) < 1
