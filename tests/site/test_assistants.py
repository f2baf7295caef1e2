"""Pages as Markdown, and the lists of them."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import pytest

from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.lists.places import Sources
from verbatim.pages.chapters import Entry, Map
from verbatim.pages.document import CellOutputs, Document, Printed, Prose, Shown
from verbatim.pages.page import Page
from verbatim.run.script import Cell
from verbatim.site.downloads import assistants
from verbatim.site.search.messages import Template

SITE = "https://a.example/b/"
ROOT = Path(__file__).parents[2]
FIRST = """# Leaf [0]

See [the other](../shapes/view.md#x), [here](#y), [PyTorch](https://pytorch.org), ![a](../../assets/a.svg).

## Y { #y }

<p class="verbatim-version" data-torch="1.0">Needs <code>a&amp;b</code><br>or `<br>`</p>

"""


def stream(text: str) -> dict[str, str]:
    return {"output_type": "stream", "name": "stdout", "text": text}


def shown(*outputs: dict[str, object]) -> Shown:
    cell = Cell("c", "1", 2, 1)
    return Shown((CellOutputs("examples/a/leaf.py", "a/leaf#c", cell, True, Printed(outputs)),), caption="A line")


FENCE = '[not a link](../shapes/view.md)\n``` { .text title="x" data-device="cpu" }\n'
FIGURE = {"output_type": "display_data", "data": {"image/svg+xml": '<svg id="1"/>'}}
TRACE = {"output_type": "error", "ename": "E", "traceback": ["E: 1", '<p class="mine">', "2", "3", "4"]}


def document(language: str, text: str) -> Document:
    blocks = [Prose(tuple(text.split("\n")))]
    return Document(language, (*blocks, shown(stream(FENCE), FIGURE, TRACE)) if text == FIRST else tuple(blocks))


def page(name: str, language: str, text: str) -> Page:
    title = text.partition("\n")[0].removeprefix("# ")
    return Page(f"docs/{language}/{name}", f"---\ntitle: T\ndescription: About {title}\n---\n{text}")


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    texts = {"index.md": "# Home\n", "a/leaf.md": FIRST, "shapes/view.md": "# View\n", "ways/errors.md": "# Errors\n"}
    pages = [page(name, language, text) for language in ("zh", "en") for name, text in texts.items()]
    book = Map(tuple(Entry(f"{chapter}/index.md", chapter, (), 1, 1) for chapter in ("shapes", "a")))
    sources = Sources(
        SimpleNamespace(
            environment={"torch": "9.9"},
            project=SimpleNamespace(languages=DEFAULT_LANGUAGES, root=ROOT, site_url=SITE, package_on_index=False),
        ),
        pages,
        book,
    )
    about = {"site_url": SITE, "site_name": "Book", "summary": "Sum."}
    files: dict[str, str] = {}
    for language in ("zh", "en"):
        documents = {name: document(language, text) for name, text in texts.items()}
        made = assistants.pages(sources, language, documents, lambda page: None, SITE)
        for name, (text, drawn) in made.items():
            files |= {DEFAULT_LANGUAGES.folder(language) + name: text, **drawn}
        files |= dict(assistants.lists(sources, language, made, **about))
    return files


def test_each_page_stands_where_its_file_does_the_first_language_at_the_root(made):
    pages = {"index.md", "a/leaf.md", "shapes/view.md", "ways/errors.md", "llms.txt", "llms-full.txt"}
    pages |= {"a/llms-full.txt", "shapes/llms-full.txt"}
    figures = {path for path in made if path.startswith("assets/figures/")}
    assert set(made) == pages | {f"en/{path}" for path in pages} | figures
    assert len(figures) == 1  # both languages share it


@pytest.mark.parametrize("prefix", ["", "en/"])
def test_a_page_can_be_read_anywhere(made, prefix):
    text = made[f"{prefix}a/leaf.md"]
    assert text.startswith(f"<!-- {SITE}{prefix}a/leaf/ -->\n\n# Leaf")
    assert f"[the other]({SITE}{prefix}shapes/view.md#x)" in text
    assert f"[here]({SITE}{prefix}a/leaf.md#y)" in text
    assert "[PyTorch](https://pytorch.org)" in text
    assert f"![a]({SITE}assets/a.svg)" in text


def test_a_figure_is_a_file_on_paper_and_its_marks_are_gone(made):
    (path,) = (path for path in made if path.startswith("assets/figures/"))
    assert f"![A line]({SITE}{path})\n" in made["a/leaf.md"]
    assert made[path].startswith('<svg style="background: #fff')


def test_an_output_is_verbatim_and_says_what_it_is(made):
    assert '````text title="输出"\n[not a link](../shapes/view.md)\n``` { .text' in made["a/leaf.md"]
    assert '????text title="Output"\n'.replace("?", "`") in made["en/a/leaf.md"]


def test_html_for_the_site_s_style_is_gone(made):
    assert '    ```text\n    <p class="mine">\n    2\n    3\n    4\n    ```\n' in made["a/leaf.md"]
    assert "\nNeeds `a&b` or `<br>`\n" in made["a/leaf.md"]


@pytest.mark.parametrize(("prefix", "other"), [("", "en/llms.txt"), ("en/", "llms.txt")])
def test_the_list_has_every_page_in_reading_order(made, prefix, other):
    text = made[f"{prefix}llms.txt"]
    assert text.startswith("# Book\n\n> Sum.\n") and "9.9" in text
    assert f"]({SITE}{other})" in text and f"]({SITE}{prefix}llms-full.txt)" in text
    first, *others = [line for line in text.splitlines() if line.startswith("- ")]
    assert f"]({SITE}{prefix}errors.json)" in first
    links = [line for line in others if ".md)" in line]
    names = ["index.md", "shapes/view.md", "a/leaf.md", "ways/errors.md"]
    assert [link.partition("](")[2].partition(")")[0] for link in links] == [f"{SITE}{prefix}{n}" for n in names]
    assert links[2].startswith("- [Leaf \\[0\\]](")
    assert f"]({SITE}{prefix}a/llms-full.txt)" in others[others.index(links[2]) - 1]


def test_the_whole_book_leaves_out_lists_of_what_it_says_already(made):
    text = made["llms-full.txt"]
    assert text.index("# View") < text.index("# Leaf") and "# Errors" not in text


@pytest.mark.parametrize(("prefix", "own", "other"), [("", "leaf", "view"), ("en/", "view", "leaf")])
def test_a_chapter_is_one_file(made, prefix, own, other):
    chapter = {"leaf": "a", "view": "shapes"}[own]
    text = made[f"{prefix}{chapter}/llms-full.txt"]
    assert f"# {own.capitalize()}" in text and f"# {other.capitalize()}" not in text


def test_each_message_has_its_sections_their_remedies_and_releases():
    def message(template, **more):
        empty = {"torch": (), "quoted": False, "runs_with": ()}
        return SimpleNamespace(name="RuntimeError", template=template, **(empty | more))

    known = [
        Template("RuntimeError: a 1", "en/a/x/", "s", "Do `b`.", "X\nErrors"),
        Template("RuntimeError: c", "en/a/y/", "", "", "Y"),
        Template("RuntimeError: a 2", "en/a/z/", "", "Use another.", "Z"),
    ]
    listed = [
        message("RuntimeError: a …", torch=("2.0.1", "2.4.1")),
        message("RuntimeError: c", quoted=True),
        message("RuntimeError: a …", runs_with=("2.4.1",)),
    ]
    one = {"at": "en/a/x/#s", "remedy": "Do `b`.", "torch": ["2.0.1", "2.4.1"]}
    two = {"at": "en/a/z/", "runs_with": ["2.4.1"]}
    assert json.loads(assistants.known_errors(listed, known, "9.9", SITE)) == {
        "site": SITE,
        "torch": "9.9",
        "count": 2,
        "errors": [
            {"message": "RuntimeError: a 1", "places": [one, two]},
            {"message": "RuntimeError: c", "places": [{"at": "en/a/y/", "title": "Y", "quoted": True}]},
        ],
    }
    with pytest.raises(ValueError, match="shorter"):
        assistants.known_errors(listed, [], "9.9", SITE)


def test_the_package_comes_from_the_site(made):
    typed = f"`pip install --no-index --find-links {SITE}pip/ pytorch-verbatim`"
    assert typed in made["llms.txt"] and typed in made["en/llms.txt"]
