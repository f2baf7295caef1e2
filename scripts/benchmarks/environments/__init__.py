"""An environment for each tool, pinned in the `.txt` files beside this one and made on first use.

torch, NumPy and Matplotlib are those of the project for all of them: its folder of packages follows each tool's own on
the path. So nothing here names them, and pip is told to install what is listed and nothing else.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import sysconfig
from pathlib import Path


def python(name: str, folder: Path) -> Path:
    """Return the interpreter of a tool's environment below `folder`, made now if it is not there.

    Raises:
        OSError: It cannot be made; the message says why.
    """
    wanted = Path(__file__).parent / f"{name}.txt"
    version = hashlib.sha256(wanted.read_bytes() + sys.version.encode() + sys.prefix.encode()).hexdigest()[:8]
    home = folder / f"{name}-{version}"
    interpreter = home / "bin" / "python"
    if (home / "complete").is_file():
        return interpreter
    print(f"making the environment of {name} …", file=sys.stderr, flush=True)
    _run(sys.executable, "-m", "venv", "--clear", str(home))
    install = ("install", "--quiet", "--disable-pip-version-check", "--no-deps", "--requirement", str(wanted))
    _run(str(interpreter), "-m", "pip", *install)
    own = _run(str(interpreter), "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip()
    shared = {sysconfig.get_path("purelib"), sysconfig.get_path("platlib")}
    (Path(own) / "project.pth").write_text("\n".join(sorted(shared)) + "\n")
    (home / "complete").touch()
    return interpreter


def _run(*command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip() or done.stdout.strip()).splitlines()
        raise OSError(said[-1] if said else f"{command[0]} failed")
    return done.stdout


def versions(name: str) -> dict[str, str]:
    """Return what an environment lists: package → version."""
    lines = (Path(__file__).parent / f"{name}.txt").read_text(encoding="utf-8").splitlines()
    return dict(line.split("==") for line in lines if "==" in line)
