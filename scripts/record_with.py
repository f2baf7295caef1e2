"""Record the cells that need a package which the project's own environment does without.

    python scripts/record_with.py "torchvision==0.28.0" data/transforms data/image-folder
    python scripts/record_with.py "pip" setup/packages-that-fit --unfit "torchvision==0.21.0"

An environment is made for it below the cache folder, with the built torch as pip finds it (on Linux a build with CUDA,
some 5 GB), the project's own pins and the package; the recipes run there whole, and their records say what ran them.
What a page shows of packages that do not fit is installed after these, as it is and without what it asks for.
The environment is removed afterwards.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import scratch


def main(packages: list[str], recipes: list[str], unfit: Sequence[str] = ()) -> int:
    """Return the exit code of `record`, or 1 where pip cannot install.

    Args:
        packages: What is installed besides torch and the project's pins, all of it together.
        recipes: What is recorded.
        unfit: What is installed afterwards, whether it fits or not.
    """
    wanted = [*scratch.pins(scratch.requirements(), scratch.NEEDED_PACKAGES), *packages]
    try:
        # The package fits the ordinary build of torch, not one that this machine prefers.
        with scratch.environment("with", ordinary=True) as made:
            made.install(*wanted)
            if unfit:
                made.install("--no-deps", *unfit)
            return made.run("-m", "verbatim", "record", "--new-environment", *recipes)
    except scratch.CannotInstall as error:
        print(
            f"pip cannot install {' '.join(wanted)} together: {error}\n  hint: name versions that fit", file=sys.stderr
        )
        return 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("packages", help="what pip installs besides, in one word: `torchvision==0.28.0 pillow`")
    parser.add_argument("recipes", nargs="+", help="such as data/transforms")
    parser.add_argument("--unfit", default="", help="what is installed without asking whether it fits")
    asked = parser.parse_args()
    sys.exit(main(asked.packages.split(), asked.recipes, asked.unfit.split()))
