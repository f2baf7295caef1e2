"""Every problem of pages and scripts as ``path:line: message``. Pure: text in, problems out."""

from __future__ import annotations

import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property

import yaml

from verbatim.book import records
from verbatim.book.gather import Book, drift
from verbatim.checks import prose as prose_checks
from verbatim.embeds import Embed, Heading, annotations_below, embeds, headings, listings, prose
from verbatim.pages.outputs import shown
from verbatim.problems import Problem, did_you_mean
from verbatim.project import LANGUAGES, Project

LINK = re.compile(r"(?<!!)\[(?:[^\]\[]|\[[^\]]*\])*\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)|^\s*\[[^\]]+\]:\s*(\S+)")
CODE_SPAN = re.compile(r"(`+)(.+?)\1")
#: A link to the web or to a mail address, which this project does not follow.
BOX = re.compile(r"^\s*(?:!!!|\?\?\?\+?)\s+([\w-]+)")
FORMULA = re.compile(r"\\\((.+?)\\\)")
#: What a `verbatim` fence may ask for. `verbatim.lists` writes each.
LISTS = ("awaiting", "changes", "coverage", "errata", "errors", "names")
OUTSIDE = re.compile(r"^[a-z][a-z0-9+.-]*:")


@dataclass(frozen=True)
class Page:
    """One page of one language."""

    path: str
    """From the project's root: ``docs/zh/autograd/detach.md``."""
    text: str

    @property
    def language(self) -> str:
        return self.path.split("/")[1]

    @property
    def name(self) -> str:
        """Path below the language's folder."""
        return self.path.split("/", 2)[2]

    @cached_property
    def embeds(self) -> list[Embed]:
        return embeds(self.text)

    @cached_property
    def headings(self) -> list[Heading]:
        return headings(self.text)

    @cached_property
    def links(self) -> list[tuple[int, str]]:
        """``(line, target)`` of every link outside of code."""
        found = []
        for number, line in prose(self.text):
            bare = CODE_SPAN.sub("", line)
            found += [(number, a or b) for a, b in LINK.findall(bare)]
        return found


def _boxes(page: Page) -> list[tuple[str, int]]:
    return [(match[1], number) for number, line in prose(page.text) if (match := BOX.match(line))]


def _formulas(page: Page) -> list[tuple[str, int]]:
    """Each formula once: a sentence may name a quantity again where the other language need not."""
    places = [(formula, number) for number, line in prose(page.text) for formula in FORMULA.findall(line)]
    return sorted(dict(reversed(places)).items())


def _links_within(page: Page) -> list[tuple[str, int]]:
    return sorted((target, number) for number, target in page.links if not OUTSIDE.match(target))


#: What two languages of a page share: each part as `(key, line)`. Formulas and links may stand in another order.
SKELETON: dict[str, Callable[[Page], list[tuple[str, int]]]] = {
    "headings": lambda page: [(f"{'#' * h.level} {h.id}", h.line) for h in page.headings if h.level > 1],
    "embeds": lambda page: [(e.target, e.line) for e in page.embeds],
    "lists": lambda page: [(found.name, found.line) for found in listings(page.text)],
    "boxes": _boxes,
    "formulas": _formulas,
    "links": _links_within,
}


def load_pages(project: Project) -> tuple[list[Page], list[Problem]]:
    """Read every page of every language."""
    pages, problems = [], []
    for language in LANGUAGES:
        for path in project.pages(language):
            name = project.relative(path)
            try:
                pages.append(Page(name, path.read_text(encoding="utf-8")))
            except (OSError, UnicodeDecodeError) as error:
                problems.append(Problem(name, 0, f"the page cannot be read: {error}", "save it as UTF-8"))
    return pages, problems


def check(book: Book, pages: list[Page], *, whole: bool = True) -> list[Problem]:
    """Return everything that is wrong, besides what the book itself found, and besides drift.

    `whole`: whether these are all pages, so that no topic may be missing.
    """
    found = list(check_embeds(book, pages))
    found += check_cells_used(book, pages)
    found += check_twins(pages)
    for page in pages:
        found += check_front_matter(page)
        found += check_heading_ids(page)
        found += check_lists(page)
        found += check_annotations(book, page)
        found += check_captions(book, page)
    found += check_links(book.project, pages)
    found += check_orphans(book.project)
    if whole:
        found += check_topics(book.project, pages)
    found += prose_checks.typography(pages)
    found += prose_checks.glossary(book.project, pages)
    return found


def check_drift(book: Book) -> list[Problem]:
    """Return every output that is not what was recorded, with its diff."""
    return [d.problem(book) for d in drift(book)]


