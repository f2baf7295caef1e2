from __future__ import annotations

import re
from html import unescape

import pytest

from tests.pages.test_outputs import html_of
from verbatim.markdown import annotations_below, embeds, fences, headings, inline_text, links, resolve, retarget

PAGE = """---
title: T
---

# Title

```example
examples/a.py#first
```

*Figure: a line.*

!!! note
    ```example
    examples/b.py
    ```

````markdown
```example
examples/not.py#an-embed
```
````

## Part two { #part-two }

~~~
# not a heading
~~~
"""


def test_embeds_have_place_indent_and_caption():
    first, second = embeds(PAGE)
    assert (first.line, first.end, first.target, first.caption) == (
        7,
        9,
        "examples/a.py#first",
        "Figure: a line.",
    )
    assert (second.indent, second.target, second.cell, second.caption) == ("    ", "examples/b.py", "", "")


def test_a_fence_inside_a_longer_fence_is_text():
    assert [f.info for f in fences(PAGE)] == ["example", "example", "markdown", ""]


def test_an_open_fence_ends_with_the_page():
    (fence,) = fences("a\n```python\nx")
    assert (fence.line, fence.end, fence.body) == (2, 3, ("x",))


def test_headings_outside_of_fences():
    assert [(h.level, h.text, h.id) for h in headings(PAGE)] == [
        (1, "Title", ""),
        (2, "Part two", "part-two"),
    ]


def test_the_list_of_annotations_ends_where_prose_begins():
    lines = "\n1.  one\n    more\n2.  two\n\nProse.".splitlines()
    assert annotations_below(lines, 0) == 4
    assert annotations_below(["", "Prose.", "1. no"], 0) == 0


LINKS = """---
description: "[no](front.md)"
---
[a](a.md), ![b](<b.svg> "B"), [![c](c.svg)](c.md 'C'), `[no](code.md)` [d [e]](d.md#e)

A mark ` that is open, [f](f.md).

And ` another. [^1]

[g]: g.md
[^1]: A note.

```text
[no](fence.md)
```
"""


def test_links_and_images_outside_of_code():
    assert [target for _, target in links(LINKS)] == ["a.md", "b.svg", "c.svg", "c.md", "d.md#e", "f.md", "g.md"]
    assert links(LINKS)[0][0] == 4 and links(LINKS)[-1] == (10, "g.md")


def test_targets_are_replaced_and_nothing_else():
    body = LINKS.partition("---\n[")[2]
    moved = retarget(body, str.upper)
    assert moved.lower() == body.lower() and "`[no](code.md)`" in moved
    assert [target for _, target in links(moved)] == [target.upper() for _, target in links(body)]


def test_a_relative_link_is_resolved_from_its_page():
    assert resolve("../devices/dtypes.md#casts", "autograd/detach.md") == ("devices/dtypes.md", "casts")
    assert resolve("#casts", "autograd/detach.md") == ("autograd/detach.md", "casts")
    assert resolve("backward.md", "index.md") == ("backward.md", "")


INLINE = {
    "**bold**, *slanted*, _so_, ***both***, *a **b** c*": "bold, slanted, so, both, a b c",
    "`a*b` and ``a ` b``, `[x](y)`": "a*b and a ` b, [x](y)",
    "[text](../a.md#b), [`code` [1]](a.md 'said'), [**b**](<c.md>)": "text, code [1], b",
    r"\_\_init\_\_, \*args, Command '\['ninja', '-v'\]'": "__init__, *args, Command '['ninja', '-v']'",
    "_orig_mod. and 'torch._C' has no '_cuda_setDevice', a_b_c, 2 * 3 * 4": (
        "_orig_mod. and 'torch._C' has no '_cuda_setDevice', a_b_c, 2 * 3 * 4"
    ),
    'before ![drawn *x*](d.svg){ width="3" } after, [![drawn](d.svg)](e.md)': "before  after, ",
    "x &lt; y &amp; z <b>bold</b><span class='x'>3</span> <https://a.b/c_d_e>": "x < y & z bold3 https://a.b/c_d_e",
    "*Figure: of a * 2, and of b*": "Figure: of a * 2, and of b",
    "xavier_uniform_ and *_like*, zero_": "xavier_uniform_ and _like, zero_",
    "said{ .remedy }": "said",
    "a set, {1, 2}, of x { y": "a set, {1, 2}, of x { y",
    "x < y > z, 3 <4": "x < y > z, 3 <4",
}


@pytest.mark.parametrize(("text", "shown"), INLINE.items())
def test_a_paragraph_is_read_as_its_readers_see_it(text: str, shown: str):
    assert inline_text(text) == shown
    html = html_of(text).replace("said{ .remedy }", "said")  # attributes of a paragraph stand on a line of their own
    assert " ".join(unescape(re.sub("<[^>]*>", "", html)).split()) == " ".join(shown.split())


def test_what_is_done_with_code_formulas_and_links_is_handed_over():
    links: list[tuple[str, str]] = []
    text = inline_text(
        "`x` is \\(y_1\\), see [`z` of *it*](a.md#b).\n\\[ w \\]",
        code=str.upper,
        formula=lambda one: f"<{one.tex}{' alone' if one.display else ''}>",
        link=lambda target, words: links.append((target, words)),
    )
    assert text == "X is <y_1>, see Z of it.\n<w alone>"
    assert links == [("a.md#b", "Z of it")]
