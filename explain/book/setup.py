"""Takes the version from the book that the data is of, and refuses to make a package without data."""

import json
import sys
import zipfile
from pathlib import Path

from setuptools import setup

DATA = Path(__file__).parent / "src/pytorch_verbatim_book/book.zip"

if not DATA.is_file():
    sys.exit(f"{DATA}: the book's pages are missing; write them first, in the repository: make explain")
with zipfile.ZipFile(DATA) as book:
    version = json.loads(book.read("book.json"))["version"]
if not version:
    sys.exit(f"{DATA}: the data does not say of which commit it is; write it in a git checkout: make explain")
setup(version=version)
