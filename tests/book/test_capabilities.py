"""A cell that is not run somewhere leaves nothing that other cells need."""

from __future__ import annotations

import sys
import types
from unittest import mock

import pytest

from tests.expanded import expand
from tests.site.test_plugin import command
from verbatim.book import capabilities
from verbatim.book.gather import gather
from verbatim.run import worker
from verbatim.run.gpus import find
from verbatim.run.job import Job
from verbatim.run.script import CAPABILITIES
from verbatim.words import NEEDS

SCRIPT = """
\"\"\"T.\"\"\"

# %% first
count = 1

# %% says needs="{need}"
{held}
print(count)

# %% later
{later}
"""


@pytest.fixture
def checked(project, write):
    def checked(need: str, held: str, later: str) -> list[str]:
        write("examples/topic/a.py", SCRIPT.format(need=need, held=held, later=later))
        book = gather(project)
        assert not book.problems
        return [str(problem) for problem in capabilities.check(book)]

    return checked


def test_a_cell_that_needs_what_a_skipped_one_holds_is_told_with_both_places(checked):
    (told,) = checked("tensorboard", "held = 2", "print(held)")
    assert told.startswith("examples/topic/a.py:11: where `tensorboard` is missing, cell `later` raised NameError")
    assert "not run there: `says` (examples/topic/a.py:6)" in told and "hint: move" in told


def test_so_is_one_that_prints_something_else(checked):
    (told,) = checked("tensorboard", "count = 2", "print(count)")
    assert told.startswith("examples/topic/a.py:10: where `tensorboard` is missing, cell `later` prints something else")
    assert "-2\n+1" in told


def test_cells_that_stand_by_themselves_are_fine(checked):
    assert checked("tensorboard", "held = 2", "print(count)") == []


def test_what_is_missing_here_was_tried_by_the_run_itself(project, write):
    write("examples/topic/a.py", SCRIPT.format(need="cuda", held="held = 2", later="print(held)"))
    book = gather(project)
    assert find().count or "NameError" in str(book.problems)
    assert capabilities.check(book) == []


def test_each_is_run_once(checked, project, monkeypatch):
    assert len(checked("tensorboard", "held = 2", "print(1)")) == 0
    monkeypatch.setattr(capabilities, "Runner", None)
    assert capabilities.check(gather(project)) == []


def test_check_tells_it(project, write):
    write("examples/topic/a.py", SCRIPT.format(need="tensorboard", held="held = 2", later="print(held)"))
    assert "where `tensorboard` is missing" in command(project, "verbatim", "check").stdout


def missing(need: str, without: str = "") -> str:
    return worker._missing(need, mock.Mock(perturbed=(), spec=Job, without=without, device="cpu"))


@pytest.mark.parametrize(("need", "owner"), [("mps", "torch.backends"), ("xpu", "torch")])
def test_gpus_of_apple_and_intel_are_there_where_torch_can_use_them(monkeypatch, need, owner):
    for available in (False, True):
        monkeypatch.setattr(f"{owner}.{need}", types.SimpleNamespace(is_available=lambda there=available: there))
        assert missing(need) == ("" if available else need)
    assert missing(need, without=need) == need
    monkeypatch.delattr(f"{owner}.{need}")  # a release that did not have it yet
    assert missing(need) == need


def test_windows_is_where_python_says_so(monkeypatch):
    for platform in ("linux", "darwin"):
        monkeypatch.setattr(sys, "platform", platform)
        assert missing("windows") == "windows"
    monkeypatch.setattr(sys, "platform", "win32")
    assert missing("windows") == ""


@pytest.mark.parametrize(
    ("build", "driver", "lacking"),
    [
        (None, 0, ""),  # a build for CPUs asks no driver
        (None, 12020, ""),
        ("13.0", 0, "no-driver"),
        ("13.0", 12080, "old-driver"),
        ("13.0", 13000, ""),
        ("12.8", 12020, ""),  # the minor version does not matter
        ("12.8", 13010, ""),
    ],
)
def test_a_driver_is_missing_or_too_old_for_a_build_with_cuda_alone(monkeypatch, build, driver, lacking):
    monkeypatch.setattr("torch.version.cuda", build)
    monkeypatch.setattr(worker, "_driver", lambda: driver)
    for need in ("no-driver", "old-driver"):
        assert missing(need) == ("" if need == lacking else need)


def test_the_driver_is_asked_for_its_version(monkeypatch):
    def answer(version):
        version._obj.value = 12020

    monkeypatch.setattr(worker.ctypes, "CDLL", lambda name: mock.Mock(cuDriverGetVersion=answer))
    assert worker._driver() == 12020
    monkeypatch.setattr(worker.ctypes, "CDLL", mock.Mock(side_effect=OSError("no such file")))
    assert worker._driver() == 0


def test_words_for_readers_are_those_of_capabilities():
    assert {need for words in NEEDS.values() for need in words} - {"other"} <= CAPABILITIES.keys()


def test_a_page_says_what_a_cell_needs(project, write):
    write("examples/topic/a.py", SCRIPT.format(need="windows", held="held = 2", later="print(3)"))
    fence = "```example\nexamples/topic/a.py#says\n```\n"
    book = gather(project)
    zh, en = (expand(fence, book, language, lambda *_: "figure.svg") for language in ("zh", "en"))
    assert "这一段需要 Windows，" in zh and "this part needs Windows, which" in en
