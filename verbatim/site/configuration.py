"""What a build takes of MkDocs' settings, and what it sets."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from mkdocs.config import config_options
from mkdocs.config.base import Config
from mkdocs.config.defaults import MkDocsConfig

from verbatim.incremental.inputs import inputs, token
from verbatim.incremental.records import SiteRecord
from verbatim.incremental.reuse import Reuse
from verbatim.pages.chapters import MAP
from verbatim.project import Project
from verbatim.site.context import SiteContext
from verbatim.site.downloads import editions
from verbatim.site.html.highlight import Blocks
from verbatim.site.site_build import SiteOptions

#: The events by which another plugin, or a hook, could change pages: where there is one, every page is made.
OF_PAGES = ("pre_page", "page_read_source", "page_markdown", "page_content", "page_context", "post_page", "env", "nav")


class VerbatimConfig(Config):
    """The options of the plugin."""

    clean = config_options.Optional(config_options.Type((bool, int, str)))
    """Whether every page is made anew, and nothing taken from earlier builds."""
    offline = config_options.Optional(config_options.Type((bool, int, str)))
    """Whether a zip of each language is made, and offered on its pages."""
    editions = config_options.Type(str, default="")
    """The folder of the book's files (`make book`) that pages offer, from the project's root; none if empty."""
    package_on_index = config_options.Type(bool, default=False)
    """Whether the package index has the packages of `explain/`; until then readers install what the site serves."""
    partial = config_options.Type(list, default=[])
    """Languages that may lack pages: see `verbatim.languages.Languages`."""
    recipes = config_options.Type(list, default=[])
    """The recipes to show, with the home pages; all if empty."""


def project_of(config: MkDocsConfig) -> Project:
    """Return the project; a config file that was named on the command line may be relative."""
    return Project(Path(config.config_file_path).absolute().parent)


def watched(config: MkDocsConfig) -> list[str]:
    """Return the files and folders in which a save is noticed while serving."""
    project = project_of(config)
    map_file = project.root / MAP
    return [
        config.docs_dir,
        str(project.examples),
        *filter(None, [config.config_file_path]),
        *([str(map_file)] if map_file.is_file() else []),
    ]


def reuse_of(config: MkDocsConfig, site: Path, before: SiteRecord | None) -> Reuse:
    """Return what a build can reuse of an existing site.

    Args:
        config: The settings before any plugin changed them.
        site: The existing site.
        before: Its record.
    """
    settings = {name: value for name, value in config.items() if name not in ("plugins", "hooks", "site_dir")}
    # Hooks are plugins without settings; whether a build is a clean one does not change what it makes.
    plugins = {name: {**getattr(plugin, "config", {}), "clean": None} for name, plugin in config.plugins.items()}
    project, folders = project_of(config), [*filter(None, [config.theme.custom_dir])]
    # What is below `build/` is no input, but for the book's files that pages offer.
    folder = plugins.get("verbatim", {}).get("editions", "")
    offered = [
        str(edition) for language in project.languages.all for edition in editions.find(project, folder, language)
    ]
    read = functools.partial(inputs, project, site.absolute(), folders, token((settings, plugins, offered)))
    return Reuse(site, before, read)


def options_of(config: MkDocsConfig, options: VerbatimConfig, *, serving: bool, outline_only: bool) -> SiteOptions:
    """Return what a build is asked for. `options`: the plugin's."""
    branch = re.match(r"edit/([^/]+)/", config.edit_uri or "")
    return SiteOptions(
        repository=config.repo_url or "",
        branch=branch[1] if branch else "main",
        notebooks=str(config.extra.get("notebooks") or ""),
        strict=config.strict,
        offline=bool(options.offline),
        editions=options.editions,
        recipes=tuple(options.recipes),
        serving=serving,
        outline_only=outline_only,
    )


def is_alone(config: MkDocsConfig) -> bool:
    """Whether no hook and no plugin besides this one and static-i18n could change pages."""
    known = (config.plugins.get("verbatim"), config.plugins.get("i18n"))
    methods = (method for event in OF_PAGES for method in config.plugins.events[event])
    return not config.hooks and all(getattr(method, "__self__", None) in known for method in methods)


def customize(config: MkDocsConfig, shared: SiteContext) -> None:
    """Have code blocks made once for both languages, and give styles and scripts addresses that change with them."""
    fences = config.mdx_configs.setdefault("pymdownx.superfences", {}).setdefault("custom_fences", [])
    fences.insert(0, Blocks().fence())  # what a site itself asks for comes later, and wins
    config.extra_css = [shared.versioned(path) for path in config.extra_css]
    config.extra_javascript = [shared.versioned(s) if isinstance(s, str) else s for s in config.extra_javascript]
