"""The languages of a book: which of them a project has, and what is particular to each.

A further language is one more record in `LANGUAGES`, one more column in `verbatim.words` and in
``overrides/partials/words.html``. Where one of them lacks it, it is treated as English.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

#: Chinese characters, as part of a regular expression's set.
IDEOGRAPHS = "\u3400-\u9fff"
#: These with the punctuation of Chinese and full-width forms: between two of them a line break is no space.
CHINESE = f"\u3000-\u303f{IDEOGRAPHS}\uff00-\uffef"


@dataclass(frozen=True)
class Language:
    """What is particular to a language, besides its words."""

    caption: str
    """What the caption of a figure begins with."""
    erratum: str
    """What the title of an erratum box begins with, before the claim."""
    description: int
    """The most characters of a page's description: the longest of the book has 227 in English, 143 in Chinese."""
    asking: re.Pattern[str]
    """Words that a question asks with, and that nobody types into a search."""
    fonts: tuple[str, ...]
    """Fonts of the text on paper, in the order in which a character is looked for. Libertinus comes with Typst."""


LANGUAGES = {
    "zh": Language(
        caption="图：",
        erratum="常见说法：",
        description=150,
        asking=re.compile(
            "怎样才能|怎样|怎么|如何|为什么|什么是|是什么|有什么|有哪些|哪些|哪个|什么时候|吗|呢|会|[？！，。：；]"
        ),
        fonts=("Noto Sans SC", "DejaVu Sans"),
    ),
    "en": Language(
        caption="Figure: ",
        erratum="Often said: ",
        description=240,
        asking=re.compile(
            r"\b(?:how|do|does|did|can|could|should|i|you|we|to|a|an|the|my|is|are|was|why|what|when|which|where|of|in|on|"
            r"with|and|or|it|its|not|one|get|so|that|this|for)\b|[?!.,;:]",
            re.IGNORECASE,
        ),
        fonts=("Libertinus Serif", "Noto Sans SC", "DejaVu Sans"),
    ),
}

#: What the caption of a figure begins with, as a pattern.
CAPTIONED = f"(?:{'|'.join(language.caption.rstrip() for language in LANGUAGES.values())})"


def record(language: str) -> Language:
    """Return what is particular to a language, such as ``zh``."""
    return LANGUAGES.get(language, LANGUAGES["en"])


@dataclass(frozen=True)
class Languages:
    """The languages of a project."""

    all: tuple[str, ...] = ("zh", "en")
    """The default one first: its pages stand at the root of the site."""
    partial: frozenset[str] = frozenset()
    """Those that may lack pages. Links to these lead to the default language."""
    names: tuple[str, ...] = ()
    """What each calls itself, in the order of `all`."""

    @property
    def default(self) -> str:
        return self.all[0]

    def name(self, language: str) -> str:
        """Return what a language calls itself; its code where the settings give it no name."""
        return dict(zip(self.all, self.names, strict=False)).get(language, language)

    @property
    def whole(self) -> tuple[str, ...]:
        """Those that have every page."""
        return tuple(language for language in self.all if language not in self.partial)

    def others(self, language: str) -> tuple[str, ...]:
        """Every language but one."""
        return tuple(other for other in self.all if other != language)

    def folder(self, language: str) -> str:
        """Return where a language stands, from the site's root: ``en/``; empty for the default one."""
        return "" if language == self.default else f"{language}/"

    def address(self, language: str, name: str) -> str:
        """Return a page's address, from the site's root: ``en``, ``autograd/detach.md`` → ``en/autograd/detach/``."""
        folder, slash, file = name.rpartition("/")
        return self.folder(language) + (folder + slash if file == "index.md" else name.removesuffix(".md") + "/")


#: The languages of a project that names none.
DEFAULT_LANGUAGES = Languages()


def read(plugins: dict[str, Any]) -> Languages:
    """Return the languages of a project: static-i18n's, and ``partial`` of this project's plugin.

    What is wrong with them is told by `check`; a project without static-i18n has the usual two.

    Args:
        plugins: Plugin of MkDocs → its settings.
    """
    named = [
        entry for entry in _listed(plugins.get("i18n"), "languages") if isinstance(entry, dict) and entry.get("locale")
    ]
    named.sort(key=lambda entry: not entry.get("default"))
    built = {
        str(entry["locale"]): str(entry.get("name") or entry["locale"]) for entry in named if entry.get("build", True)
    }
    partial = frozenset(map(str, _listed(plugins.get("verbatim"), "partial")))
    return Languages(tuple(built), partial, tuple(built.values())) if built else Languages(partial=partial)


def _listed(settings: object, key: str) -> list[Any]:
    value = settings.get(key) if isinstance(settings, dict) else None
    return value if isinstance(value, list) else []
