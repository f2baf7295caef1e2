"""What is known of a site while it is made, and for as long as it is served. One object a build."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from mkdocs.structure.files import File, Files

from verbatim.build import Build
from verbatim.site import index, serving, stylesheet, untouched
from verbatim.site.additions import Site
from verbatim.site.carried import Carried
from verbatim.site.contents import Contents
from verbatim.site.navigation import Pruned
from verbatim.site.reuse import Frames, Shelf


@dataclass
class State:
    """One build. What MkDocs makes once a language is that of the language built last."""

    outline: bool = False
    """Whether no page is made: while serving, pages of the first build are made when somebody asks for them."""
    left: set[str] = field(default_factory=set)
    """The pages that are left for that: files from the documentation's root."""
    build: Build | None = None
    figures: dict[str, str] = field(default_factory=dict)
    """Key → SVG."""
    urls: dict[str, dict[str, str]] = field(default_factory=dict)
    """Script → language → address of the page that shows it."""
    parts: Site | None = None
    """What the site adds to expanded pages, where its own templates make the frame."""
    addresses: dict[str, str] = field(default_factory=dict)
    """File from the documentation's root → address."""
    env: Any = None
    used: stylesheet.Used = field(default_factory=stylesheet.Used)
    """What pages and scripts use of Material's stylesheets."""
    material: str = ""
    """The text of Material's stylesheets."""
    shared: list[File] = field(default_factory=list)
    """The files that the languages share."""
    searched: dict[str, dict[str, index.Given]] = field(default_factory=dict)
    """What the search shall find in each language: page below the language's folder → its part."""
    texts: dict[str, dict[str, str]] = field(default_factory=dict)
    """Their text, expanded, as Markdown."""
    shelf: Shelf | None = None
    """Pages as earlier builds made them; none where another plugin has a hand in pages."""
    contents: Contents | None = None
    frames: Frames | None = None
    files: Files = field(default_factory=lambda: Files([]))
    nav: Any = None
    pruned: Pruned | None = None
    read: untouched.Inputs | None = None
    """What the build could read when it began."""
    carried: Carried | None = None
    """The pages that are carried over from the existing site, or from what was served; none in a clean build."""
    languages: dict[str, serving.Language] = field(default_factory=dict)
    """While serving: what was known when each language was built."""
    framing: str = ""
    """The page that is being framed: its file from the documentation's root."""
    hurried: bool = False
    """Whether a page is made by itself, because it was saved: what else belongs to it waits for the whole site."""
    packed: dict[str, str] = field(default_factory=dict)
    """Language that was built → the site's address."""
    taken: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Pages whose content was taken from the shelf: file → what was kept with it."""
    noted: untouched.Before | None = None
    """While serving: what the next build must know of this one; nothing where it warned of everything."""
