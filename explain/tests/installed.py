"""Tries the installed package: ``python explain/tests/installed.py``, and with the extras whose names it is given.

Alone it has nothing but Python; ``installed.py book mcp`` tries what these extras bring, too.
"""

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
        with open(os.path.join(folder, "model.py"), "w", encoding="utf-8") as file:
            file.write("import torch\ntorch.load('net.pt')\n")
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


COMMAND = ("-m", "pytorch_verbatim")

CLIENT = """
import os, sys
import anyio
from mcp import Client, StdioServerParameters, stdio_client

async def main():
    server = StdioServerParameters(command=sys.executable, args=["-m", "pytorch_verbatim", "mcp"], env=dict(os.environ))
    async with Client(stdio_client(server)) as client:
        for name, given in (("explain", {"message": sys.argv[1]}), ("search", {"query": "detach"}), ("page", {"path": "autograd/detach"})):
            print((await client.call_tool(name, given)).content[0].text)

anyio.run(main)
"""


def book() -> None:
    """Show and find a page."""
    page = run(*COMMAND, "show", "autograd/detach")
    assert page.startswith("# ") and "## " in page and page.rstrip().endswith("/en/autograd/detach/"), page
    assert run(*COMMAND, "show", "--lang", "zh", "autograd/detach") != page
    assert "autograd/detach" in run(*COMMAND, "show", "autograd/detatch", code=1)
    assert run(*COMMAND, "search", "detach").startswith("autograd/detach\n")
    assert run(*COMMAND, "search", "--lang", "zh", MESSAGE).splitlines()


def mcp() -> None:
    """Ask the server with a client."""
    told = run("-c", CLIENT, MESSAGE)
    assert told.count("printed by torch") >= 3 and "# detach()" in told, told[:2000]


def main() -> None:
    """Ask in every way that needs no other package."""
    command = COMMAND
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
    changes = run(*command, "changes", "--from", "1.13", "--to", "2.13", "model.py", code=1)
    assert changes.startswith("may raise now: torch.load\n  model.py:2\n"), changes
    if len(sys.argv) == 1:
        for name in ("book", "mcp"):
            asked = {"book": ("show", "autograd/detach"), "mcp": ("mcp",)}[name]
            told = run(*command, *asked, code=1)
            assert "pip install" in told and {"book": "mini-racer", "mcp": "mcp>="}[name] in told, told
    print(run(*command, "--version").splitlines()[0])


if __name__ == "__main__":
    main()
    for extra in sys.argv[1:]:
        {"book": book, "mcp": mcp}[extra]()
