"""The floors of running: every cell of every script with bare `exec`, and nothing noted or limited.

    python -m scripts.benchmarks.floor scripts.json outputs.json exec|forked|ended

The first file maps names to lists of cells, the second gets what each cell printed. `exec`: all in this process, which
imports once. `forked`: each script in a process of its own, forked from one that is prepared as this project's server
is: what the scripts may use is imported, and for many scripts its memory lies in huge pages. `ended`: the same, but the
process ends at once and prints nothing: what forking alone costs.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import os
import sys
import traceback
from pathlib import Path

from verbatim.run import isolate, server


def run(name: str, cells: list[str]) -> list[str]:
    """Return what each cell prints."""
    scope = {"__name__": "__main__"}
    printed = []
    for source in cells:
        with contextlib.redirect_stdout(io.StringIO()) as text:
            exec(compile(source, name, "exec", dont_inherit=True), scope)
        printed.append(text.getvalue())
    return printed


def forked(name: str, cells: list[str]) -> list[str]:
    """Do the same in a forked process.

    Raises:
        RuntimeError: The process failed.
    """
    reader, writer = os.pipe()
    if (child := os.fork()) == 0:
        code = 1
        try:
            os.close(reader)
            with os.fdopen(writer, "w") as pipe:
                json.dump(run(name, cells), pipe)
            code = 0
        except BaseException:
            traceback.print_exc()
        finally:  # it must not go on as its parent does
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        printed = pipe.read()
    if code := os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]):
        raise RuntimeError(f"{name}: its process ended with {code}")
    return json.loads(printed)


def main(scripts: Path, outputs: Path, way: str) -> None:
    known = json.loads(scripts.read_text(encoding="utf-8"))
    for module in server.modules(isolate.LATE) if way != "exec" else ():
        importlib.import_module(module)
    printed = {
        name: run(name, cells) if way == "exec" else forked(name, cells if way == "forked" else [])
        for name, cells in known.items()
    }
    outputs.write_text(json.dumps(printed), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3])
