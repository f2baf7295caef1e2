"""Writes what belongs to a language, or to the whole site, once its pages are made."""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterable, Mapping
from html import escape
from pathlib import Path
from urllib.parse import urljoin

import rjsmin

from verbatim.book import environment
from verbatim.incremental.records import PageRecord
from verbatim.lists import advice, changes, feed, glossary, manifest, names, questions, signatures
from verbatim.lists.places import path_between, title
from verbatim.memo import Memo, digest
from verbatim.pages import moved
from verbatim.pages.page import Page
from verbatim.paths import inside
from verbatim.problems import Problems
from verbatim.project import write_if_changed
from verbatim.run import server
from verbatim.site import hover, page_names
from verbatim.site.downloads import assistants, editions, offline, path_notebook, upgrades, wheels
from verbatim.site.html import stylesheet
from verbatim.site.output import SEARCH, put
from verbatim.site.pages import LanguagePages
from verbatim.site.search import index, messages, sections, terms, thesaurus
from verbatim.site.site_build import SiteBuild
from verbatim.site.theme import SHEET
from verbatim.words import SITE

#: Where what an upgrade changes lies, in a folder for each language, and what shows it.
UPGRADES = "assets/changes"
_MOVED = Path(__file__).parents[1] / "templates" / "moved.html"


def write_path(site: Path, pages: LanguagePages) -> None:
    """Write the path for those who begin as one notebook; in each build, because each of its pages may change it."""
    site_build, name = pages.site_build, pages.language.name
    if not pages.framed or not pages.path or site_build.options.recipes:
        return
    addresses, config = pages.language.addresses(), pages.language.config
    site_url, first = config.site_url or "/", pages.path[0].name
    url = site_build.shared.languages.address(name, first)
    library = environment.torch(site_build.build.book.environment)
    footer = SITE[name]["from"].format(site=config.site_name, url=site_url + url, library=library)
    text = path_notebook.make(
        pages.path, site_build.build.document, lambda file: addresses.get(file, file), site_url, footer
    )
    put(site, f"{url}{path_notebook.name(first, name)}", text)


def write_search(site: Path, language_pages: LanguagePages) -> None:
    """Write the search of a language."""
    site_build, language = language_pages.site_build, language_pages.language.name
    sources, memo = site_build.build.sources, site_build.shared.memo
    api_names = {name.name.rpartition(".")[2] for name in names.names(sources, language)}
    project = sources.book.project
    root = project.root
    pages = [
        sections.ask(
            sections.translate(page, _titles(site_build, language, name)),
            questions.read(project, language, name.removesuffix(".md")),
        )
        for name, page in language_pages.searchable.items()
    ]
    templates = messages.templates(sources, language)
    script = terms.SCRIPT.read_text(encoding="utf-8")
    words = read(root / thesaurus.FILE), read(root / glossary.FILE), language
    synonyms = memo.get("thesaurus", digest(words, script), lambda: thesaurus.dumps(*words))
    own = advice.data(project)
    key = digest(pages, sorted(api_names), templates, synonyms, script, own)
    files = memo.verified("search", key, lambda: index.files(pages, api_names, templates, synonyms, memo, own))
    for name, text in files.items():
        put(site, f"{SEARCH}/{language}/{name}", text)


def write_moved(site: Path, pages: LanguagePages) -> None:
    """Write a page at each address that a page had before: it leads to the same section of the new one."""
    languages = pages.site_build.shared.languages
    name, template = pages.language.name, _MOVED.read_text(encoding="utf-8")
    site_url = (pages.language.config.site_url or "").removesuffix("/")
    for old, new in moved.read(pages.site_build.build.book.project).items():
        page = pages.site_build.build.page(f"docs/{name}/{new}.md")
        if page:
            here = languages.address(name, f"{old}.md")
            there = languages.address(name, f"{new}.md")
            target = f"{path_between(there, f'{here}index.html')}/"
            values = {"language": name, "target": target, "canonical": f"{site_url}/{there}", "title": title(page)}
            text = template
            for key, value in values.items():
                text = text.replace(f"{{{{ {key} }}}}", escape(value))
            put(site, f"{here}index.html", pages.finish(text))


def read(path: Path) -> str:
    """Return the text of a file that a project may lack."""
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _titles(site_build: SiteBuild, language: str, name: str) -> list[dict[str, str]]:
    """Return the titles of a page in the other languages."""
    others = site_build.shared.languages.others(language)
    twins = (site_build.build.page(f"docs/{other}/{name}") for other in others)
    return [sections.titles(twin) for twin in twins if twin]


def write_assistants(site: Path, pages: LanguagePages) -> None:
    """Write the pages of a language as Markdown, and the lists of them; note which files belong to which page."""
    site_build, language, config = pages.site_build, pages.language.name, pages.language.config
    documents, site_url = pages.expanded, config.site_url or "/"
    reuse, folder = site_build.reuse, site_build.shared.languages.folder(language)

    def existing(page: Page) -> str | None:
        if not reuse or page.path.removeprefix("docs/") not in reuse.pages:
            return None
        return (reuse.site / folder / page.name).read_bytes().decode()

    sources = site_build.build.sources
    made = assistants.pages(sources, language, documents, existing, site_url)
    files: dict[str, dict[str, str]] = {}
    for name, (text, figures) in made.items():
        if name in documents:  # those that are reused are linked
            files[name] = {f"{folder}{name}": text, **figures}
    for path, text in (file for texts in files.values() for file in texts.items()):
        put(site, path, text)
    summary = config.site_description or ""
    listed = assistants.lists(sources, language, made, site_url=site_url, site_name=config.site_name, summary=summary)
    for path, text in listed:
        put(site, path, text)
    known, torch = messages.ordered(sources, language), sources.book.environment.get("torch", "")
    text = assistants.known_errors(known, messages.templates(sources, language), torch, site_url)
    put(site, f"{folder}{assistants.ERRORS}", text)
    pages.record({name: {*texts} for name, texts in files.items()})


