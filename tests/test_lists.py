"""The lists that are made from the whole book."""

from __future__ import annotations

import json
import posixpath
import re
import subprocess
from pathlib import Path

import jsonschema
import pytest

from verbatim import lists
from verbatim.book.gather import Book, gather
from verbatim.book.records import merged, notebook
from verbatim.checks import check
from verbatim.lists import changes, coverage, errata, manifest, names
from verbatim.lists import history as versions
from verbatim.lists.places import Sources, first_sentence, link, page_address, relink
from verbatim.markdown import code
from verbatim.pages.page import Page, load_pages
from verbatim.project import Project
from verbatim.run.result import CellResult, Result
from verbatim.run.script import parse

SCRIPT = '''
"""Shapes that do not fit."""

# %% product raises="RuntimeError"
import torch

torch.ones(2, 3) @ torch.ones(2, 3)

# %% old-name warns="FutureWarning"
import warnings

warnings.warn("`torch.ones` is deprecated in favor of `torch.zeros`.", FutureWarning)
torch.ones(1), torch.zeros(1)

# %% caught
try:
    torch.ones(2).view(3)
except RuntimeError as error:
    print(f"RuntimeError: {error}")

# %% secret hidden=true
torch.arange(3)

# %% on-a-gpu needs="cuda"
torch.ones(1, device="cuda")

# %% time varies=true
print(1)
'''

PAGE = """
---
title: {title}
description: D
---

# {title}

## {product} {{ #product }}

{before}

```example
examples/topic/a.py#product
```

{after}

## {warns} {{ #warns }}

!!! erratum "{myth}"
    {truth}
    [{more}](#product)

    ```example
    examples/topic/a.py#old-name
    ```

## {rest} {{ #rest }}

```example
examples/topic/a.py#caught
```

```example
examples/topic/a.py#on-a-gpu
```

```example
examples/topic/a.py#time
```
"""

TEXTS = {
    "zh": {
        "title": "矩阵乘法",
        "product": "矩阵 [2, 3]",
        "before": "先看报错：",
        "after": "把第二个转置，写成 `b.T`。这里还有一句。",
        "warns": "警告",
        "myth": "常见说法：形状相同才能相乘",
        "truth": "相乘的是行与列。",
        "more": "见上",
        "rest": "其余",
    },
    "en": {
        "title": "Products",
        "product": "Matrices [2, 3]",
        "before": "The error first:",
        "after": "Transpose the second: `b.T`. Here is one more sentence.",
        "warns": "Warning",
        "myth": "Often said: only equal shapes can be multiplied",
        "truth": "Rows meet columns.",
        "more": "above",
        "rest": "The rest",
    },
}

LIST = "---\ntitle: T\ndescription: D\n---\n\n# T\n\n```verbatim\n{name}\n```\n"


@pytest.fixture
def sources(project: Project, write) -> Sources:
    write("examples/topic/a.py", SCRIPT)
    write("topics.yml", "topic:\n  - product\n  - nowhere\n")
    for language, texts in TEXTS.items():
        write(f"docs/{language}/topic/a.md", PAGE.format(**texts))
        for name in ("errors", "names", "errata", "changes", "coverage"):
            write(f"docs/{language}/ways/{name}.md", LIST.format(name=name))
    book = gather(project)
    assert not book.problems, book.problems
    pages, _ = load_pages(project)
    return lists.gather(book, pages, [])


def page(sources: Sources, path: str) -> Page:
    found = sources.page(path)
    assert found
    return found


def rendered(sources: Sources, name: str, language: str) -> str:
    on = page(sources, f"docs/{language}/ways/{name}.md")
    return lists.expand(on.text, sources, on)


# -- Errors ---------------------------------------------------------------------------------------


def test_every_error_warning_and_caught_message_is_listed_as_printed(sources):
    text = rendered(sources, "errors", "en")
    assert "- `RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)`" in text
    assert "- ``FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.``" in text
    assert "- `RuntimeError: shape '[3]' is invalid for input of size 2`" in text
    assert text.index("## FutureWarning") < text.index("## RuntimeError")


def test_a_message_says_what_the_page_says_below_it(sources):
    assert "[Matrices \\[2, 3\\]](../topic/a.md#product): Transpose the second: `b.T`.\n" in rendered(
        sources, "errors", "en"
    )
    assert "[矩阵 \\[2, 3\\]](../topic/a.md#product)：把第二个转置，写成 `b.T`。\n" in rendered(sources, "errors", "zh")


