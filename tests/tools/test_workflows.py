"""What workflows do besides calling make: the issue with a report, the preview of a change, problems beside their lines."""

from __future__ import annotations

import ast
import base64
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
import yaml

from scripts import preview
from tests.conftest import LONGEST
from tests.test_git import git
from verbatim.book.records import Record, RecordedCell
from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.pages.page import Page
from verbatim.problems import Problem

ROOT = Path(__file__).parents[2]


# -- problems beside their lines --------------------------------------------------------------------


def matched(line: str) -> list[dict[str, str]]:
    """Return what GitHub takes from a line of a log."""
    found = []
    for matcher in json.loads((ROOT / ".github/problems.json").read_text())["problemMatcher"]:
        (pattern,) = matcher["pattern"]
        if match := re.match(pattern["regexp"], line):
            found.append({key: match[number] for key, number in pattern.items() if isinstance(number, int)})
    return found


@pytest.mark.parametrize(
    "line",
    [
        str(Problem("docs/en/a/b.md", 12, "`recieve` is misspelt", "mend it")).splitlines()[0],
        "docs/en/a/b.md:12:7: `recieve` is misspelt",
        "docs/en/a/b.md:12: error: `recieve` is misspelt",  # mypy
        "ERROR   -  docs/en/a/b.md:12: `recieve` is misspelt",  # a build
        "ERROR   -  verbatim: docs/en/a/b.md:12: `recieve` is misspelt",
    ],
)
def test_a_problem_stands_beside_its_line(line):
    assert matched(line) == [{"file": "docs/en/a/b.md", "line": "12", "message": "`recieve` is misspelt"}]


def test_a_problem_of_a_whole_file_stands_at_the_file():
    line = str(Problem("outputs/cpu/a/b.ipynb", 0, "the record cannot be read"))
    assert matched(line) == [{"file": "outputs/cpu/a/b.ipynb", "message": "the record cannot be read"}]


@pytest.mark.parametrize(
    "line",
    [
        "note: docs/en/a.md:3: `#x` changed in docs/zh/a.md on 2026-11-22, and not here",
        "verbatim/x.py:3: note: by default",
        "  hint: read docs/en/a.md:3: it says so",
        "287 scripts and 614 pages, nothing wrong",
        "INFO    -  docs/en/a.md:3: read",
    ],
)
def test_what_is_no_problem_is_not_taken_for_one(line):
    assert matched(line) == []


def test_every_job_that_checks_shows_its_problems_so():
    for path in (ROOT / ".github/workflows").glob("*.yml"):
        text = path.read_text()
        if re.search("^ +(?:- run: )?make check", text, re.MULTILINE):
            assert "::add-matcher::.github/problems.json" in text.partition("run: make lint")[0], path.name


def test_the_summary_has_every_problem_where_github_shows_ten():
    steps = yaml.safe_load((ROOT / ".github/workflows/pull-request.yml").read_text())["jobs"]["build"]["steps"]
    (command,) = [step["run"] for step in steps if "make check" in step.get("run", "")]
    told = "\n".join(f"docs/en/a.md:{line}: `recieve` is misspelt" for line in range(1, 30))
    shell = f"make() {{ printf '%s\\n' {shlex.quote(told)}; return 2; }}; {command}"
    with tempfile.TemporaryDirectory() as folder:
        where = {"cwd": folder, "env": {**os.environ, "GITHUB_STEP_SUMMARY": f"{folder}/summary.md"}}
        done = subprocess.run(["bash", "-ec", shell], capture_output=True, text=True, check=False, **where)
        assert done.returncode == 1 and done.stdout == f"{told}\n"
        assert f"````\n{told}\n````\n" in Path(folder, "summary.md").read_text()


def test_a_merge_queue_and_a_fork_without_pages_get_their_check():
    queue = yaml.safe_load((ROOT / ".github/workflows/pull-request.yml").read_text())
    assert "merge_group" in queue[True]  # YAML's `on`
    site = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text())["jobs"]
    (pages,) = [step for step in site["build"]["steps"] if step.get("id") == "pages"]
    assert "fork" in pages["continue-on-error"]
    assert "needs.build.outputs.pages == 'success'" in site["deploy"]["if"]


