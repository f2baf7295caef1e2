"""`verbatim.json`: every recipe and cell of the site, for other tools."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from verbatim.book import Book
from verbatim.project import write_if_changed
from verbatim.records import outputs_sha


def build(book: Book, urls: dict[str, dict[str, str]]) -> dict[str, Any]:
    """Return the manifest. ``urls``: script → language → address of its page from the site's root."""
    recipes = {}
    for path, script in sorted(book.scripts.items()):
        result = book.results[path]
        recipes[book.project.recipe(path)] = {
            "title": script.title,
            "script": path,
            "source": script.sha,
            "seconds": round(result.seconds, 4),
            "pages": urls.get(path, {}),
            "cells": [_cell(book, path, cell.name) for cell in script.cells if book.find(path, cell.name)],
        }
    return {"schema": 1, "environment": book.environment, "recipes": recipes}


def _cell(book: Book, path: str, name: str) -> dict[str, Any]:
    found = book.find(path, name)
    assert found is not None
    _, cell, result = found
    entry: dict[str, Any] = {
        "name": name,
        "source": cell.sha,
        "options": cell.options,
        "device": "cpu",
        "outputs": outputs_sha(result.outputs),
        "seconds": round(result.seconds, 4),
        "environment": book.results[path].environment,
    }
    if result.skipped:
        recorded = book.recorded(path, name)
        entry["device"] = recorded[0].device if recorded else None
        entry["outputs"] = outputs_sha(recorded[1].outputs) if recorded else None
        entry["environment"] = recorded[0].provenance if recorded else None
        entry["seconds"] = None
    return entry


def write(path: Path, book: Book, urls: dict[str, dict[str, str]]) -> None:
    """Write the manifest."""
    write_if_changed(path, json.dumps(build(book, urls), ensure_ascii=False, indent=1) + "\n")
