"""What a change of outputs is called, and what a reviewer reads."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_plugin import command
from verbatim.book import drift


def printed(text: str) -> tuple[dict, ...]:
    return ({"output_type": "stream", "name": "stdout", "text": text},)


def warned(text: str) -> tuple[dict, ...]:
    return ({"output_type": "stream", "name": "stderr", "text": text},)


def failed(text: str) -> tuple[dict, ...]:
    return ({"output_type": "error", "ename": "E", "evalue": text, "traceback": [f"E: {text}"]},)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (printed("1"), printed("1"), "unchanged"),
        (printed("0.12345678"), printed("0.12345679"), "noise"),
        (printed("1"), printed("2"), "changed"),
        (printed("1"), warned("old") + printed("1"), "new warning"),
        (failed("a"), failed("b"), "changed error"),
        (printed("1"), failed("b"), "new error"),
        (None, printed("1"), "added"),
        (printed("1"), None, "removed"),
    ],
)
def test_kinds(old, new, kind):
    assert drift.classify("topic/a", "x", old, new).kind == kind


def test_the_report_begins_with_the_gravest_and_ends_with_the_command():
    changes = [
        drift.classify("topic/a", "x", printed("1"), printed("2")),
        drift.classify("topic/b", "y", failed("a"), failed("b")),
        drift.classify("topic/c", "z", printed("1"), printed("1")),
    ]
    text = drift.report(changes, [], "Title")
    assert text.index("## Changed error texts") < text.index("## Changed outputs")
    assert "-E: a\n+E: b" in text and "| Unchanged | 1 |" in text
    assert text.endswith("python -m verbatim record topic/a topic/b\n```\n")


@pytest.fixture
def committed(project, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint("old")\n# %% same\nprint(1)\n')
    command(project, "verbatim", "record")
    environment = {
        **os.environ,
        **{f"GIT_{who}_{what}": "t@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")},
    }
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "first"]):
        subprocess.run(["git", *arguments], cwd=project.root, env=environment, check=True)
    return project


def test_against_a_commit(committed, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint("new")\n# %% same\nprint(1)\n')
    done = command(committed, "verbatim", "drift", "--against", "HEAD")
    assert done.returncode == 0
    assert "`topic/a#a`" in done.stdout and "-old\n+new" in done.stdout and "| Unchanged | 1 |" in done.stdout
    assert "python -m verbatim record topic/a" in done.stdout


def test_a_script_that_fails_is_told_first_and_exits_with_1(committed, write):
    write("examples/topic/a.py", '"""T."""\n# %% a\nprint("old")\n# %% same\n1 / 0\n')
    done = command(committed, "verbatim", "drift")
    assert done.returncode == 1
    assert done.stdout.index("## Failed") < len(done.stdout)
    assert "examples/topic/a.py:5: cell `same` raised ZeroDivisionError" in done.stdout


def test_an_unknown_commit(committed):
    done = command(committed, "verbatim", "drift", "--against", "nowhere")
    assert done.returncode == 1 and "nowhere: git does not know this commit" in done.stdout


def test_upgrade_replaces_one_pin_and_knows_the_others():
    root = Path(__file__).parent.parent
    sys.path.insert(0, str(root / "scripts"))
    try:
        import upgrade
    finally:
        sys.path.pop(0)
    text = "# Direct\ntorch==2.13.0   # x\nnumpy==2.4.6\n\n# Transitive\nattrs==1\n"
    assert upgrade.pinned(text, "numpy", "2.5.0") == text.replace("2.4.6", "2.5.0")
    with pytest.raises(SystemExit, match="known: torch, numpy"):
        upgrade.pinned(text, "jax", "1")