# -- the second host, and what is read without the site ---------------------------------------------

RSYNC = """#!/usr/bin/env bash
printf '%s\n' "$@" > "$LOG"
read -ra ssh <<< "${@: -3:1}"
stat --format %a "${ssh[2]}" >> "$LOG"
cat "${ssh[2]}" "${ssh[4]#*=}" >> "$LOG"
cp -r "${@: -2:1}" "${@: -1}"
"""


def test_the_second_host_gets_the_site_that_was_tested_and_no_stranger_gets_it(tmp_path):
    jobs = yaml.safe_load((ROOT / ".github/workflows/site.yml").read_text())["jobs"]
    mirror = jobs["mirror"]
    assert mirror["needs"] == "build" and mirror["if"].endswith("&& vars.MIRROR")  # off where nothing names a host
    (step,) = [step for step in mirror["steps"] if "run" in step]
    for name, text in {"bin/rsync": RSYNC, "site/index.html": "home", "site/en/index.html": "en"}.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "bin/rsync").chmod(0o755)
    subprocess.run(["tar", "-cf", tmp_path / "artifact.tar", "-C", tmp_path / "site", "."], check=True)
    (tmp_path / "job").mkdir()
    (tmp_path / "artifact.tar").rename(tmp_path / "job/artifact.tar")
    env = {
        "PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}",
        "LOG": str(tmp_path / "log"),
        "MIRROR": str(tmp_path / "host"),
        "KEY": "private",
        "HOST_KEY": "host ssh-ed25519 AAAA",
    }
    assert {*step["env"]} == {"MIRROR", "KEY", "HOST_KEY"}
    subprocess.run(["bash", "-ec", step["run"]], cwd=tmp_path / "job", env=env, check=True)
    assert (tmp_path / "host/en/index.html").read_text() == "en"
    said = (tmp_path / "log").read_text().splitlines()
    assert said[-3:] == ["600", "private", "host ssh-ed25519 AAAA"]
    assert "StrictHostKeyChecking=yes" in (tmp_path / "log").read_text()


@pytest.mark.parametrize("there", [True, False])
def test_the_release_of_a_tag_gets_the_zips_and_the_book(tmp_path, there):
    jobs = yaml.safe_load((ROOT / ".github/workflows/editions.yml").read_text())["jobs"]
    assert jobs["build"]["if"] == "startsWith(github.ref, 'refs/tags/')" and jobs["release"]["needs"] == "build"
    steps = jobs["build"]["steps"]
    asked = [step["run"] for step in steps if step.get("run", "").startswith("make")]
    assert asked == ["make check", "make book", "make offline CLEAN=1"]
    assert steps[-2]["env"]["VERBATIM_EDITIONS"] == "build/book"  # pages offer it
    assert steps[-1]["with"]["path"].split() == ["site/*.zip", "site/*.epub", "site/*.pdf"]
    for name, text in {
        "bin/gh": f'#!/bin/sh\necho "$*" >> "$LOG"\n[ "$2" != view ] || exit {0 if there else 1}\n',
        "editions/pytorch-verbatim-zh.zip": "",
        "editions/pytorch-verbatim-zh.epub": "",
    }.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
    (tmp_path / "bin/gh").chmod(0o755)
    env = {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "LOG": str(tmp_path / "log")}
    env["GITHUB_REF_NAME"] = "v2026.11.24"
    subprocess.run(["bash", "-ec", jobs["release"]["steps"][-1]["run"]], cwd=tmp_path, env=env, check=True)
    said = (tmp_path / "log").read_text().splitlines()
    assert ("release create v2026.11.24 --verify-tag --generate-notes" in said) != there
    assert said[-1].startswith("release upload v2026.11.24 editions/pytorch-verbatim-zh.epub editions/")


# -- releases ---------------------------------------------------------------------------------------


