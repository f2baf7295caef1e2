"""What a reviewer sees of a change: the pages it touches, figures before and after, and a summary that leads there.

python -m scripts.preview HEAD^1 --into preview --figures figures.html    # after `make build`
python -m scripts.preview HEAD^1 --pages ADDRESS --drawn ADDRESS          # where both can be had, as Markdown
"""

from __future__ import annotations

import argparse
import base64
import html
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from scripts.ready import FRAME_FILES, changed
from verbatim.book import records
from verbatim.book.compare import text_of
from verbatim.book.drift import records_at
from verbatim.book.records import Record
from verbatim.languages import Languages
from verbatim.lists.places import title
from verbatim.pages.page import Page, load_pages
from verbatim.project import Project
from verbatim.site.downloads.offline import relinked

ROOT = Path(__file__).resolve().parent.parent
#: A change of these can change every page, so the whole site is shown.
WHOLE_SITE_FILES = ("verbatim/", *FRAME_FILES)
#: Most of the assets: what the search finds, which is on pages that are not there, and the cards of all pages.
LEFT_OUT = re.compile(r"assets/(?:cards|search/[^/]+)/")
_BOTH = "<h2>{0}</h2>\n<p>{1} <p>{2}\n"


def touched(files: Iterable[str], pages: Iterable[Page]) -> list[Page]:
    """Return the pages that changed, and those that show a script or a record that did."""
    files = set(files)

    def shows(page: Page) -> bool:
        recipes = map(Project.recipe, page.scripts)
        return any(
            {f"examples/{recipe}.py", f"outputs/cpu/{recipe}.ipynb", f"outputs/cuda/{recipe}.ipynb"} & files
            for recipe in recipes
        )

    return [page for page in pages if page.path in files or shows(page)]


def collect(site: Path, into: Path, addresses: Iterable[str], site_url: str) -> None:
    """Copy pages of a built site, their notebook views and downloads, and what they load; other links lead to the site.

    Args:
        site: The folder of the built site.
        into: The folder to be made.
        addresses: The pages, from the site's root.
        site_url: Where the site is published.
    """
    folders = [folder for address in addresses for folder in (site / address, site / address / "notebook")]
    files = {path for folder in folders if folder.is_dir() for path in folder.iterdir() if path.is_file()}
    files |= {path for path in (site / "assets").rglob("*") if path.is_file()}
    chosen = {path.relative_to(site).as_posix(): path for path in sorted(files)}
    chosen = {place: path for place, path in chosen.items() if not LEFT_OUT.match(place)}
    for place, path in chosen.items():
        (into / place).parent.mkdir(parents=True, exist_ok=True)
        if place.endswith(".html"):
            text = relinked(path.read_text(encoding="utf-8"), place, {*chosen}, site_url)
            (into / place).write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(path, into / place)


def drawn(before: Mapping[str, Record], after: Mapping[str, Record]) -> str:
    """Return a page that shows each figure that changed, as it was and as it is; empty if none did.

    Figures are pictures, which run no script. `before`, `after`: script → record.
    """
    parts = []
    for script, record in after.items():
        for cell in record.cells:
            old = before[script].cell(cell.name) if script in before else None
            was, now = (
                [text_of(output) for output in recorded.outputs if output["output_type"] == "display_data"]
                if recorded
                else []
                for recorded in (old, cell)
            )
            if was != now:
                parts.append(
                    _BOTH.format(html.escape(f"{Project.recipe(script)}#{cell.name}"), _pictures(was), _pictures(now))
                )
    return "".join(["<!doctype html>\n<title>Figures, before and after</title>\n", *parts]) if parts else ""


def _pictures(figures: list[str]) -> str:
    coded = (base64.b64encode(figure.encode()).decode() for figure in figures)
    return " ".join(f'<img src="data:image/svg+xml;base64,{data}" alt="">' for data in coded) or "none"


def render(pages: Iterable[Page], languages: Languages, address: str, figures: str = "") -> str:
    """Return the summary.

    Args:
        pages: The pages that the change touches.
        languages: The languages of the book.
        address: Where the pages can be had.
        figures: Where figures can be seen before and after; empty where none changed.
    """
    lines = [f"## Preview\n\n[Download the pages]({address}), unpack them, open `index.html`; no server is needed."]
    lines.append(
        "\nThis change's own scripts have made these pages: whoever opens them runs, in the browser, what it brings. "
        "Read what it changes besides pages first."
    )
    if figures:
        lines.append(f"\n[Figures that changed, before and after]({figures})")
    listed = [f"- {title(page)}: `{languages.address(page.language, page.name)}index.html`" for page in pages]
    return "\n".join([*lines, *(["\nPages that this change touches:\n", *listed] if listed else [])]) + "\n"


def main() -> int:
    """Write the preview, or print the summary, of what differs from a commit."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("base", help="the commit to compare with")
    for name in ("--into", "--figures"):
        parser.add_argument(name, type=Path)
    for name in ("--pages", "--drawn"):
        parser.add_argument(name, default="")
    given = parser.parse_args()
    project = Project(ROOT)
    files = changed(ROOT, given.base)
    pages, languages = touched(files, load_pages(project)[0]), project.languages
    if given.pages:
        print(render(pages, languages, given.pages, given.drawn), end="")
        return 0
    if any(name.startswith(WHOLE_SITE_FILES) for name in files):
        shutil.copytree(ROOT / "site", given.into)
    else:
        homes = [languages.folder(language) for language in languages.all]
        addresses = [languages.address(page.language, page.name) for page in pages]
        collect(ROOT / "site", given.into, [*homes, *addresses], project.site_url)
    names = [
        name.removeprefix("outputs/cpu/").removesuffix(".ipynb") for name in files if name.startswith("outputs/cpu/")
    ]
    after = {f"examples/{name}.py": record for name in names if (record := records.load(project, name, "cpu"))}
    if text := drawn(records_at(project, given.base), after):
        given.figures.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
