"""Material's stylesheet → the part of it that this site's pages use. Pure."""

from __future__ import annotations

import functools
import re
from typing import Any

import tinycss2

#: Classes of Material's frame, of scripts of its own, of right-to-left pages and of things that no page of ours has.
UNUSED = re.compile(
    r"\.md-(?!typeset|clipboard__none)[\w-]+|\[dir=rtl\]|\.js\b|\.no-js\b|\.mermaid|\.giscus|\.tippy|\[data-md-toggle|"
    r"\[data-md-color-(?:primary|accent)|\.mdx-|\.(?:codehilite|highlight)table|\.linenodiv|\.linenos|\.tabbed-control|"
    r"\.tabbed-button|\.emojione|\.twemoji|\.gemoji|\.critic|\.task-list|\.footnote|\.arithmatex|\.doc-|\.grid|\.card"
)

#: Icons and colours of the same.
UNUSED_PROPERTY = re.compile(
    r"--md-(?:annotation|clipboard|footnotes|mermaid|nav|search|social|source|status|tasklist|toc|version)-"
)


@functools.cache
def trim(css: str) -> str:
    """Drop the selectors that `UNUSED` matches, and rules that have no other; everything else keeps its order."""
    return "".join(_trimmed(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)))


def _trimmed(rules: list[Any]) -> list[str]:
    kept = []
    for rule in rules:
        if rule.type == "qualified-rule":
            selectors = [s for s in _selectors(rule.prelude) if not UNUSED.search(s)]
            if selectors and (body := _body(rule.content)):
                kept.append(f"{','.join(selectors)}{{{body}}}")
        elif rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword in ("media", "supports"):
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if within := "".join(_trimmed(inner)):
                kept.append(f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{within}}}")
        else:
            kept.append(rule.serialize())
    return kept


def _body(content: list[Any]) -> str:
    """Return a rule's declarations without those that define what nothing uses."""
    text: str = tinycss2.serialize(content)
    if not UNUSED_PROPERTY.search(text):
        return text
    found = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    kept = [d for d in found if d.type == "declaration" and not UNUSED_PROPERTY.match(d.lower_name)]
    return ";".join(d.serialize().rstrip(";") for d in kept)


def _selectors(prelude: list[Any]) -> list[str]:
    """Cut a rule's prelude at its commas; commas inside of brackets are not among its tokens."""
    found: list[str] = []
    current: list[Any] = []
    for token in [*prelude, None]:
        if token is None or (token.type == "literal" and token.value == ","):
            found.append(tinycss2.serialize(current).strip())
            current = []
        else:
            current.append(token)
    return found
