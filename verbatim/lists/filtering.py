"""How long a list is, and each of its groups: what a page needs so that readers can filter it. Pure."""

from __future__ import annotations

from html import escape

from verbatim.words import FILTER


def above(kind: str, count: int, language: str, *, brief: bool = False) -> list[str]:
    """Return the line above a list: how much it holds. The site's script puts a field beside it.

    Args:
        kind: What the list holds: a key of `words.FILTER`.
        count: How many.
        language: The page's language.
        brief: Whether its entries stand in one line each and are shown in full elsewhere.
    """
    words = FILTER[language]
    data = f'data-label="{escape(words["label"])}" data-none="{escape(words["none"])}"'
    classes = f"filter brief brief-{kind}" if brief else "filter"
    return ["", f'<p class="{classes}" {data}>{words[kind].format(count=f"<b>{count}</b>")}</p>']


def heading(text: str, anchor: str, count: int) -> list[str]:
    """Return the heading of a group with its number of items."""
    return ["", f'## {escape(text, quote=False)} <span class="count">{count}</span> {{ #{anchor} }}', ""]
