"""What is left to write."""

from __future__ import annotations

from tests.checks.recipe import EN, WHOLE, ZH, on_pages

MISTAKES = {
    "a note of what is to be done": (EN, WHOLE, "TODO: say why.", ":10: left to do: `TODO`"),
    "a paragraph to come": (EN, WHOLE, "(to be written)", ":10: left to do: `to be written`"),
    "a paragraph to come in Chinese": (ZH, "梯度是", "（待补充）梯度是", ":10: left to do: `待补充`"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)
