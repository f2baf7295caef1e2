"""Collects what MkDocs logs."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator


@contextlib.contextmanager
def collected(level: int) -> Iterator[list[str]]:
    """Collect the messages that MkDocs logs while the context is open, from a level upward."""
    messages: list[str] = []
    handler = logging.Handler(level)
    vars(handler)["emit"] = lambda record: messages.append(record.getMessage())
    logger = logging.getLogger("mkdocs")
    logger.addHandler(handler)
    try:
        yield messages
    finally:
        logger.removeHandler(handler)
