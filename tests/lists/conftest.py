"""The book as lists see it: run with one release of PyTorch, with several, its long lists split."""

from __future__ import annotations

import pytest

from tests.conftest import stand_in_version
from tests.lists.book import LIST, NEW, OLD, PAGE, SCRIPT, TEXTS, raised
from verbatim import lists
from verbatim.book import records
from verbatim.book.gather import gather
from verbatim.lists.places import Sources
from verbatim.pages.page import load_pages
from verbatim.project import Project


@pytest.fixture
def sources(project: Project, write) -> Sources:
    write("examples/topic/a.py", SCRIPT)
    write("book/topics.yml", "topic:\n  a: [product, nowhere]\n")
    for language, texts in TEXTS.items():
        write(f"docs/{language}/topic/a.md", PAGE.format(**texts))
        for name in ("errors", "names", "errata", "changes", "coverage"):
            write(f"docs/{language}/ways/{name}.md", LIST.format(name=name))
    book = gather(project)
    assert not book.problems, book.problems
    pages, _ = load_pages(project)
    return lists.gather(book, pages, [])


@pytest.fixture
def several(sources, project) -> Sources:
    """The same book, run with two releases more."""
    book = sources.book
    environment = dict.fromkeys(("python", "numpy", "matplotlib"), "1") | {"torch": "2.13.0+cpu"}
    records.write_environment(project, environment)
    for path, script in book.scripts.items():
        records.write(project, script, book.fresh_results[path])
    old = {
        "product": raised(OLD),
        "old-name": "quiet\n",
        "caught": ("AttributeError", "no attribute 'ones'"),
        "on-a-gpu": ["needs:cuda"],
    }
    stand_in_version(project, "1.13.1", {"topic/a": old}, missing=("torch.ones",))
    stand_in_version(project, "2.15.0", {"topic/a": {"product": raised(NEW)}})
    again = gather(project)
    return lists.gather(again, sources.pages, [])


@pytest.fixture
def split(several, project, write) -> Sources:
    """The same book, whose pages show the long lists in parts."""
    for language in TEXTS:
        for name in ("errors RuntimeError n-z", "errors *", "names torch.Tensor", "names *"):
            write(f"docs/{language}/ways/{name.split()[0]}/{_file(name)}.md", LIST.format(name=name))
    return lists.gather(several.book, load_pages(project)[0], [])


def _file(name: str) -> str:
    return "rest" if name.endswith("*") else "some"
