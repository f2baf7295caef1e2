"""The commands `build` and `serve`, through MkDocs."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
from pathlib import Path
from typing import Any, cast

from mkdocs.commands.build import build as mkdocs_build
from mkdocs.commands.serve import serve as mkdocs_serve
from mkdocs.config import load_config
from mkdocs.exceptions import MkDocsException
from mkdocs.utils.yaml import yaml_load

from verbatim.incremental import records
from verbatim.memo import Memo
from verbatim.problems import Problems
from verbatim.project import CONFIG, Project
from verbatim.site import settings_problems
from verbatim.site.configuration import reuse_of
from verbatim.site.finishing import publish
from verbatim.site.plugin import VerbatimPlugin

log = logging.getLogger(__name__)


def build(project: Project, *, strict: bool, clean: bool, offline: bool, site_dir: str | None = None) -> int:
    """Build the site, unless nothing changed since it was built. Return the exit code.

    Args:
        project: The project.
        strict: Whether a warning, or an output that is not the recorded one, is an error.
        clean: Whether every page is made anew.
        offline: Whether a zip of each language is made.
        site_dir: The folder of the site, if not that of the settings.
    """
    _begin(project, logging.INFO)
    options = {name: True for name, asked in (("clean", clean), ("offline", offline)) if asked}
    try:
        where = {"site_dir": site_dir} if site_dir else {}
        config = load_config(str(project.root / CONFIG), strict=strict or None, **where, **_plugins(project, **options))
        site = publish.place(Path(config.site_dir))
        plugin = cast(VerbatimPlugin, config.plugins["verbatim"])
        with contextlib.closing(Memo(project.cache, fresh=bool(plugin.config.clean))) as memo:
            existing = reuse_of(config, site, records.load(memo, site))
        if existing.unchanged:
            print(f"nothing changed since {site.name}/ was built: it is left as it is")
            return 0
        config.plugins.on_startup(command="build", dirty=False)
        plugin.existing = existing
        try:
            mkdocs_build(config)
        finally:
            config.plugins.on_shutdown()
    except MkDocsException as error:
        print(error, file=sys.stderr)
        return 1
    except (AttributeError, LookupError, TypeError, ValueError):
        if clean:
            raise
        log.warning("what an earlier build stored may be damaged; everything is made again")
        return build(project, strict=strict, clean=True, offline=offline, site_dir=site_dir)
    return 0


def serve(project: Project, recipes: list[str], port: int) -> int:
    """Serve the site, or just some recipes in both languages, and follow what is saved. Return the exit code."""
    _begin(project, logging.WARNING)
    plugins = _plugins(project, recipes=recipes) if recipes else {}
    try:
        mkdocs_serve(str(project.root / CONFIG), dev_addr=f"localhost:{port}", **plugins)
    except MkDocsException as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def _begin(project: Project, level: int) -> None:
    """Set what MkDocs says.

    Raises:
        Problems: the settings cannot be read.
    """
    os.environ["NO_MKDOCS_2_WARNING"] = "1"
    logging.basicConfig(format="%(levelname)-7s %(message)s", level=logging.WARNING)
    logging.getLogger("mkdocs").setLevel(level)
    if unreadable := settings_problems.no_yaml(project):
        raise Problems(unreadable)


def _plugins(project: Project, **options: Any) -> dict[str, Any]:
    """Return the settings' plugins with other options of this one; nothing if there are none to set."""
    if not options:
        return {}
    with (project.root / CONFIG).open("rb") as file:
        listed = yaml_load(file).get("plugins") or []
    pairs = [next(iter(plugin.items())) if isinstance(plugin, dict) else (plugin, {}) for plugin in listed]
    # A dictionary: MkDocs takes the items out of the dictionaries of a list, and a server reads the settings again.
    return {"plugins": {name: {**(own or {}), **(options if name == "verbatim" else {})} for name, own in pairs}}
