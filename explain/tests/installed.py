"""Tries the installed package with nothing but Python: ``python explain/tests/installed.py``."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile

MESSAGE = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x25088 and 784x10)"


def run(*arguments: str, given: str = "", code: int = 0) -> str:
    """Run Python in an empty folder; return what it wrote."""
    with tempfile.TemporaryDirectory() as folder:
        with open(os.path.join(folder, "train.py"), "w", encoding="utf-8") as file:
            file.write(f"raise {MESSAGE.partition(':')[0]}({MESSAGE.partition(': ')[2]!r})\n")
        done = subprocess.run(
            [sys.executable, *arguments],
            cwd=folder,
            input=given.encode(),
            env={**os.environ, "PYTHONIOENCODING": "utf-8", "PYTORCH_VERBATIM_LANG": "en"},
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            check=False,
        )
    told = done.stdout.decode()
    assert done.returncode == code, (arguments, done.returncode, told)
    return told


def main() -> None:
    """Ask in every way that needs no other package."""
    command = ("-m", "pytorch_verbatim")
    english, chinese = run(*command, MESSAGE), run(*command, "--lang", "zh", MESSAGE)
    assert "/en/" in english and "/en/" not in chinese and "https://" in chinese
    assert run(*command, given=f"step 1\nTraceback (most recent call last):\n  File\n{MESSAGE}\n") == english
    assert run(*command, "explain", MESSAGE) == english
    assert run(*command, "OSError: [Errno 28] No space left on device", code=1).count("\n") == 1
    assert run(*command, given="", code=1).count("\n") == 1
    assert "commit" in run(*command, "--version")
    bare = run("train.py", code=1)
    for arguments in (
        (*command, "run", "train.py"),
        ("-c", "import pytorch_verbatim.hook; exec(open('train.py').read())"),
    ):
        told = run(*arguments, code=1).splitlines()
        assert told[-2].startswith("PyTorch Verbatim: ") and told[-1].startswith("https://"), told
        assert told[-3] == bare.splitlines()[-1]
    print(run(*command, "--version").splitlines()[0])


if __name__ == "__main__":
    main()
