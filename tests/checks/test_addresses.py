"""What the HTML of a page has a browser follow, load or run, however the page spells it."""

from __future__ import annotations

from pathlib import Path

import pytest

from verbatim import project
from verbatim.checks import addresses, html
from verbatim.pages.page import Page

ROOT = Path(__file__).parents[2]
JS = "javascript:alert(1)"


def told(text: str) -> list[str]:
    return [str(one).partition("\n")[0] for one in html.check_html(Page("docs/en/x.md", f"# X\n\nText.\n\n{text}\n"))]


@pytest.mark.parametrize(
    "text",
    [
        f"[x]( {JS})",
        f"[x](< {JS}>)",
        f"[x](<\t{JS}>)",
        f"[x](\n{JS})",
        f'[x](\n{JS} "title")',
        f"| a |\n| --- |\n| [x]( {JS}) |",
        "[x]( data:text/html,<b>)",
        "[x](data:text/html;base64,PHNjcmlwdD4=)",
        "[x](vbscript:x)",
        "[x](blob:https://a.example/1)",
        "[x](file:///etc/passwd)",
        "[x](ms-msdt:/id)",
        "[x](JaVaScRiPt:alert(1))",
        "[x](javascript&colon;alert(1))",
        "[x](&#106;avascript:alert(1))",
        "[x](\x01javascript:alert(1))",
        "[x](view-source:x)",
        f"[x][i]\n\n[i]: {JS}",
        f"[i]\n\n[i]: <{JS}>",
        f"!!! note\n    [x]( {JS})",
        f"- a\n\n    [x]( {JS})",
        f'=== "A"\n\n    [x]( {JS})',
        f"> [x]( {JS})",
        f"**[x]( {JS})**",
        f"[![a](a.svg)]( {JS})",
        f"<{JS}>",
        f'<a href="{JS}">x</a>',
        '<a href="java&NewLine;script:alert(1)">x</a>',
        '<a href="java&Tab;script:alert(1)">x</a>',
        '<a href="java\nscript:alert(1)">x</a>',
        '<a href=" &#1;javascript:alert(1)">x</a>',
        '<a href="javascript&colon;alert(1)">x</a>',
        f"<a href={JS}>x</a>",
        f"<A HREF='{JS}'>x</A>",
        f"<div><a href='{JS}'>x</a></div>",
        "[x](//evil.example/)",
        "[x](\\\\\\\\evil.example/)",
        '<a href="/\\evil.example">x</a>',
        "![x](https://evil.example/a.png)",
        "![x]( https://evil.example/a.png)",
        "![x](HTTPS://evil.example/a.png)",
        "![x](//evil.example/a.png)",
        "![x](data:image/svg+xml,x)",
        "![x][i]\n\n[i]: https://evil.example/a.png",
        "![i]\n\n[i]: https://evil.example/a.png",
        '<img alt="x" src="/\\evil.example/a.png">',
        '<img alt="x" src="https:evil.example/a.png">',
        '<img alt="x" src="&#x68;ttps://evil.example/a.png">',
        '<img alt="x" src="a.png" srcset="https://evil.example/a.png 2x">',
        '<img alt="x" src="a.png" onerror="x()">',
        "![x](verbatim:0123)",
        "[x](verbatim:0123)",
        "[x](y.md){ onclick=x() }",
        "[x](y.md){ href=javascript:x }",
        "[x](y.md){ ping=https://evil.example }",
        "text\n{ style=background:url(//evil.example) }",
        '<p style="background:url(//evil.example)">x</p>',
        '<form action="https://evil.example"><button>x</button></form>',
        "<script>alert(1)</script>",
        '<!--><meta http-equiv="refresh" content="0;url=//evil.example">-->',
        '<!---><a href="javascript:x">x</a>-->',
        '<![CDATA[ ><img alt="x" src="https://evil.example/a.png"> ]]>',
        '<iframe srcdoc="<script>x</script>"></iframe>',
        '<svg><a xlink:href="javascript:x">x</a></svg>',
        "<math><maction actiontype=x xlink:href=javascript:x>x</maction></math>",
    ],
)  # fmt: skip
def test_what_follows_runs_or_loads_something_else_is_told_with_its_line(text):
    found = told(text)
    lines = {int(one.removeprefix("docs/en/x.md:").partition(":")[0]) for one in found}
    assert found and all(one.isprintable() for one in found), found
    assert lines <= set(range(5, 6 + text.count("\n"))), found


@pytest.mark.parametrize(
    "text",
    [
        "[x](y.md)",
        "[x](../a/y.md#z) and [z](#z)",
        "[x](https://pytorch.org/a_(b)?c=d&e=f#g)",
        "[x](http://pytorch.org)",
        "<https://pytorch.org> and <mailto:a@b.example>",
        "[x](mailto:a@b.example)",
        '[x](y.md "javascript: is a scheme")',
        "`[x](javascript:x)` is code",
        "```text\n[x](javascript:x)\n<a href='javascript:x'>\n```",
        "A word javascript:x in a sentence, and data: too.",
        "![x](../assets/a.svg){ width=300 loading=lazy }",
        '<a href="../../verbatim.json">x</a>',
        '<img alt="x" src="../assets/a.svg" width="3">',
        "[x](a%3Ab.md)",
        "[x](./a:b.md)",
        "\\(x_{on}\\) and \\[\nf(x) = [a](b)\n\\]",
        "x[0](1) is a call; tensor[i][j] too",
    ],
)
def test_what_a_page_may_say_is_not_told(text):
    assert told(text) == []


def test_a_page_of_brackets_alone_is_told_before_anything_takes_minutes():
    (one,) = told("[" * (addresses.MOST_BRACKETS + 1))
    assert "opening brackets" in one


def test_the_extensions_are_those_of_the_site():
    used = project.settings(ROOT / "mkdocs.yml")["markdown_extensions"]
    names = {next(iter(one)) if isinstance(one, dict) else one for one in used}
    options = {name: given for one in used if isinstance(one, dict) for name, given in one.items()}
    no_address = {"toc", "pymdownx.highlight"}
    assert names == {*addresses.MARKDOWN_EXTENSIONS, *no_address}
    assert {name: options.get(name, {}) for name in addresses.MARKDOWN_EXTENSIONS} == addresses.MARKDOWN_EXTENSIONS
