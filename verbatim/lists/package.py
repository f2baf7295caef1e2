"""How readers install the packages of `explain/`: from the site's own files, until the package index has them.

A name that the index lacks is anybody's: whoever registers it there runs code on the machines of all who type it. So no
command takes such a name from the index. ``--find-links`` names the folder of the site in which the build has put the
wheels (`verbatim.site.downloads.wheels`), with their hashes, and ``--no-index`` leaves all else out.
"""

from __future__ import annotations

import tomllib

from verbatim.lists.places import Sources
from verbatim.pages.page import Page
from verbatim.project import Project

#: The folder of the site with the wheels.
FOLDER = "pip"
#: The package, and the one with the pages.
NAME = "pytorch-verbatim"
BOOK = "pytorch-verbatim-book"
#: The package's folder from the project's root, and what it says of itself.
EXPLAIN = "explain"
#: The page that tells how to install it, below a language's folder.
PAGE = "ways/terminal.md"


def exists(project: Project) -> bool:
    """Whether the project has the packages."""
    return (project.root / EXPLAIN / "pyproject.toml").is_file()


def commands(project: Project, extra: str = "") -> list[str]:
    """Return what a reader types, a command each.

    Args:
        project: The project.
        extra: ``book``: with the pages and what searches them; ``mcp``: with the server, too.
    """
    if project.package_on_index:
        return [f"pip install '{NAME}[{extra}]'" if extra else f"pip install {NAME}"]
    own = [NAME, *([BOOK] if extra else [])]
    others = [f"'{name}'" for name in _extras(project).get(extra, []) if name not in own]
    lines = [f"pip install --no-index --find-links {project.site_url}{FOLDER}/ {' '.join(own)}"]
    return [*lines, *([f"pip install {' '.join(others)}"] if others else [])]


def _extras(project: Project) -> dict[str, list[str]]:
    """Return extra → what it needs."""
    about = tomllib.loads((project.root / EXPLAIN / "pyproject.toml").read_text(encoding="utf-8"))
    extras: dict[str, list[str]] = about["project"]["optional-dependencies"]
    return extras


def render(extra: str, sources: Sources, page: Page) -> list[str]:
    """Return the commands as a block of Markdown; the page's script names the host that the page is read from."""
    project = sources.book.project
    return ["``` { .text .install }", *commands(project, extra), "```"] if exists(project) else []
