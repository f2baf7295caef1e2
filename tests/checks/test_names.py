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
def test_a_name_that_pytorch_does_not_have(sound, span, misspelt):
    page = Page(EN, PAGES["en"].replace(WHOLE, f"See `{span}`.", 1))
    told = [str(one) for one in names.check_names(sound, [(page, names.named(sound, page))], Memo())]
    name = span.partition("(")[0]
    assert [one.partition("\n")[0] for one in told] == [f"{EN}:10: PyTorch has no `{name}`"] * misspelt


def test_a_name_that_an_output_has_may_be_named(sound):
    (script,) = sound.scripts.values()
    changed = dataclasses.replace(sound, scripts={script.path: dataclasses.replace(script, text="# torch.gone")})
    page = Page(EN, PAGES["en"].replace(WHOLE, "`torch.gone` is gone.", 1))
    assert list(names.check_names(changed, [(page, names.named(changed, page))], Memo())) == []
    assert len(list(names.check_names(sound, [(page, names.named(sound, page))], Memo()))) == 1


def test_without_pytorch_no_name_is_missed(sound):
    def gone(function, argument):
        raise EOFError

    page = Page(EN, PAGES["en"].replace(WHOLE, "See `torch.concatt`.", 1))
    assert list(names.check_names(sound, [(page, names.named(sound, page))], Memo(), ask=gone)) == []


@pytest.mark.parametrize(
    ("span", "argument"),
    [
        ("torch.sum(x, reduce_mean=True)", "reduce_mean"),
        ("F.cross_entropy(x, y, smoothing=0.1)", "smoothing"),
        ("nn.Linear(3, 4, use_bias=False)", "use_bias"),
        ("F.cross_entropy(x, y, label_smoothing=0.1)", ""),
        ("nn.Linear(3, 4, bias=False)", ""),
        ("nn.Linear(…, bias=False)", ""),
        ("torch.sum(x, axis=1, keepdims=True)", ""),
        ("torch.ones(2, dtype=torch.int8, pin_memory=True)", ""),
        ("optim.SGD(model.parameters(), lr=0.1, momentum=0.9)", ""),
        ("torch.compile(model, mode='max-autotune')", ""),
        ("x.sum(reduce_mean=True)", ""),
        ("torch.sum(x) if mean=True", ""),
        ("torch.gone(x, reduce_mean=True)", ""),
    ],
)
def test_an_argument_that_a_function_does_not_take(sound, span, argument):
    page = Page(EN, PAGES["en"].replace(WHOLE, f"See `{span}`.", 1))
    told = [str(one).partition("\n")[0] for one in names.check_calls(sound, [(page, names.named(sound, page))], Memo())]
    assert told == [f"{EN}:10: `{span.partition('(')[0]}` takes no argument `{argument}`"] * bool(argument)


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("torch.norm", True),
        ("torch.qr", True),
        ("torch.nn.functional.upsample", True),
        ("torch.linalg.norm", False),
        ("torch.stft", False),  # an argument of it is
        ("torch.nn.CrossEntropyLoss", False),
        ("torch.profiler.profile", False),
    ],
)
def test_a_name_that_is_deprecated(sound, name, told):
    def used(text: str, **header: str) -> list[str]:
        (script,), (result,) = sound.scripts.values(), sound.display_results.values()
        cells = tuple(dataclasses.replace(one, names=(name,) if one.name == "joins" else ()) for one in result.cells)
        found = dataclasses.replace(result, cells=cells)
        one = dataclasses.replace(script.cell("joins"), **header)
        changed = dataclasses.replace(script, cells=tuple(one if c.name == "joins" else c for c in script.cells))
        of = dataclasses.replace(sound, scripts={script.path: changed}, display_results={script.path: found})
        page = Page(EN, PAGES["en"].replace(WHOLE, text, 1))
        return [str(problem) for problem in names.check_deprecated(of, [page], Memo())]

    assert bool(used(WHOLE)) == told
    assert not told or f": cell `joins` uses `{name}`, which its documentation calls deprecated" in used(WHOLE)[0]
    assert used("It is deprecated.") == used(WHOLE, warns="FutureWarning") == []


@pytest.mark.parametrize(
    ("said", "argument"),
    [
        ("With `reduce_mean=True` the result is the mean.", "reduce_mean"),
        ("Write `mse_loss(x, y, keep_mean=False)`.", "keep_mean"),
        ("With `keepdim=True` the dimension stays.", ""),
        ("In Keras, `reset_after=True` is the same.", ""),
        ("Write `x = True`, and `fileobj=` for a pipe.", ""),
    ],
)
def test_an_argument_that_nothing_takes(sound, said, argument):
    page = Page(EN, PAGES["en"].replace(WHOLE, said, 1))
    told = [
        str(one).partition("\n")[0] for one in names.check_switches(sound, [(page, names.named(sound, page))], Memo())
    ]
    assert told == [f"{EN}:10: nothing in PyTorch takes an argument `{argument}`"] * bool(argument)
