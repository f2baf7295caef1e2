"""`new` starts a recipe that passes as it stands."""

from __future__ import annotations

import re

import pytest

from tests.site.test_plugin import INDEX, command
from verbatim import scaffold
from verbatim.__main__ import main
from verbatim.pages import chapters
from verbatim.problems import Problems

MAP = "index:\n\ntopic:\n  index:  # of all\n\nother:\n"


@pytest.fixture
def chapter(project, write):
    write("book/topics.yml", MAP)
    for language in ("zh", "en"):
        write(
            f"docs/{language}/topic/index.md", INDEX.replace("Home", "Topic").replace("title", "chapter: T\ntitle", 1)
        )
        write(f"docs/{language}/index.md", INDEX)
        write(f"docs/{language}/other.md", INDEX.replace("Home", "Other"))
    return project


def test_a_new_recipe_passes_as_it_stands(chapter):
    done = command(chapter, "verbatim", "new", "topic/hooks")
    assert done.returncode == 0, done.stdout
    for name in ("examples/topic/hooks.py", "docs/zh/topic/hooks.md", "docs/en/topic/hooks.md", "book/topics.yml"):
        assert name in done.stdout
    assert re.search(r"^next: \S*python -m verbatim serve topic/hooks ", done.stdout, re.MULTILINE)
    assert chapter.record("topic/hooks", "cpu").is_file()
    check = command(chapter, "verbatim", "check")
    assert check.returncode == 1
    told = [line for line in check.stdout.splitlines() if line[:1] != " "]
    assert told[-1] == "13 problems" and all(": left to write: `" in line for line in told[:-1]), check.stdout


QUESTIONS = {"en": "How do I join tensors along a new dimension?", "zh": "怎样沿新的一维拼接张量？"}


def test_a_question_becomes_title_and_keywords_and_the_name_the_id(chapter):
    scaffold.new(chapter, "topic/stack", QUESTIONS)
    page = (chapter.docs("en") / "topic/stack.md").read_text()
    assert page.startswith(f"---\ntitle: {QUESTIONS['en']}\nnav: stack\n")
    assert "keywords: [join tensors along, new dimension]\n" in page
    assert f"# {QUESTIONS['en']}\n" in page and "{ #stack }" in page
    chinese = (chapter.docs("zh") / "topic/stack.md").read_text()
    assert f"title: {QUESTIONS['zh']}\nnav: {QUESTIONS['zh']}\n" in chinese
    assert "keywords: [沿新的一维拼接张量]\n" in chinese and "{ #stack }" in chinese


def test_an_id_that_another_page_has_is_not_given_again(chapter, write):
    write("docs/zh/topic/other.md", "# 另一页\n\n## 堆叠 { #stack }\n\n一句话。\n")
    scaffold.new(chapter, "topic/stack", QUESTIONS)
    assert "{ #topic-stack }" in (chapter.docs("en") / "topic/stack.md").read_text()


def test_a_question_that_yaml_would_misread_is_quoted(chapter):
    import yaml

    asked = {"en": "What does `a: b` # mean, [really]?", "zh": "怎样写 a: b？"}
    scaffold.new(chapter, "topic/odd", asked)
    for language, question in asked.items():
        front = (chapter.docs(language) / "topic/odd.md").read_text().split("---")[1]
        said = yaml.safe_load(front)
        assert said["title"] == question and all(isinstance(word, str) for word in said["keywords"])


def test_what_is_missing_is_asked_for_on_a_terminal(chapter, monkeypatch):
    answers, asked = iter(["怎样拼接？"]), []
    monkeypatch.setattr("builtins.input", lambda prompt: asked.append(prompt) or next(answers))
    monkeypatch.setattr("sys.stdin.isatty", lambda: True)
    monkeypatch.chdir(chapter.root)
    assert main(["new", "topic/stack", "--en", "How?"]) == 0
    assert asked == ["用中文问： "]
    for language, question in (("en", "How?"), ("zh", "怎样拼接？")):
        assert f"# {question}\n" in (chapter.docs(language) / "topic/stack.md").read_text()


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (MAP, MAP.replace("# of all\n", "# of all\n  hooks:\n")),
        ("topic:\n    a: [b,\n      c]\n", "topic:\n    a: [b,\n      c]\n    hooks:\n"),
        ("topic:\n  a: [\n    b\n  ]\n\n# end\n", "topic:\n  a: [\n    b\n  ]\n  hooks:\n\n# end\n"),
        ("topic:\n  a:\n    - b\n    - c\n\nother:\n", "topic:\n  a:\n    - b\n    - c\n  hooks:\n\nother:\n"),
        ("topic:\n  hooks:\n  a:\n", "topic:\n  hooks:\n  a:\n"),  # its author was there before
    ],
)
def test_the_map_gets_it_at_the_end_of_its_chapter(chapter, write, before, after):
    path = write("book/topics.yml", before)
    scaffold.new(chapter, "topic/hooks")
    assert path.read_text() == after
    assert [entry.name for entry in chapters.read(chapter).entries if "hooks" in entry.name] == ["topic/hooks.md"]


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hooks", "hooks: `hooks` is not the name of a recipe: chapter/name"),
        ("topic/Two Words", "`Two Words` cannot be a recipe's name"),
        ("../topic/x", "`../topic/x` is not the name of a recipe"),
        ("topic/aux", "Windows cannot hold a file of the name `aux`"),
        ("topics/hooks", "there is no chapter `topics`\n  hint: did you mean `topic`?"),
    ],
)
def test_names_that_cannot_be(chapter, name, message):
    before = sorted(chapter.root.rglob("*"))
    with pytest.raises(Problems) as error:
        scaffold.new(chapter, name)
    assert message in str(error.value)
    assert sorted(chapter.root.rglob("*")) == before


def test_what_exists_is_refused_and_left_as_it_is(chapter, write):
    page = write("docs/en/topic/hooks.md", "mine")
    with pytest.raises(Problems) as error:
        scaffold.new(chapter, "topic/hooks")
    assert "docs/en/topic/hooks.md: this exists" in str(error.value)
    assert page.read_text() == "mine"
    assert not chapter.script("topic/hooks").exists()


@pytest.mark.parametrize(
    ("text", "message"), [(MAP, "the map has no chapter `lost`"), ("lost: [", "the map is not YAML")]
)
def test_a_chapter_that_the_map_does_not_name(chapter, write, text, message):
    write("book/topics.yml", text)
    for language in ("zh", "en"):
        write(f"docs/{language}/lost/index.md", INDEX)
    with pytest.raises(Problems, match=message):
        scaffold.new(chapter, "lost/hooks")
    assert not chapter.script("lost/hooks").exists()


def test_a_project_without_a_map_gets_no_entry(chapter):
    (chapter.root / "book/topics.yml").unlink()
    assert len(scaffold.new(chapter, "topic/hooks")) == 3
