"""What the templates of the site's frame need to know of a page. Pure."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime

#: Before anything is drawn: dark or light, as the reader chose, else as the system is; and that scripts run.
SCHEME_SCRIPT = (
    "(e=>{let s;try{s=localStorage.getItem('verbatim-scheme')}catch{}"
    "e.dataset.mdColorScheme=s||(matchMedia('(prefers-color-scheme: dark)').matches?'slate':'default');"
    "e.classList.replace('no-js','js')"
    "})(document.documentElement)"
)

#: Loads the fonts of formulas, which stand in their stylesheet, before anything is drawn: nothing moves afterwards.
FONTS_SCRIPT = "document.fonts.forEach(f=>f.load())"


def policy(*, serving: bool = False) -> str:
    """Return the Content-Security-Policy of every page: what the site itself serves, and the two scripts above.

    Images and fonts may stand inside stylesheets (`data:`); the search loads its parts as scripts. While serving, any
    script may stand in a page: MkDocs puts one there that loads it again when something was saved.
    """
    scripts = (SCHEME_SCRIPT, FONTS_SCRIPT)
    digests = (base64.b64encode(hashlib.sha256(script.encode()).digest()).decode() for script in scripts)
    allowed = "'unsafe-inline'" if serving else " ".join(f"'sha256-{digest}'" for digest in digests)
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src 'self' {allowed}",
            "style-src 'self'",
            "img-src 'self' data:",
            "font-src 'self' data:",
            "connect-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


@dataclass(frozen=True)
class Frame:
    """A page as its frame sees it. Addresses are from the site's root, but where it is said that they are absolute."""

    url: str = ""
    home: bool = False
    """Whether it is the home page of its language."""
    other: str = ""
    """The same page in the other language, else that language's home."""
    alternates: dict[str, str] = field(default_factory=dict)
    """Language → absolute address, this page's own included; empty for a page in one language only."""
    changed: datetime | None = None
    feed: str = ""
    edit: str = ""
    """Absolute: where the page is edited."""
    recipe: str = ""
    """The recipe that the page is about; nothing for a home page or a chapter's index."""
    colab: str = ""
    """Absolute: the record, opened in Colab."""
    material: str = ""
    """Material's stylesheet."""
    math: str = ""
    """The stylesheet of the page's formulas; nothing where it has none."""
    version: Callable[[str], str] = lambda path: ""
    """Path of a file of the site's own → ``?v=…``, so that what browsers keep is replaced when it changes."""
    policy: str = field(default_factory=policy)
    scheme_script: str = SCHEME_SCRIPT
    fonts_script: str = FONTS_SCRIPT

    @property
    def _name(self) -> str:
        return self.recipe.rpartition("/")[2]

    @property
    def notebook(self) -> str:
        return f"{self.url}notebook/"

    @property
    def py(self) -> str:
        return f"{self.url}{self._name}.py"

    @property
    def ipynb(self) -> str:
        return f"{self.url}{self._name}.ipynb"


def edit_address(repository: str, branch: str, path: str) -> str:
    """Return where a file of the repository is edited; nothing without a repository."""
    return f"{repository}/edit/{branch}/{path}" if repository else ""


def colab_address(repository: str, branch: str, path: str) -> str:
    """Return where Colab opens a notebook of the repository; nothing unless it is on GitHub."""
    match = re.match(r"https://github\.com/([^/]+/[^/]+?)(?:\.git)?/?$", repository)
    return f"https://colab.research.google.com/github/{match[1]}/blob/{branch}/{path}" if match else ""
