"""Annotations, tables and line breaks in a page's HTML."""

from __future__ import annotations

from pathlib import Path

import pytest

from verbatim.site.html.markup import (
    annotate,
    below_remedy,
    breakable,
    entries,
    finish,
    plain,
    squeeze,
    terms,
    unspaced,
    with_switch,
)

CODE = '<div class="highlight"><pre><span></span><code>x &lt; 1  <span class="c1"># (1)!</span>\ny <span class="c1"># (2)!</span>\n</code></pre></div>'


def test_annotated_code_and_its_list_are_marked():
    html = annotate(CODE + "\n<ol>\n<li>one</li>\n<li>two<ol><li>inner</li></ol></li>\n</ol>\n<p>on</p>")
    assert html.count('<span class="c1 annotation"># (') == 2
    assert html.count('<ol class="annotations">') == 1
    assert html.endswith("</ol>\n<p>on</p>")


def test_a_copy_has_no_marks_and_no_spaces_before_them():
    html = annotate(CODE + "<ol><li>one</li></ol>")
    assert html.startswith('<div data-copy="x &lt; 1&#10;y" class="highlight">')


def test_without_a_list_below_nothing_changes():
    assert annotate(CODE + "<p>x</p><ol><li>one</li></ol>") == CODE + "<p>x</p><ol><li>one</li></ol>"
    plain = '<div class="highlight"><pre><code>x</code></pre></div><ol><li>one</li></ol>'
    assert annotate(plain) == plain


def test_tables_scroll_in_boxes():
    assert finish("<table><tr><td>1</td></tr></table>") == (
        '<div class="table"><table><tr><td>1</td></tr></table></div>'
    )


def test_an_empty_corner_of_a_table_is_no_heading():
    row = "<table><thead><tr><th></th><th>a</th></tr></thead></table>"
    assert finish(row) == f'<div class="table">{row.replace("<th></th>", "<td></td>")}</div>'


def test_no_space_between_lines_of_chinese():
    assert unspaced("<p>一行。\n又一行\nword\n字</p>") == "<p>一行。又一行\nword\n字</p>"
    assert unspaced("<pre>一\n二</pre>一\n二") == "<pre>一\n二</pre>一二"


def test_squeeze_leaves_the_article_as_it_is():
    page = "<body>\n\n  <nav>\n    x\n  </nav>\n<article><pre>\n\n  y</pre></article>\n\n  <footer>"
    assert squeeze(page) == "<body>\n<nav>\nx\n</nav>\n<article><pre>\n\n  y</pre></article>\n<footer>"
    assert squeeze("a\n  b") == "a\nb"


def test_only_what_has_a_colour_of_its_own_is_marked():
    code = '<span class="n">x</span><span class="w">  </span><span class="o">=</span> <span class="nb">abs</span>'
    assert plain(code) == 'x  <span class="o">=</span> <span class="nb">abs</span>'
    assert finish(code) == plain(code)
    style = (Path(__file__).parents[2] / "docs/assets/site.css").read_text(encoding="utf-8")
    assert "--md-code-hl-name-color: var(--md-code-fg-color);" in style


def test_each_question_has_the_switch_and_no_other_fold():
    fold = '<details class="{}">\n<summary>What?</summary>\n<p>1</p></details>'
    switch = '<label class="always"><input type="checkbox" autocomplete="off">All &amp; more</label>'
    html = with_switch(fold.format("asks") + fold.format("versions"), "All & more")
    assert html.startswith(f'<details class="asks">\n<summary>What?</summary>{switch}\n<p>1</p>')
    assert html.endswith(fold.format("versions"))


def test_the_first_remedy_has_a_line_below_it():
    remedy = '<p class="remedy">Do\nthis.</p>'
    made = below_remedy(f"<p>A</p>{remedy}<p>B</p>{remedy}", "Also <code>x</code>")
    assert made == f'<p>A</p>{remedy}\n<p class="verbatim-package">Also <code>x</code></p><p>B</p>{remedy}'
    assert below_remedy("<p>A</p>", "Also") == "<p>A</p>"


TERMS = {"convolution": "../conv/", "transposed convolution": "../up/", "卷积": "../conv/"}


def test_a_term_is_linked_where_it_stands_first():
    html = "<p>Transposed convolutions and convolutions, and a convolution.</p><p>反卷积，卷积</p>"
    assert terms(html, TERMS) == (
        '<p><a class="term" href="../up/">Transposed convolutions</a> and <a class="term" href="../conv/">convolutions</a>,'
        ' and a convolution.</p><p>反<a class="term" href="../conv/">卷积</a>，卷积</p>'
    )


@pytest.mark.parametrize(
    "html",
    [
        "<h2>A convolution</h2><ul><li>A convolution</li></ul>",
        '<p class="admonition-title">A convolution</p>',
        '<p><a href="#">convolution</a> <code>convolution</code> <em>convolution</em> convolution-like</p>',
        '<p><span class="math"><span>convolution</span></span><math><mi>convolution</mi></math></p>',
        '<div class="highlight"><pre><code><p>convolution</p></code></pre></div>',
        "<p>Deconvolutional.</p>",
    ],
)
def test_what_is_no_sentence_has_no_linked_terms(html):
    assert terms(html, TERMS) == html and terms(html, {}) == html


def test_entries_of_a_brief_list_are_links_alone():
    entry = '<ul>\n<li><a href="x/#e1"><code>E: no</code></a> · also with <code>mm:</code></li>\n</ul>'
    above = '<p class="filter of-errors brief" data-label="Filter">2</p>'
    assert entries(entry + above + entry) == entry + above + entry.replace("<code>E: no</code>", "E: no")
    assert entries(entry) == entry


def test_lines_may_end_within_long_names_that_are_seen():
    name = "torch.nn.utils.rnn.pack_padded_sequence"
    broken = "torch.<wbr>nn.<wbr>utils.<wbr>rnn.<wbr>pack_<wbr>padded_<wbr>sequence"
    kept = f'<pre>{name}</pre><svg>{name}</svg><script>{name}</script><select><option>{name}</select><i id="{name}">'
    page = f"<head><title>{name}</title></head><body><p>{{}}: x.shape, __init__, 1.25</p>{kept}"
    assert breakable(page.format(name)) == page.format(broken)
    assert (
        breakable("<b>torch.utils.__version__.split_at_1</b>") == "<b>torch.<wbr>utils.__version__.split_<wbr>at_1</b>"
    )
