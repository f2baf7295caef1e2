"""What `make cuda` is about to record, and in which order."""

from __future__ import annotations

import pytest

from scripts import plan_cuda
from verbatim.run import gpus

ONE = gpus.Gpus(1, {"gpu": "Stand-in 1"})


@pytest.fixture
def book(project, write, monkeypatch):
    write("examples/topic/a.py", '"""T."""\n\n# %% a\nprint(1)\n')
    write("examples/topic/b.py", '"""T."""\n\n# %% a\nimport torch\n\nprint(torch.cuda.is_available())\n')
    write("examples/topic/c.py", '"""T."""\n\n# %% a needs="cuda"\nprint(1)\n\n# %% b needs="cuda:2"\nprint(2)\n')
    monkeypatch.chdir(project.root)
    monkeypatch.setattr(gpus, "find", lambda: ONE)
    return project


def test_what_cannot_do_without_a_gpu_comes_first(book, capsys):
    assert plan_cuda.main([]) == 0
    out, err = capsys.readouterr()
    assert out.split() == ["topic/c", "topic/b"]
    assert "1 recipes have 2 cells that need a GPU; 1 others" in err and "topic/c has cells that want 2 GPUs" in err


def test_chosen_recipes(book, capsys):
    assert plan_cuda.main(["topic/a", "topic/b"]) == 0
    assert capsys.readouterr().out.split() == ["topic/b"]


def test_a_record_whose_script_is_gone_is_removed(book, write):
    write("outputs/cuda/topic/gone.ipynb", "{}")
    assert plan_cuda.main(["topic/a"]) == 0 and book.record("topic/gone", "cuda").exists()
    assert plan_cuda.main([]) == 0 and not book.record("topic/gone", "cuda").exists()


def test_without_a_gpu_there_is_no_plan(book, monkeypatch, capsys):
    monkeypatch.setattr(gpus, "find", lambda: gpus.Gpus(reason="Found no NVIDIA driver"))
    assert plan_cuda.main([]) == 1
    out, err = capsys.readouterr()
    assert not out and "no GPU can be used: Found no NVIDIA driver" in err
