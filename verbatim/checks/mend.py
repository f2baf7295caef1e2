"""Mends what a machine can: line ends, the form of scripts, spelling, characters, Chinese typography."""

from __future__ import annotations

from collections.abc import Iterator

from verbatim.checks import characters, files, prose
from verbatim.project import Project, write_if_changed


def mend(project: Project) -> Iterator[str]:
    """Mend the files of a project; yield what was mended, but for what `ruff` and `typos` mend."""
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
