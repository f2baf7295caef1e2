"""How long the package that readers install takes: ``python -m scripts.benchmarks.explain``, after ``make explain``.

Processor time, the least of several rounds in fresh processes, with the Python that runs this.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PACKAGE = Path(__file__).parents[2] / "explain/src"
ROUNDS = 7

START = "import sys, time; sys.path.insert(0, {path!r}); begin = time.process_time(); {code}; print(time.process_time() - begin)"
HOOK = "import pytorch_verbatim.hook"
EXPLAIN = "from pytorch_verbatim import explaining; explaining.explain({text})"
WARM = "from pytorch_verbatim import explaining; explaining.explain('RuntimeError: x'); begin = time.process_time(); explaining.explain({text})"
TEXTS = {
    "a message": "'RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x25088 and 784x10)'",
    "100 MB": "'RuntimeError: ' + 'x' * 100_000_000",
    "words": "'RuntimeError: ' + 'mat1 and mat2 shapes ' * 5_000_000",
    "brackets": "'RuntimeError: ' + '([{' * 30_000_000",
    "quotes": "'RuntimeError: ' + chr(39) * 10_000_000",
    "path": "'RuntimeError: ' + 'a' * 10_000_000 + '/b' * 10_000_000",
    "numbers": "'RuntimeError: ' + '1.1x' * 10_000_000",
    "dots": "'a.' * 10_000_000 + 'Error'",
    "lines": "chr(10) * 50_000_000",
    "orders": "(chr(27) + '[') * 10_000_000",
    "tracebacks": "('Traceback (most recent call last):' + chr(10)) * 1_000_000",
    "errors": "'xError ' * 10_000_000",
}


def least(code: str) -> float:
    """Return the milliseconds that code takes."""
    command = [sys.executable, "-c", START.format(path=str(PACKAGE), code=code)]
    return 1000 * min(
        float(subprocess.run(command, capture_output=True, text=True, check=True).stdout) for _ in range(ROUNDS)
    )


def main() -> None:
    """Print a table."""
    bare, hook = least("begin = 0"), least(HOOK)
    print(f"{'import pytorch_verbatim.hook':32} {hook:6.1f} ms, {hook / bare:.2f} of what Python itself takes to begin")
    print(f"{'the first message':32} {least(EXPLAIN.format(text=TEXTS['a message'])):6.1f} ms")
    for name, text in TEXTS.items():
        # the text is made before the clock begins
        code = WARM.replace("begin = time.process_time(); ", "text = {text}; begin = time.process_time(); ", 1)
        print(
            f"{'then: ' + name:32} {least(code.replace('explain({text})', 'explain(text)').format(text=text)):6.1f} ms"
        )


if __name__ == "__main__":
    main()