def check_embeds(book: Book, pages: list[Page]) -> Iterator[Problem]:
    """Each embed names a script and a cell that exist and may be shown."""
    broken = {problem.path for problem in book.problems}
    for page in pages:
        for embed in page.embeds:
            script = book.scripts.get(embed.script)
            if script is None:
                if embed.script not in broken:  # else its own problem is told
                    hint = did_you_mean(embed.script, book.scripts)
                    yield Problem(page.path, embed.line, f"there is no script `{embed.script}`", hint)
                continue
            if not embed.cell:
                continue
            cell = script.cell(embed.cell)
            if cell is None:
                names = [c.name for c in script.cells if not c.hidden]
                message = f"{embed.script} has no cell `{embed.cell}`"
                yield Problem(page.path, embed.line, message, did_you_mean(embed.cell, names))
            elif cell.hidden:
                message = f"{embed.script} hides the cell `{embed.cell}`"
                yield Problem(page.path, embed.line, message, "remove `hidden=true` from it, or the embed")


def check_cells_used(book: Book, pages: list[Page]) -> Iterator[Problem]:
    """Each script, and each of its cells that is not hidden, stands on a page."""
    used: dict[str, set[str]] = {}
    for page in pages:
        for embed in page.embeds:
            if script := book.scripts.get(embed.script):
                used.setdefault(embed.script, set()).update(cell.name for cell in shown(script, embed))
    for path, script in book.scripts.items():
        if not path.startswith("examples/"):
            continue
        if path not in used:
            yield Problem(
                path,
                0,
                "no page shows this script",
                f"embed it, or start its pages: python -m verbatim new {book.project.recipe(path)}",
            )
            continue
        for cell in script.cells:
            if not cell.hidden and cell.name not in used[path]:
                hint = f"embed {path}#{cell.name}, or add `hidden=true`"
                yield Problem(path, cell.header_line, f"no page shows the cell `{cell.name}`", hint)


def check_twins(pages: list[Page]) -> Iterator[Problem]:
    """Each page stands in every language that the tree has pages in, with the same skeleton."""
    by_language = {lang: {p.name: p for p in pages if p.language == lang} for lang in LANGUAGES}
    used = [language for language in LANGUAGES if by_language[language]]
    for page in pages:
        for other in used:
            if page.name not in by_language[other]:
                yield Problem(page.path, 0, f"docs/{other}/{page.name} is missing", "write the page in both languages")
    first, *others = used or LANGUAGES
    for name, page in by_language[first].items():
        for other in others:
            if twin := by_language[other].get(name):
                for what, part in SKELETON.items():
                    yield from _same(what, page, twin, part(page), part(twin))


def _same(
    what: str, page: Page, twin: Page, here: list[tuple[str, int]], there: list[tuple[str, int]]
) -> Iterator[Problem]:
    ours, theirs = [k for k, _ in here], [k for k, _ in there]
    if ours == theirs:
        return
    missing = list((Counter(ours) - Counter(theirs)).elements())
    extra = list((Counter(theirs) - Counter(ours)).elements())
    line = next(
        (line for (key, line), other in zip(there, ours + [""] * len(there), strict=False) if key != other),
        there[-1][1] if there else 0,
    )
    message = f"{len(there)} {what} here, {len(here)} in {page.path}"
    parts = []
    if missing:
        parts.append("missing: " + ", ".join(f"`{m}`" for m in missing))
    if extra:
        parts.append("only here: " + ", ".join(f"`{e}`" for e in extra))
    if not parts:
        parts.append(f"in another order, first `{next(t for o, t in zip(ours, theirs, strict=True) if o != t)}`")
    yield Problem(twin.path, line, f"{message}; {'; '.join(parts)}", "both languages share one skeleton")


def check_front_matter(page: Page) -> Iterator[Problem]:
    """Each page says its title and a description, for search results and link previews; keywords are a list."""
    lines = page.text.splitlines()
    data: object = None
    if lines[:1] == ["---"] and "---" in lines[1:]:
        try:
            data = yaml.safe_load("\n".join(lines[1 : lines.index("---", 1)]))
        except yaml.YAMLError as error:
            mark = getattr(error, "problem_mark", None)
            yield Problem(
                page.path,
                mark.line + 2 if mark else 1,
                "the front matter is not YAML",
                "put texts with a colon in quotes",
            )
            return
    for key in ("title", "description"):
        if not isinstance(data, dict) or not data.get(key):
            yield Problem(page.path, 1, f"the front matter has no `{key}`", f"begin the page with ---, `{key}: …`, ---")
    words = data.get("keywords", []) if isinstance(data, dict) else []
    if not isinstance(words, list) or not all(isinstance(word, str) and word.strip() for word in words):
        line = next((i for i, text in enumerate(lines, 1) if text.startswith("keywords:")), 1)
        hint = "write keywords: [first phrase, second phrase]; quote what YAML takes for a number or a truth value"
        yield Problem(page.path, line, "`keywords` in the front matter is not a list of texts", hint)


