"""``pytest -p pytorch_verbatim.pytest``: what the book knows of the error of a failing test, below its traceback."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import pytest

from pytorch_verbatim import telling


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Generator[None, Any, None]:
    """Add what the book knows of the error to the report, once that is made."""
    outcome = yield
    if call.excinfo and outcome.get_result().failed:
        if text := telling.lines_about(call.excinfo.value):
            outcome.get_result().sections.append(("PyTorch Verbatim", text))
