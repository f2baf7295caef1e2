"""The package that readers install finds what the dialog shows: the same sections, in the same order."""

from __future__ import annotations

import contextlib
import json
import re
from pathlib import Path

import pytest

from pytorch_verbatim import finding, pages
from tests.search.test_dialog import look_for, options
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.site.downloads import explain_book

QUERIES = {
    "": ("mat1 and mat2 shapes cannot be multiplied (64x512 and 784x10)", "梯度为None", "矩阵乘法怎么用", "torch"),
    "en/": (
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)",
        "torch",
        "leaf retian_graph",
        "qqqq",
    ),
}


@pytest.fixture
def shelf(site: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> pages.Shelf:
    known = {one["message"] for one in json.loads((site / "en/errors.json").read_text(encoding="utf-8"))["errors"]}
    explain_book.pack(
        site,
        tmp_path / "book.zip",
        {"address": "https://example.org/", "messages": len(known)},
        DEFAULT_LANGUAGES,
        known,
        {},
    )
    made = pages.Shelf(str(tmp_path / "book.zip"))
    monkeypatch.setattr(pages, "shelf", lambda: made)
    return made


@pytest.mark.parametrize("start", QUERIES)
def test_the_package_finds_what_the_dialog_shows(page, base: str, shelf: pages.Shelf, start: str):
    language = "en" if start else "zh"
    with contextlib.closing(finding.Finder(language)) as finder:
        for query in QUERIES[start]:
            page.goto(base + start)
            look_for(page, query)
            page.wait_for_function("() => document.querySelector('.vs-status')?.textContent")
            shown = [re.sub(r"\?h=[^#]*", "", one.get_attribute("href")) for one in options(page).all()]
            mine = [shelf.named(one.name, language) for one in finder.find(query).results]
            addresses = [f"{base}{start}{one.name}/#{one.section}" for one in mine]
            assert [one.replace("//#", "/#").removesuffix("#") for one in addresses] == [
                one.removesuffix("#") for one in shown
            ]
            assert bool(shown) == (query != "qqqq")
            for one in mine:
                assert shelf.page(f"{one.name}#{one.section}" if one.section else one.name, language)
