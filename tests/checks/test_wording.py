"""Words that a page should say otherwise."""

from __future__ import annotations

from tests.checks.recipe import EN, PAGES, WHOLE, ZH, on_pages

MISTAKES = {
    "a doubled word": (EN, WHOLE, "The the gradient is whole.", ":10: `The the` is doubled"),
    "another doubled word in Chinese": (ZH, "完整的：", "完整的：这这样", ":10: `这这` is doubled"),
    "a comma between names in Chinese": (ZH, "完整的：", "完整的，`a`, `b` 也是：", ":10: half-width punctuation in Chinese"),
    "a doubled word in Chinese": (ZH, "完整的：", "完整的的：", ":10: `的的` is doubled"),
    "straight quotation marks in Chinese": (ZH, "完整的：", '"完整"的：', ':10: half-width quotation marks in Chinese: `"完整"`'),
    "straight marks in a Chinese description": (ZH, "张量怎样拼接。", '怎样"拼接"张量。', ":4: half-width quotation marks in Chinese"),
    "a half-width colon in a Chinese title": (ZH, "title: 拼接张量", "title: '拼接: 张量'", ":2: half-width punctuation in Chinese: `接:`"),
    "Chinese punctuation in English": (EN, WHOLE, "The gradient，is whole.", ":10: `，` is Chinese punctuation"),
    "您": (ZH, "梯度是", "您的梯度是", ":10: `您` is more polite than this book"),
    "进行……操作": (ZH, "梯度是", "对梯度进行拼接操作，梯度是", ":10: `进行拼接操作` is longer"),
    "simply": (EN, WHOLE, "Simply join them.", ":10: `Simply` helps nobody"),
    "an exclamation mark": (EN, WHOLE, "The gradient is whole!", ":10: a sentence ends with an exclamation mark"),
    "an exclamation mark in Chinese": (ZH, "接起来。", "接起来！", ":10: a sentence ends with an exclamation mark"),
    "a question and an exclamation mark": (EN, WHOLE, "Is it whole?!", ":10: a sentence ends with an exclamation mark"),
    "an exclamation mark in the description": (EN, "are joined.", "are joined!", ":4: a sentence ends with an exclamation mark"),
    "punctuation twice": (EN, WHOLE, "The gradient,, is whole.", ":10: `,,` is doubled"),
    "a full stop twice": (EN, WHOLE, "The gradient is whole..", ":10: `..` is doubled"),
    "punctuation twice in Chinese": (ZH, "接起来。", "接起来。。", ":10: `。。` is doubled"),
    "a space before a comma": (EN, WHOLE, "The gradient , is whole.", ":10: a space stands before `,`"),
    "three full stops": (EN, WHOLE, "The gradient... is whole.", ":10: `...` is three full stops"),
    "three full stops in Chinese": (ZH, "接起来。", "接起来...再改。", ":10: `...` is three full stops"),
    "an emoji": (EN, WHOLE, "The gradient is whole \U0001f389.", ":10: `\U0001f389` is an emoji"),
    "kb for KB": (ZH, "接起来。", "接起来，占几 kb。", ":10: `kb` is no unit of memory"),
    "a link that says here": (EN, WHOLE, "More is [here](index.md).", ":10: the link says `here`, not where it leads"),
    "a link that says here in Chinese": (ZH, "梯度是", "见[这里](index.md)。梯度是", ":10: the link says `这里`"),
    "a caption in the other language": (ZH, "*图：一条上升的线。*", "*Figure: 一条上升的线。*", ":40: the caption is in the other language\n  hint: write *图：…*"),
    "a title that another page has": ("docs/en/topic/index.md", "# Topic", "# Join tensors", "docs/en/topic/join.md:8: the title `Join tensors` is that of docs/en/topic/index.md"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


def test_dots_and_units_that_are_right_are_left_alone(told):
    said = "It prints “Expected more than 1 value...”, as `x[..., 0]` does; `kb` is a name, a network has 10 Gb/s, over a link of 100 Gb."
    found = told(**{EN: PAGES["en"].replace(WHOLE, said)})
    assert "full stops" not in found and "unit of memory" not in found


def test_code_in_a_chinese_description_is_left_alone(told):
    said = 'torch.device("cuda") 指当前 GPU，"cuda" 和 "cuda:0" 不同。'
    assert "quotation" not in told(**{ZH: PAGES["zh"].replace("张量怎样拼接。", said)})
