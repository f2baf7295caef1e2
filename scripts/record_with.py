"""Record the cells that need a package which the project's own environment does without.

    python scripts/record_with.py "torchvision==0.28.0" data/transforms data/image-folder

An environment is made for it below the cache folder, with the built torch as pip finds it (on Linux a build with CUDA,
some 5 GB), the project's own pins and the package; the recipes run there whole, and their records say what ran them.
The environment is removed afterwards.
"""

from __future__ import annotations

import sys

import scratch


def main(packages: list[str], recipes: list[str]) -> int:
    """Return the exit code of `record`, or 1 where pip cannot install."""
    wanted = [*scratch.pins(scratch.requirements(), scratch.NEEDED), *packages]
    try:
        # The package fits the ordinary build of torch, not one that this machine prefers.
        with scratch.environment("with", ordinary=True) as made:
            made.install(*wanted)
            return made.run("-m", "verbatim", "record", "--new-environment", *recipes)
    except scratch.CannotInstall as error:
        print(
            f"pip cannot install {' '.join(wanted)} together: {error}\n  hint: name versions that fit", file=sys.stderr
        )
        return 1


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1].split(), sys.argv[2:]))
