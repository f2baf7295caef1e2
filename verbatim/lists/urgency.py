"""The list of warnings by what they cost: nothing, a wrong result or time today, an error in a later release. Pure.

Nobody sorts them. What a page advises says which ones cost nothing, and what a warning says itself which ones announce
a change; the rest is about what the code does today.
"""

from __future__ import annotations

import re

from verbatim.lists import errors
from verbatim.lists.errors import Message
from verbatim.lists.places import Sources, link_place, once
from verbatim.markdown import code
from verbatim.pages.page import Page
from verbatim.words import COMMON, URGENCY

#: How advice begins that mends nothing, in any language.
HARMLESS_ADVICE = re.compile(r"(?:Ignore|Leave your code as it is)\b|[^.]*\bto silence it\b|忽略|代码不用改")
#: What a warning says that announces a change.
ANNOUNCEMENT_WORDS = re.compile(
    r"deprecat|\b(?:will be|is being) (?:removed|changed|required|updated)"
    r"|future (?:version|release)|upcoming release|will soon",
    re.IGNORECASE,
)
#: Categories that are there for announcing changes.
ANNOUNCING_CATEGORIES = ("DeprecationWarning", "FutureWarning", "PendingDeprecationWarning")


def render(sources: Sources, page: Page) -> list[str]:
    """Return the list as Markdown: a heading and a line for each warning, in the order of the list of errors."""
    words, colon = URGENCY[page.language], COMMON[page.language]["colon"]
    harmless = _harmless(sources)
    by_urgency: dict[str, list[str]] = {"nothing": [], "now": [], "later": []}
    for key, group in errors.groups(sources, page.language).items():
        if errors.is_warning(key[0]):
            kind = "nothing" if key in harmless else "later" if announces(group[0]) else "now"
            sections = dict.fromkeys(link_place(message.place, page) for message in group)
            by_urgency[kind].append(f"- {code(errors.brief(group[0].text.strip()))}{colon}{' · '.join(sections)}")
    lines: list[str] = []
    for kind, items in by_urgency.items():
        lines += [f"### {words[kind]} {{ #warnings-{kind} }}", "", *(items or [words["none"]]), ""]
    return lines[:-1]


def announces(message: Message) -> bool:
    """Whether a warning is about a release to come."""
    return message.name.rpartition(".")[2] in ANNOUNCING_CATEGORIES or bool(ANNOUNCEMENT_WORDS.search(message.whole))


@once
def _harmless(sources: Sources) -> set[tuple[str, str]]:
    """Return exception and template of the warnings that need no change anywhere, by what any language advises."""
    return {
        key
        for language in sources.languages.whole
        for key, group in errors.groups(sources, language).items()
        if all(HARMLESS_ADVICE.match(message.remedy) for message in group)
    }
