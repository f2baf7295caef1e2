"""Addresses on the web that are about the repository: a notebook in Colab, a new issue about a page. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from urllib.parse import urlencode


@dataclass(frozen=True)
class Repository:
    """The repository, where the site is made from one."""

    address: str = ""
    """Its address on the web; empty where there is none."""
    branch: str = "main"
    """Its main branch."""
    notebooks: str = ""
    """Its branch with the notebooks of pages, where they lie as on the site; empty where there is none."""

    def colab(self, record: str, notebook: str) -> str:
        """Return where Colab opens a recipe; nothing unless the repository is on GitHub.

        Args:
            record: The recipe's record in the main branch, which is opened where no branch has notebooks.
            notebook: Its notebook in the branch that has them.
        """
        match = re.match(r"https://github\.com/([^/]+/[^/]+?)(?:\.git)?/?$", self.address)
        place = f"{self.notebooks}/{notebook}" if self.notebooks else f"{self.branch}/{record}"
        return f"https://colab.research.google.com/github/{match[1]}/blob/{place}" if match else ""

    def report(self, page: str) -> str:
        """Return where an issue about a page is opened, its address filled in; nothing unless it is on GitHub."""
        asked = urlencode({"template": "wrong-output.yml", "section": page})
        on_github = self.address.startswith("https://github.com/")
        return f"{self.address.rstrip('/')}/issues/new?{asked}" if on_github else ""