def test_a_page_may_mark_the_remedy(sources, project, write):
    texts = {**TEXTS["en"], "before": "Use `torch.mm(a, b.T)`.\n{ .remedy }"}
    write("docs/en/topic/a.md", PAGE.format(**texts))
    pages, _ = load_pages(project)
    again = lists.gather(sources.book, pages, [])
    assert "(../topic/a.md#product): Use `torch.mm(a, b.T)`.\n" in rendered(again, "errors", "en")


def test_a_box_speaks_where_no_paragraph_does(sources, project, write):
    text = PAGE.format(**{**TEXTS["en"], "before": "", "after": '!!! erratum "E"\n    Rows meet\n    columns. More.'})
    write("docs/en/topic/a.md", text)
    pages, _ = load_pages(project)
    again = lists.gather(sources.book, pages, [])
    assert "(../topic/a.md#product): Rows meet columns.\n" in rendered(again, "errors", "en")


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("First. Second.", "First."),
        ("第一句。第二句。", "第一句。"),
        ("Call `x.sum()`. Then go on.", "Call `x.sum()`."),
        ("See [a page. Really](a.md). More.", "See [a page. Really](a.md)."),
        ("Values, e.g. `nan`. More.", "Values, e.g. `nan`."),
        ("Version 2.13 has it. More.", "Version 2.13 has it."),
        ("No end", "No end"),
    ],
)
def test_first_sentences(text, sentence):
    assert first_sentence(text) == sentence


# -- Names ----------------------------------------------------------------------------------------


def test_names_lead_to_their_documentation_and_to_the_sections_that_use_them(sources):
    text = rendered(sources, "names", "en")
    assert "[`torch.ones`](https://pytorch.org/docs/stable/generated/torch.ones.html)" in text
    item = text[text.index('id="torch.Tensor.view"') :]
    assert "(../topic/a.md#rest)" in item


def test_hidden_cells_do_not_count(sources):
    assert "torch.arange" not in {n.name for n in names.names(sources, "zh")}


def test_a_name_is_deprecated_where_its_own_warning_says_so(sources):
    marked = {n.name for n in names.names(sources, "en") if n.deprecated}
    assert marked == {"torch.ones"}


@pytest.mark.parametrize(
    "warning, name, expected",
    [
        ("FutureWarning: `nn.init.a` is now deprecated in favor of `nn.init.a_`.", "torch.nn.init.a", True),
        ("FutureWarning: `nn.init.a` is now deprecated in favor of `nn.init.a_`.", "torch.nn.init.a_", False),
        ("UserWarning: torch.a() has been deprecated.", "torch.a", True),
        ("UserWarning: indexing with dtype torch.uint8 is now deprecated", "torch.uint8", False),
        ("UserWarning: Implicit dimension choice for softmax has been deprecated.", "torch.Tensor.softmax", False),
        ("UserWarning: torch.a is slow.", "torch.a", False),
    ],
)
def test_what_a_warning_deprecates(warning, name, expected):
    assert names.deprecates(warning, name) is expected


def test_a_recipes_page_names_what_it_uses(sources):
    line = names.used_here(sources, page(sources, "docs/en/topic/a.md"))
    assert line.strip().startswith("Used on this page: ")
    assert "[`torch.Tensor.view`](../ways/names.md#torch.Tensor.view)" in line
    assert names.used_here(sources, page(sources, "docs/en/ways/errors.md")) == ""


# -- Errata ---------------------------------------------------------------------------------------


def test_an_erratum_shows_claim_truth_and_proof(sources):
    (erratum,) = errata.errata(sources, "en")
    assert erratum.claim == "only equal shapes can be multiplied"
    assert erratum.proof and erratum.proof.cell == "old-name"
    text = rendered(sources, "errata", "en")
    assert "**“only equal shapes can be multiplied”**" in text
    assert "Rows meet columns. [above](../topic/a.md#product)" in text
    assert "Proof: [Warning](../topic/a.md#warns)" in text
    assert "相乘的是行与列。[见上](../topic/a.md#product)" in rendered(sources, "errata", "zh")


def test_a_box_inside_of_a_fence_is_none(sources):
    text = '```example\n!!! erratum "no"\n```\n'
    assert errata.on_page(Page("docs/en/x.md", text)) == []


