"""Formulas: found in pages, typeset, and the stylesheet they need."""

from __future__ import annotations

import base64
import io
import re

import pytest
from fontTools.ttLib import TTFont

from verbatim.markdown import Formula, formulas
from verbatim.memo import Memo
from verbatim.pages.page import Page
from verbatim.site.html import formulas as formulas_module
from verbatim.site.html.formulas import Typesetter, problems

PAGE = r"""# A

Inline \(a_1\) and `\(code\)`, and \\(no formula\\).

```python
x = "\(b\)"
```

\[
\sum_i
x_i
\]
"""


def test_finds_formulas_with_their_lines():
    assert formulas(PAGE) == [(3, Formula("a_1")), (9, Formula(r"\sum_i x_i", display=True))]


INLINE = Formula("a_1")
DISPLAYED = Formula(r"\frac{1}{n}\sum_i x_i", display=True)


@pytest.fixture(scope="module")
def typesetter() -> Typesetter:
    typesetter = Typesetter()
    typesetter.prepare([INLINE, DISPLAYED])
    return typesetter


def test_typesets_without_inline_styles(typesetter):
    markup = typesetter.page(r'<p><span class="arithmatex">\(a_1\)</span></p>')
    assert "katex-html" in markup
    assert "<math" in markup
    assert "style=" not in markup
    assert "arithmatex" not in markup


def test_a_displayed_formula_has_a_box(typesetter):
    markup = typesetter.page('<div class="arithmatex">\\[\\frac{1}{n}\n\\sum_i x_i\\]</div>')
    assert markup.startswith('<div class="math math-display"><span class="katex-display">')


def test_reads_what_html_escapes(typesetter):
    assert "<mo>&lt;</mo>" in typesetter.page(r'<span class="arithmatex">\(a &lt; b\)</span>')


def test_every_style_of_the_markup_is_in_the_stylesheet(typesetter):
    markup = typesetter.html(DISPLAYED)
    css = typesetter.stylesheet([DISPLAYED])
    for name in re.findall(r"\bk[0-9a-f]{6}\b", markup):
        assert f".katex .{name}{{" in css


def test_fonts_have_the_glyphs_that_are_used_and_few_others(typesetter):
    css = typesetter.stylesheet([INLINE, DISPLAYED])
    assert len(typesetter.stylesheet([INLINE])) < len(css)
    faces = dict(re.findall(r"@font-face\{[^}]*font-family:\"?(\w+)\"?;[^}]*base64,([^)]*)\)", css))
    assert set(faces) == {"KaTeX_Main", "KaTeX_Math", "KaTeX_Size2"}
    assert "fonts/" not in css
    math = TTFont(io.BytesIO(base64.b64decode(faces["KaTeX_Math"])))
    assert {ord(c) for c in "anix"} <= set(math.getBestCmap())
    assert len(math.getGlyphOrder()) < 12


def test_nothing_is_needed_without_formulas():
    assert Typesetter().stylesheet([]) == ""


def test_a_font_is_cut_once(tmp_path, monkeypatch):
    typesetter = Typesetter(Memo(tmp_path))
    typesetter.prepare([INLINE])
    first = typesetter.stylesheet([INLINE])
    monkeypatch.setattr("verbatim.site.html.formulas._cut", None)
    assert typesetter.stylesheet([INLINE]) == first


def test_a_font_that_other_software_cut_is_cut_anew(tmp_path, monkeypatch):
    typesetter = Typesetter(Memo(tmp_path))
    typesetter.prepare([INLINE])
    first = typesetter.stylesheet([INLINE])
    monkeypatch.setattr("verbatim.site.html.formulas._software", lambda: "fonttools of tomorrow")
    monkeypatch.setattr("verbatim.site.html.formulas._cut", lambda face, characters: "@font-face{tomorrow}")
    assert "@font-face{tomorrow}" in typesetter.stylesheet([INLINE]) != first


def test_the_same_formulas_give_the_same_stylesheet():
    texts = []
    for order in (1, -1):
        typesetter = Typesetter()
        wanted = [INLINE, Formula(r"\sqrt{2}")][::order]
        typesetter.prepare(wanted)
        texts.append(typesetter.stylesheet(wanted))
    assert texts[0] == texts[1]


def test_what_cannot_be_read_is_told_with_its_line():
    typesetter = Typesetter()
    found = problems([Page("docs/zh/a.md", "# A\n\n\\(\\frac{1}\\) and \\(\\nosuch\\)\n\n\\(x\\)\n")], typesetter)
    assert [(p.path, p.line) for p in found] == [("docs/zh/a.md", 3)] * 2
    assert "\\frac{1}" in found[0].message
    assert "\\nosuch" in found[1].message
    with pytest.raises(ValueError, match="Undefined control sequence"):
        typesetter.html(Formula(r"\nosuch"))


def test_a_formula_is_typeset_once(tmp_path, monkeypatch):
    pages = [Page("docs/zh/a.md", "\\(x^2\\)\n"), Page("docs/zh/b.md", "\\(\\nosuch\\)\n")]
    made: list[str] = []
    without = formulas_module._without_styles
    monkeypatch.setattr(formulas_module, "_without_styles", lambda html: made.append(html) or without(html))
    for _ in range(2):
        memo = Memo(tmp_path)
        assert [problem.path for problem in problems(pages, Typesetter(memo))] == ["docs/zh/b.md"]
        memo.close()
    assert len(made) == 1
