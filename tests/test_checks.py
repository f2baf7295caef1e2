"""Every mistake is told with its place and its remedy: those beyond one page, which `tests/cases/check` has."""

from __future__ import annotations

import re

import pytest

from verbatim import checks
from verbatim.book.gather import gather
from verbatim.checks import languages, prose, wording
from verbatim.pages.page import Page, load_pages
from verbatim.store import Passed

SCRIPT = '''
"""T."""

# %% setup
import torch

# %% shares-storage
print(torch.ones(1))  # (1)!

# %% proof hidden=true
assert True
'''

PAGE = """
---
title: Title
description: D
---

# Title

```example
examples/topic/a.py#setup
```

## Part { #part }

```example
examples/topic/a.py#shares-storage
```

1.  A note.

[part](#part), [other](b.md#there), [web](https://pytorch.org/)
"""

OTHER = "---\ntitle: Other\ndescription: About Other\n---\n\n# Other\n\n## There { #there }\n"


@pytest.fixture
def told(project, write):
    """Write a sound project with one change; return what `check` says."""

    def told(**changes: str) -> list[str]:
        files = {
            "examples/topic/a.py": SCRIPT,
            "docs/zh/topic/a.md": PAGE,
            "docs/en/topic/a.md": PAGE,
            "docs/zh/topic/b.md": OTHER,
            "docs/en/topic/b.md": OTHER,
        }
        for old, new in changes.pop("replace", []):
            files["docs/en/topic/a.md"] = files["docs/en/topic/a.md"].replace(old, new)
        for name, text in {**files, **changes}.items():
            if text is not None:
                write(name, text)
        book = gather(project)
        pages, problems = load_pages(project)
        return [str(p) for p in sorted(problems + book.problems + checks.check(book, pages))]

    return told


def test_a_sound_project_has_no_problem(told):
    assert told() == []


def test_a_page_without_its_twin(told, project, write):
    write("docs/zh/topic/alone.md", OTHER.replace("Other", "Alone"))
    assert told() == [
        "docs/zh/topic/alone.md: docs/en/topic/alone.md is missing\n  hint: write the page in both languages"
    ]


def test_a_cell_that_no_page_shows(told):
    (problem,) = told(**{"examples/topic/a.py": SCRIPT.replace(" hidden=true", "")})
    assert problem.startswith("examples/topic/a.py:9: no page shows the cell `proof`")


def test_a_script_that_no_page_shows(told):
    (problem,) = told(**{"examples/topic/lost.py": '"""T."""\n# %% a\nx = 1'})
    assert problem.startswith("examples/topic/lost.py: no page shows this script")
    assert "python -m verbatim new topic/lost" in problem


def test_a_record_without_its_script(told, write):
    write("outputs/cpu/topic/gone.ipynb", "{}")
    assert told() == [
        "outputs/cpu/topic/gone.ipynb: the script of this record is gone\n  hint: remove it: python -m verbatim record"
    ]


def test_everything_is_told_at_once(told):
    found = told(
        replace=[("a.py#setup", "a.py#stup"), ("{ #part }", ""), ("b.md#there", "c.md")],
        **{"examples/topic/broken.py": '"""T."""\n# %% a\nx = ('},
    )
    assert len(found) >= 4


def test_a_tree_of_one_language_needs_no_twins():
    page = Page("docs/en/topic/a.md", OTHER)
    assert list(languages.check_twins([page])) == []
    assert [p.path for p in languages.check_twins([page, Page("docs/zh/index.md", OTHER)])] == [
        page.path,
        "docs/zh/index.md",
    ]


