"""Pages → sections → terms → the files of the search."""

from __future__ import annotations

import json
import re
from html import unescape
from pathlib import Path

import pytest

from verbatim.markdown import Formula
from verbatim.memo import Memo
from verbatim.site.html.formulas import Typesetter
from verbatim.site.search import mathml, sections, terms
from verbatim.site.search.index import GRAMMAR_WORD, NAMED, NUMBER_TERM, PART, files
from verbatim.site.search.terms import spans
from verbatim.site.search.terms import terms as cut

HTML = """
<h1 id="mm">torch.mm<a class="headerlink" href="#mm">¶</a></h1>
<p>Inner sizes <strong>meet</strong>, <code>outer</code> sizes remain.</p>
<ul><li>one</li><li>two</li></ul>
<h2 id="rule">The rule: \\(n \\times m\\)</h2>
<div class="highlight"><pre><span></span><code><span class="n">left</span> <span class="o">@</span> <span class="n">right</span>  <span class="c1"># (1)!</span>

<span class="nb">print</span>(left)
</code></pre></div>
<div class="text no-copy verbatim verbatim-output highlight"><span class="filename">Output</span><pre><code>tensor([1.])
</code></pre></div>
<details class="quote"><summary>More</summary>
<div class="text verbatim verbatim-error highlight"><span class="filename">Error</span><pre><code>RuntimeError: 2x3 &amp; 2x3</code></pre></div>
</details>
<p>After <svg><text>drawn</text></svg><script>run()</script><span aria-hidden="true">twice</span>the code.</p>
<details class="note"><summary>A note</summary><p>Folded.</p></details>
<p data-search-exclude>Furniture</p>
<h2 id="read-on">Read on</h2>
<ul><li><a href="..">torch.matmul</a></li></ul>
<h3 id="last">Last</h3>
<p class="verbatim-ran">printed by torch</p>
"""


@pytest.fixture
def page() -> sections.Page:
    return sections.page(HTML, "en/mm/", "unused")


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


def test_sections_are_headings_with_what_stands_below(page):
    assert [(s.id, s.title) for s in page.sections] == [
        ("", "torch.mm"),
        ("rule", "The rule: n \\times m"),
        ("last", "Last"),
    ]
    assert page.title == "torch.mm"


def test_the_output_that_a_question_hides_is_found_and_the_question_is_not():
    fold = '<details class="asks"><summary>What?</summary><label class="always"><input type="checkbox">Always</label>'
    printed = (
        '<div class="text verbatim verbatim-output highlight"><pre><code>tensor(2.)\n</code></pre></div></details>'
    )
    (section,) = sections.page(f'<h1 id="a">A</h1>{fold}{printed}<p>Why.</p>', "a/", "unused").sections
    assert (section.outputs, section.prose) == ("tensor(2.)", "Why.")


def test_a_formula_is_read_as_text():
    typeset = Typesetter()
    shown = typeset.element(Formula(r"(n, k) \times (k, m)"))
    (section,) = sections.page(f'<h1 id="a">A</h1><p>The product is {shown}.</p>', "a/", "unused").sections
    assert section.prose == "The product is (n, k) × (k, m)."


@pytest.mark.parametrize(
    ("tex", "text"),
    [
        (r"\frac{x-\mu}{\sqrt{\sigma^2+\epsilon}}", "(x − μ)/√(σ² + ϵ)"),
        (r"-1 \le \hat x_{ij} \le 2^{-n}", "−1 ≤ x̂_ij ≤ 2^(−n)"),
        (r"-\sum_k q_k\log p_k", "−∑_k q_k log p_k"),
        (r"\tfrac{1}{2} e^{-s_1} L_\text{price}", "1/2 e^(−s₁)L_price"),
        (r"\max(0, W^\top x)", "max(0, Wᵀ x)"),
        (r"\begin{pmatrix}2y & 2x\\ 2x & 0\end{pmatrix}", "(2y, 2x; 2x, 0)"),
        (r"\binom{n}{k} = n!", "(n over k) = n!"),
        (r"a<b \text{ and } c", "a < b and c"),
    ],
)
def test_what_a_formula_says(tex: str, text: str):
    math = re.search("<math.*</math>", Typesetter().html(Formula(tex)))
    assert math and mathml.text(math[0]) == text
    assert unescape(mathml.replace(f"<p>{math[0]}</p>")) == f"<p>{text}</p>"


