"""Trying another torch: which versions are tried, what stands in the way, and what is done on a branch."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace

import pytest

SCRIPTS = Path(__file__).parents[2] / "scripts"
DIRECT = "torch==2.13.0   # x\nnumpy==2.4.6\n"


@pytest.fixture
def upgrade(monkeypatch, tmp_path):
    """The script, for a project that lies in a repository of its own, with pip's settings put away."""
    monkeypatch.syspath_prepend(SCRIPTS)
    module = pytest.importorskip("upgrade")
    root = tmp_path / "book"
    for name, text in {
        ".gitignore": "/drift-*.md\n.cache/\n",
        "requirements.txt": f"{DIRECT}--editable .  # the project\n",
        "requirements/base.lock": "numpy==2.4.6 \\\n    --hash=sha256:0\nattrs==1 ; python_version < '4'\n",
        "outputs/cpu/a.ipynb": "old\n",
        "scripts/versions.py": 'RELEASES = ("2.9.1", "2.14.1", "2.15.0")\n',
        "scripts/lock.py": (
            "from pathlib import Path\nroot = Path(__file__).parent.parent\n"
            "(root / 'requirements/base.lock').write_text('locked: ' + (root / 'requirements.txt').read_text())\n"
        ),
    }.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    for key, value in {"CONFIG_FILE": os.devnull, "CONSTRAINT": ""}.items():
        monkeypatch.setenv(f"PIP_{key}", value)
    for who in ("AUTHOR", "COMMITTER"):
        for what in ("NAME", "EMAIL"):
            monkeypatch.setenv(f"GIT_{who}_{what}", "t@example.org")
    for at in (module, module.scratch):
        monkeypatch.setattr(at, "ROOT", root)
    monkeypatch.setattr(module.scratch, "BELOW", root / ".cache" / "scratch")
    module.root = root
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-qm", "first"]):
        module.git(*arguments, at=root)
    return module


def test_one_pin_is_replaced_and_the_others_are_known(upgrade):
    text = upgrade.scratch.requirements()
    assert text == f"{DIRECT}\n# Transitive\nattrs==1 ; python_version < '4'\n"  # no hash, and nothing twice
    assert upgrade.pinned(text, "numpy", "2.5.0") == text.replace("2.4.6", "2.5.0")
    assert upgrade.pinned(text, "attrs", "2") == text.replace("attrs==1", "attrs==2")
    with pytest.raises(SystemExit, match="known: torch, numpy"):
        upgrade.pinned(text, "jax", "1")


@pytest.fixture
def capped(monkeypatch, tmp_path) -> Path:
    """pip's settings, with a limit on torch."""
    limit = tmp_path / "limits.txt"
    limit.write_text("# why\ntorch<=2.14.1\nnumpy\n-r more.txt\n")
    monkeypatch.setenv("PIP_CONSTRAINT", str(limit))
    return limit


def test_the_newest_that_pip_s_settings_allow_is_tried_and_told_how_to_lift_the_limit(upgrade, capped, capsys):
    versions = ["2.15.0", "2.14.1", "2.14.0", "2.13.0", "2.9.1"]
    assert upgrade.candidates("torch", versions, "2.13.0") == ["2.14.1", "2.14.0"]
    told = capsys.readouterr().out
    assert f"torch 2.15.0 is the newest, but pip's settings demand torch<=2.14.1 ({capped})" in told
    assert f"hint: to try it without pip's settings: PIP_CONFIG_FILE={os.devnull} PIP_CONSTRAINT= make upgrade" in told
    assert upgrade.limits("numpy") == [] and upgrade.limits("Torch") == [("<=2.14.1", str(capped))]
    with pytest.raises(SystemExit, match=r"none newer than torch 2\.14\.1 is left"):
        upgrade.candidates("torch", versions, "2.14.1")


