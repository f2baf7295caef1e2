"""The ways of building that are compared: what each reads, how it is started, what its pages show."""

from __future__ import annotations

import html
import json
import re
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from scripts.benchmarks.corpus import Page
from verbatim.project import write_if_changed as put

#: Page → what each of its cells prints.
Printed = Mapping[str, Sequence[str]]

#: What pages look like is the same for all that build with MkDocs.
MKDOCS = """
site_name: Corpus
site_url: https://example.org/
exclude_docs: README.md
theme: {name: material, font: false}
validation: {nav: {omitted_files: ignore}, links: {unrecognized_links: ignore}}
nav:
  - index.md
markdown_extensions:
  - admonition
  - attr_list
  - tables
  - toc: {permalink: true}
  - pymdownx.details
  - pymdownx.highlight: {anchor_linenums: false, pygments_lang_class: true}
  - pymdownx.inlinehilite
  - pymdownx.superfences
  - pymdownx.tabbed: {alternate_style: true}
"""


class Way:
    """One way of turning scripts into outputs or pages."""

    key: str
    package = ""
    """Whose version the table shows."""
    installed = False
    """Whether `make bench` installs the package apart, below `build/benchmarks/`; else it is the project's own."""
    pages = True
    """Whether it makes pages; else it only runs scripts, and every run is a cold one."""
    runs = True
    """Whether it runs scripts; else it is given their outputs."""
    most = 1000
    """The most scripts that it is measured with."""

    def write(self, folder: Path, pages: Sequence[Page], printed: Printed) -> None:
        """Write what pages are made from, where it is not there yet."""
        raise NotImplementedError

    def command(self, python: str) -> list[str]:
        """Return what builds everything in the folder."""
        return [python, "-m", "mkdocs", "build", "--quiet"]

    def shows(self, folder: Path, page: Page) -> list[str] | None:
        """Return the output lines that stand on a page; nothing for a way whose outputs are not compared.

        Raises:
            OSError: The page is not there.
        """
        raise NotImplementedError


def lines(text: str) -> list[str]:
    """Return the lines of a text that are not blank, without blanks at their ends.

    How a way cuts a cell's output into blocks, and which blank lines it keeps, is its own business.
    """
    return [line.rstrip() for line in text.splitlines() if line.strip()]


def outputs(page: str, marker: str) -> list[str]:
    """Return the output lines of a page of HTML that has outputs in `<div class="marker …"> … <pre>`."""
    blocks = re.findall(rf'<div class="[^"]*\b{marker}\b[^"]*".*?<pre[^>]*>(.*?)</pre>', page, re.DOTALL)
    return [line for block in blocks for line in lines(html.unescape(re.sub(r"<[^>]+>", "", block)))]


# -- MkDocs ---------------------------------------------------------------------------------------


def _index(pages: Sequence[Page]) -> str:
    links = [f"- [{page.title}]({page.name}.md)\n" for page in pages]
    # this project refuses a paragraph that takes long to parse
    paragraphs = "\n".join("".join(links[at : at + 100]) for at in range(0, len(links), 100))
    return f"---\ntitle: Corpus\ndescription: Every page.\n---\n\n# Corpus\n\n{paragraphs}"


def _markdown(page: Page, blocks: Sequence[str]) -> str:
    """Return a page for Python-Markdown; the blocks stand for its cells."""
    meta = {"title": page.title, "nav": f"{page.title[:18].rstrip()} {page.name[-4:]}", "description": page.title}
    head = "".join(f'{key}: "{value}"\n' for key, value in meta.items())
    cells = (
        f"## {part.heading} {{ #{part.name} }}\n\n{part.text}\n\n{block}\n"
        for part, block in zip(page.parts, blocks, strict=True)
    )
    return f"---\n{head}---\n\n# {page.title}\n\n{page.intro}\n\n" + "\n".join(cells)


class MkDocs(Way):
    """What the ways share that build with MkDocs and Material."""

    settings = "plugins: [search]\n"
    docs = "docs"
    marker = "language-text"

    def write(self, folder: Path, pages: Sequence[Page], printed: Printed) -> None:
        put(folder / "mkdocs.yml", MKDOCS + self.settings)
        put(folder / self.docs / "index.md", _index(pages))
        for page in pages:
            put(folder / self.docs / f"{page.name}.md", _markdown(page, self.blocks(page, printed.get(page.name, ()))))

    def blocks(self, page: Page, printed: Sequence[str]) -> list[str]:
        """Return what stands for each cell of a page."""
        raise NotImplementedError

    def shows(self, folder: Path, page: Page) -> list[str]:
        return outputs((folder / "site" / page.name / "index.html").read_text(encoding="utf-8"), self.marker)


class Plain(MkDocs):
    """The floor of rendering: the same pages with the outputs pasted in."""

    key, package = "plain", "mkdocs"
    runs = False

    def blocks(self, page: Page, printed: Sequence[str]) -> list[str]:
        pairs = zip(page.parts, map(str.rstrip, printed), strict=True)
        return [f"```python\n{part.source}\n```\n" + f"\n```text\n{text}\n```\n" * bool(text) for part, text in pairs]


