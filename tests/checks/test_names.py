"""Names of PyTorch in sentences."""

from __future__ import annotations

import dataclasses

import pytest

from tests.checks.recipe import EN, PAGES, WHOLE
from verbatim.checks import names
from verbatim.memo import Memo
from verbatim.pages.page import Page


@pytest.mark.parametrize(
    ("span", "misspelt"),
    [
        ("torch.concatt", True),
        ("nn.Liner(3, 4)", True),
        ("Tensor.vieww", True),
        ("F.one_hot", False),
        ("torch.version.hip", False),  # it is None here
        ("torch.nn.modules.linear.Linear", False),
        ("torch.save", False),
        ("model.fit", False),
    ],
)
def test_a_name_that_pytorch_does_not_have(book, span, misspelt):
    page = Page(EN, PAGES["en"].replace(WHOLE, f"See `{span}`.", 1))
    told = [str(one) for one in names.check_names(book, [page], Memo())]
    name = span.partition("(")[0]
    assert [one.partition("\n")[0] for one in told] == [f"{EN}:10: PyTorch has no `{name}`"] * misspelt


def test_a_name_that_an_output_has_may_be_named(book):
    (script,) = book.scripts.values()
    changed = dataclasses.replace(book, scripts={script.path: dataclasses.replace(script, text="# torch.gone")})
    page = Page(EN, PAGES["en"].replace(WHOLE, "`torch.gone` is gone.", 1))
    assert list(names.check_names(changed, [page], Memo())) == []
    assert len(list(names.check_names(book, [page], Memo()))) == 1


def test_without_pytorch_no_name_is_missed(book):
    def gone(function, argument):
        raise EOFError

    page = Page(EN, PAGES["en"].replace(WHOLE, "See `torch.concatt`.", 1))
    assert list(names.check_names(book, [page], Memo(), ask=gone)) == []