def test_where_the_newest_is_built_already_nothing_is_tried_and_nothing_is_wrong(upgrade, monkeypatch, capsys):
    monkeypatch.setattr(upgrade, "known", lambda package, index="": ["2.13.0", "2.9.1"])
    assert upgrade.main("torch", "newest", wanted=False) == 0
    here = f"{sys.version_info.major}.{sys.version_info.minor}"
    assert capsys.readouterr().out == f"torch 2.13.0 is the newest that pip has for Python {here}: nothing to try\n"


def test_versions_that_are_no_releases_are_not_tried(upgrade, monkeypatch):
    said = "torch (2.13.0)\nAvailable versions: 2.9.1, 2.16.0rc1, 2.13.0+cpu, nightly, 2.13.0\n"
    monkeypatch.setattr(upgrade.subprocess, "run", lambda *_, **__: SimpleNamespace(stdout=said, returncode=0))
    assert upgrade.known("torch") == ["2.13.0", "2.9.1"]
    nothing = SimpleNamespace(stdout="", stderr="ERROR: no network", returncode=1)
    monkeypatch.setattr(upgrade.subprocess, "run", lambda *_, **__: nothing)
    with pytest.raises(SystemExit, match="pip knows no version of `torch`: ERROR: no network"):
        upgrade.known("torch")


def made(upgrade, refuse=lambda asked: False, run=lambda *_, **__: 0) -> SimpleNamespace:
    """An environment that installs what `refuse` does not refuse, given the arguments with files read."""
    folder = upgrade.root.parent / "environment"
    folder.mkdir(exist_ok=True)

    def install(*asked: str, index: str = "") -> None:
        text = " ".join(Path(one).read_text() if one.endswith(".txt") else one for one in asked)
        here.asked.append(text)
        if refuse(text):
            raise upgrade.scratch.CannotInstall("torch 2.15.0 depends on attrs>=2")

    here = SimpleNamespace(folder=folder, install=install, run=run, asked=[])
    return here


def test_where_the_other_pins_do_not_fit_pip_chooses_them(upgrade, capsys):
    text = upgrade.pinned(upgrade.scratch.requirements(), "torch", "2.15.0")
    here = made(upgrade, refuse=lambda asked: "attrs==1" in asked)
    upgrade.install(here, text, "torch", "2.15.0")
    assert (
        here.asked[0].endswith(" torch==2.15.0") and "attrs" not in here.asked[-1] and "numpy==2.4.6" in here.asked[-1]
    )
    assert "torch 2.15.0 does not fit the other pins, so pip chooses them: torch 2.15.0 depends on attrs>=2" in (
        capsys.readouterr().out
    )
    with pytest.raises(upgrade.scratch.CannotInstall, match="depends on attrs"):
        upgrade.install(made(upgrade, refuse=lambda asked: True), text, "torch", "2.15.0")


def test_a_package_that_cannot_be_had_is_told_before_torch_is_fetched(upgrade):
    text = upgrade.pinned(upgrade.scratch.requirements(), "numpy", "2.5.0")
    here = made(upgrade, refuse=lambda asked: "numpy" in asked)
    with pytest.raises(upgrade.scratch.CannotInstall):
        upgrade.install(here, text, "numpy", "2.5.0")
    assert here.asked == ["--no-compile numpy==2.5.0"]


def test_a_version_that_pip_s_settings_forbid_says_so(upgrade, capped):
    text = upgrade.pinned(upgrade.scratch.requirements(), "torch", "2.15.0")
    with pytest.raises(upgrade.scratch.CannotInstall, match=r"pip's settings demand torch<=2\.14\.1") as told:
        upgrade.install(made(upgrade, refuse=lambda asked: True), text, "torch", "2.15.0")
    assert "make upgrade TORCH=2.15.0" in str(told.value)


def test_a_conflict_is_told_by_its_cause(upgrade):
    said = """
    ERROR: Cannot install numpy==1 and torch==2.15.0 because these package versions have conflicting dependencies.

    The conflict is caused by:
        The user requested numpy==1
        torch 2.15.0 depends on numpy>=2

    To fix this you could try to:
    ERROR: ResolutionImpossible: for help visit
    """
    assert upgrade.scratch.reason(said) == "The user requested numpy==1; torch 2.15.0 depends on numpy>=2"


