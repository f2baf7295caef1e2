"""Signatures and summaries of names."""

from __future__ import annotations

import pytest

from verbatim.lists.signatures import SIGNATURE, SUMMARY, Signatures, described, signature
from verbatim.memo import Memo


@pytest.mark.parametrize(
    ("name", "begins"),
    [
        ("torch.cat", "(tensors, dim=0, *, out=None) -> Tensor"),  # C++: the docstring's first line
        ("torch.Tensor.view", "(*shape) -> Tensor"),
        ("torch.nn.Linear", "(in_features, out_features, bias=True,"),  # a class, without annotations
        ("torch.nn.Module.register_buffer", "(name, tensor, persistent=True)"),  # without self
        ("torch.nn.functional.softmax", "(input, dim=None, dtype=None)"),  # without private parameters
        ("torch.no_grad", "()"),
        ("torch.float32", ""),
        ("torch.Tensor.grad", ""),
    ],
)
def test_a_signature_is_that_of_the_installed_torch(name, begins):
    assert signature(name).startswith(begins) and bool(signature(name)) == bool(begins)


def test_only_names_of_torch_are_described():
    found = described(["nn.Linear(3, 4)", "detach()", "x.sum()", "torch.liner", "a word"])
    assert {text: name for text, (name, _, _) in found.items()} == {
        "nn.Linear(3, 4)": "torch.nn.Linear",
        "detach()": "torch.Tensor.detach",
    }
    assert found["nn.Linear(3, 4)"][2].startswith("Applies an affine linear transformation")


def test_nothing_differs_from_run_to_run_and_nothing_is_long():
    found = described(["torch.compile", "torch.utils.data.DataLoader", "torch.autograd.gradcheck", "torch.save"])
    for name, given, summary in found.values():
        assert given and " at 0x" not in given and "<" not in given, name
        assert len(given) <= SIGNATURE + 2 and len(summary) <= SUMMARY + 2


def test_what_is_known_is_not_asked_again(tmp_path):
    asked = []

    def ask(function, texts):
        asked.append(texts)
        return function(texts)

    memo = Memo(tmp_path)
    first = Signatures(memo).describe({"torch.cat", "nn.None", "no name"}, ask)
    assert Signatures(memo).describe({"torch.cat", "nn.None", "no name"}, ask) == first and list(first) == ["torch.cat"]
    Signatures(memo).describe({"torch.cat", "torch.stack"}, ask)
    assert asked == [["nn.None", "torch.cat"], ["torch.stack"]]
