"""The command line as a user types it."""

from __future__ import annotations

import importlib.util
import json
import shutil

import pytest

from tests.checks.recipe import EN, PY, WHOLE, ZH, written
from tests.site.test_plugin import INDEX, PAGE, SCRIPT, command
from verbatim import __main__
from verbatim.checks import findings, wording
from verbatim.editions import make
from verbatim.pages import freshness
from verbatim.pages.page import load_pages
from verbatim.problems import Problem
from verbatim.project import Project


@pytest.fixture
def recipe(project, write):
    write("examples/topic/a.py", SCRIPT)
    for language in ("zh", "en"):
        caption = {"zh": "图：", "en": "Figure: "}[language]
        write(f"docs/{language}/topic/a.md", PAGE.format(title="T", figure="F").replace("F: ", caption))
        write(f"docs/{language}/index.md", INDEX)
    return project


def verbatim(project, *arguments: str):
    return command(project, "verbatim", *arguments)


def test_run_prints_each_cell_with_its_name(recipe):
    done = verbatim(recipe, "run", "topic/a")
    assert done.returncode == 0
    assert "-- first\nhello <script>" in done.stdout
    assert "-- draw\n[figure, " in done.stdout


def test_run_takes_any_percent_script(recipe, tmp_path):
    other = tmp_path / "elsewhere.py"
    other.write_text('"""T."""\n# %% a\nprint("from elsewhere\\n::error::obey\\x1b[2J")\n# %% b\n1 / 0\n')
    done = verbatim(recipe, "run", str(other))
    assert done.returncode == 1
    assert "-- a\nfrom elsewhere\n: :error::obey" in done.stdout and "\x1b[2J" not in done.stdout
    assert f"{other}:5: cell `b` raised ZeroDivisionError" in done.stdout


def test_a_script_outside_of_the_book_gets_no_record(recipe, tmp_path):
    other = tmp_path / "elsewhere.py"
    other.write_text('"""T."""\n# %% a\nprint("from elsewhere")\n')
    before = sorted(path for path in tmp_path.rglob("*") if ".cache" not in path.parts)
    done = verbatim(recipe, "record", str(other))
    assert done.returncode == 1 and f"{other}: this is no script of the book, so it has no record" in done.stdout
    assert sorted(path for path in tmp_path.rglob("*") if ".cache" not in path.parts) == before


def test_a_recipe_goes_by_any_of_its_names(recipe):
    for name in ("topic/a", "examples/topic/a.py", "docs/zh/topic/a.md", "outputs/cpu/topic/a.ipynb", "topic"):
        assert recipe.select([name]) == [recipe.script("topic/a")], name


def test_unknown_names_are_told_together(recipe):
    done = verbatim(recipe, "run", "topic/b", "nothing.py")
    assert done.returncode == 1
    assert "topic/b: no script is found there" in done.stdout and "nothing.py: no script" in done.stdout
    assert "2 problems" in done.stdout


def test_check_then_record_then_check(recipe):
    before = verbatim(recipe, "check")
    assert before.returncode == 1 and "has no record yet" in before.stdout
    assert "1 records changed" in verbatim(recipe, "record").stdout
    assert "nothing wrong" in verbatim(recipe, "check").stdout
    assert "0 records changed" in verbatim(recipe, "record").stdout


def test_check_of_one_path_tells_only_that(recipe, write):
    verbatim(recipe, "record")
    write("docs/zh/lone.md", INDEX)
    assert verbatim(recipe, "check").returncode == 1
    assert verbatim(recipe, "check", "topic/a").returncode == 0
    for named in ("docs/zh/lone.md", "lone"):  # a page without a script, by its path or its name
        done = verbatim(recipe, "check", named)
        assert done.returncode == 1 and "docs/zh/lone.md" in done.stdout, named


def test_check_of_a_recipe_runs_that_recipe_alone(recipe, write):
    """The other script would fail if it ran; what it prints is taken from its record."""
    mark = "examples/topic/_ran"
    write("examples/topic/other.py", f'"""Other."""\n\n# %% one\nprint(open({str(recipe.root / mark)!r}).read())\n')
    write(mark, "1\n")
    verbatim(recipe, "record")
    shutil.rmtree(recipe.cache)
    (recipe.root / mark).unlink()  # it would fail now
    done = verbatim(recipe, "check", "topic/a")
    assert (done.returncode, done.stdout.splitlines()[-1]) == (
        0,
        "topic/a: nothing wrong; the rest of the book was not looked at",
    )
    assert verbatim(recipe, "check", "topic/other").returncode == 1


