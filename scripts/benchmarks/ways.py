"""The ways of building that are compared: what each reads, how it is started, where its outputs stand."""

from __future__ import annotations

import json
import re
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable
from pathlib import Path

from scripts.benchmarks import shown
from scripts.benchmarks.corpus import Page

#: What pages look like is the same for all that build with MkDocs.
MKDOCS = """
site_name: Corpus
site_url: https://example.org/
exclude_docs: README.md
{theme}
{plugins}
validation: {{nav: {{omitted_files: ignore}}, links: {{unrecognized_links: ignore}}}}
nav:
  - index.md
markdown_extensions:
  - admonition
  - attr_list
  - tables
  - toc: {{permalink: true}}
  - pymdownx.details
  - pymdownx.highlight: {{anchor_linenums: false, pygments_lang_class: true}}
  - pymdownx.inlinehilite
  - pymdownx.superfences
  - pymdownx.tabbed: {{alternate_style: true}}
"""
MATERIAL = "theme: {name: material, font: false}"

SPHINX = "project = 'Corpus'\nexclude_patterns = ['_build']\nextensions = ['sphinx_gallery.gen_gallery']\n"


class Way(ABC):
    """One way of turning scripts into outputs or pages."""

    key: str
    title: str
    environment = ""
    """The list in `scripts/benchmarks/environments`; nothing for the project's own."""
    package = ""
    """Whose version the table shows."""
    pages = True
    """Whether it makes pages; else it only runs scripts, and every run is a cold one."""
    most = 1000
    """The most scripts that it is measured with."""
    runs = True
    """Whether it runs scripts."""
    made: tuple[str, ...] = ()
    """What a cold build does not find."""

    @abstractmethod
    def write(self, folder: Path, page: Page, outputs: list[str]) -> None:
        """Write what one page is made from. `outputs`: what its cells print, for the way that pastes them in."""

    def start(self, folder: Path, pages: Iterable[Page]) -> None:  # noqa: B027 (most need nothing)
        """Write what all pages share."""

    @abstractmethod
    def command(self, python: str, folder: Path) -> list[str]:
        """Return what builds everything."""

    @abstractmethod
    def shows(self, folder: Path, page: Page) -> list[str]:
        """Return the output lines that stand on a page.

        Raises:
            OSError, KeyError: The page is not there.
        """

    def clear(self, folder: Path) -> None:
        """Remove what was built or cached."""
        for name in self.made:
            path = folder / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)


def _put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def _index(pages: Iterable[Page], suffix: str = ".md") -> str:
    links = "".join(f"- [{page.title}]({page.name}{suffix})\n" for page in pages)
    return f"---\ntitle: Corpus\ndescription: Every page.\n---\n\n# Corpus\n\n{links}"


def _markdown(page: Page, blocks: Iterable[str]) -> str:
    """Return a page for Python-Markdown; the blocks stand for its cells."""
    head = (
        f'---\ntitle: "{page.title}"\nnav: "{page.title[:24]}"\ndescription: "{page.title}"\n---\n\n# {page.title}\n\n'
    )
    intro = "\n\n".join(page.intro)
    cells = (
        f"## {part.heading} {{ #{part.name} }}\n\n{part.text}\n\n{block}\n"
        for part, block in zip(page.parts, blocks, strict=True)
    )
    return f"{head}{intro}\n\n" + "\n".join(cells)


# -- MkDocs ---------------------------------------------------------------------------------------


class MkDocs(Way):
    """What the ways share that build with MkDocs and Material."""

    made = ("site",)
    plugins = "plugins: [search]"
    marker: str

    def start(self, folder: Path, pages: Iterable[Page]) -> None:
        _put(folder / "mkdocs.yml", MKDOCS.format(theme=MATERIAL, plugins=self.plugins))
        _put(folder / "docs/index.md", _index(pages))

    def command(self, python: str, folder: Path) -> list[str]:
        return [python, "-m", "mkdocs", "build", "--quiet"]

    def shows(self, folder: Path, page: Page) -> list[str]:
        return shown.in_html((folder / "site" / page.name / "index.html").read_text(encoding="utf-8"), self.marker)


class Plain(MkDocs):
    """The floor of rendering: the same pages with the outputs pasted in."""

    key, title, package = "plain", "plain MkDocs, outputs pasted in", "mkdocs"
    marker = "language-text"
    runs = False

    def write(self, folder: Path, page: Page, outputs: list[str]) -> None:
        blocks = [
            f"```python\n{part.source}\n```\n" + (f"\n```text\n{output.rstrip()}\n```\n" if output.strip() else "")
            for part, output in zip(page.parts, outputs, strict=True)
        ]
        _put(folder / f"docs/{page.name}.md", _markdown(page, blocks))


