"""Find a Chromium for the tests, or install one. Prints its path."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

#: The first has no window, tabs or address bar to draw for each page: a test costs two thirds.
BROWSER_COMMANDS = (
    "chromium-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
)
MAC_BROWSERS = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def present() -> str:
    """Return the browser that `VERBATIM_BROWSER` names, that is on the path, or that Playwright has, if it starts."""
    named = [os.environ.get("VERBATIM_BROWSER", "")]
    for candidate in [*named, *map(shutil.which, BROWSER_COMMANDS), *MAC_BROWSERS]:
        if candidate and not refusal(candidate):
            return candidate
    path = _playwrights()
    return "" if refusal(path) else path


def refusal(path: str) -> str:
    """Return why a browser does not start: nothing if it does.

    Playwright's lacks libraries on a system that never had a browser; Ubuntu has a script in the place of one.
    """
    try:
        done = subprocess.run([path, "--version"], capture_output=True, text=True, errors="replace", check=False)
    except OSError as error:
        return str(error)
    return (done.stderr or done.stdout).strip() or f"exit code {done.returncode}" if done.returncode else ""


def _playwrights() -> str:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        return playwright.chromium.executable_path


def install() -> None:
    """Ask Playwright for its browser, with the libraries if we may; where it cannot be had, ask Debian's packages."""
    debian = bool(shutil.which("apt-get")) and _administrates()
    command = [sys.executable, "-m", "playwright", "install", *["--with-deps"] * debian, "chromium"]
    if subprocess.run(command, check=False).returncode == 0 or not debian:
        return
    sudo = ["sudo", "-n"] if os.geteuid() else []
    subprocess.run([*sudo, "apt-get", "update", "-qq"], check=False)
    for package in BROWSER_COMMANDS[:2]:
        if subprocess.run([*sudo, "apt-get", "install", "-qq", "-y", package], check=False).returncode == 0:
            return


def _administrates() -> bool:
    """Whether we are root, or may become it without a password, as in a Codespace."""
    if os.geteuid() == 0:
        return True
    asked = ["sudo", "-n", "true"]
    return bool(shutil.which("sudo")) and subprocess.run(asked, capture_output=True, check=False).returncode == 0


def main() -> int:
    """Return 0 where a browser is there in the end."""
    if not present():
        install()
    path = present()
    if not path:
        said = "no Chromium is found and none can be installed"
        hint = "install Chromium or Chrome, or set VERBATIM_BROWSER to its path"
        if Path(own := _playwrights()).is_file():
            said = f"{own} does not start: {refusal(own)}"
            hint = f"sudo {sys.executable} -m playwright install-deps chromium"
        print(f"{said}\n  hint: {hint}", file=sys.stderr)
        return 1
    print(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
