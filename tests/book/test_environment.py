"""What pages show of the environment that printed their outputs."""

from __future__ import annotations

from verbatim.book import environment


def test_torch_comes_first_and_the_others_by_themselves():
    versions = {"torch": "2.9", "python": "3.11", "numpy": "2.4", "matplotlib": "3.10"}
    assert (environment.torch(versions), environment.torch({})) == ("torch 2.9", "")
    assert environment.others(versions) == "Python 3.11 · NumPy 2.4 · Matplotlib 3.10"
