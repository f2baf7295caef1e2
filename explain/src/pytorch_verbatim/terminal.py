"""Writes to the terminal: whatever it can show, long texts through a pager."""

from __future__ import annotations

import os
import sys


def write(text: str) -> None:
    """Write to standard output, whatever of it that can show."""
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
    sys.stdout.flush()


def page(markdown: str) -> None:
    """Show Markdown: through a pager and with colours, where rich is installed, on a terminal; as it is elsewhere."""
    if not sys.stdout.isatty():
        write(markdown)
        return
    os.environ.setdefault("LESS", "FRX")  # colours; and what fits the screen needs no pager
    try:
        from rich.console import Console
        from rich.markdown import Markdown
    except ImportError:
        import pydoc

        pydoc.pager(markdown)
        return
    console = Console()
    with console.pager(styles=True):
        console.print(Markdown(markdown))
