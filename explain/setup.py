"""Takes the version from the book that the data is of, and refuses to make a package without data."""

import json
import sys
from pathlib import Path

from setuptools import setup

DATA = Path(__file__).parent / "src/pytorch_verbatim/messages.json"


def version() -> str:
    """Return the day of the book: ``2026.11.23``; of one that was edited since, one that no index takes."""
    if not DATA.is_file():
        sys.exit(f"{DATA}: the book's messages are missing; write them first, in the repository: make explain")
    book = json.loads(DATA.read_text(encoding="utf-8"))["book"]
    if not book["date"]:
        sys.exit(f"{DATA}: the data does not say of which commit it is; write it in a git checkout: make explain")
    day = ".".join(str(int(part)) for part in book["date"].split("-"))
    return f"{day}+edited" if book["edited"] else day


setup(version=version())
