"""Tell a reviewer, in Markdown, where the built site is and which of its pages a change touches.

python -m scripts.preview HEAD^1 ADDRESS-OF-THE-ARCHIVE
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path

from scripts.ready import changed
from verbatim.languages import Languages
from verbatim.lists.places import title
from verbatim.pages.page import Page, load_pages
from verbatim.project import Project

ROOT = Path(__file__).resolve().parent.parent


def touched(files: Iterable[str], pages: Iterable[Page]) -> list[Page]:
    """Return the pages that changed, and those that show a script or a record that did."""
    files = set(files)

    def shows(page: Page) -> bool:
        recipes = map(Project.recipe, page.scripts)
        return any(
            {f"examples/{one}.py", f"outputs/cpu/{one}.ipynb", f"outputs/cuda/{one}.ipynb"} & files for one in recipes
        )

    return [page for page in pages if page.path in files or shows(page)]


def render(address: str, pages: Iterable[Page], languages: Languages) -> str:
    """Return the summary: the link, how to open what it leads to, and the files of the pages."""
    lines = [f"## Preview\n\n[Download the site]({address}), unpack it, open `index.html`; no server is needed."]
    listed = [f"- {title(page)}: `{languages.address(page.language, page.name)}index.html`" for page in pages]
    return "\n".join([*lines, *(["\nPages that this change touches:\n", *listed] if listed else [])]) + "\n"


def main(base: str, address: str) -> int:
    """Print the summary of what differs from a commit."""
    project = Project(ROOT)
    print(render(address, touched(changed(ROOT, base), load_pages(project)[0]), project.languages), end="")
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
