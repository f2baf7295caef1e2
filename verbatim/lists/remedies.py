"""What a page advises about each message that it shows, and the cell that proves it. Pure.

A remedy belongs to one message: it is the block that follows its output on the page, up to the next message of the
section, and that is marked::

    Number the classes from 0.
    { .remedy }

A marked block above the first message of a section belongs to that one. Without a mark it is the first sentence of the
first block between the output and the next cell, if that sentence says what to do. What is handed to readers begins
where the block begins to say what to do. A message without all of this has no remedy: its page has to be read.

A mark may say more::

    { .remedy proof=counted-from-zero }     the cell in which the remedy is applied and the message is gone
    { .remedy unproved="no driver here" }   why no cell can show that
    { .remedy of="must match|same size" }   which messages of the section it is for

The last one is for several messages that one cell prints, and for several cells that show the same mistake.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from verbatim.book.messages import messages_of
from verbatim.lists.instructions import instructs, sentences
from verbatim.lists.places import Place, Sources, join, once, section_at, section_end
from verbatim.markdown import REMEDY_MARK, prose
from verbatim.pages import other_releases
from verbatim.pages.page import Page
from verbatim.project import Project
from verbatim.run.script import Cell, Script
from verbatim.words import COMMON

#: What a mark may say.
MARK_KEYS = ("proof", "unproved", "of")
_MARK_ENTRY = re.compile(r"(?P<key>[a-z]+)=(?:\"(?P<text>[^\"]*)\"|(?P<word>\S+))")
#: What is no block of its own: headings, captions, tables, heads of boxes.
_OTHER_BLOCK = re.compile(r"\s*(?:#|\*(?:Figure|图)|<|\||!!!|\?\?\?|===)")
#: Names in a remedy's code, or in a cell's.
_CODE_NAME = re.compile(r"[A-Za-z_]\w{2,}")
#: Code in a remedy, and in code what is called, passed or read: ``clamp(``, ``max=``, ``.values``.
_CODE_SPAN = re.compile(r"`+([^`]+)`+")
_CODE_USE = re.compile(r"[A-Za-z_]\w+\(|[A-Za-z_]\w+=(?!=)|(?<=\w)\.[a-z_]\w{2,}(?!\w|\()")
#: What is typed into a terminal, where no cell is.
_TERMINAL_COMMAND = re.compile(
    r"(?:%?pip|python -m pip|python3? \S+\.py|apt|conda|df|docker|export|git|ip addr|ldd|nvidia-smi|torchrun|ulimit)\b"
    r"|--[a-z]|[A-Z_]+=\S+ python"
)
#: What a machine is needed for that the book is not made on.
_MACHINE_NEED = re.compile(r"cuda|mps|xpu|windows|no-driver|old-driver")
#: Names that tell nothing.
_COMMON_NAMES = frozenset(
    {"torch", "Tensor", "tensor", "print", "import", "from", "None", "True", "False", "self", "with"}
)


@dataclass(frozen=True)
class Block:
    """Some lines of prose that belong together."""

    line: int
    """Of its first line, 1-based."""
    text: str
    """In one line, without its mark."""
    mark: Mapping[str, str] | None = None
    """What its mark says; ``None`` without one."""


@dataclass(frozen=True)
class Remedy:
    """What a page advises about the messages of one cell."""

    block: Block
    text: str
    """What is handed to readers, as Markdown; empty if the block does not say what to do."""
    proof: str = ""
    """The cell that applies it and prints the message no more: ``losses/nll#counted-from-zero``."""
    reason: str = ""
    """Why there is no such cell, if a page says so or the machine cannot run the cell."""


@functools.lru_cache(maxsize=4096)  # four checks of a build ask for those of all pages
def blocks(page: Page) -> tuple[Block, ...]:
    """Return a page's blocks of prose, those in boxes and items of lists included."""
    blocks_found: list[Block] = []
    current: list[tuple[int, str]] = []

    def end() -> None:
        if current and not _OTHER_BLOCK.match(current[0][1]):
            text = re.sub(r"^(?:[-*]|\d+\.) +", "", join(line.strip() for _, line in current))
            match = REMEDY_MARK.search(text)
            mark = (
                {m["key"]: m["text"] or m["word"] or "" for m in _MARK_ENTRY.finditer(match["more"])} if match else None
            )
            blocks_found.append(Block(current[0][0], REMEDY_MARK.sub("", text), mark))
        current.clear()

    last = 0
    for number, line in prose(page.text):
        item = re.match(r"\s*(?:[-*]|\d+\.) +", line)
        if not line.strip() or item or number != last + 1:
            end()
        if line.strip():
            current.append((number, line))
        last = number
    end()
    return tuple(blocks_found)


#: Page and cell, ``losses/nll.md losses/nll#too-large`` → language → its remedies, in the order of the page.
Found = dict[tuple[str, str], dict[str, list[Remedy]]]