@pytest.mark.parametrize(
    ("recorded", "installed", "noted"),
    [
        ("2.13.0+cpu", "2.14.1", True),
        ("2.13.0+cpu", "2.14.1+cpu", False),
        ("2.13.0", "2.14.1", False),
        ("", "1", False),
    ],
)
def test_records_of_another_build_are_told(upgrade, recorded, installed, noted):
    """Where pip's own index has builds with CUDA, and the records are of one without."""
    if recorded:
        (upgrade.root / "outputs/cpu/environment.json").write_text(f'{{"torch": "{recorded}"}}')
    here = made(upgrade)
    (here.folder / f"lib/python3.11/site-packages/torch-{installed}.dist-info").mkdir(parents=True)
    for wanted, ends in ((False, "TORCH=2.14.1"), (True, "TORCH=2.14.1 APPLY=1")):
        said = upgrade.other_build(here, "torch", "2.14.1", wanted=wanted)
        assert bool(said) is noted
        if noted:
            assert "the records are of torch 2.13.0+cpu" in said
            assert said.endswith(f"TORCH_INDEX=https://download.pytorch.org/whl/cpu make upgrade {ends}")


def test_a_version_for_another_python_says_which(upgrade):
    said = """
    ERROR: Ignored the following versions that require a different python version: 2.5.0 Requires-Python >=3.12; 2.5.5 Requires-Python >=3.12
    ERROR: Could not find a version that satisfies the requirement numpy==2.5.5 (from versions: 2.4.5, 2.4.6)
    ERROR: No matching distribution found for numpy==2.5.5
    """
    assert upgrade.scratch.reason(said) == (
        "ERROR: No matching distribution found for numpy==2.5.5, which asks for Python >=3.12"
    )
    assert upgrade.scratch.reason("ERROR: No matching distribution found for numpy==9") == (
        "ERROR: No matching distribution found for numpy==9"
    )


# -- on a branch ------------------------------------------------------------------------------------


@pytest.fixture
def applied(upgrade, monkeypatch):
    """Run it with --apply in an environment that prints something else."""

    def run(*arguments: str | Path, at: Path = upgrade.root) -> int:
        if "drift" in arguments:
            upgrade.drift_at.append(at)
            Path(arguments[arguments.index("--report") + 1]).write_text("# report\n")
            about = json.dumps({"pages": ["docs/en/a.md"], "failed": upgrade.failed})
            Path(arguments[arguments.index("--about") + 1]).write_text(about)
        if "record" in arguments:
            # what the report ran, at the same place, is not run again
            assert {"--new-environment", "--cached"} < set(arguments) and upgrade.drift_at == [at]
            (at / "outputs/cpu/a.ipynb").write_text("new\n")
            (at / "outputs/versions").mkdir()
            (at / "outputs/versions/kept").write_text("old\n")
            if upgrade.breaks:
                raise KeyboardInterrupt
            return upgrade.recorded
        return 0

    @contextmanager
    def environment(name: str):
        yield made(upgrade, run=run)

    monkeypatch.setattr(upgrade.scratch, "environment", environment)
    upgrade.breaks, upgrade.drift_at = False, []
    upgrade.failed, upgrade.recorded = ["examples/b.py"], 1  # as `record` ends where scripts fail
    return upgrade


def said(upgrade, *arguments: str) -> str:
    return upgrade.git(*arguments).strip()


