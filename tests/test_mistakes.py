"""What contributors get wrong, one mistake at a time: each is told where it stands, and a machine mends what it can."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verbatim import checks
from verbatim.book.gather import Book, gather
from verbatim.build import prepare
from verbatim.checks import characters, prose, syntax, wording
from verbatim.checks.chapters import check_map
from verbatim.checks.files import check_edited, check_files, portable
from verbatim.pages.page import Page, load_pages
from verbatim.problems import Problem, did_you_mean, report
from verbatim.project import Project

SCRIPT = '''"""Joining tensors."""

# %% setup
import torch

image = torch.ones(2, 3)  # (row, column)

# %% joins
print(torch.cat([image, image]).shape)
print(torch.tensor([0.1234, 0.5]).tolist())

# %% fails raises="ValueError"
raise ValueError("two shapes")

# %% drawing
import matplotlib.pyplot as plt

plt.plot([1, 2, 4])
'''

PAGES = {
    "en": """---
title: Join tensors
nav: Join
description: How tensors are joined.
keywords: [concatenate gradient]
---

# Join tensors

The gradient is whole. A gradient, a gradient, a gradient, a gradient: `cat` joins.

```example
examples/topic/join.py#setup
```

## Columns { #join-columns }

```example
examples/topic/join.py#joins
```

The first value is 0.1234, or [0.1234, 0.5].

!!! erratum "Often said: cat copies"
    It does, and so it must.

    ```example
    examples/topic/join.py#fails
    ```

Give both the same shape.
{ .remedy }

## Drawn { #join-drawn }

```example
examples/topic/join.py#drawing
```

*Figure: a line that rises through 1, 2 and 4.*
""",
    "zh": """---
title: 拼接张量
nav: 拼接
description: 张量怎样拼接。
keywords: [拼接]
---

# 拼接张量

梯度是完整的：`cat` 把它们接起来。

```example
examples/topic/join.py#setup
```

## 列 { #join-columns }

```example
examples/topic/join.py#joins
```

第一个值是 0.1234，即 [0.1234, 0.5]。

!!! erratum "常见说法：cat 会复制"
    确实会，也只能这样。

    ```example
    examples/topic/join.py#fails
    ```

两个形状要一样。
{ .remedy }

## 画出来 { #join-drawn }

```example
examples/topic/join.py#drawing
```

