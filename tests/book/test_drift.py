"""What a change of outputs is called, and what a reviewer reads."""

from __future__ import annotations

import json
import os
import subprocess
from types import SimpleNamespace

import pytest

from tests.site.test_plugin import command
from verbatim.book import drift, records
from verbatim.book.releases.model import torch_release
from verbatim.lists import drift_report, quotes
from verbatim.lists.places import Sources
from verbatim.pages.page import load_pages
from verbatim.problems import Problem
from verbatim.project import Project
from verbatim.run.script import Cell, parse

CELL = Cell("x", "1", 2, 1)


def printed(text: str) -> tuple[dict, ...]:
    return ({"output_type": "stream", "name": "stdout", "text": text},)


def warned(text: str) -> tuple[dict, ...]:
    return ({"output_type": "stream", "name": "stderr", "text": text},)


def failed(text: str, name: str = "E") -> tuple[dict, ...]:
    return ({"output_type": "error", "ename": name, "evalue": text, "traceback": [f"{name}: {text}"]},)


def drawn(height: int) -> tuple[dict, ...]:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg"><path d="M 0 0 L 9 {height}" style="stroke: #1f77b4"/></svg>'
    return ({"output_type": "display_data", "data": {"image/svg+xml": svg}},)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (printed("1"), printed("1"), "unchanged"),
        (printed("0.12345678"), printed("0.12345679"), "noise"),
        (failed("x (a.cpp:12)"), failed("x (a.cpp:13)"), "noise"),
        (printed("1"), printed("2"), "changed"),
        (printed("1") + drawn(1), printed("1") + drawn(5), "figure"),
        (printed("1") + drawn(1), printed("2") + drawn(5), "changed"),
        (printed("1"), warned("old") + printed("1"), "new warning"),
        (warned("UserWarning: old"), warned("UserWarning: new"), "wording"),
        (warned("UserWarning: x"), warned("FutureWarning: x"), "changed"),
        (failed("a"), failed("b"), "wording"),
        (printed("1") + failed("a"), printed("2") + failed("b"), "changed"),
        (failed("a"), failed("a", "F"), "changed error"),
        (printed("1"), failed("b"), "new error"),
        (failed("b"), printed("1"), "changed"),
        (None, printed("1"), "added"),
        (printed("1"), None, "removed"),
    ],
)
def test_kinds(old, new, kind):
    assert drift.classify("topic/a", "x", CELL, old, new).kind == kind


# -- the report -------------------------------------------------------------------------------------

SCRIPT = """
\"\"\"T.\"\"\"
# %% gradient
print([0.0, 1.0, 1.0])
# %% shapes
print("shapes 2x3")
# %% drawing
print("a figure")
"""
EN = """
---
title: Clamp
description: Their gradient is 1 on the bounds
---
# Clamp, and its gradient

## On the bounds { #bounds }

```example
examples/topic/a.py#gradient
```

On the bounds the gradient is `1.0`, on 3 lines, in float1.
It says `[0.0, 1.0, 1.0]`.

## Shapes { #shapes }

```example
examples/topic/a.py#shapes
```

There is 1 here, which is nobody's.

## Figure { #figure }

```example
examples/topic/a.py#drawing
```

*Figure: a line that ends high.*
"""


@pytest.fixture
def sources(project, write) -> Sources:
    write("examples/topic/a.py", SCRIPT)
    write("docs/en/topic/a.md", EN)
    write("docs/zh/topic/a.md", EN.replace("On the bounds the gradient is", "在边界上，梯度为"))
    write("docs/en/topic/b.md", "# B\n\nIt said that mat1 and mat2 shapes cannot be multiplied, with 1.\n")
    script = parse(project.script("topic/a").read_text(), "examples/topic/a.py")
    return Sources(SimpleNamespace(scripts={script.path: script}, project=project), load_pages(project)[0])


MESSAGE = "mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
CHANGES = [
    drift.classify("topic/a", "shapes", CELL, failed(MESSAGE), failed("a and b have other shapes (2x3 and 2x3)")),
    drift.classify("topic/a", "gradient", CELL, printed("[0.0, 1.0, 1.0]"), printed("[0.0, 1.0, 0.0]")),
    drift.classify("topic/hidden", "a", CELL, printed("0.12345678"), printed("0.12345679")),
    drift.CellChange("topic/a", "gpu", "not run", needs="no-cuda"),
    drift.CellChange("topic/a", "late", "not reached"),
]


