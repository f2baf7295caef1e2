"""What takes long to make is made once, by one of the processes that share the tests, for all of them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from filelock import FileLock


@pytest.fixture(scope="session")
def built_once(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, Callable[[Path], None]], Path]:
    """Have one process make a folder, and the others wait for it. Nobody writes into it afterwards."""

    def built_once(name: str, build: Callable[[Path], None]) -> Path:
        base = tmp_path_factory.getbasetemp()
        folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / f"built-{name}"
        with FileLock(f"{folder}.lock"):
            if not folder.exists():
                begun = folder.with_name(f"{folder.name}-begun")
                shutil.rmtree(begun, ignore_errors=True)  # of a process that failed
                build(begun)
                begun.rename(folder)
        return folder

    return built_once
