"""HTML in pages; `tests/cases/check` has more."""

from __future__ import annotations

from tests.checks.recipe import EN, WHOLE, on_pages

MISTAKES = {
    "an element that is never closed": (EN, WHOLE, "<details>\nText.\n\n", ":10: the element `<details>` is never closed"),
    "an element that was never opened": (EN, WHOLE, "Text.</sub>", ":10: `</sub>` has no counterpart"),
    "elements closed in another order": (EN, WHOLE, "<sub><sup>1</sub></sup>", ":10: `</sub>` has no counterpart"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)