def test_each_release_of_the_list_has_its_job():
    jobs = yaml.safe_load((ROOT / ".github/workflows/releases.yml").read_text())["jobs"]
    command = jobs["list"]["steps"][-1]["run"]
    found = re.search(r"\$\((grep .*) \| jq ", command)[1]
    said = subprocess.run(["bash", "-c", found], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    listed = ast.literal_eval(re.search(r"^RELEASES = (.*)$", (ROOT / "scripts/versions.py").read_text(), re.M)[1])
    assert [json.loads(line) for line in said.splitlines()] == [*listed]


def test_each_release_that_pages_show_is_run_again_where_it_is_stale():
    listed = ast.literal_eval(re.search(r"^RELEASES = (.*)$", (ROOT / "scripts/versions.py").read_text(), re.M)[1])
    recorded = {path.name for path in (ROOT / "outputs/versions").iterdir() if not path.name.startswith("python-")}
    assert recorded <= set(listed)


def test_recorded_releases_are_proposed_whole_and_nothing_else(tmp_path):
    """On a repository with a remote of its own, and a `gh` that writes down what it is asked."""
    jobs = yaml.safe_load((ROOT / ".github/workflows/releases.yml").read_text())["jobs"]
    place = next(step["run"] for step in jobs["propose"]["steps"] if step.get("name") == "put the records in place")
    root, gh = tmp_path / "book", tmp_path / "bin/gh"
    for path, text in (
        (root / "scripts/propose.sh", (ROOT / "scripts/propose.sh").read_text()),
        (root / "outputs/versions/2.6.0/manifest.json", "old"),
        (root / "outputs/versions/2.6.0/a/agrees-now.ipynb", "{}"),
        (root / "outputs/versions/2.8.0/manifest.json", "as it was"),
        (tmp_path / "recorded/2.6.0/manifest.json", "new"),
        (gh, '#!/bin/sh\nprintf "%s\\n" "$*" >> "$GH_LOG"\n'),
    ):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    for path in (gh, root / "scripts/propose.sh"):
        path.chmod(0o755)

    def git(*arguments: str) -> str:
        who = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
        done = subprocess.run(["git", *who, *arguments], cwd=root, capture_output=True, text=True, check=True)
        return done.stdout

    git("init", "--quiet", "--initial-branch", "main")
    git("add", ".")
    git("commit", "--quiet", "--message", "all")
    subprocess.run(["git", "clone", "--quiet", "--bare", root, tmp_path / "remote"], check=True)
    git("remote", "add", "origin", str(tmp_path / "remote"))
    env = {**os.environ, "PATH": f"{gh.parent}{os.pathsep}{os.environ['PATH']}", "GH_LOG": str(tmp_path / "log")}
    env |= {"GH_TOKEN": "x", "RUNNER_TEMP": str(tmp_path)}
    subprocess.run(["bash", "-ec", place], cwd=root, env=env, check=True)
    subprocess.run(["scripts/propose.sh", "outputs/versions"], cwd=root, env=env, check=True, capture_output=True)
    changed = git("diff", "--name-status", "main", "origin/release-records").splitlines()
    assert changed == ["D\toutputs/versions/2.6.0/a/agrees-now.ipynb", "M\toutputs/versions/2.6.0/manifest.json"]
    assert "pr create --head release-records" in (tmp_path / "log").read_text()

    (root / "outputs/versions/2.6.0/manifest.json").write_text("newer")
    (root / "README.md").write_text("changed by a run")
    done = subprocess.run(["scripts/propose.sh", "outputs/versions"], cwd=root, env=env, capture_output=True, text=True)
    assert done.returncode == 1 and "something besides outputs/versions changed" in done.stderr


# -- signatures of CUDA records ---------------------------------------------------------------------

#: Signs what `signed` lists, and refuses the rest.
SIGNING = """#!/bin/sh
case "$1" in
  repo) echo owner/name ;;
  *) grep -qxF "$3" signed || { echo "no attestation" >&2; exit 1; } ;;
esac
"""


def test_a_cuda_record_is_signed_or_named_byte_for_byte(tmp_path):
    record, other = (tmp_path / f"outputs/cuda/a/{name}.ipynb" for name in ("one", "two"))
    script, gh = tmp_path / "scripts/verify-cuda.sh", tmp_path / "bin/gh"
    text = (ROOT / "scripts/verify-cuda.sh").read_text()
    for path, content in ((script, text), (gh, SIGNING), (record, "1"), (tmp_path / "signed", "")):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    script.chmod(0o755)
    gh.chmod(0o755)
    env = {**os.environ, "PATH": f"{gh.parent}{os.pathsep}{os.environ['PATH']}"}
    env.pop("GH_REPO", None)

    def run(*options: str) -> subprocess.CompletedProcess[str]:
        command = ["scripts/verify-cuda.sh", *options]
        return subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True)

    git(tmp_path, "init", "--quiet")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "all")
    refused = run()
    assert refused.returncode == 1
    assert "one.ipynb: the CUDA workflow of owner/name did not sign" in refused.stderr
    assert "make unsigned-cuda" in refused.stderr

    record.write_text("2")
    assert "names 1 of 1" in run("--unsigned").stdout
    assert "0 signed, 1 named" in run().stdout
    record.write_text("3")  # whoever edits it afterwards has neither a signature nor a name
    assert run().returncode == 1

    (tmp_path / "signed").write_text("outputs/cuda/a/two.ipynb\n")
    other.write_text("4")
    git(tmp_path, "add", ".")
    git(tmp_path, "commit", "--quiet", "--message", "signed")
    record.write_text("2")
    assert "names 1 of 2" in run("--unsigned").stdout  # what the workflow signed needs no name
    assert "1 signed, 1 named" in run().stdout


