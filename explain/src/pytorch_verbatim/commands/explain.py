"""``python -m pytorch_verbatim "RuntimeError: …"``: says what a message means and what to do."""

from __future__ import annotations

import argparse
import sys

from pytorch_verbatim import data, explaining, reading, terminal
from pytorch_verbatim.__main__ import COMMANDS


def main(arguments: list[str]) -> int:
    """Explain a message, or the last one of a log from standard input. Return 1 if it is not known."""
    options = _parser().parse_args(arguments)
    language = options.lang or explaining.preferred()
    words = explaining.WORDS[language]
    if not options.message and sys.stdin.isatty():
        _parser().print_usage(sys.stderr)
        return 2
    text = " ".join(options.message) if options.message else reading.last(sys.stdin.buffer)
    if not text.strip():
        print(words["nothing"], file=sys.stderr)
        return 1
    explanation = explaining.explain(text, language, options.torch)
    if explanation is None:
        sys.stderr.write(explaining.unknown(text, language))
        return 1
    terminal.write(explaining.whole(explanation))
    return 0


def _parser() -> argparse.ArgumentParser:
    listed = "\n".join(f"  {name:10} {what}" for name, (_, what) in COMMANDS.items())
    parser = argparse.ArgumentParser(
        prog="python -m pytorch_verbatim",
        description="Say what a PyTorch error or warning means, and what to do.",
        epilog=f"commands:\n{listed}\n\nexit code: 0, or 1 if no page shows the message",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("message", nargs="*", help="the message with its class; without it, a log is read from a pipe")
    parser.add_argument("--lang", choices=explaining.LANGUAGES, help="the language; by default that of the locale")
    parser.add_argument("--torch", metavar="RELEASE", help="say how this release words it, if the book knows")
    parser.add_argument("--version", action=_Version, help="say which build of the book this is")
    return parser


class _Version(argparse.Action):
    """Tells the build of the book; the data is read only if it is asked for."""

    def __init__(self, **settings: object) -> None:
        super().__init__(nargs=0, **settings)  # type: ignore[arg-type]

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        book = data.book()
        about, releases = book.about, book.about["releases"]
        edited = ", edited since" if about["edited"] else ""
        terminal.write(
            f"pytorch-verbatim: the book of {about['date']} (commit {about['commit'][:12]}{edited}), printed by torch "
            f"{about['torch']}, Python {about['python']}\n{about['messages']} messages of "
            f"{len(releases)} releases, {releases[0]} to {releases[-1]}\n{about['address']}\n"
        )
        parser.exit()
