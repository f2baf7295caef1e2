r"""Typesets the formulas of pages with KaTeX while the site is built: HTML, and one stylesheet.

A page writes `\(inline\)` or `\[displayed\]`. Readers download no script: a stylesheet, only on pages with formulas,
that has just the glyphs which the site's formulas use. KaTeX's inline ``style`` becomes classes, because a page's
Content-Security-Policy forbids it. Its MathML stays beside the HTML, for screen readers and for copying.
"""

from __future__ import annotations

import base64
import functools
import hashlib
import html
import importlib.metadata
import io
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from verbatim.markdown import FORMULA, Formula, formula_of
from verbatim.memo import Memo, software
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.site.html.stylesheet import Used, marks, trim

KATEX = Path(__file__).parents[1] / "vendor" / "katex"

#: The element that pymdownx.arithmatex writes for a formula.
FORMULA_ELEMENT = re.compile(r'<(?P<tag>span|div) class="arithmatex">(?P<tex>.+?)</(?P=tag)>', re.DOTALL)

_STYLE_ATTRIBUTE = re.compile(r' style="([^"]*)"')
_CLASS_ATTRIBUTE = re.compile(r'class="([^"]*)"')
_ELEMENT_TEXT = re.compile(r">([^<]+)<")
_MATHML_ELEMENT = re.compile(r'<span class="katex-mathml">.*?</math></span>', re.DOTALL)
_FONT_FACE = re.compile(r"@font-face\{([^}]*)\}")
_STYLE_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


@dataclass(frozen=True)
class Typeset:
    """What KaTeX made of a formula."""

    html: str = ""
    styles: tuple[tuple[str, str], ...] = ()
    """Class → the inline style that it replaces."""
    error: str = ""
    """Why KaTeX cannot read the formula."""


class Typesetter:
    """Typesets formulas and makes stylesheets for them.

    Args:
        memo: Has formulas that were typeset, and fonts that were cut, before.
    """

    def __init__(self, memo: Memo | None = None) -> None:
        self._memo = memo or Memo()
        self._known: dict[Formula, Typeset] = {}

    def prepare(self, formulas: Iterable[Formula]) -> None:
        """Typeset the formulas that are new. KaTeX is loaded once for all of them."""
        missing = []
        for formula in dict.fromkeys(formulas):
            if formula not in self._known:
                if typeset := self._memo.load("formula", repr(formula), _software()):
                    self._known[formula] = typeset
                else:
                    missing.append(formula)
        if not missing:
            return
        from py_mini_racer import JSEvalException, MiniRacer

        # Left to the garbage collector, MiniRacer can hang when Python ends: it is closed here.
        with MiniRacer() as engine:
            engine.eval((KATEX / "katex.min.js").read_text(encoding="utf-8"))
            for formula in missing:
                options = {"displayMode": formula.display, "throwOnError": True, "strict": "ignore"}
                try:
                    made = _without_styles(engine.call("katex.renderToString", formula.tex, options))
                except JSEvalException as error:
                    reason = re.search(r"KaTeX parse error: (.*)", str(error))
                    made = Typeset(error=reason[1] if reason else str(error).splitlines()[0])
                self._known[formula] = made
                self._memo.save("formula", repr(formula), made, _software())

    def html(self, formula: Formula) -> str:
        """Return a formula as HTML.

        Raises:
            ValueError: KaTeX cannot read it.
        """
        self.prepare([formula])
        if error := self._known[formula].error:
            raise ValueError(error)
        return self._known[formula].html

    def page(self, content: str) -> str:
        """Return a page's HTML with its formulas typeset."""
        return FORMULA_ELEMENT.sub(self._replace, content)

    def _replace(self, match: re.Match[str]) -> str:
        delimited = FORMULA.search(html.unescape(match["tex"]))
        return self.element(formula_of(delimited)) if delimited else match[0]

    def element(self, formula: Formula) -> str:
        """Return a formula as an element of a page; a displayed one scrolls in its own box."""
        tag, kind = ("div", "math math-display") if formula.display else ("span", "math")
        return f'<{tag} class="{kind}">{self.html(formula)}</{tag}>'

    def stylesheet(self, formulas: Iterable[Formula]) -> str:
        """Return the CSS of these formulas, with their fonts; an empty string without formulas.

        A page gets a stylesheet of its own: one for the whole site would have to bring every glyph to every page.
        """
        # What was not typeset is code that looks like a formula.
        made = {formula: self._known[formula] for formula in formulas if formula in self._known}
        known = [formula for formula in made if not made[formula].error]
        if not known:
            return ""
        visible = "".join(_MATHML_ELEMENT.sub("", self._known[formula].html) for formula in known)
        classes = {name for group in _CLASS_ATTRIBUTE.findall(visible) for name in group.split()}
        characters = "".join(sorted(set(html.unescape("".join(_ELEMENT_TEXT.findall(visible))))))
        css = (KATEX / "katex.min.css").read_text(encoding="utf-8")
        rules = _FONT_FACE.sub("", css)
        faced = _faces(rules, classes)
        faces = "".join(self._face(face, characters) for face in _FONT_FACE.findall(css) if _key(face) in faced)
        replaced = dict(pair for formula in known for pair in self._known[formula].styles)
        used = sorted(replaced.keys() & classes)
        styles = "".join(f".katex .{name}{{{replaced[name]}}}" for name in used)
        shown = Used()
        shown.page(marks("".join(self.element(formula) for formula in known)))
        rules = trim(rules, shown)
        return f"/* KaTeX, MIT licence, https://katex.org */\n{faces}{rules}{styles}\n"

    def _face(self, face: str, characters: str) -> str:
        """Return a font face with only the glyphs that are used."""
        return self._memo.get("face", f"{face}\0{characters}", lambda: _cut(face, characters), _software())


