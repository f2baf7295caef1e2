"""Which names lead to PyTorch's documentation, and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
import torch

from verbatim.lists.api import DOCUMENTATION, Memory, address, link


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("torch.cat", "generated/torch.cat.html"),
        ("torch.cat((a, b), dim=1)", "generated/torch.cat.html"),
        ("torch.Tensor", "tensors.html"),
        ("Tensor.view", "generated/torch.Tensor.view.html"),
        ("Tensor.requires_grad", "generated/torch.Tensor.requires_grad.html"),
        ("nn.Linear(3, 4)", "generated/torch.nn.Linear.html"),
        ("F.relu", "generated/torch.nn.functional.relu.html"),
        ("torch.conv2d", "generated/torch.nn.functional.conv2d.html"),
        ("optim.SGD", "generated/torch.optim.SGD.html"),
        ("torch.optim.lr_scheduler.StepLR", "generated/torch.optim.lr_scheduler.StepLR.html"),
        ("with torch.no_grad():", "generated/torch.no_grad.html"),
        ("torch.inference_mode()", "generated/torch.autograd.grad_mode.inference_mode.html"),
        ("torch.utils.data.DataLoader", "data.html#torch.utils.data.DataLoader"),
        ("nn.init.xavier_uniform_", "nn.init.html#torch.nn.init.xavier_uniform_"),
        ("detach()", "generated/torch.Tensor.detach.html"),
        (".data_ptr()", "generated/torch.Tensor.data_ptr.html"),
        ("torch.narrow_copy", "generated/torch.narrow_copy.html"),
    ],
)
def test_a_name_has_a_page(text, page):
    assert address(text) == DOCUMENTATION + page


@pytest.mark.parametrize(
    "text",
    [
        "x.detach()",  # nobody says what x is
        "to()",  # modules have it, too
        "sum()",  # so has Python
        "zero_grad()",  # no tensor has it
        "torch.zero_grad",  # does not exist
        "F.log",
        "torch.view_copy",  # exists, has no page
        "torch.float32",
        "torch.nn",
        "torch._C",
        "requires_grad",
        "print",
        "DataLoader",
        "a + b",
        "nn.Linear + 1",
        "",
    ],
)
def test_what_is_no_name_or_has_no_page(text):
    assert address(text) == ""


def test_names_exist_in_the_installed_torch():
    assert hasattr(torch, "cat")
    assert not hasattr(torch, "zero_grad")


def test_links_code_spans_in_prose_only():
    url = DOCUMENTATION + "generated/torch.cat.html"
    assert link("<p><code>torch.cat</code>!</p>") == f'<p><a class="api" href="{url}"><code>torch.cat</code></a>!</p>'
    for html in (
        "<h2><code>torch.cat</code></h2>",
        '<a href="x"><code>torch.cat</code></a>',
        "<pre><code>torch.cat</code></pre>",
        "<p><code>a &lt; b</code></p>",
        "<summary><em><code>torch.cat</code></em></summary>",
    ):
        assert link(html) == html


def test_links_after_what_is_closed():
    assert link("<h2>x</h2><p><code>torch.cat</code></p>").count('class="api"') == 1


def test_what_was_found_is_remembered(tmp_path, monkeypatch):
    memory = Memory(tmp_path)
    found = memory.address("torch.cat")
    assert memory.address("nothing") == ""
    memory.keep()
    monkeypatch.setattr("verbatim.lists.api.address", None)
    again = Memory(tmp_path)
    assert again.address("torch.cat") == found
    assert again.address("nothing") == ""


def test_many_names_are_asked_for_at_once(tmp_path: Path):
    asked = []

    def ask(function: Callable, texts: list[str]) -> dict[str, str]:
        asked.append(texts)
        return function(texts)

    memory = Memory(tmp_path)
    memory.learn(["torch.cat", "x", "torch.cat"], ask)
    memory.learn(["x", "torch.stack"], ask)
    assert asked == [["torch.cat", "x"], ["torch.stack"]]
    assert memory.address("torch.cat") == address("torch.cat") and memory.address("x") == ""


def test_a_process_that_gives_no_answer_does_no_harm(tmp_path: Path):
    def ask(function: Callable, texts: list[str]) -> dict[str, str]:
        raise EOFError

    memory = Memory(tmp_path)
    memory.learn(["torch.cat"], ask)
    assert memory.address("torch.cat") == address("torch.cat")
