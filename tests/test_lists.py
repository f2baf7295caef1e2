"""The lists that are made from the whole book."""

from __future__ import annotations

import dataclasses
import json
import posixpath
import re
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import jsonschema
import pytest

from tests.conftest import stand_in_version
from verbatim import lists
from verbatim.book import records
from verbatim.book.gather import gather
from verbatim.book.versions import Versions
from verbatim.checks import check
from verbatim.lists import changes, coverage, errata, errors, manifest, names, parts, releases, since
from verbatim.lists.places import Sources, first_sentence, link, page_address, relink
from verbatim.markdown import code
from verbatim.pages.page import Page, load_pages
from verbatim.project import Project

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
    write("topics.yml", "topic:\n  a: [product, nowhere]\n")
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


@pytest.mark.parametrize("name", ["errors", "names"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_list_says_how_long_it_and_each_group_is(sources, name, language):
    text = rendered(sources, name, language)
    items, groups = 0, {}
    for line in text.splitlines():
        if match := re.match(r'## \S+ <span class="count">(\d+)</span> \{ #', line):
            groups[line] = int(match[1])
            items = 0
        elif line.startswith("- "):
            items += 1
            assert items <= groups[list(groups)[-1]]
    assert groups and re.search(r'<p class="filter" [^>]*data-none="[^"]+">.*<b>(\d+)</b>', text)[1] == str(
        sum(line.startswith("- ") for line in text.splitlines())
    ) == str(sum(groups.values()))


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
    assert "[`torch.ones`](https://docs.pytorch.org/docs/stable/generated/torch.ones.html)" in text
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
    assert "- ✗ Often said: **“only equal shapes can be multiplied”**" in text
    assert "    ✓ In fact: Rows meet columns. [above](../topic/a.md#product)" in text
    assert "Proof: [Warning](../topic/a.md#warns)" in text
    assert "相乘的是行与列。[见上](../topic/a.md#product)" in rendered(sources, "errata", "zh")


def test_a_box_inside_of_a_fence_is_none(sources):
    text = '```example\n!!! erratum "no"\n```\n'
    assert errata.on_page(Page("docs/en/x.md", text)) == []


# -- The home page --------------------------------------------------------------------------------

HOME = """
---
title: H
description: D
---

# H

```verbatim
doors
```

```verbatim
start
```

## Chapters { #by-question }
"""

INDEX = """
---
title: Topic
description: D
---

# Topic

- [Not here](a.md)

## Start here { #start }

First this.

1. [How are they *multiplied*?](a.md#product)
2. [And then](a.md)
"""


def home(project: Project, sources: Sources, write, text: str = HOME) -> str:
    """The home page's text, with its lists, in a book that has a chapter's index."""
    write("docs/en/index.md", text)
    write("docs/en/topic/index.md", INDEX)
    pages, _ = load_pages(project)
    found = lists.gather(sources.book, pages, [])
    return lists.expand(text, found, page(found, "docs/en/index.md"))


def test_the_doors_say_how_much_is_behind_them(sources, project, write):
    text = home(project, sources, write)
    doors = re.findall(r"^- \[(.+)\]\((.+)\) (\d+) ", text, re.MULTILINE)
    shown = rendered(sources, "errors", "en"), rendered(sources, "names", "en")
    counts = [str(len(re.findall(r"^- ", list_, re.MULTILINE))) for list_ in shown]
    assert doors == [
        ("An error message", "ways/errors.md", counts[0]),
        ("An API name", "ways/names.md", counts[1]),
        ("A question", "#by-question", "1"),
    ]


def test_a_list_that_no_page_shows_has_no_door(sources, project, write):
    (project.root / "docs/en/ways/names.md").unlink()
    text = home(project, sources, write, HOME.replace(" { #by-question }", ""))
    assert re.findall(r"^- .*", text, re.MULTILINE) and "An API name" not in text and "A question" not in text


def test_the_home_page_says_which_releases_were_run(several, project, write):
    text = home(project, several, write)
    built = several.book.versions.built
    first, *_, last = [name for name in several.book.versions.names if name != built]
    assert f"printed by torch {built} while" in text
    assert f"with {len(several.book.versions.all)} other versions, {first} to {last};" in text


def test_beginners_are_led_to_the_first_page_of_each_chapter(sources, project, write):
    text = home(project, sources, write)
    assert re.findall(r"^\d+\. .*", text, re.MULTILINE) == ["1. [How are they *multiplied*?](topic/a.md#product)"]


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


def raised(text: str) -> dict[str, object]:
    name, _, message = text.partition(": ")
    return {"output_type": "error", "ename": name, "evalue": message, "traceback": [text]}


OLD = "RuntimeError: size mismatch, m1: [2 x 3], m2: [2 x 3]"
NEW = "RuntimeError: addmm: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
BUILT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"


@pytest.fixture
def several(sources, project) -> Sources:
    """The same book, run with two releases more."""
    book = sources.book
    environment = dict.fromkeys(("python", "numpy", "matplotlib"), "1") | {"torch": "2.13.0+cpu"}
    records.write_environment(project, environment)
    for path, script in book.scripts.items():
        records.write(project, script, book.printed[path])
    old = {
        "product": raised(OLD),
        "old-name": "quiet\n",
        "caught": ("AttributeError", "no attribute 'ones'"),
        "on-a-gpu": ["needs:cuda"],
    }
    stand_in_version(project, "1.13.1", {"topic/a": old}, missing=("torch.ones",))
    stand_in_version(project, "2.15.0", {"topic/a": {"product": raised(NEW)}})
    again = gather(project)
    return lists.gather(again, sources.pages, [])


def test_one_version_is_no_change(sources):
    built = Versions("2.13.0")
    only = dataclasses.replace(sources, book=dataclasses.replace(sources.book, versions=built))
    assert releases.steps(only, "en") == []
    assert "So far every output comes from one version, torch 2.13.0." in rendered(only, "changes", "en")


def test_each_release_is_compared_with_the_one_before_it(several):
    newest, built = releases.steps(several, "en")
    assert (newest.old, newest.new) == ("2.13.0", "2.15.0") and (built.old, built.new) == ("1.13.1", "2.13.0")
    assert [(one.kind, one.old, one.new) for one in newest.changes] == [("changed message", (BUILT,), (NEW,))]
    assert [(one.cell, one.kind) for one in built.changes] == [
        ("caught", "new"),
        ("old-name", "new warning"),
        ("product", "changed message"),
    ]
    assert (built.names, built.gone, newest.names) == (("torch.ones",), (), ())
    assert f"-{OLD}" in built.changes[-1].diff and "(torch 1.13.1)" in built.changes[-1].diff


def test_what_changed_without_a_message_is_told_too(several, project):
    stand_in_version(project, "2.14.1", {"topic/a": {"caught": "RuntimeError: other\n7\n", "old-name": "loud\n"}})
    stand_in_version(project, "2.15.0", {"topic/a": {"caught": "RuntimeError: other\n8\n", "old-name": "loud\n"}})
    again = lists.gather(gather(project), several.pages, [])
    newest, before, _ = releases.steps(again, "en")
    assert [(one.cell, one.kind) for one in newest.changes] == [("caught", "changed")]
    assert [(one.cell, one.kind) for one in before.changes] == [
        ("caught", "changed message"),
        ("old-name", "message gone"),
    ]


def test_a_release_that_did_not_run_a_cell_hides_no_change(several, project):
    stand_in_version(project, "2.6.0", {"topic/a": {"product": ["ended"]}})
    again = lists.gather(gather(project), several.pages, [])
    built = releases.steps(again, "en")[1]
    (change,) = [one for one in built.changes if one.cell == "product"]
    assert (built.old, change.before) == ("2.6.0", "1.13.1")
    assert "[Matrices \\[2, 3\\]](../topic/a.md#product) (compared with torch 1.13.1)" in rendered(
        again, "changes", "en"
    )


def test_the_page_of_changes_names_releases_names_and_messages(several):
    text = rendered(several, "changes", "en")
    assert text.index("## torch 2.15.0 { #torch-2-15-0 }") < text.index("## torch 2.13.0 { #torch-2-13-0 }")
    assert "[`torch.ones`](names.md#torch.ones)" in text
    assert f"- {BUILT}\n    + {NEW}\n" in text and "[Matrices \\[2, 3\\]](../topic/a.md#product)" in text
    assert "**Runs from here on**\n\n[The rest](../topic/a.md#rest)" in text
    zh = rendered(several, "changes", "zh")
    assert "**措辞变了的信息**" in zh and "与运行过的前一个版本 torch 1.13.1 相比。" in zh


def test_names_are_listed_by_the_first_release_that_has_them(several):
    assert since.render(several, page(several, "docs/en/ways/changes.md")) == [
        "| First release that has it | Names |",
        "| --- | --- |",
        "| 2.13.0 (not 1.13.1) | [`torch.ones`](names.md#torch.ones) |",
    ]
    assert "2.13.0（1.13.1 还没有）" in since.render(several, page(several, "docs/zh/ways/changes.md"))[-1]


def test_without_other_releases_nothing_is_said_of_names(sources):
    only = dataclasses.replace(sources, book=dataclasses.replace(sources.book, versions=Versions("2.13.0")))
    assert since.render(only, page(only, "docs/en/ways/changes.md")) == ["No other release has been run yet."]


def test_the_list_of_names_says_which_releases_lack_one(several):
    text = rendered(several, "names", "en")
    ones, zeros = text.split('id="torch.zeros"')[0].split('id="torch.ones"')[1], text.split('id="torch.zeros"')[1]
    assert "**missing from**: torch 1.13.1\n" in ones and "missing from" not in zeros
    assert "**没有它的版本**：torch 1.13.1\n" in rendered(several, "names", "zh")


def test_the_table_counts_what_came_of_the_cells(several):
    head, _, first, second, *_ = changes.table(several, "en")
    assert head.split(" | ")[:5] == ["| torch", "Run", "Same", "Different", "Of them errors"]
    time = '<time datetime="2026-11-22">2026-11-22</time>'
    assert first == f"| 1.13.1 | 5 | 1 | 2 | 1 | 1 | 1 | 1 | 0 | {time} |"
    assert second == f"| 2.15.0 | 6 | 4 | 1 | 1 | 0 | 1 | 0 | 0 | {time} |"


def test_the_page_and_the_feed_tell_the_same(several):
    feed = changes.feed(several, "en", "https://example.org/book/", "Book")
    entries = ElementTree.fromstring(feed).findall("{http://www.w3.org/2005/Atom}entry")
    ids = [entry.findtext("{http://www.w3.org/2005/Atom}id") for entry in entries]
    assert sorted(ids) == [f"https://example.org/book/en/ways/changes/#torch-2-1{n}-0" for n in (3, 5)]
    assert all(f"{{ #{one.partition('#')[2]} }}" in rendered(several, "changes", "en") for one in ids)
    assert "New names 1, Runs from here on 1, New warnings and messages 1" in feed


def test_the_list_of_errors_has_the_messages_of_all_releases(several):
    text = rendered(several, "errors", "en")
    said = "[Matrices \\[2, 3\\]](../topic/a.md#product): Transpose the second: `b.T`.\n"
    for message, release in ((OLD, "1.13.1"), (BUILT, "2.13.0"), (NEW, "2.15.0")):
        assert f"- `{message}` · torch {release}\n\n    {said}" in text
    assert (
        "- ``FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.`` · torch 2.13.0 and 2.15.0" in text
    )
    missing = "[The rest](../topic/a.md#rest): not in this version yet. It runs with torch 2.13.0 and 2.15.0.\n"
    assert f"- `AttributeError: no attribute 'ones'` · torch 1.13.1\n\n    {missing}" in text
    zh = rendered(several, "errors", "zh")
    assert "(../topic/a.md#rest)：这个版本还没有。能运行的是 torch 2.13.0、2.15.0。" in zh


def test_a_message_that_all_releases_print_is_of_none(several, project):
    same = "FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.\n"
    other = {"output_type": "stream", "name": "stderr", "text": same + "And more.\n"}
    for release in ("1.13.1", "2.15.0"):
        stand_in_version(project, release, {"topic/a": {"old-name": other}})
    again = lists.gather(gather(project), several.pages, [])
    (message,) = [one for one in errors.messages(again, "en") if one.name == "FutureWarning"]
    assert message.torch == ()


def test_a_claim_that_was_true_once_says_until_when(several, project, write):
    for language, texts in TEXTS.items():
        write(f"docs/{language}/topic/a.md", PAGE.format(**texts).replace("!!! erratum", "!!! erratum once"))
    again = lists.gather(several.book, load_pages(project)[0], [])
    text = rendered(again, "errata", "en")
    assert 'title="This was so once · torch 1.13.1" }\n    quiet\n' in text
    assert "曾经如此 · torch 1.13.1" in rendered(again, "errata", "zh")
    assert "This was so once" not in rendered(several, "errata", "en")
    assert manifest.build(again, {})["errata"][0]["once"] == ["1.13.1"]
    assert manifest.build(several, {})["errata"][0]["once"] == []


def test_a_claim_is_called_true_once_only_where_a_release_shows_it(several, project, write):
    def told() -> list[str]:
        book = gather(project)
        pages = load_pages(project)[0]
        return [str(problem) for problem in check(book, pages) if "was so once" in problem.message]

    for language, texts in TEXTS.items():
        write(f"docs/{language}/topic/a.md", PAGE.format(**texts).replace("!!! erratum", "!!! erratum once"))
    assert told() == []
    stand_in_version(project, "1.13.1", {})
    assert [one.partition(": ")[2].splitlines()[0] for one in told()] == [
        "no recorded release shows that this was so once"
    ] * 2
    write("examples/topic/a.py", SCRIPT.replace("torch.zeros(1)", "torch.zeros(2)"))
    assert told() == []  # not known before it is run again


# -- The manifest ---------------------------------------------------------------------------------

SCHEMA = json.loads((Path(__file__).parents[1] / "docs/assets/verbatim.schema.json").read_text())


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_manifest_follows_its_schema(several):
    built = manifest.build(several, {"examples/topic/a.py": {"zh": "topic/a/", "en": "en/topic/a/"}})
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(built)))
    (error,) = [e for e in built["errors"] if e["text"] == BUILT]
    assert error["torch"] == ["2.13.0"]
    assert error["section"] == {"zh": "topic/a/#product", "en": "en/topic/a/#product"}
    assert error["cell"] == "topic/a#product"
    assert built["names"]["torch.ones"]["cells"][0] == "topic/a#product"
    assert built["errata"][0]["claim"]["zh"] == "形状相同才能相乘"
    assert built["changes"][0]["to"] == "2.15.0" and built["changes"][1]["names"] == ["torch.ones"]
    assert [one["counts"]["changed"] for one in built["versions"]] == [2, 1]
    product = built["recipes"]["topic/a"]["cells"][0]["versions"]
    assert [(one["torch"], one["kind"]) for one in product] == [
        (["1.13.1"], "other"),
        (["2.13.0"], "same"),
        (["2.15.0"], "other"),
    ]
    assert built["coverage"]["topics"] == {"count": 2, "missing": ["topic/nowhere"]}


