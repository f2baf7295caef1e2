"""Counts above a list and in the headings of its groups, with the data for the filter field. Pure."""

from __future__ import annotations

from html import escape

from verbatim.words import FILTER


def header(kind: str, count: int, language: str, *, brief: bool = False) -> list[str]:
    """Return the line above a list, with the number of its items. The site's script puts the filter field beside it.

    Args:
        kind: The kind of its items: a key of `words.FILTER`.
        count: The number of items.
        language: The page's language.
        brief: Whether its entries stand in one line each and are shown in full elsewhere.
    """
    words = FILTER[language]
    data = f'data-label="{escape(words["label"])}" data-none="{escape(words["none"])}"'
    classes = f"filter of-{kind}{' brief' if brief else ''}"
    return ["", f'<p class="{classes}" {data}>{words[kind].format(count=f"<b>{count}</b>")}</p>']


def heading(text: str, anchor: str, count: int) -> list[str]:
    """Return the heading of a group with its number of items, which the filter changes; the contents leave it out."""
    label = f'data-toc-label="{escape(text)}"'
    return ["", f'## {escape(text, quote=False)} <span class="count">{count}</span> {{ #{anchor} {label} }}', ""]
