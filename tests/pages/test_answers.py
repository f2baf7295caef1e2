"""`new` says which sections may answer its question, `remove` takes a recipe back, and two new ones merge."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.site.test_plugin import command
from verbatim import scaffold
from verbatim.move import remove
from verbatim.problems import Problems
from verbatim.project import Project

ROOT = Path(__file__).parents[2]
ANSWERS = {
    ("take-along-dim", "en"): "indexing/gather.md#take-along-dim",
    ("How do I freeze layers?", "en"): "modules/freeze-layers.md#freeze-layers",
    ("How do I compute the median of a tensor?", "en"): "indexing/topk-sort.md#",
    ("How do I bake bread?", "en"): None,
    ("怎样裁剪梯度？", "zh"): "autograd/hook-return.md#",
    ("怎样做意大利面？", "zh"): None,
}


@pytest.mark.parametrize(("question", "language"), ANSWERS)
def test_sections_that_may_answer(question, language):
    found = [f"{one.page}#{one.id}" for one in scaffold.answering(Project(ROOT), question, language)]
    assert (found or [None])[0] == ANSWERS[question, language] and len(found) <= 3


@pytest.fixture
def clone(tmp_path) -> Project:
    """The text of this repository, as it is now, under git."""
    folder = tmp_path / "clone"
    (folder / "book").mkdir(parents=True)
    for name in ("mkdocs.yml", "book/topics.yml", ".gitattributes", "book/moved.yml"):
        if (ROOT / name).is_file():
            shutil.copy(ROOT / name, folder / name)
    for name in ("docs/zh/autograd", "docs/en/autograd", "examples/autograd"):
        shutil.copytree(ROOT / name, folder / name)
    git(folder, "init", "--quiet", "--initial-branch", "main")
    save(folder, "base")
    return Project(folder)


def git(folder: Path, *arguments: str) -> str:
    who = ("-c", "user.name=A Reader", "-c", "user.email=reader@example.org")
    return subprocess.run(["git", *who, *arguments], cwd=folder, capture_output=True, text=True, check=True).stdout


def save(folder: Path, message: str) -> None:
    git(folder, "add", "--all")
    git(folder, "commit", "--quiet", "--message", message)


def test_two_branches_that_each_add_a_recipe_to_one_chapter_merge(clone):
    for name in ("first-idea", "second-idea"):
        git(clone.root, "checkout", "--quiet", "-b", name, "main")
        scaffold.new(clone, f"autograd/{name}", {"en": f"A {name}?", "zh": f"{name}？"})
        save(clone.root, name)
    git(clone.root, "merge", "--quiet", "--no-edit", "first-idea")
    text = (clone.root / "book/topics.yml").read_text(encoding="utf-8")
    assert text.count("  first-idea:\n") == text.count("  second-idea:\n") == 1 and "<<<" not in text
    assert git(clone.root, "diff", "--stat", "main", "--", "book/topics.yml").endswith("2 insertions(+)\n")


def test_without_the_driver_those_about_other_things_merge_too(clone):
    """GitHub's own merge may pass over the driver: pages stand behind what they are alike to."""
    (clone.root / ".gitattributes").unlink()
    save(clone.root, "no driver")
    for name, question in {"to-detach": "How do I detach a tensor?", "to-hook": "What does a hook return?"}.items():
        git(clone.root, "checkout", "--quiet", "-b", name, "main")
        scaffold.new(clone, f"autograd/{name}", {"en": question, "zh": name})
        save(clone.root, name)
    git(clone.root, "merge", "--quiet", "--no-edit", "to-detach")
    text = (clone.root / "book/topics.yml").read_text(encoding="utf-8")
    assert text.index("  to-detach:\n") < text.index("  to-hook:\n")


def test_what_new_made_remove_takes_out(clone):
    scaffold.new(clone, "autograd/my-idea", {"en": "An idea?", "zh": "主意？"})
    assert git(clone.root, "status", "--porcelain")
    removed = remove(clone, "autograd/my-idea")
    assert removed[0] == "examples/autograd/my-idea.py removed" and not git(clone.root, "status", "--porcelain")


def test_what_pages_link_to_is_not_removed(clone):
    with pytest.raises(Problems) as raised:
        remove(clone, "autograd/detach")
    assert "the page needs autograd/detach" in str(raised.value.problems[0])
    assert not git(clone.root, "status", "--porcelain")
    done = command(clone, "verbatim", "remove", "autograd/none")
    assert done.returncode == 1 and "there is no such recipe" in done.stdout
