"""``python -m pytorch_verbatim changes --from 2.4 --to 2.13 src/``: what an upgrade of torch changes for code."""

from __future__ import annotations

import argparse
import os
import sys
import tokenize
import warnings
from collections.abc import Iterator
from typing import Optional

from pytorch_verbatim import changes, data, explaining, names

#: How many uses of a name are shown.
MOST_USES = 3
#: How many names are listed that the book does not know.
MOST_UNKNOWN = 8

WORDS = {
    "en": {
        "more": "… {count} more lines on the page",
        "summary": "torch {old} → {new}: {files} files, {names} names; {changes} differ, {breaks} may break",
        "unknown": "The book knows nothing of {count} more names of torch in this code: {names}",
        "places": "and in {count} more sections",
        "other": "torch {asked} is not recorded; {taken} stands for it",
    },
    "zh": {
        "more": "……页面上还有 {count} 行",
        "summary": "torch {old} → {new}：{files} 个文件，{names} 个名字；{changes} 处不同，{breaks} 处可能出错",
        "unknown": "这些代码里还有 {count} 个 torch 的名字本书没有写到：{names}",
        "places": "另有 {count} 节也是这样",
        "other": "没有 torch {asked} 的记录，以 {taken} 代替",
    },
}


def main(arguments: list[str]) -> int:
    """List the differences. Return 1 if one of them may break code, 2 if the arguments are wrong."""
    parser = _parser()
    options = parser.parse_args(arguments)
    language = options.lang or explaining.preferred()
    words = WORDS[language]
    known = ", ".join(changes.recorded()["releases"])
    taken = []
    for asked, after in ((options.old, False), (options.new, True)):
        try:
            nearest = changes.nearest(asked, after=after)
        except ValueError:
            parser.error(f"{asked!r} is not a release of torch; recorded are {known}")
        if nearest is None:
            parser.error(f"nothing is known of torch {asked}; recorded are {known}")
        if changes.number(nearest)[: len(changes.number(asked))] != changes.number(asked):
            print(words["other"].format(asked=asked, taken=nearest), file=sys.stderr)
        taken.append(nearest)
    old, new = taken
    if changes.number(old) >= changes.number(new):
        parser.error(f"torch {old} is not older than {new}")
    if missing := [path for path in options.paths if not os.path.exists(path)]:
        parser.error(f"there is no {missing[0]}")
    files, used, unknown = _used(options.paths)
    differences = changes.between(old, new, used, language)
    data = changes.recorded()
    for change in differences:
        _tell(change, words, data["words"][language][change.kind], data["most"])
    breaks = sum(change.kind in data["breaks"] for change in differences)
    counts = {"names": len(used), "files": files, "changes": len(differences), "breaks": breaks}
    print(words["summary"].format(old=old, new=new, **counts))
    if unknown:
        listed = ", ".join(sorted(unknown)[:MOST_UNKNOWN]) + (", …" if len(unknown) > MOST_UNKNOWN else "")
        print(words["unknown"].format(count=len(unknown), names=listed))
    return 1 if breaks else 0


def _tell(change: changes.Change, words: dict[str, str], kind: str, most: int) -> None:
    print(f"{kind}: {', '.join(change.names)}")
    more = f" (+{len(change.uses) - MOST_USES})" if len(change.uses) > MOST_USES else ""
    print(f"  {', '.join(change.uses[:MOST_USES])}{more}")
    if change.address:
        print(f"  {' › '.join(change.titles.splitlines())}\n  {data.book().about['address']}{change.address}")
    if change.places > 1:
        print(f"  {words['places'].format(count=change.places - 1)}")
    for line in change.lines[:most]:
        print(f"    {line}")
    if rest := change.more + len(change.lines[most:]):
        print(f"    {words['more'].format(count=rest)}")
    print()


def _used(paths: list[str]) -> tuple[int, changes.Used, set[str]]:
    """Return the number of files that were read, name → ``file:line`` of each use → what is given there, and the names
    of torch that the book does not know."""
    used: dict[str, dict[str, Optional[frozenset[str]]]] = {}
    unknown: set[str] = set()
    data = changes.recorded()
    count = 0
    for file in _files(paths):
        try:
            with tokenize.open(file) as opened, warnings.catch_warnings():
                warnings.simplefilter("ignore")  # about the reader's code: not asked for
                uses, more = names.used(opened.read(), data["names"], data["moved"])
        except (SyntaxError, ValueError, OSError, RecursionError) as error:
            print(f"{file}: not read: {error}", file=sys.stderr)
            continue
        count += 1
        unknown |= more
        for name, some in uses.items():
            places = used.setdefault(name, {})
            for use in some:
                known = places.get(place := f"{file}:{use.line}")
                # Of several uses in a line, what all of them give; one that only asks gives nothing away.
                places[place] = use.given if known is None else known if use.given is None else known & use.given
    return count, used, unknown


def _files(paths: list[str]) -> Iterator[str]:
    for path in paths:
        if not os.path.isdir(path):
            yield path
            continue
        for folder, folders, files in os.walk(path):
            folders[:] = sorted(name for name in folders if not name.startswith(".") and name != "__pycache__")
            yield from (os.path.join(folder, file) for file in sorted(files) if file.endswith(".py"))


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pytorch_verbatim changes",
        description="List what another release of torch does differently for the PyTorch names in code, which is read "
        "and not run. Only what the book shows is known.",
        epilog="exit code: 0, or 1 if something may break, or 2 if the arguments are wrong",
    )
    parser.add_argument("paths", nargs="+", metavar="PATH", help="a file, or a folder of Python files")
    parser.add_argument(
        "--from", dest="old", required=True, metavar="RELEASE", help="the release that the code ran with"
    )
    parser.add_argument("--to", dest="new", required=True, metavar="RELEASE", help="the release that it shall run with")
    parser.add_argument("--lang", choices=explaining.LANGUAGES, help="the language; by default that of the locale")
    return parser
