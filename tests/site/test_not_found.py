"""The page for addresses that do not exist, of the same page in each language."""

from __future__ import annotations

import re

from verbatim.site.html.not_found import together


def page(word: str) -> str:
    header = f'<header>{word}</header><script src="one.js"></script>'
    return (
        f"<head></head><!--part-->\n{header}\n<!--/part--><main></main><!--part--><nav>{word}</nav><!--/part-->{word}"
    )


def test_one_language_is_shown_as_it_is():
    script = '<script src="one.js"></script>'
    assert together({"zh": page("头")}) == f"<head></head><header>头</header>{script}<main></main><nav>头</nav>头"


def test_the_parts_of_other_languages_lie_beside_the_first_ones_and_their_scripts_run_once():
    made = together({"zh": page("头"), "en": page("head"), "fr": page("tête")})
    shown = re.sub(r"<template.*?</template>|<script>.*?</script>", "", made)
    assert shown == together({"zh": page("头")})
    assert made.count("one.js") == 1 and made.index("one.js") > made.index("tête")
    assert re.findall(r'<template lang="(\w+)">(.*?)</template>', made) == [
        ("en", "<header>head</header>"),
        ("fr", "<header>tête</header>"),
        ("en", "<nav>head</nav>"),
        ("fr", "<nav>tête</nav>"),
    ]
