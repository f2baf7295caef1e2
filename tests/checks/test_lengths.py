"""What is longer than a page shows, and the reasons for it."""

from __future__ import annotations

import re

import pytest

from tests.checks.recipe import PAGE, SMALL, SMALL_BOOK

LONG_LINE = f"total = {'1 + ' * 25}1\n"
MANY_LINES = "total += 1\n" * 80


def sections(count: int) -> str:
    return "".join(f"\n## Part {n} {{ #part-{n} }}\n\nText.\n" for n in range(count))


def test_a_line_of_code_that_a_page_cuts_off(told):
    (problem,) = told(
        of=SMALL_BOOK, **{"examples/topic/a.py": SMALL.replace("import torch\n", f"import torch\n{LONG_LINE}")}
    ).problems
    assert problem.startswith("examples/topic/a.py:5: the line has 109 columns, a page shows 84\n  hint: break it; or")


def test_a_line_that_just_fits(told):
    fits = "total = " + "1" * 76
    assert len(fits) == 84
    assert (
        told(
            of=SMALL_BOOK, **{"examples/topic/a.py": SMALL.replace("import torch\n", f"import torch\n{fits}\n")}
        ).problems
        == []
    )
    (problem,) = told(
        of=SMALL_BOOK, **{"examples/topic/a.py": SMALL.replace("import torch\n", f"import torch\n{fits}1\n")}
    ).problems
    assert problem.startswith("examples/topic/a.py:5: the line has 85 columns")


@pytest.mark.parametrize("cell", ["proof hidden=true", "setup fold=true"])
def test_code_that_is_hidden_or_folded_may_be_wide_and_long(told, cell):
    name = cell.split()[0]
    script = re.sub(f"# %% {name}.*\n", f"# %% {cell}\n{LONG_LINE}{MANY_LINES}", SMALL)
    assert told(of=SMALL_BOOK, **{"examples/topic/a.py": script}).problems == []


def test_a_script_that_is_too_long(told):
    script = SMALL.replace("import torch\n", "import torch\n" + "total = 1\n\n" * 63)
    assert told(of=SMALL_BOOK, **{"examples/topic/a.py": script}).problems == []
    (problem,) = told(of=SMALL_BOOK, **{"examples/topic/a.py": script.replace("total", "x = 1\ntotal", 1)}).problems
    assert problem.startswith("examples/topic/a.py: the script shows 66 lines of code, at most 65 are read\n  hint: ")


def test_a_page_with_too_many_sections(told):
    page = PAGE + sections(7) + "\n## Read on { #read-on }\n\nText.\n"
    changes = {f"docs/{language}/topic/a.md": page for language in ("zh", "en")}
    assert told(of=SMALL_BOOK, **changes).problems == []
    problems = told(
        of=SMALL_BOOK, **{name: page.replace("## Read on { #read-on }", "## More { #more }") for name in changes}
    ).problems
    assert [problem.splitlines()[0] for problem in problems] == [
        f"{name}:50: the page has 9 sections, at most 8 are found again" for name in sorted(changes)
    ]


def test_what_must_be_longer_says_why(told):
    reasons = "description: D\nlong: a script to copy as a whole\nwide: a table that is read as rows\n"
    page = PAGE.replace("description: D\n", reasons) + sections(9)
    files = {f"docs/{language}/topic/a.md": page for language in ("zh", "en")}
    script = SMALL.replace("import torch\n", f"import torch\n{LONG_LINE}{MANY_LINES}")
    assert told(of=SMALL_BOOK, **{"examples/topic/a.py": script}, **files).problems == []


def test_a_reason_that_nothing_needs_and_one_that_says_nothing(told):
    page = PAGE.replace("description: D\n", "description: D\nlong: a script to copy\nwide: yes\n")
    problems = told(of=SMALL_BOOK, **{f"docs/{language}/topic/a.md": page for language in ("zh", "en")}).problems
    assert [problem.splitlines()[0] for problem in problems if "/en/" in problem] == [
        "docs/en/topic/a.md:4: `long` in the front matter excuses nothing: the page and its scripts are within the limits",
        "docs/en/topic/a.md:5: `wide` in the front matter is no reason",
    ]
