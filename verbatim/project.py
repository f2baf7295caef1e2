"""The paths of a project. A recipe has the same path in every tree: scripts, pages, records."""

from __future__ import annotations

import contextlib
import functools
import os
import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from verbatim import languages, paths
from verbatim.languages import Languages
from verbatim.problems import Problem, Problems

#: MkDocs' settings; where they lie is a project's root.
CONFIG = "mkdocs.yml"
#: The folder with how readers ask, a folder in it for each language.
QUESTIONS = "book/questions"
#: The trees in which a recipe has the same path, and the ends of its files there.
_RECIPE_TREE = re.compile(r"^(?:examples|docs/[^/]+|outputs/(?:cpu|cuda|versions/[^/]+))/")
#: So many folders lie in one another at most.
MOST_FOLDERS = 20
#: The most bytes of a file that is read.
MOST_BYTES = 64 << 20
_RECIPE_SUFFIX = re.compile(r"\.(?:py|md|ipynb)$")


@dataclass(frozen=True)
class Project:
    """The trees of one repository."""

    root: Path
    """The folder that holds ``mkdocs.yml``; an absolute path, whatever was given."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "root", self.root.absolute())

    @functools.cached_property
    def languages(self) -> Languages:
        """The languages of its pages."""
        return languages.read(self._plugins)

    @property
    def site_url(self) -> str:
        """The site's address, which ends with a slash; empty where none is set."""
        url = str(self._settings.get("site_url") or "").rstrip("/")
        return f"{url}/" if url else ""

    @property
    def package_on_index(self) -> bool:
        """Whether the package index has the packages of `explain/`, so that readers may install them by name."""
        return self._option("package_on_index") is True

    @property
    def code(self) -> frozenset[str]:
        """The scripts and stylesheets that the settings name, from the documentation's root."""
        listed = [self._settings.get(key) for key in ("extra_javascript", "extra_css")]
        names = [name for group in listed if isinstance(group, list) for name in group]
        return frozenset(str(entry.get("path") if isinstance(entry, dict) else entry) for entry in names)

    def _option(self, name: str) -> Any:
        """Return an option of this project's own plugin; ``None`` where it is not set."""
        options = self._plugins.get("verbatim")
        return options.get(name) if isinstance(options, dict) else None

    @property
    def _plugins(self) -> dict[str, Any]:
        plugins = self._settings.get("plugins")
        return plugins if isinstance(plugins, dict) else {}

    @functools.cached_property
    def _settings(self) -> dict[str, Any]:
        return settings(self.root / CONFIG)

    @property
    def examples(self) -> Path:
        return self.root / "examples"

    @property
    def outputs(self) -> Path:
        return self.root / "outputs"

    @property
    def cache(self) -> Path:
        return self.root / ".cache" / "verbatim"

    def docs(self, language: str) -> Path:
        """The pages of one language."""
        return self.root / "docs" / language

    def questions(self, language: str) -> Path:
        """How readers of one language ask for its pages."""
        return self.root / QUESTIONS / language

    def fallback(self, path: str) -> str:
        """Return the default language's path of a page that a partial language lacks; any other path as it is."""
        tree, _, rest = path.partition("/")
        language, _, name = rest.partition("/")
        partial = tree == "docs" and language in self.languages.partial
        return f"docs/{self.languages.default}/{name}" if partial else path

    def pages(self, language: str) -> list[Path]:
        """Every page of a language, sorted."""
        return _below(self.docs(language), ".md")

    def scripts(self) -> list[Path]:
        """Every recipe's script, sorted. A folder or file that begins with ``_`` is a helper, not a recipe."""
        return [
            path
            for path in _below(self.examples, ".py")
            if not any(part.startswith(("_", ".")) for part in path.relative_to(self.examples).parts)
        ]

    def text(self, name: str) -> str:
        """Return the text of a file in the root folder, empty if there is none. `check` tells where it is not UTF-8."""
        path = self.root / name
        if not path.is_file():
            return ""
        with path.open("rb") as file:
            return re.sub(r"\r\n?", "\n", file.read(MOST_BYTES).decode("utf-8", errors="replace"))

    def unreadable(self) -> list[Problem]:
        """Return what could not be read to its end below the trees: pipes, devices, links in a ring, deep folders."""
        problems = []
        for tree in (self.root / "docs", self.examples, self.outputs, self.root / QUESTIONS):
            for path in _odd(tree):
                if path.is_symlink():
                    fact, hint = "this is a link to a folder that it lies in", "remove it, or put a file there"
                elif path.is_dir():
                    fact, hint = f"more than {MOST_FOLDERS} folders lie in one another here", "remove them"
                elif path.is_file():
                    fact = f"the file has {path.stat().st_size >> 10} KiB"
                    hint = f"nothing here has more than {MOST_BYTES >> 10} KiB"
                else:
                    fact, hint = "this is no file: a pipe, a socket or a device", "remove it, or put a file there"
                problems.append(Problem(self.relative(path), 0, fact, hint))
        return sorted(problems)

    def relative(self, path: Path) -> str:
        """The path from the root, with forward slashes; an absolute path for a file outside of the root."""
        return str(path.absolute()).removeprefix(f"{self.root}{os.sep}").replace(os.sep, "/")

    @staticmethod
    @functools.cache
    def recipe(path: str) -> str:
        """Return the recipe of a script, page or record: ``docs/en/autograd/detach.md`` → ``autograd/detach``.

        A script outside of ``examples/`` keeps its path.
        """
        return _RECIPE_SUFFIX.sub("", _RECIPE_TREE.sub("", path))

    def unfit(self, name: str, parts: int = 0) -> str:
        """Say why a name cannot be that of a recipe or a page; empty if it can. See `verbatim.paths.unfit`."""
        return paths.unfit(name, ("assets", "pip", *self.languages.all), parts=parts)

    def script(self, recipe: str) -> Path:
        """``autograd/detach`` → its script."""
        return self.examples / f"{recipe}.py"

    def record(self, recipe: str, device: str) -> Path:
        """``autograd/detach``, ``cpu`` → its record."""
        return self.outputs / device / f"{recipe}.ipynb"

    def select(self, paths: list[str]) -> list[Path]:
        """Turn command-line arguments into scripts.

        Each argument is a script, a folder of scripts, a page, a record or a recipe's name. Without arguments, every
        recipe is selected.

        Raises:
            Problems: an argument matches no script.
        """
        if not paths:
            return self.scripts()
        chosen: dict[Path, None] = {}
        problems = []
        for argument in paths:
            if hits := self._select_one(argument):
                chosen.update(dict.fromkeys(hits))
            else:
                hint = "give a script, a folder of scripts, a page or a recipe such as autograd/detach"
                problems.append(Problem(argument, 0, "no script is found there", hint))
        if problems:
            raise Problems(problems)
        return list(chosen)

    def _select_one(self, argument: str) -> list[Path]:
        path = Path(argument).absolute()
        if path.is_file() and path.suffix == ".py":
            return [path]
        if path.is_dir() and path.is_relative_to(self.examples):
            return [s for s in self.scripts() if s.is_relative_to(path)]
        if path.is_dir():
            return sorted(path.rglob("*.py"))
        name = self.recipe(argument.removeprefix("./").strip("/"))
        if paths.unfit(name):
            return []
        if self.script(name).is_file():
            return [self.script(name)]
        folder = self.examples / name
        return [s for s in self.scripts() if s.is_relative_to(folder)] if folder.is_dir() else []


