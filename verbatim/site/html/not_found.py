"""The page for addresses that do not exist: one file for all languages, because a server knows one such file. Pure.

It is rendered once a language. What its template marks as parts (header, tabs, navigation: an element each) stands in
the first language; the same parts in the other languages lie beside them, and the page takes those of the language in
which an address was asked for, before it is drawn. Without scripts the first language's stay.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from html import escape

_LANGUAGE_PART = re.compile(r"<!--part-->(.*?)<!--/part-->", re.DOTALL)
_SCRIPT_ELEMENT = re.compile(r"<script\b.*?</script>", re.DOTALL)
_CHOOSE = (
    "<script>{let one=document.currentScript.previousElementSibling,chosen;"
    'for(;one.localName==="template";one=one.previousElementSibling)'
    "if(one.lang===document.documentElement.lang)chosen=one.content;"
    "if(chosen)one.replaceWith(chosen)}</script>"
)


def together(pages: Mapping[str, str]) -> str:
    """Merge the 404 pages of all languages into one.

    Args:
        pages: Language → the page as it was rendered, the site's first language first.
    """
    (_, first), *others = pages.items()
    parts = {language: iter(_LANGUAGE_PART.findall(html)) for language, html in others}

    def part(match: re.Match[str]) -> str:
        # Scripts come last and once: they look for what is shown then.
        scripts = "".join(_SCRIPT_ELEMENT.findall(match[1]))
        translated = "".join(
            f'<template lang="{escape(language)}">{_SCRIPT_ELEMENT.sub("", next(its)).strip()}</template>'
            for language, its in parts.items()
        )
        return _SCRIPT_ELEMENT.sub("", match[1]).strip() + (translated and translated + _CHOOSE) + scripts

    return _LANGUAGE_PART.sub(part, first)