def test_check_of_a_recipe_looks_closely_at_its_pages_alone(recipe, write, monkeypatch):
    """What no page and no record of another recipe can change is not looked for in them."""
    write("docs/zh/lone.md", INDEX)
    verbatim(recipe, "record")
    looked, find = [], findings.find
    monkeypatch.setattr(findings, "find", lambda book, page, *rest: looked.append(page.path) or find(book, page, *rest))
    assert verbatim(recipe, "check", "topic/a").returncode == 0
    assert sorted(looked) == ["docs/en/topic/a.md", "docs/zh/topic/a.md"]
    looked.clear()
    verbatim(recipe, "check")
    assert len(looked) == 5


def test_a_record_that_no_run_writes_is_told_where_its_recipe_is_named(recipe, write):
    write("examples/topic/other.py", '"""Other."""\n\n# %% one\nprint(1)\n')
    verbatim(recipe, "record")
    record = recipe.record("topic/other", "cpu")
    record.write_text(record.read_text() + "\n")
    assert verbatim(recipe, "check", "topic/a").returncode == 0
    assert "holds what no run writes" in verbatim(recipe, "check", "topic/other").stdout


def test_broken_settings_are_told_whatever_is_named(recipe):
    verbatim(recipe, "record")
    names = ("mkdocs.yml", "book/topics.yml", "book/GLOSSARY.md")
    for path in (recipe.root / name for name in names):
        text = path.read_text() if path.exists() else ""
        path.parent.mkdir(exist_ok=True)
        path.write_text(f"{text}<<<<<<< HEAD\n=======\n>>>>>>> other\n")
    done = verbatim(recipe, "check", "topic/a")
    assert done.returncode == 1
    assert all(f"\n{name}:" in f"\n{done.stdout}" for name in names), done.stdout


def test_a_recipe_that_fails_is_not_recorded(recipe, write):
    write("examples/topic/bad.py", '"""T."""\n# %% a\n1 / 0')
    done = verbatim(recipe, "record")
    assert done.returncode == 1
    assert recipe.record("topic/a", "cpu").is_file()
    assert not recipe.record("topic/bad", "cpu").exists()


def test_record_removes_records_without_a_script(recipe, write):
    orphan = write("outputs/cpu/topic/gone.ipynb", "{}")
    verbatim(recipe, "record")
    assert not orphan.exists()


def test_render_writes_plain_markdown(recipe, tmp_path):
    out = tmp_path / "out"
    assert verbatim(recipe, "render", "--out", str(out)).returncode == 0
    text = (out / "en/topic/a.md").read_text()
    assert "```python\nprint(" in text and "hello <script>" in text and "```example" not in text
    assert "](a-draw.svg)" in text and (out / "en/topic/a-draw.svg").read_text().startswith("<svg ")
    before = {p: p.stat().st_mtime_ns for p in out.rglob("*.*")}
    verbatim(recipe, "render", "--out", str(out))
    assert {p: p.stat().st_mtime_ns for p in out.rglob("*.*")} == before


def test_outside_of_a_project(tmp_path, project):

    done = verbatim(Project(tmp_path), "check")
    assert done.returncode == 1 and "no mkdocs.yml" in done.stdout and "Traceback" not in done.stdout


def test_the_record_says_what_ran_it(recipe):
    verbatim(recipe, "record")
    kept = json.loads((recipe.outputs / "cpu/environment.json").read_text())
    assert kept["torch"].startswith("2.")


def test_check_tells_formulas_settings_and_what_is_changed_in_one_language(tmp_path):
    project = written(tmp_path / "book")
    (project.root / freshness.FILE).write_text("")
    freshness.renew(project, load_pages(project)[0])
    page = project.root / EN
    page.write_text(page.read_text().replace(WHOLE, "The gradient is \\(\\frac{1\\)."))
    with (project.root / "mkdocs.yml").open("a") as config:
        config.write("site_nam: x\n")
    done = command(project, "verbatim", "check")
    assert done.returncode == 1
    assert f"{EN}:10: the formula `\\frac{{1` cannot be typeset" in done.stdout
    assert "mkdocs.yml:2: Config value 'site_nam'" in done.stdout
    assert f"{ZH}:1: the text above the first heading has changed in {EN} since both said the same" in done.stdout


def test_check_looks_again_only_at_pages_that_changed(tmp_path, monkeypatch, capsys):
    project = written(tmp_path / "book")
    page = project.root / EN
    page.write_text(page.read_text().replace(WHOLE, "The the gradient is whole."))
    monkeypatch.chdir(project.root)
    looked = []
    words = wording.check_words
    monkeypatch.setattr(wording, "check_words", lambda page: looked.append(page.path) or words(page))
    for pages in (4, 0):
        looked.clear()
        assert __main__.main(["check"]) == 1
        assert f"{EN}:10: `The the` is doubled" in capsys.readouterr().err and len(looked) == pages


