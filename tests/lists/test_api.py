"""Which names lead to PyTorch's documentation, and where."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from verbatim.lists.api import DOCUMENTATION, Addresses, address, link, may_name, named
from verbatim.memo import Memo


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
    import torch  # here alone, so that whoever only collects these tests does not import it

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
    memo = Memo(tmp_path)
    known = Addresses(memo)
    found = known.address("torch.cat")
    assert known.address("nothing") == ""
    known.save()
    memo.close()
    monkeypatch.setattr("verbatim.lists.api.address", None)
    again = Addresses(Memo(tmp_path))
    assert again.address("torch.cat") == found
    assert again.address("nothing") == ""


def test_many_names_are_asked_for_at_once(tmp_path: Path):
    asked = []

    def ask(function: Callable, texts: list[str]) -> dict[str, str]:
        asked.append(texts)
        return function(texts)

    known = Addresses(Memo(tmp_path))
    known.learn(["torch.cat", "nn.None", "torch.cat"], ask)
    known.learn(["nn.None", "torch.stack"], ask)
    assert asked == [["nn.None", "torch.cat"], ["torch.stack"]]
    assert known.address("torch.cat") == address("torch.cat") and known.address("nn.None") == ""


@pytest.mark.parametrize("text", ["x", "x.detach()", "lr=0.1", "round0", "a/b.py", "", "module", "x = torch.ones(2)"])
def test_what_cannot_be_a_name_is_not_asked_for(tmp_path: Path, text):
    """Asking starts a process that imports PyTorch: a new word in code must not."""

    def ask(function: Callable, texts: list[str]) -> dict[str, str]:
        raise AssertionError(texts)

    assert not named(text)
    Addresses(Memo(tmp_path)).learn([text], ask)


@pytest.mark.parametrize("text", ["torch.cat", "nn.Linear(3, 4)", "Tensor.view", "detach()", ".detach()", "F.relu"])
def test_what_is_a_name_has_the_form_of_one(text):
    assert named(text) and may_name(text)


def test_a_process_that_gives_no_answer_does_no_harm(tmp_path: Path):
    def ask(function: Callable, texts: list[str]) -> dict[str, str]:
        raise EOFError

    known = Addresses(Memo(tmp_path))
    known.learn(["torch.cat"], ask)
    assert known.address("torch.cat") == address("torch.cat")
