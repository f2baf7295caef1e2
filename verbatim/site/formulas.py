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
from pathlib import Path

from verbatim import store
from verbatim.markdown import FORMULA, Formula, formula_of, formulas
from verbatim.problems import Problem
from verbatim.site.stylesheet import Used, trim
from verbatim.store import Passed

KATEX = Path(__file__).parent / "vendor" / "katex"

#: The element that pymdownx.arithmatex writes for a formula.
MARKED = re.compile(r'<(?P<tag>span|div) class="arithmatex">(?P<tex>.+?)</(?P=tag)>', re.DOTALL)

_STYLE = re.compile(r' style="([^"]*)"')
_CLASS = re.compile(r'class="([^"]*)"')
_TEXT = re.compile(r">([^<]+)<")
_MATHML = re.compile(r'<span class="katex-mathml">.*?</math></span>', re.DOTALL)
_FACE = re.compile(r"@font-face\{([^}]*)\}")
_RULE = re.compile(r"([^{}]+)\{([^{}]*)\}")


class Typesetter:
    """Typesets formulas and records which glyphs and styles they use.

    Args:
        cache: Folder where stylesheets are kept between builds; cutting fonts takes longer than anything else here.
    """

    def __init__(self, cache: Path | None = None) -> None:
        self._cache = cache
        self._html: dict[Formula, str] = {}
        self._errors: dict[Formula, str] = {}
        self._styles: dict[str, str] = {}

    def prepare(self, formulas: Iterable[Formula]) -> None:
        """Typeset the formulas that are new. KaTeX is loaded once for all of them."""
        missing = [f for f in dict.fromkeys(formulas) if f not in self._html and f not in self._errors]
        if not missing:
            return
        from py_mini_racer import JSEvalException, MiniRacer

        # Left to the garbage collector, MiniRacer can hang when Python ends: it is closed here.
        with MiniRacer() as engine:
            engine.eval((KATEX / "katex.min.js").read_text(encoding="utf-8"))
            for formula in missing:
                options = {"displayMode": formula.display, "throwOnError": True, "strict": "ignore"}
                try:
                    markup = engine.call("katex.renderToString", formula.tex, options)
                    self._html[formula] = self._take_in(markup)
                except JSEvalException as error:
                    found = re.search(r"KaTeX parse error: (.*)", str(error))
                    self._errors[formula] = found[1] if found else str(error).splitlines()[0]

    def html(self, formula: Formula) -> str:
        """Return a formula as HTML.

        Raises:
            ValueError: KaTeX cannot read it.
        """
        self.prepare([formula])
        if formula in self._errors:
            raise ValueError(self._errors[formula])
        return self._html[formula]

    def _take_in(self, markup: str) -> str:
        """Replace inline styles by classes, and remember what the formula needs."""
        markup = _STYLE.sub(lambda m: f' data-style="{self._style(m[1])}"', markup)
        # A tag has one class attribute at most: the style's class joins it.
        markup = re.sub(r'class="([^"]*)" data-style="(\w+)"', r'class="\1 \2"', markup)
        return re.sub(r'data-style="(\w+)"', r'class="\1"', markup)

    def _style(self, style: str) -> str:
        name = "k" + hashlib.sha256(style.encode()).hexdigest()[:6]
        self._styles[name] = style
        return name

    def page(self, content: str) -> str:
        """Return a page's HTML with its formulas typeset."""
        return MARKED.sub(self._replace, content)

    def _replace(self, match: re.Match[str]) -> str:
        found = FORMULA.search(html.unescape(match["tex"]))
        return self.element(formula_of(found)) if found else match[0]

    def element(self, formula: Formula) -> str:
        """Return a formula as an element of a page; a displayed one scrolls in its own box."""
        tag, kind = ("div", "math math-display") if formula.display else ("span", "math")
        return f'<{tag} class="{kind}">{self.html(formula)}</{tag}>'

    def stylesheet(self, formulas: Iterable[Formula]) -> str:
        """Return the CSS of these formulas, with their fonts; an empty string without formulas.

        A page gets a stylesheet of its own: one for the whole site would have to bring every glyph to every page.
        """
        known = [f for f in dict.fromkeys(formulas) if f in self._html]
        if not known:
            return ""
        visible = "".join(_MATHML.sub("", self._html[formula]) for formula in known)
        classes = {name for group in _CLASS.findall(visible) for name in group.split()}
        characters = "".join(sorted(set(html.unescape("".join(_TEXT.findall(visible))))))
        css = (KATEX / "katex.min.css").read_text(encoding="utf-8")
        rules = _FACE.sub("", css)
        used = _faces(rules, classes)
        faces = "".join(self._face(face, characters) for face in _FACE.findall(css) if _key(face) in used)
        styles = "".join(f".katex .{name}{{{self._styles[name]}}}" for name in sorted(classes & self._styles.keys()))
        shown = Used()
        shown.page("".join(self.element(formula) for formula in known))
        rules = trim(rules, shown)
        return f"/* KaTeX, MIT licence, https://katex.org */\n{faces}{rules}{styles}\n"

    def _face(self, face: str, characters: str) -> str:
        """Return a font face with only the glyphs that are used, from the cache if it was made before."""
        path = store.file(self._cache, "face", f"{_cutter()}\0{face}\0{characters}", "css") if self._cache else None
        return store.text(path, lambda: _cut(face, characters))