@pytest.mark.parametrize("key", ["errors", "names", "errata", "versions", "changes", "coverage", "recipes"])
def test_the_schema_asks_for_every_part(sources, key):
    built = manifest.build(sources, {})
    del built[key]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(built)


def test_what_several_pages_list_is_gathered_once(sources, monkeypatch):
    asked = []
    find = errors.messages_of
    monkeypatch.setattr(errors, "messages_of", lambda outputs: asked.append(1) or find(outputs))
    again = dataclasses.replace(sources, _made={})
    first = errors.messages(again, "zh")
    count = len(asked)
    assert errors.messages(again, "zh") is first and len(asked) == count > 0
    errors.messages(again, "en")
    assert len(asked) == 2 * count


# -- Parts ----------------------------------------------------------------------------------------


@pytest.fixture
def split(several, project, write) -> Sources:
    """The same book, whose pages show the long lists in parts."""
    for language in TEXTS:
        for name in ("errors RuntimeError n-z", "errors *", "names torch.Tensor", "names *"):
            write(f"docs/{language}/ways/{name.split()[0]}/{_file(name)}.md", LIST.format(name=name))
    return lists.gather(several.book, load_pages(project)[0], [])


def _file(name: str) -> str:
    return "rest" if name.endswith("*") else "some"


