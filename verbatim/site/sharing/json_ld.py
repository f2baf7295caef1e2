"""What a page says of itself to crawlers: schema.org's terms as JSON-LD. Pure."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import datetime

#: The licence of texts.
_LICENCE = "https://creativecommons.org/licenses/by/4.0/"


def article(
    title: str,
    summary: str,
    *,
    language: str,
    site_name: str,
    trail: Sequence[tuple[str, str]],
    image: str = "",
    changed: datetime | None = None,
) -> str:
    """Return the data of a page as the text of a ``<script type="application/ld+json">``.

    Args:
        title: The page's title.
        summary: Its description.
        language: Its language.
        site_name: The site's name.
        trail: Names and absolute addresses of the home page, the chapter, and the page itself.
        image: The absolute address of its card.
        changed: When it was last changed.
    """
    page: dict[str, object] = {
        "@type": "TechArticle",
        "headline": title,
        "description": summary,
        "url": trail[-1][1],
        "inLanguage": language,
        "license": _LICENCE,
        "author": {"@type": "Organization", "name": site_name, "url": trail[0][1]},
    }
    if image:
        page["image"] = image
    if changed:
        page["dateModified"] = changed.isoformat()
    steps = [
        {"@type": "ListItem", "position": number, "name": name, "item": address}
        for number, (name, address) in enumerate(trail, 1)
    ]
    return _dumps([page, {"@type": "BreadcrumbList", "itemListElement": steps}])


def website(name: str, summary: str, *, language: str, url: str) -> str:
    """Return the data of a home page as the text of a ``<script type="application/ld+json">``."""
    return _dumps([{"@type": "WebSite", "name": name, "description": summary, "url": url, "inLanguage": language}])


def _dumps(graph: list[dict[str, object]]) -> str:
    whole = {"@context": "https://schema.org", "@graph": graph}
    # Within a script, nothing but `</` ends the text.
    return json.dumps(whole, ensure_ascii=False, separators=(",", ":")).replace("<", "\\u003c")