@once
def remedies(sources: Sources, language: str) -> dict[tuple[str, str], list[Remedy]]:
    """Return the remedies of a language's pages, by page and by the cell whose messages they are about."""
    return {key: by[language] for key, by in _all(sources).items() if language in by}


@once
def _all(sources: Sources) -> Found:
    by_cell: Found = {}
    twins: dict[str, dict[str, Page]] = {}
    for page in sources.pages:
        twins.setdefault(page.name, {})[page.language] = page
    for name, pages in twins.items():
        for cell, by in _of_page(sources, pages).items():
            by_cell[name, cell] = by
    return by_cell


def _of_page(sources: Sources, pages: Mapping[str, Page]) -> dict[str, dict[str, list[Remedy]]]:
    """Return the remedies of a page: cell → language → remedies."""
    chosen: dict[str, dict[str, list[tuple[Block, bool]]]] = {}
    places: dict[str, dict[str, Place]] = {}
    for language, page in pages.items():
        here = sources.places_on(page)
        if not any(own(sources, place) or others(sources, place) for place in here):
            continue
        places[language] = {place.target: place for place in here}
        for target, some in _chosen(sources, page, here).items():
            chosen.setdefault(target, {})[language] = some
    made: dict[str, dict[str, list[Remedy]]] = {}
    for target, by in chosen.items():
        if len({len(some) for some in by.values()}) > 1 or by.keys() != places.keys():
            by = {language: [candidate for candidate in some if candidate[1]] for language, some in by.items()}
        for number in range(max(map(len, by.values()), default=0)):
            twin = {language: some[number] for language, some in by.items() if number < len(some)}
            texts = _handed({language: block for language, (block, _) in twin.items()})
            marked = any(mark for _, mark in twin.values())
            if not marked and (len(twin) < len(places) or not all(texts.values())):
                continue  # by chance one language's sentence looks like an instruction
            for language, (block, _) in twin.items():
                remedy = Remedy(block, texts[language])
                made.setdefault(target, {}).setdefault(language, []).append(
                    _proved(sources, places[language][target], remedy)
                )
    return made


def own(sources: Sources, place: Place) -> list[tuple[str, str]]:
    """Return the messages, class and first line, that a page shows below a cell as of the release that it names."""
    if quoted := sources.quoted(place):
        return [(quoted.partition(":")[0], quoted)]
    return messages_of(sources.outputs(place))


def _said(sources: Sources, place: Place) -> list[tuple[str, str]]:
    return own(sources, place) or others(sources, place)


def is_for(block: Block, message: str) -> bool:
    """Whether a marked block is about a message, by what its mark quotes."""
    return any(part in message for part in (block.mark or {}).get("of", "").split("|"))


def others(sources: Sources, place: Place) -> list[tuple[str, str]]:
    """Return the messages that other releases, or other Pythons, print there."""
    book, path, cell = sources.book, place.script.path, place.cell.name
    ranges = [*other_releases.others(book.ranges(path, cell)), *other_releases.others(book.pythons(path, cell))]
    return [message for recorded in ranges for message in messages_of(recorded.outputs)]


def _chosen(sources: Sources, page: Page, places: Sequence[Place]) -> dict[str, list[tuple[Block, bool]]]:
    """Return the blocks that speak of each cell's messages, and whether they are marked."""
    here = blocks(page)
    telling = [place for place in places if own(sources, place)]
    more = [place for place in places if place not in telling and others(sources, place)]
    by_target: dict[str, list[tuple[Block, bool]]] = {}
    for block in here:
        if block.mark is None:
            continue
        heading = section_at(page, block.line)
        start, end = heading.line if heading else 0, section_end(page, block.line)
        for some in (telling, more):
            inside = [place for place in some if start < place.embed.line <= end]
            above = [place for place in inside if place.embed.line < block.line]
            if "of" in block.mark:
                meant = [place for place in inside if any(is_for(block, text) for _, text in _said(sources, place))]
                for place in meant:
                    by_target.setdefault(place.target, []).append((block, True))
                if meant:
                    break
                continue
            line = above[-1].embed.line if above else inside[0].embed.line if inside else 0
            for place in inside:
                if place.embed.line == line:
                    by_target.setdefault(place.target, []).append((block, True))
            if inside:
                break
    for place in telling:
        if place.target not in by_target:
            line = place.embed.end
            end = min(
                [embed_after.line for embed_after in page.embeds if embed_after.line > line]
                + [section_end(page, line) + 1]
            )
            below = (block for block in here if line < block.line < end and block.mark is None)
            for block in below:
                first = next(iter(sentences(block.text)), (0, ""))[1]
                if instructs(first, page.language):
                    by_target[place.target] = [(replace(block, text=first), False)]
                    break
    return by_target