# -- the preview ------------------------------------------------------------------------------------


def page(path: str, *scripts: str) -> Page:
    return Page(path, "# Title\n\n" + "".join(f"```example\nexamples/{one}.py#x\n```\n\n" for one in scripts))


def test_the_preview_names_the_pages_that_a_change_touches():
    pages = [page("docs/zh/a/b.md", "a/b"), page("docs/en/a/b.md", "a/b"), page("docs/en/a/c.md", "a/b", "a/c")]
    pages.append(page("docs/en/index.md"))

    def named(*files: str) -> list[str]:
        return [one.path for one in preview.touched(files, pages)]

    assert named("docs/en/a/b.md") == ["docs/en/a/b.md"]
    assert named("examples/a/b.py") == ["docs/zh/a/b.md", "docs/en/a/b.md", "docs/en/a/c.md"]
    assert named("outputs/cpu/a/c.ipynb") == ["docs/en/a/c.md"] and named("verbatim/x.py") == []
    text = preview.render(pages, DEFAULT_LANGUAGES, "https://host/archive")
    assert "[Download the pages](https://host/archive)" in text and "Figures" not in text
    assert "This change's own scripts have made these pages" in text
    assert "[Figures that changed, before and after](https://f)" in preview.render(
        [], DEFAULT_LANGUAGES, "https://a", "https://f"
    )
    assert "`a/b/index.html`" in text and "`en/a/b/index.html`" in text and "`en/index.html`" in text
    assert "Pages that" not in preview.render([], DEFAULT_LANGUAGES, "https://host/archive")


def test_the_preview_has_the_pages_with_what_they_load_and_other_links_lead_to_the_site(tmp_path):
    site, into = tmp_path / "site", tmp_path / "preview"
    link = '<link href="../../assets/site.css"><a href="../c/">C</a><a href="notebook/">N</a>'
    for name, text in {
        "a/b/index.html": link,
        "a/b/b.py": "print()",
        "a/b/notebook/index.html": '<a href="../">B</a>',
        "a/c/index.html": "other",
        "assets/site.css": "p {}",
        "assets/search/open.js": "0",
        "assets/search/zh/index.js": "large",
        "assets/cards/1.png": "large",
    }.items():
        (site / name).parent.mkdir(parents=True, exist_ok=True)
        (site / name).write_text(text)
    preview.collect(site, into, ["a/b/"], "https://book.example/")
    found = {path.relative_to(into).as_posix(): path for path in into.rglob("*") if path.is_file()}
    assert {*found} == {
        "a/b/index.html", "a/b/b.py", "a/b/notebook/index.html", "assets/site.css", "assets/search/open.js"
    }  # fmt: skip
    text = found["a/b/index.html"].read_text()
    assert 'href="../../assets/site.css"' in text and 'href="https://book.example/a/c/"' in text
    assert 'href="notebook/index.html"' in text


