"""What MkDocs itself says of mkdocs.yml, before anything is built."""

from __future__ import annotations

import logging

from yaml import YAMLError

from verbatim import yaml_texts
from verbatim.problems import Problem
from verbatim.project import CONFIG, Project
from verbatim.site.logs import collected

HINT = "https://www.mkdocs.org/user-guide/configuration/ lists every setting"


def problems(project: Project) -> list[Problem]:
    """Return every setting that MkDocs refuses or warns of, and what it cannot read at all."""
    from mkdocs.config import load_config
    from mkdocs.exceptions import Abort, ConfigurationError

    if unreadable := no_yaml(project):
        return unreadable
    log = logging.getLogger("mkdocs")
    propagates, log.propagate = log.propagate, False
    failed = ""
    try:
        with collected(logging.WARNING) as messages:
            load_config(str(project.root / CONFIG))
    except Abort:
        pass  # each of its reasons was logged
    except ConfigurationError as error:
        failed = str(error).splitlines()[0]
    except (OSError, ValueError, TypeError, AttributeError, LookupError, RecursionError, YAMLError) as error:
        what = f"MkDocs cannot read it: {type(error).__name__}: {error}"
        failed = what.splitlines()[0]  # such as a file that inherits itself
    finally:
        log.propagate = propagates
    messages += [failed] if failed else []
    lines = project.text(CONFIG).splitlines()
    return [Problem(CONFIG, _line(text, lines), text, HINT) for text in dict.fromkeys(messages)]


def no_yaml(project: Project) -> list[Problem]:
    """Return what is wrong with the file's form; MkDocs crashes where values are nested too deeply."""
    try:
        yaml_texts.check(project.text(CONFIG), settings=True)
    except YAMLError as error:
        return [yaml_texts.problem(error, CONFIG, "the file", "compare it with git diff")]
    return []


def _line(text: str, lines: list[str]) -> int:
    """Return the line of the setting that a message names in quotes; 0 where it names none."""
    quoted = text.split("'")[1::2]
    return next(
        (n for name in quoted for n, line in enumerate(lines, 1) if line.lstrip("- ").startswith(f"{name}:")), 0
    )
