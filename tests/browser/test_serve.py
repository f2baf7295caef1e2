"""The edit loop in a browser: a page loads itself again when something was saved."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.waiting import Program, fetch, until

ROOT = Path(__file__).parents[2]


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """A copy of the miniature, to be edited; what it shares with the project stays where it is."""
    for name in ("mkdocs.yml", "overrides", "docs"):
        (tmp_path / name).symlink_to(ROOT / name)
    built = shutil.ignore_patterns(".cache")
    return Path(
        shutil.copytree(ROOT / "tests" / "miniature", tmp_path / "tests" / "miniature", symlinks=True, ignore=built)
    )


@pytest.fixture
def address(copy: Path) -> Iterator[str]:
    """Serve the copy; yield its address."""
    command = ("verbatim", "serve", "--port", "0")
    with Program(command, cwd=copy, log=copy.parent / "served", PYTHONPATH=str(ROOT)) as server:
        address = server.line(r"http://localhost:\d+/")[0]
        until(lambda: fetch(address)[0] == 200)
        yield address


def test_a_page_loads_itself_again_when_its_script_was_saved(copy: Path, address: str, browser: Browser):
    script = copy / "examples/autograd/leaf.py"
    page = browser.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
    page.goto(f"{address}en/autograd/leaf/")
    before = script.read_text()
    script.write_text(before.replace("print(", 'print("saved just now")\nprint(', 1))
    assert before != script.read_text()
    expect(page.locator("article").get_by_text("saved just now").last).to_be_visible(timeout=900_000)
    late = "503 (Service Unavailable)"  # the page was asked for while it was made: it waits, and asks again
    assert [text for text in complaints if late not in text] == []
    page.close()
