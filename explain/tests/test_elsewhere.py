"""What other libraries raise, and PyTorch where no page has it, is not taken for what the book knows."""

from __future__ import annotations

import json
from pathlib import Path

from pytorch_verbatim import explaining

FOUND = json.loads(Path(__file__).with_name("elsewhere.json").read_text(encoding="utf-8"))
#: Beginnings of those that are what the book shows: Python's own messages that it has pages about, and those of PyTorch.
SAME = (
    "AttributeError: 'NoneType' object has no attribute",
    "AttributeError: 'numpy.ndarray' object has no attribute",
    "AttributeError: 'str' object has no attribute 'to'",
    "EOFError: Ran out of input",
    "IndexError: list index out of range",
    "NotImplementedError",
    "StopIteration",
    "TypeError: Invalid shape",
    "TypeError: 'int' object is not iterable",
    "TypeError: float() argument must be a string or a real number, not 'NoneType'",
    "ValueError: could not convert string to float",
    "ValueError: not enough values to unpack",
    "ValueError: too many values to unpack",
    "ZeroDivisionError: float",
    "_pickle.PicklingError: Can't pickle <function <lambda>",
    "IndexError: Dimension out of range",
    "RuntimeError: Argument #4: Padding size should be less than the corresponding input dimension",
    "RuntimeError: Expected size of input's dimension 1 to be divisible by the product of kernel_size",
    "RuntimeError: bincount only supports 1-d non-negative integral inputs",
    "RuntimeError: grid_sampler(): expected grid to have size 2 in last dimension",
    "RuntimeError: pixel_shuffle expects its input's 'channel' dimension to be divisible",
)


def test_there_are_enough_of_them():
    assert sum(len(one["messages"]) for one in FOUND.values()) >= 200 + len(SAME) and len(FOUND) >= 6


def test_nearly_none_is_explained_wrongly():
    others = [text for one in FOUND.values() for text in one["messages"] if not text.startswith(SAME)]
    wrong = [(text, found.message.text) for text in others if (found := explaining.explain(text, "en"))]
    assert len(wrong) <= 0.01 * len(others), wrong
    assert len(others) >= 200


def test_pythons_own_words_are_no_match_without_the_names_in_quotes():
    text = "TypeError: unsupported operand type(s) for +: {} and {}"
    assert explaining.explain(text.format("'int'", "'str'"), "en") is None
    found = explaining.explain(text.format("'Image'", "'Tensor'"), "en")
    assert found and "'Image'" in found.message.text
