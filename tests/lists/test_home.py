"""What the home page says of the whole book."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.expanded import with_lists
from tests.lists.book import page, rendered
from verbatim import lists
from verbatim.lists.places import Sources
from verbatim.pages.page import load_pages
from verbatim.project import Project

ROOT = Path(__file__).parents[2]

HOME = """
---
title: H
description: D
---

# H

```verbatim
doors
```

```verbatim
start
```

## Chapters { #by-question }
"""


INDEX = """
---
title: Topic
description: D
---

# Topic

[A](a.md)
"""


def home(project: Project, sources: Sources, write, text: str = HOME, index: str = INDEX) -> str:
    """The home page's text, with its lists, in a book that has a chapter's index."""
    write("docs/en/index.md", text)
    write("docs/en/topic/index.md", index)
    pages, _ = load_pages(project)
    found = lists.gather(sources.book, pages, [])
    return with_lists(page(found, "docs/en/index.md"), found)


def test_the_doors_say_how_much_is_behind_them(sources, project, write):
    text = home(project, sources, write)
    doors = re.findall(r"^- \[(.+)\]\((.+)\) (\d+) ", text, re.MULTILINE)
    shown = rendered(sources, "errors", "en"), rendered(sources, "names", "en")
    counts = [str(len(re.findall(r"^- ", list_, re.MULTILINE))) for list_ in shown]
    assert doors == [
        ("An error message", "ways/errors.md", counts[0]),
        ("An API name", "ways/names.md", counts[1]),
        ("A question", "#by-question", "1"),
    ]


def test_a_list_that_no_page_shows_has_no_door(sources, project, write):
    (project.root / "docs/en/ways/names.md").unlink()
    text = home(project, sources, write, HOME.replace(" { #by-question }", ""))
    assert re.findall(r"^- .*", text, re.MULTILINE) and "An API name" not in text and "A question" not in text


def test_the_home_page_says_which_other_releases_were_run(several, project, write):
    text = home(project, several, write)
    built = several.book.releases.built
    first, *_, last = [name for name in several.book.releases.names if name != built]
    assert f"run with {len(several.book.releases.all)} other versions, {first} to {last};" in text


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_books_home_page_shows_a_message_and_an_output_that_other_releases_print_otherwise(language):
    text = (ROOT / f"docs/{language}/index.md").read_text(encoding="utf-8")
    shown = re.findall(r"^examples/(.+)\.py#(.+)$", text, re.MULTILINE)
    raising = {
        name for path, name in shown if f"# %% {name} raises=" in (ROOT / f"examples/{path}.py").read_text("utf-8")
    }
    others = {
        name
        for path, name in shown
        for record in ROOT.glob(f"outputs/versions/*/{path}.ipynb")
        if f'"name": "{name}"' in record.read_text(encoding="utf-8")
    }
    assert raising and others - raising


def test_beginners_are_led_to_the_steps_of_the_path(sources, project, write):
    assert not re.findall(r"^\d+\. ", home(project, sources, write), re.MULTILINE)
    write("book/topics.yml", "index:\n\ntopic:\n  index:\n  a:\n")
    text = home(project, sources, write, index=INDEX.replace("description: D", "description: D\npath: true"))
    assert re.findall(r"^\d+\. .*", text, re.MULTILINE) == ["1. [Products](topic/a.md)"]
    assert "- [New to PyTorch](topic/index.md) Ten steps" in text
