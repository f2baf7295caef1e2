"""The command line: ``python -m verbatim new | serve | build | run | check | record | drift | render | move …``."""

from __future__ import annotations

import argparse
import atexit
import gc
import importlib
import importlib.util
import sys

from verbatim.commands import arguments
from verbatim.commands.common import report_problems
from verbatim.problems import Problem, Problems


def main(given: list[str] | None = None) -> int:
    """Run one command. Return the exit code: 0, or 1 if anything is wrong."""
    options = arguments.parser().parse_args(given)
    try:
        _need_torch(options)
        command = importlib.import_module(f"verbatim.commands.{options.command}")
        return int(command.main(options))
    except Problems as error:
        return report_problems(error.problems)
    except BrokenPipeError:  # the reader (`head`, say) has seen enough
        sys.stdout = None
        return 1
    except OSError as error:
        print(f"{error.filename or 'verbatim'}: {error.strerror or error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _need_torch(options: argparse.Namespace) -> None:
    """Say at once what every script would say in its own way.

    Raises:
        Problems: this Python has no PyTorch, and no other machine is asked to run the scripts.
    """
    if importlib.util.find_spec("torch") is None and not getattr(options, "scheduler", None):
        hint = "use the project's own: .venv/bin/python, which `make check` makes"
        raise Problems([Problem(sys.executable, 0, "this Python has no PyTorch", hint)])


def _collect_less() -> None:
    """Have Python look for garbage less often: each time, it goes through all that a command holds of the book."""
    gc.set_threshold(100_000)
    atexit.register(gc.freeze)  # at its end, it would go through everything twice more


if __name__ == "__main__":
    _collect_less()
    sys.exit(main())