def test_the_report_begins_with_what_readers_notice_and_ends_with_the_command(sources):
    address = "https://book.org/x/"
    text = drift_report.render(CHANGES, sources, [], title="torch 1 → 2", address=address, command="make it so")
    first, second = text.splitlines()[::2][:2]
    assert first == "# torch 1 → 2"
    assert second == "1 cell that readers would notice, 1 message in other words, 1 cells as before, **2 not run**."
    assert text.index("## What readers would notice") < text.index("## Messages in other words")
    assert text.index("## Messages in other words") < text.index("## All cells") < text.index("make it so")
    assert text.count("### [Clamp, and its gradient](https://book.org/x/en/topic/a/)") == 2
    assert "prints something else: `docs/zh/topic/a.md:9`, `docs/en/topic/a.md:9`" in text
    assert "-[0.0, 1.0, 1.0]\n+[0.0, 1.0, 0.0]" in text
    assert "layout or line numbers: `topic/hidden#a`." in text
    assert "Not run, because `no-cuda` is missing here; their records stay as they are: `topic/a#gpu`." in text
    assert "Not reached: `topic/a#late`." in text


def test_a_hidden_cell_is_told_with_the_page_that_it_proves_something_for(sources):
    change = drift.classify("topic/a", "counter-cases", CELL, printed(""), failed("no longer so"))
    text = drift_report.render([change], sources, [], title="T")
    assert "### [Clamp, and its gradient](docs/en/topic/a.md)" in text and "On no page" not in text
    assert "`topic/a#counter-cases` raises an error now: hidden: it proves what the page says" in text
    for one in (change, drift.CellChange("topic/a", "late", "not reached")):
        assert drift_report.pages([one], sources) == ["docs/en/topic/a.md", "docs/zh/topic/a.md"]


def test_without_changes_nothing_is_to_be_approved_and_failures_are_told(sources):
    assert "make it so" not in drift_report.render([CHANGES[2]], sources, [], title="T", command="make it so")
    problem = Problem("examples/topic/a.py", 3, "cell `gradient` raised E", "mend it")
    text = drift_report.render(CHANGES, sources, [problem], title="T")
    assert (
        text.splitlines()[2].startswith("1 failure, 1 cell that") and "topic/a.py:3: cell `gradient` raised E" in text
    )
    assert text.index("## What readers") < text.index("## What fails") < text.index("## Messages in other words")
    assert "](docs/en/topic/a.md)" in text and "(recorded)" not in text


def quoted(sources, change) -> list[tuple[str, int, str]]:
    places = [one for language in ("zh", "en") for one in sources.places(language) if one.cell.name == change.cell]
    return [(q.path[5:], q.line, q.quoted) for q in quotes.find(sources.pages, places, change.old, change.new)]


def test_sentences_that_quote_what_changed_are_found(sources):
    same = [(3, "1"), (13, "1.0"), (14, "[0.0, 1.0, 1.0]")]
    expected = [(f"{language}/topic/a.md", *one) for language in ("en", "zh") for one in same]
    assert quoted(sources, CHANGES[1]) == expected  # and neither the 3, nor `float1`, nor the 1 of another section
    six = "mat1 and mat2 shapes cannot be"
    assert quoted(sources, CHANGES[0]) == [("en/topic/b.md", 3, six)]  # on a page that shows no cell
    assert drift_report.pages(CHANGES, sources) == ["docs/en/topic/a.md", "docs/en/topic/b.md", "docs/zh/topic/a.md"]


@pytest.mark.parametrize(
    ("name", "text", "found"),
    [
        ("a", "It takes query, key and value at once.", "query key and value"),  # the page that shows the cell
        ("b", "It takes query, key and value at once.", ""),  # by chance
        ("b", "It says `query, key and value …`.", "query key and value"),
    ],
)
def test_four_words_count_on_another_page_only_as_code(sources, write, name, text, found):
    old, new = failed("All kernels require query, key and value to be 4 dimensional"), printed("runs")
    with open(sources.book.project.root / f"docs/en/topic/{name}.md", "a", encoding="utf-8") as page:
        page.write(f"\n{text}\n")
    sources = Sources(sources.book, load_pages(sources.book.project)[0])
    change = drift.classify("topic/a", "shapes", CELL, old, new)
    assert [quote for _, _, quote in quoted(sources, change)] == ([found] if found else [])


