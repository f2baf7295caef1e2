"""Changes the HTML that Markdown makes of a page to what the site shows. Pure."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping

from verbatim.languages import CHINESE

_CODE_BLOCK = re.compile(r'<div class="(?:[\w-]+ )*highlight">.*?</div>', re.DOTALL)
_ANNOTATION_MARK = re.compile(r'([ \t]*)<span class="c1">(#\s*\(\d+\)!?)</span>')
#: A name or a space, as Pygments marks it.
_UNCOLOURED_SPAN = re.compile(r'<span class="[nw]">([^<]*)</span>')
#: A name that is called, as Pygments' lexer for Python leaves it.
_CALLED_NAME = re.compile(r'<span class="n">(?=\w+</span><span class="p">\()')
_QUESTION_FOLD = re.compile(r'<details class="asks">\s*<summary>.*?</summary>', re.DOTALL)
#: Tags of a page; what has its own text inside counts as one.
_TAG_OR_BLOCK = re.compile(
    r"<(?:pre|svg|math|script|select)\b.*?</(?:pre|svg|math|script|select)>|<(?P<close>/?)(?P<tag>[a-zA-Z][\w-]*)(?P<given>[^>]*)>",
    re.DOTALL,
)
#: What stands in front of what readers see.
_HEAD = re.compile(r"\A.*?<body\b", re.DOTALL)
#: A name that may be longer than a narrow column; a shorter one begins the next line. Where a line may end in it.
_LONG_NAME = re.compile(r"[A-Za-z_][\w.]{31,}")
_WITHIN_NAME = re.compile(r"(?<=[A-Za-z0-9][._])(?=[A-Za-z])")
#: What stands inside of these is no sentence, or is a link already.
_UNREAD_ELEMENTS = {"a", "code", "em", "span", "button", "label"}
#: The end of the class of the line above a list whose entries stand in one line each, and such an entry.
_BRIEF = ' brief" '
_BRIEF_ENTRY = re.compile(r"(<li><a [^>]*>)<code>(.*?)</code>(?=</a>)")
_LIST_START = re.compile(r"\s*<ol>")
_LINE_INDENT = re.compile(r"\n\s+")
_TAG = re.compile(r"<[^>]*>")
_TABLE_ELEMENT = re.compile(r"<table\b.*?</table>", re.DOTALL)
_REMEDY_PARAGRAPH = re.compile(r'<p class="remedy">.*?</p>', re.DOTALL)
_VERBATIM_ELEMENT = re.compile(r"(<(?:pre|svg|math)\b.*?</(?:pre|svg|math)>)", re.DOTALL)
#: A line break between two Chinese characters: browsers would show it as a space.
_CHINESE_LINE_BREAK = re.compile(rf"(?<=[{CHINESE}])\n(?=[{CHINESE}])")


def finish(content: str) -> str:
    """Return a page's content with annotated code, boxes around tables, light lists, no spaces in Chinese lines."""
    return plain(unspaced(boxes(entries(annotate(content)))))


def plain(content: str) -> str:
    """Remove the tags around names and spaces in coloured code: they have the colour of code itself.

    These are a tenth of a page's text.
    """
    return _UNCOLOURED_SPAN.sub(r"\1", content)


def entries(content: str) -> str:
    """Remove the code elements from links of a brief list: a page has a thousand of them, its style one rule."""
    before, marked, after = content.partition(_BRIEF)
    return before + marked + _BRIEF_ENTRY.sub(r"\1\2", after) if marked else content


def below_remedy(content: str, line: str) -> str:
    """Put a line below the first remedy of a page; below each of several it would be noise. `line`: HTML."""
    return _REMEDY_PARAGRAPH.sub(lambda match: f'{match[0]}\n<p class="verbatim-package">{line}</p>', content, count=1)


def annotate(content: str) -> str:
    """Prepare code with annotation marks, ``# (1)!``, and the list of texts below it for Material's annotations.

    List and marks get classes, so that nothing moves when Material's script puts the one into the other; the code gets
    its text without marks, for the copy button.
    """
    done: list[str] = []
    position = 0
    for code in _CODE_BLOCK.finditer(content):
        below = _LIST_START.match(content, code.end())
        if not below or not _ANNOTATION_MARK.search(code[0]):
            continue
        plain = _TAG.sub("", _ANNOTATION_MARK.sub("", code[0])).strip("\n")
        marked = _ANNOTATION_MARK.sub(r'\1<span class="c1 annotation">\2</span>', code[0])
        done += [content[position : code.start()], marked.replace("<div ", f'<div data-copy="{_quoted(plain)}" ', 1)]
        done.append('\n<ol class="annotations">')
        position = below.end()
    return "".join([*done, content[position:]])