def test_a_figure_that_changed_is_shown_before_and_after():
    def record(**figures: str) -> Record:
        outputs = {
            name: ({"output_type": "display_data", "data": {"image/svg+xml": svg}},) for name, svg in figures.items()
        }
        cells = tuple(RecordedCell(name, "", "", some) for name, some in outputs.items())
        return Record("outputs/cpu/a/b.ipynb", "cpu", cells)

    old, new = record(same="<svg>1</svg>", bar="<svg>2</svg>"), record(same="<svg>1</svg>", bar="<svg>3</svg>")
    text = preview.drawn({"examples/a/b.py": old}, {"examples/a/b.py": new})
    shown = [base64.b64decode(one).decode() for one in re.findall(r"base64,([^\"]+)", text)]
    assert shown == ["<svg>2</svg>", "<svg>3</svg>"] and "<h2>a/b#bar</h2>" in text and "a/b#same" not in text
    assert "none" in preview.drawn({}, {"examples/a/b.py": new})
    assert preview.drawn({"examples/a/b.py": old}, {"examples/a/b.py": old}) == ""


@pytest.mark.parametrize(
    ("file", "browser"),
    [
        ("docs/zh/a/b.md", False),
        ("examples/a/b.py", False),
        ("README.md", False),
        ("docs/en/a/index.md", True),
        ("docs/assets/page.js", True),
        ("verbatim/words.py", True),
    ],
)
def test_a_browser_is_opened_where_it_can_show_something_else(tmp_path, file, browser):
    steps = yaml.safe_load((ROOT / ".github/workflows/pull-request.yml").read_text())["jobs"]["build"]["steps"]
    (command,) = [step["run"] for step in steps if "make test" in step.get("run", "")]
    for arguments in (["init", "-q"], ["commit", "-q", "--allow-empty", "--message", "before"]):
        git(tmp_path, *arguments)
    for name in dict.fromkeys(["docs/zh/a/b.md", file]):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("text")
    for arguments in (["add", "."], ["commit", "-q", "--message", "after"]):
        git(tmp_path, *arguments)
    done = subprocess.run(
        ["bash", "-ec", f'make() {{ echo "make $*"; }}; {command}'],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout == ("make test\n" if browser else "make test OPTIONS=--ignore=tests/browser\n")


# -- the issue --------------------------------------------------------------------------------------

GH = """#!/usr/bin/env bash
printf '%s\\n' "$*" >> "$GH_LOG"
case "$*" in
  "issue list --state open"*) echo "$GH_OPEN" ;;
  "issue list --state closed"*) case "$*" in *"$GH_CLOSED"*) echo 8 ;; esac ;;
  *--body-file*) cp "${@: -1}" "$GH_LOG.body" ;;
esac
"""


@pytest.fixture
def issue(tmp_path):
    """Run the script on a report with a `gh` that writes down what it is asked."""
    (tmp_path / "bin").mkdir()
    gh = tmp_path / "bin/gh"
    gh.write_text(GH)
    gh.chmod(0o755)

    def issue(report: str, opened: str = "", closed: str = "none", name: str = "drift-torch-2.14.1.md") -> str:
        (tmp_path / "reports").mkdir(exist_ok=True)
        (tmp_path / "reports" / name).write_text(report)
        log = tmp_path / "log"
        log.write_text("")
        done = subprocess.run(
            [ROOT / "scripts/issue.sh", tmp_path / "reports"],
            env={
                **os.environ,
                "PATH": f"{gh.parent}{os.pathsep}{os.environ['PATH']}",
                **{"GH_LOG": str(log), "GH_OPEN": opened, "GH_CLOSED": closed},
            },
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        issue.body = (tmp_path / "log.body").read_text() if (tmp_path / "log.body").exists() else ""
        return log.read_text() + done.stdout

    return issue


def test_an_issue_is_opened_or_the_open_one_brought_up_to_date(issue):
    assert "issue create --title What torch-2.14.1 would change --label drift" in issue("# report\n")
    assert issue.body.startswith("# report\n\n<!-- report ")
    said = issue("# report\n", opened="7", name="drift-torch-2.14.10.md")  # newer than 2.14.1, by number
    assert "issue edit 7 --title What torch-2.14.10 would change" in said and "create" not in said


def test_one_that_was_closed_stays_closed_until_the_report_says_something_else(issue):
    issue("# report\n")
    sum = re.search(r"report (\w+)", issue.body)[1]
    said = issue("# report\n", closed=sum)
    assert "issue 8 says the same and is closed" in said and "create" not in said
    assert "issue create" in issue("# another\n", closed=sum)


def test_the_report_on_a_candidate_is_an_issue_of_its_own(issue, monkeypatch):
    monkeypatch.setenv("LABEL", "candidate")
    said = issue("# report\n", name="drift-torch-2.15.0.md")
    assert "issue list --state open --label candidate" in said
    assert "issue create --title What torch-2.15.0 would change --label candidate" in said


def test_each_report_has_its_artifact_and_its_issue():
    jobs = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text())["jobs"]
    tried = jobs["try"]["strategy"]["matrix"]["torch"]
    assert tried == [*jobs["try"]["outputs"]] == [row["torch"] for row in jobs["tell"]["strategy"]["matrix"]["include"]]
    uploaded, downloaded = (
        next(step["with"]["name"] for step in jobs[job]["steps"] if "artifact" in step.get("uses", ""))
        for job in ("try", "tell")
    )
    assert uploaded == downloaded == "drift-${{ matrix.torch }}"


@pytest.mark.parametrize(("days", "told", "opened"), [(49, "", False), (50, "", True), (55, "9", False)])
def test_an_issue_says_once_that_schedules_are_about_to_stop(tmp_path, days, told, opened):
    jobs = yaml.safe_load((ROOT / ".github/workflows/nightly.yml").read_text())["jobs"]
    command = jobs["quiet"]["steps"][-1]["run"]
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/gh").write_text('#!/bin/sh\nprintf "%s\\n" "$*" >> "$GH_LOG"\n[ "$2" = create ] || echo "$TOLD"\n')
    (tmp_path / "bin/gh").chmod(0o755)
    when = f"{int(time.time()) - days * 86400 - 3600} +0000"
    path = f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}"
    env = {**os.environ, "PATH": path, "GH_LOG": str(tmp_path / "log"), "TOLD": told, "GIT_COMMITTER_DATE": when}
    who = ["-c", "user.name=A", "-c", "user.email=a@b.c"]
    for arguments in (["init", "-q"], [*who, "commit", "-q", "--allow-empty", "--message", "last"]):
        subprocess.run(["git", *arguments], cwd=tmp_path, env=env, check=True)
    subprocess.run(["bash", "-ec", command], cwd=tmp_path, env=env, check=True)
    log = (tmp_path / "log").read_text() if (tmp_path / "log").exists() else ""
    assert ("issue create --title GitHub is about to stop" in log) == opened
    assert not opened or f"The last commit is {days} days old" in log


