"""The harness of `make bench`: what it builds, what it refuses to count, what it writes. No time is asserted."""

from __future__ import annotations

import importlib.metadata
import json
import os
import re
import sys
import xml.etree.ElementTree
from pathlib import Path

import pytest

from scripts.benchmarks import floor, report, run
from scripts.benchmarks.corpus import RECIPES, Page, Part, changed, corpus, numbered, paragraphs, stamp
from scripts.benchmarks.edits import Way, copies, script_to_edit
from scripts.benchmarks.measure import measured
from scripts.benchmarks.run import SCENARIOS
from scripts.benchmarks.ways import Plain, Run, ThisProject, _index, outputs, ways
from verbatim.book import allowed_svg
from verbatim.book.gather import Book, parse_all
from verbatim.checks import findings
from verbatim.checks.lengths import check_lengths
from verbatim.checks.pages import check_front_matter_differs
from verbatim.checks.wording import check_titles_differ
from verbatim.pages.page import load_pages
from verbatim.project import Project, find_root
from verbatim.run.script import parse

ROOT = find_root(Path(__file__))


# -- the corpus -----------------------------------------------------------------------------------


def test_every_copy_is_another_script():
    pages = corpus(ROOT, 40)
    assert len({page.name for page in pages}) == len({page.script for page in pages}) == 40
    for page in pages:
        assert parse(page.script, page.name).cells[-1].name == "which-copy"
        assert page.intro and all(part.text for part in page.parts)
        assert "<" not in page.title  # which a build refuses
        said = [page.intro, *(part.text for part in page.parts)]
        assert len(said) == len(set(said))  # no paragraph twice, which a strict build refuses


def test_copies_are_pages_that_check_takes(tmp_path: Path):
    """Recipes grow, and `check` learns: where it refuses a copy, no build of the corpus succeeds."""
    copied = corpus(ROOT, len(RECIPES) + 1)
    ThisProject(ROOT).write(tmp_path, copied, {})
    project = Project(tmp_path)
    pages = [page for page in load_pages(project)[0] if page.name != "index.md"]
    book = Book(project, parse_all(project, project.scripts())[0])
    alone = [problem for page in pages for problem in findings.form(page)]
    found = [*alone, *check_lengths(book, pages), *check_titles_differ(pages), *check_front_matter_differs(pages)]
    assert len(pages) == len(book.scripts) == len(copied)
    assert list(map(str, found)) == []


def test_an_index_of_a_thousand_copies_is_a_page(tmp_path: Path):
    pages = corpus(ROOT, 1000)
    index = tmp_path / "docs/en/index.md"
    index.parent.mkdir(parents=True)
    index.write_text(_index(pages), encoding="utf-8")
    loaded, problems = load_pages(Project(tmp_path))
    assert len(loaded) == 1 and index.read_text().count("](") == 1000 and problems == []


def test_a_changed_script_prints_something_else():
    page = corpus(ROOT, 2)[1]
    assert stamp(page, "2.0") == "copy 1 of torch 2.0"
    assert stamp(changed(page), "2.0") == "changed 1 of torch 2.0"
    assert changed(page).name == page.name


def test_prose_loses_what_each_way_writes_differently():
    text = "---\ntitle: T\n---\n\n# T\n\nSee [this `page`](a.md).\n\nA \\(x\\).\n\n- item\n\n!!! note\n    no\n\n```\nCode\n```\n"
    assert paragraphs(text) == ["See this `page`."]


# -- what is shown --------------------------------------------------------------------------------


def test_outputs_in_pages_and_runs_read_alike(tmp_path: Path):
    page = '<div class="code"><pre>x</pre></div><div class="a out"><div><pre>1 &lt; 2\n\n</pre></div></div><pre>y</pre>'
    assert outputs(page, "out") == ["1 < 2"]
    (tmp_path / "printed.txt").write_text(
        "== examples/a-0001.py  (0.10 s)\n-- one\n1 < 2\n== examples/b.py  (0.10 s)\n-- one\n3\n"
    )
    for name, shown in (("a-0001", ["1 < 2"]), ("b", ["3"])):
        assert Run().shows(tmp_path, Page(name, "", "", ())) == shown


# -- a run ----------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def _light_scripts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages whose scripts need no torch."""
    monkeypatch.setattr("scripts.benchmarks.run.corpus", lambda root, count: [numbered(PAGE, n) for n in range(count)])


PAGE = Page("topic-a", "A", "Of one.", (Part("one", "It is printed.", "print(1)"),))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder in which builds lie, with what the pages' frame is made of."""
    for tree in ("overrides", "docs/assets"):
        (tmp_path / tree).parent.mkdir(exist_ok=True)
        (tmp_path / tree).symlink_to(ROOT / tree)
    return tmp_path