class ThisProject(MkDocs):
    """The repository's engine with its own frame, notebook views, downloads and search."""

    key = "this"
    docs = "docs/en"
    marker = "verbatim-output"

    def __init__(self, root: Path):
        self.root = root
        self.settings = f"""
theme: {{name: material, font: false, language: en, custom_dir: {root / "overrides"},
  favicon: assets/favicon.svg, logo: assets/favicon.svg}}
extra: {{repository: 'https://example.org/corpus', branch: main}}
extra_css: [assets/site.css]
extra_javascript: [assets/page.js]
plugins:
  - verbatim
  - i18n:
      docs_structure: folder
      fallback_to_default: false
      reconfigure_search: false
      languages: [{{locale: en, name: English, default: true, build: true}}]
"""

    def write(self, folder: Path, pages: Sequence[Page], printed: Printed) -> None:
        super().write(folder, pages, printed)
        shutil.copytree(self.root / "docs/assets", folder / "docs/assets", dirs_exist_ok=True)
        for page in pages:
            put(folder / f"examples/{page.name}.py", page.script)

    def blocks(self, page: Page, printed: Sequence[str]) -> list[str]:
        return [f"```example\nexamples/{page.name}.py#{part.name}\n```" for part in page.parts]


class MarkdownExec(MkDocs):
    """Runs the code blocks of a page in the process that builds."""

    key = package = "markdown-exec"
    installed = True
    settings = "plugins: [search, markdown-exec]\n"

    def blocks(self, page: Page, printed: Sequence[str]) -> list[str]:
        fence = f'```python exec="1" source="above" result="text" session="{page.name}"'
        return [f"{fence}\n{part.source}\n```" for part in page.parts]


# -- Sphinx ---------------------------------------------------------------------------------------


class SphinxGallery(Way):
    """Sphinx; runs each script in the process that builds."""

    key = package = "sphinx-gallery"
    installed = True
    most = 200  # with 1,000 it had not ended after eleven minutes
    settings = r"""
project = "Corpus"
exclude_patterns = ["_build"]
extensions = ["sphinx_gallery.gen_gallery"]
sphinx_gallery_conf = {
    "examples_dirs": "examples", "gallery_dirs": "gallery", "filename_pattern": r"\.py",
    "capture_repr": (), "abort_on_example_error": True,
}
"""

    def write(self, folder: Path, pages: Sequence[Page], printed: Printed) -> None:
        put(folder / "conf.py", self.settings)
        put(folder / "index.rst", "Corpus\n======\n\n.. toctree::\n   :hidden:\n\n   gallery/index\n")
        put(folder / "examples/GALLERY_HEADER.rst", "Corpus\n======\n")
        for page in pages:
            head = f'"""\n{_heading(page.title, "=")}\n{_rst(page.intro)}\n"""\n'
            texts = (f"{_heading(part.heading, '-')}{_rst(part.text)}" for part in page.parts)
            comments = ("".join(f"# {line}\n" for line in text.splitlines()) for text in texts)
            cells = (f"# %%\n{text}\n{part.source}\n" for text, part in zip(comments, page.parts, strict=True))
            put(folder / f"examples/{page.name}.py", "\n".join([head, *cells]))

    def command(self, python: str) -> list[str]:
        return [python, "-m", "sphinx", "-b", "html", "-q", ".", "_build/html"]

    def shows(self, folder: Path, page: Page) -> list[str]:
        path = folder / "_build/html/gallery" / f"{page.name}.html"
        return outputs(path.read_text(encoding="utf-8"), "sphx-glr-script-out")


def _rst(text: str) -> str:
    return re.sub(r"`([^`]+)`", r"``\1``", text)


def _heading(text: str, line: str) -> str:
    return f"{_rst(text)}\n{line * len(_rst(text))}\n"


# -- without pages --------------------------------------------------------------------------------


class Floor(Way):
    """A floor of running: see `floor.py`."""

    pages = False

    def __init__(self, key: str):
        self.key = key

    def write(self, folder: Path, pages: Sequence[Page], printed: Printed) -> None:
        put(folder / "scripts.json", json.dumps({page.name: [part.source for part in page.parts] for page in pages}))

    def command(self, python: str) -> list[str]:
        return [python, "-m", "scripts.benchmarks.floor", "scripts.json", "outputs.json", self.key]

    def printed(self, folder: Path) -> dict[str, list[str]]:
        """Return what each cell of each script printed."""
        return json.loads((folder / "outputs.json").read_text(encoding="utf-8"))

    def shows(self, folder: Path, page: Page) -> list[str] | None:
        return None if self.key == "ended" else lines("".join(self.printed(folder)[page.name]))


class Run(Way):
    """This project's runner without pages."""

    key = "run"
    pages = False

    def write(self, folder: Path, pages: Sequence[Page], printed: Printed) -> None:
        put(folder / "mkdocs.yml", "site_name: Corpus\n")
        for page in pages:
            put(folder / f"examples/{page.name}.py", page.script)

    def command(self, python: str) -> list[str]:
        return ["sh", "-c", 'exec "$0" -m verbatim run > printed.txt', python]

    def shows(self, folder: Path, page: Page) -> list[str]:
        text = (folder / "printed.txt").read_text(encoding="utf-8")
        block = text.partition(f"== examples/{page.name}.py")[2].partition("\n")[2].partition("\n== ")[0]
        return [line for line in lines(block) if not line.startswith("-- ")]


def ways(root: Path) -> dict[str, Way]:
    """Return every way by its key, floors first."""
    floors = map(Floor, ("exec", "ended", "forked"))
    return {way.key: way for way in (*floors, Plain(), Run(), ThisProject(root), MarkdownExec(), SphinxGallery())}
