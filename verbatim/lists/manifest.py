"""`verbatim.json`: every recipe, cell and list of the site, for other tools.

`docs/assets/verbatim.schema.json` describes the format.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from verbatim.book.gather import Book
from verbatim.book.releases.model import PYTHON
from verbatim.book.releases.ranges import Kind
from verbatim.lists import coverage, errata, errors, names, releases
from verbatim.lists.places import Place, Sources
from verbatim.project import write_if_changed
from verbatim.run.result import outputs_sha

#: Increased with every incompatible change of the format; additions do not increase it.
SCHEMA_VERSION = 5
#: The schema's path on the site, relative to the manifest.
SCHEMA_FILE = "assets/verbatim.schema.json"


def build(sources: Sources, urls: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Return the manifest. ``urls``: script → language → address of its page from the site's root."""
    book = sources.book
    recipes = {}
    for path, script in sorted(book.scripts.items()):
        recipes[book.project.recipe(path)] = {
            "title": script.title,
            "script": path,
            "source": script.sha,
            "pages": urls.get(path, {}),
            "cells": [_cell(book, path, cell.name) for cell in script.cells if book.find(path, cell.name)],
        }
    return {
        "$schema": SCHEMA_FILE,
        "schema": SCHEMA_VERSION,
        "environment": book.environment,
        "recipes": recipes,
        "errors": _errors(sources),
        "names": _names(sources),
        "errata": _errata(sources),
        "versions": _versions(sources),
        "changes": _changes(sources),
        "coverage": _coverage(sources),
    }


def _cell(book: Book, path: str, name: str) -> dict[str, Any]:
    shown_cell = book.find(path, name)
    assert shown_cell is not None
    _, cell, result = shown_cell
    entry: dict[str, Any] = {
        "name": name,
        "source": cell.sha,
        "options": cell.options,
        "device": "cpu",
        "outputs": result.outputs_sha,
        "environment": book.environment,
        "names": list(result.names),
        "versions": [
            {
                "torch": list(recorded.versions),
                "kind": recorded.kind.value,
                "outputs": outputs_sha(recorded.outputs) if recorded.kind in (Kind.OTHER, Kind.ABSENT) else None,
            }
            for recorded in book.ranges(path, name)
        ],
    }
    if result.skipped:
        recorded = book.recorded(path, name)
        entry["device"] = recorded[0].device if recorded else None
        entry["outputs"] = recorded[1].outputs_sha if recorded else None
        entry["environment"] = book.printed_by(*recorded) if recorded else None
    return entry


def _url(sources: Sources, place: Place | errata.Erratum) -> str:
    """The address of a section, relative to the site's root."""
    anchor = f"#{place.anchor}" if place.anchor else ""
    return sources.languages.address(place.page.language, place.page.name) + anchor


def _errors(sources: Sources) -> list[dict[str, Any]]:
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    places: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for language in sources.languages.all:
        for (name, template), messages in errors.groups(sources, language).items():
            row = rows.setdefault((name, template), {"exception": name, "template": template, "places": []})
            for message in messages:
                key = (name, message.text, message.place.page.name, message.place.anchor)
                if key not in places:
                    places[key] = {
                        "text": message.text,
                        "cell": message.place.target,
                        "torch": list(message.torch),
                        "pythons": [release.removeprefix(PYTHON) for release in message.pythons],
                        "runs_with": list(message.runs_with),
                        "proof": message.proof or None,
                        "section": {},
                        "remedy": {},
                    }
                    row["places"].append(places[key])
                places[key]["section"][language] = _url(sources, message.place)
                places[key]["remedy"][language] = message.remedy
    return list(rows.values())


def _names(sources: Sources) -> dict[str, Any]:
    return {
        name: {
            "summary": entry.summary,
            "documentation": names.address(name, sources.address) or None,
            "deprecated": entry.deprecated or None,
            "cells": list(dict.fromkeys(place.target for place in entry.places)),
        }
        for entry in names.names(sources, sources.languages.default)
        for name in entry.all
    }


def _errata(sources: Sources) -> list[dict[str, Any]]:
    rows: dict[tuple[str, int], dict[str, Any]] = {}
    for language in sources.languages.all:
        numbers: dict[str, int] = {}
        for erratum in errata.errata(sources, language):
            name = erratum.page.name
            number = numbers[name] = numbers.get(name, 0) + 1
            proof = erratum.proof
            entry = rows.setdefault(
                (name, number), {"claim": {}, "truth": {}, "section": {}, "proof": None, "once": []}
            )
            entry["claim"][language] = erratum.claim
            entry["truth"][language] = erratum.truth
            entry["section"][language] = _url(sources, erratum)
            entry["once"] = [release for earlier in errata.before(sources, erratum) for release in earlier.versions]
            if proof:
                cell = f"#{proof.cell}" if proof.cell else ""
                entry["proof"] = sources.book.project.recipe(proof.script) + cell
    return list(rows.values())


def _versions(sources: Sources) -> list[dict[str, Any]]:
    return [
        {
            "torch": release.name,
            "environment": release.environment,
            "missing": list(release.missing),
            "counts": asdict(sources.counts[release.name]),
        }
        for release in sources.book.releases.all
    ]


def _changes(sources: Sources) -> list[dict[str, Any]]:
    return [
        {
            "from": step.old,
            "to": step.new,
            "names": list(step.names),
            "gone": list(step.gone),
            "cells": [
                {
                    "cell": f"{change.recipe}#{change.cell}",
                    "kind": change.kind,
                    "from": change.before,
                    "diff": change.diff,
                }
                for change in step.changes
            ],
        }
        for step in releases.steps(sources, sources.languages.default)
    ]


def _coverage(sources: Sources) -> dict[str, Any]:
    first = sources.languages.default
    missing = coverage.missing_topics(sources)
    return {
        "topics": {
            "count": sum(len(topics) for topics in sources.map.topics.values()),
            "missing": [f"{chapter}/{topic}" for chapter, topic in missing],
        },
        "awaiting": [
            {"cell": place.target, "needs": item.needs, "reason": "stale" if item.stale else "unrecorded"}
            for place, item in coverage.awaiting(sources, first)
        ],
        "behind": [{"page": b.page, "section": b.section} for b in sources.behind],
        "varies": [place.target for place in coverage.varying(sources, first)],
        "warns": [place.target for place in coverage.warning(sources, first)],
    }


def write(path: Path, sources: Sources, urls: dict[str, dict[str, str]]) -> None:
    """Write the manifest: one recipe, error or name on a line."""
    write_if_changed(path, _object((key, _lines(value)) for key, value in build(sources, urls).items()) + "\n")


def _lines(value: Any) -> str:
    if isinstance(value, dict):
        return _object((key, _json(item)) for key, item in value.items())
    return f"[{_BREAK.join(map(_json, value))}]" if isinstance(value, list) else _json(value)


def _object(items: Iterable[tuple[str, str]]) -> str:
    return f"{{{_BREAK.join(f'{_json(key)}: {text}' for key, text in items)}}}"


_BREAK = ",\n"
#: Without an indent, which would make the file a quarter larger.
_json = functools.partial(json.dumps, ensure_ascii=False)