def test_three_scripts_in_three_ways(root: Path):
    runs = list(run.measure(root, 3, 1, ["exec", "plain", "this"]))
    measured = {(made["way"], made["scenario"]) for made in runs}
    assert measured == {("exec", "cold"), *((way, kind) for way in ("plain", "this") for kind in SCENARIOS)}
    assert all(made["stale"] == 0 for made in runs)  # so a new torch ran everything again
    assert all(made["seconds"] > 0 and made["processor"] > 0 for made in runs)
    results = run.results(root, runs)
    assert "| this project | 3 | 1 |" in "\n".join(report.builds_tables(results, "en"))
    assert json.loads(json.dumps(results)) == results
    assert [made["way"] for made in results["processes"]["runs"]] == ["exec"]


def test_floors_print_what_they_are_to(root: Path):
    assert len(list(run.measure(root, 2, 1, ["exec", "ended", "forked", "run"]))) == 4


def test_no_time_counts_where_an_output_is_missing(root: Path, monkeypatch: pytest.MonkeyPatch):
    shows = Plain.shows
    monkeypatch.setattr(Plain, "shows", lambda *given: shows(*given)[:-1])
    with pytest.raises(RuntimeError, match=r"plain, topic-a-0000:(?s:.*)-copy 0 of torch"):
        list(run.measure(root, 2, 1, ["plain"]))


def test_no_time_counts_where_a_page_is_missing(root: Path, monkeypatch: pytest.MonkeyPatch):
    write = Plain.write
    monkeypatch.setattr(Plain, "write", lambda way, folder, pages, printed: write(way, folder, pages[:1], printed))
    with pytest.raises(RuntimeError, match="topic-a-0001: there is no page"):
        list(run.measure(root, 2, 1, ["plain"]))


def test_outputs_of_the_old_torch_are_counted():
    page = numbered(PAGE, 0)
    way = type("Kept", (), {"key": "kept", "shows": lambda *_: ["1", stamp(page, run.TORCH_VERSION)]})()
    printed = {page.name: ["1\n", "of no interest\n"]}
    assert run.check(way, Path(), [page], printed, run.OTHER_VERSION) == 1
    way.shows = lambda *_: ["1", stamp(page, "98")]
    with pytest.raises(RuntimeError, match=r"-copy 0 of torch .*post1\n\+copy 0 of torch 98"):
        run.check(way, Path(), [page], printed, run.OTHER_VERSION)


def test_a_command_that_fails_says_so(tmp_path: Path):
    with pytest.raises(RuntimeError, match=r"exit code 3: told"):
        measured([sys.executable, "-c", "print('told'); raise SystemExit(3)"], tmp_path, {})


def test_memory_and_time_are_those_of_the_whole_tree(tmp_path: Path):
    child = "import time; x = bytearray(80 << 20); sum(range(10**6)); time.sleep(3)"
    parent = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    usage = measured([sys.executable, "-c", parent], tmp_path, {})
    assert usage.peak > 80 and usage.processor > 0


def test_environments_are_pinned_and_leave_torch_to_the_project():
    shared = {"torch", "torchvision", "torchaudio", "numpy", "matplotlib"}
    for package in (way.package for way in ways(ROOT).values() if way.installed):
        path = ROOT / "scripts/benchmarks/environments" / f"{package}.txt"
        lines = [line for line in path.read_text().splitlines() if line and not line.startswith("#")]
        assert all(re.fullmatch(r"[\w.-]+==[\w.]+", line) for line in lines)
        names = {line.split("==")[0].lower() for line in lines}
        assert package in names and not shared & names


# -- results --------------------------------------------------------------------------------------


def made_up(**seconds: dict[str, list[float]]) -> dict:
    """Results of 40, 200 and 1,000 scripts; a way's seconds are those for 40 and grow with the number."""
    runs = [
        {"way": way.replace("_", "-"), "size": size, "round": number, "scenario": kind, "stale": 0}
        | {"seconds": value * size / 40, "peak": 100.0}
        for way, kinds in seconds.items()
        for size in (40, 200, 1000)
        for kind, values in kinds.items()
        for number, value in enumerate(values)
    ]
    described = {run["way"]: {"version": "1.0", "pages": run["way"] not in ("exec", "run")} for run in runs}
    return {
        "date": "2026-01-02",
        "machine": {"cpu": "A CPU @ 2 GHz", "cores": 2, "system": "Linux", "python": "3.11.1"},
        "torch": importlib.metadata.version("torch"),
        "ways": described,
        "runs": runs,
    }


RESULTS = made_up(
    exec={"cold": [2.0, 2.0]},
    plain={kind: [1.0, 1.0] for kind in SCENARIOS},
    run={"cold": [2.0, 2.6]},
    this={"cold": [4.0, 4.0], "warm": [1.1, 1.3], "edit": [1.3, 1.3], "torch": [4.0, 4.0]},
    markdown_exec={kind: [5.0, 5.0] for kind in SCENARIOS},
    sphinx_gallery={"cold": [151.0, 151.0], "warm": [2.0, 2.0], "edit": [5.0, 5.0], "torch": [2.0, 2.0]},
)


