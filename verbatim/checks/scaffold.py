"""`new`: a recipe that builds and passes as it stands, to be filled in."""

from __future__ import annotations

import re
from pathlib import Path

from verbatim.checks.pages import NAV_LETTERS
from verbatim.problems import Problem, Problems, did_you_mean
from verbatim.project import LANGUAGES, Project, write_if_changed
from verbatim.run.script import NAME

SCRIPT = '''"""What this recipe shows, in one sentence."""

# %% setup
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)  # (2,)

# %% first-step
print(weight.sum())
'''

PAGES = {
    "zh": """---
title: {name}
nav: {short}
description: 用一句话回答读者的问题。
keywords: [读者会用来搜索的词]
---

# {name}

开头一两句话直接回答。

```example
examples/{recipe}.py#setup
```

## 第一步 {{ #{name}-first-step }}

```example
examples/{recipe}.py#first-step
```

说明为什么会这样，再写容易踩的坑。
""",
    "en": """---
title: {name}
nav: {short}
description: One sentence that answers the reader's question.
keywords: [what readers would search for]
---

# {name}

The first one or two sentences answer.

```example
examples/{recipe}.py#setup
```

## The first step {{ #{name}-first-step }}

```example
examples/{recipe}.py#first-step
```

Say why it is so, then name the traps.
""",
}


def new(project: Project, recipe: str) -> list[Path]:
    """Write the script, both pages, and the entries in both chapter indexes and in mkdocs.yml.

    Returns the files that were written or changed.

    Raises:
        Problems: the name is not `chapter/name`, the chapter is unknown, or a file exists. Nothing is written.
    """
    files = _files(project, recipe)
    _refuse(project, recipe, files)
    chapter, _, name = recipe.partition("/")
    config = project.root / "mkdocs.yml"
    files[config] = insert_nav(config.read_text(encoding="utf-8"), chapter, name)
    for language in LANGUAGES:
        index = project.docs(language) / chapter / "index.md"
        files[index] = index.read_text(encoding="utf-8").rstrip("\n") + f"\n- [{name}]({name}.md)\n"
    for path, text in files.items():
        write_if_changed(path, text)
    return list(files)


def _files(project: Project, recipe: str) -> dict[Path, str]:
    name = recipe.rpartition("/")[2]
    files = {project.script(recipe): SCRIPT}
    for language in LANGUAGES:
        files[project.docs(language) / f"{recipe}.md"] = PAGES[language].format(
            recipe=recipe, name=name, short=name[:NAV_LETTERS]
        )
    return files


def _refuse(project: Project, recipe: str, files: dict[Path, str]) -> None:
    chapter, slash, name = recipe.partition("/")
    if not (slash and NAME.fullmatch(chapter) and NAME.fullmatch(name)):
        hint = "chapter and name, lower-case words joined by hyphens: autograd/hooks"
        raise Problems([Problem(recipe, 0, "this is not the name of a recipe", hint)])
    first = project.docs(LANGUAGES[0])
    chapters = [path.parent.name for path in first.glob("*/index.md")]
    if chapter not in chapters:
        hint = (
            did_you_mean(chapter, chapters)
            + "; a new chapter begins with its index.md in both languages and in mkdocs.yml"
        )
        raise Problems([Problem(recipe, 0, f"there is no chapter `{chapter}`", hint)])
    exist = [path for path in files if path.exists()]
    if exist:
        hint = f"edit it, or choose another name; see it with: python -m verbatim serve {recipe}"
        raise Problems([Problem(project.relative(path), 0, "this exists", hint) for path in exist])


def insert_nav(text: str, chapter: str, name: str) -> str:
    """Return mkdocs.yml with one more page at the end of a chapter.

    Raises:
        Problems: the chapter has no line in the navigation.
    """
    lines = text.splitlines()
    entry = re.compile(rf"^(\s*- ){re.escape(chapter)}/[\w-]+\.md\s*$")
    places = [i for i, line in enumerate(lines) if entry.match(line)]
    if not places:
        message = f"the navigation has no page of the chapter `{chapter}`"
        raise Problems([Problem("mkdocs.yml", 0, message, f"add `- {chapter}/index.md` below `nav:`")])
    dash = entry.match(lines[places[-1]])[1]  # type: ignore[index]
    lines.insert(places[-1] + 1, f"{dash}{chapter}/{name}.md")
    return "\n".join(lines) + "\n"
