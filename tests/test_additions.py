"""What the templates are told of a page."""

from __future__ import annotations

from verbatim.site.additions import Additions, colab_address


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
