"""Makes a new recipe, which runs and builds as it stands, for its author to fill in."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path

import yaml

from verbatim import languages
from verbatim.checks.pages import NAV_HAN, NAV_LETTERS
from verbatim.checks.placeholders import TITLE
from verbatim.checks.prose import HAN
from verbatim.markdown import headings
from verbatim.pages import answers, chapters
from verbatim.pages.answers import Section
from verbatim.pages.chapters import MAP
from verbatim.problems import Problem, Problems, did_you_mean
from verbatim.project import Project, write_if_changed
from verbatim.words import NEW_PAGE, SCAFFOLD

SCRIPT = f'''"""{TITLE}"""

# %% setup
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)  # (2,)

# %% first-step
print(weight.sum())
'''

PAGE = """---
title: {quoted}
nav: {short}
description: {description}
keywords: [{keywords}]
---

# {title}

{answer}

```example
examples/{recipe}.py#setup
```

## {heading} {{ #{id} }}

```example
examples/{recipe}.py#first-step
```

{why}

{trap}

## {read_on} {{ #read-on }}

- [{chapter}](index.md)
"""


def new(project: Project, recipe: str, questions: Mapping[str, str] | None = None) -> list[Path]:
    """Write script and pages, and enter the page into the map, behind the one most alike in its chapter.

    Args:
        project: The project.
        recipe: `chapter/name`.
        questions: Language → the question that the page answers: its title and keywords. Without one, the recipe's
            name stands there.

    Returns:
        The files that were written or changed.

    Raises:
        Problems: the name is not `chapter/name`, the chapter is unknown, the map cannot be read, or a file exists.
            Nothing is written.
    """
    name = recipe.partition("/")[2]
    refuse(project, recipe)
    asked = {language: ((questions or {}).get(language) or name).strip() for language in project.languages.whole}
    id = _id(project, recipe)
    files = {project.script(recipe): SCRIPT}
    for language in project.languages.whole:
        files[project.docs(language) / f"{recipe}.md"] = _page(project, recipe, language, asked[language], id)
    exist = [path for path in files if path.exists()]
    if exist:
        hint = f"edit it, or choose another name; see it with: python -m verbatim serve {recipe}"
        raise Problems([Problem(project.relative(path), 0, "this exists", hint) for path in exist])
    files |= _entered(project, recipe, asked)
    for path, text in files.items():
        write_if_changed(path, text)
    return list(files)


def answering(project: Project, question: str, language: str) -> list[Section]:
    """Return the sections of the book that may answer a question already, the likeliest first."""
    folder = project.docs(language)
    pages = [path for path in project.pages(language) if path.name != "index.md"]
    texts = ((path.relative_to(folder).as_posix(), path.read_text(encoding="utf-8")) for path in pages)
    sections = [section for name, text in texts for section in answers.sections(name, text, language)]
    return answers.answering(question, sections, language)


def _entered(project: Project, recipe: str, asked: Mapping[str, str]) -> dict[Path, str]:
    """Return the map with a recipe; nothing where it has the page, or there is no map.

    It stands behind the page of its chapter that is most alike, where one would read it; else it is the last one.
    """
    chapter, _, name = recipe.partition("/")
    book, path = chapters.read(project), project.root / MAP
    if book.problems:
        raise Problems(book.problems)
    if not book.entries or any(entry.name == f"{recipe}.md" for entry in book.entries):
        return {}
    if chapter not in book.chapters:
        raise Problems([Problem(MAP, 0, f"the map has no chapter `{chapter}`", f"add `{chapter}:`, below it `index:`")])
    lines = path.read_text(encoding="utf-8").splitlines()
    own = {entry.name: entry for entry in book.chapters[chapter]}
    alike = (section.page for language, question in asked.items() for section in answering(project, question, language))
    before = next((own[page] for page in alike if page in own), book.chapters[chapter][-1])
    indent = re.match(r"\s*", lines[before.line - 1])
    lines.insert(before.end, f"{indent[0] if indent else ''}{name}:")
    return {path: "\n".join(lines) + "\n"}


def _page(project: Project, recipe: str, language: str, question: str, id: str) -> str:
    """Return a new page."""
    chapter, _, name = recipe.partition("/")
    index = (project.docs(language) / chapter / "index.md").read_text(encoding="utf-8")
    title = next((h.text for h in headings(index) if h.level == 1), chapter)
    left = NEW_PAGE[language]
    words = [
        part.strip() for part in languages.record(language).asking.split(question) if part.strip() and question != name
    ]
    return PAGE.format(
        recipe=recipe,
        title=question,
        quoted=_quoted(question),
        short=_quoted(question if _fits(question) else name[:NAV_LETTERS]),
        id=id,
        chapter=title,
        read_on=SCAFFOLD[language]["read on"],
        **(left | {"keywords": ", ".join(_quoted(word, "[{}]") for word in words) or left["keywords"]}),
    )


def _fits(title: str) -> bool:
    """Whether a title fits into the navigation."""
    return len(title) <= NAV_LETTERS and len(re.findall(HAN, title)) <= NAV_HAN


def _quoted(text: str, form: str = "a: {}") -> str:
    """Return a text as YAML reads it back, in quotes where it must be. `form`: where it stands."""
    try:
        plain = yaml.safe_load(form.format(text)) == yaml.safe_load(form.format(json.dumps(text)))
    except yaml.YAMLError:
        plain = False
    return text if plain else json.dumps(text, ensure_ascii=False)


def _id(project: Project, recipe: str) -> str:
    """Return the first section's id: the recipe's name; with its chapter's where another page has that id."""
    pages = (path.read_text(encoding="utf-8") for path in project.pages(project.languages.default))
    name = recipe.partition("/")[2]
    taken = any(f"#{name} }}" in text for text in pages)
    return recipe.replace("/", "-") if taken else name


def refuse(project: Project, recipe: str) -> None:
    """Refuse what cannot be the name of a new recipe.

    Raises:
        Problems: it is not `chapter/name`, or the chapter is unknown.
    """
    if fact := project.unfit(recipe, parts=2):
        hint = "chapter and name, lower-case words joined by hyphens: autograd/hooks"
        raise Problems([Problem(recipe, 0, fact, hint)])
    chapter = recipe.partition("/")[0]
    first = project.docs(project.languages.default)
    chapters = [path.parent.name for path in first.glob("*/index.md")]
    if chapter not in chapters:
        hint = (
            did_you_mean(chapter, chapters) + f"; a new chapter begins with its index.md in both languages and in {MAP}"
        )
        raise Problems([Problem(recipe, 0, f"there is no chapter `{chapter}`", hint)])
