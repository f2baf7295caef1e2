"""Pages → sections → terms → the files of the search."""

from __future__ import annotations

import json
import re

import pytest

from tests.search import written
from verbatim.memo import Memo
from verbatim.site.search import sections, terms
from verbatim.site.search.index import GRAMMAR_WORD, NAMED, NUMBER_TERM, PART, files
from verbatim.site.search.terms import spans
from verbatim.site.search.terms import terms as cut

TEXT = """
# torch.mm

Inner sizes meet, `outer` sizes remain.

## The rule { #rule }

```python
print(left)
```

## Last { #last }
"""


@pytest.fixture
def page() -> sections.Page:
    return written.page(TEXT, "en/mm/")


def test_terms_of_a_page_are_cut_once(tmp_path, monkeypatch):
    pages = [["Shapes of x.t()", "", "two words"], ["", "an edge  of “quotes”"], ["two words"]]
    memo, calls = Memo(tmp_path), []
    monkeypatch.setattr(terms, "terms", lambda texts: calls.append(texts) or cut(texts))
    plain = [cut(texts) for texts in pages]
    assert terms.terms_of_pages(pages, memo) == plain and len(calls) == 1
    assert terms.terms_of_pages(pages, memo) == plain and len(calls) == 1
    changed = [pages[0], ["another text"], pages[2]]
    assert terms.terms_of_pages(changed, memo) == [plain[0], cut(["another text"]), plain[2]]
    assert calls[1:] == [["another text"]]


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        ("torch.nn.CrossEntropyLoss", "torch nn crossentropyloss cross entropy loss"),
        ("BCEWithLogitsLoss", "bcewithlogitsloss bce with logit loss"),
        ("retain_graph=True", "retain_graph retain graph tru"),
        ("x.add_(1) __init__", "x add_ 1 __init__"),
        ("Conv2d ReLU6 GPUs", "conv2d conv relu6 re lu gpu"),
        ("(2x3 and 0x7f3a) 1e-5", "2x3 and 0x7f3a 1e 5"),
        ("losses classes entries axis status", "loss class entry axi status"),
        ("sharing shared shares share", "shar shar shar shar"),
        ("RMSE style", "rmse styl"),
        ("clipped clipping string speed freed add_ed", "clip clip string speed freed add_ed add ed"),
        ("梯度为None", "梯度 度为 non"),
        ("叶子张量", "叶子 子张 张量"),
        ("图", "图"),
        ("张量的形状", "张量 形状"),
        ("Ａ＿ｂ（１）", "a_b a b 1"),
        ("2×3 naïve γ", "2 3 naïve γ"),
        ("，。、 -- ...", ""),
    ],
)
def test_terms(text, terms):
    assert cut([text]) == [terms.split()]


def test_spans_say_where_a_term_stands():
    text = "用 retain_graph：中间结果"
    (found,) = spans([text])
    for term, start, end in found:
        place = text[start:end]
        assert term == place or term in place.split("_")
    assert ("间结", 16, 18) in found


def _data(files: dict[str, str]) -> dict[str, object]:
    read = {}
    for name, text in files.items():
        match = re.fullmatch(r'verbatimSearch\.part\("([0-9a-f]{6})","([\w-]+)",(.*)\)\n', text)
        assert match, text
        assert f"{match[2]}.js" == name
        read[match[2]] = json.loads(match[3])
    return read


def test_files_hold_every_term_where_it_stands(page):
    other = written.page("# Other\n\ntorch torch", "en/other/", overview=True)
    data = _data(files([other, page]))
    index = data["index"]
    assert index["pages"] == [3, 1], "pages are in the order of their addresses"
    assert index["overviews"] == [1]
    every = [*page.sections, *other.sections]
    assert index["lengths"][-7:] == [1, 2, 0, 0, 0, 0, 0]
    found: dict[tuple[str, int], dict[int, int]] = {}
    for number, first in enumerate(index["parts"]):
        entries = data[f"terms-{number}"]
        assert entries[0][0] == first
        for term, *fields in entries:
            for place, steps in enumerate(fields):
                documents, last = found.setdefault((term, place), {}), 0
                for step in steps or []:
                    if step < 0:
                        documents[last] = -step
                    else:
                        last += step
                        documents[last] = 1
    for number, section in enumerate(every):
        for place, name in enumerate(sections.ALL_FIELDS):
            (terms,) = cut([getattr(section, name)])
            if place > 1:
                terms = [t for t in terms if not NUMBER_TERM.match(t)]
            for term in terms:
                assert GRAMMAR_WORD.match(term) or found[term, place][number] == terms.count(term)
    assert data["page-1"] == ["en/other/", [["", "Other", "torch torch", "", "", "", ""]]]


