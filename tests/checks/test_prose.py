"""How pages are written: what a machine can see of it, it says, and mends."""

from __future__ import annotations

import pytest

from tests.checks.recipe import PAGES, PY, ZH, on_pages, written
from verbatim.checks import prose
from verbatim.memo import Memo
from verbatim.pages.page import Page

MISTAKES = {
    "half-width parentheses in Chinese": (ZH, "梯度是", "梯度(clone)是", ":10: half-width parentheses in Chinese: `梯度(clone)"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


def zh(text: str) -> list[Page]:
    return [Page("docs/zh/topic/a.md", text)]


@pytest.mark.parametrize(
    ("text", "fixed"),
    [
        ("用torch拼接3个张量。", "用 torch 拼接 3 个张量。"),
        ("拼接,得到张量。", "拼接，得到张量。"),
        ("用`cat`拼接。", "用 `cat` 拼接。"),
        (r"导数是\(x\)本身。", r"导数是 \(x\) 本身。"),
    ],
)
def test_spaces_and_punctuation_are_told_and_mended(text, fixed):
    (problem, *_) = prose.typography(zh(f"# 题\n\n{text}\n"))
    assert (problem.path, problem.line) == ("docs/zh/topic/a.md", 3)
    assert prose.fix_typography(f"# 题\n\n{text}\n") == f"# 题\n\n{fixed}\n"
    assert list(prose.typography(zh(f"# 题\n\n{fixed}\n"))) == []


def test_code_links_and_ids_are_left_alone():
    text = "# 题\n\n## 节 { #a-b }\n\n```example\n中文abc,\n```\n\n见 [`cat`](../a.md#b)，“`x`”。\n"
    assert list(prose.typography(zh(text))) == []
    assert prose.fix_typography(text) == text


def test_english_pages_have_their_own_punctuation():
    assert list(prose.typography([Page("docs/en/a.md", "用torch,")])) == []


def test_words_that_the_glossary_avoids(project, write):
    write(
        "book/GLOSSARY.md",
        "| English | 中文 | 不用 | note |\n| --- | --- | --- | --- |\n| seed | 随机种子 | 乱数、乱数种子 | |\n| x | 甲 | | |\n",
    )
    (problem,) = prose.glossary(project, zh("# 题\n\n`乱数` 设乱数。\n"))
    assert str(problem) == "docs/zh/topic/a.md:3: `乱数` for “seed”\n  hint: the glossary says 随机种子"


def test_spelling_is_told_and_mended(project, write):
    page = write("docs/en/a.md", "The recieved is teh sum.\n")
    found = list(prose.spelling(project))
    assert [p.line for p in found] == [1, 1] and "`teh` is misspelt" in str(found)
    list(prose.spelling(project, fix=True))
    assert page.read_text() == "The received is the sum.\n"


def test_the_form_of_scripts_is_told_and_mended(project, write):
    script = write("examples/topic/a.py", '"""T."""\n\n# %% a\nx = {  "a":1 }\n')
    (problem,) = prose.formatting(project)
    assert str(problem) == "examples/topic/a.py:4: the script is not in form\n  hint: python -m verbatim check --fix"
    assert list(prose.formatting(project, fix=True)) == []
    assert 'x = {"a": 1}' in script.read_text()


def test_keywords_stand_as_readers_type_them():
    text = "---\ntitle: 叶子\nkeywords: [grad为None, 叶子结点]\n---\n\n# 叶子\n\n梯度为None。\n"
    (problem,) = prose.typography([Page("docs/zh/a.md", text)])
    assert problem.line == 8
    assert prose.fix_typography(text).splitlines()[2] == "keywords: [grad为None, 叶子结点]"


def test_fixing_mends_parentheses_in_chinese():
    text = "# 题\n\n张量(clone)和 `函数(x)`，见[文字](a.md)，\\(x\\)。\n"
    assert prose.fix_typography(text) == text.replace("(clone)", "（clone）")


def test_what_a_script_imports_or_formats_for_nothing_is_told_and_mended(tmp_path):
    project = written(tmp_path / "book")
    script = project.root / PY
    text = script.read_text()
    script.write_text(text.replace("import torch\n", "import os\n\nimport torch\n") + '\nprint(f"x")\n')
    told = [str(problem).splitlines()[0] for problem in prose.formatting(project)]
    assert told == [f"{PY}:4: `os` imported but unused", f"{PY}:22: f-string without any placeholders"]
    list(prose.formatting(project, fix=True))
    assert list(prose.formatting(project)) == []
    assert "import os" not in script.read_text() and 'print("x")' in script.read_text()


def test_a_name_that_no_cell_defines_is_told(tmp_path):
    project = written(tmp_path / "book")
    with (project.root / PY).open("a") as script:
        script.write("\nprint(imaeg)\n")
    (problem,) = prose.formatting(project)
    assert (
        str(problem)
        == f"{PY}:20: Undefined name `imaeg`\n  hint: see `ruff rule F821`; where it is meant: # noqa: F821"
    )


def test_a_python_without_autocorrect_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "autocorrect_py", None)
    (problem,) = prose.typography([Page(ZH, PAGES["zh"])])
    assert "autocorrect_py is not installed" in str(problem)


def test_a_page_is_held_against_the_glossary_again_where_one_of_them_changed(tmp_path, monkeypatch, project):
    page = Page("docs/zh/a.md", "# 一\n\n张量和矢量。\n")
    rows, told = [("tensor", "张量", "矢量")], []
    for known in ([], [], rows, rows):
        monkeypatch.setattr(prose, "avoided", lambda project, known=known: known)
        memo = Memo(tmp_path)
        told.append(len(list(prose.glossary(project, [page], memo))))
        memo.close()
    assert told == [0, 0, 1, 1]


@pytest.mark.parametrize(
    "content", [b"# A\n", "colour é\n".encode("latin-1"), None], ids=["shorter", "Latin-1", "gone"]
)
def test_a_page_that_is_saved_while_its_words_are_looked_up_is_no_accident(project, monkeypatch, content):
    if content is not None:
        (project.docs("en") / "a.md").write_bytes(content)
    found = {("docs/en/a.md", 9, "colour"): ["color"]}
    monkeypatch.setattr(prose, "_misspelt", lambda _, __, options: found if "--locale" in options else {})
    assert [*prose.spelling(project)] == []
