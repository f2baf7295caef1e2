"""First and largest paint, bytes and requests of a recipe's page, against the same page in Starlight, on one server.

    python -m benchmarks.first_paint [--rounds 15] [--page autograd/leaf] [--site site]
    python -m benchmarks.first_paint --alone [--rounds 15] [--site site]

Starlight comes from npm into `build/benchmarks/starlight` and gets the pages that `python -m verbatim render` writes.
Each load is a new browser context: nothing is cached. Loads are interleaved, once on the plain local line and once on
one of 10 Mbit/s with 40 ms to each answer. Ratios are of medians. The first paint may be a header alone, as Starlight's is;
with the largest the text is there. Alone: this project's home page, a recipe and the list of errors on slow 4G, and there the
search, from the key that opens it, a query being typed at once, to its first result. Nothing comes from npm.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.repository import build
from scripts.browser import present
from tests.browser.conftest import ARGUMENTS
from tests.browser.server import serving
from verbatim.project import find_root

PACKAGES = ["astro@5.16.6", "@astrojs/starlight@0.37.1", "sharp@0.34.5"]
#: Bytes a second and milliseconds, as the browser's own developer tools limit a line.
LINES = {"local": None, "10 Mbit/s": (1_250_000, 40)}
SLOW = (200_000, 150)
#: What is looked at alone.
PAGES = ("", "autograd/zero-grad/", "ways/errors/")
QUERY = "zero_grad"
#: Milliseconds after which nothing larger is painted.
SETTLED = 500
CONFIG = """
import { defineConfig } from "astro/config";
import starlight from "@astrojs/starlight";
export default defineConfig({
  integrations: [starlight({ title: "PyTorch Verbatim", sidebar: %s })],
});
"""
COLLECTIONS = """
import { defineCollection } from "astro:content";
import { docsLoader } from "@astrojs/starlight/loaders";
import { docsSchema } from "@astrojs/starlight/schema";
export const collections = { docs: defineCollection({ loader: docsLoader(), schema: docsSchema() }) };
"""


def starlight(root: Path, folder: Path) -> Path:
    """Build the English pages with Starlight; return the site."""
    rendered = folder / "rendered"
    subprocess.run([sys.executable, "-m", "verbatim", "render", "--out", str(rendered)], cwd=root, check=True)
    work = root / "build/benchmarks/starlight"
    docs = work / "src/content/docs"
    for old in (docs, work / "dist"):
        shutil.rmtree(old, ignore_errors=True)
    docs.mkdir(parents=True)
    for page in sorted((rendered / "en").rglob("*.md")):
        head, body = re.fullmatch(r"---\n(.*?)\n---\n(.*)", page.read_text(), re.DOTALL).groups()
        front = yaml.safe_load(head)
        # Starlight writes the title itself, and takes a heading's braces for text; figures are left out.
        body = re.sub(r"^# .*\n", "", body, count=1, flags=re.MULTILINE)
        body = re.sub(r" \{[^{}\n]*\}$|!\[.*\]\(.*\)", "", body, flags=re.MULTILINE)
        out = docs / page.relative_to(rendered / "en")
        out.parent.mkdir(parents=True, exist_ok=True)
        kept = {"title": front["title"], "description": front["description"]}
        out.write_text(f"---\n{yaml.safe_dump(kept, allow_unicode=True)}---\n{body}")
    chapters = sorted(path.name for path in docs.iterdir() if path.is_dir())
    sidebar = [{"label": name, "autogenerate": {"directory": name}} for name in chapters]
    (work / "astro.config.mjs").write_text(CONFIG % json.dumps(sidebar))
    (work / "src/content.config.ts").write_text(COLLECTIONS)
    if not (work / "node_modules").is_dir():
        (work / "package.json").write_text('{"type": "module", "private": true}')
        subprocess.run(["npm", "install", "--silent", "--no-audit", "--no-fund", *PACKAGES], cwd=work, check=True)
    environment = {**os.environ, "ASTRO_TELEMETRY_DISABLED": "1"}
    done = subprocess.run(
        ["npx", "astro", "build"], cwd=work, capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode:
        sys.exit(done.stdout[-2000:] + done.stderr[-2000:])
    return work / "dist"


def load(browser: Browser, address: str, line: tuple[int, int] | None) -> dict[str, float]:
    """Open a page in a new context; return the milliseconds to its first and its largest contentful paint."""
    page = opened(browser, address, line)
    ms = page.evaluate(
        """(settled) => new Promise((resolve) => {
          const seen = {};
          const note = (type, name) => new PerformanceObserver((list) => list.getEntries().forEach((entry) => {
            if (entry.name !== "first-paint") seen[name] = entry.startTime;
          })).observe({ type, buffered: true });
          note("paint", "first");
          note("largest-contentful-paint", "largest");
          setTimeout(() => resolve(seen), settled);
        })""",
        SETTLED,
    )
    page.context.close()
    return ms


def searched(browser: Browser, address: str, line: tuple[int, int] | None) -> float:
    """Return the milliseconds from opening the search on a page to its first result, nothing being cached."""
    page = opened(browser, address, line)
    page.wait_for_function("() => !!self.verbatimSearch")
    page.evaluate(
        """() => {
          self.found = new Promise((resolve) => {
            new MutationObserver(() => document.querySelector(".vs-result") && resolve(performance.now()))
              .observe(document.body, { childList: true, subtree: true });
          });
          self.begun = performance.now();
        }"""
    )
    page.keyboard.press("/")
    page.keyboard.insert_text(QUERY)
    ms: float = page.evaluate("async () => await self.found - self.begun")
    page.context.close()
    return ms


def opened(browser: Browser, address: str, line: tuple[int, int] | None) -> Page:
    """Open a page in a new context, on a line that is limited."""
    page = browser.new_context(viewport={"width": 1280, "height": 800}).new_page()
    if line:
        session = page.context.new_cdp_session(page)
        speed, latency = line
        limits = {"offline": False, "latency": latency, "downloadThroughput": speed, "uploadThroughput": speed}
        session.send("Network.emulateNetworkConditions", limits)
    page.goto(address, wait_until="load")
    return page


def alone(browser: Browser, site: Path, rounds: int) -> None:
    """Print what this project's pages take on a slow line."""
    with serving(site) as base:
        for path in PAGES:
            loads = [load(browser, f"{base}en/{path}", SLOW) for _ in range(rounds)]
            told = [f"{paint} paint {spread([one[paint] for one in loads])}" for paint in ("first", "largest")]
            print(f"en/{path:22} {', '.join(told)}", flush=True)
        print(f"search, to the first result: {spread([searched(browser, f'{base}en/', SLOW) for _ in range(rounds)])}")


