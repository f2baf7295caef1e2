"""What people who write their first page do wrong, each beside a right thing that is near to it."""

from __future__ import annotations

import dataclasses

import pytest

from tests.checks.recipe import EN, PAGES, PY, WHOLE, ZH
from verbatim.checks import links, messages, names, outputs, prose, structure
from verbatim.checks import pages as forms
from verbatim.memo import Memo
from verbatim.pages.page import Page

CHINESE = "梯度是完整的：`cat` 把它们接起来。"


def put(path: str, sentence: str) -> Page:
    """Return the sound page with another sentence."""
    old = WHOLE if path == EN else CHINESE
    assert old in PAGES[path[5:7]]
    return Page(path, PAGES[path[5:7]].replace(old, sentence, 1))


@pytest.mark.parametrize(
    ("path", "sentence", "wrong"),
    [
        (EN, "The error is `delta must be finite and real here`.", True),
        (ZH, "报错是 `delta must be finite and real here`。", True),
        (EN, "Then `RuntimeError: delta must be finite and real` is raised.", True),
        (EN, "It raises an error unless `delta.isfinite().all() and delta.isreal().all()`.", False),
        (EN, "The error goes away with `python -m pip install one two`.", False),
        (EN, "| `delta must be finite and real here` |", False),
        (EN, "`delta`, `must`, `be` and `finite` raise an error.", False),
    ],
)
def test_a_message_in_code_is_one_that_something_prints(sound, path, sentence, wrong):
    page = put(path, sentence)
    told = list(messages.check_quoted(sound, [(page, messages.quoted(page))], messages.printed_by(sound), Memo()))
    assert bool(told) == wrong, told


@pytest.mark.parametrize(
    ("zh", "en", "told"),
    [
        ("报错：sizes must match", "Error: sizes must match", []),
        ("报错：Sizes of tensors … match", "Error: sizes of tensors … match", []),
        ("报错：sizes must fit", "Error: sizes must fit", [ZH]),
        ("报错：sizes must match", "Error: sizes have to match", [EN]),
        ("报错：两个大小不同", "Error: two sizes differ", []),
        ("在 sizes that fit 之后", "After sizes that fit", []),
    ],
)
def test_a_heading_says_the_words_that_are_printed(sound, zh, en, told):
    (script,) = sound.scripts.values()
    text = script.text + '\n"Sizes of tensors must match except in dimension 1"\n'
    changed = dataclasses.replace(sound, scripts={script.path: dataclasses.replace(script, text=text)})
    pages = [Page(path, f"# T\n\n## {head} {{ #x }}\n\n```example\n{PY}\n```\n") for path, head in ((ZH, zh), (EN, en))]
    assert [one.path for one in messages.check_headings(changed, pages, messages.printed_by(changed), Memo())] == told
    without = dataclasses.replace(sound, scripts={})  # its own problem, not the page's
    told = [path for path in told if path == EN]
    assert [one.path for one in messages.check_headings(without, pages, messages.printed_by(without), Memo())] == told


def test_a_tensor_that_is_not_printed(told):
    assert "`tensor([7, 7])` stands neither" in told(**{EN: put(EN, "The result is `tensor([7, 7])`.").text})
    assert "tensor([7, 7])" not in told(**{EN: put(EN, "Try it with `torch.tensor([7, 7])`.").text})


@pytest.mark.parametrize(("factor", "wrong"), [("37.5", True), ("1.5", False), ("3.16", False)])
def test_how_many_times_as_fast_is_printed_or_a_guess(sound, factor, wrong):
    page = put(EN, f"It is {factor} times as fast.")
    assert bool(list(outputs.check_numbers(sound, page))) == wrong


def test_a_tab_that_is_empty():
    told = list(structure.check_tabs(Page(EN, '# T\n\n=== "Linux"\n\nText.\n\n=== "macOS"\n\n    Text.\n')))
    assert [one.line for one in told] == [3] and 'the tab `=== "Linux"` is empty' in told[0].message


def test_a_whole_script_beside_one_of_its_cells():
    fence = "```example\nexamples/a/b.py{}\n```\n"
    both = Page(EN, f"# T\n\n{fence.format('')}\n{fence.format('#c')}")
    assert ["the whole script is shown here" in one.message for one in structure.check_shown_once(both)] == [True]
    assert list(structure.check_shown_once(Page(EN, f"# T\n\n{fence.format('')}"))) == []