def test_a_check_of_a_recipe_says_nothing_of_others(tmp_path, monkeypatch, capsys):
    project = written(tmp_path / "book")
    monkeypatch.chdir(project.root)
    notes = [Problem(name, 3, "changed in the other language") for name in (EN, "docs/en/topic/index.md")]
    monkeypatch.setattr(freshness, "notes", lambda stale: notes)
    __main__.main(["check", "topic/join"])
    told = capsys.readouterr().err
    assert f"note: {EN}:3: changed" in told and "topic/index.md" not in told


def test_an_edition_in_a_language_that_the_book_lacks_is_told(tmp_path, monkeypatch, capsys):
    project = written(tmp_path / "book")
    monkeypatch.chdir(project.root)
    assert __main__.main(["book", "--language", "xx", "--language", "en"]) == 1
    assert "mkdocs.yml: the book has no edition in `xx`\n  hint: it has zh and en" in capsys.readouterr().err


def test_a_volume_of_a_chapter_that_the_book_lacks_is_told(tmp_path, monkeypatch, capsys):
    project = written(tmp_path / "book")
    monkeypatch.chdir(project.root)
    assert __main__.main(["book", "--chapter", "topics", "--chapter", "topic"]) == 1
    told = capsys.readouterr().err
    assert "there is no chapter `topics`" in told and "topic" in told.partition("hint: ")[2]


def test_the_book_and_its_volumes(tmp_path, monkeypatch):
    project = written(tmp_path / "book")
    monkeypatch.chdir(project.root)

    def edition(build, language: str, address: str, volume: str) -> make.Edition:
        return make.Edition(language, "T", "", address, "", "", {}, volume=volume)

    monkeypatch.setattr(make, "edition", edition)
    monkeypatch.setattr(make, "_epub", lambda edition, folder: b"")
    monkeypatch.setattr(make, "_pdf", lambda edition, folder: b"")
    assert __main__.main(["record", "topic/join"]) == 0
    for asked, made in (
        ([], {"pytorch-verbatim-zh.epub", "pytorch-verbatim-zh.pdf"}),
        (["--volumes"], {"pytorch-verbatim-topic-zh.pdf"}),
        (["--chapter", "topic", "--format", "epub"], {"pytorch-verbatim-topic-zh.epub"}),
    ):
        out = tmp_path / "-".join(["out", *asked])
        assert __main__.main(["book", "--language", "zh", "--out", str(out), *asked]) == 0
        assert {path.name for path in out.iterdir()} == made


def test_fix_mends_what_a_machine_can(tmp_path):
    project = written(tmp_path / "book")
    for name in (EN, ZH, PY):
        path = project.root / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    page = project.root / ZH
    page.write_bytes(page.read_bytes().replace("梯度是".encode(), "梯度(clone)是a".encode()))
    done = command(project, "verbatim", "check", "--fix")
    assert f"{ZH}: line ends mended" in done.stdout and "梯度（clone）是 a 完整的".encode() in page.read_bytes()
    assert all(b"\r" not in (project.root / name).read_bytes() for name in (EN, ZH, PY))


def test_what_all_languages_say_is_written_down_and_wording_when_a_person_says_so(tmp_path, monkeypatch, capsys):
    project = written(tmp_path / "book")
    monkeypatch.chdir(project.root)
    (project.root / freshness.FILE).write_text("")
    _ = __main__.main(["check", "--fix"]), capsys.readouterr()
    page = project.root / EN
    page.write_text(page.read_text().replace("joins", "puts together"))
    assert f"note: {ZH}:" in _errors(capsys, "check", "topic/join")
    assert f"note: {ZH}:" in _errors(capsys, "check", "--fix", "topic/join")
    assert "--same: no page is named" in _errors(capsys, "check", "--same")
    assert f"note: {ZH}:" not in _errors(capsys, "check", "--same", "topic/join")


def _errors(capsys, *arguments: str) -> str:
    __main__.main(list(arguments))
    return capsys.readouterr().err


def test_a_python_without_torch_is_named_once(monkeypatch, capsys):

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else find(name))
    assert __main__.main(["record", "topic/join"]) == 1
    told = capsys.readouterr().err
    assert "this Python has no PyTorch\n  hint: use the project's own: .venv/bin/python" in told and "1 problem" in told
