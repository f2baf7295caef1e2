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

import scratch
from scratch import ROOT


def pinned(text: str, package: str, version: str) -> str:
    """Return requirements with one version replaced.

    Raises:
        SystemExit: the package is not among them.
    """
    (old,) = scratch.pins(text, (package,))
    return re.sub(rf"^{re.escape(old)}(?=\s|;|$)", f"{package}=={version}", text, flags=re.MULTILINE)


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
    text = pinned(scratch.requirements(), package, version)
    report = ROOT / f"drift-{package}-{version}.md"
    report.unlink(missing_ok=True)
    with scratch.environment("upgrade") as made:
        pins = made.folder / "requirements.txt"
        pins.write_text(text, encoding="utf-8")
        try:
            # torch by itself first: from its own index, which has nothing else that is pinned.
            made.install(*scratch.pins(text, ("torch",)), index=os.environ.get("TORCH_INDEX", ""))
            made.install("-r", str(pins))
        except scratch.CannotInstall as error:
            # The other pins were made for the old version: where they do not fit the new one, pip chooses.
            print(
                f"pip cannot install {package} {version} with the other pins; trying without them: {error}", flush=True
            )
            pins.write_text(text.partition("# Transitive")[0], encoding="utf-8")
            made.install("-r", str(pins))
        done = made.run("-m", "verbatim", "drift", "--report", str(report))
    return 0 if report.is_file() else done or 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except scratch.CannotInstall as error:
        sys.exit(f"pip cannot install {sys.argv[1]} {sys.argv[2]}: {error}")