def test_a_long_report_is_cut_between_lines_and_its_fence_closed(issue):
    issue("# 报告\n\n````diff\n" + "".join(f"+{'字' * 40} {n}\n```\n" for n in range(3000)) + "````\n")
    body = issue.body
    assert len(body) < 65_536 and "�" not in body and "The rest is in the artifact" in body
    lines = body.splitlines()
    assert lines[lines.index("… The rest is in the artifact of the run.") - 2] == "````"


# -- the repository ---------------------------------------------------------------------------------


def test_the_site_s_address_is_the_one_of_the_settings():
    address = re.search(r'SITE_URL, "(https://[^"]+/)"', (ROOT / "mkdocs.yml").read_text())[1]
    assert f"<{address}en/>" in (ROOT / "README.md").read_text()
    assert f"<{address}>" in (ROOT / ".github/README.zh.md").read_text()


def test_pages_and_records_end_their_lines_alike_everywhere_and_records_are_folded():
    files = ("docs/zh/index.md", "outputs/cpu/environment.json", "outputs/cpu/autograd/detach.ipynb")
    asked = ["git", "check-attr", "eol", "linguist-generated", "--", *files]
    said = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout
    if said:  # there is a git
        assert said.count("eol: lf") == 3 and said.count("linguist-generated: set") == 2


