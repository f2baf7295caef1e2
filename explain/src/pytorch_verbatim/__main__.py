"""The command line: ``python -m pytorch_verbatim "RuntimeError: …"``, or a command of `COMMANDS`."""

from __future__ import annotations

import importlib
import sys
from typing import Optional

#: Command → its module below `commands`, which has ``main(arguments) -> exit code``, and what it does. Without a
#: command, `explain` is meant.
COMMANDS = {
    "explain": ("explain", "say what a message means and what to do; the default"),
    "search": ("search", "find pages, without a network; needs the extra `book`"),
    "show": ("show", "show a page, without a network: the same"),
    "mcp": ("mcp", "serve messages and pages to an assistant; needs the extra `mcp`"),
    "changes": ("changes", "list what another release of torch changes for the names in code"),
    "run": ("run", "run a script, and explain the error that it ends with"),
}


def main(arguments: Optional[list[str]] = None) -> int:
    """Run a command. Return the exit code: 1 if nothing is known, 2 if the arguments are wrong."""
    given = sys.argv[1:] if arguments is None else arguments
    name = given[0] if given and given[0] in COMMANDS else ""
    command = importlib.import_module(f"pytorch_verbatim.commands.{COMMANDS[name or 'explain'][0]}")
    try:
        return int(command.main(given[1:] if name else given))
    except BrokenPipeError:  # the reader (`head`, say) has seen enough
        sys.stdout = None
        return 1
    except KeyboardInterrupt:
        if name == "run":
            raise
        return 130


if __name__ == "__main__":
    sys.exit(main())
