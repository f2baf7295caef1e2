"""``python -m pytorch_verbatim search "in-place operation"``: finds pages, as the search of the site does."""

from __future__ import annotations

import argparse
import contextlib
import sys

from pytorch_verbatim import explaining, finding, pages, terminal


def main(arguments: list[str]) -> int:
    """Search. Return 1 if nothing is found, or the pages are not installed."""
    options = _parser().parse_args(arguments)
    language = options.lang or explaining.preferred()
    words = explaining.WORDS[language]
    try:
        with contextlib.closing(finding.Finder(language)) as finder:
            answer = finder.find(" ".join(options.query))
    except pages.MissingError as error:
        print(words["missing"].format(command=error), file=sys.stderr)
        return 1
    if answer.note:
        print(words[answer.note], file=sys.stderr)
    for section in answer.results:
        terminal.write(f"{section}\n\n")
    return 0 if answer.results else 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pytorch_verbatim search",
        description="Find pages, in the order in which the search of the site finds them. `show` shows what is found.",
        epilog="exit code: 0, or 1 if nothing is found",
    )
    parser.add_argument("query", nargs="+", help="words, names of PyTorch, or a message")
    parser.add_argument("--lang", choices=explaining.LANGUAGES, help="the language; by default that of the locale")
    return parser
