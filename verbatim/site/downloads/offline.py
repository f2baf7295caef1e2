"""Packs the site of one language into a zip that is read from a folder, without a network. Knows no MkDocs.

A browser shows a folder as a list of files, so each link to a page names its file there. What is not in the zip, such
as the pages of other languages, is linked where the site is published.
"""

from __future__ import annotations

import html
import posixpath
import re
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import quote, unquote, urljoin

from verbatim.languages import Languages
from verbatim.lists.package import FOLDER
from verbatim.paths import UNPORTABLE_NAME
from verbatim.site.output import CARDS, SEARCH

#: What only the web needs: lists for crawlers and programs, feeds, the page for what is missing.
_WEB_ONLY_FILE = re.compile(
    r"(?:[\w-]+/)*llms[\w-]*\.txt|(?:[\w-]+/)?(?:404\.html|robots\.txt|[\w-]+\.(?:json|xml(?:\.gz)?))"
)
_LINK_ATTRIBUTE = re.compile(r'(?<=\s)(href|src)="([^"]*)"')
_OUTSIDE_ADDRESS = re.compile(r"[a-zA-Z][\w+.-]*:|//|#")
#: The date of every file, so that equal sites make equal zips.
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)
_START = (
    '<!doctype html>\n<meta charset="utf-8">\n<meta http-equiv="refresh" content="0; url={0}">\n<a href="{0}">{0}</a>\n'
)


def name(language: str) -> str:
    """Return the zip's name; it lies at the site's root, and holds one folder of this name."""
    return f"pytorch-verbatim-{language}.zip"


def pack(site: Path, language: str, languages: Languages, site_url: str) -> None:
    """Write the zip of a language into the finished site.

    Args:
        site: The folder of the site, all languages built.
        language: The language.
        languages: All languages.
        site_url: The site's address; what is not in the zip is linked there.
    """
    files = {path.relative_to(site).as_posix(): path for path in sorted(site.rglob("*")) if path.is_file()}
    chosen = set(belonging(files, language, languages))
    folder = name(language).removesuffix(".zip")
    with zipfile.ZipFile(site / name(language), "w", zipfile.ZIP_DEFLATED, compresslevel=6) as zipped:
        for place in sorted(chosen):
            data = files[place].read_bytes()
            if place.endswith(".html"):
                data = relinked(data.decode(), place, chosen, site_url).encode()
            add(zipped, f"{folder}/{place}", data)
        if "index.html" not in chosen:
            add(zipped, f"{folder}/index.html", _START.format(f"{language}/index.html").encode())


def add(zipped: zipfile.ZipFile, place: str, data: bytes) -> None:
    """Write a file into a zip, so that equal files make equal zips."""
    about = zipfile.ZipInfo(place, _ZIP_DATE)
    about.external_attr = 0o644 << 16
    about.compress_type = zipfile.ZIP_DEFLATED
    zipped.writestr(about, data)


def belonging(files: Iterable[str], language: str, languages: Languages) -> Iterator[str]:
    """Yield the files, from the site's root, that belong into a language's zip."""
    others = languages.others(language)
    for place in files:
        first, _, rest = place.partition("/")
        if any(map(UNPORTABLE_NAME.match, place.split("/"))):
            continue  # on Windows it may lie outside of the folder; `check` tells of it
        if first == FOLDER:
            if not rest.startswith("pytorch_verbatim_book"):  # the pages once more
                yield place
        elif first == "assets":
            if not place.startswith((f"{CARDS}/", *(f"{SEARCH}/{other}/" for other in others))):
                yield place
        elif _WEB_ONLY_FILE.fullmatch(place) or (not rest and place.endswith(".zip")):
            continue
        elif first == language or (language == languages.default and first not in others):
            yield place


def relinked(page: str, place: str, files: set[str], site_url: str) -> str:
    """Return a page of HTML whose links lead to the files of the zip, or to the published site.

    Args:
        page: The page.
        place: Its file, from the site's root.
        files: The files of the zip, from there, too.
        site_url: The site's address.
    """
    folder = posixpath.dirname(place)

    def moved(match: re.Match[str]) -> str:
        target = html.unescape(match[2])
        if not target or _OUTSIDE_ADDRESS.match(target):
            return match[0]
        path, rest = re.fullmatch(r"([^?#]*)(.*)", target, re.DOTALL).groups()  # type: ignore[union-attr]
        goal = posixpath.normpath(posixpath.join(folder, unquote(path)))
        index = posixpath.normpath(f"{goal}/index.html")
        if goal in files:
            return match[0]
        if index in files:
            new = quote(posixpath.relpath(index, folder or ".")) + rest
        elif site_url:
            new = urljoin(urljoin(site_url, place), target)
        else:
            return match[0]
        return f'{match[1]}="{html.escape(new)}"'

    return _LINK_ATTRIBUTE.sub(moved, page)
