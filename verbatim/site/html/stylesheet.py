"""Reduces Material's stylesheets to the rules that this site's pages can use. Pure.

Nothing is listed by hand: a selector is kept when each element, class and attribute in it stands in some page, or when
the scripts of the site, which add elements and set classes for states, mention it.
"""

from __future__ import annotations

import functools
import re
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import tinycss2

from verbatim.memo import digest

#: It begins with a space: a search that may begin anywhere takes twenty times as long.
_CLASS_ATTRIBUTE = re.compile(r' ((?:class|dir|role|data-md-[\w-]+)="[^"]*)"')
_ELEMENT_NAME = re.compile(r"<([a-z][a-z0-9]*)")
#: What can be the name of a class in a script: words joined by hyphens or `__`, and single words in quotation marks.
_CLASS_WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:(?:-+|__)[A-Za-z0-9]+)+|(?<=[\"'`])[A-Za-z]\w*(?=[\"'`])")

_IN_SELECTOR = re.compile(
    r"\.(?P<class>-?[A-Za-z_][\w-]*)|\[(?P<name>[\w-]+)(?:[~|^$*]?=[\"']?(?P<value>[^\"'\]]*))?"
    r"|(?:^|(?<=[\s>+~,])|(?<=:is\())(?P<element>[a-z][a-z0-9]*)"
)
#: What need not be there for a selector to match, and numbers such as `.5`.
_NEEDLESS_PART = re.compile(r":not\([^()]*\)")
#: Beginnings of classes and properties that Material's script gives to what this site never shows: its search, its
#: chooser of versions, tags, marks of new pages, numbers of stars, titles as boxes (the feature `content.tooltips`),
#: and diagrams.
_ABSENT_PREFIXES = ("md-search", "md-version", "md-tag", "md-status", "md-source__fact", "md-tooltip2", "--md-mermaid")
#: Beginning of classes that Material's script gives to a part of a page → the class of that part. Without it, none.
_SCRIPTED_PARTS = {"tabbed-": "tabbed-set"}
_USED_VARIABLE = re.compile(r"var\(\s*(--[\w-]+)")


@functools.cache
def _words(script: str) -> frozenset[str]:
    """Return all words of a script that could be names of classes; a site has the same scripts in each language."""
    return frozenset(_CLASS_WORD.findall(script))


def marks(html: str) -> frozenset[str]:
    """Return what selectors ask for in a page: elements, and attributes as written: ``class="a b``."""
    names = {*_ELEMENT_NAME.findall(html), *_CLASS_ATTRIBUTE.findall(html)}
    return frozenset(map(sys.intern, names))  # pages share them, and so does what is stored


class Used:
    """Elements, classes, attributes and words that occur in the pages and scripts of a site."""

    def __init__(self) -> None:
        self.elements: set[str] = {"html", "head", "body"}
        self.classes: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.words: set[str] = set()
        """All words in the scripts that could be names of classes or elements."""
        self.properties: set[str] = set()
        """Custom properties that other stylesheets and the scripts use."""
        self.overridden: set[str] = set()
        """Custom properties that the site's own stylesheet sets anew on all pages."""

    def page(self, marks: Iterable[str]) -> None:
        """Add the `marks` of a page."""
        for name, attribute, value in (mark.partition('="') for mark in marks):
            if not attribute:
                self.elements.add(name)
            elif name == "class":
                self.classes.update(value.split())
            else:
                self.attributes.add((name, value))

    def script(self, text: str) -> None:
        """Add the words of a script."""
        self.words.update(_words(text))
        self.properties.update(name for name in _USED_VARIABLE.findall(text) if not name.startswith(_ABSENT_PREFIXES))

    def style(self, text: str, *, everywhere: bool = False) -> None:
        """Add a stylesheet that follows the one to be reduced. `everywhere`: on all pages."""
        self.properties.update(_USED_VARIABLE.findall(text))
        if everywhere:
            roots = (rule for rule in _parse(text) if ":root" in rule.selectors)
            self.overridden.update(name for rule in roots for name, _ in rule.declarations if name.startswith("--"))

    def digest(self) -> str:
        """Return a text that differs when what is used differs."""
        return digest(*map(sorted, vars(self).values()))

    def matches(self, selector: str) -> bool:
        """Whether a selector can match anything, now or when a script has set a state."""
        return all(
            self._element(part["element"])
            if part["element"]
            else self._class(part["class"])
            if part["class"]
            else self._attribute(part["name"], part["value"])
            for part in _IN_SELECTOR.finditer(_NEEDLESS_PART.sub("", selector))
        )

    def _element(self, name: str) -> bool:
        return name in self.elements or name in self.words

    def _class(self, name: str) -> bool:
        made = name in self.words and not name.startswith(_ABSENT_PREFIXES)
        parts = (part for beginning, part in _SCRIPTED_PARTS.items() if name.startswith(beginning))
        return name in self.classes or (made and all(part in self.classes for part in parts))

    def _attribute(self, name: str, value: str | None) -> bool:
        if name == "dir":
            return (name, value) in self.attributes
        if value is None or not (name == "role" or name.startswith("data-md-")):
            return True
        return (name, value) in self.attributes or value in self.words


@dataclass(frozen=True)
class _Rule:
    """A rule of a stylesheet."""

    selectors: tuple[str, ...] = ()
    """Its selectors; of an at-rule, the text before its braces as the only one."""
    declarations: tuple[tuple[str, str], ...] = ()
    """Name and text of each."""
    rules: tuple[_Rule, ...] = ()
    """The rules within an at-rule."""
    whole: str = ""
    """The text of a rule that is not taken apart, such as `@keyframes`."""

    def kept(self, used: Used) -> _Rule | None:
        """Return the rule with the selectors that can match, or ``None`` if there are none."""
        if self.whole:
            return self
        if self.rules:
            inner = tuple(left for rule in self.rules if (left := rule.kept(used)))
            return replace(self, rules=inner) if inner else None
        selectors = tuple(selector for selector in self.selectors if used.matches(selector))
        return replace(self, selectors=selectors) if selectors else None

    def walk(self) -> Iterator[tuple[str, str]]:
        """Yield the declarations of this rule and of the rules within it."""
        yield from self.declarations
        for rule in self.rules:
            yield from rule.walk()

    def text(self, asked: set[str] | None = None) -> str:
        """Return the rule without unused custom properties, or ``None`` if nothing else was in it."""
        kept = [text for name, text in self.declarations if asked is None or name in asked or not name.startswith("--")]
        body = ";".join(kept) + "".join(rule.text(asked) for rule in self.rules)
        return self.whole or (f"{','.join(self.selectors)}{{{body}}}" if body else "")


def trim(css: str, used: Used) -> str:
    """Remove selectors that match nothing, rules without selectors, and properties that are unused or overridden."""
    rules = [left for rule in _parse(css) if (left := rule.kept(used))]
    definitions = [
        (n, _USED_VARIABLE.findall(text)) for rule in rules for n, text in rule.walk() if n not in used.overridden
    ]
    asked = set(used.properties)
    asked.update(*(uses for name, uses in definitions if not name.startswith("--")))
    while more := {n for name, uses in definitions if name in asked for n in uses} - asked:
        asked |= more
    return "".join(rule.text(asked - used.overridden) for rule in rules)


def minify(css: str) -> str:
    """Remove comments and the white space around rules and declarations."""
    return "".join(rule.text() for rule in _parse(css))


@functools.cache
def _parse(css: str) -> tuple[_Rule, ...]:
    return _rules(tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True))


