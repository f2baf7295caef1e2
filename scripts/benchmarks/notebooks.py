"""Every notebook of a folder, executed by nbclient in a kernel of its own, one after the other.

python -m scripts.benchmarks.notebooks folder
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient


def main(folder: Path) -> None:
    for path in sorted(folder.glob("*.ipynb")):
        notebook = nbformat.read(path, as_version=4)
        NotebookClient(notebook, kernel_name="python3").execute()
        nbformat.write(notebook, path)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
