"""Record the cells that need a package which the project's own environment does without.

    python scripts/record_with.py "torchvision==0.28.0" data/transforms data/image-folder

An environment is made for it below the cache folder, with the built torch as pip finds it (on Linux a build with CUDA,
some 5 GB), the project's own pins and the package; the recipes run there whole, and their records say what ran them.
The environment is removed afterwards.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent

#: What running scripts needs, besides torch.
NEEDED = ("numpy", "matplotlib", "pillow", "PyYAML", "scikit-learn")


def pins(text: str, names: tuple[str, ...]) -> list[str]:
    """Return the lines of a requirements file that pin these packages, without their comments."""
    found = {}
    for line in text.splitlines():
        if match := re.match(r"([\w.-]+)==[^\s;#]+", line):
            found[match[1].lower()] = match[0]
    return [found[name.lower()] for name in names]


def main(packages: list[str], recipes: list[str]) -> int:
    """Return the exit code of `record`, or pip's where it cannot install."""
    requirements = (ROOT / "requirements.txt").read_text(encoding="utf-8")
    where = ROOT / ".cache"
    where.mkdir(exist_ok=True)
    folder = Path(tempfile.mkdtemp(dir=where, prefix="with-"))
    # What a machine's own settings say of other torch builds does not count here: the package fits the ordinary one.
    environment = {**os.environ, "PIP_FIND_LINKS": "", "PIP_CONFIG_FILE": os.devnull, "PYTHONPATH": str(ROOT)}
    try:
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        python = folder / "bin" / "python"
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-cache-dir"]
        wanted = [*pins(requirements, ("torch", *NEEDED)), *packages]
        done = subprocess.run([*install, *wanted], env=environment, check=False)
        if done.returncode:
            print(f"pip cannot install {' '.join(wanted)} together\n  hint: name versions that fit", file=sys.stderr)
            return done.returncode
        record = [python, "-m", "verbatim", "record", "--new-environment", *recipes]
        return subprocess.run(record, cwd=ROOT, env=environment, check=False).returncode
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1].split(), sys.argv[2:]))
