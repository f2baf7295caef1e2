"""What pages, notebooks and plain Markdown show of other releases of torch. The stand-ins are in `tests.stand_ins`."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import markdown
import pytest

from tests.conftest import stand_in_version
from tests.expanded import expand, footer, weave
from tests.pages.test_outputs import html_of
from tests.site.test_plugin import command
from tests.stand_ins import MINIATURE
from verbatim.book import records
from verbatim.book.gather import Book, gather
from verbatim.book.releases.ranges import Kind, Range, Releases
from verbatim.pages import other_releases, verdicts
from verbatim.pages.page import Page
from verbatim.project import Project

SCRIPT = '''
"""T."""

# %% setup
import torch

# %% value
print(1)

# %% fails raises="ValueError"
raise ValueError("now")

# %% checked hidden=true
print("hidden")
'''

OLD = {"output_type": "error", "ename": "ValueError", "evalue": "then", "traceback": ["ValueError: then"]}


@pytest.fixture
def recorded(project, write):
    """Record a script, write stand-ins of other releases, and read the book again."""
    write("examples/a/b.py", SCRIPT)
    first = gather(project)
    records.write_environment(project, {**first.ran, "torch": "2.13.0+cpu"})
    for path, script in first.scripts.items():
        records.write(project, script, first.fresh_results[path])

    def recorded(**said: dict[str, object]) -> Book:
        for name, cells in said.items():
            stand_in_version(project, name[1:].replace("_", "."), {"a/b": cells})
        return gather(project)

    return recorded


def page(book: Book, text: str, language: str = "en") -> str:
    return expand(text, book, language, lambda svg, recipe, cell: "f.svg")


def embed(cell: str, indent: str = "") -> str:
    return f"{indent}```example\n{indent}examples/a/b.py#{cell}\n{indent}```\n"


@pytest.fixture(scope="module")
def miniature() -> Book:
    return gather(MINIATURE)


def of_miniature(book: Book, name: str, language: str) -> str:
    return page(book, (MINIATURE.docs(language) / f"{name}.md").read_text(), language)


def test_nothing_is_said_of_an_output_that_all_releases_print(recorded):
    book = recorded(v1_13_1={}, v2_6_0={})
    assert page(book, embed("value")) == page(replace(book, releases=Releases("2.13.0")), embed("value"))


def test_an_output_that_differs_says_of_which_release_it_is(recorded):
    book = recorded(
        v1_13_1={"value": "0\n"}, v2_0_1={"value": "0\n"}, v2_6_0={"value": "0\n"}, v2_15_0={"value": "3\n"}
    )
    en, zh = page(book, embed("value")), page(book, embed("value"), "zh")
    assert 'title="Output · torch 2.13.0"' in en and 'title="输出 · torch 2.13.0"' in zh
    assert '??? versions "In other versions: torch 1.13.1 to 2.6.0 (3 releases tested) · torch 2.15.0"' in en
    assert '??? versions "在其他版本：torch 1.13.1–2.6.0（测过 3 个版本） · torch 2.15.0"' in zh
    assert 'title="Output · recorded · torch 1.13.1 to 2.6.0 (3 releases tested)"' in en
    assert 'data-verbatim="a/b#value" data-device="cpu" data-torch="1.13.1 2.0.1 2.6.0"' in en
    assert (
        ' data-releases="torch 1.13.1 to 2.6.0 (3 releases tested)" }' in en and ' data-releases="torch 2.13.0" }' in en
    )
    html = html_of(en)
    assert html.index(">1") < html.index("<details") < html.index(">0") < html.index(">3")


def test_what_a_release_has_not_is_not_there_yet_or_no_longer(recorded):
    error = ("AttributeError", "no such thing")
    book = recorded(v1_13_1={"setup": error, "value": ["cell:setup"]}, v2_15_0={"value": error})
    en = page(book, embed("setup") + "\n" + embed("value"))
    assert 'title="Error · not in this version yet · torch 1.13.1"' in en
    assert 'title="Error · no longer in this version · torch 2.15.0"' in en
    said = "Not run: it needs <code>setup</code>, which fails in this version · torch 1.13.1"
    where = 'data-verbatim="a/b#value" data-torch="1.13.1" data-since="2.13.0" data-releases="torch 1.13.1"'
    assert f'class="verbatim-version not-run" {where}>{said}</p>' in en
    assert (
        'data-verbatim="a/b#setup" data-releases="torch 2.13.0 and 2.15.0">No output · torch 2.13.0 and 2.15.0</p>'
        in en
    )
    assert "报错 · 这个版本已经没有了 · torch 2.15.0" in page(book, embed("value"), "zh")


def test_of_code_that_does_not_run_the_nearest_releases_that_run_it_are_named(recorded):
    absent, wrong = ("AttributeError", "no such thing"), {**OLD, "ename": "RuntimeError"}
    book = recorded(
        v1_13_1={"value": absent, "fails": absent},
        v2_0_1={"value": wrong, "fails": wrong},
        v2_6_0={"value": "0\n"},
        v2_15_0={"value": absent},
    )
    en = page(book, embed("value"))
    for torch, rest in (("1.13.1", 'since="2.6.0"'), ("2.0.1", 'since="2.6.0"'), ("2.15.0", 'until="2.13.0"')):
        assert f'data-torch="{torch}" data-{rest} data-releases="torch {torch}" }}' in en
    assert 'data-torch="2.6.0" data-releases="torch 2.6.0" }' in en
    fails = page(book, embed("fails"))  # that it raises is what it is there for
    assert 'data-torch="1.13.1" data-since="2.0.1" data-releases' in fails
    assert 'data-torch="2.0.1" data-releases' in fails


def test_an_output_names_the_releases_that_did_not_run_it(recorded, write):
    book = recorded(v1_13_1={}, v2_6_0={"value": ["needs:cuda"]})
    assert 'data-device="cpu" data-unrun="2.6.0" }' in page(book, embed("value"))
    assert "data-unrun" not in page(book, embed("fails"))
    before = book.display_hash("examples/a/b.py")
    assert before != recorded(v2_6_0={}).display_hash("examples/a/b.py")
    write("examples/a/b.py", SCRIPT.replace("print(1)", "print(1) "))
    assert 'data-unrun="1.13.1 2.6.0"' in page(gather(book.project), embed("value"))


def test_of_a_cell_that_changed_nothing_is_said(recorded, write):
    book = recorded(v1_13_1={"value": "0\n", "fails": OLD})
    write("examples/a/b.py", SCRIPT.replace("print(1)", "print(2)"))
    again = gather(book.project)
    now = page(again, embed("value") + embed("fails"))
    assert "torch 1.13.1" in page(book, embed("value")) and "torch 1.13.1" not in now
    assert "Some of this page has changed since it was run with torch 1.13.1" in footer(
        again, ["examples/a/b.py"], "en"
    )
    assert "torch 1.13.1 运行之后" in footer(again, ["examples/a/b.py"], "zh")


def test_the_end_of_a_page_says_which_releases_ran_it(recorded):
    book = recorded(v1_13_1={"value": "0\n"}, v2_0_1={}, v2_6_0={})
    said = footer(book, ["examples/a/b.py"], "en")
    assert "was run with torch 1.13.1, 2.0.1 and 2.6.0: what it printed differently" in said
    assert "not shown" not in said and "changed" not in said
    assert "也在 torch 1.13.1、2.0.1、2.6.0 上运行过" in footer(book, ["examples/a/b.py"], "zh")
    assert "was run with" not in footer(replace(book, releases=Releases("2.13.0")), ["examples/a/b.py"], "en")


def test_a_hidden_check_that_fails_in_a_release_is_owned_up_to(recorded):
    book = recorded(v1_13_1={"checked": ("AttributeError", "no")}, v2_0_1={})
    assert "With torch 1.13.1, code of this page that is not shown gave other results." in footer(
        book, ["examples/a/b.py"], "en"
    )


def test_a_page_knows_what_came_of_it_in_each_release(recorded, write):
    failed = ("AttributeError", "no")
    book = recorded(
        v1_13_1={"setup": failed, "value": ["cell:setup"]},
        v2_0_1={},
        v2_2_2={"value": ["needs:cuda"]},
        v2_4_1={"checked": failed},
        v2_6_0={"value": "0\n"},
    )
    whole, part = (Page("docs/en/a/b.md", text) for text in ("```example\nexamples/a/b.py\n```\n", embed("fails")))
    assert verdicts.text(book, whole) == "1.13.1=2 2.0.1=0 2.2.2=0~ 2.4.1=0~ 2.6.0=1"
    assert verdicts.text(book, part) == "1.13.1=0 2.0.1=0 2.2.2=0 2.4.1=0~ 2.6.0=0"
    assert verdicts.text(book, Page("docs/en/a/index.md", "No code.\n")) == ""
    write("examples/a/b.py", SCRIPT.replace('"now"', '"today"'))
    assert verdicts.text(gather(book.project), part).startswith("1.13.1=? 2.0.1=? ")
    assert verdicts.text(gather(book.project), whole).startswith("1.13.1=2~ 2.0.1=0~ ")


BOX = '!!! erratum once "Often said: no"\n    It was so.\n\n' + embed("value", "    ")


def test_a_claim_that_was_true_once_shows_until_when(recorded):
    book = recorded(v1_13_1={"value": "0\n"}, v2_15_0={"value": "3\n"})
    assert '    ???+ versions "This was so once: torch 1.13.1 · torch 2.15.0"' in page(book, BOX)
    assert '    ???+ versions "曾经如此：torch 1.13.1 · torch 2.15.0"' in page(book, BOX, "zh")
    assert '    ??? versions "In other versions' in page(book, BOX.replace("erratum once", "erratum"))
    newer = recorded(v1_13_1={})
    assert '    ??? versions "In other versions: torch 2.15.0"' in page(newer, BOX)


def test_a_caption_stays_below_its_figure(miniature):
    text = of_miniature(miniature, "tensors/print", "zh")
    figure, caption, fold = (
        text.index(part) for part in ("verbatim-figure", "*图：", '"在其他版本：torch 1.13.1"\n\n    <p')
    )
    assert figure < caption < fold
    assert text.count("*图：") == 1
    assert (
        '<p class="verbatim-version" data-verbatim="tensors/print#drawn" data-releases="torch 2.6.0、2.13.0">torch 2.6.0、2.13.0</p>'
        in text
    )


def test_what_other_releases_print_is_text(recorded):
    book = recorded(v1_13_1={"value": '</details><script>"owned"</script>\n```\n!!! note "x"\n'})
    html = html_of(page(book, embed("value")))
    assert "<script" not in html and html.count("</details>") == 1 and "admonition" not in html


def test_the_notebook_folds_them_below_their_cell(miniature):
    text = (MINIATURE.docs("en") / "autograd/leaf.md").read_text()
    cells = weave(text, miniature, "en", "examples/autograd/leaf.py", link=str)["cells"]
    number = next(n for n, cell in enumerate(cells) if cell["id"].endswith("-fails"))
    fold = "".join(cells[number + 1]["source"])
    assert fold.startswith("<details><summary>In other versions: torch 1.13.1 and 2.6.0</summary>\n\n")
    assert "*recorded · torch 1.13.1 and 2.6.0*\n\n```text\nRuntimeError: element 0 of variables" in fold
    assert cells[number]["metadata"]["verbatim"]["versions"] == [
        {"torch": ["1.13.1", "2.6.0"], "kind": "other"},
        {"torch": ["2.13.0"], "kind": "same"},
    ]
    html = markdown.markdown(fold, extensions=["md_in_html"])
    assert html.count("<details>") == html.count("</details>") == 1
    text = (MINIATURE.docs("zh") / "tensors/print.md").read_text()
    told = "".join(
        "".join(cell["source"]) for cell in weave(text, miniature, "zh", "examples/tensors/print.py", link=str)["cells"]
    )
    assert "*另一张图，见网页版 · 录制 · torch 1.13.1*" in told and "*没有运行：" in told


def test_releases_are_named_by_what_was_run():
    names = ["1.13.1", "2.0.1", "2.6.0"]
    assert other_releases.named(names[:1], "en") == "torch 1.13.1"
    assert other_releases.named(names[:2], "en") == "torch 1.13.1 and 2.0.1"
    assert other_releases.named(names, "en") == "torch 1.13.1 to 2.6.0 (3 releases tested)"
    assert other_releases.listed(names, "en") == "torch 1.13.1, 2.0.1 and 2.6.0"
    assert other_releases.listed(names[:1], "zh") == "torch 1.13.1"


def test_only_what_an_older_release_printed_was_so_once():
    ranges = [Range(("1.13.1",), Kind.OTHER), Range(("2.0.1",), Kind.ABSENT), Range(("2.13.0",), Kind.SAME, built=True)]
    assert other_releases.older(ranges) == ranges[:1]
    assert other_releases.older([ranges[2], ranges[0]]) == []
    assert other_releases.older(ranges[:2]) == []


def test_a_new_record_reaches_a_page_and_what_is_taken_away_of_it(tmp_path):
    """The second build keeps what did not change: of that, the records of other releases are a part."""
    root = Path(__file__).parents[2]
    copy = shutil.copytree(MINIATURE.root, tmp_path / "copy", ignore=shutil.ignore_patterns(".cache", "site"))
    config = (copy / "mkdocs.yml").read_text().replace("../../", f"{root}/")
    (copy / "mkdocs.yml").write_text(config)
    (copy / "outputs/versions").rename(tmp_path / "versions")
    told = []
    for _ in range(2):
        done = command(Project(copy), "mkdocs", "build", "-q", "--site-dir", str(tmp_path / "site"))
        assert done.returncode == 0, done.stdout
        files = [
            tmp_path / "site" / language / "autograd/leaf" / name
            for language in ("", "en")
            for name in ("index.html", "notebook/index.html", "leaf.ipynb")
        ]
        told.append(["of variables does not require grad" in file.read_text() for file in files])
        if len(told) == 1:
            (tmp_path / "versions").rename(copy / "outputs/versions")
    assert told == [[False] * 6, [True] * 6]
