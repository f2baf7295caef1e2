"""Makes the book's files: pandoc writes the EPUB and Typst's source, Typst sets the PDF.

Both programs come as packages. Fonts do, too, so that the files are the same on every machine. All fonts are free, and
a file has the glyphs that it uses embedded.
"""

from __future__ import annotations

import json
import os
import posixpath
import subprocess
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from verbatim import fonts, git, languages
from verbatim.book import environment
from verbatim.build import Build
from verbatim.editions import manuscript
from verbatim.lists.places import chapter_title, title
from verbatim.project import Project, write_if_changed
from verbatim.words import EDITIONS

TEMPLATES = Path(__file__).parent / "templates"
FORMATS = ("epub", "pdf")

#: HTML with formulas as MkDocs writes them.
_READ = "html+tex_math_single_backslash"
#: pandoc stamps files with this time instead of the clock's, so that equal books are equal files: 1980-01-01.
_TIME = "315532800"


class CannotMakeError(Exception):
    """pandoc or Typst failed, or is not installed. Its text says why."""


@dataclass(frozen=True)
class Edition:
    """The book in one language, or a volume of it, ready to be made."""

    language: str
    title: str
    about: str
    """What it is, in a sentence."""
    address: str
    """Where the site is published."""
    library: str
    """The release that printed the outputs."""
    html: str
    figures: manuscript.Figures
    date: str = ""
    """When the last of its outputs was approved; empty where git does not tell."""
    volume: str = ""
    """The chapter that it is; empty for the whole book."""
    book: str = ""
    """The title of the book that it is a volume of; empty for the whole book."""

    @property
    def name(self) -> str:
        """The name of its files, without an ending."""
        return "-".join(filter(None, ("pytorch-verbatim", self.volume, self.language)))


def edition(build: Build, language: str, address: str, volume: str = "") -> Edition:
    """Return the book in a language.

    Args:
        build: Scripts that were run, and pages.
        language: The language.
        address: Where the site is published.
        volume: The chapter that it shall be; the whole book if empty.
    """
    of = {page.name: page for page in build.pages if page.language == language}
    home = of["index.md"]
    first = of.get(f"{volume}/index.md", home) if volume else home
    html, figures = manuscript.write(build, language, address, volume)
    project = build.book.project
    changed = git.changed(project.root)
    scripts = {script for page in manuscript.pages_of(build, language, volume) for script in page.scripts}
    approved = [changed[path] for path in map(_record, scripts) if path in changed]
    return Edition(
        language,
        chapter_title(build.sources, volume, language) if volume else title(home),
        str(first.meta.get("description", "")),
        address,
        environment.torch(build.book.environment),
        html,
        figures,
        f"{max(approved):%Y-%m-%d}" if approved else "",
        volume,
        title(home) if volume else "",
    )


def _record(script: str) -> str:
    """Return the path of the record of a script on a CPU."""
    return f"outputs/cpu/{Project.recipe(script)}.ipynb"


def make(edition: Edition, out: Path, formats: tuple[str, ...] = FORMATS) -> list[Path]:
    """Write an edition's files, and return their paths.

    Args:
        edition: The book.
        out: The folder to write to. Nothing in it changes unless all formats could be made.
        formats: Some of `FORMATS`.

    Raises:
        CannotMakeError: pandoc or Typst failed, or is not installed.
    """
    makers = {"epub": _epub, "pdf": _pdf}
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "book.html").write_text(edition.html, encoding="utf-8")
        for file, svg in edition.figures.items():
            (folder / file).write_text(svg, encoding="utf-8")
        made = {f"{edition.name}.{kind}": makers[kind](edition, folder) for kind in formats}
    for file, content in made.items():
        write_if_changed(out / file, content)
    return [out / file for file in made]


def uncovered(text: str) -> set[str]:
    """Return the characters of a text that no font of the editions has: e-readers and paper would show boxes."""
    from fontTools.ttLib import TTFont

    known: set[int] = set()
    for font in (fonts.chinese(), fonts.monospaced(), fonts.latin()):
        known.update(TTFont(font).getBestCmap())
    return {character for character in set(text) if ord(character) not in known and not character.isspace()}


