"""Mends what a machine can: line ends, the form of scripts, spelling, characters, Chinese typography.

It also writes down which sections say the same in all languages (`verbatim.pages.freshness`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator

from verbatim.checks import characters, files, prose
from verbatim.pages import freshness
from verbatim.pages.page import load_pages
from verbatim.project import Project, write_if_changed


def mend(project: Project, recipes: Collection[str] = ()) -> Iterator[str]:
    """Mend the files of a project; yield what was mended, but for what `ruff` and `typos` mend.

    `recipes`: those of whose sections is written down that all languages say the same; of all by default.
    """
    for path in files.texts(project):
        data = path.read_bytes()
        if data != files.portable(data):
            path.write_bytes(files.portable(data))
            yield f"{project.relative(path)}: line ends mended"
    list(prose.formatting(project, fix=True))
    list(prose.spelling(project, fix=True))
    for language in project.languages.all:
        for page in project.pages(language):
            text = characters.fix_characters(page.read_text(encoding="utf-8"))
            if language == "zh":
                text = prose.fix_typography(text)
            if write_if_changed(page, text):
                yield f"{project.relative(page)}: typography mended"
    pages = [page for page in load_pages(project)[0] if not recipes or project.recipe(page.path) in recipes]
    if freshness.renew(project, pages):
        yield f"{freshness.FILE}: has what all languages say now"
