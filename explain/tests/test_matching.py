"""Messages of all recorded releases are recognised, altered as readers have them, as the search of the site does."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import playwright
import pytest
from verbatim.site.search import terms

from pytorch_verbatim import data, explaining

ROOT = Path(__file__).parents[2]
LANGUAGES = ("zh", "en")


def numbers(text: str) -> str:
    """Other sizes, counts and addresses. A key that is all that a message says stays as it is."""
    if re.fullmatch(r"KeyError: (?:tensor\()?\d+\)?", text):
        return text
    text = re.sub(r"0x[0-9a-f]+", "0x7f3c52ab1d90", text)
    return re.sub(
        r"(?<![\w.])\d+(?:x\d+)?(?![\w.])", lambda match: "37x512" if "x" in match[0] else f"{int(match[0]) + 41}", text
    )


def names(text: str) -> str:
    """Another reader's files, variables and modules. Names in backticks are PyTorch's, and `str` is Python's."""
    text = re.sub(r"(?<![\w.])(?:/[\w.@~-]+){2,}", "/mnt/data/user7/runs/train_v2.py", text)
    if data.matcher("en").rules.form(text):
        return text  # its names make the message
    return re.sub(r"(['\"])(?!str\b)[a-z_]\w*\1", r"\1encoder_7\1", text)


ALTERED = {"as it is": str, "with other numbers and names": lambda text: names(numbers(text))}


@pytest.fixture(scope="session")
def texts():
    book = data.book()
    return list(dict.fromkeys(book[number].text for number in range(len(book))))


def recognised(language: str, texts: list[str], *, pasted: bool = False, yours: bool = False) -> list:
    """Return what the site's search recognises: of each text the numbers of messages, best first.

    `yours`: what it says in the reader's own numbers instead.
    """
    book = data.book()
    matcher = book.matcher(language)
    given = {
        "data": {
            "rules": matcher.rules.given,
            "advice": json.loads(Path(data.FILE).read_text(encoding="utf-8"))["advice"],
            "templates": [
                [book[number].text, 0, number, "", "", about] for number, (_, about) in matcher.shown.items()
            ],
        },
        "texts": texts,
        "pasted": pasted,
        "language": language,
        "yours": yours,
    }
    node = Path(playwright.__file__).parent / "driver/node"
    done = subprocess.run(
        [node, Path(__file__).with_name("recognise.mjs"), terms.SCRIPT, ROOT / "docs/assets/search/messages.js"],
        input=json.dumps(given).encode(),
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return json.loads(done.stdout)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_package_and_the_site_recognise_the_same(texts, language):
    several = texts[:: {"en": 2, "zh": 4}[language]]  # the browser's script takes its time
    altered = list(dict.fromkeys([*several, *map(ALTERED["with other numbers and names"], several[::2])]))
    altered += [text[: len(text) // 2] for text in several[::8]] + [f"🔥 {text}" for text in several[::20]]
    altered += ["", "x", "StopIteration", "'" * 30_000, "a/" * 30_000, "1." * 30_000 + "a"]
    altered.append("🔥" * 19_999 + " RuntimeError: x")
    match = data.matcher(language).match
    theirs = recognised(language, altered)
    assert [text for text, found in zip(altered, theirs, strict=True) if match(text) != found] == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("how", ALTERED)
def test_nearly_all_messages_are_recognised_as_readers_have_them(texts, language, how):
    matcher = data.matcher(language)
    known = {one.text: one for one in matcher.known}
    rules = matcher.rules
    told = {text: max(about for n, about in matcher.shown.values() if matcher.known[n].text == text) for text in texts}
    wrong = []
    for text in texts:
        form = rules.form(text)
        if rules.plain(text, form) and not told[text]:
            continue  # of Python, and no page is about it
        trace = 'Traceback (most recent call last):\n  File "/x/site-packages/torch/x.py", line 3, in f\n    g()\n'
        found = explaining.explain(f"{trace}{ALTERED[how](text)}\n", language)
        same = found and (
            rules.form(found.message.text) == form if form else known[found.message.text][1:] == known[text][1:]
        )
        if not same:
            wrong.append((ALTERED[how](text)[:150], found and found.message.text[:100]))
    assert len(wrong) <= 0.02 * len(texts), wrong