THEIRS = """
<h1 id="a">A</h1>
<div class="text verbatim verbatim-error highlight" data-verbatim="a#b"><span class="filename">Error · torch 2.13.0</span>
<pre><code>RuntimeError: now</code></pre></div>
<details class="versions"><summary>In other versions: torch 1.13.1</summary>
<div class="text verbatim verbatim-error highlight" data-torch="1.13.1" data-releases="torch 1.13.1"><span class="filename">Error · recorded · torch 1.13.1</span><pre><span></span><code><span class="n">RuntimeError: then &lt;b&gt;</span>
</code></pre></div>
<details class="quote"><summary>Full message</summary>
<div class="text verbatim verbatim-error highlight" data-torch="1.13.1"><pre><code>second line
third line</code></pre></div></details>
<div class="text verbatim verbatim-output highlight" data-torch="2.0.1 2.2.2" data-releases="torch 2.0.1 and 2.2.2"><span class="filename">Output · recorded · torch 2.0.1 and 2.2.2</span><pre><code>tensor([9.])
ValueError: caught
0</code></pre></div>
<p class="verbatim-version" data-torch="2.4.1">No output · recorded · torch 2.4.1</p>
</details>
<p>After.</p>
"""


def test_messages_of_other_releases_say_of_which():
    (section,) = sections.page(THEIRS, "a/", "A").sections
    assert section.messages.split("\n") == [
        "RuntimeError: now",
        "torch 1.13.1 · RuntimeError: then <b>",
        "second line",
        "third line",
        "torch 2.0.1 and 2.2.2 · ValueError: caught",
    ]
    assert (section.outputs, section.prose, section.code) == ("", "After.", "")


def test_prose_code_outputs_and_messages_are_told_apart(page):
    first, rule, last = page.sections
    assert first.prose == "Inner sizes meet, outer sizes remain.\none\ntwo"
    assert rule.prose == "After the code.\nA note\nFolded."
    assert rule.code == "left @ right\nprint(left)"
    assert rule.outputs == "tensor([1.])"
    assert rule.messages == "RuntimeError: 2x3 & 2x3"
    assert (last.prose, last.code) == ("", "")


def test_a_page_without_a_title_takes_the_given_one():
    page = sections.page("<p>Text</p><h2 id='a'>A</h2><p>below", "x/", "Given")
    assert [(s.id, s.title, s.prose) for s in page.sections] == [("", "Given", "Text"), ("a", "A", "below")]


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
    other = sections.page("<h1 id='o'>Other</h1><p>torch torch</p>", "en/other/", "Other", overview=True)
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


def test_an_overview_is_known_by_its_titles_and_first_sentences():
    html = f"<h1 id='t'>T</h1><p>First. {'x ' * 999}</p><pre>code</pre><h2 id='s'>S</h2><p>Second.</p>"
    first, second = sections.page(html, "a/", "", overview=True).sections
    assert first.prose.startswith("First. x x")
    assert len(first.prose) == sections.OVERVIEW
    assert (first.code, second.title, second.prose) == ("", "S", "Second.")


INDEX = """
<h1 id="chapter">Chapter</h1>
<ul>
<li><code>second time</code>: <a href="../leaf/#freed">freed already</a>; <a href="../leaf/">in a loop</a></li>
<li><a href="../leaf/#freed"><strong>Why</strong> is it freed?</a></li>
<li><a href="../leaf/#freed">Why is it freed?</a></li>
<li><a href="#chapter">here</a>, <a href="https://example.org/leaf/#freed">elsewhere</a>, <a href="../leaf/#gone">gone</a></li>
</ul>
<p>See <a href="../leaf/#freed">this</a><a class="headerlink" href="#chapter">¶</a>.</p>
"""


