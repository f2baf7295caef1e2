"""Makes the pages of one language, step by step as MkDocs asks for them: Markdown, content, frame."""

from __future__ import annotations

import copy
import dataclasses
import functools
import hashlib
import logging
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import jinja2
from markupsafe import Markup, escape
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page as MkDocsPage
from mkdocs.structure.toc import get_toc
from mkdocs.utils import get_relative_url

from verbatim.checks import addresses
from verbatim.incremental.records import PageRecord
from verbatim.lists import feed
from verbatim.lists.places import LISTS_FOLDER, only_leads
from verbatim.markdown import OUTSIDE_LINK, Formula, resolve
from verbatim.memo import digest
from verbatim.pages import chapters, verdicts
from verbatim.pages.document import Document, Prose
from verbatim.pages.page import Page
from verbatim.problems import Problem, report
from verbatim.site import adapt, navigation
from verbatim.site.contents import Content, Contents, FileLookups, entries
from verbatim.site.downloads import offline, path_notebook, recipe
from verbatim.site.html import markup, not_found, policy, stylesheet, waiting
from verbatim.site.html.smaller_svg import inline
from verbatim.site.output import put
from verbatim.site.page_context import PageContext
from verbatim.site.search import mathml, reading, sections
from verbatim.site.sharing import cards, share
from verbatim.site.site_build import SiteBuild
from verbatim.site.theme import framed
from verbatim.words import OUTPUTS
from verbatim.write import markdown as write

log = logging.getLogger("mkdocs.plugins.verbatim")

#: The template of pages that are not rendered: an empty one.
EMPTY = "verbatim-empty.html"

FIGURE_IMAGE = re.compile(r'<img (?P<before>[^>]*?)src="verbatim:(?P<key>\w+)"(?P<after>[^>]*?)/?>')


@dataclasses.dataclass(frozen=True)
class Frame:
    """What stands around a page, and what belongs to it beside its content."""

    context: PageContext
    """What templates are told of it."""
    math: str
    """The stylesheet of its formulas."""
    card: cards.Card | None
    """The picture that is shown beside links to it."""
    downloads: recipe.Downloads | None
    """What readers take from it, if it is a recipe's."""


