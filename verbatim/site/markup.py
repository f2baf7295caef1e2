"""A page's HTML as Markdown makes it → as the site shows it. Pure."""

from __future__ import annotations

import functools
import re
from itertools import count

_CODE = re.compile(r'<div class="(?:[\w-]+ )*highlight">.*?</div>(?:\s*</details>)?', re.DOTALL)
_MARK = re.compile(r'<span class="c1">#\s*\((\d+)\)!?</span>')
_LIST_TAG = re.compile(r"<(/?)ol\b[^>]*>")
_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
_VERBATIM = re.compile(r"(<(?:pre|svg|math)\b.*?</(?:pre|svg|math)>)", re.DOTALL)
#: A line that ends and a line that begins with Chinese: browsers would put a space between them.
_BREAK = re.compile(r"(?<=[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef])\n(?=[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef])")


def finish(content: str, note: str) -> str:
    """Return a page's content: notes tied to their code, tables in boxes that scroll, no spaces between Chinese lines.

    Args:
        content: The page's HTML.
        note: What a note is called in the page's language, for screen readers.
    """
    return unspaced(boxes(notes(content, note)))


def notes(content: str, word: str) -> str:
    """Turn each ``# (1)!`` in code into a link to the item of the list right below that explains it.

    The number itself is drawn by the stylesheet, so that it is neither selected nor copied with the code.
    """
    done: list[str] = []
    position = 0
    serial = count(1)
    for code in _CODE.finditer(content):
        if code.start() < position or not _MARK.search(code[0]):
            continue
        opening = re.compile(r"\s*<ol>").match(content, code.end())
        if not opening:
            continue
        end = _list_end(content, code.end())
        explained = content[opening.end() : end - len("</ol>")]
        first = next(serial)
        for _ in range(_top_items(explained) - 1):
            next(serial)
        done.append(content[position : code.start()])
        done.append(_MARK.sub(functools.partial(_marked, first, word), code[0]))
        done.append(f'\n<ol class="notes">{_numbered(explained, first)}</ol>')
        position = end
    return "".join([*done, content[position:]])


def _marked(first: int, word: str, match: re.Match[str]) -> str:
    number = match[1]
    target = f"note-{first + int(number) - 1}"
    return f'<a class="note" href="#{target}" data-number="{number}" aria-label="{word} {number}"></a>'


def _list_end(content: str, start: int) -> int:
    """Return where the list that begins at ``start`` ends; lists may stand in lists."""
    depth = 0
    for tag in _LIST_TAG.finditer(content, start):
        depth += -1 if tag[1] else 1
        if depth == 0:
            return tag.end()
    return len(content)


def _items(explained: str) -> list[int]:
    """Return where the list's own items begin."""
    depth = 0
    found = []
    for tag in re.finditer(r"<(/?)(ol|ul|li)\b[^>]*>", explained):
        if tag[2] != "li":
            depth += -1 if tag[1] else 1
        elif not tag[1] and depth == 0:
            found.append(tag.start())
    return found


def _top_items(explained: str) -> int:
    return max(len(_items(explained)), 1)


def _numbered(explained: str, first: int) -> str:
    for number, start in reversed(list(enumerate(_items(explained), first))):
        explained = explained[:start] + f'<li id="note-{number}">' + explained[start + len("<li>") :]
    return explained


def boxes(content: str) -> str:
    """Put each table into a box of its own, which scrolls where the page is narrower than the table."""
    return _TABLE.sub(lambda m: f'<div class="table">{m[0]}</div>', content)


def unspaced(content: str) -> str:
    """Take out the line breaks of the source between two Chinese characters; code and figures keep theirs."""
    parts = _VERBATIM.split(content)
    return "".join(part if n % 2 else _BREAK.sub("", part) for n, part in enumerate(parts))
