"""The floor of running: every cell of every script with bare `exec` in one process. Imports once and isolates nothing.

    python -m benchmarks.floor scripts.json outputs.json

The first file maps names to lists of cells, the second gets what each cell printed.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
from pathlib import Path


def main(scripts: Path, outputs: Path) -> None:
    printed: dict[str, list[str]] = {}
    for name, cells in json.loads(scripts.read_text(encoding="utf-8")).items():
        scope = {"__name__": "__main__"}
        printed[name] = []
        for source in cells:
            with contextlib.redirect_stdout(io.StringIO()) as text:
                exec(compile(source, name, "exec", dont_inherit=True), scope)
            printed[name].append(text.getvalue())
    outputs.write_text(json.dumps(printed), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