def _faces(rules: str, classes: set[str]) -> set[tuple[str, str, str]]:
    """Return the font faces that a formula's classes use."""
    faces = {("KaTeX_Main", "normal", "400")}
    for selectors, body in _STYLE_RULE.findall(rules):
        if "font-family" not in body:
            continue
        for selector in selectors.split(","):
            if set(re.findall(r"\.([\w-]+)", selector)) <= classes:
                faces.add(_key(body))
    return faces


def _key(declarations: str) -> tuple[str, str, str]:
    """Return family, style and weight of a font face, or of a rule that uses one."""
    pairs = dict(pair.split(":", 1) for pair in declarations.split(";") if ":" in pair)
    family = pairs["font-family"].strip("\"'")
    return family, pairs.get("font-style", "normal"), pairs.get("font-weight", "400")


def _without_styles(markup: str) -> Typeset:
    """Return a formula with its inline styles replaced by classes."""
    styles: dict[str, str] = {}

    def named(match: re.Match[str]) -> str:
        name = "k" + hashlib.sha256(match[1].encode()).hexdigest()[:6]
        styles[name] = match[1]
        return f' data-style="{name}"'

    markup = _STYLE_ATTRIBUTE.sub(named, markup)
    # A tag has one class attribute at most: the style's class joins it.
    markup = re.sub(r'class="([^"]*)" data-style="(\w+)"', r'class="\1 \2"', markup)
    return Typeset(re.sub(r'data-style="(\w+)"', r'class="\1"', markup), tuple(sorted(styles.items())))


@functools.cache
def _software() -> str:
    """Return what typesets formulas and cuts fonts: another version of it can leave other bytes."""
    versions = tuple(importlib.metadata.version(name) for name in ("fonttools", "mini-racer"))
    return software(__file__, str(KATEX / "katex.min.js"), packages=versions)


def _cut(face: str, characters: str) -> str:
    """Return an ``@font-face`` rule with only the given characters; empty if the font has none of them."""
    from fontTools import subset

    name = re.search(r"fonts/([\w-]+)\.woff2", face)
    assert name is not None
    # A browser needs no names of the font, and draws what is missing with another one.
    options = subset.Options(flavor="woff2", hinting=False, layout_features=[], notdef_outline=False, name_IDs=[])
    file = io.BytesIO()
    with subset.load_font(io.BytesIO(_decoded(name[1])), options) as font:
        wanted = {ord(c) for c in characters} & set(font.getBestCmap())
        if not wanted:
            return ""
        subsetter = subset.Subsetter(options)
        subsetter.populate(unicodes=wanted)
        subsetter.subset(font)
        subset.save_font(font, file, options)
    data = base64.b64encode(file.getvalue()).decode()
    kept = ";".join(part for part in face.split(";") if not part.startswith("src:"))
    return f'@font-face{{{kept};src:url(data:font/woff2;base64,{data}) format("woff2")}}'


@functools.cache
def _decoded(name: str) -> bytes:
    """Return one of KaTeX's fonts uncompressed: to decompress it takes four times as long as to cut it."""
    from fontTools.ttLib import TTFont

    file = io.BytesIO()
    with TTFont(KATEX / "fonts" / f"{name}.woff2", recalcTimestamp=False) as font:  # the same bytes at any time
        font.flavor = None
        font.save(file)
    return file.getvalue()


def problems(pages: Iterable[Page], typesetter: Typesetter) -> list[Problem]:
    """Typeset the formulas of pages; return those that KaTeX cannot read."""
    listed = [(page.path, line, formula) for page in pages for line, formula in page.formulas]
    typesetter.prepare(formula for _, _, formula in listed)
    failed = []
    for path, line, formula in listed:
        try:
            typesetter.html(formula)
        except ValueError as error:
            hint = "what KaTeX reads: https://katex.org/docs/supported.html"
            failed.append(Problem(path, line, f"the formula `{formula.tex}` cannot be typeset: {error}", hint))
    return failed