def test_aims_are_met_or_not():
    found = {aim.key: aim for aim in report.aims(RESULTS | {"edits": edits(), "processes": processes()})}
    run = found["exec-aim"]
    assert (run.size, run.measured.low, run.measured.high, run.met) == (1000, 1.0, 1.3, True)
    assert found["markdown-exec-aim"].measured.middle == pytest.approx(0.8)
    assert found["warm-aim"].measured.middle == pytest.approx(1.2) and not found["warm-aim"].met
    assert (found["processes-aim"].size, found["processes-aim"].measured.middle) == (1000, 2.4)
    assert found["edits-0-aim"].met and found["edits-1-aim"].met and not found["edits-script-aim"].met
    assert found["edits-1-aim"].pages == 400
    assert report.aims({"runs": []}) == []


def test_the_script_that_changes_prints_something_and_proves_nothing(tmp_path):
    """A build refuses the proof of a remedy that changed, so that nothing would be measured."""
    scripts = {
        "a/proof": "\nprint(1)\n",
        "a/silent": "x = 1\n",
        "b/printing": "# %% one\nprint(2)\n",
        "b/z": "\nprint(3)\n",
    }
    for name, text in scripts.items():
        path = tmp_path / f"examples/{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (tmp_path / "outputs/remedies").mkdir(parents=True)
    (tmp_path / "outputs/remedies/a.yml").write_text('"A message":\n- at: "a/silent#s"\n  proof: "a/proof#cell"\n')
    script = script_to_edit(tmp_path)
    assert script == tmp_path / "examples/b/printing.py"
    Way("this", [], tmp_path, tmp_path, script=script).change_script("mark")
    assert script.read_text() == '# %% one\nprint("mark")\nprint(2)\n'


def edits() -> dict:
    """Results as `scripts.benchmarks.edits` writes them: two sizes, two rounds."""
    seconds = {"plain": {0: 10.0, 1: 10.0, 10: 10.0}, "this": {0: 0.5, 1: 2.0, 10: 3.0, "script": 4.0}}
    runs = [
        {"way": way, "pages": pages, "changed": changed, "round": number, "seconds": value * (1 + number) * pages / 400}
        for pages in (400, 800)
        for number in (0, 1)
        for way, values in seconds.items()
        for changed, value in values.items()
    ]
    about = {"cpu": "Some(R) CPU @ 2 GHz", "cores": 2, "system": "Linux", "python": "3.11.7"}
    return {"date": "2026-11-22", "machine": about, "torch": "2.13.0", "runs": runs}


def processes() -> dict:
    """Results as `scripts.benchmarks.processes` writes them."""
    seconds = {"exec": 10.0, "ended": 12.0, "forked": 20.0, "run": 24.0}
    runs = [
        {"way": way, "size": size, "round": number, "seconds": value * (1 + number) * size / 200}
        for size in (200, 1000)
        for number in (0, 1)
        for way, value in seconds.items()
    ]
    return edits() | {"runs": runs}


def test_tables_speak_both_languages():
    results = RESULTS | {"edits": edits(), "processes": processes()}
    english, chinese = (
        "\n".join(line for part in report.PAGE_PARTS.values() for line in part(results, language))
        for language in ("en", "zh")
    )
    assert "| this project | 40 | 2 | 4.00 (4.00–4.00) | 1.20 (1.10–1.30) |" in english
    assert "| 本项目 | 40 | 2 | 4.00 (4.00–4.00) |" in chinese
    assert "| not met |" in english and "| 未达到 |" in chinese
    assert english.startswith("Of these 400 pages, a build in which one changed takes 0.20 of plain MkDocs")
    assert (
        "| this project | 400 | 0.05 (0.05–0.05) | 0.20 (0.20–0.20) | 0.30 (0.30–0.30) | 0.40 (0.40–0.40) |" in english
    )
    assert "| plain MkDocs 1.0, outputs pasted in | 800 | 1.00 (1.00–1.00) |" in english
    assert "| a forked process for each script, bare `exec` in it | 2.00 (2.00–2.00) | 2.00 (2.00–2.00) |" in english
    assert "Measured on 2026-11-22: Some, 2 cores, Linux, Python 3.11.7, torch 2.13.0." in english
    assert "{" not in english + chinese


