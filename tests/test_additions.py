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


def test_files_of_a_folder_change_their_address_together(tmp_path: Path):
    folder = tmp_path / "docs/assets/search"
    folder.mkdir(parents=True)
    for path in (folder / "open.js", folder / "other.js", folder.parent / "page.js", folder.parent / "site.css"):
        path.write_text(path.name)

    def versioned(path: str) -> str:
        book = SimpleNamespace(project=SimpleNamespace(root=tmp_path))
        return Site.versioned(SimpleNamespace(book=book, _versions={}), path)

    loads, alone = versioned("assets/search/open.js"), versioned("assets/page.js")
    assert loads.startswith("assets/search/open.js?v=")
    (folder / "other.js").write_text("changed")
    (folder.parent / "site.css").write_text("changed")
    assert versioned("assets/search/open.js") != loads
    assert versioned("assets/page.js") == alone
    assert versioned("gone/gone.js") == "gone/gone.js"
