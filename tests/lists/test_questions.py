"""How strangers ask for a recipe, a line a question."""

from __future__ import annotations

import pytest

from verbatim.lists import questions
from verbatim.pages.page import Page

PAGES = [Page(f"docs/{language}/first/{name}.md", "# A\n") for language in ("zh", "en") for name in ("a", "b")]


def told(project) -> list[str]:
    return [str(problem).partition("\n")[0] for problem in questions.check(project, PAGES)]


def test_questions_are_lines(project, write):
    write("book/questions/en/first/a.txt", "make it negative\nflip the sign\n")
    assert questions.read(project, "en", "first/a") == ["make it negative", "flip the sign"]
    assert questions.read(project, "zh", "first/a") == [] and told(project) == []


def test_questions_of_no_page(project, write):
    write("book/questions/en/first/aa.txt", "where is it\n")
    assert told(project) == ["book/questions/en/first/aa.txt: docs/en/first/aa.md does not exist"]


def test_a_question_has_one_answer_in_a_language(project, write):
    write("book/questions/en/first/a.txt", "one\nTwo words\n")
    write("book/questions/en/first/b.txt", "two words\n")
    write("book/questions/zh/first/b.txt", "two words\n")
    assert told(project) == ["book/questions/en/first/b.txt:1: book/questions/en/first/a.txt:2 asks this, too"]


@pytest.mark.parametrize(
    ("text", "fact"),
    [
        (b"a\n\nb\n", "2: a question is a line of text, without blanks around it"),
        (b" a\n", "1: a question is a line of text, without blanks around it"),
        (b"a\nb\xff\n", "2: this is no UTF-8"),
        (b"a\nwhat\x1b[31m is it\n", r"2: the question has a character that nobody types: what\x1b[31m is it"),
        ("is it \u202egood".encode(), r"1: the question has a character that nobody types: is it \u202egood"),
        (b"a" * 121 + b"\n", "1: the question has 121 characters"),
    ],
)
def test_lines_that_are_no_questions(project, write, text, fact):
    write("book/questions/en/first/a.txt", "")
    (project.root / "book/questions/en/first/a.txt").write_bytes(text)
    assert told(project) == [f"book/questions/en/first/a.txt:{fact}"]
