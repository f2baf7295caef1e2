"""What readers say leads to what pages say."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from scripts.benchmarks.search.engine import Search
from scripts.benchmarks.search.prune import pruned
from tests.search import written
from verbatim.pages.page import Page
from verbatim.site.search import thesaurus
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
                ("mul 逐元素相乘", ["Hadamard", "对应相乘", "点乘"]),
                ("缓冲区", ["buffer", "缓存区"]),
            ],
        ),
    ],
)
def test_rows_are_words_of_pages_and_of_readers(language, rows):
    """An English phrase of three words is no term that stands in a Chinese question."""
    assert thesaurus.rows(TEXT, GLOSSARY, language) == rows


def test_a_phrase_is_its_terms_and_its_chinese_runs():
    assert thesaurus.data([("x", ["element wise products", "用 numpy 转换"])]) == {
        "element": [("x", ["element", "wis", "product"])],
        "numpy": [("x", ["numpy", "用", "转换"])],
    }
    assert thesaurus.data([("x", ["output of the from_numpy", "the grad", "x[..., 0]"])]) == {
        "output": [("x", ["output", "from_numpy"])],
        "grad": [("x", ["the", "grad"])],
        "x": [("x", ["x", "...", "0"])],
    }


def test_a_comma_in_brackets_and_a_slash_between_digits_separate_nothing():
    row = "| a | | b | c |\n|---|---|---|---|\n| x | | x[..., 0], 80/20, one | 一/二、[:, None] |\n"
    assert thesaurus.rows(row, "", "zh") == [("x", ["x[..., 0]", "80/20", "one", "一", "二", "[:, None]"])]


def test_a_phrase_stands_with_the_term_that_fewest_phrases_have():
    rows = [("x", ["gradient penalty", "of a gradient"]), ("y", ["gradient penalty"])]
    assert thesaurus.data(rows) == {
        "penalty": [("x", ["gradient", "penalty"]), ("y", ["gradient", "penalty"])],
        "gradient": [("x", ["of", "a", "gradient"])],
    }


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("转置", "0"),
        ("怎么转置", "0"),
        ("转置卷积", "1"),
        ("转置卷积是什么", "1"),
        ("activations", "0"),
        ("which activation function", "1"),
    ],
)
def test_the_longest_phrase_wins(query, page):
    rows = [("permute", ["转置", "activations"]), ("deconvolution", ["转置卷积", "activation function"])]
    pages = [
        written.page(f"# {title}\n\nText of it.", f"en/{n}/") for n, title in enumerate(["permute", "deconvolution"])
    ]
    with Search(files(pages, frozenset(), (), json.dumps(thesaurus.data(rows)))) as search:
        assert [one["url"] for one in search.find(query)] == [f"en/{page}/"]


def test_a_query_finds_what_pages_say_in_other_words():
    pages = [
        written.page(f"# {title}\n\nText of it.\n\n```python\n{code}\n```", f"en/{n}/")
        for n, (title, code) in enumerate(
            [("mul: times", "torch.mul(a, b)"), ("Product of all", "prod"), ("Other", "x")]
        )
    ]
    with Search(files(pages, frozenset(), (), thesaurus.dumps(TEXT, GLOSSARY, "en"))) as search:
        assert search.find("Hadamard")[0]["url"] == "en/0/"
        assert search.find("Hadamard")[0]["excerpt"] == ["code", "torch.mul(a, b)"], (
            "the words that pages use count there, too"
        )
    with Search(files(pages)) as search:
        assert search.find("Hadamard") == []


def test_each_row_of_the_book_says_something_in_both_languages():
    text = (ROOT / thesaurus.FILE).read_text(encoding="utf-8")
    for language in ("en", "zh"):
        for words, said in thesaurus.rows(text, "", language):
            assert words and said
    assert all(line.count("|") == 5 for line in text.splitlines() if line.startswith("|"))


SAYINGS = """(titles, said) => {
    const { sayings, spans, wanted } = verbatimSearch;
    const terms = (text) => new Set(spans(text).map(([term]) => term));
    return JSON.stringify(titles.flatMap(([title, text]) => {
        const there = terms(text);
        return sayings(title, wanted(title), said)
            .filter(([words]) => !wanted(words).some(({ term }) => there.has(term)))
            .map(([words, parts]) => `${title}: ${parts.join(" ")} -> ${words}`);
    }));
}"""


@pytest.mark.parametrize("language", ["en", "zh"])
def test_no_phrase_leads_the_title_of_a_page_to_other_pages(language):
    """A page that is asked for by its own title has a word of what each phrase in the title stands for."""
    said = json.loads(thesaurus.dumps((ROOT / thesaurus.FILE).read_text(encoding="utf-8"), "", language))
    pages = [Page("", path.read_text(encoding="utf-8")) for path in (ROOT / "docs" / language).glob("*/*.md")]
    titles = [(str(page.meta.get("title") or ""), page.text) for page in pages]
    with Search({}) as search:
        phrases = [phrase for phrases in said.values() for phrase in phrases]
        asked = f"({SAYINGS})({json.dumps(titles)}, {json.dumps(phrases)})"
        assert not json.loads(str(search.engine.eval(asked)))


def test_keywords_are_removed_as_they_were_written():
    page = "---\ntitle: T\nkeywords: [one, \"two, 2\", 'it''s', last]\n---\ntext\n"
    assert pruned(page, {"one", "last"}) == "---\ntitle: T\nkeywords: [\"two, 2\", 'it''s']\n---\ntext\n"