def _rules(parsed: list[Any]) -> tuple[_Rule, ...]:
    rules = []
    for rule in parsed:
        if rule.type == "qualified-rule":
            rules.append(_Rule(tuple(_selectors(rule.prelude)), _declarations(rule.content)))
        elif rule.type == "at-rule" and rule.content is not None and rule.lower_at_keyword in ("media", "supports"):
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            rules.append(
                _Rule((f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude).rstrip()}",), rules=_rules(inner))
            )
        else:
            rules.append(_Rule(whole=rule.serialize()))
    return tuple(rules)


def _declarations(content: list[Any]) -> tuple[tuple[str, str], ...]:
    nodes = tinycss2.parse_blocks_contents(content, skip_comments=True, skip_whitespace=True)
    return tuple((d.name, _declaration(d)) for d in nodes if d.type == "declaration")


def _declaration(declaration: Any) -> str:
    value = tinycss2.serialize(declaration.value).strip()
    return f"{declaration.name}:{value}{'!important' * declaration.important}"


def _selectors(prelude: list[Any]) -> list[str]:
    """Split the selectors of a rule at commas; commas within brackets do not split."""
    selectors: list[str] = []
    current: list[Any] = []
    for token in [*prelude, None]:
        if token is None or (token.type == "literal" and token.value == ","):
            selectors.append(tinycss2.serialize(current).strip())
            current = []
        else:
            current.append(token)
    return selectors
