"""What messages say in the reader's own numbers and names: `explain/advice.yml`, for the search and the package. Pure.

A message of the file becomes an expression with a group for each ``{name}``; what these find in the reader's message
stands in the sentence. Nothing leaves the reader's browser for it.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from verbatim import yaml_texts
from verbatim.problems import Problem, Problems, did_you_mean
from verbatim.project import Project

#: The file, from the project's root.
FILE = "explain/advice.yml"
MESSAGE = "message"
#: What a hole may be: a number, a name, a shape in brackets, an amount of memory, any text, as short as it can be.
HOLE_KINDS = {
    "": "-?[0-9]{1,15}",
    "word": "[A-Za-z0-9_:.]{0,99}[A-Za-z0-9_]",
    "memory": "[0-9.]{1,15} [KMGT]iB",
    "text": "[ -~]{0,2000}?",
    "shape": r"\[[A-Za-z0-9_*, -]{0,99}\]|\([A-Za-z0-9_*, -]{0,99}\)",
}
#: What may stand between two holes and belong to the first one as well, by its kind. A shape ends with its bracket.
_BETWEEN_HOLES = {"": "[0-9]*", "word": "[A-Za-z0-9_:.]*", "text": r"\W{0,1}"}
#: A hole of a message, with its kind; and one of a sentence, with what is added.
HOLE = re.compile(r"\{(?P<name>[a-z]+)(?::(?P<kind>[a-z]+))?\}")
HOLE_USE = re.compile(r"\{(?P<name>[a-z]+)(?P<plus>[+-][0-9])?\}")
#: What looks like a hole, in either.
_BRACES = re.compile(r"\{[^{}]*\}?")
_HINT = "each entry has a message and a sentence a language, with holes as the file's head says"


@dataclass(frozen=True)
class Entry:
    """What is said of one message."""

    pattern: str
    """The expression of the message, the same in Python and JavaScript."""
    names: tuple[str, ...]
    """The names of its groups."""
    says: dict[str, str]
    """Language → sentence."""
    line: int
    """Where the entry begins in the file."""


def read(project: Project) -> tuple[list[Entry], list[Problem]]:
    """Return the entries of a project's file, and what is wrong with the others. It need not have the file."""
    if not (project.root / FILE).is_file():
        return [], []
    try:
        root = yaml_texts.compose((project.root / FILE).read_bytes())
    except yaml.YAMLError as error:
        return [], [yaml_texts.problem(error, FILE, "the list", _HINT)]
    if not isinstance(root, yaml.SequenceNode):
        return [], [Problem(FILE, 1, "this is no list of entries", _HINT)] if root else []
    entries, problems = [], []
    for node in root.value:
        wrong = list(_form(node, project.languages.whole)) or list(_holes(node)) or list(_uses(node))
        problems += wrong
        if not wrong:
            entries.append(_entry(node))
    return entries, problems


def data(project: Project) -> list[dict[str, Any]]:
    """Return a project's entries as a browser and the package read them.

    Raises:
        Problems: as `read` returns them.
    """
    entries, problems = read(project)
    if problems:
        raise Problems(problems)
    return [{"pattern": entry.pattern, "names": list(entry.names), "says": entry.says} for entry in entries]


def unmatched(entries: Sequence[Entry], texts: Collection[str]) -> Iterator[Problem]:
    """Yield the entries that none of the messages that pages show comes to: it is another one, or an earlier one's."""
    texts = [text.replace("…", "1") for text in texts]  # where a page quotes a message with its numbers left out
    first = [next((entry.line for entry in entries if re.search(entry.pattern, text)), 0) for text in texts]
    for entry in entries:
        if entry.line in first:
            continue
        by = next((line for text, line in zip(texts, first, strict=True) if re.search(entry.pattern, text)), 0)
        fact = (
            f"the entry of line {by} is told of all messages that this one fits"
            if by
            else "no page shows a message like this"
        )
        hint = (
            "put the closer one first, or take one out"
            if by
            else "quote it as a page shows it, with holes for what varies"
        )
        yield Problem(FILE, entry.line, fact, hint)


