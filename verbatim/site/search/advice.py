"""What messages say in the reader's own numbers and names: `explain/advice.yml`, for the search and the package. Pure.

A message of the file becomes an expression with a group for each ``{name}``; what these find in the reader's message
stands in the sentence. Nothing leaves the reader's browser for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from verbatim import yaml_texts
from verbatim.problems import Problem, Problems

#: The file, from the project's root.
FILE = "explain/advice.yml"
#: What a hole may be: a number, a name, a shape in brackets.
KINDS = {
    "": "-?[0-9]{1,15}",
    "word": "[A-Za-z0-9_:.]{0,99}[A-Za-z0-9_]",
    "shape": r"\[[A-Za-z0-9_*, -]{0,99}\]|\([A-Za-z0-9_*, -]{0,99}\)",
}
#: A hole of a message, with its kind; and one of a sentence, with what is added.
HOLE = re.compile(r"\{(?P<name>[a-z]+)(?::(?P<kind>[a-z]+))?\}")
USE = re.compile(r"\{(?P<name>[a-z]+)(?P<plus>[+-][0-9])?\}")


def read(root: Path) -> list[dict[str, Any]]:
    """Return what `compiled` makes of a project's file; nothing if it has none.

    Raises:
        Problems: The file is not YAML, or as `compiled` says.
    """
    path = root / FILE
    hint = "each entry has a message and a sentence a language, with holes as the file's head says"
    try:
        return list(compiled(yaml_texts.load(path.read_bytes()))) if path.is_file() else []
    except yaml.YAMLError as error:
        raise Problems([yaml_texts.problem(error, FILE, "the list", hint)]) from None
    except (ValueError, KeyError, TypeError) as error:
        raise Problems([Problem(FILE, 0, str(error), hint)]) from None


def compiled(entries: list[dict[str, str]]) -> Iterator[dict[str, Any]]:
    """Yield of each entry the ``pattern`` of its message, the ``names`` of its groups, and ``says``, by language.

    Raises:
        ValueError: A hole is of no known kind, or a sentence has one that its message has not.
    """
    for entry in entries:
        message = entry["message"]
        holes = list(HOLE.finditer(message))
        names = [hole["name"] for hole in holes]
        says = {key: text for key, text in entry.items() if key != "message"}
        for text in says.values():
            if strange := {use["name"] for use in USE.finditer(text)} - set(names):
                raise ValueError(f"`{message}` has no {', '.join(sorted(strange))}: {text}")
        pattern, last = "", 0
        for hole in holes:
            if (kind := hole["kind"] or "") not in KINDS:
                raise ValueError(f"`{message}`: {kind} is none of {', '.join(filter(None, KINDS))}")
            pattern += f"{_escaped(message[last : hole.start()])}({KINDS[kind]})"
            last = hole.end()
        yield {"pattern": pattern + _escaped(message[last:]), "names": names, "says": says}


def _escaped(text: str) -> str:
    """Return a text as an expression that means the same in Python and JavaScript."""
    return re.sub(r"[\\^$.*+?()[\]{}|/]", r"\\\g<0>", text)
