"""Takes a recipe out, unless pages link to it."""

from __future__ import annotations

import argparse

from verbatim import move
from verbatim.project import Project, find_root


def main(options: argparse.Namespace) -> int:
    """Take a recipe out."""
    print(*move.remove(Project(find_root()), options.recipe), sep="\n")
    return 0
