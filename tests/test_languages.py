"""A third language that has one chapter: it builds strictly, and what it lacks is read in the default language."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from tests.browser.miniature import MINIATURE, ROOT
from tests.site.test_plugin import command
from verbatim.languages import Languages
from verbatim.project import Project

SETTINGS = f"""
INHERIT: {ROOT}/mkdocs.yml
theme:
  custom_dir: {ROOT}/overrides
plugins:
  - verbatim:
      partial: [ja]
      clean: !ENV [VERBATIM_CLEAN, false]
  - i18n:
      docs_structure: folder
      fallback_to_default: false
      reconfigure_material: true
      reconfigure_search: false
      languages:
        - {{locale: zh, name: 中文, default: true, build: true}}
        - {{locale: en, name: English, build: true, site_name: PyTorch Verbatim, theme: {{language: en}}}}
        - {{locale: ja, name: 日本語, build: true, site_name: PyTorch 実録, theme: {{language: ja}}}}
"""
#: English → Japanese: the chapter's one page, and the home page.
TRANSLATED = {
    "autograd/leaf.md": {
        "Leaf tensors: who gets a gradient": "葉テンソル：勾配を受け取るもの",
        "chapter: Autograd": "chapter: 自動微分",
        "nav: Leaf tensors": "nav: 葉テンソル",
        "Only leaf tensors keep their gradient unless told otherwise; what is computed from them does not.": (
            "勾配を保持するのは葉テンソルだけで、計算結果は保持しません。"
        ),
        "## Leaves": "## 葉",
        "Let a tensor of the computation require gradients, and the error is gone.": (
            "計算に使うテンソルに `requires_grad=True` を指定すると、エラーは消えます。"
        ),
        "- [Printing tensors]": "- [テンソルの表示]",
    },
    "index.md": {
        "Miniature": "小さな本",
        "nav: Home": "nav: ホーム",
        "A small book for tests, with two recipes in two languages.": "テスト用の小さな本です。",
        "Leaf tensors": "葉テンソル",
    },
}


@pytest.fixture(scope="module")
def third_language(tmp_path_factory) -> Project:
    root = tmp_path_factory.mktemp("third") / "book"
    shutil.copytree(MINIATURE, root)  # what its links lead to
    for name, translated in TRANSLATED.items():
        text = (root / "docs/en" / name).read_text()
        for english, japanese in translated.items():
            assert english in text
            text = text.replace(english, japanese)
        (root / "docs/ja" / name).parent.mkdir(parents=True, exist_ok=True)
        (root / "docs/ja" / name).write_text(text)
    (root / "mkdocs.yml").write_text(SETTINGS)
    return Project(root)


@pytest.fixture(scope="module")
def site(third_language) -> Path:
    done = command(third_language, "mkdocs", "build", "--strict", SITE_URL="https://example.org/")
    assert done.returncode == 0, done.stdout
    return third_language.root / "site"


def switches(page: str) -> list[tuple[str, str]]:
    return re.findall(r'class="md-header__button switch" href="?([^\s">]+)"? .*?>([^<]+)</a>', page)


def test_check_tells_nothing(third_language):
    done = command(third_language, "verbatim", "check")
    assert done.returncode == 0, done.stdout


def test_each_page_leads_to_the_same_page_or_the_home_of_each_other_language(site):
    here = (site / "ja/autograd/leaf/index.html").read_text()
    assert switches(here) == [("../../../autograd/leaf/", "中文"), ("../../../en/autograd/leaf/", "English")]
    without = (site / "tensors/print/index.html").read_text()
    assert switches(without) == [("../../en/tensors/print/", "English"), ("../../ja/", "日本語")]
    assert '<html lang="zh"' in without and '<html lang="ja"' in here
    notebook = (site / "en/tensors/print/notebook/index.html").read_text()
    assert switches(notebook) == [("../../../../tensors/print/notebook/", "中文"), ("../../../../ja/", "日本語")]


def test_assistants_are_told_of_each_other_language_by_its_own_name(site):
    told = {
        place: re.findall(r"^- \[(.+)\]\(.*/llms\.txt\)$", (site / place).read_text(), re.MULTILINE)
        for place in ("llms.txt", "en/llms.txt", "ja/llms.txt")
    }
    assert told == {
        "llms.txt": ["English", "日本語"],
        "en/llms.txt": ["中文", "日本語"],
        "ja/llms.txt": ["中文", "English"],
    }


def test_the_page_of_what_is_missing_has_all_languages_and_the_book_s_own_name(site):
    page = (site / "404.html").read_text()
    assert re.findall(r'<section lang="?(\w+)', page) == ["zh", "en", "ja"]
    assert "没有这一页" in page and "There is no such page" in page
    assert 'data-switch="日本語"' in page or "data-switch=日本語" in page
    assert re.search("<title>404 - (.*)</title>", page)[1] == "PyTorch 实录"


def test_a_link_to_what_is_missing_leads_to_the_default_language(site):
    page = (site / "ja/autograd/leaf/index.html").read_text()
    assert re.search(r'<a href="?\.\./\.\./\.\./tensors/print/#wide"?>テンソルの表示</a>', page)
    assert "https://example.org/tensors/print.md#wide" in (site / "ja/autograd/leaf.md").read_text()
    assert not (site / "ja/tensors").exists()


def test_its_pages_are_reused(third_language, site):
    before = (site / "ja/autograd/leaf/index.html").read_bytes()
    (third_language.docs("zh") / "tensors/print.md").write_text(
        (third_language.docs("zh") / "tensors/print.md").read_text() + "\n"
    )
    done = command(third_language, "mkdocs", "build", "--strict", SITE_URL="https://example.org/")
    assert done.returncode == 0, done.stdout
    assert (site / "ja/autograd/leaf/index.html").read_bytes() == before


def test_its_navigation_has_what_exists(site):
    page = (site / "ja/autograd/leaf/index.html").read_text()
    assert "自動微分" in page and "张量" not in page


def test_a_mistake_in_it_is_told(third_language):
    page = third_language.docs("ja") / "autograd/leaf.md"
    text = page.read_text()
    try:
        page.write_text(text.replace("print.md#wide", "print.md#narrow").replace("#leaf }", "#leaves }"))
        done = command(third_language, "verbatim", "check")
    finally:
        page.write_text(text)
    assert done.returncode == 1
    assert "docs/zh/tensors/print.md has no heading `#narrow`" in done.stdout
    assert "only here: `## leaves`" in done.stdout


def test_a_page_that_the_default_language_lacks_is_told(third_language):
    page = third_language.docs("ja") / "autograd/own.md"
    try:
        page.write_text("---\ntitle: 独自\nnav: 独自\ndescription: 独自のページです。\n---\n\n# 独自\n")
        done = command(third_language, "verbatim", "check")
    finally:
        page.unlink()
    assert "docs/zh/autograd/own.md is missing" in done.stdout


def test_a_project_without_settings_has_the_usual_languages(tmp_path):
    assert Project(tmp_path).languages == Languages(("zh", "en"))
    (tmp_path / "mkdocs.yml").write_text("plugins: [verbatim, {i18n: {languages: [{locale: en, default: true}]}}]\n")
    assert Project(tmp_path).languages == Languages(("en",), names=("en",))