def test_a_caption_of_a_cell_that_draws_nothing_and_one_that_says_nothing(told):
    caption = "*Figure: a line that rises through 1, 2 and 4.*"
    assert "this caption says nothing" in told(**{EN: PAGES["en"].replace(caption, "*Figure: plot.*")})
    text = PAGES["en"].replace("#setup\n```\n", "#setup\n```\n\n*Figure: two columns.*\n", 1)
    assert "draws no figure for this caption" in told(**{EN: text})


def test_a_description_without_an_end_where_others_have_one():
    said = ("Joins tensors.", "Joins them!", "a view")  # the second is told by another check
    pages = [Page(f"docs/en/a/{n}.md", f"---\ndescription: {text}\n---\n\n# T\n") for n, text in enumerate(said)]
    assert [(one.path, one.line) for one in forms.check_descriptions_end(pages)] == [("docs/en/a/2.md", 2)]
    assert list(forms.check_descriptions_end(pages[1:])) == []


@pytest.mark.parametrize(
    ("call", "wrong"),
    [
        ("mse_loss(x, y, reduce_mean=True)", True),
        ('mse_loss(x, y, reduction="sum")', False),
        ("sum(dim=1)", False),
        ("own_function(reduce_mean=True)", False),
    ],
)
def test_an_argument_of_a_function_whose_name_stands_alone(sound, call, wrong):
    page = put(EN, f"Write `{call}`.")
    assert bool(list(names.check_calls(sound, [(page, names.named(sound, page))], Memo()))) == wrong


@pytest.mark.parametrize(
    ("code", "wrong"),
    [
        ('print("形状：", 1)', True),
        ('print(f"形状：{1}")', True),
        ('text = "你好"\nprint(len(text))', False),
        ('print(len("你好"))', False),
    ],
)
def test_a_chinese_label(told, code, wrong):
    said = told(**{PY: ("# %% joins", f"# %% label hidden=true\n{code}\n\n# %% joins")})
    assert ("a Chinese label is printed" in said) == wrong


def test_a_name_of_pythons_own_that_is_taken(project, write):
    write("examples/a/b.py", '"""T."""\n\n# %% a\nlist = [1]\ninput = 2\n')
    (problem,) = prose.formatting(project)
    assert str(problem).startswith("examples/a/b.py:4:") and "list" in problem.message


def test_a_notebook_beside_a_script_stops_nothing(project, write):
    write("examples/a/b.py", '"""T."""\n\n# %% a\nx = 1\n')
    write("examples/a/b.ipynb", '{"cells": []}')
    assert list(prose.formatting(project)) == []


def test_settings_that_load_from_elsewhere(project, write):
    head = "site_name: a\ntheme:\n  font: false\nextra_css:\n  - assets/site.css\n"
    write("mkdocs.yml", head + "extra:\n  - https://a.example\n")
    assert list(links.check_origins(project)) == []
    write(
        "mkdocs.yml",
        head.replace("false", "Roboto")
        + "extra_javascript:\n  - path: //a.example/x.js\n    defer: true\n  - https://a.example/y.js\n",
    )
    assert [one.line for one in links.check_origins(project)] == [3, 7, 9]


def test_a_term_twice_and_one_to_be_avoided(project, write):
    rows = "| bias | 偏置 | 偏差 | | |\n| alias | 别名 | 别名 | | |\n| bias | 偏移 | | | |\n"
    write("book/GLOSSARY.md", f"| English | 中文 | 不用 | note | page |\n{'| --- ' * 5}|\n{rows}")
    told = [str(one).partition("\n")[0] for one in prose.check_glossary(project)]
    assert told == [
        "book/GLOSSARY.md:4: `别名` is the term, and to be avoided",
        "book/GLOSSARY.md:5: the term `bias` stands on line 3, too",
    ]


def test_words_of_the_thesaurus_that_nothing_says(project, write):
    write("book/THESAURUS.md", "| a | b | c | d |\n| - | - | - | - |\n| bmm product | | x | y |\n| bmn | | z | |\n")
    pages = [Page(EN, "# The product\n")]
    told = [str(one).partition("\n")[0] for one in prose.check_thesaurus(project, pages, ["torch.bmm(a, b)"])]
    assert told == ["book/THESAURUS.md:4: no page and no script says `bmn`"]
