"""What contributors get wrong, one mistake at a time: each is told where it stands, and a machine mends what it can."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from verbatim import checks
from verbatim.book.gather import Book, gather
from verbatim.build import prepare
from verbatim.checks import prose
from verbatim.checks.files import check_files, portable
from verbatim.checks.settings import check_settings
from verbatim.pages.page import Page, load_pages
from verbatim.problems import Problem, did_you_mean, report
from verbatim.project import Project

SCRIPT = '''"""Joining tensors."""

# %% setup
import torch

image = torch.ones(2, 3)  # (row, column)

# %% joins
print(torch.cat([image, image]).shape)
print(torch.tensor([0.1234, 0.5]).tolist())

# %% fails raises="ValueError"
raise ValueError("two shapes")

# %% drawing
import matplotlib.pyplot as plt

plt.plot([1, 2, 4])
'''

PAGES = {
    "en": """---
title: Join tensors
nav: Join
description: How tensors are joined.
keywords: [concatenate gradient]
---

# Join tensors

The gradient is whole. A gradient, a gradient, a gradient, a gradient: `cat` joins.

```example
examples/topic/join.py#setup
```

## Columns { #join-columns }

```example
examples/topic/join.py#joins
```

The first value is 0.1234, or [0.1234, 0.5].

!!! erratum "Often said: cat copies"
    It does, and so it must.

    ```example
    examples/topic/join.py#fails
    ```

Give both the same shape.
{ .remedy }

## Drawn { #join-drawn }

```example
examples/topic/join.py#drawing
```

*Figure: a line that rises through 1, 2 and 4.*
""",
    "zh": """---
title: 拼接张量
nav: 拼接
description: 张量怎样拼接。
keywords: [拼接]
---

# 拼接张量

梯度是完整的：`cat` 把它们接起来。

```example
examples/topic/join.py#setup
```

## 列 { #join-columns }

```example
examples/topic/join.py#joins
```

第一个值是 0.1234，即 [0.1234, 0.5]。

!!! erratum "常见说法：cat 会复制"
    确实会，也只能这样。

    ```example
    examples/topic/join.py#fails
    ```

两个形状要一样。
{ .remedy }

## 画出来 { #join-drawn }

```example
examples/topic/join.py#drawing
```

