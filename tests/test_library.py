"""The engine makes a book about NumPy: one language, NumPy's version at the foot, links to NumPy's documentation."""

from __future__ import annotations

import importlib.metadata
import shutil
import zlib
from pathlib import Path

import pytest

from tests.browser.miniature import ROOT
from tests.site.test_plugin import command
from verbatim.library import inventory
from verbatim.lists import api
from verbatim.project import Project

DOCUMENTATION = "https://numpy.org/doc/stable/"
SETTINGS = f"""
INHERIT: {ROOT}/mkdocs.yml
site_name: NumPy Verbatim
theme: {{language: en, custom_dir: {ROOT}/overrides}}
plugins:
  - verbatim:
      library:
        package: numpy
        inventory: numpy.inv
        documentation: {DOCUMENTATION}
        aliases: {{np: numpy}}
  - i18n:
      docs_structure: folder
      fallback_to_default: false
      reconfigure_material: true
      reconfigure_search: false
      languages: [{{locale: en, name: English, default: true, build: true}}]
"""
LISTED = """\
numpy.broadcast_to py:function 1 reference/generated/numpy.broadcast_to.html#$ -
numpy.ndarray.sum py:method 1 reference/generated/numpy.ndarray.sum.html#$ -
numpy.broadcast_to std:doc -1 reference/elsewhere.html broadcast_to
"""
HEAD = b"# Sphinx inventory version 2\n# Project: NumPy\n# Version: 2.4\n# The remainder of this file is compressed.\n"
SCRIPT = '"""An array shows its {what}."""\n\n# %% first\nimport numpy as np\n\nprint(np.broadcast_to([1, 2], (2, 2)).{what})\n'
PAGE = """\
---
title: The {what} of an array
description: An array shows its {what} without a copy.
---

# The {what} of an array

`np.broadcast_to` makes no copy, and neither does `numpy.nothing`.

```example
examples/arrays/{what}.py#first
```
"""


@pytest.fixture(scope="module")
def numpy_book(tmp_path_factory) -> Project:
    root = tmp_path_factory.mktemp("numpy") / "book"
    files = {
        "mkdocs.yml": SETTINGS,
        "docs/en/index.md": "---\ntitle: Home\ndescription: About arrays.\n---\n\n# Home\n",
    }
    for what in ("shape", "strides"):
        files[f"examples/arrays/{what}.py"] = SCRIPT.format(what=what)
        files[f"docs/en/arrays/{what}.md"] = PAGE.format(what=what)
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    shutil.copytree(ROOT / "docs/assets", root / "docs/assets")
    (root / "numpy.inv").write_bytes(HEAD + zlib.compress(LISTED.encode()))
    done = command(Project(root), "verbatim", "record")
    assert done.returncode == 0, done.stdout
    return Project(root)


@pytest.fixture(scope="module")
def page(numpy_book) -> str:
    done = command(numpy_book, "mkdocs", "build", "--strict")
    assert done.returncode == 0, done.stdout
    site = numpy_book.root / "site"
    assert (site / "arrays/strides/index.html").is_file()  # the only language stands at the root
    return (site / "arrays/shape/index.html").read_text()


def test_check_tells_nothing(numpy_book):
    done = command(numpy_book, "verbatim", "check")
    assert done.returncode == 0, done.stdout


def test_the_foot_of_a_page_names_numpy_and_not_torch(page):
    foot = page.partition('class="verbatim-ran"')[2].partition("</p>")[0].partition(">")[2]
    assert foot.startswith(f"The outputs on this page were printed by NumPy {importlib.metadata.version('numpy')} (")
    assert "torch" not in foot


def test_names_lead_to_what_its_documentation_lists(page):
    address = f"{DOCUMENTATION}reference/generated/numpy.broadcast_to.html#numpy.broadcast_to"
    assert f'<a class="api" href="{address}"><code>np.broadcast_to</code></a>' in page
    assert "<code>numpy.nothing</code>" in page and "numpy.nothing</code></a>" not in page


def test_a_list_that_cannot_be_read_is_told(numpy_book):
    path = numpy_book.root / "numpy.inv"
    data = path.read_bytes()
    try:
        path.write_bytes(data[:-9])
        assert api.addresses_of(Project(numpy_book.root)).address("np.broadcast_to") == ""
        done = command(numpy_book, "verbatim", "check")
    finally:
        path.write_bytes(data)
    assert "mkdocs.yml: `numpy.inv` is not what the library's documentation lists: it is damaged" in done.stdout


def test_a_list_of_another_form_is_refused(tmp_path: Path):
    with pytest.raises(ValueError, match="no list of Sphinx"):
        inventory(b"<!doctype html>\n")


def test_a_book_that_names_no_library_is_about_torch(tmp_path):
    environment = {"torch": "2.9", "python": "3.11", "numpy": "2.4", "matplotlib": "3.10"}
    library = Project(tmp_path).library
    assert (library.ran(environment), library.ran({})) == ("torch 2.9", "")
    assert library.beside(environment) == "Python 3.11 · NumPy 2.4 · Matplotlib 3.10"
