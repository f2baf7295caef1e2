"""Builds the site."""

from __future__ import annotations

import argparse

from verbatim.project import Project, find_root
from verbatim.site import command


def main(options: argparse.Namespace) -> int:
    """Build the site."""
    return command.build(
        Project(find_root()),
        strict=options.strict,
        clean=options.clean,
        offline=options.offline,
        site_dir=options.site_dir,
    )
