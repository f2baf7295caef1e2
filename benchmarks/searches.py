"""Other searches on the same pages, and how each is asked in a browser: Material's own, Pagefind, Zensical's.

Pagefind comes from npm; jieba, which lets Material's search split Chinese, and Zensical come from PyPI. All go into
`build/benchmarks`.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.repository import build, plain

PAGEFIND = "pagefind@1.6.0"
JIEBA = "jieba==0.42.1"
#: Zensical's version is that of `make exits`.
ZENSICAL = "exits/requirements.txt"
SEPARATOR = r"""[\s\u200b\u3000\-、。，．？！；：（）“”《》,:;!=\[\](){}"'`/*+<>|\\]+|\.(?!\d)|&[lg]t;"""
#: Milliseconds without a result after which there is none: of the first query, for which the index may have to come, and
#: of others.
PATIENCE = 8000
LATER = 2000
#: Milliseconds for what a search shows besides its first result.
SETTLED = 60

Ask = Callable[[Page, str], tuple[list[str], float]]


@dataclass(frozen=True)
class Engine:
    """A search on a built site."""

    name: str
    site: Path
    files: re.Pattern[str]
    """Which files only the search loads."""
    open: Callable[[Page], None]
    """Makes the search ready to be written into, on a page that has just loaded."""
    ask: Ask
    """Returns the addresses that a query finds, best first, and the milliseconds to the first; -1 if there is none."""
    mixed: bool = False
    """Whether one index has the pages of all languages."""


def engines(names: set[str], root: Path, site: Path, folder: Path) -> Iterator[Engine]:
    """Yield the searches that are named, each on a site of its own.

    Args:
        names: Of ``ours``, ``material``, ``tuned``, ``pagefind``, ``zensical``.
        root: The project.
        site: The project's site, built already.
        folder: Where the other sites are built.
    """
    tools = root / "build/benchmarks"
    tools.mkdir(parents=True, exist_ok=True)
    if "ours" in names:
        yield Engine("ours", site, re.compile(r"/assets/search/"), open_ours, typing(".vs-result"))
    if names & {"material", "tuned", "zensical"}:
        config = plain(root, folder)
    if "zensical" in names:
        zensical(config, folder / "zensical", tools, root)
        files = re.compile(r"/search\.json|/workers/search\.")
        yield Engine("zensical", folder / "zensical/site", files, open_zensical, typing("a[role=option]"))
    link = ".md-search-result__item > a"  # what else it found on a page is folded
    files = re.compile(r"/search/search_index\.json|/workers/search\.")
    if "material" in names:
        material(config, folder / "material", "", "")
        yield Engine("material", folder / "material", files, open_material, typing(link), mixed=True)
    if "tuned" in names:
        jieba = tools / "jieba"
        if not jieba.is_dir():
            _install(jieba, JIEBA)
        options = f":\n      lang: [en]\n      pipeline: []\n      separator: {json.dumps(SEPARATOR)}"
        for path in overviews(folder / "docs"):
            path.write_text(path.read_text().replace("---\n", "---\nsearch: {exclude: true}\n", 1))
        material(config, folder / "tuned", options, str(jieba))
        yield Engine("tuned", folder / "tuned", files, open_material, typing(link), mixed=True)
    if "pagefind" in names:
        pagefind(site, folder / "pagefind", tools, root / "docs")
        yield Engine("pagefind", folder / "pagefind", re.compile("/pagefind/"), lambda page: None, ask_pagefind)


# -- The sites ------------------------------------------------------------------------------------


def material(config: Path, site: Path, options: str, jieba: str) -> None:
    """Build the same pages in Material's own frame with its search."""
    text = re.sub(r"^extra_css:\n(?:  .*\n)+", "", config.read_text(), flags=re.MULTILINE)
    text = re.sub(r"^  - search\n", lambda _: f"  - search{options}\n", text, flags=re.MULTILINE)
    own = config.with_name("material.yml")
    own.write_text(text)
    build(own, site, jieba)


def zensical(config: Path, folder: Path, tools: Path, root: Path) -> None:
    """Build the same pages with Zensical; the site lies in ``folder/site``."""
    packages = tools / "zensical"
    if not packages.is_dir():
        _install(packages, "--no-deps", "-r", str(root / ZENSICAL))
    shutil.copytree(config.with_name("docs"), folder / "docs")
    text = re.sub(r"^extra_css:\n(?:  .*\n)+|^  - search\n", "", config.read_text(), flags=re.MULTILINE)
    # What stands for a language replaces the whole palette there, icons included.
    text = re.sub(r"^            palette:\n(?:              .*\n)+", "", text, flags=re.MULTILINE)
    (folder / "mkdocs.yml").write_text(text)
    command = [sys.executable, "-m", "zensical_i18n", "build", "--config-file", str(folder / "mkdocs.yml")]
    paths = {"PYTHONPATH": os.pathsep.join(map(str, (packages, root)))}
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env={**os.environ, **paths})


