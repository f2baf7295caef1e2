"""What a contributor does, by the letter of CONTRIBUTING.md, in a small book with this repository's settings."""

from __future__ import annotations

import argparse
import re
import shutil
from pathlib import Path

import pytest

from tests.browser.miniature import MINIATURE, ROOT
from tests.site.test_plugin import command
from tests.test_git import git
from verbatim.checks import placeholders
from verbatim.project import Project
from verbatim.words import NEW_PAGE

SETTINGS = f"""
INHERIT: {ROOT}/mkdocs.yml
theme:
  custom_dir: {ROOT}/overrides
"""

#: A chapter's index page: its one section has the one page that the chapter has so far.
INDEX = """\
---
title: {title}
chapter: {title}
nav: {nav}
description: {description}
---

# {title}

## {section} {{ #start }}

- [{question}](leaf.md)
"""
INDEXES = {
    "en": ("Autograd", "Overview", "Where gradients come from.", "Start here", "Which tensors get a `.grad`?"),
    "zh": ("自动求导", "总览", "梯度从哪里来。", "从这里开始", "哪些张量有 `.grad`？"),
}


@pytest.fixture(scope="module")
def clone(tmp_path_factory) -> Project:
    """The miniature, grown to a chapter with an index page, and committed.

    What is wrong with the book itself `make check` tells.
    """
    folder = tmp_path_factory.mktemp("contributor") / "clone"
    shutil.copytree(MINIATURE, folder, ignore=shutil.ignore_patterns(".cache", "site"))
    (folder / "mkdocs.yml").write_text(SETTINGS)
    for language, (title, nav, description, section, question) in INDEXES.items():
        text = INDEX.format(title=title, nav=nav, description=description, section=section, question=question)
        (folder / f"docs/{language}/autograd/index.md").write_text(text)
        for page, keywords in (("autograd/leaf", "retain_grad"), ("tensors/print", "set_printoptions")):
            path = folder / f"docs/{language}/{page}.md"
            head = path.read_text()
            if page == "autograd/leaf":
                head = re.sub(r"^(chapter|tab): .*\n", "", head, flags=re.MULTILINE)
            path.write_text(head.replace("description: ", f"keywords: [{keywords}]\ndescription: ", 1))
    topics = (folder / "book/topics.yml").read_text()
    (folder / "book/topics.yml").write_text(topics.replace("autograd:\n", "autograd:\n  index:\n"))
    (folder / ".gitignore").write_text("/site/\n.cache/\n")
    for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "The book"]):
        git(folder, *arguments)
    return Project(folder)


QUESTIONS = {"en": "How do I have an idea?", "zh": "怎样才能有主意？"}

SCRIPT, ZH, EN = "examples/autograd/my-idea.py", "docs/zh/autograd/my-idea.md", "docs/en/autograd/my-idea.md"

#: What an author writes in the place of what `new` left to write.
WRITTEN = {
    EN: ["How to have one.", "An idea comes of itself.", "It is kept in the graph.", "Forget it, and it is gone.", "How it comes", "idea"],
    ZH: ["怎样有主意。", "主意自己会来。", "它留在计算图里。", "忘了就没有了。", "主意从哪里来", "主意"],
}  # fmt: skip


@pytest.fixture(scope="module")
def started(clone) -> Project:
    asked = [part for language, question in QUESTIONS.items() for part in (f"--{language}", question)]
    done = command(clone, "verbatim", "new", "autograd/my-idea", *asked)
    assert done.returncode == 0, done.stdout
    return clone


def test_what_is_left_to_write_is_all_that_is_told_of_a_new_recipe(started):
    done = command(started, "verbatim", "check", "autograd/my-idea")
    told = [
        line
        for line in done.stdout.splitlines()
        if line.startswith(("docs/", "examples/")) and "changed in" not in line
    ]
    assert done.returncode == 1 and told and all(": left to write: `" in line for line in told), done.stdout


