"""Known messages and the sources that they are quoted from."""

import pytest

from verbatim.book import origins
from verbatim.checks.origins import check_origins
from verbatim.run.script import parse


@pytest.mark.parametrize(
    "origin",
    [
        "torch/cuda/__init__.py",
        "c10/cuda/CUDAFunctions.cpp",
        "LLVM OpenMP 20.1.8: openmp/runtime/src/i18n/en_US.txt",
        "CPython 3.13: Python/dynload_win.c",
        "https://pytorch.org/docs",
    ],
)
def test_forms_of_an_origin(origin):
    assert origins.well_formed(origin)


@pytest.mark.parametrize("origin", ["somewhere", "LLVM OpenMP: en_US.txt", "NumPy 2.4.6", "the forum"])
def test_what_is_no_origin(origin):
    assert not origins.well_formed(origin)


def test_installed_sources_are_found():
    assert origins.installed("torch/cuda/__init__.py")
    assert origins.installed("c10/util/Exception.h")  # a header, which the package has below torch/include
    assert origins.installed("aten/src/ATen/core/Generator.h")
    assert origins.installed("c10/cuda/CUDAFunctions.cpp") is None
    assert origins.installed("LLVM OpenMP 20.1.8: openmp/runtime/src/i18n/en_US.txt") is None


def test_a_message_is_looked_for_in_pieces():
    text = 'TORCH_CHECK(false, "the driver is too old (found version ", version, "). Please "\n    "update it");'
    assert origins.lacks("the driver is too old (found version …). Please update it", text) == ""
    assert origins.lacks("the driver is too new (found …", text) == "the driver is too new (found"


def script(says, origin):
    header = f'# %% known needs="cuda" raises="RuntimeError" says="{says}" origin="{origin}"'
    return parse(f'"""T."""\n\n{header}\nprint(1)\n', "examples/a/b.py")


def test_a_quotation_is_proved_where_its_source_is_installed():
    right = "… with CUDA capability sm_… is not compatible with the current PyTorch installation."
    assert list(check_origins(script(right, "torch/cuda/__init__.py"))) == []
    (wrong,) = check_origins(script("is too old for this PyTorch", "torch/cuda/__init__.py"))
    assert wrong.line == 3 and "does not say “is too old for this PyTorch”" in wrong.message
    assert list(check_origins(script("whatever it says", "c10/cuda/CUDAFunctions.cpp"))) == []


def test_an_origin_without_a_version_is_told():
    (problem,) = check_origins(script("already initialized", "LLVM OpenMP"))
    assert "is no origin" in problem.message and "project, version and file" in problem.hint
