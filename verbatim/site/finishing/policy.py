"""The Content-Security-Policy of a page, made from the page itself. Pure."""

from __future__ import annotations

import base64
import hashlib
import re

#: Marks the place of the policy in the templates: before everything that it applies to.
PLACEHOLDER = '<meta http-equiv="Content-Security-Policy" content="">'

_SCRIPT = re.compile(r"<script(?P<attributes>[^>]*)>(?P<text>.*?)</script>", re.DOTALL)
_DATA = re.compile(r'\bsrc=|\btype="application/(?:ld\+)?json"')


def enforce(html: str, *, serving: bool = False) -> str:
    """Return a page with its policy: files of the site are allowed, and inline scripts of the templates by their hash.

    Inline scripts within the article are not allowed, because the article comes from a page's text and from runs.
    Stylesheets may contain images and fonts (`data:`). While serving, all inline scripts are allowed: MkDocs inserts
    one that reloads the page when something was saved.
    """
    allowed = "'unsafe-inline'" if serving else " ".join(f"'sha256-{digest}'" for digest in _digests(html))
    content = "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {allowed}",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return html.replace(PLACEHOLDER, PLACEHOLDER.replace('content=""', f'content="{content}"'), 1)


def _digests(html: str) -> list[str]:
    before, _, rest = html.partition("<article")
    frame = before + rest.rpartition("</article>")[2]
    texts = [s["text"] for s in _SCRIPT.finditer(frame) if not _DATA.search(s["attributes"])]
    return [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in dict.fromkeys(texts)]
