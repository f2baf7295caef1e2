"""Try another version of a package: run everything with it in a scratch environment and write what it changes.

    python scripts/upgrade.py torch 2.14.0
    python scripts/upgrade.py torch newest

Changes nothing but the report, `drift-<package>-<version>.md`, and what lies below `.cache`.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def pinned(text: str, package: str, version: str) -> str:
    """Return requirements with one version replaced.

    Raises:
        SystemExit: the package is not among them.
    """
    line = re.compile(rf"^{re.escape(package)}==\S+", re.MULTILINE | re.IGNORECASE)
    if not line.search(text):
        known = ", ".join(re.findall(r"^([\w.-]+)==", text.partition("# Transitive")[0], re.MULTILINE))
        sys.exit(f"requirements.txt: `{package}` is not pinned there\n  hint: known: {known}")
    return line.sub(f"{package}=={version}", text)


def newest(package: str) -> str:
    """Ask pip for the newest version of a package."""
    command = [sys.executable, "-m", "pip", "index", "versions", package]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    match = re.search(r"\(([^)]+)\)", done.stdout)
    if done.returncode or not match:
        sys.exit(f"pip does not know the newest version of `{package}`\n{done.stderr.strip()}")
    return match[1]


def main(package: str, version: str) -> int:
    """Write the report. Return 0 when it was written, whatever it says."""
    version = newest(package) if version == "newest" else version
    text = pinned((ROOT / "requirements.txt").read_text(), package, version)
    scratch = ROOT / ".cache" / "upgrade" / f"{package}-{version}"
    scratch.mkdir(parents=True, exist_ok=True)
    requirements = scratch / "requirements.txt"
    requirements.write_text(text)
    python = scratch / "venv" / "bin" / "python"
    if not python.is_file():
        subprocess.run([sys.executable, "-m", "venv", scratch / "venv"], check=True)
    pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    torch = re.search(r"^torch==\S+", text, re.MULTILINE)
    # The other pins were made for the old version: where they do not fit it, pip chooses, and says so.
    index = ["--index-url", os.environ["TORCH_INDEX"]] if os.environ.get("TORCH_INDEX") else []
    for arguments in ([*index, torch[0]] if torch else [], ["-r", str(requirements)]):
        if arguments and subprocess.run([*pip, *arguments], check=False).returncode:
            print(f"pip cannot install {package} {version} with the other pins; trying without them", flush=True)
            direct = text.partition("# Transitive")[0]
            requirements.write_text(direct)
            subprocess.run([*pip, "-r", str(requirements)], check=True)
    report = ROOT / f"drift-{package}-{version}.md"
    done = subprocess.run([python, "-m", "verbatim", "drift", "--report", str(report)], cwd=ROOT, check=False)
    return 0 if report.is_file() else done.returncode or 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
