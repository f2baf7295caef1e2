"""The Content-Security-Policy that a page gets."""

from __future__ import annotations

import base64
import hashlib
import re

from verbatim.site.html.policy import NONCE, PLACEHOLDER, enforce

HEAD = f"<head>{PLACEHOLDER}<script>one()</script><script src=x.js></script></head>"


def scripts(html: str) -> str:
    return re.search(r"script-src ([^;]*);", html)[1]


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_allows_the_inline_scripts_of_the_templates_each_once():
    body = "<body><article>text</article><script>two()</script><script>one()</script></body>"
    assert scripts(enforce(HEAD + body)) == f"'self' {digest('one()')} {digest('two()')}"


def test_allows_the_inline_styles_of_the_templates():
    page = f"<head>{PLACEHOLDER}<style id=a>p{{top:0}}</style></head><article><style>b{{}}</style></article>"
    assert f"; style-src 'self' {digest('p{top:0}')}; " in enforce(page)
    assert digest("p{top:0}") not in scripts(enforce(page))


def test_data_is_no_script():
    page = f'{HEAD}<script id="__config" type="application/json">{{"a": 1}}</script>'
    assert scripts(enforce(page)) == f"'self' {digest('one()')}"


def test_allows_no_script_that_stands_in_a_page_s_text():
    hostile = "<article><script>evil()</script></article><script>evil()</script><article></article>"
    assert digest("evil()") not in enforce(HEAD + hostile)


def test_nothing_from_elsewhere_and_nothing_unsafe():
    policy = re.search(r'content="([^"]*)"', enforce(HEAD))[1]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    assert "http" not in policy


def test_while_serving_the_script_that_reloads_is_allowed_and_no_other():
    assert scripts(enforce(HEAD, serving=True)) == f"'self' {digest('one()')} 'nonce-{NONCE}'"
    assert len(NONCE) > 20 and "unsafe" not in enforce(HEAD, serving=True)


def test_data_for_crawlers_is_no_script():
    assert (
        scripts(enforce(f'{HEAD}<script type="application/ld+json">{{"a": 1}}</script>')) == f"'self' {digest('one()')}"
    )