*图：一条上升的线。*
""",
}
INDEX = {
    "en": "---\ntitle: Topic\nchapter: Topic\ndescription: D\n---\n\n# Topic\n\n- [Join](join.md)\n",
    "zh": "---\ntitle: 主题\nchapter: 主题\ndescription: 描述\n---\n\n# 主题\n\n- [拼接](join.md)\n",
}
CONFIG = "site_name: scratch\n"
MAP = "topic:\n  index:\n  join: [join-columns]\n"
EN, ZH, PY = "docs/en/topic/join.md", "docs/zh/topic/join.md", "examples/topic/join.py"


def _written(root: Path) -> Project:
    files = {PY: SCRIPT, "mkdocs.yml": CONFIG, "topics.yml": MAP}
    for language in ("en", "zh"):
        files[f"docs/{language}/topic/join.md"] = PAGES[language]
        files[f"docs/{language}/topic/index.md"] = INDEX[language]
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return Project(root)


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Book:
    """One sound recipe, run once."""
    return gather(_written(tmp_path_factory.mktemp("mistakes") / "book"))


@pytest.fixture
def told(book):
    """Return what is said of the recipe with its pages changed: path → text; ``None`` removes one."""

    def told(**changes: str | None) -> str:
        pages, problems = load_pages(book.project)
        texts = {page.path: page.text for page in pages} | changes
        changed = [Page(path, text) for path, text in texts.items() if text is not None]
        return report([*problems, *book.problems, *checks.check(book, changed)])

    return told


@pytest.fixture
def broken(tmp_path):
    """Return what is said of the recipe with a file changed on disk, its script run again."""

    def broken(name: str, old: str, new: str, encoding: str = "utf-8") -> str:
        project = _written(tmp_path / "book")
        text = (project.root / name).read_text(encoding="utf-8")
        assert old in text
        (project.root / name).write_bytes(text.replace(old, new, 1).encode(encoding))
        return report(prepare(gather(project)).problems)

    return broken


def test_the_recipe_itself_is_sound(told):
    assert told() == "0 problems"


WHOLE = "The gradient is whole."

ON_PAGES = {
    # words
    "a doubled word": (EN, WHOLE, "The the gradient is whole.", ":10: `The the` is doubled"),
    "a doubled word in Chinese": (ZH, "完整的：", "完整的的：", ":10: `的的` is doubled"),
    "swapped letters in a keyword": (EN, "[concatenate gradient]", "[gradeint]", ":5: `gradeint` is misspelt\n  hint: gradient?"),
    "straight quotation marks in Chinese": (ZH, "完整的：", '"完整"的：', ':10: half-width quotation marks in Chinese: `"完整"`'),
    "straight marks in a Chinese description": (ZH, "张量怎样拼接。", '怎样"拼接"张量。', ":4: half-width quotation marks in Chinese"),
    "a half-width colon in a Chinese title": (ZH, "title: 拼接张量", "title: '拼接: 张量'", ":2: half-width punctuation in Chinese: `接:`"),
    "half-width parentheses in Chinese": (ZH, "梯度是", "梯度(clone)是", ":10: half-width parentheses in Chinese: `梯度(clone)"),
    "Chinese punctuation in English": (EN, WHOLE, "The gradient，is whole.", ":10: `，` is Chinese punctuation"),
    "您": (ZH, "梯度是", "您的梯度是", ":10: `您` is more polite than this book"),
    "进行……操作": (ZH, "梯度是", "对梯度进行拼接操作，梯度是", ":10: `进行拼接操作` is longer"),
    "simply": (EN, WHOLE, "Simply join them.", ":10: `Simply` helps nobody"),
    "an exclamation mark": (EN, WHOLE, "The gradient is whole!", ":10: a sentence ends with an exclamation mark"),
    "an exclamation mark in Chinese": (ZH, "接起来。", "接起来！", ":10: a sentence ends with an exclamation mark"),
    "an exclamation mark in the description": (EN, "are joined.", "are joined!", ":4: a sentence ends with an exclamation mark"),
    "punctuation twice": (EN, WHOLE, "The gradient,, is whole.", ":10: `,,` is doubled"),
    "a full stop twice": (EN, WHOLE, "The gradient is whole..", ":10: `..` is doubled"),
    "punctuation twice in Chinese": (ZH, "接起来。", "接起来。。", ":10: `。。` is doubled"),
    "a space before a comma": (EN, WHOLE, "The gradient , is whole.", ":10: a space stands before `,`"),
    "a link that says here": (EN, WHOLE, "More is [here](index.md).", ":10: the link says `here`, not where it leads"),
    "a link that says here in Chinese": (ZH, "梯度是", "见[这里](index.md)。梯度是", ":10: the link says `这里`"),
    "a caption in the other language": (ZH, "*图：一条上升的线。*", "*Figure: 一条上升的线。*", ":40: the caption is in the other language\n  hint: write *图：……*"),
    "traditional characters": (ZH, "梯度是", "這裡的梯度是", ":10: `這` is no simplified character"),
    "a traditional keyword": (ZH, "[拼接]", "[拼接, 張量]", ":5: `張` is no simplified character"),
    "Chinese on an English page": (EN, WHOLE, "The 梯度 is whole.", ":10: Chinese on an English page: `梯度`"),
    "an English sentence on a Chinese page": (ZH, "梯度是完整的：`cat` 把它们接起来。", "The gradient is whole, and `cat` joins them all.", ":10: an English sentence on a Chinese page"),
    "an English description on a Chinese page": (ZH, "张量怎样拼接。", "How tensors are joined", ":4: the description is not in Chinese"),
    "a title that another page has": ("docs/en/topic/index.md", "# Topic", "# Join tensors", "docs/en/topic/join.md:8: the title `Join tensors` is that of docs/en/topic/index.md"),
    # characters
    "a control character": (EN, WHOLE, "The gra\x08dient is whole.", ":10: U+0008 cannot be seen"),
    "a NUL": (EN, WHOLE, "The gra\0dient is whole.", ":10: U+0000 cannot be seen"),
    "a tab": (EN, WHOLE, "The gradient\tis whole.", ":10: U+0009 cannot be seen, or is taken for a space"),
    "a space of no width": (EN, WHOLE, "The gra\u200bdient is whole.", ":10: U+200B (zero width space) cannot be seen"),
    "a space that does not break": (ZH, "梯度是", "梯\xa0度是", ":10: U+00A0 (no-break space) cannot be seen"),
    "a mark that turns the line around": (EN, WHOLE, "The \u202egradient is whole.", ":10: U+202E (right-to-left override)"),
    "curly quotation marks in code": (EN, WHOLE, "Use `print(“a”)`.", ":10: `“` in code, which Python does not read"),
    "full-width punctuation in code": (ZH, "`cat` 把", "`cat（x，y）` 把", ":10: `（` in code"),
    # Markdown
    "a row with a cell too few": (EN, WHOLE, "| a | b |\n| --- | --- |\n| 1 |\n\n", ":12: this row has 1 cells, the table has 2 columns"),
    "a row with a cell too many": (EN, WHOLE, "| a | b |\n| --- | --- |\n| 1 | `2` | 3 |\n\n", ":12: this row has 3 cells, the table has 2 columns"),
    "a table's heading with a cell too few": (EN, WHOLE, "| a |\n| --- | --- |\n| 1 | 2 |\n\n", ":10: this row has 1 cells, the table has 2 columns"),
    "a table without a row of hyphens": (EN, WHOLE, "| a | b |\n| 1 | 2 |\n\n", ":10: this table has no row of hyphens"),
    "a table that is glued to a paragraph": (EN, WHOLE, "One:\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\n", ":11: this table continues the paragraph above"),
    "a list that is glued to a paragraph": (EN, WHOLE, "Two things:\n- one\n- two\n\n", ":11: this list continues the paragraph above\n  hint: put an empty line before it"),
    "an item indented by two spaces": (EN, WHOLE, "- one\n  - two\n\n", ":11: the item is indented by 2 spaces"),
    "a paragraph indented by two spaces": (EN, WHOLE, "- one\n\n  More of one.\n\n", ":12: the text is indented by 2 spaces"),
    "a block indented by three spaces": (EN, WHOLE, "1.  One:\n\n   ```sh\n   ls\n   ```\n\n", ":12: the block is indented by 3 spaces"),
    "a block that is glued to a paragraph": (EN, "whole. A", "whole:\n```sh\nls\n```\n\nA", ":11: this block stands within the paragraph above"),
    "a block that is never closed": (EN, "*Figure: a line that rises through 1, 2 and 4.*", "```sh\nls", ":40: this block is never closed"),
    "code left open": (EN, WHOLE, "Use `cat() here.", ":10: a code span is left open"),
    "code left open before other code": (EN, WHOLE, "Use `cat here and `dog` there.", ":10: a code span is left open"),
    "bold text left open": (EN, WHOLE, "The **gradient is whole.", ":10: bold text is left open"),
    "a parenthesis left open": (EN, WHOLE, "The gradient (all of it is whole.", ":10: `(` has no `)`"),
    "a parenthesis that closes nothing": (ZH, "梯度是", "梯度）是", ":10: `）` has no `（`"),
    "a quotation mark left open": (ZH, "梯度是", "“梯度是", ":10: `“` has no `”`"),
    "a heading without a space": (EN, "## Columns {", "##Columns {", ":16: this is no heading that links can lead to"),
    "a heading that is indented": (EN, "## Columns {", " ## Columns {", ":16: this is no heading that links can lead to"),
    "a heading by underlining": (EN, WHOLE, "Columns\n-------\n\n", ":10: a line below makes a heading of this"),
    "a heading that skips a level": (EN, "## Drawn", "#### Drawn", ":34: a heading of level 4 below one of level 2\n  hint: write ###"),
    "a heading that ends as a sentence": (EN, "## Drawn {", "## Drawn: {", ":34: the heading `Drawn:` ends as a sentence does"),
    "a heading twice": (EN, "## Drawn {", "## Columns {", ":34: the heading `Columns` stands on line 16, too"),
    "an id with capitals": (EN, "#join-drawn", "#joinDrawn", ":34: `joinDrawn` cannot be an id"),
    "an id with an underscore": (EN, "#join-drawn", "#join_drawn", ":34: `join_drawn` cannot be an id"),
    "a link without text": (EN, WHOLE, "[](index.md)", ":10: this link has no text"),
    "a link without a target": (EN, WHOLE, "[Topic]()", ":10: this link leads nowhere"),
    "a link torn apart": (EN, WHOLE, "[Topic] (index.md)", ":10: a space tears this link apart"),
    "a link the wrong way round": (EN, WHOLE, "(Topic)[index.md]", ":10: this link is the wrong way round"),
    "a link by a name that nothing defines": (EN, WHOLE, "[Topic][index]", ":10: no line says where `[index]` leads"),
    "an address that is no link": (EN, WHOLE, "See https://pytorch.org/ there.", ":10: this address is text, and no link"),
    "a footnote": (EN, WHOLE, "It is whole.[^1]", ":10: there are no footnotes here"),
    "a formula between dollars": (EN, WHOLE, "It is $x^2$ here.", ":10: a formula between `$` is shown as text\n  hint: write \\(x\\)"),
    "spaces at a line's end": (EN, WHOLE, "The gradient is whole.  \n", ":10: the line ends in spaces"),
    "a mark on the paragraph's own line": (EN, "shape.\n{ .remedy }", "shape. { .remedy }", ":31: this mark is shown as text"),
    "a mark that marks nothing": (EN, "shape.\n{ .remedy }", "shape.\n\n{ .remedy }", ":33: the mark `{ .remedy }` marks nothing"),
    "a mark without its spaces": (EN, "{ .remedy }", "{.remedy}", ":32: the mark `{.remedy}` is not read\n  hint: write { .remedy }"),
    "a box's title without quotation marks": (EN, WHOLE, "!!! tip Often so\n    Text.\n\n", ':10: `Often so` is no title of a box without quotation marks\n  hint: write !!! tip "Often so"'),
    "a box's title of which some is in no quotation marks": (EN, WHOLE, "!!! tip Often, so\n    Text.\n\n", ":10: `Often, so` is no title of a box"),
    "an unknown word beside a box's kind": (EN, "!!! erratum", "!!! erratum onse", ":24: `onse"),
    "a box without a space": (EN, WHOLE, "!!!tip\n    Text.\n\n", ":10: this is no box"),
    "an element that is never closed": (EN, WHOLE, "<details>\nText.\n\n", ":10: the element `<details>` is never closed"),
    "an element that was never opened": (EN, WHOLE, "Text.</sub>", ":10: `</sub>` has no counterpart"),
    "elements closed in another order": (EN, WHOLE, "<sub><sup>1</sub></sup>", ":10: `</sub>` has no counterpart"),
    # the front matter
    "a keyword twice": (EN, "[concatenate gradient]", "[join rows, Join rows]", ":5: the keyword `join rows` stands there twice"),
    "keywords on several lines": (EN, "[concatenate gradient]", "\n  - concatenate gradient", ":5: the keywords stand on several lines"),
    "a key that nothing reads": (EN, "nav: Join", "naw: Join", ":3: nothing reads `naw` in the front matter\n  hint: did you mean `nav`?"),
    "a key twice": (EN, "nav: Join", "nav: Join\nnav: Joined", ":4: `nav` stands on line 3, too"),
    "a description that is too long": (EN, "How tensors are joined.", "How tensors are joined. " * 12, ":4: the description has 287 characters, at most 240 are shown"),
    "a description that another page has": (EN, "How tensors are joined.", "D", ":4: the `description` is that of docs/en/topic/index.md, too: `D`"),
    # structure
    "a note of what is to be done": (EN, WHOLE, "TODO: say why.", ":10: left to do: `TODO`"),
    "a paragraph twice": (EN, "The first value", ("A gradient of one shape flows back into every tensor that was joined, unchanged.\n\n" * 2) + "The first value", ":24: this paragraph stands on line 22, too"),
    "an output typed by hand": (EN, WHOLE, "```text\ntorch.Size([4, 3])\n```", ":10: a `text` block was typed by hand"),
    "code typed by hand": (EN, WHOLE, "```python\ntorch.cat(x)\n```", ":10: a `python` block was typed by hand"),
    "a block without a word, typed by hand": (EN, WHOLE, "```\nx\n```", ":10: a block was typed by hand"),
    "a misspelt fence": (EN, "```example\nexamples/topic/join.py#setup", "```exmaple\nexamples/topic/join.py#setup", ":12: a `exmaple` block was typed by hand\n  hint: did you mean `example`?"),
    "no keywords": (EN, "keywords: [concatenate gradient]\n", "", ":1: the front matter has no `keywords`"),
    "an image without alternative text": (EN, WHOLE, "![](a.svg)", ":10: the image has no alternative text"),
    "an HTML image without alternative text": (EN, WHOLE, '<img src="a.svg">', ":10: the image has no alternative text"),
    "an HTML image with an empty one": (EN, WHOLE, '<img alt="" src="a.svg">', ":10: the image has no alternative text"),
    "a box indented by two spaces": (EN, "    It does, and so it must.\n", "  It does, and so it must.\n", ":24: the box `erratum` is empty"),
    "a misspelt box": (EN, "!!! erratum", "!!! errata", ":24: there is no box `errata`\n  hint: did you mean `erratum`?"),
    "a misspelt mark": (EN, "{ .remedy }", "{ .remdy }", ":32: there is no mark `remdy`\n  hint: did you mean `remedy`?"),
    "an erratum without a claim": (EN, ' "Often said: cat copies"', "", ":24: the erratum quotes no claim"),
    "an erratum with an empty claim": (EN, "Often said: cat copies", "", ":24: the erratum quotes no claim"),
    "an erratum without proof": (EN, "    ```example\n    examples/topic/join.py#fails\n    ```", "", ":24: the erratum holds no executed proof"),
    "a cell shown twice": (EN, WHOLE, "```example\nexamples/topic/join.py#setup\n```\n", ":15: examples/topic/join.py#setup is shown on line 10, too"),
    "front matter that is never closed": (EN, "---\n\n# Join", "\n# Join", ":1: the front matter is never closed"),
    "marks of a merge": (EN, WHOLE, "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> mine", ":10: a merge left its marks here"),
    "marks of a merge in Chinese": (ZH, "梯度是", "<<<<<<< HEAD\n梯度是", ":10: a merge left its marks here"),
    # numbers
    "a number in prose that was not printed": (EN, "value is 0.1234,", "value is 0.1235,", ":22: `0.1235` stands neither in the code nor in the outputs"),
    "a number at a sentence's end that was not printed": (EN, WHOLE, "It is 0.1235.", ":10: `0.1235` stands neither"),
    "a list in prose that was not printed": (EN, "[0.1234, 0.5]", "[0.1234, 0.6]", ":22: `0.6` stands neither in the code nor in the outputs"),
    "a list in a caption that was not printed": (EN, "1, 2 and 4", "[1, 2, 7]", ":40: `7` stands neither in the code nor in the outputs"),
    "a list in a Chinese caption": (ZH, "上升的线", "经过 [1, 2, 7] 的线", ":40: `7` stands neither in the code nor in the outputs"),
    # errors
    "an error without a remedy": (EN, "\nGive both the same shape.\n{ .remedy }\n", "\n## Empty { #empty }\n", "the page shows ValueError and says nothing about it"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "message"), ON_PAGES.values(), ids=ON_PAGES)
def test_mistakes_on_pages(told, book, path, old, new, message):
    text = (book.project.root / path).read_text()
    assert old in text
    new = text.replace(old, new, 1)
    if "says nothing about it" in message:  # whatever stands in the section would be taken for the remedy
        new = new.replace("The first value is 0.1234, or [0.1234, 0.5].\n", "").replace(
            "    It does, and so it must.\n\n", ""
        )
    found = told(**{path: new})
    assert (path if message.startswith(":") else "") + message in found, found


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


def test_a_link_by_a_name_that_is_defined_is_left_alone():
    text = PAGES["en"] + "\nA [topic][topic], an [`index`][].\n\n[topic]: index.md\n[`index`]: index.md\n"
    assert list(syntax.check_syntax(Page(EN, text))) == []
    assert len(list(syntax.check_syntax(Page(EN, text.replace("[topic]:", "[tropic]:"))))) == 1


@pytest.mark.parametrize(
    "line",
    [
        "`a b c d e f` 与“Expected all tensors to be on the same device”。",
        "- [Expected all tensors to be on the same device](index.md)",
        r"\[\text{one two three four five six}\]",
        "## Expected all tensors to be on the same device { #same-device }",
        "| one | two three four five six |\n| --- | --- |\n\n",
    ],
)
def test_names_and_messages_on_a_chinese_page_are_left_alone(line):
    assert list(characters.check_language(Page(ZH, f"---\ntitle: 题\n---\n\n{line}\n"))) == []


def test_code_in_a_chinese_description_is_left_alone(told):
    said = 'torch.device("cuda") 指当前 GPU，"cuda" 和 "cuda:0" 不同。'
    assert "quotation" not in told(**{ZH: PAGES["zh"].replace("张量怎样拼接。", said)})


IN_SCRIPTS = {
    "a header without a space": ("# %% joins", "#%% joins", f"{PY}:8: `#%% joins` begins no cell\n  hint: write # %% joins"),
    "a header that is indented": ("# %% joins", "  # %% joins", f"{PY}:8: `# %% joins` begins no cell"),
    "an output of many lines": ("print(torch.cat([image, image]).shape)", "print('\\n'.join('abc' for _ in range(100)))", f"{PY}:9: cell `joins` prints 101 lines"),
    "a line of many letters": ("print(torch.cat([image, image]).shape)", "print('a' * 1001)", f"{PY}:9: cell `joins` prints a line of 1001 characters"),
    "black ink": ("plt.plot([1, 2, 4])", 'plt.plot([1, 2, 4], color="black")', f"{PY}:16: cell `drawing` draws in #000000"),
    "grey ink": ("plt.plot([1, 2, 4])", 'plt.plot([1, 2, 4], color="0.5")', f"{PY}:16: cell `drawing` draws in #808080"),
    "Chinese in a figure": ("plt.plot([1, 2, 4])", 'plt.title("损失")', "gave UserWarning: Glyph"),
    "a comment in Chinese": ("# (row, column)", "# 行、列", f"{PY}:6: a comment is not in English"),
    "a title in Chinese": ("Joining tensors.", "拼接张量。", f"{PY}:1: the title is not in English"),
    "a note of what is to be done": ("# (row, column)", "# TODO: why?", f"{PY}:6: left to do: `TODO`"),
    "a mark in a string that turns the line around": ("two shapes", "two \u202eshapes", f"{PY}:13: U+202E (right-to-left override) cannot be seen"),
    "a figure of very many points": ("plt.plot([1, 2, 4])", "plt.plot([i * i % 77 for i in range(4500)], 'o')", f"{PY}:16: cell `drawing` draws a figure of"),
    "a warning filtered away": ("image = torch", "import warnings\n\nwarnings.simplefilter('ignore')\nimage = torch", f"{PY}:8: cell `setup` keeps a warning from the reader"),
    "too much, by the cell that printed it": ("print(torch.cat([image, image]).shape)", "print('a' * 3_000_000)", f"{PY}:9: cell `joins` printed more than 1 MiB"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), IN_SCRIPTS.values(), ids=IN_SCRIPTS)
def test_mistakes_in_scripts(broken, old, new, message):
    found = broken(PY, old, new)
    assert message in found, found


def test_a_script_that_fails_is_told_and_not_what_its_page_quotes(broken):
    found = broken(PY, "print(torch.tensor([0.1234, 0.5]).tolist())", "1 / 0")
    assert "cell `joins` raised ZeroDivisionError" in found and "stands neither" not in found


def test_a_filter_that_says_why_is_left_alone(broken):
    assert "keeps a warning" not in broken(
        PY, "image = torch", "import warnings\n\n# one core\nwarnings.simplefilter('ignore')\nimage = torch"
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "encoding", "message"),
    [
        (EN, "\n", "\r\n", "utf-8", f"{EN}:1: the lines end as on Windows"),
        (PY, "\n", "\r\n", "utf-8", f"{PY}:1: the lines end as on Windows"),
        (EN, "---", "\ufeff---", "utf-8", f"{EN}:1: the file begins with a byte order mark"),
        (PY, '"""', '\ufeff"""', "utf-8", f"{PY}:1: the file begins with a byte order mark"),
        (EN, WHOLE, "One.\x0cTwo.\u2028Three.", "utf-8", f"{EN}:10: U+000C ends a line for some programs only"),
        (ZH, "拼接", "拼接", "gbk", f"{ZH}:2: the page is not UTF-8\n  hint: save it as UTF-8\n1 problem"),
    ],
)
def test_files_that_another_system_wrote(broken, name, old, new, encoding, message):
    found = broken(name, old, new, encoding)
    assert message in found, found
    assert found.endswith("1 problem")


def test_a_name_with_an_underscore_is_told_as_new_tells_it(tmp_path):
    project = _written(tmp_path / "book")
    (project.examples / "topic/join_it.py").write_text(SCRIPT)
    (problem,) = check_files(project)
    assert str(problem).startswith("examples/topic/join_it.py: `join_it` cannot be a recipe's name")


@pytest.mark.parametrize(
    ("name", "size", "message"),
    [
        ("docs/en/topic/plot.svg", 1, ": this file belongs elsewhere, or to nobody\n  hint: here stand *.md alone"),
        ("examples/topic/join.txt", 1, ": this file belongs elsewhere"),
        ("outputs/cpu/topic/join.md", 1, ": this file belongs elsewhere"),
        ("docs/fr/topic/join.md", 1, ": this is no place for a file\n  hint: pages stand in docs/zh and docs/en"),
        ("docs/join.md", 1, ": this is no place for a file"),
        ("docs/assets/photo.png", (1 << 20) + 1024, ": the file has 1025 KiB"),
        ("docs/en/topic/.join.md.swp", 1, ""),
        ("docs/en/topic/join.md~", 1, ""),
    ],
)
def test_files_that_belong_elsewhere(tmp_path, name, size, message):
    project = _written(tmp_path / "book")
    (project.root / name).parent.mkdir(parents=True, exist_ok=True)
    (project.root / name).write_bytes(b"x" * size)
    found = list(check_files(project))
    assert [str(problem).startswith(name + message) for problem in found] == ([True] if message else [])


def test_two_pages_of_a_chapter_with_one_name_in_the_navigation(told, book):
    text = (book.project.root / "docs/en/topic/index.md").read_text()
    found = told(**{"docs/en/topic/index.md": text.replace("title:", "nav: Join\ntitle:")})
    assert f"{EN}:3: the `nav` is that of docs/en/topic/index.md, too: `Join`" in found


def test_what_a_script_imports_or_formats_for_nothing_is_told_and_mended(tmp_path):
    project = _written(tmp_path / "book")
    script = project.root / PY
    text = script.read_text()
    script.write_text(text.replace("import torch\n", "import os\n\nimport torch\n") + '\nprint(f"x")\n')
    told = [str(problem).splitlines()[0] for problem in prose.formatting(project)]
    assert told == [f"{PY}:4: `os` imported but unused", f"{PY}:22: f-string without any placeholders"]
    list(prose.formatting(project, fix=True))
    assert list(prose.formatting(project)) == []
    assert "import os" not in script.read_text() and 'print("x")' in script.read_text()


def test_a_name_that_no_cell_defines_is_told(tmp_path):
    project = _written(tmp_path / "book")
    with (project.root / PY).open("a") as script:
        script.write("\nprint(imaeg)\n")
    (problem,) = prose.formatting(project)
    assert (
        str(problem)
        == f"{PY}:20: Undefined name `imaeg`\n  hint: see `ruff rule F821`; where it is meant: # noqa: F821"
    )


def test_fixing_mends_what_cannot_be_seen():
    text = "a\u200bb\xa0c  \n\t- d\x08\n"
    assert characters.fix_characters(text) == "ab c\n    - d\n"
    assert characters.fix_characters(PAGES["en"]) == PAGES["en"]


def test_fixing_mends_line_ends_and_marks(tmp_path):
    assert portable(b"\xef\xbb\xbfa\r\nb\rc\n") == b"a\nb\nc\n"
    project = _written(tmp_path / "book")
    assert list(check_files(project)) == []


def test_fixing_mends_parentheses_in_chinese():
    text = "# 题\n\n张量(clone)和 `函数(x)`，见[文字](a.md)，\\(x\\)。\n"
    assert prose.fix_typography(text) == text.replace("(clone)", "（clone）")


@pytest.mark.parametrize("name", ["mkdocs.yml", "topics.yml", "GLOSSARY.md"])
def test_marks_of_a_merge_in_files_that_hold_the_book_together(tmp_path, name):
    project = _written(tmp_path / "book")
    (project.root / name).write_text("a: 1\n<<<<<<< HEAD\n")
    assert f"{name}:2: a merge left its marks here" in report(check_edited(project))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MAP.replace("join:", "joim:"), "topics.yml:3: the map names topic/joim.md, which is no page\n  hint: did you mean `topic/join.md`?"),
        ("topic:\n  index:\n", "docs/zh/topic/join.md: the page is not in the map, so not in the navigation\n  hint: add it to topics.yml where one would read it: `join:` below `topic:`"),
        (MAP + "  join:\n", "topics.yml:4: the map names topic/join.md on line 3, too"),
        (MAP.replace("[join", "[join-columns, join"), "topics.yml:3: the map names the topic `join-columns` 2 times"),
        (MAP.replace("[join-columns]", "\n    - join-colums"), "topics.yml:4: the topic `join-colums` has no section in `en`\n  hint: write it: a heading with { #join-colums } in docs/en/topic/join.md"),
        ("topic:\n  index: [join-columns]\n  join:\n", "topics.yml:2: the topic `join-columns` of topic/index.md stands in docs/zh/topic/join.md:16"),
        ("topic:\n  join:\n  index:\n", "docs/en/topic/index.md:1: `chapter` is read on the first page of a chapter alone"),
        ("topic:\n  join:\n  index:\n", "docs/en/topic/join.md:1: the chapter `topic` has no title for the navigation"),
        ("topic:\n  - join-columns\n", "topics.yml:1: the map names topic.md, which is no page"),
        ("topic:\n  join: 3\n", "topics.yml:2: `join` has no list of topics"),
        ("topic:\n  join: [[a]]\n", "topics.yml:2: `join` has no list of topics"),
        ("topic:\n  - a\n <<<\n  : [", "topics.yml:3: the map is not YAML"),
        ("- a\n", "topics.yml:1: the map is no list of chapters"),
    ],
)  # fmt: skip
def test_the_map_beside_the_pages(tmp_path, text, message):
    project = _written(tmp_path / "book")
    (project.root / "topics.yml").write_text(text)
    found = report(check_map(project, load_pages(project)[0]))
    assert message in found, found


def test_a_page_may_have_parts_that_the_map_does_not_name_and_a_topic_stands_on_one_page(tmp_path):
    project = _written(tmp_path / "book")
    for path in ("docs/zh/topic/join/a.md", "docs/zh/topic/join/b.md"):
        (project.root / path).parent.mkdir(exist_ok=True)
        (project.root / path).write_text("# A\n\n## B { #join-columns }\n")
    (problem,) = check_map(project, load_pages(project)[0])
    stands = "docs/zh/topic/join/a.md:3, docs/zh/topic/join/b.md:3, docs/zh/topic/join.md:16"
    assert str(problem).startswith(f"topics.yml:3: the topic `join-columns` stands 3 times: {stands}")


def test_the_navigation_stands_in_one_place(tmp_path):
    project = _written(tmp_path / "book")
    (project.root / "mkdocs.yml").write_text(CONFIG + "nav:\n  - topic/join.md\n")
    (problem,) = check_map(project, load_pages(project)[0])
    assert str(problem).startswith("mkdocs.yml:2: the navigation is made of topics.yml, not of this `nav`")
    (project.root / "topics.yml").unlink()
    assert list(check_map(project, load_pages(project)[0])) == []


def test_check_tells_what_mkdocs_would_say_of_its_settings(tmp_path):
    from verbatim.site.settings import problems

    project = _written(tmp_path / "book")
    assert problems(project) == []
    for more, message in (
        ("theme:\n  name: materiel\n", "mkdocs.yml:2: Config value 'theme': Unrecognised theme name: 'materiel'"),
        ("plugins:\n  - serch\n", 'The "serch" plugin is not installed'),
        ("site_nam: x\n", "mkdocs.yml:2: Config value 'site_nam': Unrecognised"),
    ):
        (project.root / "mkdocs.yml").write_text(CONFIG + more)
        assert message in report(problems(project))


def test_check_tells_formulas_settings_and_what_is_changed_in_one_language(tmp_path):
    from tests.test_git import git
    from tests.test_plugin import command

    project = _written(tmp_path / "book")
    git(project.root, "init", "-q")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "one")
    page = project.root / EN
    page.write_text(page.read_text().replace(WHOLE, "The gradient is \\(\\frac{1\\)."))
    with (project.root / "mkdocs.yml").open("a") as config:
        config.write("site_nam: x\n")
    done = command(project, "verbatim", "check")
    assert done.returncode == 1
    assert f"{EN}:10: the formula `\\frac{{1` cannot be typeset" in done.stdout
    assert "mkdocs.yml:2: Config value 'site_nam'" in done.stdout
    assert f"{EN}:1: the text above the first heading is changed here, and not in {ZH}" in done.stdout


def test_check_looks_again_only_at_pages_that_changed_or_were_wrong(tmp_path, monkeypatch, capsys):
    from verbatim import __main__

    project = _written(tmp_path / "book")
    page = project.root / EN
    page.write_text(page.read_text().replace(WHOLE, "The the gradient is whole."))
    monkeypatch.chdir(project.root)
    looked = []
    words = wording.check_words
    monkeypatch.setattr(wording, "check_words", lambda page: looked.append(page.path) or words(page))
    for pages in (4, 1):
        looked.clear()
        assert __main__.main(["check"]) == 1
        assert f"{EN}:10: `The the` is doubled" in capsys.readouterr().err and len(looked) == pages


def test_a_check_of_a_recipe_says_nothing_of_others(tmp_path, monkeypatch, capsys):
    from verbatim import __main__
    from verbatim.pages import freshness

    project = _written(tmp_path / "book")
    monkeypatch.chdir(project.root)
    notes = [Problem(name, 3, "changed in the other language") for name in (EN, "docs/en/topic/index.md")]
    monkeypatch.setattr(freshness, "problems", lambda project, pages: notes)
    __main__.main(["check", "topic/join"])
    told = capsys.readouterr().err
    assert f"note: {EN}:3: changed" in told and "topic/index.md" not in told


def test_fix_mends_what_a_machine_can(tmp_path):
    from tests.test_plugin import command

    project = _written(tmp_path / "book")
    for name in (EN, ZH, PY):
        path = project.root / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    page = project.root / ZH
    page.write_bytes(page.read_bytes().replace("梯度是".encode(), "梯度(clone)是a".encode()))
    done = command(project, "verbatim", "check", "--fix")
    assert f"{ZH}: line ends mended" in done.stdout and "梯度（clone）是 a 完整的".encode() in page.read_bytes()
    assert all(b"\r" not in (project.root / name).read_bytes() for name in (EN, ZH, PY))


def test_a_python_without_torch_is_named_once(monkeypatch, capsys):
    import importlib.util

    from verbatim import __main__

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else find(name))
    assert __main__.main(["record", "topic/join"]) == 1
    told = capsys.readouterr().err
    assert "this Python has no PyTorch\n  hint: use the project's own: .venv/bin/python" in told and "1 problem" in told


def test_a_python_without_autocorrect_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "autocorrect_py", None)
    (problem,) = prose.typography([Page(ZH, PAGES["zh"])])
    assert "autocorrect_py is not installed" in str(problem)


def test_one_line_for_one_problem_while_serving():
    assert Problem("a.py", 3, "cell `x` differs\n--- a\n+++ b", "record it").brief == "a.py:3: cell `x` differs"


def test_one_remedy_for_several_problems_of_a_file_stands_once():
    problems = [Problem("a.py", line, f"cell {line} changed", "record it") for line in (1, 2, 3)]
    said = report([*problems, Problem("b.py", 1, "cell 1 changed", "record it")])
    assert said.count("hint: record it") == 2
    assert said.splitlines()[3:5] == ["  hint: record it", "b.py:1: cell 1 changed"]


def test_a_hint_names_no_more_words_than_one_reads():
    hint = did_you_mean("zzz", [f"page-{number}.md" for number in range(500)])
    assert len(hint) < 400 and hint.endswith("and 484 more")
    assert did_you_mean("zzz", ["a", "b"]) == "known: `a`, `b`"


def test_commands_in_hints_work_where_the_shell_has_another_python(monkeypatch, tmp_path):
    problem = Problem("a", 0, "b", "python -m verbatim check --fix")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(Path.cwd() / ".venv/bin/python"))
    assert "hint: .venv/bin/python -m verbatim check --fix" in report([problem])
    (tmp_path / "python").touch(mode=0o755)
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    assert "hint: python -m verbatim check --fix" in report([problem])