def test_the_branch_holds_the_mechanical_part_and_the_files_here_stay(applied, capsys):
    assert applied.main("torch", "2.14.1", wanted=True) == 0
    assert said(applied, "branch", "--show-current") == "main" and said(applied, "status", "--porcelain") == ""
    assert len(said(applied, "worktree", "list").splitlines()) == 1
    assert (applied.root / "drift-torch-2.14.1.md").is_file()
    names = said(applied, "diff", "--name-only", "main", "torch-2.14.1").splitlines()
    pins = ["requirements.txt", "requirements/base.lock", "scripts/versions.py"]
    assert names == ["outputs/cpu/a.ipynb", "outputs/versions/kept", *pins]
    # the release that was built until now is recorded beside the new one from now on
    assert said(applied, "show", "torch-2.14.1:scripts/versions.py") == 'RELEASES = ("2.9.1", "2.13.0", "2.15.0")'
    assert said(applied, "show", "torch-2.14.1:requirements.txt").startswith(DIRECT.replace("2.13.0", "2.14.1"))
    assert said(applied, "show", "torch-2.14.1:requirements/base.lock").startswith("locked: torch==2.14.1")
    message = said(applied, "log", "-1", "--format=%B", "torch-2.14.1")
    assert "- [ ] docs/en/a.md" in message
    assert 'make check; make record OPTIONS="--new-environment --cached"\n\n- examples/b.py' in message
    out = capsys.readouterr().out
    assert "branch `torch-2.14.1`" in out and "1 of its scripts fail: git switch torch-2.14.1" in out
    with pytest.raises(SystemExit, match="is there already"):
        applied.main("torch", "2.14.1", wanted=True)


def test_where_no_script_fails_and_still_nothing_is_recorded_it_fails(applied, capsys):
    applied.failed = []
    assert applied.main("torch", "2.14.1", wanted=True) == 1
    assert "fail:" not in capsys.readouterr().out


def test_it_refuses_where_something_is_not_committed(applied):
    (applied.root / "mine.txt").write_text("x")
    with pytest.raises(SystemExit, match=r"not committed: mine\.txt\n  hint: commit them"):
        applied.main("torch", "2.14.1", wanted=True)
    assert applied.main("torch", "2.14.1", wanted=False) == 0  # the report alone needs nothing
    assert said(applied, "branch", "--list", "torch-*") == ""


def test_one_that_is_broken_off_leaves_neither_branch_nor_folder(applied):
    applied.breaks = True
    with pytest.raises(KeyboardInterrupt):
        applied.main("torch", "2.14.1", wanted=True)
    assert said(applied, "branch", "--list", "torch-*") == "" and said(applied, "status", "--porcelain") == ""
    assert len(said(applied, "worktree", "list").splitlines()) == 1
    assert list(applied.scratch.BELOW.iterdir()) == []


def test_the_next_newest_is_tried_where_one_cannot_be_had(applied, monkeypatch, capsys):
    monkeypatch.setattr(applied, "known", lambda package, index="": ["2.15.0", "2.14.1", "2.13.0"])
    refusing = applied.install

    def install(made, text, package, version, index):
        if version == "2.15.0":
            raise applied.scratch.CannotInstall("no such file")
        refusing(made, text, package, version, index)

    monkeypatch.setattr(applied, "install", install)
    assert applied.main("torch", "newest", wanted=False) == 0
    assert "pip cannot install torch 2.15.0: no such file" in capsys.readouterr().err
    assert [path.name for path in applied.root.glob("drift-*")] == ["drift-torch-2.14.1.md"]


def test_a_candidate_is_newer_than_what_is_released_and_comes_from_its_own_index(applied, monkeypatch, capsys):
    monkeypatch.setattr(applied, "known", lambda package, index="": ["2.15.0", "2.14.1"] if index else ["2.14.1"])
    asked = []
    monkeypatch.setattr(applied, "install", lambda made, text, package, version, index: asked.append((version, index)))
    assert applied.main("torch", "candidate", wanted=False) == 0
    assert asked == [("2.15.0", applied.CANDIDATES)]
    monkeypatch.setattr(applied, "known", lambda package, index="": ["2.15.0"])  # it is released
    assert applied.main("torch", "candidate", wanted=False) == 0
    assert len(asked) == 1 and "torch 2.15.0 is the newest that pip has" in capsys.readouterr().out


def test_make_passes_on_what_it_is_asked():
    done = subprocess.run(
        ["make", "-n", "upgrade", "VENV=/nowhere", "TORCH=2.14.1", "APPLY=1"],
        cwd=SCRIPTS.parent,
        env={name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "scripts/upgrade.py torch 2.14.1 --apply" in done.stdout and "requirements/dev.lock" in done.stdout
