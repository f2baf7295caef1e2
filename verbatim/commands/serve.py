"""Serves the site, and follows what is saved."""

from __future__ import annotations

import argparse

from verbatim.project import Project, find_root
from verbatim.site import command


def main(options: argparse.Namespace) -> int:
    """Serve until interrupted."""
    project = Project(find_root())
    recipes = [project.recipe(project.relative(p)) for p in project.select(options.paths)] if options.paths else []
    return command.serve(project, recipes, options.port)
