"""Reads YAML that may be meant to harm: it neither nests without end, nor repeats itself, nor has numbers without end.

The library's C code crashes where values are nested some ten thousand deep; aliases of aliases make a line a gigabyte;
Python refuses to print a number of five thousand digits that it has read. All of these are `yaml.YAMLError` here, with
their line, before a value is made.
"""

from __future__ import annotations

from typing import Any

import yaml

from verbatim.problems import Problem

#: The loader of libyaml, if it is installed: ten times as fast.
LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
#: A value is nested in at most so many others.
MOST_LEVELS = 20
#: The most characters of a number, and of a whole text.
NUMBER_CHARACTERS = 50
TEXT_CHARACTERS = 1 << 20


def load(text: str | bytes, loader: Any = LOADER, *, settings: bool = False) -> Any:
    """Return the value of a YAML text. `settings`: as in `check`.

    Raises:
        yaml.YAMLError: it is not YAML, or not what anybody would write.
    """
    check(text, settings=settings)
    try:
        return yaml.load(text, Loader=loader)
    except (ValueError, TypeError, OverflowError, RecursionError) as error:  # such as a date in month 13
        raise yaml.YAMLError(str(error)) from error


def compose(text: str | bytes) -> yaml.Node | None:
    """Return the nodes of a YAML text, which have their lines.

    Raises:
        yaml.YAMLError: as in `load`.
    """
    check(text)
    node: yaml.Node | None = yaml.compose(text, Loader=LOADER)
    return node


def problem(error: yaml.YAMLError, path: str, what: str, hint: str, above: int = 0) -> Problem:
    """Return what to tell of a text that is not YAML.

    Args:
        error: What `load` or `compose` raised.
        path: The file, from the project's root.
        what: What the file, or this part of it, is called.
        hint: How to mend it.
        above: The number of lines above the text.
    """
    mark = getattr(error, "problem_mark", None)
    why = getattr(error, "problem", None) or getattr(error, "reason", None) or str(error).partition("\n")[0]
    return Problem(path, above + (mark.line + 1 if mark else 1), f"{what} is not YAML: {why}", hint)


def check(text: str | bytes, *, settings: bool = False) -> None:
    """Look at a text piece by piece, and stop at the first one that nobody would write.

    Args:
        text: The text.
        settings: Whether it is MkDocs' settings, in which tags stand for functions, and aliases for other values.

    Raises:
        yaml.YAMLError: as in `load`.
    """
    if len(text) > TEXT_CHARACTERS:
        raise yaml.YAMLError(f"it has more than {TEXT_CHARACTERS >> 10} KiB")
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        fact = ""
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            fact = "values are nested too deeply" if depth > MOST_LEVELS else ""
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        elif isinstance(event, yaml.AliasEvent) and not settings:
            fact = "an alias stands for another value"
        elif isinstance(event, yaml.ScalarEvent) and len(event.value) > NUMBER_CHARACTERS and _is_number(event.value):
            fact = "a number is too long"
        if not fact and getattr(event, "tag", None) and not settings:
            fact = "a tag stands before a value"
        if fact:
            raise yaml.MarkedYAMLError(problem=fact, problem_mark=event.start_mark)  # type: ignore[arg-type]


def _is_number(text: str) -> bool:
    return text[0] in "+-.0123456789" and not text.strip("+-0123456789abcdefABCDEFxXoO:._")