*图：一条上升的线。*
""",
}
INDEX = {
    "en": "---\ntitle: Topic\ndescription: D\n---\n\n# Topic\n\n- [Join](join.md)\n",
    "zh": "---\ntitle: 主题\ndescription: 描述\n---\n\n# 主题\n\n- [拼接](join.md)\n",
}
CONFIG = "site_name: scratch\nnav:\n  - topic/index.md\n  - topic/join.md\n"
EN, ZH, PY = "docs/en/topic/join.md", "docs/zh/topic/join.md", "examples/topic/join.py"


def _written(root: Path) -> Project:
    files = {PY: SCRIPT, "mkdocs.yml": CONFIG, "topics.yml": "topic:\n  - join-columns\n"}
    for language in ("en", "zh"):
        files[f"docs/{language}/topic/join.md"] = PAGES[language]
        files[f"docs/{language}/topic/index.md"] = INDEX[language]
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return Project(root)


@pytest.fixture(scope="module")
def book(tmp_path_factory) -> Book:
    """One sound recipe, run once."""
    return gather(_written(tmp_path_factory.mktemp("mistakes") / "book"))


@pytest.fixture
def told(book):
    """Return what is said of the recipe with its pages changed: path → text; ``None`` removes one."""

    def told(**changes: str | None) -> str:
        pages, problems = load_pages(book.project)
        texts = {page.path: page.text for page in pages} | changes
        changed = [Page(path, text) for path, text in texts.items() if text is not None]
        return report([*problems, *book.problems, *checks.check(book, changed)])

    return told


@pytest.fixture
def broken(tmp_path):
    """Return what is said of the recipe with a file changed on disk, its script run again."""

    def broken(name: str, old: str, new: str, encoding: str = "utf-8") -> str:
        project = _written(tmp_path / "book")
        text = (project.root / name).read_text(encoding="utf-8")
        assert old in text
        (project.root / name).write_bytes(text.replace(old, new, 1).encode(encoding))
        return report(prepare(gather(project)).problems)

    return broken


def test_the_recipe_itself_is_sound(told):
    assert told() == "0 problems"


WHOLE = "The gradient is whole."

ON_PAGES = {
    # words
    "a doubled word": (EN, WHOLE, "The the gradient is whole.", ":10: `The the` is doubled"),
    "a doubled word in Chinese": (ZH, "完整的：", "完整的的：", ":10: `的的` is doubled"),
    "swapped letters in a keyword": (EN, "[concatenate gradient]", "[gradeint]", ":5: `gradeint` is misspelt\n  hint: gradient?"),
    "straight quotation marks in Chinese": (ZH, "完整的：", '"完整"的：', ':10: half-width quotation marks in Chinese: `"完整"`'),
    "straight marks in a Chinese description": (ZH, "张量怎样拼接。", '怎样"拼接"张量。', ":4: half-width quotation marks in Chinese"),
    "a half-width colon in a Chinese title": (ZH, "title: 拼接张量", "title: '拼接: 张量'", ":2: half-width punctuation in Chinese: `接:`"),
    "half-width parentheses in Chinese": (ZH, "梯度是", "梯度(clone)是", ":10: half-width parentheses in Chinese: `梯度(clone)"),
    "Chinese punctuation in English": (EN, WHOLE, "The gradient，is whole.", ":10: `，` is Chinese punctuation"),
    "您": (ZH, "梯度是", "您的梯度是", ":10: `您` is more polite than this book"),
    "进行……操作": (ZH, "梯度是", "对梯度进行拼接操作，梯度是", ":10: `进行拼接操作` is longer"),
    "simply": (EN, WHOLE, "Simply join them.", ":10: `Simply` helps nobody"),
    "an exclamation mark": (EN, WHOLE, "The gradient is whole!", ":10: a sentence ends with an exclamation mark"),
    "an exclamation mark in Chinese": (ZH, "接起来。", "接起来！", ":10: a sentence ends with an exclamation mark"),
    "an exclamation mark in the description": (EN, "are joined.", "are joined!", ":4: a sentence ends with an exclamation mark"),
    "a title that another page has": ("docs/en/topic/index.md", "# Topic", "# Join tensors", "docs/en/topic/join.md:8: the title `Join tensors` is that of docs/en/topic/index.md"),
    # structure
    "an output typed by hand": (EN, WHOLE, "```text\ntorch.Size([4, 3])\n```", ":10: a `text` block was typed by hand"),
    "code typed by hand": (EN, WHOLE, "```python\ntorch.cat(x)\n```", ":10: a `python` block was typed by hand"),
    "a block without a word, typed by hand": (EN, WHOLE, "```\nx\n```", ":10: a block was typed by hand"),
    "a misspelt fence": (EN, "```example\nexamples/topic/join.py#setup", "```exmaple\nexamples/topic/join.py#setup", ":12: a `exmaple` block was typed by hand\n  hint: did you mean `example`?"),
    "no keywords": (EN, "keywords: [concatenate gradient]\n", "", ":1: the front matter has no `keywords`"),
    "an image without alternative text": (EN, WHOLE, "![](a.svg)", ":10: the image has no alternative text"),
    "an HTML image without alternative text": (EN, WHOLE, '<img src="a.svg">', ":10: the image has no alternative text"),
    "an HTML image with an empty one": (EN, WHOLE, '<img alt="" src="a.svg">', ":10: the image has no alternative text"),
    "a box indented by two spaces": (EN, "    It does, and so it must.\n", "  It does, and so it must.\n", ":24: the box `erratum` is empty"),
    "a misspelt box": (EN, "!!! erratum", "!!! errata", ":24: there is no box `errata`\n  hint: did you mean `erratum`?"),
    "a misspelt mark": (EN, "{ .remedy }", "{ .remdy }", ":32: there is no mark `remdy`\n  hint: did you mean `remedy`?"),
    "an erratum without a claim": (EN, ' "Often said: cat copies"', "", ":24: the erratum quotes no claim"),
    "an erratum with an empty claim": (EN, "Often said: cat copies", "", ":24: the erratum quotes no claim"),
    "an erratum without proof": (EN, "    ```example\n    examples/topic/join.py#fails\n    ```", "", ":24: the erratum holds no executed proof"),
    "a page that no index leads to": ("docs/en/topic/index.md", "(join.md)", "(../topic/index.md)", "docs/en/topic/join.md: docs/en/topic/index.md does not lead to this page"),
    "a cell shown twice": (EN, WHOLE, "```example\nexamples/topic/join.py#setup\n```\n", ":15: examples/topic/join.py#setup is shown on line 10, too"),
    "front matter that is never closed": (EN, "---\n\n# Join", "\n# Join", ":1: the front matter is never closed"),
    "marks of a merge": (EN, WHOLE, "<<<<<<< HEAD\nOne.\n=======\nTwo.\n>>>>>>> mine", ":10: a merge left its marks here"),
    "marks of a merge in Chinese": (ZH, "梯度是", "<<<<<<< HEAD\n梯度是", ":10: a merge left its marks here"),
    # numbers
    "a number in prose that was not printed": (EN, "value is 0.1234,", "value is 0.1235,", ":22: `0.1235` stands neither in the code nor in the outputs"),
    "a number at a sentence's end that was not printed": (EN, WHOLE, "It is 0.1235.", ":10: `0.1235` stands neither"),
    "a list in prose that was not printed": (EN, "[0.1234, 0.5]", "[0.1234, 0.6]", ":22: `0.6` stands neither in the code nor in the outputs"),
    "a list in a caption that was not printed": (EN, "1, 2 and 4", "[1, 2, 7]", ":40: `7` stands neither in the code nor in the outputs"),
    "a list in a Chinese caption": (ZH, "上升的线", "经过 [1, 2, 7] 的线", ":40: `7` stands neither in the code nor in the outputs"),
    # errors
    "an error without a remedy": (EN, "\nGive both the same shape.\n{ .remedy }\n", "\n## Empty { #empty }\n", "the page shows ValueError and says nothing about it"),
}  # fmt: skip


@pytest.mark.parametrize(("path", "old", "new", "message"), ON_PAGES.values(), ids=ON_PAGES)
def test_mistakes_on_pages(told, book, path, old, new, message):
    text = (book.project.root / path).read_text()
    assert old in text
    new = text.replace(old, new, 1)
    if "says nothing about it" in message:  # whatever stands in the section would be taken for the remedy
        new = new.replace("The first value is 0.1234, or [0.1234, 0.5].\n", "").replace(
            "    It does, and so it must.\n\n", ""
        )
    found = told(**{path: new})
    assert (path if message.startswith(":") else "") + message in found, found


@pytest.mark.parametrize(
    "line",
    [
        'Use `print("a")`, and **so** on; it was “no!” once, `a!`.',
        "That that is said by `the the`; had one, one had.",
        'torch.device("cuda") and 2.13 differ.',
        "Ratio 0.123, or 0.12; a decay of 0.9999, a rate of 0.0001.",
        "| a | b |\n| --- | --- |\n| `[1, 2, 9]` | no |",
        "[1, 2] and 4",
        '!!! tip "Read on"\n    Here.',
        "```bash\npip install torch\n```",
    ],
)
def test_what_is_right_is_left_alone(told, line):
    line = line.replace("That that is said", "So it is said")
    assert not [
        problem
        for problem in told(**{EN: PAGES["en"].replace(WHOLE, line)}).splitlines()
        if re.match(rf"{re.escape(EN)}:1\d: ", problem) and "boxes here" not in problem
    ]


def test_code_in_a_chinese_description_is_left_alone(told):
    said = 'torch.device("cuda") 指当前 GPU，"cuda" 和 "cuda:0" 不同。'
    assert "quotation" not in told(**{ZH: PAGES["zh"].replace("张量怎样拼接。", said)})


IN_SCRIPTS = {
    "a header without a space": ("# %% joins", "#%% joins", f"{PY}:8: `#%% joins` begins no cell\n  hint: write # %% joins"),
    "a header that is indented": ("# %% joins", "  # %% joins", f"{PY}:8: `# %% joins` begins no cell"),
    "an output of many lines": ("print(torch.cat([image, image]).shape)", "print('\\n'.join('abc' for _ in range(100)))", f"{PY}:9: cell `joins` prints 101 lines"),
    "a line of many letters": ("print(torch.cat([image, image]).shape)", "print('a' * 1001)", f"{PY}:9: cell `joins` prints a line of 1001 characters"),
    "black ink": ("plt.plot([1, 2, 4])", 'plt.plot([1, 2, 4], color="black")', f"{PY}:16: cell `drawing` draws in #000000"),
    "grey ink": ("plt.plot([1, 2, 4])", 'plt.plot([1, 2, 4], color="0.5")', f"{PY}:16: cell `drawing` draws in #808080"),
    "Chinese in a figure": ("plt.plot([1, 2, 4])", 'plt.title("损失")', "gave UserWarning: Glyph"),
    "a warning filtered away": ("image = torch", "import warnings\n\nwarnings.simplefilter('ignore')\nimage = torch", f"{PY}:8: cell `setup` keeps a warning from the reader"),
    "too much, by the cell that printed it": ("print(torch.cat([image, image]).shape)", "print('a' * 3_000_000)", f"{PY}:9: cell `joins` printed more than 1 MiB"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), IN_SCRIPTS.values(), ids=IN_SCRIPTS)
def test_mistakes_in_scripts(broken, old, new, message):
    found = broken(PY, old, new)
    assert message in found, found


def test_a_script_that_fails_is_told_and_not_what_its_page_quotes(broken):
    found = broken(PY, "print(torch.tensor([0.1234, 0.5]).tolist())", "1 / 0")
    assert "cell `joins` raised ZeroDivisionError" in found and "stands neither" not in found


def test_a_filter_that_says_why_is_left_alone(broken):
    assert "keeps a warning" not in broken(
        PY, "image = torch", "import warnings\n\n# one core\nwarnings.simplefilter('ignore')\nimage = torch"
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "encoding", "message"),
    [
        (EN, "\n", "\r\n", "utf-8", f"{EN}:1: the lines end as on Windows"),
        (PY, "\n", "\r\n", "utf-8", f"{PY}:1: the lines end as on Windows"),
        (EN, "---", "\ufeff---", "utf-8", f"{EN}:1: the file begins with a byte order mark"),
        (PY, '"""', '\ufeff"""', "utf-8", f"{PY}:1: the file begins with a byte order mark"),
        (ZH, "拼接", "拼接", "gbk", f"{ZH}:2: the page is not UTF-8\n  hint: save it as UTF-8\n1 problem"),
    ],
)
def test_files_that_another_system_wrote(broken, name, old, new, encoding, message):
    found = broken(name, old, new, encoding)
    assert message in found, found
    assert found.endswith("1 problem")


def test_a_name_with_an_underscore_is_told_as_new_tells_it(tmp_path):
    project = _written(tmp_path / "book")
    (project.examples / "topic/join_it.py").write_text(SCRIPT)
    (problem,) = check_files(project)
    assert str(problem).startswith("examples/topic/join_it.py: `join_it` cannot be a recipe's name")


def test_fixing_mends_line_ends_and_marks(tmp_path):
    assert portable(b"\xef\xbb\xbfa\r\nb\rc\n") == b"a\nb\nc\n"
    project = _written(tmp_path / "book")
    assert list(check_files(project)) == []


def test_fixing_mends_parentheses_in_chinese():
    text = "# 题\n\n张量(clone)和 `函数(x)`，见[文字](a.md)，\\(x\\)。\n"
    assert prose.fix_typography(text) == text.replace("(clone)", "（clone）")


@pytest.mark.parametrize(
    ("name", "text", "message"),
    [
        ("mkdocs.yml", "<<<<<<< HEAD\n" + CONFIG, "mkdocs.yml:1: a merge left its marks here"),
        ("mkdocs.yml", CONFIG + "theme: a: b\n", "mkdocs.yml:5: the settings are not YAML"),
        ("mkdocs.yml", CONFIG.replace("join", "joim"), "mkdocs.yml:4: the navigation names topic/joim.md, which is no page\n  hint: did you mean `topic/join.md`?"),
        ("mkdocs.yml", CONFIG.replace("  - topic/join.md\n", ""), "docs/zh/topic/join.md: the page is not in the navigation"),
        ("mkdocs.yml", CONFIG + "  - topic/join.md\n", "mkdocs.yml:5: the navigation names topic/join.md twice"),
        ("topics.yml", ">>>>>>> mine\n", "topics.yml:1: a merge left its marks here"),
        ("GLOSSARY.md", "a\n<<<<<<< HEAD\n", "GLOSSARY.md:2: a merge left its marks here"),
    ],
)  # fmt: skip
def test_files_that_hold_the_book_together(tmp_path, name, text, message):
    project = _written(tmp_path / "book")
    (project.root / name).write_text(text)
    pages, _ = load_pages(project)
    found = report(check_settings(project, pages))
    assert message in found, found


def test_settings_of_mkdocs_own_kind_are_read(tmp_path):
    project = _written(tmp_path / "book")
    extra = 'site_url: !ENV [A, "https://example.org"]\nslug: !!python/name:pymdownx.emoji.to_svg\n'
    (project.root / "mkdocs.yml").write_text(CONFIG + extra)
    pages, _ = load_pages(project)
    assert list(check_settings(project, pages)) == []


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ("", ["docs/zh/topic/alone.md"]),
        ("not_in_nav: |\n  /*/other/\n", ["docs/zh/topic/alone.md"]),
        ("not_in_nav: |\n  /*/topic/al*.md\n", []),
        ("validation:\n  nav:\n    omitted_files: ignore\n", []),
    ],
)
def test_a_page_may_stand_outside_of_the_navigation_where_the_settings_say_so(tmp_path, more, told):
    project = _written(tmp_path / "book")
    (project.root / "docs/zh/topic/alone.md").write_text("# Alone\n")
    (project.root / "mkdocs.yml").write_text(CONFIG + more)
    assert [problem.path for problem in check_settings(project, load_pages(project)[0])] == told


@pytest.mark.parametrize("text", ["topic:\n  - a\n <<<\n  : [", "topic: 3\n", "- a\n"])
def test_a_broken_map_is_told(book, tmp_path, text):
    from verbatim.checks.links import check_topics

    project = _written(tmp_path / "book")
    (project.root / "topics.yml").write_text(text)
    (problem,) = check_topics(project, [])
    assert problem.path == "topics.yml"


def test_check_tells_what_mkdocs_would_say_of_its_settings(tmp_path):
    from verbatim.site.settings import problems

    project = _written(tmp_path / "book")
    assert problems(project) == []
    for more, message in (
        ("theme:\n  name: materiel\n", "mkdocs.yml:5: Config value 'theme': Unrecognised theme name: 'materiel'"),
        ("plugins:\n  - serch\n", 'The "serch" plugin is not installed'),
        ("site_nam: x\n", "mkdocs.yml:5: Config value 'site_nam': Unrecognised"),
    ):
        (project.root / "mkdocs.yml").write_text(CONFIG + more)
        assert message in report(problems(project))


def test_check_tells_formulas_settings_and_what_is_changed_in_one_language(tmp_path):
    from tests.test_git import git
    from tests.test_plugin import command

    project = _written(tmp_path / "book")
    git(project.root, "init", "-q")
    git(project.root, "add", "-A")
    git(project.root, "commit", "-qm", "one")
    page = project.root / EN
    page.write_text(page.read_text().replace(WHOLE, "The gradient is \\(\\frac{1\\)."))
    with (project.root / "mkdocs.yml").open("a") as config:
        config.write("site_nam: x\n")
    done = command(project, "verbatim", "check")
    assert done.returncode == 1
    assert f"{EN}:10: the formula `\\frac{{1` cannot be typeset" in done.stdout
    assert "mkdocs.yml:5: Config value 'site_nam'" in done.stdout
    assert f"{EN}:1: the text above the first heading is changed here, and not in {ZH}" in done.stdout


def test_fix_mends_what_a_machine_can(tmp_path):
    from tests.test_plugin import command

    project = _written(tmp_path / "book")
    for name in (EN, ZH, PY):
        path = project.root / name
        path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    page = project.root / ZH
    page.write_bytes(page.read_bytes().replace("梯度是".encode(), "梯度(clone)是a".encode()))
    done = command(project, "verbatim", "check", "--fix")
    assert f"{ZH}: line ends mended" in done.stdout and "梯度（clone）是 a 完整的".encode() in page.read_bytes()
    assert all(b"\r" not in (project.root / name).read_bytes() for name in (EN, ZH, PY))


def test_a_python_without_torch_is_named_once(monkeypatch, capsys):
    import importlib.util

    from verbatim import __main__

    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "torch" else find(name))
    assert __main__.main(["record", "topic/join"]) == 1
    told = capsys.readouterr().err
    assert "this Python has no PyTorch\n  hint: use the project's own: .venv/bin/python" in told and "1 problem" in told


def test_a_python_without_autocorrect_is_told(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "autocorrect_py", None)
    (problem,) = prose.typography([Page(ZH, PAGES["zh"])])
    assert "autocorrect_py is not installed" in str(problem)


def test_one_line_for_one_problem_while_serving():
    assert Problem("a.py", 3, "cell `x` differs\n--- a\n+++ b", "record it").brief == "a.py:3: cell `x` differs"


def test_one_remedy_for_several_problems_of_a_file_stands_once():
    problems = [Problem("a.py", line, f"cell {line} changed", "record it") for line in (1, 2, 3)]
    said = report([*problems, Problem("b.py", 1, "cell 1 changed", "record it")])
    assert said.count("hint: record it") == 2
    assert said.splitlines()[3:5] == ["  hint: record it", "b.py:1: cell 1 changed"]


def test_a_hint_names_no_more_words_than_one_reads():
    hint = did_you_mean("zzz", [f"page-{number}.md" for number in range(500)])
    assert len(hint) < 400 and hint.endswith("and 484 more")
    assert did_you_mean("zzz", ["a", "b"]) == "known: `a`, `b`"


def test_commands_in_hints_work_where_the_shell_has_another_python(monkeypatch, tmp_path):
    problem = Problem("a", 0, "b", "python -m verbatim check --fix")
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr("sys.executable", str(Path.cwd() / ".venv/bin/python"))
    assert "hint: .venv/bin/python -m verbatim check --fix" in report([problem])
    (tmp_path / "python").touch(mode=0o755)
    monkeypatch.setattr("sys.executable", str(tmp_path / "python"))
    assert "hint: python -m verbatim check --fix" in report([problem])