def test_what_was_measured_together_is_dated_once():
    """No paragraph may stand on a page twice."""
    about = {key: RESULTS[key] for key in ("date", "machine", "torch")}
    together = RESULTS | {"edits": edits() | about, "processes": processes() | about}
    apart = RESULTS | {"edits": edits(), "processes": processes() | about}
    for results, times in ((together, 1), (apart, 2)):
        parts = [report.PAGE_PARTS[part](results, "en") for part in ("builds", "edits", "processes")]
        assert sum(line.startswith("Measured on") for part in parts for line in part) == times
        assert all(part[-1] for part in parts)


def test_old_outputs_are_no_result():
    stale = json.loads(json.dumps(RESULTS))
    for made in stale["runs"]:
        made["stale"] = 40 * (made["way"] == "sphinx-gallery" and made["scenario"] == "torch")
    row = next(line for line in report.builds_tables(stale, "en") if line.startswith("| sphinx-gallery"))
    assert row.split(" | ")[6] == "old outputs stay"


def test_the_plots_are_svg_and_the_same_each_time(monkeypatch):
    results = RESULTS | {"edits": edits()}
    for draw in (report.draw, report.draw_edits):
        drawn = draw(results)
        assert xml.etree.ElementTree.fromstring(drawn).tag.endswith("svg")
        assert drawn == draw(results)
        assert "#ffffff" not in drawn and "#000000" not in drawn  # neither would be seen on its own ground
        assert not allowed_svg.refused(drawn, "benchmarks-")
    monkeypatch.setattr(
        report, "portable", lambda svg, prefix: svg
    )  # which takes Matplotlib's comments out: the labels
    drawn = report.draw_edits(results)
    for label in ("this project, 400 pages", "this project, 800 pages", "plain MkDocs, outputs pasted in, 400 pages"):
        assert label in drawn


def test_results_go_between_the_markers():
    text = "before\n<!-- benchmarks: aims -->\nof yore\n<!-- /benchmarks -->\nafter\n"
    new = report.replace(text, RESULTS, "en")
    assert new.startswith("before\n<!-- benchmarks: aims -->\n\n| aim |") and new.endswith(
        "<!-- /benchmarks -->\nafter\n"
    )
    assert "of yore" not in new and report.replace(new, RESULTS, "en") == new
    with pytest.raises(ValueError, match="no place for the results"):
        report.replace("nothing", RESULTS, "en")


def test_what_is_shown_was_measured():
    """READMEs, pages and plot are those that the results in the repository make."""
    results = json.loads((ROOT / report.RESULTS).read_text())
    for path, content in report.shown_files(ROOT, results):
        assert path.read_text() == content, f"run: python -m scripts.benchmarks.report ({path.name})"


# -- other harnesses ------------------------------------------------------------------------------


def test_floors_print_the_same_in_this_process_and_in_a_forked_one():
    cells = ["import os\nx = 1\nprint(x)", "print(x + 1)", "print(os.getpid())"]
    here, there = floor.run("a", cells), floor.forked("a", cells)
    assert here == ["1\n", "2\n", f"{os.getpid()}\n"]
    assert there[:2] == here[:2] and there[2] != here[2]
    assert floor.forked("a", []) == []


def test_a_floor_whose_process_fails_says_so(capfd: pytest.CaptureFixture[str]):
    with pytest.raises(RuntimeError, match="a: its process ended with 1"):
        floor.forked("a", ["1 / 0"])
    assert "ZeroDivisionError" in capfd.readouterr().err
    with pytest.raises(RuntimeError, match="a: its process ended with -9"):
        floor.forked("a", ["import os, signal; os.kill(os.getpid(), signal.SIGKILL)"])


def test_copies_of_chapters_are_pages_of_their_own(tmp_path):
    pages = copies(ROOT, tmp_path, 2)
    own = len(list(tmp_path.glob("docs/*/*-1/*.md")))
    assert own and pages == len(list(tmp_path.glob("docs/zh/**/*.md"))) + len(list(tmp_path.glob("docs/en/**/*.md")))
    assert "examples/autograd-1/leaf.py#" in (tmp_path / "docs/en/autograd-1/leaf.md").read_text()
    assert "autograd-1:\n  index:\n" in (tmp_path / "book/topics.yml").read_text()
    made = [page for page in load_pages(Project(tmp_path))[0] if page.name.startswith("autograd")]
    alone = [problem for page in made for problem in findings.form(page)]
    found = [*alone, *check_titles_differ(made), *check_front_matter_differs(made)]
    assert len(made) > 80 and list(map(str, found)) == []


@pytest.mark.parametrize("count", [1, 10])
def test_so_many_pages_change(tmp_path, count):
    for language in ("zh", "en"):
        for number in range(40):
            path = tmp_path / f"docs/{language}/topic/p{number}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text("# P\n\nText.\n\n## Part\n\nMore.\n\n## Read on\n")
    Way("this", [], tmp_path, tmp_path / "docs").change(count, "mark")
    assert sum("`mark`" in path.read_text() for path in (tmp_path / "docs").rglob("*.md")) == count