@pytest.fixture(scope="module")
def recipe(started) -> Project:
    (started.root / SCRIPT).write_text(
        (started.root / SCRIPT).read_text().replace(placeholders.TITLE, "An idea has a sum.")
    )
    for name, language in ((EN, "en"), (ZH, "zh")):
        text = (started.root / name).read_text()
        for old, own in zip(NEW_PAGE[language].values(), WRITTEN[name], strict=True):
            text = text.replace(old, own)
        (started.root / name).write_text(text)
    assert command(started, "verbatim", "record", "autograd/my-idea").returncode == 0
    return started


def test_a_recipe_that_is_written_passes(recipe):
    done = command(recipe, "verbatim", "check")
    assert done.returncode == 0, done.stdout


def test_it_stands_in_both_languages(recipe):
    done = command(recipe, "mkdocs", "build", "--strict")
    assert done.returncode == 0, done.stdout
    for path in ("autograd/my-idea", "en/autograd/my-idea"):
        html = (recipe.root / "site" / path / "index.html").read_text()
        assert 'data-verbatim="autograd/my-idea#first-step"' in html and "tensor(3., grad_fn=" in html
    index = (recipe.root / "site/autograd/index.html").read_text()
    assert 'id="more"' in index and "my-idea/" in index  # nobody has put it into a section yet


#: Mistakes that are told together: each `check` takes seconds. Each: file, what stands there, the mistake, what is told.
MISTAKES = {
    "a script that fails, and pages": [
        (SCRIPT, "weight.sum()", "weight.summ()", f"{SCRIPT}:9: cell `first-step` raised AttributeError"),
        (ZH, "#setup", "#set-up", f"{ZH}:12: {SCRIPT} has no cell `set-up`\n  hint: did you mean `setup`?"),
        (EN, "{ #my-idea }", "", f"{EN}:16: the heading `How it comes` has no id"),
        (EN, "gone.", "gone: [leaf](laef.md).", f"{EN}:24: the link `laef.md` leads nowhere\n  hint: did you mean `leaf.md`?"),
        (ZH, "没有了", "没有了,用torch", f"{ZH}:24: write `"),
        (EN, "An idea comes", "Teh idea comes", f"{EN}:10: `Teh` is misspelt"),
    ],
    "no Python": [
        (SCRIPT, "print(weight.sum())", "print(weight.sum()", f"{SCRIPT}:9: syntax error in cell `first-step`"),
    ],
    "a header that promises what does not happen": [
        (SCRIPT, "# %% first-step", '# %% first-stop raises="ValueError"', 'declares raises="ValueError" but raises nothing'),
        (SCRIPT, "print(weight.sum())", "import warnings\n\nwarnings.warn('old')", "gave UserWarning: old"),
        (EN, "An idea comes", "An idea comes", f"{EN}:18: {SCRIPT} has no cell `first-step`"),
    ],
    "other code": [
        (SCRIPT, "weight.sum()", "  weight.mean( )", f"{SCRIPT}:9: the script is not in form"),
        (SCRIPT, "mean", "mean", f"{SCRIPT}:8: cell `first-step` is not the code that was recorded"),
    ],
}  # fmt: skip


@pytest.mark.parametrize("mistakes", MISTAKES.values(), ids=MISTAKES)
def test_mistakes_are_told_where_they_are(recipe, mistakes):
    sound = {file: (recipe.root / file).read_text() for file in (SCRIPT, ZH, EN)}
    written = dict(sound)
    for file, old, new, _ in mistakes:
        assert old in written[file]
        written[file] = written[file].replace(old, new, 1)
    for file, text in written.items():
        (recipe.root / file).write_text(text)
    try:
        done = command(recipe, "verbatim", "check", "autograd/my-idea")
        assert done.returncode == 1
        for *_, told in mistakes:
            assert told in done.stdout, done.stdout
    finally:
        for file, text in sound.items():
            (recipe.root / file).write_text(text)


