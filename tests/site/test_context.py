"""What the templates are told of a page."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import yaml

from verbatim.memo import Memo
from verbatim.project import Project
from verbatim.site.asset_versions import AssetVersions
from verbatim.site.context import PageContext, SiteContext
from verbatim.site.repository import Repository


def test_colab_opens_what_is_on_github():
    address = Repository("https://github.com/a/b").colab("o/x.ipynb", "x.ipynb")
    assert address == "https://colab.research.google.com/github/a/b/blob/main/o/x.ipynb"
    assert Repository("https://gitlab.com/a/b").colab("x", "x") == ""
    assert Repository().colab("x", "x") == ""


def test_an_issue_about_a_page_is_opened_on_github_alone():
    address = Repository("https://github.com/a/b/").report("https://c.example/x/?y")
    assert address == (
        "https://github.com/a/b/issues/new?template=wrong-output.yml&section=https%3A%2F%2Fc.example%2Fx%2F%3Fy"
    )
    assert Repository("https://gitlab.com/a/b").report("https://c.example/") == ""
    assert Repository().report("https://c.example/") == ""


def test_the_form_of_such_an_issue_has_the_field_that_is_filled_in():
    template = Path(__file__).parents[2] / ".github/ISSUE_TEMPLATE/wrong-output.yml"
    fields = [field.get("id") for field in yaml.safe_load(template.read_text(encoding="utf-8"))["body"]]
    assert "section" in fields


def test_downloads_stand_beside_the_page():
    page = PageContext(url="en/autograd/leaf/", recipe="autograd/leaf")
    assert page.py == "en/autograd/leaf/leaf.py"
    assert page.ipynb == "en/autograd/leaf/leaf.ipynb"
    assert page.notebook == "en/autograd/leaf/notebook/"


def test_files_of_a_folder_change_their_address_together(tmp_path: Path):
    folder = tmp_path / "docs/assets/search"
    folder.mkdir(parents=True)
    for path in (folder / "open.js", folder / "other.js", folder.parent / "page.js", folder.parent / "site.css"):
        path.write_text(path.name)

    def versioned(path: str) -> str:
        return AssetVersions(tmp_path / "docs")(path)

    loads, alone = versioned("assets/search/open.js"), versioned("assets/page.js")
    assert loads.startswith("assets/search/open.js?v=")
    (folder / "other.js").write_text("changed")
    (folder.parent / "site.css").write_text("changed")
    assert versioned("assets/search/open.js") != loads
    assert versioned("assets/page.js") == alone
    assert versioned("gone/gone.js") == "gone/gone.js"


def test_colab_opens_the_pages_own_notebook_where_a_branch_has_it(tmp_path: Path):
    def colab(path: str, url: str, notebooks: str) -> str:
        book = SimpleNamespace(
            project=Project(tmp_path),
            display_results={"examples/a/x.py": None},
            releases=SimpleNamespace(all=(), built="2"),
        )
        shared = SiteContext(book, Memo(), Repository("https://github.com/a/b", "main", notebooks))
        return shared.describe(path, "", url, {}, "https://c.example/").colab.partition("/blob/")[2]

    assert colab("docs/en/a/x.md", "en/a/x/", "notebooks") == "notebooks/en/a/x/x.ipynb"
    assert colab("docs/zh/a/x.md", "a/x/", "notebooks") == "notebooks/a/x/x.ipynb"
    assert colab("docs/en/a/x.md", "en/a/x/", "") == "main/outputs/cpu/a/x.ipynb"
    assert colab("docs/en/a/other.md", "en/a/other/", "notebooks") == ""
