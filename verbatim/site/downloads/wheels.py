"""The packages of `explain/` as wheels, which the site serves beside a list of them. Knows no MkDocs.

A wheel is a zip with a list of its files (https://packaging.python.org/en/latest/specifications/binary-distribution-format/).
Equal data make equal wheels.
"""

from __future__ import annotations

import base64
import hashlib
import html
import io
import tomllib
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from verbatim.lists import package
from verbatim.lists.places import Sources, path_between
from verbatim.pages.document import Document
from verbatim.pages.page import Page
from verbatim.paths import inside
from verbatim.project import write_if_changed
from verbatim.site.downloads import assistants, explain, explain_book, offline
from verbatim.site.html import policy

_LIST = Path(__file__).parents[1] / "templates" / "wheels.html"
#: The version of what is no commit's: the project's files are in no git checkout.
_UNVERSIONED = "0"


class Wheel(NamedTuple):
    """A wheel."""

    name: str
    data: bytes
    pythons: str
    """Which Pythons it is for: ``>=3.9``."""

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.data).hexdigest()


def write(site: Path, sources: Sources, site_url: str, document: Callable[[Page], Document] | None) -> None:
    """Write the wheels into a finished site, and their list, which pip reads, too; nothing if the project has none.

    Args:
        site: The folder of the site.
        sources: The book.
        site_url: The site's address.
        document: Returns the document of a page; without it, that of the pages is not made, which has a hundred times
            as much to pack.

    Raises:
        Problems: The data cannot be made: see `explain.data`.
    """
    project = sources.book.project
    if not package.exists(project):
        return
    folder = project.root / package.EXPLAIN
    about, files = explain.files(sources, site_url)
    made = [wheel(folder, files, about["version"] or _UNVERSIONED)]
    if document:
        pages = assistants.as_released(sources, document, site_url)
        zipped = explain_book.packed(site, about, sources.languages, explain.known(sources), pages)
        packed = {explain_book.NAME: zipped}
        made.append(wheel(folder / "book", packed, about["version"] or _UNVERSIONED))
    listed = listing(made, sources, about)
    for name, data in [*((wheel.name, wheel.data) for wheel in made), ("index.html", listed.encode())]:
        write_if_changed(inside(site, f"{package.FOLDER}/{name}"), data)


def listing(wheels: list[Wheel], sources: Sources, about: Mapping[str, Any]) -> str:
    """Return the page that lists wheels: pip compares each with the hash behind its address."""
    here, languages = f"{package.FOLDER}/index.html", sources.languages
    pages = [page for page in sources.pages if page.name == package.PAGE]
    links = [
        f'<p lang="{page.language}"><a href="{path_between(languages.address(page.language, page.name), here)}/">'
        f"{html.escape(str(page.meta.get('title', '')))}</a></p>"
        for page in sorted(pages, key=lambda page: languages.all.index(page.language))
    ]
    rows = [
        f'<p><a href="{html.escape(wheel.name)}#sha256={wheel.sha256}"'
        f' data-requires-python="{html.escape(wheel.pythons)}">'
        f"{html.escape(wheel.name)}</a><br>{len(wheel.data) / 1e3:.0f} kB, sha256 <code>{wheel.sha256}</code></p>"
        for wheel in wheels
    ]
    told = f"commit {about['commit'][:12]}, {about['date']}" if about["commit"] else ""
    text = _LIST.read_text(encoding="utf-8").replace("{{ told }}", html.escape(told))
    return policy.enforce(text.replace("{{ links }}", "\n".join(links)).replace("{{ wheels }}", "\n".join(rows)))


def wheel(folder: Path, data: Mapping[str, str | bytes], version: str) -> Wheel:
    """Return the wheel of a package.

    Args:
        folder: The package's folder, with its ``pyproject.toml``.
        data: Name of a file beside its modules that the build makes → content.
        version: The version.
    """
    about = tomllib.loads((folder / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = about["name"].replace("-", "_")
    info = f"{name}-{version}.dist-info"
    source = folder / "src" / name
    files: dict[str, str | bytes] = {
        f"{name}/{path.relative_to(source).as_posix()}": path.read_bytes()
        for path in source.rglob("*")
        if path.suffix == ".py" or path.name == "py.typed"
    }
    files |= {f"{name}/{place}": content for place, content in data.items()}
    files |= {f"{info}/licenses/{place}": (folder / place).read_bytes() for place in about["license-files"]}
    readme = (folder / about["readme"]).read_text(encoding="utf-8")
    files[f"{info}/METADATA"] = "\n".join([*_metadata(about, version), "", readme])
    files[f"{info}/WHEEL"] = "Wheel-Version: 1.0\nGenerator: verbatim\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    if scripts := about.get("scripts"):
        lines = [f"{command} = {target}" for command, target in scripts.items()]
        files[f"{info}/entry_points.txt"] = "\n".join(["[console_scripts]", *lines, ""])
    written = {
        place: content.encode() if isinstance(content, str) else content for place, content in sorted(files.items())
    }
    record = [f"{place},sha256={_digest(content)},{len(content)}" for place, content in written.items()]
    written[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as zipped:
        for place, content in written.items():
            offline.add(zipped, place, content)
    return Wheel(f"{name}-{version}-py3-none-any.whl", packed.getvalue(), about["requires-python"])


def _metadata(about: Mapping[str, Any], version: str) -> Iterator[str]:
    """Yield the lines of ``METADATA``, from what ``pyproject.toml`` says. Packages of one day need each other's."""
    yield from ("Metadata-Version: 2.4", f"Name: {about['name']}", f"Version: {version}")
    yield f"Summary: {about['description']}"
    yield f"License-Expression: {about['license']}"
    yield from (f"License-File: {license}" for license in about["license-files"])
    if "keywords" in about:
        yield f"Keywords: {','.join(about['keywords'])}"
    yield from (f"Classifier: {classifier}" for classifier in about["classifiers"])
    yield from (f"Project-URL: {name}, {address}" for name, address in about["urls"].items())
    yield f"Requires-Python: {about['requires-python']}"
    yield "Description-Content-Type: text/markdown"
    for extra, needed in about.get("optional-dependencies", {}).items():
        yield f"Provides-Extra: {extra}"
        for requirement in needed:
            pinned = f"{requirement}=={version}" if requirement == package.BOOK else requirement
            yield f"Requires-Dist: {pinned}; extra == '{extra}'"


def _digest(content: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(content).digest()).decode().rstrip("=")
