"""`make weblinks`: ask each web address that pages link to whether it still answers. A job of once a week, no check.

A page that is gone (404, 410) or a host that no longer exists is dead. What refuses programs, is slow or has trouble of
its own (403, 429, 5xx, a timeout) may be alive, so it is listed apart and fails nothing.
"""

from __future__ import annotations

import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from verbatim.pages.page import Page, load_pages
from verbatim.problems import Problem, report
from verbatim.project import Project, find_root

GONE_CODES = (404, 410)
ANSWER_SECONDS = 20
#: Some sites answer only what says what it is.
AGENT = "Mozilla/5.0 (compatible; link check of a documentation site)"

#: Asks an address: returns nothing where it answers, else what is wrong, and whether it is surely gone.
Ask = Callable[[str], tuple[str, bool]]


def ask(address: str) -> tuple[str, bool]:
    """Open an address."""
    request = urllib.request.Request(address, headers={"User-Agent": AGENT})
    try:
        with urllib.request.urlopen(request, timeout=ANSWER_SECONDS):
            return "", False
    except urllib.error.HTTPError as error:
        return f"{error.code} {error.reason}", error.code in GONE_CODES
    except urllib.error.URLError as error:
        return str(error.reason), "Name or service not known" in str(error.reason)
    except (OSError, ValueError) as error:
        return str(error), False


def addresses(pages: Iterable[Page]) -> dict[str, tuple[str, int]]:
    """Return each web address without its anchor, with the first page and line that link to it."""
    places: dict[str, tuple[str, int]] = {}
    for page in pages:
        for line, target in page.links:
            if target.startswith(("https://", "http://")):
                places.setdefault(target.partition("#")[0], (page.path, line))
    return places


def check(pages: Iterable[Page], ask: Ask = ask) -> tuple[list[Problem], list[Problem]]:
    """Return the links that are dead, and those of which nothing is sure."""
    places = addresses(pages)
    dead, unsure = [], []
    with ThreadPoolExecutor(8) as pool:
        for (address, (path, line)), (wrong, gone) in zip(places.items(), pool.map(ask, places), strict=True):
            if wrong:
                problem = Problem(path, line, f"{address} does not answer: {wrong}", "mend or remove the link" * gone)
                (dead if gone else unsure).append(problem)
    return dead, unsure


def main() -> int:
    """Tell of all links; fail where one is dead."""
    project = Project(find_root(Path(__file__).parent))
    pages, _ = load_pages(project)
    dead, unsure = check(pages)
    if unsure:
        print("perhaps alive:\n" + report(unsure) + "\n")
    print(report(dead))
    return 1 if dead else 0


if __name__ == "__main__":
    sys.exit(main())
