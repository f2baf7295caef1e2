"""What a page or a run shows as output, as text that can be compared between ways. Pure.

How a way cuts a cell's output into blocks, which blank lines it keeps and whether it ends lines with blanks is its own
business; everything else must be equal.
"""

from __future__ import annotations

import html.parser


class _Blocks(html.parser.HTMLParser):
    """Collects the text of each `<pre>` inside a `<div>` of a class."""

    def __init__(self, marker: str):
        super().__init__()
        self.marker = marker
        self.found: list[str] = []
        self._depth = 0
        self._open = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "div":
            marked = self.marker in (dict(attrs).get("class") or "").split()
            self._depth += bool(self._depth or marked)
        elif tag == "pre" and self._depth:
            self.found.append("")
            self._open = True

    def handle_endtag(self, tag: str) -> None:
        if tag == "div" and self._depth:
            self._depth -= 1
        elif tag == "pre":
            self._open = False

    def handle_data(self, data: str) -> None:
        if self._open:
            self.found[-1] += data


def lines(text: str) -> list[str]:
    """Return the lines of a text that are not blank, without blanks at their ends."""
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def in_html(text: str, marker: str) -> list[str]:
    """Return the output lines of a page whose outputs stand in `<div class="marker"> … <pre>`."""
    parser = _Blocks(marker)
    parser.feed(text)
    return lines("\n".join(parser.found))


def in_run(text: str) -> dict[str, list[str]]:
    """Return the output lines of each script that `python -m verbatim run` printed, by the script's name."""
    by_name: dict[str, list[str]] = {}
    for block in text.split("\n== "):
        head, _, body = block.removeprefix("== ").partition("\n")
        name = head.split(".py")[0].rpartition("/")[2]
        by_name[name] = [line for line in lines(body) if not line.startswith("-- ")]
    return by_name


def difference(expected: list[str], actual: list[str]) -> str:
    """Say where two outputs part; nothing where they are equal."""
    for number, (want, have) in enumerate(zip(expected, actual, strict=False), 1):
        if want != have:
            return f"line {number} of its outputs is `{have}`, `{want}` was expected"
    if len(actual) < len(expected):
        return f"{len(expected) - len(actual)} of {len(expected)} lines are missing, first `{expected[len(actual)]}`"
    if len(actual) > len(expected):
        return f"{len(actual) - len(expected)} lines too many, first `{actual[len(expected)]}`"
    return ""
