"""Try another version of a package: run everything with it in a scratch environment and write what it changes.

    python scripts/upgrade.py torch 2.14.0
    python scripts/upgrade.py torch newest

Writes the report, `drift-<package>-<version>.md`, and for torch fetches the list of the names that PyTorch's newest
documentation has, which pages link to; nothing else changes.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import urllib.request

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


def fetch_inventory() -> None:
    """Fetch the inventory of PyTorch's documentation; where there is no network, or nonsense comes, say so."""
    sys.path.insert(0, str(ROOT))
    from verbatim.lists import api, inventory
    from verbatim.project import write_if_changed

    address = f"{api.DOCUMENTATION}objects.inv"
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            data = answer.read()
        count = len(inventory.parse(data))
    except (OSError, ValueError) as error:
        print(f"{address}: cannot be used ({error}); links to PyTorch's documentation are found as before", flush=True)
        return
    changed = write_if_changed(inventory.FILE, data)
    print(f"{inventory.FILE.relative_to(ROOT)}: {count} names, {'changed' if changed else 'as before'}", flush=True)


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
    if package == "torch":
        fetch_inventory()
    return 0 if report.is_file() else done or 1


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except scratch.CannotInstall as error:
        sys.exit(f"pip cannot install {sys.argv[1]} {sys.argv[2]}: {error}")
