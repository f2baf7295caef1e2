"""Renders notebooks as HTML with mkdocs-jupyter's template and filters.

As a plugin of MkDocs, mkdocs-jupyter puts 105 KB of style (compressed) and three scripts from elsewhere into each page,
and does nothing at all under static-i18n. So its exporter is called here, with a template without those.
"""

from __future__ import annotations

import copy
import functools
import html
import re
from pathlib import Path
from typing import Any

from verbatim.markdown import Formula
from verbatim.run import variables
from verbatim.site.html import markup, smaller_svg
from verbatim.site.html.formulas import Typesetter
from verbatim.words import COMMON

TEMPLATES = Path(__file__).parents[1] / "templates"

# Private-use characters mark the place of a formula while Markdown is turned into HTML.
_OPEN, _CLOSE = "\ue000", "\ue001"
_INLINE_FORMULA = re.compile(f"{_OPEN}(\\d+)i{_CLOSE}")
_DISPLAY_FORMULA = re.compile(f"(?:<p>)?{_OPEN}(\\d+)d{_CLOSE}(?:</p>)?")

#: The anchor that `verbatim.write.notebook` writes above a heading: the heading gets its id.
_HEADING_ANCHOR = re.compile(
    r'<p><a id="(?P<id>[\w.-]+)"></a></p>\s*<(?P<tag>h[1-6])[^>]*>(?P<text>.*?)</(?P=tag)>', re.DOTALL
)
_ANCHOR_LINK = re.compile(r'<a class="anchor-link"[^>]*>.*?</a>', re.DOTALL)
_FIGURE_OUTPUT = re.compile(r'(<div class="jp-RenderedSVG[^>]*>).*?</div>', re.DOTALL)
_ALIGNED_CELL = re.compile(r'(<t[hd]) style="text-align: ?(\w+);?"')
_TITLE_TAG = re.compile(r"<h1 [^>]*>")
#: Ids with characters that break selectors: Material's copy button would not find its code.
_CELL_ID = re.compile(r' id="cell-id=[^"]*"')
#: Numeric character references, as which nbconvert writes Chinese in headings.
_CHARACTER_REFERENCE = re.compile(r"&#(\d{3,});")


class Formulas:
    """Replaces a notebook's formulas by placeholders that Markdown leaves alone, and puts them back."""

    def __init__(self, typesetter: Typesetter):
        self._typesetter = typesetter
        self._formulas: list[Formula] = []

    def place(self, formula: Formula) -> str:
        """Return the placeholder of a formula."""
        self._formulas.append(formula)
        return f"{_OPEN}{len(self._formulas) - 1}{'d' if formula.display else 'i'}{_CLOSE}"

    def put_back(self, content: str) -> str:
        """Replace the placeholders by the typeset formulas."""
        return _DISPLAY_FORMULA.sub(self._element, _INLINE_FORMULA.sub(self._element, content))

    def _element(self, match: re.Match[str]) -> str:
        number = int(match[1])
        return self._typesetter.element(self._formulas[number]) if number < len(self._formulas) else match[0]


def render(notebook: dict[str, Any]) -> str:
    """Return a notebook as the HTML of a page's content: cells, outputs and prose, no style and no script.

    Args:
        notebook: As `verbatim.write.notebook.weave` makes it.
    """
    notebook = copy.deepcopy(notebook)
    figures = iter(_take_figures(notebook))
    # nbconvert makes images of figures; inside the page they take its colours.
    return _FIGURE_OUTPUT.sub(lambda match: f"{match[1]}{next(figures)}</div>", _convert(notebook))


def _convert(notebook: dict[str, Any]) -> str:
    import nbformat  # only where a notebook is new

    content, _ = _exporter().from_notebook_node(
        nbformat.from_dict(_joined(notebook)), resources=_resources(notebook["metadata"]["verbatim"]["language"])
    )
    content = _ANCHOR_LINK.sub("", content)
    content = _HEADING_ANCHOR.sub(r'<\g<tag> id="\g<id>">\g<text></\g<tag>>', content)
    content = _CELL_ID.sub("", _TITLE_TAG.sub("<h1>", content))
    content = _CHARACTER_REFERENCE.sub(lambda match: chr(int(match[1])), content)
    # The pages' policy forbids styles in tags; a table that is too wide scrolls in a box of its own.
    return markup.plain(markup.unspaced(markup.boxes(_ALIGNED_CELL.sub(r'\1 align="\2"', content)))).strip()


def _joined(notebook: dict[str, Any]) -> dict[str, Any]:
    for cell in notebook["cells"]:
        cell["source"] = "".join(cell["source"])
    return notebook


def _take_figures(notebook: dict[str, Any]) -> list[str]:
    """Remove the figures from a notebook and return them in order, each with its caption as its label."""
    figures = []
    for cell in notebook["cells"]:
        caption = html.escape(cell["metadata"].get("verbatim", {}).get("caption", ""))
        for output in cell.get("outputs", []):
            if svg := "".join(output.get("data", {}).get("image/svg+xml", "")):
                output["data"]["image/svg+xml"] = "<svg/>"
                figures.append(smaller_svg.inline(svg).replace("<svg ", f'<svg role="img" aria-label="{caption}" ', 1))
    return figures


def _resources(language: str) -> dict[str, Any]:
    return {"mkdocs": {"include_requirejs": False}, "words": COMMON[language]}


@functools.cache
def _exporter() -> Any:
    """mkdocs-jupyter's exporter, made once: making it costs as much as many notebooks."""
    # Else nbconvert imports all its other exporters, to ask them for the settings of its command line.
    with variables.temporarily(NBCONVERT_DISABLE_CONFIG_EXPORTERS="1"):
        from mkdocs_jupyter.config import settings

        from verbatim.site import adapt  # it imports MkDocs

        return adapt.notebook_exporter(
            template_file="notebook.html.j2",
            extra_template_paths=[str(TEMPLATES), settings.templates_dir],
            filters={"highlight_code": _highlight},
            theme="light",
        )


def _highlight(source: str, language: str | None = None, metadata: Any = None) -> str:
    """Colour code with the classes that the pages' code has. nbconvert passes the other two."""
    return _coloured(source)


@functools.lru_cache(maxsize=1 << 14)
def _coloured(source: str) -> str:
    """Colour a cell once for both languages: that is a third of a notebook's time."""
    from verbatim.site import adapt

    return markup.calls(adapt.colour(source, _formatter()))


@functools.cache
def _formatter() -> Any:
    """Made once: it writes a stylesheet for itself."""
    from pygments.formatters import HtmlFormatter

    return HtmlFormatter(cssclass="highlight", wrapcode=True)