class ThisProject(MkDocs):
    """The repository's engine with its own frame, notebook views, downloads and search."""

    key, title = "this", "this project"
    made = ("site", ".cache")
    marker = "verbatim-output"
    plugins = """plugins:
  - verbatim
  - i18n:
      docs_structure: folder
      fallback_to_default: false
      reconfigure_search: false
      languages: [{locale: en, name: English, default: true, build: true}]"""

    def __init__(self, root: Path):
        self.root = root

    def start(self, folder: Path, pages: Iterable[Page]) -> None:
        theme = (
            f"theme: {{name: material, font: false, language: en, custom_dir: {self.root / 'overrides'},\n"
            "  favicon: assets/favicon.svg, logo: assets/favicon.svg}\n"
            "extra: {repository: 'https://example.org/corpus', branch: main}\n"
            "extra_css: [assets/site.css]\nextra_javascript: [assets/page.js]"
        )
        _put(folder / "mkdocs.yml", MKDOCS.format(theme=theme, plugins=self.plugins))
        _put(folder / "docs/en/index.md", _index(pages))
        shutil.copytree(self.root / "docs/assets", folder / "docs/assets", dirs_exist_ok=True)

    def write(self, folder: Path, page: Page, outputs: list[str]) -> None:
        script = f"examples/{page.name}.py"
        blocks = [f"```example\n{script}#{part.name}\n```" for part in page.parts]
        _put(folder / f"docs/en/{page.name}.md", _markdown(page, blocks))
        _put(folder / script, page.script)


class MarkdownExec(MkDocs):
    """Runs the code blocks of a page in the process that builds."""

    key = title = environment = package = "markdown-exec"
    marker = "language-text"
    plugins = "plugins: [search, markdown-exec]"

    def write(self, folder: Path, page: Page, outputs: list[str]) -> None:
        fence = f'```python exec="1" source="above" result="text" session="{page.name}"'
        _put(folder / f"docs/{page.name}.md", _markdown(page, (f"{fence}\n{part.source}\n```" for part in page.parts)))


# -- Sphinx ---------------------------------------------------------------------------------------


class SphinxGallery(Way):
    """Sphinx; runs each script in the process that builds."""

    key = environment = package = "sphinx-gallery"
    title = "sphinx-gallery"
    most = 200  # with 1,000 it had not ended after eleven minutes
    made = ("_build", "gallery", "sg_execution_times.rst", "gen_modules")

    def start(self, folder: Path, pages: Iterable[Page]) -> None:
        settings = {
            "examples_dirs": "examples",
            "gallery_dirs": "gallery",
            "filename_pattern": r"\.py",
            "capture_repr": (),
            "abort_on_example_error": True,
        }
        _put(
            folder / "conf.py",
            SPHINX + f"sphinx_gallery_conf = {settings}\n",
        )
        _put(folder / "index.rst", "Corpus\n======\n\n.. toctree::\n   :hidden:\n\n   gallery/index\n")
        _put(folder / "examples/GALLERY_HEADER.rst", "Corpus\n======\n")

    def write(self, folder: Path, page: Page, outputs: list[str]) -> None:
        def rst(text: str) -> str:
            return re.sub(r"`([^`]+)`", r"``\1``", text)

        def comment(text: str) -> str:
            return "# %%\n" + "".join(f"# {line}".rstrip() + "\n" for line in text.splitlines())

        title = rst(page.title)
        cells = [f'"""\n{title}\n{"=" * len(title)}\n\n' + "\n\n".join(map(rst, page.intro)) + '\n"""\n']
        for part in page.parts:
            cells += [comment(f"{part.heading}\n{'-' * len(part.heading)}\n{rst(part.text)}") + f"\n{part.source}\n"]
        _put(folder / f"examples/{page.name}.py", "\n".join(cells))

    def command(self, python: str, folder: Path) -> list[str]:
        return [python, "-m", "sphinx", "-b", "html", "-q", ".", "_build/html"]

    def shows(self, folder: Path, page: Page) -> list[str]:
        path = folder / "_build/html/gallery" / f"{page.name}.html"
        return shown.in_html(path.read_text(encoding="utf-8"), "sphx-glr-script-out")


# -- without pages --------------------------------------------------------------------------------


class Floor(Way):
    """The floor of running."""

    key, title = "exec", "bare `exec` in one process"
    pages = False
    made = ("outputs.json",)

    def start(self, folder: Path, pages: Iterable[Page]) -> None:
        _put(folder / "scripts.json", json.dumps({page.name: [part.source for part in page.parts] for page in pages}))

    def write(self, folder: Path, page: Page, outputs: list[str]) -> None:
        pass

    def command(self, python: str, folder: Path) -> list[str]:
        return [python, "-m", "scripts.benchmarks.floor", "scripts.json", "outputs.json"]

    def printed(self, folder: Path) -> dict[str, list[str]]:
        """Return what each cell of each script printed."""
        return json.loads((folder / "outputs.json").read_text(encoding="utf-8"))

    def shows(self, folder: Path, page: Page) -> list[str]:
        return shown.lines("".join(self.printed(folder)[page.name]))


class Run(Way):
    """This project's runner without pages."""

    key, title = "run", "this project, scripts only"
    pages = False
    made = (".cache", "printed.txt")

    def start(self, folder: Path, pages: Iterable[Page]) -> None:
        _put(folder / "mkdocs.yml", "site_name: Corpus\n")

    def write(self, folder: Path, page: Page, outputs: list[str]) -> None:
        _put(folder / f"examples/{page.name}.py", page.script)

    def command(self, python: str, folder: Path) -> list[str]:
        return ["sh", "-c", 'exec "$0" -m verbatim run > printed.txt', python]

    def shows(self, folder: Path, page: Page) -> list[str]:
        return shown.in_run((folder / "printed.txt").read_text(encoding="utf-8"))[page.name]


def ways(root: Path) -> dict[str, Way]:
    """Return every way by its key, floors first."""
    made = (
        Floor(), Plain(), Run(), ThisProject(root), MarkdownExec(), SphinxGallery(),
    )  # fmt: skip
    return {way.key: way for way in made}
