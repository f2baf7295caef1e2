"""Every mistake of a page or a script is told with its place and its remedy."""

from __future__ import annotations

import re

import pytest

from verbatim import checks
from verbatim.book.gather import gather
from verbatim.checks import languages
from verbatim.pages.page import Page, load_pages

SCRIPT = '''
"""T."""

# %% setup
import torch

# %% shares-storage
print(torch.ones(1))  # (1)!

# %% proof hidden=true
assert True
'''

PAGE = """
---
title: Title
description: D
---

# Title

```example
examples/topic/a.py#setup
```

## Part { #part }

```example
examples/topic/a.py#shares-storage
```

1.  A note.

[part](#part), [other](b.md#there), [web](https://pytorch.org/)
"""

OTHER = "---\ntitle: Other\ndescription: D\n---\n\n# Other\n\n## There { #there }\n"


@pytest.fixture
def told(project, write):
    """Write a sound project with one change; return what `check` says."""

    def told(**changes: str) -> list[str]:
        files = {
            "examples/topic/a.py": SCRIPT,
            "docs/zh/topic/a.md": PAGE,
            "docs/en/topic/a.md": PAGE,
            "docs/zh/topic/b.md": OTHER,
            "docs/en/topic/b.md": OTHER,
        }
        for old, new in changes.pop("replace", []):
            files["docs/en/topic/a.md"] = files["docs/en/topic/a.md"].replace(old, new)
        for name, text in {**files, **changes}.items():
            if text is not None:
                write(name, text)
        book = gather(project)
        pages, problems = load_pages(project)
        return [str(p) for p in sorted(problems + book.problems + checks.check(book, pages))]

    return told


