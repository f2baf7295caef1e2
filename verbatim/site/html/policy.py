"""The Content-Security-Policy of a page, made from the page itself. Pure."""

from __future__ import annotations

import base64
import hashlib
import re
import secrets

#: Marks the place of the policy in the templates: before everything that it applies to.
PLACEHOLDER = '<meta http-equiv="Content-Security-Policy" content="">'

#: Of this process alone, so that no page can know it when it is written.
NONCE = secrets.token_urlsafe(16)

_INLINE_ELEMENT = re.compile(r"<(?P<kind>script|style)(?P<attributes>[^>]*)>(?P<text>.*?)</(?P=kind)>", re.DOTALL)
_UNEXECUTED_ATTRIBUTE = re.compile(r'\bsrc=|\btype="application/(?:ld\+)?json"')


def enforce(html: str, *, serving: bool = False) -> str:
    """Return a page with its policy: files of the site are allowed, and what the templates write inline by its hash.

    Scripts and styles within the article are not allowed, because the article comes from a page's text and from runs.
    Stylesheets may contain images and fonts (`data:`). While serving, MkDocs inserts a script that reloads the page
    when something was saved; it is allowed by `NONCE`.
    """
    allowed = _digests(html, "script") + (f" 'nonce-{NONCE}'" if serving else "")
    content = "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {allowed}",
            f"style-src 'self' {_digests(html, 'style')}",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )
    return html.replace(PLACEHOLDER, PLACEHOLDER.replace('content=""', f'content="{content}"'), 1)


def _digests(html: str, kind: str) -> str:
    before, _, rest = html.partition("<article")
    frame = before + rest.rpartition("</article>")[2]
    inline = (
        element
        for element in _INLINE_ELEMENT.finditer(frame)
        if element["kind"] == kind and not _UNEXECUTED_ATTRIBUTE.search(element["attributes"])
    )
    texts = dict.fromkeys(element["text"].encode() for element in inline)
    return " ".join(f"'sha256-{base64.b64encode(hashlib.sha256(text).digest()).decode()}'" for text in texts)