def test_once_mistakes_are_mended_changed_code_is_approved_by_the_command_that_is_told(recipe):
    path = recipe.root / SCRIPT
    path.write_text(path.read_text().replace("weight.sum()", "weight.prod()"))
    told = command(recipe, "verbatim", "check", "autograd/my-idea").stdout
    line = next(line for line in told.splitlines() if "python -m verbatim record" in line)
    assert command(recipe, *line.partition("python -m ")[2].split()).returncode == 0
    assert command(recipe, "verbatim", "check").returncode == 0


def test_both_guides_are_short_steps_and_name_commands_that_exist():
    from verbatim.commands.arguments import parser

    commands = parser().format_help()
    targets = (ROOT / "Makefile").read_text()
    for name in ("CONTRIBUTING.md", ".github/CONTRIBUTING.zh.md"):
        text = (ROOT / name).read_text()
        assert len(text.splitlines()) <= 110
        assert all(len(line) <= 140 for line in text.splitlines() if not line.startswith("|"))  # no walls of text
        for word in ("new", "serve", "record", "check"):
            assert f"verbatim {word}" in text and word in commands
        named = set(re.findall(r"`make ([a-z-]+)", text))
        assert named >= {"serve", "check", "test", "lint", "ready", "hooks"}
        assert [target for target in named if f"\n{target}:" not in targets] == []


@pytest.mark.parametrize("ending", [".md", ".zh.md"])
def test_each_command_stands_in_a_guide_of_each_language(ending):
    from verbatim.commands.arguments import ALIASES, parser

    texts = [path.read_text(encoding="utf-8") for path in guides(ending)] + [(ROOT / "Makefile").read_text()]
    (choices,) = (action.choices for action in parser()._actions if isinstance(action, argparse._SubParsersAction))
    commands = {*choices} - {name for names in ALIASES.values() for name in names}
    assert [
        name for name in sorted(commands) if not re.search(rf"(?:`|verbatim |make ){name}\b", "\n".join(texts))
    ] == []


def guides(ending: str) -> list[Path]:
    """The guides of a language: `.md` of English, `.zh.md` of Chinese."""
    folder = {".md": ROOT, ".zh.md": ROOT / ".github"}[ending]
    return [folder / f"README{ending}", folder / f"CONTRIBUTING{ending}", ROOT / f".github/MAINTAINING{ending}"]


def test_the_table_of_what_one_may_add_names_what_is_there():
    from verbatim.commands.arguments import parser

    commands = parser().format_help()
    tables = []
    for guide in ("CONTRIBUTING.md", ".github/CONTRIBUTING.zh.md"):
        rows = (
            (ROOT / guide)
            .read_text()
            .partition("| --- | --- | --- | --- | --- |\n")[2]
            .partition("\n\n")[0]
            .splitlines()
        )
        tables.append([re.findall(r"`([^`]+)`", row) for row in rows])
    english, chinese = ([set(spans) for spans in table] for table in tables)
    assert len(english) > 5 and english == chinese
    for spans in tables[0]:
        paths = [place / span for span in spans for place in (ROOT, ROOT / "verbatim", ROOT / "verbatim/site/search")]
        known = "\n".join(path.read_text(encoding="utf-8") for path in paths if path.is_file()) + commands
        names = [span for span in spans if re.fullmatch(r"\w+", span)]
        assert [name for name in names if not re.search(rf"\b{name}\b", known)] == []


def test_each_file_that_the_guides_name_exists():
    for name in (
        "CONTRIBUTING.md",
        ".github/CONTRIBUTING.zh.md",
        ".github/MAINTAINING.md",
        ".github/MAINTAINING.zh.md",
        "design/folders.md",
    ):
        path = ROOT / name
        text = path.read_text()
        for target in re.findall(r"\]\(([^)#:]+)\)", text):
            assert (path.parent / target).is_file(), f"{name}: {target}"
        for file in re.findall(r"`((?:[\w.-]+/)+[\w.-]+\.(?:py|md|yml|html))`", text):
            engine = (ROOT, ROOT / "verbatim")
            assert "/C/R." in file or any((root / file).is_file() for root in engine), f"{name}: {file}"