def test_a_sound_project_has_no_problem(told):
    assert told() == []


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "a.py#shares-storage",
            "a.py#share-storage",
            "docs/en/topic/a.md:14: examples/topic/a.py has no cell `share-storage`\n  hint: did you mean `shares-storage`?",
        ),
        (
            "topic/a.py#setup",
            "topic/aa.py#setup",
            "docs/en/topic/a.md:8: there is no script `examples/topic/aa.py`\n  hint: did you mean",
        ),
        ("a.py#setup", "a.py#proof", "examples/topic/a.py hides the cell `proof`"),
        (
            "{ #part }",
            "{ #prat }",
            "docs/en/topic/a.md:12: 1 headings here, 1 in docs/zh/topic/a.md; missing: `## part`; only here: `## prat`",
        ),
        (
            "title: Title",
            "title: Titel",
            "docs/en/topic/a.md:6: the heading `Title` is not the front matter's title `Titel`",
        ),
        (
            "title: Title",
            "title: Title\nnav: A title that is longer than a line",
            "docs/en/topic/a.md:3: `nav` is too long for the navigation",
        ),
        (
            "A note.",
            'A note.\n\n!!! erratum "Often said: no"\n    See above.',
            "docs/en/topic/a.md:20: the erratum holds no executed proof",
        ),
        (
            "A note.",
            'A note.\n\n!!! erratum "Often said: no"\n    See above.',
            "docs/en/topic/a.md:20: the erratum's first paragraph points to “above”",
        ),
        (
            "A note.",
            'A note.\n\n!!! erratum "Often said: no"\n    So it is:',
            "docs/en/topic/a.md:20: the erratum's first paragraph ends with a colon",
        ),
        *(
            ("A note.", f"A note.\n\n{html}", f"docs/en/topic/a.md:20: {message}")
            for html, message in {
                '<script src="evil.js"></script>': "the element `<script>` is not allowed in a page",
                '<meta http-equiv="refresh" content="0">': "the element `<meta>` is not allowed in a page",
                "<iframe></iframe>": "the element `<iframe>` is not allowed in a page",
                '<a href="x" onclick="y()">z</a>': "the attribute `onclick` of `<a>` is not allowed in a page",
                '<a href=" JavaScript:y()">z</a>': "the address ` JavaScript:y()` of `<a>` is a program",
                "[z](javascript:y())": "the link `javascript:y(` is a program",
                '<img src="verbatim:x" alt="x">': "the address `verbatim:x` of `<img>` is one that the build alone writes",
                "[x](verbatim:x)": "the address `verbatim:x` is one that the build alone writes",
                "![x](verbatim:x)": "the address `verbatim:x` is one that the build alone writes",
                "![x](javascript:y)": "the link `javascript:y` is a program",
                "![x](gone.svg)": "the link `gone.svg` leads nowhere",
                "![x](https://example.org/x.png 'X')": "the image `https://example.org/x.png` comes from another place",
                "![x](//example.org/x.png)": "the image `//example.org/x.png` comes from another place",
                '<img src="HTTPS://example.org/x.png" alt="x">': "the address `HTTPS://example.org/x.png` of `<img>` comes",
                "\ue0007i\ue001": "U+E000 is a character of private use",
                "<?php x ?>": "the instruction `<?php x ?>` is not allowed in a page",
            }.items()
        ),
        ("A note.", 'A note.\n{ onclick="y()" }', "docs/en/topic/a.md:19: the attribute `onclick` is not allowed"),
        *(
            (
                "title: Title",
                f"title: {title}",
                f"docs/en/topic/a.md:1: `{sign}` in the front matter's `title` would be",
            )
            for title, sign in {
                "</title><script src=x.js></script>": "<",
                "a &lt;script&gt;": "&lt;",
                "a &#60;script": "&#60;",
            }.items()
        ),
        ("## Part { #part }", "## Part", "docs/en/topic/a.md:12: the heading `Part` has no id"),
        (
            "(b.md#there)",
            "(b.md#three)",
            "docs/en/topic/b.md has no heading `#three`\n  hint: did you mean `there`?",
        ),
        ("(b.md#there)", "(bb.md)", "the link `bb.md` leads nowhere\n  hint: did you mean `b.md`?"),
        ("(b.md#there)", "(/en/topic/b/)", "breaks where the site lies in a sub-folder"),
        ("1.  A note.", "", "a.py#shares-storage has 1 annotations, 0 texts stand below it"),
        ("description: D\n", "", "the front matter has no `description`"),
        ("title: Title", "title: a: b", "docs/en/topic/a.md:2: the front matter is not YAML"),
        (
            "title: Title",
            "title: Title\nkeywords: clear",
            "docs/en/topic/a.md:3: `keywords` in the front matter is not a list",
        ),
        (
            "title: Title",
            "title: Title\nkeywords: [clear, 3]",
            "docs/en/topic/a.md:3: `keywords` in the front matter is not a list",
        ),
        ("# Title\n", "", "0 headings of level 1"),
        ("# Title\n", "# Title\n\n# Two\n", "2 headings of level 1"),
        (
            "## Part { #part }",
            "## Part { #part }\n\n## Part { #part }",
            "the id `part` stands on line 12, too",
        ),
    ],
)
def test_mistakes_of_a_page(told, old, new, message):
    assert any(message in problem for problem in told(replace=[(old, new)])), told(replace=[(old, new)])


def test_a_page_without_its_twin(told, project, write):
    write("docs/zh/topic/alone.md", OTHER)
    assert told() == [
        "docs/zh/topic/alone.md: docs/en/topic/alone.md is missing\n  hint: write the page in both languages"
    ]


def test_embeds_in_another_number_and_order(told):
    fewer = told(replace=[("```example\nexamples/topic/a.py#setup\n```\n", "")])
    assert any("1 embeds here, 2 in docs/zh/topic/a.md; missing: `examples/topic/a.py#setup`" in p for p in fewer)


def test_a_cell_that_no_page_shows(told):
    (problem,) = told(**{"examples/topic/a.py": SCRIPT.replace(" hidden=true", "")})
    assert problem.startswith("examples/topic/a.py:9: no page shows the cell `proof`")


def test_a_script_that_no_page_shows(told):
    (problem,) = told(**{"examples/topic/lost.py": '"""T."""\n# %% a\nx = 1'})
    assert problem.startswith("examples/topic/lost.py: no page shows this script")
    assert "python -m verbatim new topic/lost" in problem


