"""What each page must have by itself."""

from __future__ import annotations

from tests.checks.recipe import EN, ZH, on_pages

MISTAKES = {
    "an English description on a Chinese page": (ZH, "张量怎样拼接。", "How tensors are joined", ":4: the description is not in Chinese"),
    "a heading that skips a level": (EN, "## Drawn", "#### Drawn", ":34: a heading of level 4 below one of level 2\n  hint: write ###"),
    "a heading that ends as a sentence": (EN, "## Drawn {", "## Drawn: {", ":34: the heading `Drawn:` ends as a sentence does"),
    "a heading twice": (EN, "## Drawn {", "## Columns {", ":34: the heading `Columns` stands on line 16, too"),
    "an id with capitals": (EN, "#join-drawn", "#joinDrawn", ":34: `joinDrawn` cannot be an id"),
    "an id with an underscore": (EN, "#join-drawn", "#join_drawn", ":34: `join_drawn` cannot be an id"),
    "a keyword twice": (EN, "[concatenate gradient]", "[join rows, Join rows]", ":5: the keyword `join rows` stands there twice"),
    "keywords on several lines": (EN, "[concatenate gradient]", "\n  - concatenate gradient", ":5: the keywords stand on several lines"),
    "keywords of a page that only leads to others": ("docs/en/topic/index.md", "title: ", "keywords: [join rows]\ntitle: ", ":2: the search does not read the `keywords` of this page"),
    "a key that nothing reads": (EN, "nav: Join", "naw: Join", ":3: nothing reads `naw` in the front matter\n  hint: did you mean `nav`?"),
    "a key twice": (EN, "nav: Join", "nav: Join\nnav: Joined", ":4: `nav` stands on line 3, too"),
    "a description that is too long": (EN, "How tensors are joined.", "How tensors are joined. " * 12, ":4: the description has 287 characters, at most 240 are shown"),
    "a description that another page has": (EN, "How tensors are joined.", "D", ":4: the `description` is that of docs/en/topic/index.md, too: `D`"),
    "front matter that is never closed": (EN, "---\n\n# Join", "\n# Join", ":1: the front matter is never closed"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


def test_two_pages_of_a_chapter_with_one_name_in_the_navigation(told, sound):
    text = (sound.project.root / "docs/en/topic/index.md").read_text()
    found = told(**{"docs/en/topic/index.md": text.replace("title:", "nav: Join\ntitle:")})
    assert f"{EN}:3: the `nav` is that of docs/en/topic/index.md, too: `Join`" in found