def check_heading_ids(page: Page) -> Iterator[Problem]:
    """Each heading below the page's own has an id, once."""
    seen: dict[str, int] = {}
    for heading in page.headings:
        if heading.level > 1 and not heading.id:
            hint = "the same English id in both languages: ## … { #shares-storage }"
            yield Problem(page.path, heading.line, f"the heading `{heading.text}` has no id", hint)
        elif heading.id in seen and heading.id:
            yield Problem(
                page.path,
                heading.line,
                f"the id `{heading.id}` stands on line {seen[heading.id]}, too",
                "give each heading its own",
            )
        seen.setdefault(heading.id, heading.line)
    titles = [h for h in page.headings if h.level == 1]
    if len(titles) != 1:
        yield Problem(
            page.path,
            titles[1].line if titles else 1,
            f"{len(titles)} headings of level 1, where a page has one",
            "begin the text with `# Title`",
        )


def check_lists(page: Page) -> Iterator[Problem]:
    """Each list that a page asks for exists."""
    for found in listings(page.text):
        if found.name not in LISTS:
            yield Problem(page.path, found.line, f"there is no list `{found.name}`", did_you_mean(found.name, LISTS))


def check_annotations(book: Book, page: Page) -> Iterator[Problem]:
    """Each code annotation ``# (1)!`` has its text below the embed."""
    lines = page.text.splitlines()
    for embed in page.embeds:
        script = book.scripts.get(embed.script)
        numbers = sorted(n for cell in (shown(script, embed) if script else []) for n in cell.annotations)
        if not numbers:
            continue
        end = annotations_below(lines, embed.end)
        items = sum(bool(re.match(rf"^{embed.indent}\d+\.\s", line)) for line in lines[embed.end : end])
        if items != len(numbers):
            message = f"{embed.target} has {len(numbers)} annotations, {items} texts stand below it"
            yield Problem(page.path, embed.line, message, "write them as a numbered list right below the fence")


def check_captions(book: Book, page: Page) -> Iterator[Problem]:
    """Each figure has a caption, which is its alternative text."""
    for embed in page.embeds:
        result = book.results.get(embed.script)
        script = book.scripts.get(embed.script)
        if not result or not script or embed.caption:
            continue
        for cell in shown(script, embed):
            ran = result.cell(cell.name)
            if ran and any(o["output_type"] == "display_data" for o in ran.outputs):
                hint = "write one line below the embed: " + ("*图：……*" if page.language == "zh" else "*Figure: …*")
                yield Problem(page.path, embed.line, f"the figure of {embed.target} has no alternative text", hint)


def check_links(project: Project, pages: Iterable[Page]) -> Iterator[Problem]:
    """Each link within the site leads somewhere."""
    by_path = {page.path: page for page in pages}
    elsewhere = {(p.language, h.id): f"it stands in {p.path}" for p in by_path.values() for h in p.headings if h.id}
    for page in by_path.values():
        for line, target in page.links:
            if OUTSIDE.match(target):
                continue
            path, _, anchor = target.partition("#")
            if path.startswith("/"):
                yield Problem(
                    page.path,
                    line,
                    f"the link `{target}` breaks where the site lies in a sub-folder",
                    "write it relative to this page",
                )
                continue
            goal = posixpath.normpath(posixpath.join(posixpath.dirname(page.path), path)) if path else page.path
            if goal not in by_path:
                if not (project.root / goal).is_file():
                    names = [
                        posixpath.relpath(p, posixpath.dirname(page.path))
                        for p in by_path
                        if p.split("/")[1] == page.language
                    ]
                    yield Problem(page.path, line, f"the link `{target}` leads nowhere", did_you_mean(path, names))
                continue
            ids = [h.id for h in by_path[goal].headings]
            if anchor and anchor not in ids:
                yield Problem(
                    page.path,
                    line,
                    f"{goal} has no heading `#{anchor}`",
                    elsewhere.get((page.language, anchor)) or did_you_mean(anchor, filter(None, ids)),
                )


def check_topics(project: Project, pages: list[Page]) -> Iterator[Problem]:
    """Each topic of `topics.yml` has its section, once, in every language, in its own chapter."""
    path = project.root / "topics.yml"
    if not path.is_file():
        return
    text = path.read_text(encoding="utf-8")
    lines = {line.strip().removeprefix("- "): number for number, line in enumerate(text.splitlines(), 1)}
    places: dict[tuple[str, str], list[str]] = {}
    for page in pages:
        for heading in page.headings:
            places.setdefault((page.language, heading.id), []).append(f"{page.path}:{heading.line}")
    for chapter, topics in yaml.safe_load(text).items():
        for topic in topics:
            for language in LANGUAGES:
                found = places.get((language, topic), [])
                line = lines.get(topic, 0)
                if not found:
                    hint = f"write it: a heading with {{ #{topic} }} in docs/{language}/{chapter}/"
                    yield Problem("topics.yml", line, f"the topic `{topic}` has no section in `{language}`", hint)
                elif len(found) > 1:
                    hint = "links and searches lead to one place: rename the others"
                    yield Problem("topics.yml", line, f"the topic `{topic}` stands twice: {', '.join(found)}", hint)


def check_orphans(project: Project) -> Iterator[Problem]:
    """Each record has its script."""
    for path in records.orphans(project):
        yield Problem(
            project.relative(path),
            0,
            "the script of this record is gone",
            "remove it: python -m verbatim record",
        )
