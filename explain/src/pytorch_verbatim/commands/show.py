"""``python -m pytorch_verbatim show autograd/detach``: shows a page, without a network."""

from __future__ import annotations

import argparse
import sys

from pytorch_verbatim import explaining, markdown, pages, terminal


def main(arguments: list[str]) -> int:
    """Show a page. Return 1 if there is none of this name, or the pages are not installed; 2 for wrong arguments."""
    parser = _parser()
    options = parser.parse_args(arguments)
    language = options.lang or explaining.preferred()
    words = explaining.WORDS[language]
    try:
        shelf = pages.shelf()
        torch = shelf.release(options.torch or "")
        if options.torch and not torch:
            parser.error(f"torch {options.torch} is not recorded; these are: {', '.join(shelf.about['releases'])}")
        text = shelf.page(options.page, language, torch)
    except pages.MissingError as error:
        print(words["missing"].format(command=error), file=sys.stderr)
        return 1
    except pages.UnknownError as error:
        print(words["no page"].format(name=error.name), *error.near, sep="\n  ", file=sys.stderr)
        return 1
    terminal.page(markdown.readable(text))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pytorch_verbatim show",
        description="Show a page of the book, as it was printed with its build of torch.",
        epilog="exit code: 0, or 1 if there is no such page, or 2 if the arguments are wrong",
    )
    parser.add_argument("page", help="its name or address, such as autograd/detach; with # and an id, one section")
    parser.add_argument("--lang", choices=explaining.LANGUAGES, help="the language; by default that of the locale")
    parser.add_argument("--torch", metavar="RELEASE", help="show what this release printed, where the page knows that")
    return parser
