"""The end of a chapter's index."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace

from verbatim import lists
from verbatim.pages.page import Page


def test_an_index_ends_with_the_pages_that_it_leaves_out(project, write):
    write("book/topics.yml", "topic:\n  index:\n  b:\n  a:\n  gone:\nother:\n  ../topic/c:\n")
    pages = [Page(f"docs/en/topic/{name}.md", f"# {name.upper()} [x]\n") for name in "abc"]
    index = Page("docs/en/topic/index.md", "# T\n\n[A](a.md#x) [elsewhere](https://a.org/b.md)\n")
    book = SimpleNamespace(project=project)
    assert lists.unlinked.render(lists.gather(book, [*pages, index], []), index) == (
        "\n## More { #more }\n\n- [B \\[x\\]](b.md)\n"
    )
    assert lists.unlinked.render(lists.gather(book, [*pages, index], []), pages[0]) == ""
    whole = dataclasses.replace(index, text=index.text + "[B](b.md)\n")
    assert lists.unlinked.render(lists.gather(book, [*pages, whole], []), whole) == ""