INDEX = """
# Chapter

- `second time`: [freed already](../leaf/#freed); [in a loop](../leaf/)
- [**Why** is it freed?](../leaf/#freed)
- [Why is it freed?](../leaf/#freed)
- [here](#chapter), [elsewhere](https://example.org/leaf/#freed), [gone](../leaf/#gone)

See [this](../leaf/#freed).
"""


def _asked(made: dict[str, str], name: str) -> dict[str, list[str]]:
    """What the sections of a page are asked for, by id."""
    _, sections = _data(made)[name]
    return {section[0]: section[-1].splitlines() for section in sections}


def test_a_section_is_asked_for_in_the_words_of_what_links_to_it():
    leaf = written.page("# Leaf\n\n## Freed { #freed }\n\nText.", "en/leaf/")
    leaf.sections[0].asked = "who gets a gradient"
    found = _asked(files([written.page(INDEX, "en/chapter/", overview=True), leaf]), "page-1")
    assert found[""] == ["who gets a gradient", "second time: ; in a loop"]
    assert found["freed"] == ["second time: freed already", "Why is it freed?", "this"]
    assert leaf.sections[0].asked == "who gets a gradient", "pages that are given stay as they are"


def test_a_list_that_is_made_from_the_pages_asks_nothing():
    leaf = written.page("# Leaf", "en/leaf/")
    assert _asked(files([written.page(INDEX, "en/chapter/", asks=False), leaf]), "page-1") == {"": []}


def test_parts_are_small_and_in_order():
    words = " ".join(f"word{i:05}x" for i in range(4000))
    made = files([written.page(f"# T\n\n{words}", "a/")])
    parts = [text for name, text in made.items() if name.startswith("terms-")]
    assert len(parts) > 10
    assert max(map(len, parts)) < 2 * PART
    data = _data(made)
    terms = [entry[0] for i in range(len(parts)) for entry in data[f"terms-{i}"]]
    assert terms == sorted(terms)


def test_each_file_carries_the_version_that_the_index_names(page):
    def versions(files):
        return {name.removesuffix(".js"): text.split('"')[1] for name, text in files.items()}

    first = files([page])
    named = _data(first)["index"]["versions"]
    assert {f"{kind}-{i}": version for kind, all_ in named.items() for i, version in enumerate(all_)} == {
        name: version for name, version in versions(first).items() if name != "index"
    }
    assert files([page]) == first


def test_a_file_that_did_not_change_stays_as_it_is():
    """Else each build would give all of them anew to caches and mirrors."""
    pages = [written.page(f"# T{n}\n\ntext {n}", f"{n}/") for n in range(3)]
    changed = [*pages[:2], written.page("# T2\n\ntext two", "2/")]
    first, second = files(pages), files(changed)
    assert {name for name in first if first[name] == second[name]} == {"page-0.js", "page-1.js", "words-0.js"}
    assert first["index.js"] != second["index.js"]


def test_no_pages_make_an_empty_index():
    assert list(files([])) == ["words-0.js", "index.js"]


def test_links_to_elsewhere_are_not_in_the_index():
    page = written.page("# T\n\n[there](https://example.org/a/)", "0/")
    assert "example.org" not in "".join(files([page]).values())


def test_titles_in_another_language_are_found():
    page = sections.translate(written.page("# 标题", "0/"), [{"": "Leaf"}])
    assert '["leaf",' in "".join(files([page]).values())


def test_a_page_is_about_the_names_of_its_title_once_they_are_known():
    page = written.page("# Linear(2, 3)", "0/")
    assert f'["linear{NAMED}",' in "".join(files([page], frozenset({"Linear"})).values())


def test_the_order_of_pages_changes_nothing():
    pages = [written.page(f"# T{n}\n\ntext of {n}", f"{n}/") for n in range(4)]
    assert files(pages) == files(pages[::-1])


def test_a_page_is_found_by_what_strangers_ask(page):
    """Their words lead to the page as its titles in the other language do, and no browser loads the questions."""
    asked = sections.ask(sections.translate(page, [{"": "矩阵乘法", "rule": "规则"}]), ["crank two grids together"])
    assert [section.other for section in asked.sections] == ["矩阵乘法\ncrank two grids together", "规则", ""]
    made = files([asked])
    assert '"crank"' in made["terms-0.js"] and "crank" not in made["page-0.js"]