def write_upgrades(site: Path, pages: LanguagePages) -> None:
    """Write what an upgrade of torch changes, for the page that says it in a language."""
    name = pages.language.name
    put(site, f"{UPGRADES}/{name}/data.js", upgrades.script(pages.site_build.build.sources, name))


def write_feed(site: Path, pages: LanguagePages) -> None:
    """Write the feed of a language's pages."""
    if not pages.framed:
        return
    language, config, shared = pages.language.name, pages.language.config, pages.site_build.shared
    site_url, place = config.site_url or "/", f"{shared.languages.folder(language)}feed.xml"
    text = feed.atom(
        pages.entries(),
        title=config.site_name,
        url=urljoin(site_url, shared.home(language)),
        feed_url=urljoin(site_url, place),
        language=language,
        author=config.site_name,
    )
    write_if_changed(inside(site, place), text)


def write_site(site: Path, site_build: SiteBuild, languages: Mapping[str, LanguagePages]) -> None:
    """Write what belongs to all languages, once they have ended."""
    *_, last = languages.values()
    config = last.language.config
    manifest.write(site / "verbatim.json", site_build.build.sources, site_build.addresses)
    changes.write_feeds(site, site_build.build.sources, config.site_url or "/", config.site_name)
    if site_build.reuse:
        site_build.reuse.link(site)
    if last.framed:
        write_hover(site, site_build)
        robots = f"User-agent: *\nAllow: /\n\nSitemap: {config.site_url or '/'}sitemap.xml\n"
        write_if_changed(site / "robots.txt", robots)
        styles = [name.partition("?")[0] for name in config.extra_css]
        own = [str(name).partition("?")[0] for name in config.extra_javascript]
        records = site_build.reuse.page_records.values() if site_build.reuse else ()
        write_styles(site, site_build.theme_css, styles, own, records, site_build.shared.memo)
        if not site_build.options.recipes:  # else the book is not whole
            with contextlib.suppress(*([Problems] if site_build.options.serving else [])):  # pages show them
                document = site_build.build.document if site_build.options.offline else None
                wheels.write(site, site_build.build.sources, config.site_url or "", document)
    if site_build.options.offline:
        for language in languages:
            offline.pack(site, language, site_build.shared.languages, config.site_url or "")
    for language in languages:
        editions.copy(site, site_build.editions(language))


def write_hover(site: Path, site_build: SiteBuild) -> None:
    """Write what pages show of names and terms."""
    shared, names, pages = site_build.shared, site_build.names, site_build.build.pages
    used = page_names.on_pages(site_build.build.book, pages)
    described = signatures.Signatures(shared.memo).describe(used, server.ask)
    names.learn(described, server.ask)
    names.save()
    titles = {(page.language, page.name): title(page) for page in pages}
    words = {
        language: {
            word: (term.other(language), titles[language, f"{term.page}.md"])
            for word, term in shared.glossary.terms(language).items()
            if (language, f"{term.page}.md") in titles
        }
        for language in shared.languages.all
    }
    for path, text in hover.files(described, names.address, words).items():
        write_if_changed(inside(site, path), text)


def write_styles(
    site: Path, theme: str, styles: Iterable[str], scripts: Iterable[str], records: Iterable[PageRecord], memo: Memo
) -> None:
    """Write the theme's styles, as far as pages and scripts use them, and make the site's own files smaller.

    Args:
        site: The folder of the site, finished otherwise.
        theme: The text of the theme's stylesheets.
        styles: The site's own stylesheets: paths from its root.
        scripts: Its own scripts.
        records: What is known of pages, which need not be read then.
        memo: Has what was made of stylesheets before.
    """
    used, known = stylesheet.Used(), set[str]()
    for record in records:
        used.page(record.styled)
        known.update((record.html, *record.files))
    for within, _, files in os.walk(site):
        folder = Path(within)
        place = "" if folder == site else f"{folder.relative_to(site).as_posix()}/"
        for name in files:
            if name.endswith(".html") and f"{place}{name}" not in known:
                used.page(stylesheet.marks((folder / name).read_text(encoding="utf-8")))
    own = [path for path in site.glob("assets/**/*.js") if not _is_data(site, path)]
    for path in own:
        used.script(path.read_text(encoding="utf-8"))
    everywhere = [site / name for name in styles]
    for path in site.glob("assets/*.css"):
        used.style(path.read_text(encoding="utf-8"), everywhere=path in everywhere)
    trimmed = memo.get("theme's styles", digest(theme, used.digest()), lambda: stylesheet.trim(theme, used))
    write_if_changed(site / SHEET, trimmed)
    for path in everywhere:
        if path.is_file():
            css = path.read_text(encoding="utf-8")
            write_if_changed(path, memo.get("styles", css, functools.partial(stylesheet.minify, css)))
    for path in dict.fromkeys((*(site / name for name in scripts), *own)):
        if path.is_file() and path.name != "minisearch.js":
            write_if_changed(path, rjsmin.jsmin(path.read_text(encoding="utf-8"), keep_bang_comments=True))


def _is_data(site: Path, script: Path) -> bool:
    """Whether a script holds data alone, which are in a folder for each language, or on hover cards."""
    folders = (site / folder for folder in (SEARCH, UPGRADES))
    in_language = any(script.is_relative_to(folder) and script.parent != folder for folder in folders)
    return in_language or script.match(hover.FILE.format("*"))
