"""A page as a value: its blocks, in order, and what each says."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import pytest

from verbatim.book.gather import Book, gather
from verbatim.pages import document
from verbatim.pages.document import Behind, Footer, List, Missing, Prose, Shown
from verbatim.write import markdown, notebook

SCRIPT = '''"""T."""

# %% one
print(1)

# %% checked hidden=true
assert True

# %% two varies=true
print(2)

# %% none
x = 3
'''
PAGE = """# T

## A { #a }

```example
examples/topic/a.py#two
```

```verbatim
since
```

```example
examples/topic/a.py#gone
```

The end.
"""


@pytest.fixture
def book(project, write) -> Book:
    write("examples/topic/a.py", SCRIPT)
    return gather(project)


def read(book: Book, text: str = PAGE, **more: object) -> document.Document:
    return document.read(text, book, "en", own="examples/topic/a.py", **more)


def test_blocks_stand_in_the_order_of_the_page(book):
    behind = [SimpleNamespace(section="a", newer="docs/zh/topic/a.md")]
    made = read(book, behind=behind, lists={"since": ["| a |"]}, below=[document.footer(book, ["examples/topic/a.py"])])
    assert [type(block) for block in made.blocks] == [
        *(Prose, Behind, Prose, Shown, Prose, List, Prose, Missing, Prose),
        Footer,
    ]
    assert made.blocks[0].lines[-1] == "## A { #a }"
    assert made.blocks[7] == Missing("examples/topic/a.py#gone")
    assert made.footer.environment == book.environment


def test_a_cell_says_what_it_printed_and_where(book):
    made = read(book)
    (shown,) = (block for block in made.blocks if isinstance(block, Shown))
    (two,) = shown.cells
    assert two.printed.outputs[0]["text"] == "2\n" and two.cell.varies and two.ran and not two.printed.recorded
    assert [one.cell.name for one in made.own] == ["one", "checked", "two", "none"]
    with pytest.raises(dataclasses.FrozenInstanceError):
        two.ran = False


def test_a_list_that_nobody_made_stays_a_request(book):
    assert "```verbatim\nsince\n```" in markdown.site(read(book), lambda *_: "f.svg")


def test_a_notebook_has_the_lists_of_its_page(book):
    made = read(book, lists={"since": ["| a |", "| --- |"]})
    cells = notebook.weave(made, link=str)["cells"]
    text = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    assert "| a |\n| --- |" in text and "```verbatim" not in text
