"""What the templates are told of a page."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

from verbatim.site.additions import Additions, Site, colab_address


def test_colab_opens_what_is_on_github():
    address = colab_address("https://github.com/a/b", "main", "o/x.ipynb")
    assert address == "https://colab.research.google.com/github/a/b/blob/main/o/x.ipynb"
    assert colab_address("https://gitlab.com/a/b", "main", "x") == ""
    assert colab_address("", "main", "x") == ""


def test_downloads_stand_beside_the_page():
    page = Additions(url="en/autograd/leaf/", recipe="autograd/leaf")
    assert page.py == "en/autograd/leaf/leaf.py"
    assert page.ipynb == "en/autograd/leaf/leaf.ipynb"
    assert page.notebook == "en/autograd/leaf/notebook/"


def test_a_script_that_loads_others_changes_its_address_with_theirs(tmp_path: Path):
    folder = tmp_path / "docs/search"
    folder.mkdir(parents=True)
    for name in ("open.js", "other.js"):
        (folder / name).write_text(name)
    site = SimpleNamespace(book=SimpleNamespace(project=SimpleNamespace(root=tmp_path)))
    alone, whole = Site.versioned(site, "search/open.js"), Site.versioned(site, "search/open.js", loads=True)
    (folder / "other.js").write_text("changed")
    assert Site.versioned(site, "search/open.js") == alone
    assert Site.versioned(site, "search/open.js", loads=True) != whole
    assert Site.versioned(site, "search/gone.js", loads=True).startswith("search/gone.js")
    assert Site.versioned(site, "gone/gone.js", loads=True) == "gone/gone.js"
