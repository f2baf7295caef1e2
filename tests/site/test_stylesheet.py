"""Material's stylesheets, cut to what pages and scripts use."""

from __future__ import annotations

import pytest

from verbatim.site.html.stylesheet import Used, marks, minify, trim


@pytest.fixture
def used() -> Used:
    found = Used()
    page = (
        '<body dir="ltr" data-md-color-primary="custom"><p class="md-typeset admonition"><a role="note">'
        "<h1>x<img></h1></a></p></body>"
    )
    found.page(marks(page))
    found.script('e.classList.toggle("md-dialog--active");e.classList.add("js");x("button",{"data-md-type":"copy"})')
    found.style(".mine{color:var(--md-asked)}")
    return found


@pytest.mark.parametrize(
    "selector",
    [
        "a",
        ".md-typeset a:hover",
        ".md-typeset :is(h1,a)",
        "p:nth-child(odd)>button,a:lang(zh)",
        "html h1+[role=note]",
        ".js .admonition",
        ".md-dialog--active",
        "[dir=ltr] .md-typeset",
        "[data-md-color-primary=custom]",
        "[data-md-type=copy]:after",
        "[data-md-copying]",
        ".admonition:not(.unknown)",
        'img[src$="#only-dark"]',
    ],
)
def test_keeps_what_can_match(used, selector):
    assert trim(f"{selector}{{color:red}}", used) == f"{selector}{{color:red}}"


@pytest.mark.parametrize(
    "selector",
    [
        ".md-search",
        ".md-typeset .unknown",
        "[dir=rtl] .md-typeset",
        "[data-md-color-primary=red]",
        ".md-typeset:is(.no)",
        "iframe",
        ".md-typeset h6",
        "p>h6:hover",
        "a+h6",
        "[role=columnheader]",
    ],
)
def test_drops_what_cannot(used, selector):
    assert trim(f"{selector}{{color:red}}", used) == ""


def test_properties_of_what_is_never_shown_are_left_out_though_a_script_asks_for_them(used):
    used.script('x("fill:var(--md-mermaid-edge);color:var(--md-label)")')
    assert trim(":root{--md-mermaid-edge:1;--md-label:2}", used) == ":root{--md-label:2}"


def test_cuts_lists_of_selectors_and_leaves_no_empty_rule(used):
    css = (
        ".md-typeset a,.md-search a{color:blue}@media print{.md-search{x:y}.js{margin:0}}@media screen{.md-search{x:y}}"
    )
    assert trim(css, used) == ".md-typeset a{color:blue}@media print{.js{margin:0}}"


def test_keeps_keyframes_and_pages(used):
    assert trim("@keyframes k{to{top:0}}@page{margin:25mm}", used) == "@keyframes k{to{top:0}}@page{margin:25mm}"


def test_drops_custom_properties_that_nothing_asks_for(used):
    css = ":root{--md-asked:var(--md-deeper);--md-deeper:1;--md-idle:url(x);--md-too:var(--md-idle)}.js{top:var(--md-top)}:root{--md-top:2}"
    assert trim(css, used) == ":root{--md-asked:var(--md-deeper);--md-deeper:1}.js{top:var(--md-top)}:root{--md-top:2}"


def test_drops_custom_properties_that_the_site_sets_on_all_pages(used):
    css = ":root{--md-a:var(--md-b);--md-b:1}@media screen{[dir=ltr]{--md-a:2}}.js{color:var(--md-a)}"
    used.style(".md-typeset,:root{--md-a:3}@media print{:root{--md-b:4}}", everywhere=True)
    used.style(":root{--md-b:5}")
    assert trim(css, used) == ".js{color:var(--md-a)}"
    used.style("p{top:var(--md-b)}")
    assert trim(css, used) == ":root{--md-b:1}.js{color:var(--md-a)}"


def test_what_a_script_gives_to_a_part_of_a_page_needs_that_part(used):
    used.script('x("div",{class:"tabbed-button"})')
    assert trim(".tabbed-button{color:red}", used) == ""
    used.page(marks('<div class="tabbed-set">'))
    assert trim(".tabbed-button{color:red}", used) == ".tabbed-button{color:red}"


def test_minify_keeps_what_a_stylesheet_says():
    css = "/* one */\n@media (width > 1em) {\n  a ,\n  b { color : red ; margin: 0 1px !important }\n}\n"
    assert minify(css) == "@media (width > 1em){a,b{color:red;margin:0 1px!important}}"


def test_what_a_script_could_show_and_the_site_never_does_is_left_out(used):
    used.script('h("div",{class:"md-search-result"});h("div",{class:"md-searching"})')
    assert trim(".md-search-result{color:red}", used) == ""
    used.page(marks('<p class="md-search-result">'))
    assert trim(".md-search-result{color:red}", used) == ".md-search-result{color:red}"
