"""How strangers ask for a recipe: `book/questions/LANGUAGE/RECIPE.txt`, a question a line; only the search reads it.

A page says what is so, in the field's words. Who looks for it may know none of them. These lines are what such readers
type: a symptom, an everyday word, half a message. A keyword in the front matter names something that the page has.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from verbatim.pages.page import Page
from verbatim.problems import Problem, did_you_mean, printable
from verbatim.project import Project

#: A question has at most so many characters. Whoever types more pastes a message, which is recognised otherwise.
MOST_CHARACTERS = 120


def read(project: Project, language: str, recipe: str) -> list[str]:
    """Return how readers of a language ask for a recipe; empty where nobody wrote it down."""
    path = project.questions(language) / f"{recipe}.txt"
    return path.read_text(encoding="utf-8", errors="replace").splitlines() if path.is_file() else []


def check(project: Project, pages: Iterable[Page]) -> Iterator[Problem]:
    """Yield what is wrong with the questions: each is asked once, and of a recipe that has a page in that language."""
    recipes: dict[str, set[str]] = {language: set() for language in project.languages.all}
    for page in pages:
        recipes[page.language].add(page.name.removesuffix(".md"))
    for language, names in recipes.items():
        folder, asked = project.questions(language), dict[str, str]()
        for path in sorted(folder.rglob("*.txt")):
            here = project.relative(path)
            recipe = path.relative_to(folder).as_posix().removesuffix(".txt")
            if recipe not in names:
                yield Problem(here, 0, f"docs/{language}/{recipe}.md does not exist", did_you_mean(recipe, names))
            for number, line in enumerate(read(project, language, recipe), 1):
                place = f"{here}:{number}"
                if not line.strip() or line != line.strip():
                    yield Problem(here, number, "a question is a line of text, without blanks around it", "one a line")
                elif "\N{REPLACEMENT CHARACTER}" in line:
                    yield Problem(here, number, "this is no UTF-8", "save the file as UTF-8")
                elif not line.isprintable():
                    hint = "type the line again, with plain blanks alone"
                    yield Problem(
                        here, number, f"the question has a character that nobody types: {printable(line)}", hint
                    )
                elif len(line) > MOST_CHARACTERS:
                    hint = f"what readers type has at most {MOST_CHARACTERS} characters here: shorten it"
                    yield Problem(here, number, f"the question has {len(line)} characters", hint)
                elif (first := asked.setdefault(line.casefold(), place)) != place:
                    yield Problem(here, number, f"{first} asks this, too", "keep it where the answer is")
