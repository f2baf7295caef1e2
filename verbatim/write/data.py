"""Document → plain Markdown, and as data which of its lines other releases of torch print otherwise.

The package that readers install shows a page as one release printed it (`explain/`): it looks up here what stands in
place of which lines, and need not understand what titles of outputs say.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import groupby
from typing import Any

from verbatim.pages.document import Document
from verbatim.write import markdown

#: Lines of a page that a chosen release replaces: the number of the first from 0, that behind the last, and what stands
#: in their place, each as the releases and the text; none where the lines are left out, whatever was chosen.
Replaced = list[Any]


def page(
    document: Document,
    figure: markdown.FigureAddress,
    *,
    rewrite_prose: Callable[[str], str] = lambda text: text,
    rewrite_line: Callable[[str], str] = lambda text: text,
) -> tuple[str, list[Replaced]]:
    """Return a page as plain Markdown, and what of it a chosen release replaces.

    Of a cell, the built version's outputs are replaced, and the fold with those of all others is left out.
    `rewrite_prose` and `rewrite_line` are those of `markdown.lines_of`.
    """
    form = replace(markdown.BARE, releases=True)
    lines: list[str] = []
    replaced: list[Replaced] = []
    made = markdown.lines_of(
        markdown.Writer(document, figure, form), rewrite_prose=rewrite_prose, rewrite_line=rewrite_line
    )
    for place, group in groupby(made, key=lambda line: line.place):
        texts = [line.text for line in group]
        if place and place.releases:
            replaced[-1][2].append([list(place.releases), "\n".join(texts)])
            continue
        if place:
            replaced.append([len(lines), len(lines) + len(texts), []])
        lines += texts
    return "\n".join(lines) + "\n", replaced
