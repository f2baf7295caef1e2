"""What is left to write."""

from __future__ import annotations

from tests.checks.recipe import EN, WHOLE, on_pages

MISTAKES = {
    "a note of what is to be done": (EN, WHOLE, "TODO: say why.", ":10: left to do: `TODO`"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)