class LanguagePages:
    """The pages of one language.

    Args:
        site_build: The build.
        language: The language, as MkDocs knows it.
        first: The pages of the default language, once these are built.
    """

    def __init__(self, site_build: SiteBuild, language: adapt.Language, first: LanguagePages | None):
        self.site_build, self.language, self._first = site_build, language, first
        config = language.config
        self.framed = framed(config)
        """Whether the project's own templates make the frame of the pages."""
        self.documents = list(language.files.documentation_pages())
        self._files_by_path = FileLookups(language.files, self._default)
        shared = site_build.shared
        settings = [
            *(config[name] for name in adapt.RENDERING_SETTINGS),
            shared.glossary.text,
            shared.html.package(language.name),
        ]
        self._contents = Contents(site_build.contents, self._files_by_path, settings, site_build.names.address)
        self._made: dict[str, Content] = {}
        self._files: dict[str, set[str]] = {}
        self.expanded: dict[str, Document] = {}
        """Page (its path below its language) → its document; without those that are reused."""
        self.searchable: dict[str, sections.Page] = {}
        """Page → what the search shall find on it."""

    def choose(self) -> None:
        """Find the pages that are reused."""
        build, reuse = self.site_build.build, self.site_build.reuse
        if not reuse or not self.framed:
            return
        pages = {file.src_uri: build.page(f"docs/{file.src_uri}") for file in self.documents}
        fingerprints = {file: digest(*build.inputs(page)) for file, page in pages.items() if page}
        reuse.choose(fingerprints, self.site_build.metadata, self.site_build.names.address)

    def _default(self, path: str) -> File | None:
        """Return the default language's file of a page that this one lacks, if it is a partial one."""
        project = self.site_build.build.book.project
        place = project.fallback(f"docs/{path}").removeprefix("docs/")
        return self._first.language.files.src_uris.get(place) if self._first else None

    def _record(self, page: MkDocsPage) -> PageRecord | None:
        """Return the record of a page that is reused; ``None`` for others."""
        return self.site_build.reuse.pages.get(page.file.src_uri) if self.site_build.reuse else None

    def _written(self, page: MkDocsPage) -> Page | None:
        """Return a page as its author wrote it; ``None`` for one that another plugin adds."""
        return self.site_build.build.page(f"docs/{page.file.src_uri}")

    # -- before the frame ---------------------------------------------------------------------------

    def prepare(self, page: MkDocsPage) -> None:
        """Have a page reused, left for later, or rendered by way of what was made before."""
        if record := self._record(page):
            adapt.replace_steps(page, functools.partial(self._restore, page, record), _nothing)
        elif page.file.src_uri in self.site_build.deferred:
            adapt.replace_steps(page, functools.partial(self._leave, page), _nothing)
        else:
            adapt.replace_steps(page, None, functools.partial(self._render, page))

    def _restore(self, page: MkDocsPage, record: PageRecord) -> None:
        """Give a page that is reused what others ask it for."""
        self._leave(page)
        page.meta["title"], page.title = map(Markup, record.titles)
        page.present_anchor_ids = set(record.anchors)
        page.links_to_anchors = {self._files_by_path.file(path): links for path, links in record.links.items()}

    def _leave(self, page: MkDocsPage) -> None:
        """Give a page that is not made its front matter."""
        written = self._written(page)
        page.meta = {**(written.meta if written else {}), "template": EMPTY}
        page.markdown = page.content = ""
        page.present_anchor_ids, page.links_to_anchors = set(), {}

    def markdown(self, markdown: str, page: MkDocsPage) -> str:
        """Return a page's Markdown with code, outputs and lists inserted."""
        written = self._written(page)
        if written is None:
            return markdown
        for script in written.scripts:
            self.site_build.addresses.setdefault(script, {}).setdefault(written.language, page.url)
        if self._record(page):
            return ""
        set_titles(page)
        if page.file.src_uri in self.site_build.deferred:
            return ""
        if not written.meta:  # MkDocs has read what nobody would write, such as values nested a thousand deep
            page.meta = {key: value for key, value in page.meta.items() if isinstance(value, str)}
        document = self.site_build.build.document(written)
        self.expanded[written.name] = document
        text = write.site(document, self._figure)
        if self.site_build.options.serving:  # a build has stopped
            text = "\n".join([*self._boxes(written), text])
        return text

    def _figure(self, svg: str, recipe: str, cell: str) -> str:
        key = hashlib.sha256(svg.encode()).hexdigest()[:16]
        self.site_build.figures[key] = svg
        return f"verbatim:{key}"

    def _boxes(self, page: Page) -> Iterator[str]:
        """Yield what stands above a page while it is served: that its scripts have not run, what is wrong with it."""
        words, build = OUTPUTS[page.language], self.site_build.build
        if pending := sorted(build.book.pending & set(page.scripts)):
            text = words["pending-text"].format(scripts=", ".join(pending))
            yield from (f'!!! note "{words["pending"]}"', "", f"    {text}", "")
        if problems := "\n".join(map(str, [*build.problems_of(page), *build.drifted_of(page)])):
            yield from write.problem_box(words["problems"], problems)

    def _render(self, page: MkDocsPage, config: MkDocsConfig, files: Files) -> None:
        """Render a page, or take its content as it was made before."""
        text = (page.markdown, page.file.src_uri, page.file.url, page.meta)
        content = self._contents.get(text, lambda: self._rendered(page, config))
        page.content, page.toc = content.html, get_toc([*content.toc])  # type: ignore[list-item]
        adapt.set_title_from_heading(page, content.heading)
        page.present_anchor_ids = set(content.anchors)
        page.links_to_anchors = {self._files_by_path.file(path): links for path, links in content.links.items()}
        self._made[page.file.src_uri] = content

    def _rendered(self, page: MkDocsPage, config: MkDocsConfig) -> Content:
        adapt.render(page, config, self._files_by_path)  # type: ignore[arg-type]
        self._refuse(page)
        html = FIGURE_IMAGE.sub(self._inline, page.content or "")
        addresses: dict[str, str] = {}

        def address(name: str) -> str:
            addresses[name] = self.site_build.names.address(name)
            return addresses[name]

        math = ""
        if self.framed:
            name = page.file.src_uri.partition("/")[2]
            shared = self.site_build.shared
            html = shared.html.finish(html, self.language.name, name, address, terms=bool(shared.recipe(name)))
            math = shared.math(page.markdown or "")
        return Content(
            html=html,
            toc=tuple(entries(page.toc)),
            heading=adapt.title_from_heading(page),
            anchors=tuple(sorted(page.present_anchor_ids or ())),
            links={file.src_uri: links for file, links in (page.links_to_anchors or {}).items()},
            math=math,
            files={},
            addresses=addresses,
        )

    def _refuse(self, page: MkDocsPage) -> None:
        """Have no page shown that a browser would follow, load or run more of than `addresses` allows.

        `check` looks at what an author wrote; this at the HTML that came of it and of all that was inserted.
        """
        figures = {f"verbatim:{key}" for key in self.site_build.figures}
        refusals = dict.fromkeys(addresses.refused(page.content or "", figures))
        written, place = self._written(page), f"docs/{page.file.src_uri}"
        text = written.text if written else ""
        problems = [
            Problem(place, addresses.line_of(refusal, text), refusal.fact, refusal.hint) for refusal in refusals
        ]
        for problem in problems:
            log.error(problem.brief)  # so the content is not kept: the next build looks again
        if problems and self.site_build.options.serving:
            page.content = f"<h1>{page.title}</h1>\n<pre>{escape(report(problems))}</pre>"
        elif problems:
            self.site_build.refused += problems

    def _inline(self, match: re.Match[str]) -> str:
        """Put the SVG itself into the page, so that it takes the page's colours in light and dark."""
        if match["key"] not in self.site_build.figures:
            return match[0]  # the page says so itself, and is told that it may not
        attributes = f"{match['before']} {match['after']}"
        alternative = re.search(r'\balt="([^"]*)"', attributes)
        label = f'role="img" aria-label="{alternative[1] if alternative else ""}"'
        data = " ".join(re.findall(r'\b(?:class|data-[\w-]+)="[^"]*"', attributes))
        svg = inline(self.site_build.figures[match["key"]]).replace("<svg ", f"<svg {label} ", 1).replace("\n", " ")
        return f"<span {data}>{svg}</span>"

    def content(self, page: MkDocsPage) -> None:
        """Note the date of a page, and what the search shall find on it, before any page is framed."""
        self._date(page)
        found = None
        if record := self._record(page):
            found = record.searchable
        elif page.file.src_uri in self._made:
            found = self._searchable(page)
        if found:
            self.searchable[page.file.src_uri.partition("/")[2]] = found

    def _searchable(self, page: MkDocsPage) -> sections.Page | None:
        """Return what the search shall find on a page; nothing where it is left out."""
        name = page.file.src_uri.partition("/")[2]
        if not name.endswith(".md") or page.meta.get("search", {}).get("exclude"):
            return None
        document = self.expanded.get(name)
        if document is None:  # another plugin's page
            document = Document(self.language.name, (Prose(tuple((page.markdown or "").splitlines())),))
        return reading.page(
            document,
            page.url,
            Markup(page.meta.get("title") or page.title).unescape(),
            address=functools.partial(self._linked, page.file.src_uri),
            formula=self._formula,
            overview=only_leads(name),
            asks=not name.startswith(f"{LISTS_FOLDER}/"),
            meta=page.meta,
        )

    def _linked(self, source: str, target: str) -> tuple[str, str] | None:
        """Return the address and the section that a link of a page leads to; nothing where it leaves the site."""
        if OUTSIDE_LINK.match(target):
            return None
        path, section = resolve(target, source)
        file = self._files_by_path.file(path)
        return (file.url.removeprefix("./"), section) if file and file.is_documentation_page() else None

    def _formula(self, formula: Formula) -> str:
        """Return a formula as text."""
        try:
            return mathml.text(self.site_build.shared.typesetter.html(formula)) if self.framed else formula.tex
        except ValueError:  # KaTeX cannot read it, as `check` says
            return formula.tex

    def _date(self, page: MkDocsPage) -> None:
        if not self.framed:
            return
        if changed := self.site_build.dates.date(f"docs/{page.file.src_uri}"):
            page.update_date = f"{changed:%Y-%m-%d}"
            time = f'<time datetime="{changed.isoformat()}">{page.update_date}</time>'
            page.meta["git_revision_date_localized"] = time  # where Material looks for it

    # -- the frame ----------------------------------------------------------------------------------

    def environment(self, env: jinja2.Environment) -> None:
        """Set the templates' environment."""
        assert env.loader
        env.loader = jinja2.ChoiceLoader([env.loader, jinja2.DictLoader({EMPTY: ""})])
        env.auto_reload = False  # MkDocs makes another one for each build
        self.language.env = env

    def context(self, context: Any, page: MkDocsPage) -> Any:
        """Return what templates are told of a page, once all that belongs to it is written."""
        if not self.framed or page.file.src_uri in self.site_build.deferred:
            return context
        if not self.site_build.dates.date(f"docs/{page.file.src_uri}"):
            page.update_date = ""  # MkDocs gives one to pages of which none is known
        if not self._record(page):
            frame = self.frame(page)
            context["verbatim"] = frame.context
            self.write(page, frame, context)
        return context

    def frame(self, page: MkDocsPage) -> Frame:
        """Return what stands around a page, and the files that belong to it. Nothing is written."""
        config, path, language = self.language.config, f"docs/{page.file.src_uri}", self.language.name
        twins = {key: file.url for key, file in getattr(page.file, "alternates", {}).items()}
        made, written = self._made.get(page.file.src_uri), self._written(page)
        math = made.math if made else ""
        about = self.site_build.shared.describe(
            path,
            math,
            page.url,
            twins,
            config.site_url or "/",
            changed=self.site_build.dates.date(path),
            offline=offline.name(language) if self.site_build.options.offline else "",
            editions=self.site_build.editions(language),
        )
        card = None
        if about.home:
            about = dataclasses.replace(about, newest=self.site_build.newest)
        if written:
            ran, step = verdicts.text(self.site_build.build.book, written), self._steps.get(written.path)
            notebook = f"{page.url}{path_notebook.name(written.name, language)}" if self._begins(written) else ""
            about = dataclasses.replace(about, ran=ran, footer=self._footer, step=step, path=notebook)
            about, card = self._shared(about, page, written)
        downloads = self._downloads(page, written) if written and about.recipe else None
        return Frame(about, math, card, downloads)

    def write(self, page: MkDocsPage, frame: Frame, context: Any) -> None:
        """Write the files that belong to a page: the stylesheet of its formulas, its card, its downloads."""
        site, about = Path(self.language.config.site_dir), frame.context
        texts = {about.math: frame.math} if about.math else {}
        if made := frame.downloads:
            texts |= {about.py: made.script, about.ipynb: made.notebook}
            texts[f"{about.notebook}index.html"] = self._view(made.view, about, context, page)
        for path, text in texts.items():
            put(site, path, text)
        if frame.card:
            cards.write(frame.card, site, self.site_build.shared.memo)
        self._files[page.file.src_uri] = {*texts, *([frame.card.path] if frame.card else [])}

    @functools.cached_property
    def _footer(self) -> tuple[tuple[str, str], ...]:
        build = self.site_build.build
        return navigation.footer(build.sources.map, build.pages, self.site_build.shared.languages, self.language.name)

    def _begins(self, page: Page) -> bool:
        """Whether a page is the first one of the path for those who begin."""
        return page in self.path[:1]

    @functools.cached_property
    def path(self) -> list[Page]:
        """The path for those who begin."""
        build = self.site_build.build
        return chapters.path(build.sources.map, build.pages, self.language.name)

    @functools.cached_property
    def _steps(self) -> dict[str, tuple[int, int]]:
        return navigation.steps(self.site_build.build.sources.map, self.site_build.build.pages)

    def entries(self) -> Iterator[feed.Entry]:
        """Yield the entries of the pages in the feed of their language; none of a home page."""
        site_url = self.language.config.site_url or "/"
        for file in self.documents:
            page, changed = file.page, self.site_build.dates.date(f"docs/{file.src_uri}")
            if page and changed and page.meta.get("title") and file.src_uri.partition("/")[2] != "index.md":
                title, summary = Markup(page.meta["title"]).unescape(), page.meta.get("description", "")
                yield feed.Entry(urljoin(site_url, page.url), title, summary, changed)

    def _shared(self, about: PageContext, page: MkDocsPage, written: Page) -> tuple[PageContext, cards.Card | None]:
        """Return what templates are told of a page with its data for crawlers; and its card, which others show."""
        config = self.language.config
        if self.site_build.options.serving or not config.site_url:
            return about, None
        title = (config.site_description or config.site_name) if about.home else Markup(page.meta["title"]).unescape()
        summary = str(page.meta.get("description") or config.site_description or "")
        return share.share(
            about,
            written,
            share.LinkPreview(title, summary, urljoin(config.site_url, page.url)),
            self.site_build.build.sources,
            site_name=config.site_name,
            site_url=config.site_url,
        )

    def _downloads(self, page: MkDocsPage, written: Page) -> recipe.Downloads:
        """Return what readers take from a page; while serving, the book changes with what is saved."""
        shared, config = self.site_build.shared, self.language.config
        makes = recipe.RecipeDownloads(
            shared.book, shared.memo, shared.typesetter, config.site_url or "/", config.site_name
        )
        document = self.expanded[written.name]
        return makes.get(written, document, page.markdown or "", page.url, lambda file: self._addresses.get(file, file))

    @functools.cached_property
    def _addresses(self) -> dict[str, str]:
        return self.language.addresses()

    def _view(self, view: str, about: PageContext, context: Any, page: MkDocsPage) -> str:
        """Return the notebook view of a page: the page's frame around other content, one folder below."""
        twin = copy.copy(page)
        twin.file = copy.copy(page.file)
        twin.file.url = about.notebook
        twin.content = view
        around = {**context, "page": twin, "notebook": True, "base_url": get_relative_url(".", about.notebook)}
        others = {key: f"{to}notebook/" if key in about.alternates else to for key, to in about.others.items()}
        around["verbatim"] = dataclasses.replace(about, others=others)
        return self.finish(self.language.env.get_template("notebook.html").render(around))

    def post(self, output: str, page: MkDocsPage) -> str:
        """Return the finished page; nothing for one that is reused, which is linked."""
        if page.file.src_uri in self.site_build.deferred:
            return waiting.page("", self.site_build.shared.languages).decode()
        return "" if self._record(page) else self.finish(output)

    def finish(self, html: str) -> str:
        """Return a rendered page with its policy."""
        return policy.enforce(markup.breakable(markup.squeeze(html)), serving=self.site_build.options.serving)

    def template(self, output: str, name: str) -> str:
        """Return a rendered template: of 404, which each language replaces, the page in all languages so far."""
        if name != "404.html":
            return output
        pages = self.site_build.missing
        pages[self.language.name] = output
        return self.finish(not_found.together(pages) if self.framed else output)

    # -- after the pages ----------------------------------------------------------------------------

    def record(self, texts: Mapping[str, set[str]]) -> None:
        """Note the records of the pages that were made. `texts`: page → the paths of its Markdown and its figures."""
        reuse, site = self.site_build.reuse, Path(self.language.config.site_dir)
        if not reuse:
            return
        for file in self.documents:
            content, page = self._made.get(file.src_uri), file.page
            if not content or not page or file.src_uri not in self._files or not reuse.fingerprint(file.src_uri):
                continue
            views = (file.dest_uri, *(path for path in self._files[file.src_uri] if path.endswith(".html")))
            shown = "".join((site / view).read_text(encoding="utf-8") for view in views)
            reuse.add(
                file.src_uri,
                PageRecord(
                    fingerprint=reuse.fingerprint(file.src_uri),
                    html=file.dest_uri,
                    files=tuple(sorted(self._files[file.src_uri] | texts.get(file.src_uri.partition("/")[2], set()))),
                    titles=(str(page.meta["title"]), str(page.title)),
                    anchors=content.anchors,
                    links=content.links,
                    addresses=content.addresses,
                    searchable=self.searchable.get(file.src_uri.partition("/")[2]),
                    styled=stylesheet.marks(shown),
                ),
            )

    def forget(self, file: str) -> None:
        """Have a page made from what is saved now, and made again by the next build."""
        self.site_build.deferred.discard(file)
        if self.site_build.reuse:
            self.site_build.reuse.forget(file)
        if self.site_build.record:
            self.site_build.record.pages.pop(file, None)


def set_titles(page: MkDocsPage) -> None:
    """Give the navigation a page's short title, `nav`, where it has one. Templates write titles as they are."""
    page.meta["title"] = escape(str(page.meta.get("title") or page.title))
    page.title = escape(str(page.meta.get("nav") or page.title))


def _nothing(config: MkDocsConfig, files: Files) -> None:
    """Render nothing."""
