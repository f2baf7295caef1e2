from __future__ import annotations

from verbatim.markdown import annotations_below, embeds, fences, headings

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
