"""A text → what the book knows of the message in it, and the words in which that is told."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable
from typing import NamedTuple, Optional

from pytorch_verbatim import data, reading

LANGUAGES = ("zh", "en")
#: The variable that says in which language to explain; without it, the locale does.
LANGUAGE = "PYTORCH_VERBATIM_LANG"
#: How many other pages are named.
MOST_OTHERS = 2

WORDS = {
    "en": {
        "page": "The page says what to do.",
        "releases": "Printed by torch {torch}.",
        "quoted": "Quoted from PyTorch's source; no run of the book has printed it.",
        "here": "torch {torch}, which you have, words it so: {text}",
        "others": "See also:",
        "unknown": "No page of PyTorch Verbatim shows this message.",
        "like": "Nearest, and about another message:",
        "nothing": "There is no message in this text.",
        "and": ", ",
        "space": " ",
        "to": " to ",
        "missing": "This needs packages that are not installed: {command}",
        "no page": "There is no page {name}.",
        "none": "Nothing found. Try fewer words, a function's name, or the last line of an error.",
        "nearest": "Nothing fits well. These are the nearest sections.",
        "no message": "No page shows this message. These are only the nearest sections.",
        "printed": "Outputs and messages: printed by torch {torch}, Python {python}, where nothing else is said.",
    },
    "zh": {
        "page": "怎么办，见这一页。",
        "releases": "torch {torch} 会这样说。",
        "quoted": "引自 PyTorch 的源代码，本书没有运行到它。",
        "here": "你的 torch {torch} 这样说：{text}",
        "others": "另见：",
        "unknown": "《PyTorch 实录》没有哪一页有这条消息。",
        "like": "最接近的，但讲的是别的消息：",
        "nothing": "这段文字里没有报错或警告。",
        "and": "、",
        "space": "",
        "to": " 至 ",
        "missing": "还缺几个包：{command}",
        "no page": "没有 {name} 这一页。",
        "none": "没有找到。换一个更短的说法，或者只给报错的最后一行。",
        "nearest": "没有特别合适的，下面是最接近的小节。",
        "no message": "没有哪一页出现过这条报错。下面只是最接近的。",
        "printed": "没有特别说明的输出和消息，都由 torch {torch}、Python {python} 打印。",
    },
}


class Explanation(NamedTuple):
    """What the book knows of a message."""

    language: str
    number: int
    """That of the message in the book."""
    message: data.Message
    others: tuple[data.Message, ...]
    """Others that it may be, on other pages, best first."""
    yours: str = ""
    """What it says in the reader's own numbers and names; empty if it has none that are told."""
    here: str = ""
    """How the reader's own release of torch words it, if the book has that and it is another text."""
    torch: str = ""
    """The reader's release of torch; empty if it is not known."""

    @property
    def remedy(self) -> str:
        """What to do: one paragraph, with code in backticks; where the book has no such one, that the page says it."""
        return self.message.places[self.language].remedy or WORDS[self.language]["page"]

    @property
    def title(self) -> str:
        """The title of the page, then that of the section if it has another."""
        return _title(self.message, self.language)

    @property
    def address(self) -> str:
        """The address of the section."""
        return address(self.message, self.language)


def explain(text: str, language: Optional[str] = None, torch: Optional[str] = None) -> Optional[Explanation]:
    """Return what the book knows of the message in a text; the arguments are those of `pytorch_verbatim.explain`."""
    return explain_first(reading.messages(text), language, torch)


def explain_first(
    messages: Iterable[reading.Read], language: Optional[str] = None, torch: Optional[str] = None
) -> Optional[Explanation]:
    """Return what the book knows of the first of several messages that it knows."""
    language = language or preferred()
    known = data.book()
    for message, in_torch in messages:
        numbers = data.matcher(language).match(message, in_torch=in_torch)
        matched = [known[number] for number in numbers]
        if matched:
            torch = release(torch or imported())
            others: dict[str, data.Message] = {}
            for other in matched[1:]:
                others.setdefault(_page(other, language), other)
            others.pop(_page(matched[0], language), None)
            yours = known.advice(message, language)
            here = _worded(matched[0], torch) if torch else ""
            return Explanation(
                language, numbers[0], matched[0], tuple(others.values())[:MOST_OTHERS], yours, here, torch
            )
    return None