def _handed(twin: Mapping[str, Block]) -> dict[str, str]:
    """Return of a block in several languages what is handed to readers: from the first sentence that says what to do.

    English decides, where the others have as many sentences: its instructions are the ones that are known.
    """
    cut = {language: [*sentences(block.text)] for language, block in twin.items()}
    first: dict[str, int] = {}
    for language, some in sorted(cut.items(), key=lambda item: item[0] != "en"):
        number = next((n for n, (_, text) in enumerate(some) if instructs(text, language)), -1)
        if language != "en" and "en" in first and len(some) == len(cut["en"]) and first["en"] >= 0:
            number = first["en"]
        first[language] = number
    texts = {}
    for language, number in first.items():
        text = twin[language].text[cut[language][number][0] :] if number >= 0 else ""
        texts[language] = re.sub(r"[：:]$", COMMON[language]["stop"], text)
    return texts


# -- proofs ---------------------------------------------------------------------------------------


def _proved(sources: Sources, place: Place, remedy: Remedy) -> Remedy:
    """Return a remedy with the cell that proves it, or with the reason why there is none."""
    mark = remedy.block.mark or {}
    if "proof" in mark:
        recipe = Project.recipe(place.script.path)
        return replace(remedy, proof=mark["proof"] if "#" in mark["proof"] else f"{recipe}#{mark['proof']}")
    if "unproved" in mark:
        return replace(remedy, reason=mark["unproved"])
    for script, cell, near in _candidates(sources, place, remedy.block.line):
        fits = _names if near else _calls
        if applies(sources, place, script, cell) and fits(remedy.text, cell):
            return replace(remedy, proof=f"{Project.recipe(script.path)}#{cell.name}")
    if any(_TERMINAL_COMMAND.match(code) for code in _CODE_SPAN.findall(remedy.text)):
        return replace(remedy, reason="a command of the shell")
    return replace(remedy, reason=f"needs {place.cell.needs}" if _MACHINE_NEED.match(place.cell.needs) else "")


def _candidates(sources: Sources, place: Place, line: int) -> Iterator[tuple[Script, Cell, bool]]:
    """Yield the cells that may prove a remedy on a line, and whether they stand beside it.

    They are those that follow in the section, those between the message and the remedy, and of the hidden ones that
    follow the message's cell in its script those up to the next one that raises, and those that are called remedies.
    """
    page, end = place.page, section_end(place.page, place.embed.line)
    shown = [
        shown_place
        for shown_place in sources.places_on(page)
        if shown_place.script is place.script and shown_place.embed.line <= end
    ]
    below = [shown_place for shown_place in shown if shown_place.embed.line > line]
    beside = [*below[:1], *(shown_place for shown_place in shown if place.embed.line < shown_place.embed.line < line)]
    yield from ((shown_place.script, shown_place.cell, True) for shown_place in beside)
    yield from ((shown_place.script, shown_place.cell, False) for shown_place in below[1:])
    cells = place.script.cells
    following = cells[cells.index(place.cell) + 1 :]
    before_next = itertools.takewhile(lambda cell: not (cell.raises or cell.says), following)
    named = (cell for cell in following if "remed" in cell.name or "cure" in cell.name)
    yield from ((place.script, cell, False) for cell in (*before_next, *named) if cell.hidden)


def proving_cell(proof: str) -> tuple[str, str]:
    """Return the script's path and the name of the cell that a proof names: ``losses/nll#counted-from-zero``."""
    recipe, _, name = proof.partition("#")
    return f"examples/{recipe}.py", name


def applies(sources: Sources, place: Place, script: Script, cell: Cell) -> bool:
    """Whether a cell ran, raises nothing, and prints none of the messages that another one prints."""
    shown_cell = sources.book.find(script.path, cell.name)
    if not shown_cell or cell.raises or cell.says or cell == place.cell:
        return False
    _, _, ran = shown_cell
    recorded = sources.book.recorded(script.path, cell.name)
    outputs = ran.outputs if not ran.skipped else recorded[1].outputs if recorded else None
    return outputs is not None and not {*messages_of(outputs)} & {*own(sources, place)}


def _names(text: str, cell: Cell) -> bool:
    """Whether a cell uses a name that a remedy writes as code, if it writes any."""
    told = {name for code in _CODE_SPAN.findall(text) for name in _CODE_NAME.findall(code)} - _COMMON_NAMES
    return not told or bool(told & {*_CODE_NAME.findall(cell.source)})


def _calls(text: str, cell: Cell) -> bool:
    """Whether a cell calls a function, passes an argument or reads an attribute that a remedy writes as code."""
    return bool(
        {use for code in _CODE_SPAN.findall(text) for use in _CODE_USE.findall(code)}
        & {*_CODE_USE.findall(cell.source)}
    )
