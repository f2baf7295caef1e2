"""`new` starts a recipe that passes as it stands."""

from __future__ import annotations

import pytest

from tests.test_plugin import INDEX, command
from verbatim.checks import scaffold
from verbatim.problems import Problems

NAV = "site_name: scratch\nnav:\n  - index.md\n  - Topic:\n      - topic/index.md\n  - Other:\n      - other.md\n"


@pytest.fixture
def chapter(project, write):
    write("mkdocs.yml", NAV)
    for language in ("zh", "en"):
        write(f"docs/{language}/topic/index.md", INDEX.replace("Home", "Topic") + "\n- [a](../index.md)\n")
        write(f"docs/{language}/index.md", INDEX)
        write(f"docs/{language}/other.md", INDEX.replace("Home", "Other"))
    return project


def test_a_new_recipe_passes_as_it_stands(chapter):
    done = command(chapter, "verbatim", "new", "topic/hooks")
    assert done.returncode == 0, done.stdout
    for name in ("examples/topic/hooks.py", "docs/zh/topic/hooks.md", "docs/en/topic/index.md", "mkdocs.yml"):
        assert name in done.stdout
    assert "next: python -m verbatim serve topic/hooks" in done.stdout
    assert chapter.record("topic/hooks", "cpu").is_file()
    check = command(chapter, "verbatim", "check")
    assert check.returncode == 1
    told = [line for line in check.stdout.splitlines() if line[:1] != " "]
    assert told[-1] == "13 problems" and all(": left to write: `" in line for line in told[:-1]), check.stdout
    assert "- [hooks](hooks.md)" in (chapter.docs("zh") / "topic/index.md").read_text()


QUESTIONS = {"en": "How do I join tensors along a new dimension?", "zh": "怎样沿新的一维拼接张量？"}


def test_a_question_becomes_title_keywords_id_and_index_entries(chapter, write):
    for language in ("zh", "en"):
        index = INDEX + "\n## One { #one }\n\n- [a](a.md)\n\n## Two { #two }\n"
        write(f"docs/{language}/topic/index.md", index)
    scaffold.new(chapter, "topic/stack", QUESTIONS, "one")
    page = (chapter.docs("en") / "topic/stack.md").read_text()
    assert page.startswith(f"---\ntitle: {QUESTIONS['en']}\nnav: stack\n")
    assert "keywords: [join tensors along, new dimension]\n" in page
    assert f"# {QUESTIONS['en']}\n" in page and "{ #stack-join-tensors-along }" in page
    chinese = (chapter.docs("zh") / "topic/stack.md").read_text()
    assert f"title: {QUESTIONS['zh']}\nnav: {QUESTIONS['zh']}\n" in chinese
    assert "keywords: [沿新的一维拼接张量]\n" in chinese and "{ #stack-join-tensors-along }" in chinese
    for language in ("zh", "en"):
        index = (chapter.docs(language) / "topic/index.md").read_text()
        assert f"- [a](a.md)\n- [{QUESTIONS[language]}](stack.md)\n\n## Two" in index
    assert [heading for _, heading in scaffold.sections(chapter, "topic", "en")] == ["One", "Two"]


def test_a_question_that_yaml_would_misread_is_quoted(chapter):
    import yaml

    asked = {"en": "What does `a: b` # mean, [really]?", "zh": "怎样写 a: b？"}
    scaffold.new(chapter, "topic/odd", asked)
    for language, question in asked.items():
        front = (chapter.docs(language) / "topic/odd.md").read_text().split("---")[1]
        said = yaml.safe_load(front)
        assert said["title"] == question and all(isinstance(word, str) for word in said["keywords"])


def test_what_is_missing_is_asked_for_on_a_terminal(chapter, write, monkeypatch, capsys):
    from verbatim.__main__ import _ask

    index = INDEX + "\n## One { #one }\n\n- [a](a.md)\n\n## Two { #two }\n"
    write("docs/en/topic/index.md", index)
    answers = iter(["怎样拼接？", "1"])
    monkeypatch.setattr("builtins.input", lambda prompt: next(answers))
    questions = {"en": "How?", "zh": ""}
    assert _ask(chapter, "topic", questions) == "one"
    assert questions == {"en": "How?", "zh": "怎样拼接？"}
    assert "1 One\n  2 Two" in capsys.readouterr().out
    answers = iter(["3"])
    assert _ask(chapter, "topic", questions) == ""


def test_a_section_that_is_not_there(chapter):
    with pytest.raises(Problems, match="there is no section `#nowhere`"):
        scaffold.new(chapter, "topic/stack", QUESTIONS, "nowhere")
    assert not chapter.script("topic/stack").exists()


def test_the_navigation_gets_it_at_the_end_of_its_chapter():
    assert "      - topic/index.md\n      - topic/hooks.md\n  - Other:" in scaffold.insert_nav(NAV, "topic", "hooks")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hooks", "hooks: this is not the name of a recipe"),
        ("topic/Two Words", "this is not the name of a recipe"),
        ("../topic/x", "this is not the name of a recipe"),
        ("topic/aux", "Windows cannot hold a file of this name"),
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


def test_a_chapter_without_navigation(chapter, write):
    for language in ("zh", "en"):
        write(f"docs/{language}/lost/index.md", INDEX)
    with pytest.raises(Problems, match="the navigation has no page of the chapter `lost`"):
        scaffold.new(chapter, "lost/hooks")
    assert not chapter.script("lost/hooks").exists()