def test_links_and_names_that_do_not_travel_are_told(told, project, write):
    write("docs/assets/secret", "x").unlink()
    (project.root / "docs/assets/secret").symlink_to("/etc/hostname")
    write("examples/topic/json.py", SCRIPT)
    write("examples/topic/Two Words.py", SCRIPT)
    write('examples/topic/q" onload="x.py', SCRIPT)
    write("examples/topic/_Help.txt", "x")
    write("examples/topic/_help.txt", "x")
    write("examples/topic/b.py", SCRIPT + "# \ue000\n")
    write("docs/assets/aux.svg", "<svg/>")
    found = "\n".join(told())
    assert "docs/assets/secret: this is a symbolic link" in found
    assert "examples/topic/json.py: the script hides the module `json`" in found
    assert "examples/topic/Two Words.py: `Two Words` cannot be a recipe's name" in found
    assert "docs/assets/aux.svg: Windows cannot hold a file of this name" in found
    assert 'examples/topic/q" onload="x.py: `q" onload="x` cannot be a recipe\'s name' in found
    if not (project.root / "examples/topic/_HELP.txt").exists():  # a file system that can hold both
        assert (
            "examples/topic/_help.txt: it differs from examples/topic/_Help.txt by upper and lower case alone" in found
        )
    assert re.search(r"examples/topic/b\.py:\d+: U\+E000 is a character of private use", found)


def test_a_project_inside_of_another_may_share_its_files(told, project, tmp_path):
    (project.root / "docs/assets").mkdir(exist_ok=True)
    around = project.root.parent
    (around / "docs/assets").mkdir(parents=True)
    (project.root / "docs/assets/shared").symlink_to("../../../docs/assets")
    assert "docs/assets/shared: this is a symbolic link" in "\n".join(told())
    (around / "mkdocs.yml").touch()
    assert "docs/assets/shared" not in "\n".join(told())
    (project.root / "docs/assets/secret").symlink_to("/etc/hostname")
    assert "docs/assets/secret: this is a symbolic link" in "\n".join(told())


def test_a_page_that_passed_is_not_looked_at_again(tmp_path, monkeypatch):
    head = "---\ntitle: A page\ndescription: What it shows.\nkeywords: [page]\n---\n\n# A page\n"
    good, bad = Page("docs/en/a.md", f"{head}\nIt is.\n"), Page("docs/en/b.md", f"{head}\nIt is is.\n")
    look, looked = wording.check_words, []
    monkeypatch.setattr(wording, "check_words", lambda page: looked.append(page.path) or look(page))
    told = []
    for pages in ([good, bad], [good, bad], [Page(good.path, good.text + "\nMore.\n"), bad], [good, bad]):
        passed = Passed(tmp_path / "passed.json")
        told.append([problem.path for problem in checks._alone(pages, passed)])
        passed.keep()
        looked.append("")
    # What is wrong is told every time; what only an earlier build found in order is forgotten.
    assert told[0] and all(paths == told[0] and set(paths) == {bad.path} for paths in told)
    assert looked == [
        *(good.path, bad.path, ""),
        *(bad.path, ""),
        *(good.path, bad.path, ""),
        *(good.path, bad.path, ""),
    ]


def test_twins_that_passed_are_compared_again_where_one_of_them_changed(tmp_path, monkeypatch):
    zh, en = Page("docs/zh/a.md", "# 一\n\n## 二 { #two }\n"), Page("docs/en/a.md", "# One\n\n## Two { #two }\n")
    other = Page(en.path, en.text + "\n## Three { #three }\n")
    compare, compared = languages._differences, []
    monkeypatch.setattr(languages, "_differences", lambda *of: compared.append(1) or compare(*of))
    told = []
    for pages in ([zh, en], [zh, en], [zh, other], [zh, other]):
        passed = Passed(tmp_path / "passed.json")
        told.append([problem.path for problem in languages.check_twins(pages, passed)])
        passed.keep()
    assert told[:2] == [[], []] and told[2] and told[2] == told[3]
    assert len(compared) == 3


def test_a_page_is_held_against_the_glossary_again_where_one_of_them_changed(tmp_path, monkeypatch, project):
    page = Page("docs/zh/a.md", "# 一\n\n张量和矢量。\n")
    rows, told = [("tensor", "张量", "矢量")], []
    for known in ([], [], rows, rows):
        monkeypatch.setattr(prose, "avoided", lambda project, known=known: known)
        passed = Passed(tmp_path / "passed.json")
        told.append(len(list(prose.glossary(project, [page], passed))))
        passed.keep()
    assert told == [0, 0, 1, 1]


LONG_LINE = f"total = {'1 + ' * 25}1\n"
MANY_LINES = "total += 1\n" * 80


def sections(count: int) -> str:
    return "".join(f"\n## Part {n} {{ #part-{n} }}\n" for n in range(count))