def _below(folder: Path, suffix: str) -> list[Path]:
    """Return everything below a folder whose name ends so, sorted; `Path.rglob` takes five times as long."""
    paths = (
        f"{within}{os.sep}{name}"
        for within, folders, files in os.walk(folder)
        for name in (*folders, *files)
        if name.endswith(suffix)
    )
    return [Path(path) for path in sorted(paths, key=lambda path: path.split(os.sep))]


def _odd(folder: str | Path, depth: int = 0) -> Iterator[Path]:
    """Yield what below a folder is neither file nor folder, nor a link to one; links to folders above them; what is
    larger or deeper than anybody makes it.
    """
    with contextlib.suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder) as entries:
        for entry in entries:
            path = Path(entry.path)
            if entry.is_symlink():  # one that leads nowhere is told by the checks
                if _leads_around(path) or (path.exists() and not path.is_file() and not path.is_dir()):
                    yield path
            elif entry.is_dir():
                yield from _odd(entry.path, depth + 1) if depth < MOST_FOLDERS else [path]
            elif not entry.is_file() or entry.stat().st_size > MOST_BYTES:
                yield path


def _leads_around(link: Path) -> bool:
    """Whether a link leads to a folder in which it lies itself."""
    folder = link.parent.resolve()
    return link.is_dir() and link.resolve() in (folder, *folder.parents)


def settings(path: Path, above: tuple[Path, ...] = ()) -> dict[str, Any]:
    """Return MkDocs' settings as they are written, plugins as plugin → its settings; empty if the file is no YAML.

    Of what tags stand for, environment variables are read (``!ENV [SITE_URL, "https://…"]``), Python's functions not. A
    file may inherit from another, of which it replaces what it has. `above`: the files that inherit from this one.
    """
    import yaml  # a machine that only records has none

    from verbatim import yaml_texts

    class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
        """Reads settings."""

    Loader.add_multi_constructor("", lambda loader, tag, node: None)
    Loader.add_constructor("!ENV", _variable)
    try:
        data = yaml_texts.load(path.read_bytes(), Loader, settings=True)
    except (OSError, yaml.YAMLError):
        return {}
    if not isinstance(data, dict) or path.resolve() in above:
        return {}
    plugins = data.get("plugins")
    if isinstance(plugins, list):
        plugins = {name: value for entry in plugins if isinstance(entry, dict) for name, value in entry.items()}
    own = {**data, **({"plugins": plugins} if isinstance(plugins, dict) else {})}
    if "INHERIT" not in data:
        return own
    return {**settings(path.parent / str(data["INHERIT"]), (*above, path.resolve())), **own}


def _variable(loader: Any, node: Any) -> str:
    """Return what ``!ENV NAME`` or ``!ENV [NAME, …, default]`` stands for."""
    *names, default = [item.value for item in node.value] if isinstance(node.value, list) else [node.value, ""]
    return str(next((os.environ[name] for name in names if name in os.environ), default))


def find_root(start: Path | None = None) -> Path:
    """Return the nearest folder that holds ``mkdocs.yml`` and ``examples``: this one or one above it.

    Raises:
        Problems: there is no such folder.
    """
    start = (start or Path.cwd()).absolute()
    for folder in (start, *start.parents):
        if (folder / CONFIG).is_file() and (folder / "examples").is_dir():
            return folder
    hint = "change to the project's folder first"
    raise Problems([Problem(str(start), 0, "no mkdocs.yml with an examples folder here or above", hint)])


def write_if_changed(path: Path, content: str | bytes) -> bool:
    """Write a file whole or not at all, and only where its content changes. Return whether it did."""
    data = content.encode() if isinstance(content, str) else content
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
    return True