def overviews(docs: Path) -> Iterator[Path]:
    """Return the pages that only lead to others."""
    for path in sorted(docs.rglob("*.md")):
        if path.stem == "index" or "ways" in path.relative_to(docs).parts:
            yield path


def pagefind(site: Path, copy: Path, tools: Path, docs: Path) -> None:
    """Index a copy of the site, the text of the pages without their frame. What is not indexed is put back."""
    shutil.copytree(site, copy)
    for path in overviews(docs):
        name = path.relative_to(docs).as_posix().removeprefix("zh/").removesuffix(".md").removesuffix("index")
        (copy / name / "index.html").unlink(missing_ok=True)
    for path in copy.rglob("notebook/index.html"):
        path.unlink()
    shutil.rmtree(copy / "assets/search")
    subprocess.run(["npm", "install", "--silent", "--prefix", str(tools), PAGEFIND], check=True)
    command = [str(tools / "node_modules/.bin/pagefind"), "--site", str(copy), "--root-selector", "article"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    shutil.copytree(site, copy, dirs_exist_ok=True)


def _install(folder: Path, *what: str) -> None:
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-compile", "--target", str(folder)]
    subprocess.run([*pip, *what], check=True)


# -- In the browser -------------------------------------------------------------------------------

#: Inserts a text into the field that has the focus; resolves to the milliseconds until a selector shows something, or
#: nothing any more. Zensical's dialog lies in a tree of its own.
TYPE = """([text, selector, wanted, patience]) => new Promise((resolve) => {
  const start = performance.now();
  const root = document.activeElement.shadowRoot ?? document;
  const field = root.activeElement;
  const end = (found) => { watch.disconnect(); clearTimeout(timer); resolve(found ? performance.now() - start : -1); };
  const watch = new MutationObserver(() => !!root.querySelector(selector) === wanted && end(true));
  const timer = setTimeout(() => end(false), patience);
  watch.observe(root, { childList: true, subtree: true });
  field.value = text;
  field.dispatchEvent(new InputEvent("input", { bubbles: true }));
  field.dispatchEvent(new KeyboardEvent("keyup", { bubbles: true }));
})"""


#: How long to wait: less where something was asked on this page before.
ASKED = "([first, later]) => { const wait = self.asked ? later : first; self.asked = true; return wait; }"


def typing(selector: str) -> Ask:
    """Return a way to ask by writing into the field. ``selector``: what the links to results match."""

    def ask(page: Page, query: str) -> tuple[list[str], float]:
        patience = page.evaluate(ASKED, [PATIENCE, LATER])
        if page.locator(selector).count():
            page.evaluate(TYPE, ["", selector, False, 500])
            page.wait_for_timeout(SETTLED)
        ms = page.evaluate(TYPE, [query, selector, True, patience])
        page.wait_for_timeout(SETTLED)
        return page.locator(selector).evaluate_all("found => found.slice(0, 10).map((one) => one.href)"), ms

    return ask


def open_ours(page: Page) -> None:
    page.wait_for_function("() => !!self.verbatimSearch")
    page.keyboard.press("/")
    page.wait_for_selector("dialog[open] input:focus")


def open_material(page: Page) -> None:
    page.locator("label.md-search__icon, label[for=__search]").first.wait_for(state="attached")
    page.locator("[data-md-component=search-query]").focus()


def open_zensical(page: Page) -> None:
    page.locator("button.md-search__button").click()
    page.wait_for_selector("dialog[open] input[role=combobox]:focus")


def ask_pagefind(page: Page, query: str) -> tuple[list[str], float]:
    """Ask its programming interface; an interface for readers would add to bytes and time."""
    code = """async (query) => {
      const start = performance.now();
      const engine = await import(new URL("/pagefind/pagefind.js", location));
      const { results } = await engine.search(query);
      const data = [];
      if (results.length) data.push(await results[0].data());
      const ms = results.length ? performance.now() - start : -1;
      for (const result of results.slice(1, 10)) data.push(await result.data());
      return [data.map((one) => one.url), ms];
    }"""
    urls, ms = page.evaluate(code, query)
    return urls, ms