def spread(times: list[float]) -> str:
    return f"{statistics.median(times):.0f} ms ({min(times):.0f} to {max(times):.0f})"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--page", default="autograd/leaf")
    parser.add_argument("--site", type=Path, help="this project's site, built already")
    parser.add_argument("--alone", action="store_true", help="several pages on a slow line, without Starlight")
    options = parser.parse_args()
    root = find_root()
    with tempfile.TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name)
        site = options.site or folder / "site"
        if not options.site:
            build(root / "mkdocs.yml", site)
        browser = playwright.chromium.launch(executable_path=present(), args=list(ARGUMENTS))
        if options.alone:
            alone(browser, site, options.rounds)
            browser.close()
            return
        other = starlight(root, folder)
        sent: dict[str, list[tuple[str, int]]] = {"this project": [], "Starlight": []}
        with serving(site, sent=sent["this project"]) as ours, serving(other, sent=sent["Starlight"]) as theirs:
            addresses = {"this project": f"{ours}en/{options.page}/", "Starlight": f"{theirs}{options.page}/"}
            weights = {}
            for way, address in addresses.items():
                load(browser, address, None)
                weights[way] = (sum(size for _, size in sent[way]), len(sent[way]))
            for line, limits in LINES.items():
                times: dict[str, list[dict[str, float]]] = {way: [] for way in addresses}
                for _ in range(options.rounds):
                    for way, address in addresses.items():
                        times[way].append(load(browser, address, limits))
                for paint in ("first", "largest"):
                    middle = {way: statistics.median(one[paint] for one in loads) for way, loads in times.items()}
                    for way, loads in times.items():
                        low, high = (f(one[paint] for one in loads) for f in (min, max))
                        print(
                            f"{line:10} {way:13} {paint:7} paint {middle[way]:4.0f} ms ({low:.0f} to {high:.0f}), "
                            f"{middle[way] / middle['Starlight']:.2f} × Starlight"
                        )
            for way, (size, requests) in weights.items():
                print(f"{way:24} {size / 1000:.0f} KB, {requests} requests")
        browser.close()


if __name__ == "__main__":
    main()
