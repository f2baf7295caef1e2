"""A page beside its twin."""

from __future__ import annotations

from tests.checks.recipe import OTHER, SMALL_BOOK
from verbatim.checks import languages
from verbatim.languages import Languages
from verbatim.memo import Memo
from verbatim.pages.page import Page


def test_a_page_without_its_twin(told, project, write):
    write("docs/zh/topic/alone.md", OTHER.replace("Other", "Alone"))
    assert told(of=SMALL_BOOK).problems == [
        "docs/zh/topic/alone.md: docs/en/topic/alone.md is missing\n  hint: write the page in both languages"
    ]


def test_a_tree_of_one_language_needs_no_twins():
    page = Page("docs/en/topic/a.md", OTHER)
    assert list(languages.check_twins([page])) == []
    assert [p.path for p in languages.check_twins([page, Page("docs/zh/index.md", OTHER)])] == [
        page.path,
        "docs/zh/index.md",
    ]


def test_a_partial_language_needs_its_home_page():
    """Else each switch of languages leads to an address that does not exist."""
    partial = Languages(("zh", "ja"), frozenset({"ja"}))
    pages = [Page(f"docs/{name}", OTHER) for name in ("zh/index.md", "zh/topic/a.md", "zh/topic/b.md", "ja/topic/a.md")]
    (problem,) = languages.check_twins(pages, languages=partial)
    assert str(problem).startswith("docs/ja/topic/a.md: docs/ja/index.md is missing\n  hint: write it: ")
    assert list(languages.check_twins([*pages, Page("docs/ja/index.md", OTHER)], languages=partial)) == []
    (problem,) = languages.check_twins(pages[:3], languages=partial)  # it has no page at all
    assert str(problem).startswith("mkdocs.yml: docs/ja/index.md is missing\n  hint: write it: ")


def test_twins_that_passed_are_compared_again_where_one_of_them_changed(tmp_path, monkeypatch):
    zh, en = Page("docs/zh/a.md", "# 一\n\n## 二 { #two }\n"), Page("docs/en/a.md", "# One\n\n## Two { #two }\n")
    other = Page(en.path, en.text + "\n## Three { #three }\n")
    compare, compared = languages._differences, []
    monkeypatch.setattr(languages, "_differences", lambda *of: compared.append(1) or compare(*of))
    told = []
    for pages in ([zh, en], [zh, en], [zh, other], [zh, other]):
        memo = Memo(tmp_path)
        told.append([problem.path for problem in languages.check_twins(pages, memo)])
        memo.close()
    assert told[:2] == [[], []] and told[2] and told[2] == told[3]
    assert len(compared) == 2
