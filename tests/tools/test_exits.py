"""The check of the exits sees what it is for: each fault is put into a small site by hand."""

from __future__ import annotations

from pathlib import Path

import pytest

from scripts.exits.__main__ import differences
from scripts.exits.facts import Built, check
from verbatim.book.records import write as write_record
from verbatim.pages.page import load_pages
from verbatim.project import Project
from verbatim.run.result import CellResult, Result
from verbatim.run.script import parse

URL = "https://example.org/"

SOURCE = """
---
title: T
description: D
---

# T

A formula: \\(x\\).

```example
examples/topic/a.py#first
```
"""

HTML = """<!doctype html>
<html lang="{language}"><head>
<link rel="stylesheet" href="{up}style.css"><link rel="canonical" href="https://example.org/{own}">
</head><body><h1 id="t">T</h1><a href="{other}">other</a> <a href="#t">here</a> <a href="https://pytorch.org/">there</a>
<p>A formula: <span class="arithmatex">\\(x\\)</span>.</p>
<pre><code>print(0.5)</code></pre>
<div class="verbatim highlight" data-verbatim="topic/a#first" data-device="cpu"><span class="filename">Output</span>
<pre><code>tensor(<span>0.5000001</span>) &lt;a&gt;
</code></pre></div>
<div class="verbatim highlight" data-verbatim="topic/a#first" data-device="cpu" data-torch="1.13.1">
<pre><code>tensor(0.7)
</code></pre></div></body></html>
"""


@pytest.fixture
def site(project: Project, write) -> Path:
    path = write("examples/topic/a.py", '"""T."""\n# %% first\nprint("tensor(0.5000000) <a>")\n')
    for language in ("zh", "en"):
        write(f"docs/{language}/topic/a.md", SOURCE)
    script = parse(path.read_text(), "examples/topic/a.py")
    printed = {"output_type": "stream", "name": "stdout", "text": "tensor(0.5000000) <a>\n"}
    write_record(project, script, Result(script.path, (CellResult("first", (printed,)),)))
    write("site/style.css", "p { background: url(data:image/png;base64,AA==) }\n")
    zh = HTML.format(language="zh-CN", up="../../", own="topic/a/", other="../../en/topic/a/")
    en = HTML.format(language="en", up="../../../", own="en/topic/a/", other="../../../topic/a/")
    write("site/topic/a/index.html", zh)
    write("site/en/topic/a/index.html", en)
    return project.root / "site"


def told(project: Project, site: Path) -> str:
    pages, _ = load_pages(project)
    problems, _ = check(project, pages, Built(site, URL))
    return "\n".join(map(str, problems))


def test_a_sound_site_passes_and_is_counted(project, site):
    pages, _ = load_pages(project)
    problems, count = check(project, pages, Built(site, URL))
    assert problems == []
    assert str(count) == "1 en, 1 zh; 2 outputs, 0 figures, 2 formulas, 8 links"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('lang="en"', 'lang="zh"', "its language is `zh`"),
        ("<h1", "<p", "0 titles"),
        ('class="arithmatex"', "", "1 formulas are written, 0 are shown"),
        ("<p>A", "<p>!!! note", "Markdown was left as it is: `!!! n`"),
        ("<p>A", "<p>{ #anchor }", "Markdown was left as it is: `{ #anchor`"),
        ("0.5000001", "0.6", "`topic/a#first` prints (cpu) is not what was approved"),
        ('data-verbatim="topic/a#first"', "", "`topic/a#first` prints (cpu) is not shown"),
        ('href="#t"', 'href="#gone"', "leads to a section that is not there"),
        ('href="#t"', 'href="../b/"', "leads nowhere"),
        ('href="#t"', 'href="https://example.org/b/"', "leads nowhere"),
        ('<a href="../../../topic/a/">', "<a>", "no link leads to /topic/a/"),
        ('href="../../../style.css"', 'href="https://cdn.example.com/a.css"', "from elsewhere"),
        ("<p>A", '<img src="//cdn.example.com/a.png"><p>A', "from elsewhere"),
        ("<p>A", "<style>@import 'https://cdn.example.com/a.css'</style><p>A", "a style of the page loads"),
    ],
)
def test_a_fault_of_a_page_is_told(project, site, old, new, message):
    page = site / "en/topic/a/index.html"
    assert old in page.read_text()
    page.write_text(page.read_text().replace(old, new, 1))
    found = told(project, site)
    assert message in found and "docs/en/topic/a.md" in found and "docs/zh" not in found


def test_a_page_that_is_missing_and_a_style_from_elsewhere_are_told(project, site):
    (site / "en/topic/a/index.html").unlink()
    (site / "style.css").write_text("@font-face { src: url('https://cdn.example.com/a.woff2') }")
    found = told(project, site)
    assert "the site has no page at /en/topic/a/" in found
    assert "style.css: it loads `url('https://cdn.example.com/a.woff2`" in found


def test_two_sites_are_compared_file_by_file(tmp_path, capsys):
    for name, generator, rest in (("a", "mkdocs-1.6.1", "x"), ("b", "properdocs-1.6.7", "y")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "same.html").write_text(f'<meta name="generator" content="{generator}">')
        (tmp_path / name / "page.html").write_text(rest)
        (tmp_path / name / f"{name}.txt").write_text("")
    found = [str(problem) for problem in differences(tmp_path / "a", tmp_path / "b")]
    assert found == [
        "a.txt: only MkDocs makes this file",
        "b.txt: only ProperDocs makes this file",
        "page.html: MkDocs and ProperDocs make it differently",
    ]
    assert "4 files, 3 other" in capsys.readouterr().out