# -- Links ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["zh", "en"])
@pytest.mark.parametrize("name", ["errors", "names", "errata", "changes", "coverage"])
def test_every_link_of_a_list_leads_to_a_heading_that_exists(sources, name, language):
    text = rendered(sources, name, language)
    by_name = {p.name: p for p in sources.of(language)}
    for target, anchor in re.findall(r"\]\((?!https:)([^)#]*)(?:#([^)]+))?\)", text):
        there = by_name[posixpath.normpath(posixpath.join("ways", target))]
        assert not anchor or anchor in {h.id for h in there.headings}


def test_links_move_with_the_text():
    here, there = Page("docs/en/a/b.md", ""), Page("docs/en/ways/errors.md", "")
    text = "[x](c.md#y) [z](../d/e.md) [w](https://example.org/) [v](#here)"
    moved = "[x](../a/c.md#y) [z](../d/e.md) [w](https://example.org/) [v](../a/b.md#here)"
    assert relink(text, here, there) == moved
    assert link("a", here, "", there) == "[a](../a/b.md)"


@pytest.mark.parametrize("text, span", [("a", "`a`"), ("a `b` c", "``a `b` c``"), ("`a`", "`` `a` ``")])
def test_code_spans_hold_backticks(text, span):
    assert code(text) == span


def test_addresses_are_those_of_the_site():
    assert page_address("zh", "index.md") == ""
    assert page_address("zh", "topic/a.md") == "topic/a/"
    assert page_address("en", "topic/index.md") == "en/topic/"
    assert page_address("zh", "topic/return-index.md") == "topic/return-index/"


# -- Checks ---------------------------------------------------------------------------------------


def test_an_unknown_list_is_told_with_a_hint(sources, project, write):
    write("docs/en/ways/errors.md", LIST.format(name="erors"))
    pages, _ = load_pages(project)
    found = [str(p) for p in check(sources.book, pages) if "ways/errors" in p.path]
    assert any("docs/en/ways/errors.md:8: there is no list `erors`\n  hint: did you mean `errors`?" in p for p in found)
    assert any("1 lists here, 1 in docs/zh/ways/errors.md" in p for p in found)


# -- Coverage -------------------------------------------------------------------------------------


def test_coverage_counts_what_it_lists(sources):
    assert coverage.missing_topics(sources) == [("topic", "nowhere")]
    text = rendered(sources, "coverage", "en")
    assert "## Topics with a section in both languages: 1 of 2" in text and "`topic: nowhere`" in text
    assert "`topic/a#on-a-gpu` · not recorded yet · `cuda` · [The rest](../topic/a.md#rest)" in text
    assert "- `topic/a#time` · [The rest](../topic/a.md#rest)" in text
    assert "- `topic/a#old-name` · [Warning](../topic/a.md#warns)" in text


# -- Versions -------------------------------------------------------------------------------------


def git(project: Project, *arguments: str) -> None:
    name = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.org", "-c", "commit.gpgsign=false"]
    subprocess.run(["git", *name, *arguments], cwd=project.root, check=True, capture_output=True)


def record(project: Project, torch: str, printed: str, source: str = "print(1)") -> None:
    """Write a record and what printed it, as a build with this torch would."""
    script = parse(f'"""T."""\n\n# %% one\n{source}\n\n# %% same\nprint(2)\n', "examples/topic/b.py")
    outputs = ({"output_type": "stream", "name": "stdout", "text": printed},)
    same = ({"output_type": "stream", "name": "stdout", "text": "2\n"},)
    result = Result(script.path, (CellResult("one", outputs), CellResult("same", same)))
    path = project.record("topic/b", "cpu")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(notebook(script, merged(script, result, None, {}), recipe="topic/b"))
    (project.root / versions.ENVIRONMENT).write_text(json.dumps({"torch": torch}))


@pytest.fixture
def history(project: Project) -> Project:
    git(project, "init", "-q")
    record(project, "2.13.0+cpu", "old\n")
    git(project, "add", "-A")
    git(project, "commit", "-qm", "first")
    return project


def commit(project: Project, *record_arguments: str) -> None:
    record(project, *record_arguments)
    git(project, "commit", "-qam", "next")


