"""Facts of one language are those of the other: numbers, and names in code."""

from __future__ import annotations

import pytest

from tests.checks.recipe import EN, PAGES, WHOLE, ZH
from verbatim import checks
from verbatim.pages.page import Page, load_pages

CHINESE = "梯度是完整的：`cat` 把它们接起来。"


def said(book, en: str, zh: str) -> list[str]:
    texts = {EN: PAGES["en"].replace(WHOLE, f"{en}\n", 1), ZH: PAGES["zh"].replace(CHINESE, f"{CHINESE}{zh}", 1)}
    pages = [Page(page.path, texts.get(page.path, page.text)) for page in load_pages(book.project)[0]]
    return [str(one) for one in checks.check(book, pages) if "in docs/zh" in one.message]


@pytest.mark.parametrize(
    ("en", "zh", "what"),
    [
        ("It is 4 times as large.", "它是原来的 3 倍。", "`4` here, `3` in docs/zh/topic/join.md"),
        ("Pass it to `nll_loss`.", "传给 `mse_loss`。", "`nll_loss` here, `mse_loss` in docs/zh/topic/join.md"),
        ("The 4th of 3 steps takes 5 s.", "3 步里的第 4 步要 7 秒，", "`5` here, `7` in docs/zh/topic/join.md"),
        ("It takes `torch.add()`.", "用的是 `torch.sub`。", "`add` here, `sub` in docs/zh/topic/join.md"),
    ],
)
def test_facts_that_differ_are_told(sound, en, zh, what):
    (problem,) = said(sound, en, zh)
    assert problem.startswith(f"{EN}:10: {what}\n  hint: both languages state the same facts")


@pytest.mark.parametrize(
    ("en", "zh", "path", "what"),
    [
        ("It takes 17 steps.", "要走很多步。", EN, "`17` stands here, and nowhere in docs/zh/topic/join.md"),
        ("It takes many steps.", "要走 37 步。", ZH, "`37` stands here, and nowhere in docs/en/topic/join.md"),
    ],
)  # fmt: skip
def test_what_one_language_alone_says_is_told(sound, en, zh, path, what):
    texts = {EN: PAGES["en"].replace(WHOLE, en, 1), ZH: PAGES["zh"].replace(CHINESE, zh, 1)}
    pages = [Page(page.path, texts.get(page.path, page.text)) for page in load_pages(sound.project)[0]]
    found = [str(one) for one in checks.check(sound, pages) if "the same facts" in one.hint]
    assert [one.partition("\n")[0] for one in found] == [f"{path}:10: {what}"]


@pytest.mark.parametrize(
    ("en", "zh"),
    [
        ("It has more than 25 million parameters.", "它有 2500 多万个参数。"),
        ("It is 4 times as large.", "它是原来的 4 倍。"),
        ("It is four times as large.", "它是原来的 4 倍。"),
        ("A model of 7 billion parameters.", "70 亿参数的模型。"),
        ("See `nll_loss()`, for example.", "比如交叉熵。"),
        ("Call `x.add`.", "调用 `add()`。"),
        ("In 2017, [they](https://example.org/1) said so.", "他们[2017 年](https://example.org/22)说过。"),
        ("It is 1,000 long.", "长 1000。"),
        ("It takes 10 steps.", "要走十步。"),
        ("It takes 24 hours.", "要一天。"),
        ("It is half as large: 0.5.", "只有一半大。"),
        ("It does not fit into memory.", "内存放不下。"),
        ("The result is not zero, but one.", "结果是一。"),
        ("It cannot be slower than that.", "最慢也就这样。"),
        ("The script does not need a GPU.", "脚本在 CPU 上就能运行。"),
        ("The tensor isn't copied.", "张量与原来的共用存储。"),
        ("Do not pass a list there.", "列表请改用 `cat`，而非直接传。"),
        ("It cannot hold every integer.", "它能表示一部分整数。"),
        ("A library that is not there fails.", "库要先装好。"),
        ("It is not only fast.", "它很快，也省内存。"),
        ("Why does this not work?", "怎么回事？"),
        ("The message “x does not exist” comes from there.", "这条消息由此而来。"),
        ("It is 4 here.\n<!-- meant: 4 (English counts the end) -->", "这里是 3。"),
    ],
)
def test_what_says_the_same_is_left_alone(sound, en, zh):
    assert said(sound, en, zh) == []
