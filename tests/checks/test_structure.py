"""How a page is put together."""

from __future__ import annotations

from tests.checks.recipe import EN, PAGES, WHOLE, on_pages

MISTAKES = {
    "a mark without its spaces": (EN, "{ .remedy }", "{.remedy}", ":32: the mark `{.remedy}` is not read\n  hint: write { .remedy }"),
    "a box's title without quotation marks": (EN, WHOLE, "!!! tip Often so\n    Text.\n\n", ':10: `Often so` is no title of a box without quotation marks\n  hint: write !!! tip "Often so"'),
    "a box's title of which some is in no quotation marks": (EN, WHOLE, "!!! tip Often, so\n    Text.\n\n", ":10: `Often, so` is no title of a box"),
    "an unknown word beside a box's kind": (EN, "!!! erratum", "!!! erratum onse", ":24: `onse"),
    "a box without a space": (EN, WHOLE, "!!!tip\n    Text.\n\n", ":10: this is no box"),
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
    "a box of another tool": (EN, "!!! erratum \"Often said: cat copies\"", "!!! caution", ":24: there is no box `caution`\n  hint: write !!! warning"),
    "a misspelt box": (EN, "!!! erratum", "!!! errata", ":24: there is no box `errata`\n  hint: did you mean `erratum`?"),
    "a misspelt mark": (EN, "{ .remedy }", "{ .remdy }", ":32: there is no mark `remdy`\n  hint: did you mean `remedy`?"),
    "an erratum without a claim": (EN, ' "Often said: cat copies"', "", ":24: the erratum quotes no claim"),
    "an erratum with an empty claim": (EN, "Often said: cat copies", "", ":24: the erratum quotes no claim"),
    "an empty section": (EN, "The first value", "## Empty { #join-empty }\n\n## Next { #join-next }\n\nThe first value", ":22: the section `Empty` is empty"),
    "a remedy too many": (EN, "{ .remedy }", "{ .remedy }\n\nOr cut one.\n{ .remedy }", ":34: examples/topic/join.py#fails has a remedy on line 31 already"),
    "a comment for nobody": (EN, WHOLE, "The gradient is whole.\n<!-- check this later -->", ":11: this comment stays in the page, where no reader sees it"),
    "a link to the page of a name": (EN, WHOLE, "See [mm](https://docs.pytorch.org/docs/stable/generated/torch.mm.html).", ":10: this link leads to the documentation of a name"),
    "a cell shown twice": (EN, WHOLE, "```example\nexamples/topic/join.py#setup\n```\n", ":15: examples/topic/join.py#setup is shown on line 10, too"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


def test_a_section_may_begin_with_one_of_its_own(told):
    text = PAGES["en"].replace("The first value", "## Outer { #outer }\n\n### Inner { #inner }\n\nThe first value", 1)
    assert "is empty" not in told(**{EN: text})
    beside = text.replace("### Inner { #inner }", "### Inner { #inner }\n\n### Next { #next }")
    assert "the section `Inner` is empty" in told(**{EN: beside})