def test_a_single_name_counts_only_where_the_cell_is_shown(sources, write):
    write("docs/en/topic/b.md", "# B\n\n`RuntimeError` is raised elsewhere, and `torch.Size([2, 3])` printed.\n")
    sources = Sources(sources.book, load_pages(Project(write("x", "").parent))[0])
    change = drift.classify("topic/a", "shapes", CELL, failed("x", "RuntimeError"), failed("x", "NotImplementedError"))
    assert quoted(sources, change) == []
    change = drift.classify("topic/a", "shapes", CELL, printed("torch.Size([2, 3])"), printed("torch.Size([3, 2])"))
    assert quoted(sources, change) == [("en/topic/b.md", 3, "torch.Size([2, 3])")]


def test_a_figure_that_changed_names_its_caption(sources):
    change = drift.classify("topic/a", "drawing", CELL, drawn(1), drawn(5))
    assert quoted(sources, change) == [("en/topic/a.md", 30, ""), ("zh/topic/a.md", 30, "")]
    text = drift_report.render([change], sources, [], title="T")
    assert "- `docs/en/topic/a.md:30`: *Figure: a line that ends high.*" in text and "draws another figure" in text


# -- the command ------------------------------------------------------------------------------------


@pytest.fixture
def committed(project, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint("old")\n# %% same\nprint(1)\n')
    command(project, "verbatim", "record")
    environment = {
        **os.environ,
        **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run(["git", *arguments], cwd=project.root, env=environment, check=True)
    return project


def test_against_a_commit(committed, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint("new")\n# %% same\nprint(1)\n')
    done = command(committed, "verbatim", "drift", "--against", "HEAD")
    assert done.returncode == 0
    assert "`topic/a#a` prints something else" in done.stdout and "-old\n+new" in done.stdout
    assert "| unchanged | 1 |" in done.stdout and "### On no page" in done.stdout
    assert "python -m verbatim record topic/a" in done.stdout
    command(committed, "verbatim", "record", "topic/a")
    done = command(committed, "verbatim", "drift", "--against", "HEAD")
    assert "-old\n+new" in done.stdout and "If this is right" not in done.stdout  # it is recorded already


def test_a_script_that_fails_is_told_first_and_exits_with_1(committed, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint("old")\n# %% same\n1 / 0\n')
    done = command(committed, "verbatim", "drift")
    assert done.returncode == 1
    assert done.stdout.index("## What fails") < done.stdout.index("## All cells")
    assert "examples/topic/a.py:5: cell `same` raised ZeroDivisionError" in done.stdout


def test_another_torch_is_raised_with_a_branch_and_on_it_recorded(committed, write):
    path = records.environment_path(committed)
    here = json.loads(path.read_text())
    path.write_text(json.dumps({**here, "torch": "9.9+cpu"}))
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint("new")\n# %% same\nprint(1)\n')
    torch = torch_release(here["torch"])
    assert f"make upgrade TORCH={torch} APPLY=1" in command(committed, "verbatim", "drift").stdout
    write("requirements.txt", f"torch=={torch}  # raised\n")
    said = command(committed, "verbatim", "drift").stdout
    assert 'make record OPTIONS="--new-environment --cached"' in said and "make upgrade" not in said


def test_an_unknown_commit(committed):
    done = command(committed, "verbatim", "drift", "--against", "nowhere")
    assert done.returncode == 1 and "nowhere: git does not know this commit" in done.stdout


def test_titles_link_to_the_site_where_its_address_is_known(project, write, monkeypatch):
    assert Project(project.root).site_url == ""
    write("mkdocs.yml", 'site_name: x\nsite_url: !ENV [SITE_URL, "https://book.org/"]\nplugins: [not-installed]\n')
    monkeypatch.delenv("SITE_URL", raising=False)
    assert Project(project.root).site_url == "https://book.org/"
    monkeypatch.setenv("SITE_URL", "https://fork.org/book/")
    assert Project(project.root).site_url == "https://fork.org/book/"
    write("mkdocs.yml", "site_name: x: y\n")  # `check` tells of it
    assert Project(project.root).site_url == ""
