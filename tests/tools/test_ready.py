"""`make ready` runs what a change can break; the weekly job asks what pages link to; the container and hooks are whole."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import yaml

from scripts import ready, weblinks
from tests.test_git import git
from verbatim.pages.page import Page

ROOT = Path(__file__).parents[2]


def test_a_page_asks_for_its_recipe_alone():
    files = ["docs/en/autograd/detach.md", "docs/zh/autograd/detach.md", "docs/en/autograd/index.md"]
    assert ready.recipes(files) == ["autograd/detach"]
    named = {step.name: step.command for step in ready.steps(ROOT, files, "HEAD")}
    assert list(named) == ["check", "outputs"] and named["outputs"][-1] == "autograd/detach"


def test_what_is_not_installed_yet_is_where_tests_need_it(monkeypatch):
    monkeypatch.setattr(ready.importlib.util, "find_spec", lambda name: None)
    first = next(step.command[-1] for step in ready.steps(ROOT, ["verbatim/scaffold.py"], "HEAD"))
    assert first == ".venv/.tests"
    content = ["docs/en/a/b.md", "book/GLOSSARY." + "md", "outputs/cpu/a/b.ipynb"]
    assert [step.name for step in ready.steps(ROOT, content, "HEAD")] == ["check"]


def test_a_module_asks_for_form_types_and_the_tests_that_import_it():
    files = ["verbatim/checks/wording.py", "README.md"]
    found = ready.tests(ROOT, ["verbatim/scaffold.py"])
    assert "tests/test_scaffold.py" in found and "tests/book/test_compare.py" not in found
    assert {"form", "format", "check", "types", "folders"} <= {step.name for step in ready.steps(ROOT, files, "HEAD")}
    alone = "test_" + "allowed_svg.py"
    assert ready.tests(ROOT, [f"tests/book/{alone}"]) == [f"tests/book/{alone}"]


@pytest.mark.parametrize("file", ["docs/assets/page." + "js", "tests/javascript/page.test." + "mjs"])
def test_javascript_asks_for_its_tests(file: str):
    assert "tests/tools/test_javascript.py" in ready.tests(ROOT, [file])
    assert "tests" in {step.name for step in ready.steps(ROOT, [file], "HEAD")}


def test_a_new_recipe_asks_for_no_test_though_it_stands_in_the_map():
    files = ["book/topics." + "yml", "docs/en/a/" + "my-idea.md"]
    assert ready.tests(ROOT, files) == ready.tests(ROOT, ["mkdocs." + "yml"]) == []
    assert not ready.framed(files)
    assert ready.framed([*files, "overrides/main.html"]) and ready.framed(["mkdocs." + "yml"])


def test_imports_are_read_in_all_their_forms():
    text = "import a.b\nfrom c import d, e as f\nfrom g.h import (\n    i,\n    j,\n)\n"
    assert {"a.b", "c", "c.d", "c.e", "g.h", "g.h.i", "g.h.j"} <= ready._imports(text)


def test_what_differs_is_counted_from_where_the_branch_left(tmp_path):
    git(tmp_path, "init", "-q", "-b", "main")
    (tmp_path / "a").write_text("1")
    (tmp_path / "b").write_text("1")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-qm", "one")
    git(tmp_path, "checkout", "-qb", "branch")
    (tmp_path / "a").write_text("2")
    git(tmp_path, "commit", "-qam", "two")
    git(tmp_path, "checkout", "-q", "main")
    (tmp_path / "b").write_text("2")
    git(tmp_path, "commit", "-qam", "another's")
    git(tmp_path, "checkout", "-q", "branch")
    (tmp_path / "new").write_text("1")
    assert ready.changed(tmp_path, "main") == ["a", "new"]


def test_dead_links_are_told_apart_from_those_that_may_live():
    page = Page(
        "docs/en/a.md", "[a](https://a.example/x#y)\n[b](b.md) [c](https://c.example/)\n[d](https://d.example/)\n"
    )
    again = Page("docs/zh/a.md", "[a](https://a.example/x)\n")
    answers = {"https://a.example/x": ("404 Not Found", True), "https://c.example/": ("403 Forbidden", False)}
    dead, unsure = weblinks.check([page, again], lambda address: answers.get(address, ("", False)))
    assert [str(problem).splitlines()[0] for problem in dead] == [
        "docs/en/a.md:1: https://a.example/x does not answer: 404 Not Found"
    ]
    assert [problem.line for problem in unsure] == [2]


@pytest.mark.parametrize(("code", "gone"), [(404, True), (410, True), (403, False), (429, False), (503, False)])
def test_what_an_answer_means(monkeypatch, code, gone):
    import urllib.error
    import urllib.request

    def refuse(request, timeout):
        raise urllib.error.HTTPError(request.full_url, code, "no", None, None)

    monkeypatch.setattr(urllib.request, "urlopen", refuse)
    assert weblinks.ask("https://a.example/") == (f"{code} no", gone)


def test_the_container_and_the_hooks_name_targets_and_commands_that_exist():
    makefile = (ROOT / "Makefile").read_text()
    text = (ROOT / ".devcontainer/devcontainer.json").read_text()
    container = json.loads(re.sub(r"^\s*//.*$", "", text, flags=re.MULTILINE))
    for key in ("postCreateCommand", "postAttachCommand"):
        for target in container[key].removeprefix("make ").split():
            assert f"\n{target.replace('.venv', '$(VENV)')}: " in makefile
    assert re.search(rf"^PORT +\?= {container['forwardPorts'][0]}$", makefile, re.MULTILINE)
    settings = yaml.safe_load((ROOT / ".github/pre-commit.yaml").read_text())
    hooks = {hook["id"]: hook for hook in settings["repos"][0]["hooks"]}
    assert {hook["entry"].split()[0] for hook in hooks.values()} == {".venv/bin/python", ".venv/bin/ruff"}
    assert settings["default_stages"] == ["pre-commit"] and hooks["message"]["stages"] == ["commit-msg"]
    assert "--hook-type commit-msg" in makefile
    assert "pre-commit==" in (ROOT / "requirements/dev.lock").read_text() and "pre-commit install" in makefile
