"""Find a Chromium for the tests, or install one. Prints its path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

#: The first has no window, tabs or address bar to draw for each page: a test costs two thirds.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
MAC = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def present() -> str:
    """Return the browser that `VERBATIM_BROWSER` names, that is on the path, or that Playwright has."""
    named = [os.environ.get("VERBATIM_BROWSER", "")]
    for candidate in [*named, *map(shutil.which, NAMES), *MAC]:
        if candidate and Path(candidate).is_file():
            return candidate
    path = _playwrights()
    return path if Path(path).is_file() else ""


def _playwrights() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def install() -> None:
    """Ask Playwright for its browser; where it cannot be had, ask Debian's packages."""
    if subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=False).returncode == 0:
        return
    if shutil.which("apt-get") and os.geteuid() == 0:
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        for package in NAMES[:2]:
            if subprocess.run(["apt-get", "install", "-qq", "-y", package], check=False).returncode == 0:
                return


def main() -> int:
    """Return 0 where a browser is there in the end."""
    if not present():
        install()
    path = present()
    if not path:
        print(
            "no Chromium is found and none can be installed\n"
            "  hint: install Chromium or Chrome, or set VERBATIM_BROWSER to its path",
            file=sys.stderr,
        )
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
