"""What kind of change there is between two outputs of a cell. Pure. This module alone decides it.

The report of a run (`verbatim.book.drift`), the list of what releases changed (`verbatim.lists.releases`) and what an
upgrade changes for code (`verbatim.site.downloads.upgrades`, which the package gets as data) tell readers different
things of a change, but agree on what it is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from verbatim.book.compare import readable
from verbatim.book.messages import messages_of


@dataclass(frozen=True)
class Said:
    """What of a cell's outputs tells the kind of a change."""

    messages: tuple[str, ...] = ()
    """The first lines of its errors and warnings."""
    raises: tuple[str, ...] = ()
    """The types of the errors that it raises."""
    text: str = ""
    """All that it prints."""
    absent: bool = False
    """Whether torch lacks a feature that the cell uses."""


def said(outputs: Sequence[dict[str, Any]], *, absent: bool = False) -> Said:
    """Return what some outputs say."""
    return Said(
        tuple(text for _, text in messages_of(outputs)),
        tuple(output["ename"] for output in outputs if output["output_type"] == "error"),
        "\n".join(line for output in outputs for line in readable(output)),
        absent,
    )


def only(one: Said, other: Said) -> tuple[str, ...]:
    """Return the messages that only the first of two outputs has."""
    return tuple(text for text in one.messages if text not in other.messages)


def kind(old: Said, new: Said) -> str:
    """Return the kind of change between two outputs; empty if they say the same.

    ``new`` and ``gone``: of a feature that the cell uses. ``new error``, ``new warning``, ``changed message`` and
    ``message gone``: of what it raises or warns. ``changed``: of what else it prints.
    """
    if old.absent or new.absent:
        return "" if old.absent and new.absent else "gone" if new.absent else "new"
    lost, come = only(old, new), only(new, old)
    if come and new.raises and not old.raises:
        return "new error"
    if lost and come:
        return "changed message"
    if lost or come:
        return "message gone" if lost else "new warning"
    return "changed" if old.text != new.text else ""
