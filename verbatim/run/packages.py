"""Which installed packages a script's outputs depend on: those that its process imported, asked for, or could list.

What only the tests or a linter need changes nothing for a script, so it does not make one run again. `reads` logs the
following names, each the path of an entry in a folder of packages:

- ``…/site-packages/numpy``: the module; the fingerprint names the distribution it comes from, with its version;
- ``…/site-packages/numpy.dist-info``: the distribution of this name, in whatever version;
- ``…/site-packages/*.dist-info``: all distributions but those that only the project's tools need. A program that a
  script starts can import any of them.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.metadata
import os
import re
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

#: The folders in which packages are installed.
SITES = tuple(dict.fromkeys(sysconfig.get_path(name) for name in ("purelib", "platlib")))
#: How the name of a folder ends that says which distribution is there.
METADATA = (".dist-info", ".egg-info")
#: All distributions.
ALL = "*.dist-info"
#: Groups of entry points that torch looks through in all distributions.
PLUGINS = ("torch.backends", "torch_dynamo_backends")
#: What nothing provides.
MISSING = "missing"
_ROOT = Path(__file__).parents[2]


def entry(path: str) -> str | None:
    """Return the name to log for a path in a folder of packages; empty for none, ``None`` outside of such folders.

    Args:
        path: An absolute path.
    """
    for site in SITES:
        if f"{path}/".startswith(f"{site}/"):
            first = path[len(site) + 1 :].partition("/")[0]
            name = first if first.endswith(METADATA) else first.partition(".")[0]
            if name == "__pycache__" or name in sys.stdlib_module_names:  # Python's own modules come first
                return ""
            return f"{site}/{name or ALL}"
    return None


def fingerprint(names: str) -> str:
    """Return which distributions provide what was logged, with their versions.

    Args:
        names: Last parts of what `entry` returned, with spaces between.
    """
    return _fingerprint(names, tuple(os.stat(site).st_mtime_ns if os.path.isdir(site) else 0 for site in SITES))


@functools.cache
def _fingerprint(names: str, changed: tuple[int, ...]) -> str:
    fingerprints = []
    for site, when in zip(SITES, changed, strict=True):
        entries, owners = _contents(site, when)
        for name in names.split(" "):
            if name.endswith(METADATA):
                fingerprints.append(distributions(site, name))
            else:
                there = any(f"{entry}.".startswith(f"{name}.") for entry in entries)
                fingerprints.append("+".join(owners.get(name, ())) or ("unowned" if there else MISSING))
    return hashlib.sha256("\0".join(fingerprints).encode()).hexdigest()[:16]


@functools.cache
def _contents(folder: str, changed: int) -> tuple[list[str], dict[str, list[str]]]:
    """Return the names in a folder of packages, and module → the folders of the distributions that have it."""
    entries: list[str] = _listed(folder) if changed else []
    owners: dict[str, list[str]] = {}
    for metadata in (name for name in entries if name.endswith(METADATA)):
        about = Path(folder, metadata)
        for file, pattern in (("top_level.txt", r"^\S+$"), ("RECORD", r"^\"?([^/,.\"\n]+)[/.,]")):
            try:
                text = about.joinpath(file).read_text(encoding="utf-8", errors="replace")
            except OSError:
                continue
            for module in set(re.findall(pattern, text, re.MULTILINE)):
                owners.setdefault(module, []).append(metadata)
            break
    return entries, owners


def distributions(folder: str, wanted: str) -> str:
    """Return the distributions in a folder, with their versions.

    Args:
        folder: Any folder.
        wanted: ``numpy.dist-info``, the folder of one distribution with its version, or `ALL`.
    """
    try:
        listed = [name for name in _listed(folder) if name.endswith(METADATA)]
    except OSError:
        return MISSING
    if wanted == ALL:
        tools = _tools() if folder in SITES else frozenset()
        return " ".join(name for name in listed if _project(name) not in tools) or MISSING
    asked = _normal(wanted.removesuffix(".dist-info"))
    return " ".join(name for name in listed if name == wanted or _project(name) == asked) or MISSING


def _listed(folder: str) -> list[str]:
    return sorted(os.listdir(folder))


def all_distributions() -> str:
    """Return all that is installed, tools included, with versions: what a build of the site may depend on."""
    names = {name for site in SITES if os.path.isdir(site) for name in os.listdir(site)}
    return "\n".join(sorted(name for name in names if name.endswith((*METADATA, ".egg-link", ".pth"))))


def paths() -> Iterable[str]:
    """Return the folders from which scripts import and that belong to no Python: those of `PYTHONPATH`, say."""
    apart = tuple(f"{folder}{os.sep}" for folder in (sys.prefix, sys.base_prefix, _ROOT))
    return [path for path in sys.path[1:] if path and not f"{path}{os.sep}".startswith(apart)]


def started_with() -> list[str]:
    """Return what each Python here does when it starts, and what torch loads when it is imported."""
    files = [name for site in SITES if os.path.isdir(site) for name in os.listdir(site) if name.endswith(".pth")]
    plugins = [plugin for group in PLUGINS for plugin in importlib.metadata.entry_points(group=group)]
    return sorted(files) + sorted(f"{plugin.group} {plugin.name} {plugin.value}" for plugin in plugins)


@functools.cache
def _tools() -> frozenset[str]:
    """Return the distributions that only tests and linters need: those of one lock and not of the other."""

    def locked(name: str) -> set[str]:
        path = _ROOT / name
        text = path.read_text(encoding="utf-8") if path.is_file() else ""
        return {_normal(pin) for pin in re.findall(r"^([\w.-]+)==", text, re.MULTILINE)}

    return frozenset(locked("requirements/dev.lock") - locked("requirements/base.lock"))


def _project(metadata: str) -> str:
    """``typing_extensions-4.1.dist-info`` → ``typing-extensions``."""
    return _normal(metadata.partition("-")[0] if "-" in metadata else metadata.rpartition(".")[0])


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
