"""`new` starts a recipe that passes as it stands."""

from __future__ import annotations

import pytest

from tests.test_plugin import INDEX, command
from verbatim.checks import scaffold
from verbatim.problems import Problems

NAV = "site_name: scratch\nnav:\n  - index.md\n  - Topic:\n      - topic/index.md\n      - topic/a.md\n  - Other:\n      - other/index.md\n"


@pytest.fixture
def chapter(project, write):
    write("mkdocs.yml", NAV)
    for language in ("zh", "en"):
        write(f"docs/{language}/topic/index.md", INDEX + "\n- [a](../index.md)\n")
        write(f"docs/{language}/index.md", INDEX)
    return project


def test_a_new_recipe_passes_as_it_stands(chapter):
    done = command(chapter, "verbatim", "new", "topic/hooks")
    assert done.returncode == 0, done.stdout
    for name in ("examples/topic/hooks.py", "docs/zh/topic/hooks.md", "docs/en/topic/index.md", "mkdocs.yml"):
        assert name in done.stdout
    assert "next: python -m verbatim serve topic/hooks" in done.stdout
    assert chapter.record("topic/hooks", "cpu").is_file()
    check = command(chapter, "verbatim", "check")
    assert check.returncode == 0, check.stdout
    assert "- [hooks](hooks.md)" in (chapter.docs("zh") / "topic/index.md").read_text()


def test_the_navigation_gets_it_at_the_end_of_its_chapter():
    assert "      - topic/a.md\n      - topic/hooks.md\n  - Other:" in scaffold.insert_nav(NAV, "topic", "hooks")


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("hooks", "hooks: this is not the name of a recipe"),
        ("topic/Two Words", "this is not the name of a recipe"),
        ("../topic/x", "this is not the name of a recipe"),
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
