"""What MkDocs itself says of mkdocs.yml, before anything is built."""

from __future__ import annotations

import logging

from yaml import YAMLError

from verbatim.problems import Problem
from verbatim.project import CONFIG, Project

HINT = "https://www.mkdocs.org/user-guide/configuration/ lists every setting"


class _Heard(logging.Handler):
    """Keeps what is said, warnings and graver."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.said: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.said.append(record.getMessage())


def problems(project: Project) -> list[Problem]:
    """Return every setting that MkDocs refuses or warns of, and what it cannot read at all."""
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, ConfigurationError

    heard, log = _Heard(), logging.getLogger("mkdocs")
    spreads = log.propagate
    log.addHandler(heard)
    log.propagate = False
    failed = ""
    try:
        load_config(str(project.root / CONFIG))
    except Abort:
        pass  # each of its reasons was said
    except ConfigurationError as error:
        failed = str(error).splitlines()[0]
    finally:
        log.removeHandler(heard)
        log.propagate = spreads
    said = dict.fromkeys([*heard.said, *([failed] if failed else [])])
    lines = (project.root / CONFIG).read_text(encoding="utf-8", errors="replace").splitlines()
    return [Problem(CONFIG, _line(text, lines), text, HINT) for text in said]


def _line(text: str, lines: list[str]) -> int:
    """Return the line of the setting that a message names in quotes; 0 where it names none."""
    quoted = text.split("'")[1::2]
    return next(
        (n for name in quoted for n, line in enumerate(lines, 1) if line.lstrip("- ").startswith(f"{name}:")), 0
    )


def address(project: Project) -> str:
    """Return the site's address; empty where none is set, or where the settings cannot be read, which `check` tells.

    Plugins are not asked: it is wanted where the project is not installed, too.
    """
    from mkdocs.exceptions import ConfigurationError
    from mkdocs.utils.yaml import yaml_load

    try:
        with (project.root / CONFIG).open("rb") as file:
            return str(yaml_load(file).get("site_url") or "")
    except (ConfigurationError, OSError, YAMLError, AttributeError):
        return ""
