"""Pages as notebooks, in each language, and as HTML by mkdocs-jupyter."""

from __future__ import annotations

import contextlib
import io
import json
import re
from pathlib import Path

import nbformat
import pytest

from tests.expanded import weave
from verbatim.book.gather import Book, gather
from verbatim.project import Project
from verbatim.site.downloads import notebook_view
from verbatim.site.html.formulas import Typesetter
from verbatim.write.notebook import INK, dumps, join

MINIATURE = Project(Path(__file__).parents[1] / "miniature")


@pytest.fixture(scope="module")
def book() -> Book:
    return gather(MINIATURE)


def woven(book: Book, name: str, language: str = "zh", **options) -> dict:
    text = (MINIATURE.docs(language) / f"{name}.md").read_text()
    return weave(text, book, language, f"examples/{name}.py", link=lambda target: f"https://x/{target}", **options)


def sources(notebook: dict, kind: str = "markdown") -> list[str]:
    return ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == kind]


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["autograd/leaf", "tensors/print"])
def test_is_a_valid_notebook(book, name, language):
    nbformat.validate(nbformat.reads(dumps(woven(book, name, language)), as_version=4))


def test_weaves_prose_and_cells_in_the_order_of_the_page(book):
    cells = woven(book, "autograd/leaf")["cells"]
    assert cells[0]["source"][0] == "# 叶子张量：谁会有梯度\n"
    names = [cell["metadata"]["verbatim"]["name"] for cell in cells if cell["cell_type"] == "code"]
    assert names == ["setup", "leaf", "checked", "warns", "fails", "on-gpu"]
    leaf = next(cell for cell in cells if cell["id"] == "2-leaf")
    assert leaf["outputs"][0]["text"] == "True False\ntensor([2., 2., 2.])\n"
    fails = next(cell for cell in cells if cell["id"] == "5-fails")
    assert fails["metadata"]["tags"] == ["raises-exception"]
    assert fails["outputs"][-1]["ename"] == "RuntimeError"


def test_hidden_and_folded_cells_are_there_but_closed(book):
    leaf = woven(book, "autograd/leaf")["cells"] + woven(book, "tensors/print")["cells"]
    closed = {cell["id"] for cell in leaf if cell["metadata"].get("jupyter", {}).get("source_hidden")}
    assert closed == {"3-checked", "4-drawn"}


def test_prose_is_what_notebooks_understand(book):
    text = "\n".join(sources(woven(book, "autograd/leaf")))
    assert '<a id="leaf"></a>\n\n## 叶子\n' in text + "\n"
    assert "$y = 2x$" in text
    assert r"$$\frac{\partial}{\partial x_i} \sum_{j=1}^{n} 2 x_j = 2$$" in text
    assert "> **常见说法：每个张量都有 grad**\n>\n> 中间结果没有，读它只会得到警告。" in text
    assert "[打印张量](https://x/../tensors/print.md#wide)" in text
    assert "```example" not in text
    assert "{ #" not in text
    assert "!!!" not in text


def test_what_a_page_says_of_its_elements_is_no_text_of_the_notebook(book):
    page = "# T\n\nSplit it.\n{ .remedy }\n\n[a](b){ .wide } [c](d), `{ .code }`\n\n!!! note\n    Inside.\n    {: #id .x }\n"
    text = "\n".join(sources(weave(page, book, "en", "", link=str)))
    assert text == "# T\n\nSplit it.\n\n[a](b) [c](d), `{ .code }`\n\n> **Note**\n>\n> Inside.\n>"


def test_boxes_end_where_the_page_ends_them(book):
    page = '# T\n\n!!! note "A"\n    in `[a](b)`\n\n    ??? tip\n        deeper\n\nout { .x }\n\n=== "CPU"\n\n    tab\n'
    text = "\n".join(sources(weave(page, book, "en", "", link=str)))
    assert re.sub(r"\n(?:>?\s*\n)+", "\n\n", text) == (
        "# T\n\n> **A**\n\n> in `[a](b)`\n\n> > **Tip**\n> >\n> > deeper\n\nout { .x }\n\n> **CPU**\n\n> tab"
    )


def test_marks_of_notes_are_plain_comments(book):
    assert any("# (1)" in code and "# (1)!" not in code for code in sources(woven(book, "autograd/leaf"), "code"))


def test_says_what_varies_and_what_was_not_recorded(book):
    assert any("因运行和机器而异" in text for text in sources(woven(book, "tensors/print")))
    assert any("Not recorded yet" in text for text in sources(woven(book, "autograd/leaf", "en")))


def test_runs_from_top_to_bottom_and_prints_the_same(book):
    scope: dict = {"__name__": "__main__"}
    for cell in woven(book, "autograd/leaf")["cells"]:
        if cell["cell_type"] != "code" or "cuda" in cell["metadata"]["verbatim"].get("needs", ""):
            continue
        said = io.StringIO()
        with (
            contextlib.redirect_stdout(said),
            contextlib.suppress(RuntimeError),
            pytest.warns() if "warns" in cell["metadata"]["verbatim"] else contextlib.nullcontext(),
        ):
            exec("".join(cell["source"]), scope)
        printed = "".join(o["text"] for o in cell["outputs"] if o.get("name") == "stdout")
        assert said.getvalue() == printed


def test_notebooks_are_joined_in_their_order(book):
    parts = [woven(book, name, "en") for name in ("tensors/print", "autograd/leaf")]
    whole = join(parts)
    nbformat.validate(nbformat.from_dict({**whole, "cells": [{**c, "source": ""} for c in whole["cells"]]}))
    assert sources(whole) == [text for part in parts for text in sources(part)]
    assert len({cell["id"] for cell in whole["cells"]}) == len(whole["cells"])
    counts = [cell["execution_count"] for cell in whole["cells"] if cell["cell_type"] == "code"]
    assert counts == [*range(1, len(counts) + 1)]
    assert parts == [woven(book, name, "en") for name in ("tensors/print", "autograd/leaf")], "the parts stay"


def test_figures_of_the_download_have_an_ink_for_any_ground(book):
    notebook = woven(book, "tensors/print")
    text = dumps(notebook)
    assert "currentColor" not in text
    assert INK in text
    assert "currentColor" in json.dumps(notebook), "the notebook itself stays as it was"


def test_the_view_is_mkdocs_jupyters_without_style_and_script(book):
    typesetter = Typesetter()
    kept = notebook_view.Formulas(typesetter)
    html = kept.put_back(notebook_view.render(woven(book, "autograd/leaf", formula=kept.place)))
    assert html.count("jp-CodeCell") == 12
    assert html.count('<div class="highlight">') == 9  # three of them are other releases'
    for tag in ("<style", "<script", "style=", "tabindex", "<clipboard-copy"):
        assert tag not in html
    assert '<h2 id="leaf">叶子</h2>' in html
    assert html.count("katex-html") == 3
    assert '<div class="table"><table>' in html
    assert 'align="center"' in html


def test_figures_stand_inside_the_view_and_say_what_they_show(book):
    html = notebook_view.render(woven(book, "tensors/print", "en"))
    assert html.count("<svg ") == 1
    assert 'role="img" aria-label="Figure: sigmoid rises' in html
    assert "currentColor" in html
    assert "<img" not in html


def test_what_was_printed_is_text_in_the_view(book):
    html = notebook_view.render(woven(book, "tensors/print"))
    assert "&lt;script&gt;document.title" in html
    assert "<b>" not in html
