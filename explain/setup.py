"""Takes the version from the book that the data is of, and refuses to make a package without data."""

import json
import sys
from pathlib import Path

from setuptools import setup

FOLDER = Path(__file__).parent / "src/pytorch_verbatim"

for data in (FOLDER / "messages.json", FOLDER / "changes.json"):
    if not data.is_file():
        sys.exit(f"{data}: the book's data is missing; write it first, in the repository: make explain")
version = json.loads((FOLDER / "messages.json").read_text(encoding="utf-8"))["book"]["version"]
if not version:
    sys.exit(f"{FOLDER}: the data does not say of which commit it is; write it in a git checkout: make explain")
setup(
    version=version,
    extras_require={
        "book": [f"pytorch-verbatim-book=={version}", "mini-racer>=0.12"],  # the pages, and what runs the search
        "mcp": [f"pytorch-verbatim-book=={version}", "mini-racer>=0.12", "mcp>=2,<3"],
    },
)
