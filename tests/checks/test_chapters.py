"""The map of the book beside its pages."""

from __future__ import annotations

import pytest

from tests.checks.recipe import CONFIG, MAP, written
from verbatim.checks import chapters as check
from verbatim.checks.chapters import check_map
from verbatim.languages import Languages
from verbatim.pages import chapters
from verbatim.pages.page import Page, load_pages
from verbatim.problems import report


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (MAP.replace("join:", "joim:"), "book/topics.yml:3: the map names topic/joim.md, which is no page\n  hint: did you mean `topic/join.md`?"),
        ("topic:\n  index:\n", "docs/zh/topic/join.md: the page is not in the map, so not in the navigation\n  hint: add it to book/topics.yml where one would read it: `join:` below `topic:`"),
        (MAP + "  join:\n", "book/topics.yml:4: the map names topic/join.md on line 3, too"),
        (MAP.replace("[join", "[join-columns, join"), "book/topics.yml:3: the map names the topic `join-columns` 2 times"),
        (MAP.replace("[join-columns]", "\n    - join-colums"), "book/topics.yml:4: the topic `join-colums` has no section in `en`\n  hint: write it: a heading with { #join-colums } in docs/en/topic/join.md"),
        ("topic:\n  index: [join-columns]\n  join:\n", "book/topics.yml:2: the topic `join-columns` of topic/index.md stands in docs/zh/topic/join.md:16"),
        ("topic:\n  join:\n  index:\n", "docs/en/topic/index.md:1: `chapter` is read on the first page of a chapter alone"),
        ("topic:\n  join:\n  index:\n", "docs/en/topic/join.md:1: the chapter `topic` has no title for the navigation"),
        ("topic:\n  - join-columns\n", "book/topics.yml:1: the map names topic.md, which is no page"),
        ("topic:\n  join: 3\n", "book/topics.yml:2: `join` has no list of topics"),
        ("topic:\n  join: [[a]]\n", "book/topics.yml:2: `join` has no list of topics"),
        ("topic:\n  - a\n <<<\n  : [", "book/topics.yml:3: the map is not YAML"),
        ("- a\n", "book/topics.yml:1: the map is no list of chapters"),
    ],
)  # fmt: skip
def test_the_map_beside_the_pages(tmp_path, text, message):
    project = written(tmp_path / "book")
    (project.root / "book/topics.yml").write_text(text)
    found = report(check_map(project, load_pages(project)[0]))
    assert message in found, found


def test_a_page_may_have_parts_that_the_map_does_not_name_and_a_topic_stands_on_one_page(tmp_path):
    project = written(tmp_path / "book")
    for path in ("docs/zh/topic/join/a.md", "docs/zh/topic/join/b.md"):
        (project.root / path).parent.mkdir(exist_ok=True)
        (project.root / path).write_text("# A\n\n## B { #join-columns }\n")
    (problem,) = check_map(project, load_pages(project)[0])
    stands = "docs/zh/topic/join/a.md:3, docs/zh/topic/join/b.md:3, docs/zh/topic/join.md:16"
    assert str(problem).startswith(f"book/topics.yml:3: the topic `join-columns` stands 3 times: {stands}")


def test_only_the_first_page_of_a_chapter_sends_it_to_the_footer(tmp_path):
    project = written(tmp_path / "book")
    path = project.root / "docs/en/topic/join.md"
    path.write_text(path.read_text().replace("---\n", "---\nfooter: true\n", 1))
    found = report(check_map(project, load_pages(project)[0]))
    assert "docs/en/topic/join.md:1: `footer` is read on the first page of a chapter alone" in found


def test_the_navigation_stands_in_one_place(tmp_path):
    project = written(tmp_path / "book")
    (project.root / "mkdocs.yml").write_text(CONFIG + "nav:\n  - topic/join.md\n")
    (problem,) = check_map(project, load_pages(project)[0])
    assert str(problem).startswith("mkdocs.yml:2: the navigation is made of book/topics.yml, not of this `nav`")
    (project.root / "book/topics.yml").unlink()
    assert list(check_map(project, load_pages(project)[0])) == []


def test_a_partial_language_names_a_chapter_on_the_first_page_that_it_has():
    book = chapters.Map(tuple(chapters.Entry(f"a/{name}.md", "a", (), line, line) for line, name in enumerate("bc", 1)))
    named = "---\nchapter: A\n---\n"
    pages = [Page("docs/zh/a/b.md", named), Page("docs/zh/a/c.md", ""), Page("docs/ja/a/c.md", named)]

    def told(partial: frozenset[str]) -> list[str]:
        found = check._check_titles(book, pages, Languages(("zh", "ja"), partial))
        return [f"{problem.path}: {problem.message}" for problem in found]

    assert told(frozenset({"ja"})) == []
    assert told(frozenset()) == ["docs/ja/a/c.md: `chapter` is read on the first page of a chapter alone"]
    pages[2] = Page("docs/ja/a/c.md", "")
    assert told(frozenset({"ja"})) == ["docs/ja/a/c.md: the chapter `a` has no title for the navigation"]
