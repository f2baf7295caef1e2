"""Errata hold their proof; `tests/cases/check` has more."""

from __future__ import annotations

from tests.checks.recipe import EN, on_pages

MISTAKES = {
    "an erratum without proof": (EN, "    ```example\n    examples/topic/join.py#fails\n    ```", "", ":24: the erratum holds no executed proof"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)