def _epub(edition: Edition, folder: Path) -> bytes:
    words = EDITIONS[edition.language]
    (folder / "fonts").mkdir()
    (folder / "fonts/DejaVuSansMono.ttf").write_bytes(_subset(fonts.monospaced(), edition.html))
    (folder / "fonts/han.otf").write_bytes(_subset(fonts.chinese(), edition.html))
    printed = " · ".join(filter(None, (edition.library, edition.date)))
    cover = f'<div class="box"><p>{printed}</p><p>{_small(edition)}</p></div>\n' if edition.library else ""
    (folder / "epub.html").write_text(cover + edition.html, encoding="utf-8")
    _pandoc(
        folder,
        "epub.html",
        "--to=epub3",
        "--mathml",
        "--toc",
        "--toc-depth=2",
        "--split-level=2",
        f"--css={TEMPLATES / 'book.css'}",
        *(f"--epub-embed-font={folder / 'fonts' / file}" for file in ("DejaVuSansMono.ttf", "han.otf")),
        f"--metadata=title:{edition.title}",
        f"--metadata=lang:{words['locale']}",
        "--metadata=author:PyTorch Verbatim contributors",
        f"--metadata=identifier:{posixpath.join(edition.address, edition.name)}",
        f"--metadata=description:{edition.about}",
        f"--metadata=toc-title:{words['contents']}",
        "--metadata=rights:CC BY 4.0; code: MIT",
        "--output=book.epub",
    )
    return (folder / "book.epub").read_bytes()


def _pdf(edition: Edition, folder: Path) -> bytes:
    try:
        import typst
    except ImportError as error:
        raise CannotMakeError(f"Typst is not installed: {error}") from error
    _pandoc(
        folder, "book.html", "--to=typst", "--wrap=none", f"--lua-filter={TEMPLATES / 'book.lua'}", "--output=body.typ"
    )
    meta = {
        "title": edition.title,
        "author": "PyTorch Verbatim contributors",
        "about": edition.about,
        "small": _small(edition),
        "book": edition.book,
        "printed": " · ".join(filter(None, (edition.library, edition.date))),
        "address": edition.address,
        "lang": edition.language,
        "fonts": languages.record(edition.language).fonts,
        "contents": EDITIONS[edition.language]["contents"],
    }
    (folder / "meta.json").write_text(json.dumps(meta), encoding="utf-8")
    body = (folder / "body.typ").read_text(encoding="utf-8")
    (folder / "main.typ").write_text((TEMPLATES / "book.typ").read_text(encoding="utf-8") + body, encoding="utf-8")
    try:
        typst.compile(
            folder / "main.typ",
            output=folder / "book.pdf",
            font_paths=[fonts.chinese().parent, fonts.latin().parent],
            ignore_system_fonts=True,
            # PDF/UA-1: screen readers find headings, lists and tables, and a text for each figure and formula.
            pdf_standards="ua-1",
        )
    except typst.TypstError as error:
        raise CannotMakeError(f"Typst: {error.diagnostic}") from error
    # Nothing is suspect in a tagged PDF unless it says so; poppler takes the `false` for a mistake.
    return (folder / "book.pdf").read_bytes().replace(b"/Suspects false", b" " * len(b"/Suspects false"))


def _small(edition: Edition) -> str:
    return EDITIONS[edition.language]["small"].format(library=edition.library, address=edition.address)


def _pandoc(folder: Path, file: str, *options: str) -> None:
    try:
        import pypandoc
    except ImportError as error:
        raise CannotMakeError(f"pandoc is not installed: {error}") from error
    ran = subprocess.run(
        [pypandoc.get_pandoc_path(), f"--from={_READ}", *options, file],
        cwd=folder,
        env={**os.environ, "SOURCE_DATE_EPOCH": _TIME},
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    if ran.returncode:
        raise CannotMakeError(f"pandoc: {ran.stderr.strip()}")


def _subset(font: Path, text: str) -> bytes:
    """Return a font with the characters of a text alone."""
    import io

    from fontTools.subset import Options, Subsetter
    from fontTools.ttLib import TTFont

    loaded = TTFont(font, recalcTimestamp=False)
    options = Options(layout_features=["*"], notdef_outline=True, recalc_timestamp=False)
    options.drop_tables += ["FFTM"]  # when it was drawn
    cutter = Subsetter(options)
    cutter.populate(text=text)
    cutter.subset(loaded)
    made = io.BytesIO()
    loaded.save(made)
    return made.getvalue()