def unknown(text: str, language: str) -> str:
    """Return what is said of a text whose message no page shows, with the sections about the nearest ones."""
    words, book, messages = WORDS[language], data.book(), reading.messages(text)
    near: dict[str, data.Message] = {}
    for number in data.matcher(language).nearest(messages[0].text) if messages else ():
        near.setdefault(_page(book[number], language), book[number])
    told = [
        f"- {_title(message, language)}\n  {address(message, language)}"
        for message in [*near.values()][: 1 + MOST_OTHERS]
    ]
    return "\n".join([words["unknown"], *([words["like"], *told] if told else [])]) + "\n"


def _page(message: data.Message, language: str) -> str:
    return message.places[language].address.partition("#")[0]


def _title(message: data.Message, language: str) -> str:
    return " › ".join(message.places[language].titles.split("\n"))


def address(message: data.Message, language: str) -> str:
    """Return the address of the section that shows a message."""
    return f"{data.book().about['address']}{message.places[language].address}"


# -- the reader's torch ---------------------------------------------------------------------------


def imported() -> str:
    """Return the version of torch that is imported in this process, without importing it; empty if none is."""
    return str(getattr(sys.modules.get("torch"), "__version__", ""))


def release(version: str) -> str:
    """Return the release in a version: ``2.4.1+cu121`` → ``2.4.1``; empty if there is none."""
    match = re.match(r"\d{1,4}(?:\.\d{1,4}){1,3}", version[:100], re.ASCII)
    return match[0] if match else ""


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def _worded(message: data.Message, torch: str) -> str:
    """Return how a release words a message, if the same code prints another text there; empty if not, or not known."""
    releases = _around(torch)
    if not releases or not message.torch or set(releases) <= set(message.torch):
        return ""
    book = data.book()
    for other in (book[number] for number in range(len(book))):
        if other.cell == message.cell and other.text != message.text and set(releases) <= set(other.torch):
            return other.text.partition("\n")[0]
    return ""


def _around(torch: str) -> tuple[str, ...]:
    """Return the recorded release that this one is, or those just below and above it; nothing beyond the last ones."""
    recorded = data.book().about["releases"]
    if torch in recorded:
        return (torch,)
    below = [release for release in recorded if _number(release) < _number(torch)]
    above = recorded[len(below) :]
    return (below[-1], above[0]) if below and above else ()


# -- in words -------------------------------------------------------------------------------------


def preferred() -> str:
    """Return the reader's language: that of the variable `LANGUAGE`, else of the locale."""
    for name in (LANGUAGE, "LC_ALL", "LC_MESSAGES", "LANG"):
        if told := os.environ.get(name):
            return "zh" if told.lower().startswith("zh") else "en"
    if sys.platform == "win32":
        import locale

        return "zh" if str(locale.getlocale()[0]).lower().startswith(("zh", "chinese")) else "en"
    return "en"


def below(explanation: Explanation) -> str:
    """Return the two lines that stand below a traceback."""
    words = WORDS[explanation.language]
    here = f" · {words['here'].format(torch=explanation.torch, text=explanation.here)}" if explanation.here else ""
    yours = f"{explanation.yours}{words['space']}" if explanation.yours else ""
    return f"PyTorch Verbatim: {yours}{explanation.remedy}\n{explanation.address}{here}\n"


def whole(explanation: Explanation) -> str:
    """Return all that a terminal shows of a message: as the book prints it, the remedy, the page, the releases."""
    message, language, words = explanation.message, explanation.language, WORDS[explanation.language]
    parts = [message.text, explanation.yours, explanation.remedy, f"{explanation.title}\n{explanation.address}"]
    notes = [words["releases"].format(torch=_ranges(message.torch, words))] if message.torch else []
    notes += [words["quoted"]] if message.quoted else []
    notes += [words["here"].format(torch=explanation.torch, text=explanation.here)] if explanation.here else []
    parts += ["\n".join(notes)] if notes else []
    if explanation.others:
        also = [f"- {_title(other, language)}\n  {address(other, language)}" for other in explanation.others]
        parts.append("\n".join([words["others"], *also]))
    return "\n\n".join(filter(None, parts)) + "\n"


def _ranges(releases: tuple[str, ...], words: dict[str, str]) -> str:
    """Return releases in words, neighbours among the recorded ones as a range: ``1.13.1 to 2.4.1, 2.8.0``."""
    recorded = data.book().about["releases"]
    spans: list[list[str]] = []
    for release in releases:
        if spans and recorded.index(release) == recorded.index(spans[-1][-1]) + 1:
            spans[-1].append(release)
        else:
            spans.append([release])
    named = (some[0] if len(some) == 1 else f"{some[0]}{words['to']}{some[-1]}" for some in spans)
    return words["and"].join(named)
