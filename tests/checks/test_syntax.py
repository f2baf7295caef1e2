"""Markdown that would not be read as it was meant."""

from __future__ import annotations

from tests.checks.recipe import EN, PAGES, WHOLE, ZH, on_pages
from verbatim.checks import syntax
from verbatim.pages.page import Page

MISTAKES = {
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
    "a name whose underscores make it bold": (EN, "## Columns {", "## Columns of __init__ {", ":16: `__init__` is shown bold and without its underscores"),
    "bold text with a space inside": (EN, WHOLE, "The ** gradient ** is whole.", ":10: a space makes this bold text none"),
    "bold text with a space at its end": (ZH, "完整的", "**完整 **的", ":10: a space makes this bold text none"),
    "a formula left open": (EN, WHOLE, "It costs \\(O(n) steps.", ":10: the formula that `\\(` begins is left open"),
    "a link with text and target exchanged": (EN, WHOLE, "See (../index.md)[Topic].", ":10: this link is the wrong way round"),
    "a link whose text is an address": (EN, WHOLE, "See [https://pytorch.org](https://pytorch.org).", ":10: the text of this link is an address"),
    "a parenthesis left open": (EN, WHOLE, "The gradient (all of it is whole.", ":10: `(` has no `)`"),
    "a parenthesis that closes nothing": (ZH, "梯度是", "梯度）是", ":10: `）` has no `（`"),
    "a quotation mark left open": (ZH, "梯度是", "“梯度是", ":10: `“` has no `”`"),
    "a heading without a space": (EN, "## Columns {", "##Columns {", ":16: this is no heading that links can lead to"),
    "a heading that is indented": (EN, "## Columns {", " ## Columns {", ":16: this is no heading that links can lead to"),
    "a heading by underlining": (EN, WHOLE, "Columns\n-------\n\n", ":10: a line below makes a heading of this"),
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
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


def test_a_link_by_a_name_that_is_defined_is_left_alone():
    text = PAGES["en"] + "\nA [topic][topic], an [`index`][].\n\n[topic]: index.md\n[`index`]: index.md\n"
    assert list(syntax.check_syntax(Page(EN, text))) == []
    assert len(list(syntax.check_syntax(Page(EN, text.replace("[topic]:", "[tropic]:"))))) == 1


def test_a_mark_may_quote_a_name_with_underscores():
    text = PAGES["en"] + '\nCall it first.\n{ .remedy of="before Module.__init__() call" }\n'
    assert list(syntax.check_syntax(Page(EN, text))) == []