def test_a_figure_without_alternative_text(told):
    draws = SCRIPT.replace("print(torch.ones(1))  # (1)!", "import matplotlib.pyplot as plt\nplt.plot([1])  # (1)!")
    found = told(**{"examples/topic/a.py": draws})
    assert [p.split(":")[0] for p in found] == ["docs/en/topic/a.md", "docs/zh/topic/a.md"]
    assert "has no alternative text" in found[0] and "*Figure: …*" in found[0] and "*图：……*" in found[1]


def test_a_record_without_its_script(told, write):
    write("outputs/cpu/topic/gone.ipynb", "{}")
    assert told() == [
        "outputs/cpu/topic/gone.ipynb: the script of this record is gone\n  hint: remove it: python -m verbatim record"
    ]


def test_everything_is_told_at_once(told):
    found = told(
        replace=[("a.py#setup", "a.py#stup"), ("{ #part }", ""), ("b.md#there", "c.md")],
        **{"examples/topic/broken.py": '"""T."""\n# %% a\nx = ('},
    )
    assert len(found) >= 4


@pytest.mark.parametrize(
    ("added", "message"),
    [
        ("!!! note\n    x\n", "1 boxes here, 0 in docs/zh/topic/a.md; only here: `note`"),
        ("\\(x^2\\)\n", "1 formulas here, 0 in docs/zh/topic/a.md; only here: `x^2`"),
        ("[b](b.md)\n", "3 links here, 2 in docs/zh/topic/a.md; only here: `b.md`"),
    ],
)
def test_boxes_formulas_and_links_belong_to_the_skeleton(told, added, message):
    (problem,) = told(**{"docs/en/topic/a.md": PAGE + "\n" + added})
    assert message in problem


def test_a_tree_of_one_language_needs_no_twins():
    page = Page("docs/en/topic/a.md", OTHER)
    assert list(languages.check_twins([page])) == []
    assert [p.path for p in languages.check_twins([page, Page("docs/zh/index.md", OTHER)])] == [
        page.path,
        "docs/zh/index.md",
    ]


def test_html_in_code_and_harmless_html_are_left_alone(told):
    text = 'A note.\n\n`<script>` <kbd>Ctrl</kbd> <https://pytorch.org/> <a href="b.md" class="x">b</a>\n\n```html\n<script></script>\n```'
    assert not [p for p in told(replace=[("A note.", text)]) if "not allowed" in p]


def test_links_and_names_that_do_not_travel_are_told(told, project, write):
    write("docs/assets/secret", "x").unlink()
    (project.root / "docs/assets/secret").symlink_to("/etc/hostname")
    write("examples/topic/json.py", SCRIPT)
    write("examples/topic/Two Words.py", SCRIPT)
    write('examples/topic/q" onload="x.py', SCRIPT)
    write("examples/topic/_Help.txt", "x")
    write("examples/topic/_help.txt", "x")
    write("examples/topic/b.py", SCRIPT + "# \ue000\n")
    write("docs/assets/aux.svg", "<svg/>")
    found = "\n".join(told())
    assert "docs/assets/secret: this is a symbolic link" in found
    assert "examples/topic/json.py: the script hides the module `json`" in found
    assert "examples/topic/Two Words.py: `Two Words` cannot be a recipe's name" in found
    assert "docs/assets/aux.svg: Windows cannot hold a file of this name" in found
    assert 'examples/topic/q" onload="x.py: `q" onload="x` cannot be a recipe\'s name' in found
    if not (project.root / "examples/topic/_HELP.txt").exists():  # a file system that can hold both
        assert (
            "examples/topic/_help.txt: it differs from examples/topic/_Help.txt by upper and lower case alone" in found
        )
    assert re.search(r"examples/topic/b\.py:\d+: U\+E000 is a character of private use", found)


def test_a_project_inside_of_another_may_share_its_files(told, project, tmp_path):
    (project.root / "docs/assets").mkdir(exist_ok=True)
    around = project.root.parent
    (around / "docs/assets").mkdir(parents=True)
    (project.root / "docs/assets/shared").symlink_to("../../../docs/assets")
    assert "docs/assets/shared: this is a symbolic link" in "\n".join(told())
    (around / "mkdocs.yml").touch()
    assert "docs/assets/shared" not in "\n".join(told())
    (project.root / "docs/assets/secret").symlink_to("/etc/hostname")
    assert "docs/assets/secret: this is a symbolic link" in "\n".join(told())