def test_one_version_is_no_change(history):
    commit(history, "2.13.0+cpu", "reworded\n")
    assert versions.steps(history) == []


def test_another_build_of_one_version_is_no_change(history):
    commit(history, "2.13.0+cu130", "old\n")
    assert versions.steps(history) == []


def test_each_change_of_version_tells_what_it_changed_newest_first(history):
    commit(history, "2.14.0+cpu", "new\n")
    commit(history, "2.15.0+cpu", "new\n")
    newest, older = versions.steps(history)
    assert (newest.old, newest.new, newest.changes) == ("2.14.0", "2.15.0", ())
    assert (older.old, older.new) == ("2.13.0", "2.14.0")
    (change,) = older.changes
    assert (change.recipe, change.cell, change.kind) == ("topic/b", "one", "changed")
    assert "-old" in change.diff and "+new" in change.diff


def test_an_output_whose_code_changed_too_is_left_out(history):
    commit(history, "2.14.0+cpu", "new\n", "print(3)")
    (step,) = versions.steps(history)
    assert step.changes == ()


def test_a_merged_upgrade_counts_once(history):
    git(history, "checkout", "-qb", "upgrade")
    commit(history, "2.14.0+cpu", "new\n")
    git(history, "checkout", "-q", "-")
    git(history, "merge", "-q", "--no-ff", "-m", "merge", "upgrade")
    (step,) = versions.steps(history)
    assert len(step.changes) == 1


def test_a_part_of_the_history_is_not_taken_for_the_whole(history, tmp_path):
    commit(history, "2.14.0+cpu", "new\n")
    shallow = tmp_path / "shallow"
    subprocess.run(["git", "clone", "-q", "--depth", "1", f"file://{history.root}", str(shallow)], check=True)
    assert versions.steps(Project(shallow)) is None
    assert versions.steps(Project(tmp_path)) is None
    text = changes.render(Sources(Book(history), [], steps=None), Page("docs/en/ways/changes.md", ""))
    assert text == ["This page was built without the whole git history, so changes cannot be listed here."]


def test_the_page_and_the_feed_tell_the_same(history):
    commit(history, "2.14.0+cpu", "new\n")
    on = Page("docs/en/ways/changes.md", "")
    sources = Sources(Book(history), [on], steps=versions.steps(history), version="2.14.0")
    text = "\n".join(changes.render(sources, on))
    assert "## torch 2.13.0 → 2.14.0" in text and "```diff" in text
    feed = changes.feed(sources, "en", "https://example.org/book/", "Book")
    from xml.etree import ElementTree

    atom = "{http://www.w3.org/2005/Atom}"
    (entry,) = ElementTree.fromstring(feed).findall(f"{atom}entry")
    anchor = "torch-2-14-0-topic-b-one"
    assert entry.findtext(f"{atom}id") == f"https://example.org/book/en/ways/changes/#{anchor}"
    assert f'id="{anchor}"' in text


def test_today_has_one_version_and_says_so(sources, history):
    again = lists.gather(sources.book, sources.pages, [])
    assert "So far every output comes from one version, torch 2.13.0." in rendered(again, "changes", "en")


# -- The manifest ---------------------------------------------------------------------------------

SCHEMA = json.loads((Path(__file__).parents[1] / "docs/assets/verbatim.schema.json").read_text())


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_manifest_follows_its_schema(sources, history):
    commit(history, "2.14.0+cpu", "new\n")
    again = lists.gather(sources.book, sources.pages, [])
    built = manifest.build(again, {"examples/topic/a.py": {"zh": "topic/a/", "en": "en/topic/a/"}})
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(built)))
    (error,) = [e for e in built["errors"] if "mat1" in e["text"]]
    assert error["section"] == {"zh": "topic/a/#product", "en": "en/topic/a/#product"}
    assert error["cell"] == "topic/a#product"
    assert built["names"]["torch.ones"]["cells"][0] == "topic/a#product"
    assert built["errata"][0]["claim"]["zh"] == "形状相同才能相乘"
    assert built["changes"][0]["to"] == "2.14.0"
    assert built["coverage"]["topics"] == {"count": 2, "missing": ["topic/nowhere"]}


@pytest.mark.parametrize("key", ["errors", "names", "errata", "changes", "coverage", "recipes"])
def test_the_schema_asks_for_every_part(sources, key):
    built = manifest.build(sources, {})
    del built[key]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(built)
