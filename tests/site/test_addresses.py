"""No page is published whose HTML would follow, load or run something, whatever `check` has looked at."""

from __future__ import annotations

import pytest
from mkdocs.exceptions import Abort

from tests.site.test_incremental import Book
from verbatim.checks import html


def test_the_html_that_came_of_a_page_is_looked_at_before_it_is_published(tmp_path, monkeypatch, caplog):
    monkeypatch.setenv("NO_MKDOCS_2_WARNING", "1")
    monkeypatch.setattr(html, "_check_addresses", lambda page, told: ())
    book = Book(tmp_path)
    path = "docs/en/autograd/leaf.md"
    text = (book.root / path).read_text()
    (book.root / path).write_text(f"{text}\n[x]( javascript:alert(1))\n")
    for _ in range(2):  # what is refused is not kept for the next build
        with pytest.raises(Abort):
            book.build()
        line = text.count("\n") + 2
        assert f"{path}:{line}: the link `javascript:alert(1)` is none that a browser may follow" in caplog.text
        caplog.clear()
        assert not (book.root / "site").exists()
    (book.root / path).write_text(text)
    assert "en/autograd/leaf/index.html" in book.build().files
