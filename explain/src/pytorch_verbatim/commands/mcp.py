"""``python -m pytorch_verbatim mcp``: serves messages and pages to an assistant, over standard input and output."""

from __future__ import annotations

import argparse
import contextlib
import functools
import inspect
import sys
from typing import Optional

from pytorch_verbatim import data, explaining, finding, pages

INSTRUCTIONS = (
    "PyTorch Verbatim, a cookbook whose every output is printed by PyTorch itself. Ask `explain` about an error or a "
    "warning, `search` for pages, and read them with `page`. Nothing leaves this machine."
)


def main(arguments: list[str]) -> int:
    """Serve until the client goes. Return 1 if the package `mcp` is not installed."""
    options = _parser().parse_args(arguments)
    language = options.lang or explaining.preferred()
    try:
        from mcp.server import MCPServer
    except ImportError:
        missing = pages.MissingError("mcp")
        print(explaining.WORDS[language]["missing"].format(command=missing), file=sys.stderr)
        return 1
    with contextlib.ExitStack() as stack:
        tools = Tools(language, stack)
        server = MCPServer("pytorch-verbatim", instructions=INSTRUCTIONS, version=data.book().about["version"])
        for tool in (tools.explain, tools.search, tools.page):
            server.add_tool(tool, description=inspect.getdoc(tool), structured_output=False)
        server.run("stdio")
    return 0


class Tools:
    """What an assistant may ask. Docstrings are what it reads.

    Args:
        language: The language of the pages.
        stack: Closes what was opened.
    """

    def __init__(self, language: str, stack: contextlib.ExitStack) -> None:
        self._language = language
        self._words = explaining.WORDS[language]
        self._stack = stack

    def explain(self, message: str) -> str:
        """Say what a PyTorch error or warning means and what to do, on which page, and which releases print it.

        Args:
            message: The message with its class, or a traceback or log: the last error in it counts.
        """
        explanation = explaining.explain(message, self._language)
        return (
            f"{explaining.whole(explanation)}\n{self._printed()}"
            if explanation
            else explaining.unknown(message, self._language)
        )

    def search(self, query: str) -> str:
        """Find sections of pages: names to be given to `page`, titles, and a line of each, best first.

        Args:
            query: Words, names of PyTorch, or a message.
        """
        try:
            answer = self._finder.find(query)
        except pages.MissingError as error:
            return self._words["missing"].format(command=error)
        told = [self._words[answer.note]] if answer.note else []
        return "\n\n".join([*told, *map(str, answer.results), self._printed()])

    def page(self, path: str, torch: Optional[str] = None) -> str:
        """Return a page as Markdown: code, and below it what PyTorch printed, with the release that printed it.

        Args:
            path: Its name or address, such as `autograd/detach`; with `#` and the id of a heading, one section.
            torch: A release such as `2.4.1`: its outputs stand in place of the others where they are known to differ.
        """
        try:
            shelf = pages.shelf()
            if torch and not shelf.release(torch):
                return f"torch {torch} is not recorded; these are: {', '.join(shelf.about['releases'])}"
            return f"{shelf.page(path, self._language, shelf.release(torch or ''))}\n{self._printed()}"
        except pages.MissingError as error:
            return self._words["missing"].format(command=error)
        except pages.UnknownError as error:
            return "\n".join([self._words["no page"].format(name=error.name), *error.near])

    @functools.cached_property
    def _finder(self) -> finding.Finder:
        return self._stack.enter_context(contextlib.closing(finding.Finder(self._language)))

    def _printed(self) -> str:
        about = data.book().about
        return self._words["printed"].format(torch=about["torch"], python=about["python"]) + "\n"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m pytorch_verbatim mcp",
        description="Serve the tools `explain`, `search` and `page` to an assistant that speaks the Model Context "
        "Protocol, over standard input and output.",
    )
    parser.add_argument("--lang", choices=explaining.LANGUAGES, help="the language; by default that of the locale")
    return parser
