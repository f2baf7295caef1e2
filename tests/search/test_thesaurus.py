"""What readers say leads to what pages say."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.search.engine import Search
from benchmarks.search.prune import pruned
from verbatim.site.search import sections, thesaurus
from verbatim.site.search.index import files

ROOT = Path(__file__).parents[2]
TEXT = """
| pages, English | 页面，中文 | readers | 读者 |
| --- | --- | --- | --- |
| mul | mul 逐元素相乘 | Hadamard, element wise product | 对应相乘、点乘 |
"""
GLOSSARY = "| English | 中文 | 不用 | note |\n| --- | --- | --- | --- |\n| buffer (of a module) | 缓冲区（buffer） | 缓存区 | |\n"


@pytest.mark.parametrize(
    ("language", "rows"),
    [
        ("en", [("mul", ["Hadamard", "element wise product"])]),
        (
            "zh",
            [
                ("mul 逐元素相乘", ["Hadamard", "element wise product", "对应相乘", "点乘"]),
                ("缓冲区", ["buffer", "缓存区"]),
            ],
        ),
    ],
)
def test_rows_are_words_of_pages_and_of_readers(language, rows):
    assert thesaurus.rows(TEXT, GLOSSARY, language) == rows


def test_a_phrase_is_its_terms_and_its_chinese_runs():
    assert thesaurus.data([("x", ["element wise products", "用 numpy 转换"])]) == [
        ("x", [["element", "wis", "product"], ["numpy", "用", "转换"]])
    ]


def test_a_query_finds_what_pages_say_in_other_words():
    pages = [
        sections.page(f"<h1 id='t'>{title}</h1><p>Text of it.</p>", f"en/{n}/", title)
        for n, title in enumerate(["mul: times", "Product of all", "Other"])
    ]
    with Search(files(pages, frozenset(), (), thesaurus.dumps(TEXT, GLOSSARY, "en"))) as search:
        assert search.find("Hadamard")[0]["url"] == "en/0/"
    with Search(files(pages)) as search:
        assert search.find("Hadamard") == []


def test_each_row_of_the_book_says_something_in_both_languages():
    text = (ROOT / thesaurus.FILE).read_text(encoding="utf-8")
    for language in ("en", "zh"):
        for words, said in thesaurus.rows(text, "", language):
            assert words and said
    assert all(line.count("|") == 5 for line in text.splitlines() if line.startswith("|"))


def test_keywords_are_removed_as_they_were_written():
    page = "---\ntitle: T\nkeywords: [one, \"two, 2\", 'it''s', last]\n---\ntext\n"
    assert pruned(page, ["two, 2", "it's"]) == "---\ntitle: T\nkeywords: [\"two, 2\", 'it''s']\n---\ntext\n"