def test_a_line_of_code_that_a_page_cuts_off(told):
    (problem,) = told(**{"examples/topic/a.py": SCRIPT.replace("import torch\n", f"import torch\n{LONG_LINE}")})
    assert problem.startswith("examples/topic/a.py:5: the line has 109 columns, a page shows 84\n  hint: break it; or")


@pytest.mark.parametrize("cell", ["proof hidden=true", "setup fold=true"])
def test_code_that_is_hidden_or_folded_may_be_wide_and_long(told, cell):
    name = cell.split()[0]
    script = re.sub(f"# %% {name}.*\n", f"# %% {cell}\n{LONG_LINE}{MANY_LINES}", SCRIPT)
    assert told(**{"examples/topic/a.py": script}) == []


def test_a_script_that_is_too_long(told):
    script = SCRIPT.replace("import torch\n", "import torch\n" + "total = 1\n\n" * 63)
    assert told(**{"examples/topic/a.py": script}) == []
    (problem,) = told(**{"examples/topic/a.py": script.replace("total", "x = 1\ntotal", 1)})
    assert problem.startswith("examples/topic/a.py: the script shows 66 lines of code, at most 65 are read\n  hint: ")


def test_a_page_with_too_many_sections(told):
    page = PAGE + sections(7) + "\n## Read on { #read-on }\n"
    changes = {f"docs/{language}/topic/a.md": page for language in ("zh", "en")}
    assert told(**changes) == []
    problems = told(**{name: page.replace("## Read on { #read-on }", "## More { #more }") for name in changes})
    assert [problem.splitlines()[0] for problem in problems] == [
        f"{name}:36: the page has 9 sections, at most 8 are found again" for name in sorted(changes)
    ]


def test_what_must_be_longer_says_why(told):
    reasons = "description: D\nlong: a script to copy as a whole\nwide: a table that is read as rows\n"
    page = PAGE.replace("description: D\n", reasons) + sections(9)
    files = {f"docs/{language}/topic/a.md": page for language in ("zh", "en")}
    script = SCRIPT.replace("import torch\n", f"import torch\n{LONG_LINE}{MANY_LINES}")
    assert told(**{"examples/topic/a.py": script}, **files) == []


def test_a_reason_that_nothing_needs_and_one_that_says_nothing(told):
    page = PAGE.replace("description: D\n", "description: D\nlong: a script to copy\nwide: yes\n")
    problems = told(**{f"docs/{language}/topic/a.md": page for language in ("zh", "en")})
    assert [problem.splitlines()[0] for problem in problems if "/en/" in problem] == [
        "docs/en/topic/a.md:4: `long` in the front matter excuses nothing: the page and its scripts are within the limits",
        "docs/en/topic/a.md:5: `wide` in the front matter is no reason",
    ]


@pytest.mark.parametrize(
    ("keywords", "told_of"),
    [
        ("join tensors, tf.expand_dims, OneHotEncoder, torch.ones的用法", None),  # a reader's words, and what is there
        ("shared_memory", None),  # no name of any script
        ("torch.zeros", "torch.zeros"),
        ("nn.Linear, ones", "nn.Linear"),
        ("zero_grad", "zero_grad"),  # another recipe's
    ],
)
def test_a_keyword_with_a_name_that_only_others_use(told, keywords, told_of):
    page = PAGE.replace("description: D\n", f"description: D\nkeywords: [{keywords}]\n")
    other = {
        "examples/topic/other.py": '"""T."""\n\n# %% only\ndef zero_grad():\n    return "shared_memory"\n',
        **{
            f"docs/{language}/topic/other.md": "---\ntitle: One\ndescription: Another\nkeywords: [one]\n---\n\n# One\n\n"
            "```example\nexamples/topic/other.py#only\n```\n"
            for language in ("zh", "en")
        },
    }
    problems = told(**{f"docs/{language}/topic/a.md": page for language in ("zh", "en")}, **other)
    found = [problem.splitlines()[0].partition(": ")[2] for problem in problems if "keyword" in problem]
    expected = f"the keyword `{told_of}` stands neither on this page nor in its code"
    assert found == ([expected] * 2 if told_of else [])
