"""What the frame says of a page, and the part of Material's stylesheet that pages get."""

from __future__ import annotations

import base64
import hashlib

from verbatim.site.frame import FONTS_SCRIPT, SCHEME_SCRIPT, Frame, colab_address, edit_address, policy
from verbatim.site.stylesheet import trim


def test_the_policy_allows_its_own_two_scripts_and_no_other():
    for script in (SCHEME_SCRIPT, FONTS_SCRIPT):
        assert base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() in policy()
    assert policy().count("sha256") == 2
    assert "unsafe" not in policy()
    assert "script-src 'self' 'unsafe-inline';" in policy(serving=True)


def test_addresses_of_the_repository():
    home = "https://github.com/a/b"
    assert edit_address(home, "main", "docs/zh/x.md") == "https://github.com/a/b/edit/main/docs/zh/x.md"
    assert (
        colab_address(home, "main", "o/x.ipynb") == "https://colab.research.google.com/github/a/b/blob/main/o/x.ipynb"
    )
    assert colab_address("https://gitlab.com/a/b", "main", "x") == ""
    assert edit_address("", "main", "x") == ""


def test_downloads_stand_beside_the_page():
    frame = Frame(url="en/autograd/leaf/", recipe="autograd/leaf")
    assert frame.py == "en/autograd/leaf/leaf.py"
    assert frame.ipynb == "en/autograd/leaf/leaf.ipynb"
    assert frame.notebook == "en/autograd/leaf/notebook/"


def test_trims_what_no_page_has():
    css = (
        ':root{--md-nav-icon--prev:url("data:image/svg+xml;a,b");--md-details-icon:url(x)}'
        ".md-header{color:red}.md-typeset a,.md-search a{color:blue}"
        "@media print{.md-footer{x:y}.md-typeset h1{margin:0}}@media screen{.md-nav{x:y}}"
        ".md-typeset :is(h1,h2){margin:0}@keyframes k{to{top:0}}"
    )
    assert trim(css) == (
        ":root{--md-details-icon:url(x)}"
        ".md-typeset a{color:blue}"
        "@media print{.md-typeset h1{margin:0}}"
        ".md-typeset :is(h1,h2){margin:0}@keyframes k{to{top:0}}"
    )