@pytest.mark.parametrize("name", ["errors", "names"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_list_in_parts_has_all_that_it_had_whole(split, several, name, language):
    entries = re.compile(r"^- .*(?:\n(?!- |## ).*)*", re.MULTILINE)

    def shown(text: str) -> list[str]:
        bare = re.sub(r'<span id="[^"]*"></span>|<[^>]*>', "", text)
        return sorted(one.replace("../../", "../").rstrip() for one in entries.findall(bare))

    whole = shown(rendered(several, name, language))
    some, rest = (rendered(split, f"{name}/{file}", language) for file in ("some", "rest"))
    assert shown(some) and shown(rest) and sorted(shown(some) + shown(rest)) == whole
    brief = rendered(split, name, language)
    links = re.findall(rf"^- \[.*\]\({name}/(some|rest)\.md#(\S+)\)", brief, re.MULTILINE)
    assert len(links) == len(whole) == len(set(links))
    for file, anchor in links:
        assert f'<span id="{anchor}"></span>' in {"some": some, "rest": rest}[file]
    headings = re.compile(r"^## .* (\{ #.* \})$", re.MULTILINE)
    assert headings.findall(brief) == headings.findall(rendered(several, name, language))


def test_what_no_part_takes_stands_on_the_list_in_full(split, project, write):
    (project.root / "docs/en/ways/errors/rest.md").unlink()
    again = lists.gather(split.book, load_pages(project)[0], [])
    text = rendered(again, "errors", "en")
    assert "- [`RuntimeError: shape '[3]' is invalid for input of size 2`](errors/some.md#e" in text
    assert f"- `{BUILT}` · torch 2.13.0\n\n    [Matrices" in text


def test_an_old_address_of_a_name_still_leads_to_it_and_pages_lead_to_the_part(split):
    assert "- [`torch.ones`](names/rest.md#torch.ones){ #torch.ones }" in rendered(split, "names", "en")
    line = names.used_here(split, page(split, "docs/en/topic/a.md"))
    assert "[`torch.Tensor.view`](../ways/names/some.md#torch.Tensor.view)" in line
    assert "[`torch.ones`](names/rest.md#torch.ones)" in rendered(split, "changes", "en")


@pytest.mark.parametrize("asked", ["errata *", "errors a-m", "coverage topic"])
def test_a_part_that_cannot_be_is_told(sources, project, write, asked):
    write("docs/en/ways/errors.md", LIST.format(name=asked))
    pages, _ = load_pages(project)
    name, _, part = asked.partition(" ")
    told = [str(p) for p in check(sources.book, pages) if "docs/en/ways/errors.md:8" in str(p)]
    assert any(f"there is no part `{part}` of the list `{name}`" in one for one in told)


def test_the_longest_pattern_takes_an_entry_and_letters_narrow_it():
    here = Page("docs/en/x.md", "")
    some = [parts.read(f"names {words}", here)[1] for words in ("*", "torch.nn.*", "torch a-l", "torch m-z")]
    taken = {
        name: some.index(parts.of(some, *name)) for name in (("torch", "cat"), ("torch", "Ones"), ("torch.nn.x", "y"))
    }
    assert taken == {("torch", "cat"): 2, ("torch", "Ones"): 3, ("torch.nn.x", "y"): 1}
    assert some.index(parts.of(some, "torch.nn", "Linear")) == 0 and parts.of(some[1:], "torch.nn", "Linear") is None
    assert parts.of(some, "torch", "4-D input").letters == ("a", "l")


def test_a_long_message_is_cut_at_the_end_of_a_word():
    long = "RuntimeError: " + "word " * 40
    assert errors._brief(long).endswith("word …") and len(errors._brief(long)) <= errors.BRIEF + 2
    assert errors._brief("x" * 200) == "x" * errors.BRIEF + " …" and errors._brief("short") == "short"
    assert errors._brief("AssertionError: <class " + "x" * 200).endswith("xx …")


def test_ids_of_messages_differ_and_stay():
    keys = [("E", f"E: {n}") for n in range(600)]
    ids = errors._ids({key: [] for key in keys})
    assert len(set(ids.values())) == 600
    fewer = errors._ids({key: [] for key in keys[::2]})
    assert sum(ids[key] != fewer[key] for key in fewer) < 10


@pytest.mark.parametrize(
    "name, module",
    [
        ("torch.cat", "torch"),
        ("torch.Tensor.view", "torch.Tensor"),
        ("torch.nn.Module.apply", "torch.nn"),
        ("torch.nn.utils.rnn.PackedSequence_.index", "torch.nn.utils.rnn"),
        ("torch.device.type", "torch"),
        ("torch.return_types.sort.indices", "torch.return_types"),
        ("torch.nn.functional.relu", "torch.nn.functional"),
    ],
)
def test_no_class_is_a_module(name, module):
    assert names.module(name, {"torch.device", name}) == module


def test_docstrings_stand_whole_and_on_english_pages_only(sources):
    zeros = "Returns a tensor filled with the scalar value 0,"
    for language, end, there in (("en", " with the shape defined.", True), ("en", "", False), ("zh", ".", False)):
        on = page(sources, f"docs/{language}/ways/names.md")
        (entry,) = [one for one in names.names(sources, language) if one.name == "torch.zeros"]
        entry.summary = zeros + end
        assert (zeros in "\n".join(names.render(sources, on))) is there


def test_of_many_pages_those_come_first_that_speak_of_the_name(sources):
    base = page(sources, "docs/en/ways/names.md")
    (place,) = [p for p in sources.places("en") if p.cell.name == "product"]
    heads = {"few": "# Other", "many": "# Other", "about": "# All about zeros", "like": "# zeros_like"}
    found = {name: Page(f"docs/en/topic/{name}.md", head) for name, head in heads.items()}
    places = [dataclasses.replace(place, page=found[name]) for name in ("few", "many", "many", "like", "about")]
    ordered = [re.search(r"topic/(\w+)\.md", one)[1] for one in names.pages("torch.zeros", places, base)]
    assert ordered == ["about", "many", "few", "like"]
    (entry,) = [one for one in names.names(sources, "en") if one.name == "torch.zeros"]
    every = [Page(f"docs/en/topic/p{n}.md", f"# P{n}\n\n## S {{ #s }}") for n in range(names.MOST + 3)]
    entry.places = [dataclasses.replace(place, page=one) for one in every]
    text = rendered(sources, "names", "en")
    assert f"    Used on {len(every)} pages, most of all: [P0]" in text
    assert sum(f"topic/p{n}.md" in text for n in range(len(every))) == names.MOST


# -- what a chapter's index leaves out ------------------------------------------------------------


def test_an_index_ends_with_the_pages_that_it_leaves_out(project, write):
    write("topics.yml", "topic:\n  index:\n  b:\n  a:\n  gone:\nother:\n  ../topic/c:\n")
    pages = [Page(f"docs/en/topic/{name}.md", f"# {name.upper()} [x]\n") for name in "abc"]
    index = Page("docs/en/topic/index.md", "# T\n\n[A](a.md#x) [elsewhere](https://a.org/b.md)\n")
    book = SimpleNamespace(project=project)
    assert lists.more.render(lists.gather(book, [*pages, index], []), index) == (
        "\n## More { #more }\n\n- [B \\[x\\]](b.md)\n"
    )
    assert lists.more.render(lists.gather(book, [*pages, index], []), pages[0]) == ""
    whole = dataclasses.replace(index, text=index.text + "[B](b.md)\n")
    assert lists.more.render(lists.gather(book, [*pages, whole], []), whole) == ""