def with_switch(content: str, always: str) -> str:
    """Put the switch for readers who want no questions into each fold that asks. `always`: its label."""
    switch = f'<label class="always"><input type="checkbox" autocomplete="off">{html.escape(always)}</label>'
    return _QUESTION_FOLD.sub(lambda m: m[0] + switch, content)


def terms(content: str, targets: Mapping[str, str]) -> str:
    """Link each term where it stands first in a page's paragraphs, except in code, formulas, captions and links.

    Args:
        content: The page's HTML.
        targets: Words by which terms are called, in lower case → address.
    """
    if not targets:
        return content
    left = dict(targets)
    ordered = sorted(targets, key=len, reverse=True)  # “transposed convolution” before “convolution”
    pattern = re.compile("|".join(_called(word) for word in ordered), re.IGNORECASE)

    def link(match: re.Match[str]) -> str:
        word = match[0].lower()
        word = next((form for form in (word, word.removesuffix("s"), word.removesuffix("es")) if form in targets), "")
        target = left.pop(word, "")
        return f'<a class="term" href="{html.escape(target)}">{match[0]}</a>' if target else match[0]

    done: list[str] = []
    apart = 0
    sentence = False
    for text, token in _texts(content):
        if not token:
            done.append(text)
            break
        done += [pattern.sub(link, text) if sentence and not apart else text, token[0]]
        if token["tag"] == "p":
            sentence = not token["close"] and not token["given"]
        elif token["tag"] in _UNREAD_ELEMENTS:
            apart += -1 if token["close"] else 1
    return "".join(done)


def _texts(content: str) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Yield each text of HTML with the tag behind it, or what counts as one; the last has none."""
    position = 0
    for token in _TAG_OR_BLOCK.finditer(content):
        yield content[position : token.start()], token
        position = token.end()
    yield content[position:], None


def _called(word: str) -> str:
    """Return a pattern for a term: in English a whole word, or its plural."""
    return rf"(?<![\w-]){re.escape(word)}(?:e?s)?(?![\w-])" if word.isascii() else re.escape(word)


def calls(code: str) -> str:
    """Give names that are called the class of functions' names, in Python coloured by Pygments."""
    return _CALLED_NAME.sub('<span class="nf">', code)


def squeeze(page: str) -> str:
    """Remove blank lines and indentation of the templates outside of a page's article."""
    before, opening, rest = page.partition("<article")
    inside, closing, after = rest.rpartition("</article>")
    return _LINE_INDENT.sub("\n", before) + opening + inside + closing + _LINE_INDENT.sub("\n", after)


def breakable(page: str) -> str:
    """Let lines end within long names behind a dot or an underscore; browsers would cut such names anywhere.

    What is copied is the name alone.
    """
    head = _HEAD.match(page)
    start = head.end() if head else 0
    parts = (_with_breaks(text) + (token[0] if token else "") for text, token in _texts(page[start:]))
    return page[:start] + "".join(parts)


def _with_breaks(text: str) -> str:
    return _LONG_NAME.sub(lambda name: _WITHIN_NAME.sub("<wbr>", name[0]), text)


def _quoted(text: str) -> str:
    """Return text escaped for use as the value of an HTML attribute."""
    return html.escape(html.unescape(text)).replace("\n", "&#10;")


def boxes(content: str) -> str:
    """Wrap each table in a box that scrolls when the page is narrower than the table.

    An empty corner heads nothing, and a screen reader would announce it.
    """
    return _TABLE_ELEMENT.sub(lambda m: f'<div class="table">{m[0].replace("<th></th>", "<td></td>")}</div>', content)


def unspaced(content: str) -> str:
    """Remove line breaks between two Chinese characters, except in code and figures."""
    parts = _VERBATIM_ELEMENT.split(content)
    return "".join(part if n % 2 else _CHINESE_LINE_BREAK.sub("", part) for n, part in enumerate(parts))
