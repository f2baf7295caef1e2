"""496 correct sentences, about what the book is about, written by somebody who thought of no check: none is refused.

They stand in `tests/corpus`, a sentence a line. A sentence that a check refuses is a fault of the check.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checks.recipe import EN, PAGES, WHOLE, ZH
from verbatim import checks
from verbatim.build import prepare
from verbatim.checks import prose
from verbatim.pages.page import Page, load_pages
from verbatim.project import Project

ROOT = Path(__file__).parents[2]
SENTENCES = {
    language: (ROOT / f"tests/corpus/{language}.txt").read_text(encoding="utf-8").splitlines()
    for language in ("zh", "en")
}
PLACE = {"en": (EN, WHOLE), "zh": (ZH, "梯度是完整的：`cat` 把它们接起来。")}


def refused(book, language: str, sentences: list[str]) -> list[str]:
    """Return what is said of sentences that stand, each a paragraph, on a sound page."""
    path, stood = PLACE[language]
    assert stood in PAGES[language]
    text = PAGES[language].replace(stood, "\n\n".join(sentences), 1)
    other = PLACE["zh" if language == "en" else "en"][0]
    pages = [Page(path, text), *(page for page in load_pages(book.project)[0] if page.path != path)]
    found = [one for one in checks.check(book, pages) if one.path == path]
    # The glossary and the dictionary are those of this repository.
    found += prose.glossary(Project(ROOT), pages[:1])
    assert other != path
    return [str(one) for one in found]


def test_the_page_is_sound_without_them(sound):
    assert not prepare(sound).problems


@pytest.mark.parametrize("language", SENTENCES)
def test_no_correct_sentence_is_refused(sound, language):
    assert len(set(SENTENCES[language])) == 248
    assert refused(sound, language, SENTENCES[language]) == []


def test_the_dictionary_knows_their_words(project, write):
    write("docs/en/a.md", "\n\n".join(SENTENCES["en"]))
    write("pyproject.toml", (ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    assert [str(one) for one in prose.spelling(project)] == []


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "The sum is 0.7381, and nothing prints it."),
        ("en", "This works great!"),
        ("en", "The name 张量 stands in a sentence."),
        ("zh", "梯度是 0.7381，没有哪里印过。"),
        ("zh", "这个钩很好用！"),
        ("zh", "张量的跨度是 (2, 1)。"),
        ("zh", "先取样器，再优化。"),
    ],
)
def test_wrong_ones_still_are(sound, language, sentence):
    assert refused(sound, language, [sentence])