def _asked(made: dict[str, str], name: str) -> dict[str, list[str]]:
    """What the sections of a page are asked for, by id."""
    _, sections = _data(made)[name]
    return {section[0]: section[-1].splitlines() for section in sections}


def test_a_section_is_asked_for_in_the_words_of_what_links_to_it():
    leaf = sections.page("<h1 id='leaf'>Leaf</h1><h2 id='freed'>Freed</h2><p>Text.</p>", "en/leaf/", "")
    leaf.sections[0].asked = "who gets a gradient"
    found = _asked(files([sections.page(INDEX, "en/chapter/", "", overview=True), leaf]), "page-1")
    assert found[""] == ["who gets a gradient", "second time: ; in a loop"]
    assert found["freed"] == ["second time: freed already", "Why is it freed?", "this"]
    assert leaf.sections[0].asked == "who gets a gradient", "pages that are given stay as they are"


def test_a_list_that_is_made_from_the_pages_asks_nothing():
    leaf = sections.page("<h1 id='leaf'>Leaf</h1>", "en/leaf/", "")
    assert _asked(files([sections.page(INDEX, "en/chapter/", "", asks=False), leaf]), "page-1") == {"": []}


def test_parts_are_small_and_in_order():
    words = " ".join(f"word{i:05}x" for i in range(4000))
    made = files([sections.page(f"<h1 id='t'>T</h1><p>{words}</p>", "a/", "T")])
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
    pages = [sections.page(f"<h1 id='t'>T{n}</h1><p>text {n}</p>", f"{n}/", f"T{n}") for n in range(3)]
    changed = [*pages[:2], sections.page("<h1 id='t'>T2</h1><p>text two</p>", "2/", "T2")]
    first, second = files(pages), files(changed)
    assert {name for name in first if first[name] == second[name]} == {"page-0.js", "page-1.js", "words-0.js"}
    assert first["index.js"] != second["index.js"]


def test_no_pages_make_an_empty_index():
    assert list(files([])) == ["words-0.js", "index.js"]


def test_links_to_elsewhere_are_not_in_the_index():
    page = sections.page("<h1 id='t'>T</h1><p><a href='https://example.org/a/'>there</a></p>", "0/", "")
    assert "example.org" not in "".join(files([page]).values())


def test_titles_in_another_language_are_found():
    page = sections.translate(sections.page("<h1 id='t'>标题</h1>", "0/", ""), [{"": "Leaf"}])
    assert '["leaf",' in "".join(files([page]).values())


def test_a_page_is_about_the_names_of_its_title_once_they_are_known():
    page = sections.page("<h1 id='t'>Linear(2, 3)</h1>", "0/", "")
    assert f'["linear{NAMED}",' in "".join(files([page], frozenset({"Linear"})).values())


def test_the_order_of_pages_changes_nothing():
    pages = [sections.page(f"<h1 id='t'>T{n}</h1><p>text of {n}</p>", f"{n}/", "") for n in range(4)]
    assert files(pages) == files(pages[::-1])


def test_a_page_is_found_by_what_strangers_ask(page):
    """Their words lead to the page as its titles in the other language do, and no browser loads the questions."""
    asked = sections.ask(sections.translate(page, [{"": "矩阵乘法", "rule": "规则"}]), ["crank two grids together"])
    assert [section.other for section in asked.sections] == ["矩阵乘法\ncrank two grids together", "规则", ""]
    made = files([asked])
    assert '"crank"' in made["terms-0.js"] and "crank" not in made["page-0.js"]


def test_the_titles_of_all_boxes_in_which_code_and_outputs_are_folded_are_left_out():
    """What the site says on each of a thousand pages would be found on all of them."""
    source = (Path(__file__).parents[2] / "verbatim/write/markdown.py").read_text(encoding="utf-8")
    kinds = set(re.findall(r'_box\("(\w+)', source))
    assert {"asks", "versions", "quote"} <= kinds <= sections.FOLD_BOXES