def _form(node: yaml.Node, languages: Sequence[str]) -> Iterator[Problem]:
    """Yield what makes a node no entry: a message and a sentence for each language, all of them texts."""
    keys = [MESSAGE, *languages]
    if not isinstance(node, yaml.MappingNode):
        yield Problem(FILE, _line(node), "this is no entry", _HINT)
        return
    written = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
    for number, (key, value) in enumerate(node.value):
        if not isinstance(key, yaml.ScalarNode) or key.value not in keys:
            known = did_you_mean(str(key.value), keys) if isinstance(key, yaml.ScalarNode) else _HINT
            yield Problem(FILE, _line(key), f"an entry has no `{key.value}`", known)
        elif not isinstance(value, yaml.ScalarNode) or not value.value.strip():
            yield Problem(FILE, _line(value), f"`{key.value}` is no text", "put it in quotes, on one line")
        elif key.value in written[:number]:
            yield Problem(FILE, _line(key), f"the entry has `{key.value}` twice", "each entry begins with a `-`")
    for key in keys:
        if key not in written and {*written} <= {*keys}:
            yield Problem(FILE, _line(node), f"the entry has no `{key}`", _HINT)


def _texts(node: yaml.Node) -> tuple[yaml.Node, dict[str, yaml.Node]]:
    """Return an entry's message, and language → sentence."""
    texts = {key.value: value for key, value in node.value}
    return texts.pop(MESSAGE), texts


def _holes(node: yaml.Node) -> Iterator[Problem]:
    """Yield the holes of an entry's message that nothing can be found by, or not for sure."""
    message, _ = _texts(node)
    line, holes = _line(message), list(HOLE.finditer(message.value))
    for odd in {*_BRACES.findall(message.value)} - {hole[0] for hole in holes}:
        yield Problem(FILE, line, f"`{odd}` is no hole", "a hole is a name in small letters: {rows} or {name:word}")
    for hole in holes:
        if (hole["kind"] or "") not in HOLE_KINDS:
            hint = did_you_mean(hole["kind"], [kind for kind in HOLE_KINDS if kind])
            yield Problem(FILE, line, f"`{hole[0]}` is of no known kind", hint)
    if len({hole["name"] for hole in holes}) < len(holes):
        yield Problem(FILE, line, "two holes have one name", "give each its own")
    for hole, other in itertools.pairwise(holes):
        between = message.value[hole.end() : other.start()]
        kind = _BETWEEN_HOLES.get(hole["kind"] or "")
        if kind and other["kind"] != "shape" and re.fullmatch(kind, between):
            fact = f"`{hole[0]}` and `{other[0]}` cannot be told apart"
            yield Problem(FILE, line, fact, "let a word or a space stand between them, or make them one hole")


def _uses(node: yaml.Node) -> Iterator[Problem]:
    """Yield what cannot be filled in an entry's sentences."""
    message, texts = _texts(node)
    kinds = {hole["name"]: hole["kind"] or "" for hole in HOLE.finditer(message.value)}
    used = {language: {use["name"] for use in HOLE_USE.finditer(text.value)} for language, text in texts.items()}
    for language, text in texts.items():
        line, odd_ones = _line(text), {*_BRACES.findall(text.value)} - {use[0] for use in HOLE_USE.finditer(text.value)}
        for odd in odd_ones:
            yield Problem(FILE, line, f"`{odd}` is no hole", "write {rows}, or {rows+1} for the next number")
        for use in HOLE_USE.finditer(text.value):
            if use["name"] not in kinds:
                yield Problem(FILE, line, f"the message has no hole `{use['name']}`", did_you_mean(use["name"], kinds))
            elif use["plus"] and kinds[use["name"]]:
                yield Problem(FILE, line, f"`{use[0]}` reckons with what is no number", f"write {{{use['name']}}}")
        missing = set.union(*used.values()) & {*kinds} - used[language]
        if missing and not odd_ones and used[language] <= {*kinds}:
            fact = f"`{language}` does not say {', '.join(f'`{{{n}}}`' for n in sorted(missing))}, which another does"
            yield Problem(FILE, line, fact, "let all languages say the same")
    if not any(used.values()):
        yield Problem(FILE, _line(node), "the sentences say nothing of the reader's own", "use a hole of the message")


def _entry(node: yaml.Node) -> Entry:
    says = {key.value: value.value for key, value in node.value}
    message = says.pop(MESSAGE)
    holes = list(HOLE.finditer(message))
    pattern, last = "", 0
    for hole in holes:
        pattern += f"{_escaped(message[last : hole.start()])}({HOLE_KINDS[hole['kind'] or '']})"
        last = hole.end()
    return Entry(pattern + _escaped(message[last:]), tuple(hole["name"] for hole in holes), says, _line(node))


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


def _escaped(text: str) -> str:
    """Return a text as an expression that means the same in Python and JavaScript."""
    return re.sub(r"[\\^$.*+?()[\]{}|/]", r"\\\g<0>", text)
