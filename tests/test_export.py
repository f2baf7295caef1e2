"""What `verbatim render` writes stands on its own: nothing of the site's is left in it, and every link leads to a file."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

from verbatim import export
from verbatim.book.gather import Options, gather
from verbatim.build import prepare
from verbatim.markdown import OUTSIDE_LINK, embeds, headings, links, listings, prose
from verbatim.pages.document import CellOutputs, Document, Printed, Prose, Shown
from verbatim.pages.freshness import StaleSection
from verbatim.project import Project
from verbatim.run.script import Cell
from verbatim.write import markdown

MINIATURE = Path(__file__).parent / "miniature"
IMAGE = re.compile(r"!\[(?:[^\]\\]|\\.)*\]\(([^)]*)\)(.*)")


@pytest.fixture(scope="module")
def rendered(tmp_path_factory) -> Path:
    """The miniature, rendered."""
    root = tmp_path_factory.mktemp("render") / "site"
    shutil.copytree(MINIATURE, root, ignore=shutil.ignore_patterns(".cache", "site"))
    project = Project(root)
    made = prepare(gather(project, options=Options(fresh=True)))
    assert not made.problems
    made.behind = [StaleSection("docs/zh/autograd/leaf.md", 0, "leaf", "docs/en/autograd/leaf.md")]
    export.write(made, root / "out")
    return root / "out"


def pages_of(folder: Path) -> dict[str, str]:
    return {path.relative_to(folder).as_posix(): path.read_text() for path in sorted(folder.rglob("*.md"))}


def test_every_page_is_there_in_both_languages(rendered):
    names = {"index.md", "autograd/leaf.md", "tensors/print.md"}
    assert set(pages_of(rendered)) == {f"{language}/{name}" for language in ("zh", "en") for name in names}


def test_no_placeholder_is_left(rendered):
    for path, text in pages_of(rendered).items():
        assert not embeds(text) and not listings(text), path
        blank = {number for number, line in prose(text) if not line.strip()}
        assert not {number + 1 for number in blank} & blank, path
        for number, line in prose(text):
            assert not re.search(r"verbatim:\w|\{ \.verbatim", line), f"{path}:{number}"


def test_every_link_leads_to_a_file_and_to_a_section_of_it(rendered):
    seen = 0
    for path, text in pages_of(rendered).items():
        for number, target in links(text):
            if OUTSIDE_LINK.match(target):
                continue
            file, _, section = target.partition("#")
            there = (rendered / path).parent / file if file else rendered / path
            assert there.is_file(), f"{path}:{number}: {target}"
            if section:
                assert section in {heading.id for heading in headings(there.read_text())}, f"{path}:{number}"
            seen += 1
    assert seen >= 10


def test_figures_lie_beside_their_page_on_paper_of_their_own(rendered):
    text = (rendered / "en/tensors/print.md").read_text()
    (name, after), theirs = IMAGE.findall(text)  # the second is another release's, in its fold
    assert not after.strip() and theirs[0] != name
    svg = (rendered / "en/tensors" / name).read_text()
    assert svg.startswith('<svg style="background: #fff; color: #') and "currentColor" in svg


def test_a_section_that_is_behind_says_so(rendered):
    before, _, after = (rendered / "zh/autograd/leaf.md").read_text().partition("{ #leaf }\n")
    assert "verbatim-behind" not in before
    assert after.lstrip().startswith('<p class="verbatim-behind">')


def test_the_manifest_lies_where_pages_link_to_it(rendered):
    text = (rendered / "verbatim.json").read_text()
    assert '"en": "en/autograd/leaf/"' in text and '"zh": "autograd/leaf/"' in text
    assert (rendered / "zh/verbatim.json").read_text() == text


def tidy(text: str) -> str:
    document = Document("zh", (Prose(tuple(text.split("\n"))),))
    return markdown.plain(document, lambda *_: "f.svg", markdown.PLAIN)


def test_plain_markdown_joins_chinese_lines_and_leaves_the_rest():
    assert tidy("一行，\n接着。\nLatin\n中文\n") == "一行，接着。\nLatin\n中文\n"
    assert tidy("一行\n\n- 二\n- 三\n") == "一行\n\n- 二\n- 三\n"
    fence = "```text\n甲\n乙\n\n\n{ .x }\n```\n"
    assert tidy(fence) == fence
    assert tidy("a\n\n\n\nb\n{ .verbatim-used }\n\n\n") == "a\n\nb\n"
    assert tidy("- 列表：\n    续行，\n    又一行\n") == "- 列表：\n    续行，\n    又一行\n"


def test_plain_markdown_answers_what_a_page_asks():
    cell = Cell("c", "print()", 2, 1, asks=True)
    printed = Printed(({"output_type": "stream", "name": "stdout", "text": "1\n\n  2\n"},))
    shown = Shown((CellOutputs("examples/a/b.py", "a/b#c", cell, ran=True, printed=printed),), "    ")
    document = Document("en", (Prose(("Why?", "")), shown, Prose(("", "    Because."))))
    plain = markdown.plain(document, lambda *_: "f.svg", markdown.BARE)
    code = '    ```python\n    print()\n    ```\n\n    ```text title="Output"\n    1\n\n      2\n    ```\n'
    assert plain == f"Why?\n\n{code}\n    Because.\n"
    assert '??? asks "' in markdown.site(document, lambda *_: "f.svg")


def test_files_that_both_languages_share_come_along(project, write):
    write("docs/assets/plot.svg", "<svg/>")
    write("docs/en/a/b.md", "---\ntitle: T\ndescription: D\n---\n\n# T\n\n![A line](../../assets/plot.svg)\n")
    export.write(prepare(gather(project, options=Options(fresh=True))), project.root / "out")
    assert "![A line](../assets/plot.svg)" in (project.root / "out/en/a/b.md").read_text()
    assert (project.root / "out/en/assets/plot.svg").read_text() == "<svg/>"


def test_two_figures_of_a_cell_are_two_files(project, write):
    draw = "plt.figure()\nplt.plot([1])\nplt.figure()\nplt.plot([2, 1])"
    write("examples/a/b.py", f'"""T."""\n# %% f\nimport matplotlib.pyplot as plt\n{draw}\n')
    write("docs/en/a/b.md", "---\ntitle: T\ndescription: D\n---\n\n# T\n\n```example\nexamples/a/b.py#f\n```\n")
    export.write(prepare(gather(project, options=Options(fresh=True))), project.root / "out")
    drawn = [(project.root / "out/en/a" / name).read_text() for name in ("b-f.svg", "b-f-2.svg")]
    assert drawn[0] != drawn[1]