def _faces(rules: str, classes: set[str]) -> set[tuple[str, str, str]]:
    """Return the font faces that a formula's classes use."""
    found = {("KaTeX_Main", "normal", "400")}
    for selectors, body in _RULE.findall(rules):
        if "font-family" not in body:
            continue
        for selector in selectors.split(","):
            if set(re.findall(r"\.([\w-]+)", selector)) <= classes:
                found.add(_key(body))
    return found


def _key(declarations: str) -> tuple[str, str, str]:
    """Return family, style and weight of a font face, or of a rule that uses one."""
    pairs = dict(pair.split(":", 1) for pair in declarations.split(";") if ":" in pair)
    family = pairs["font-family"].strip("\"'")
    return family, pairs.get("font-style", "normal"), pairs.get("font-weight", "400")


@functools.cache
def _cutter() -> str:
    """Return what cuts fonts: another version of it can leave other bytes."""
    return importlib.metadata.version("fonttools") + Path(__file__).read_text(encoding="utf-8")


def _cut(face: str, characters: str) -> str:
    """Return an ``@font-face`` rule with only the given characters; empty if the font has none of them."""
    from fontTools import subset

    name = re.search(r"fonts/([\w-]+)\.woff2", face)
    assert name is not None
    # A browser needs no names of the font, and draws what is missing with another one.
    options = subset.Options(flavor="woff2", hinting=False, layout_features=[], notdef_outline=False, name_IDs=[])
    file = io.BytesIO()
    with subset.load_font(str(KATEX / "fonts" / f"{name[1]}.woff2"), options) as font:
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


def problems(pages: Iterable[tuple[str, str]], typesetter: Typesetter, passed: Passed | None = None) -> list[Problem]:
    """Typeset every formula of ``(path, text)`` pages; return those that KaTeX cannot read.

    Args:
        pages: The pages.
        typesetter: Typesets formulas.
        passed: Remembers texts in which KaTeX could read all.
    """
    found: list[Problem] = []
    passed = passed or Passed()
    pages = list(pages)
    new = [(path, text) for path, text in pages if f"formulas\0{text}" not in passed]
    listed = [(path, line, formula) for path, text in new for line, formula in formulas(text)]
    typesetter.prepare(formula for _, _, formula in listed)
    for path, line, formula in listed:
        try:
            typesetter.html(formula)
        except ValueError as error:
            hint = "what KaTeX reads: https://katex.org/docs/supported.html"
            found.append(Problem(path, line, f"the formula `{formula.tex}` cannot be typeset: {error}", hint))
    wrong = {problem.path for problem in found}
    for path, text in pages:
        if path not in wrong:
            passed.add(f"formulas\0{text}")
    return found