# -- both ways in -----------------------------------------------------------------------------------


def test_both_ways_in_are_gone_on_systems_that_have_nothing():
    jobs = yaml.safe_load((ROOT / ".github/workflows/portable.yml").read_text())["jobs"]
    for job in ("ways", "ways-on-macos"):
        assert set(jobs[job]["strategy"]["matrix"]["way"]) == {"make", "mkdocs"}
        assert "scripts/ways-in.sh" in jobs[job]["steps"][-1]["run"]
    # The tests run with each Python that README names, with and without CUDA.
    matrix = jobs["ways"]["strategy"]["matrix"]
    assert {"python:3.11-slim", "python:3.12-slim", "debian:13"} <= set(matrix["image"])
    assert len(matrix["torch"]) == 2 and all(row["way"] == "mkdocs" for row in matrix["exclude"])
    assert matrix["torch"][0] in jobs["ways"]["steps"][-1]["env"]["TORCH_INDEX"]
    assert any("--only bare" in row["options"] for row in jobs["machines"]["strategy"]["matrix"]["include"])
    for name in ("README.md", ".github/README.zh.md"):
        text = (ROOT / name).read_text()
        for command in ("make serve", "make test", "pip install -r requirements.txt", "mkdocs serve"):
            assert command in text


@pytest.mark.parametrize("readme", ["README.md", ".github/README.zh.md"])
def test_each_python_that_readme_names_runs_the_book_with_both_builds_of_torch(readme):
    jobs = yaml.safe_load((ROOT / ".github/workflows/portable.yml").read_text())["jobs"]
    rows = [row for row in jobs["machines"]["strategy"]["matrix"]["include"] if row["runner"] == "ubuntu-24.04"]
    cuda = {row["python"] for row in rows if "--cuda" in row["options"]}
    cpu = {row["python"] for row in rows if "--cuda" not in row["options"] and "bare" not in row["options"]}
    cpu |= {row["python"] for row in rows if "--only" not in row["options"]}  # the processors' rows run there, too
    tried = re.search(r"3\.11\.5.*?[(（]\D*([\d., 、]+)[)）]", (ROOT / readme).read_text())
    named = set(re.findall(r"3\.\d+", tried[1]))
    assert len(named) >= 3 and named <= cuda and named <= cpu


MAKE = """#!/bin/sh
echo "make $*" >> "$LOG"
if [ "$1" = serve ]; then
  test -n "$FAILS" && exit 2
  exec "$PYTHON" -u -m http.server --bind 127.0.0.1 "${3#PORT=}"
fi
"""


@pytest.fixture
def way_in(tmp_path):
    """Go a way in with a `make` that serves an empty folder and notes what it is asked."""
    for name, text in (("bin/make", MAKE), ("project/scripts/ways-in.sh", (ROOT / "scripts/ways-in.sh").read_text())):
        path = tmp_path / name
        path.parent.mkdir(parents=True)
        path.write_text(text)
        path.chmod(0o755)

    def way_in(*arguments: str, **variables: str) -> tuple[int, str, list[str]]:
        log = tmp_path / "log"
        log.write_text("")
        variables |= {"PATH": f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}", "LOG": str(log)}
        done = subprocess.run(
            [tmp_path / "project/scripts/ways-in.sh", *arguments],
            env={**os.environ, **variables, "PYTHON": sys.executable},
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout + done.stderr, log.read_text().splitlines()

    return way_in


def test_a_way_in_leads_to_a_page_and_then_to_the_tests(way_in):
    code, said, asked = way_in("make")
    assert code == 0 and "a page is served" in said
    assert [line.split()[1] for line in asked] == ["serve", "test"]


def test_a_way_in_that_ends_before_the_first_page_fails(way_in):
    code, said, asked = way_in("make", FAILS="1")
    assert code == 1 and "it ended before it served a page" in said and len(asked) == 1
    code, said, _ = way_in()
    assert code == 1 and "scripts/ways-in.sh mkdocs" in said


def test_the_files_that_are_tested_first_are_there():
    assert [name for name in LONGEST if not (ROOT / "tests" / name).is_file()] == []
