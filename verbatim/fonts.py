"""The fonts of the book's files and of cards. Packages bring them along; `requirements.txt` pins these."""

from __future__ import annotations

import importlib.util
from pathlib import Path


def _in_package(package: str, place: str) -> Path:
    """Return a file of a package without importing it."""
    found = importlib.util.find_spec(package)
    assert found and found.origin, package
    return Path(found.origin).parent / place


def chinese() -> Path:
    """Return Noto Sans SC."""
    return _in_package("pylopdf_fonts_zh_cn", "NotoSansSC-Regular.otf")


def latin() -> Path:
    """Return DejaVu Sans."""
    return _in_package("matplotlib", "mpl-data/fonts/ttf/DejaVuSans.ttf")


def monospaced() -> Path:
    """Return DejaVu Sans Mono."""
    return _in_package("matplotlib", "mpl-data/fonts/ttf/DejaVuSansMono.ttf")
