"""`new`: a recipe that runs and builds as it stands, to be filled in; and `check_left`, what is still to be written."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import yaml

from verbatim.checks.files import UNPORTABLE
from verbatim.checks.pages import NAV_HAN, NAV_LETTERS
from verbatim.checks.prose import HAN
from verbatim.markdown import headings
from verbatim.pages.page import Page
from verbatim.problems import Problem, Problems, did_you_mean
from verbatim.project import LANGUAGES, Project, write_if_changed
from verbatim.run.script import NAME, Script

TITLE = "What this recipe shows, in one sentence."

SCRIPT = f'''"""{TITLE}"""

# %% setup
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)  # (2,)

# %% first-step
print(weight.sum())
'''

#: What stands in a new page until its author writes it.
LEFT = {
    "zh": {
        "description": "用一句话回答读者的问题。",
        "answer": "开头一两句话直接回答。",
        "why": "说明为什么会这样：存储、步幅、计算图、版本计数。",
        "trap": "再写容易踩的坑，以及该怎么办。",
        "heading": "第一步",
        "keywords": "读者会用来搜索的词",
    },
    "en": {
        "description": "One sentence that answers the reader's question.",
        "answer": "The first one or two sentences answer.",
        "why": "Say why it is so: storage, strides, the graph, the version counter.",
        "trap": "Then name the traps, and what to do about them.",
        "heading": "The first step",
        "keywords": "what readers would search for",
    },
}

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
READ_ON = {"zh": "接着读", "en": "Read on"}

NEW = "`new` wrote this for you to replace; STYLE.md says how"

#: What people write where something is still missing.
TODO = re.compile(r"\b(?:TODO|FIXME|TBD|XXX)\b")

#: Words that a question asks with, and that nobody types into a search.
ASKING = {
    "en": re.compile(
        r"\b(?:how|do|does|did|can|could|should|i|you|we|to|a|an|the|my|is|are|was|why|what|when|which|where|of|in|on|"
        r"with|and|or|it|its|not|one|get|so|that|this|for)\b|[?!.,;:]",
        re.IGNORECASE,
    ),
    "zh": re.compile(
        "怎样才能|怎样|怎么|如何|为什么|什么是|是什么|有什么|有哪些|哪些|哪个|什么时候|吗|呢|会|[？！，。：；]"
    ),
}


def new(project: Project, recipe: str, questions: Mapping[str, str] | None = None, section: str = "") -> list[Path]:
    """Write the script, both pages, and the entries in both chapter indexes and in mkdocs.yml.

    Args:
        project: The project.
        recipe: `chapter/name`.
        questions: Language → the question that the page answers: its title, its keywords, its entry in the index.
            Without one, the recipe's name stands there.
        section: The id of the index's section that gets the entry; the last one unless given.

    Returns the files that were written or changed.

    Raises:
        Problems: the name is not `chapter/name`, the chapter or the section is unknown, or a file exists. Nothing is
            written.
    """
    chapter, _, name = recipe.partition("/")
    _refuse(project, recipe)
    asked = {language: ((questions or {}).get(language) or name).strip() for language in LANGUAGES}
    id = _id(asked["en"], name)
    files = {project.script(recipe): SCRIPT}
    for language in LANGUAGES:
        files[project.docs(language) / f"{recipe}.md"] = _page(project, recipe, language, asked[language], id)
    exist = [path for path in files if path.exists()]
    if exist:
        hint = f"edit it, or choose another name; see it with: python -m verbatim serve {recipe}"
        raise Problems([Problem(project.relative(path), 0, "this exists", hint) for path in exist])
    config = project.root / "mkdocs.yml"
    files[config] = insert_nav(config.read_text(encoding="utf-8"), chapter, name)
    for language in LANGUAGES:
        index = project.docs(language) / chapter / "index.md"
        entry = f"- [{asked[language]}]({name}.md)"
        text = index.read_text(encoding="utf-8")
        files[index] = insert_entry(text, entry, section, project.relative(index))
    for path, text in files.items():
        write_if_changed(path, text)
    return list(files)


def _page(project: Project, recipe: str, language: str, question: str, id: str) -> str:
    """Return a new page."""
    chapter, _, name = recipe.partition("/")
    index = (project.docs(language) / chapter / "index.md").read_text(encoding="utf-8")
    title = next((h.text for h in headings(index) if h.level == 1), chapter)
    left = LEFT[language]
    words = [part.strip() for part in ASKING[language].split(question) if part.strip() and question != name]
    return PAGE.format(
        recipe=recipe,
        title=question,
        quoted=_quoted(question),
        short=_quoted(question if _fits(question) else name[:NAV_LETTERS]),
        id=id,
        chapter=title,
        read_on=READ_ON[language],
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


def _id(question: str, name: str) -> str:
    """Return the first section's id: the question's own words behind the recipe's name."""
    words = re.findall("[a-z0-9]+", ASKING["en"].sub(" ", re.sub(r"['’]s\b", "", question.lower())))
    own = [word for word in dict.fromkeys(words) if word not in name.split("-")]
    return "-".join([name, *own[:3]]) if own else f"{name}-first-step"


