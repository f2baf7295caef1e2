"""Keywords with names that a page does not answer."""

from __future__ import annotations

import pytest

from tests.checks.recipe import PAGE, SMALL_BOOK


@pytest.mark.parametrize(
    ("keywords", "told_of"),
    [
        ("join tensors, tf.expand_dims, OneHotEncoder, torch.ones的用法", None),  # a reader's words, and what is there
        ("shared_memory", None),  # no name of any script
        ("a ValueError", None),  # Python's, which another script has
        ("torch.zeros", "torch.zeros"),
        ("nn.Linear, ones", "nn.Linear"),
        ("zero_grad", "zero_grad"),  # another recipe's
    ],
)
def test_a_keyword_with_a_name_that_only_others_use(told, keywords, told_of):
    page = PAGE.replace("description: D\n", f"description: D\nkeywords: [{keywords}]\n")
    other = {
        "examples/topic/other.py": '"""T."""\n\n# %% only\ndef zero_grad():\n    return "shared_memory", ValueError\n',
        **{
            f"docs/{language}/topic/other.md": "---\ntitle: One\ndescription: Another\nkeywords: [one]\n---\n\n# One\n\n"
            "```example\nexamples/topic/other.py#only\n```\n"
            for language in ("zh", "en")
        },
    }
    problems = told(
        of=SMALL_BOOK, **{f"docs/{language}/topic/a.md": page for language in ("zh", "en")}, **other
    ).problems
    found = [problem.splitlines()[0].partition(": ")[2] for problem in problems if "keyword" in problem]
    expected = f"the keyword `{told_of}` stands neither on this page nor in its code"
    assert found == ([expected] * 2 if told_of else [])
