"""Gives a recipe another name or chapter: its files and records, all links to it; the old address leads to it."""

from __future__ import annotations

import argparse

from verbatim import move
from verbatim.project import Project, find_root


def main(options: argparse.Namespace) -> int:
    """Move a recipe."""
    left = move.move(Project(find_root()), options.old, options.new)
    print(f"{options.old} is now {options.new}", *left, sep="\n")
    return 0