def sections(project: Project, chapter: str, language: str) -> list[tuple[str, str]]:
    """Return the sections of a chapter's index, `(id, heading)`; nothing where there is no index."""
    index = project.docs(language) / chapter / "index.md"
    text = index.read_text(encoding="utf-8") if index.is_file() else ""
    return [(heading.id, heading.text) for heading in headings(text) if heading.level > 1 and heading.id]


def insert_entry(text: str, entry: str, section: str, path: str) -> str:
    """Return an index with one more entry at the end of a section, the last unless named.

    Raises:
        Problems: there is no such section.
    """
    lines = text.rstrip("\n").split("\n")
    found = [heading for heading in headings(text) if heading.level > 1]
    if section and section not in [heading.id for heading in found]:
        hint = did_you_mean(section, [heading.id for heading in found if heading.id])
        raise Problems([Problem(path, 0, f"there is no section `#{section}`", hint)])
    ends = {heading.id: after.line - 1 for heading, after in itertools.pairwise(found)}
    end = ends.get(section, len(lines)) if section else len(lines)
    while end and not lines[end - 1].strip():
        end -= 1
    gap = [] if re.match(r"\s*(?:[-*]|\d+\.) ", lines[end - 1]) else [""]
    return "\n".join([*lines[:end], *gap, entry, *lines[end:]]) + "\n"


def check_left(page: Page) -> Iterator[Problem]:
    """Yield what `new` wrote into a page for its author to replace."""
    left = [said for said in LEFT[page.language].values() if said in page.text]
    for number, line in enumerate(page.text.splitlines() if left else (), 1):
        for said in left:
            if said in (line.strip(), line.partition(": ")[2].strip("[]")) or line.startswith(f"## {said} {{"):
                yield Problem(page.path, number, f"left to write: `{said}`", NEW)


def check_todo(path: str, text: str) -> Iterator[Problem]:
    """Yield what an author noted to do later."""
    for number, line in enumerate(text.splitlines() if TODO.search(text) else (), 1):
        if match := TODO.search(line):
            yield Problem(path, number, f"left to do: `{match[0]}`", "do it, or open an issue and take the note out")


def check_title_left(script: Script) -> Iterator[Problem]:
    """Yield the title that `new` wrote into a script."""
    if script.title == TITLE:
        yield Problem(script.path, 1, f"left to write: `{TITLE}`", NEW)


def _refuse(project: Project, recipe: str) -> None:
    chapter, slash, name = recipe.partition("/")
    if not (slash and NAME.fullmatch(chapter) and NAME.fullmatch(name)):
        hint = "chapter and name, lower-case words joined by hyphens: autograd/hooks"
        raise Problems([Problem(recipe, 0, "this is not the name of a recipe", hint)])
    if UNPORTABLE.match(name):
        raise Problems([Problem(recipe, 0, "Windows cannot hold a file of this name", "choose another name")])
    first = project.docs(LANGUAGES[0])
    chapters = [path.parent.name for path in first.glob("*/index.md")]
    if chapter not in chapters:
        hint = (
            did_you_mean(chapter, chapters)
            + "; a new chapter begins with its index.md in both languages and in mkdocs.yml"
        )
        raise Problems([Problem(recipe, 0, f"there is no chapter `{chapter}`", hint)])


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
