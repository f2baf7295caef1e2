"""What a page advises about each message, and which cell proves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.conftest import stand_in_version
from tests.lists.book import raised
from verbatim import lists
from verbatim.book import records
from verbatim.book.gather import gather
from verbatim.lists import approved, errors
from verbatim.lists.instructions import instructs, sentences
from verbatim.pages.page import load_pages
from verbatim.project import Project

ROOT = Path(__file__).parents[2]

SCRIPT = '''
"""T."""

# %% first raises="IndexError"
import torch

raise IndexError("Target 7 is out of bounds.")

# %% second raises="ValueError"
raise ValueError("two shapes")

# %% right
labels = torch.tensor([1, 2]).clamp(max=1)

# %% several
for error in (TypeError("got a list"), KeyError("no name")):
    print(f"{type(error).__name__}: {error}")

# %% proved hidden=true
assert labels.max() == 1
'''
EMBED = "```example\nexamples/topic/a.py#{}\n```\n"


@pytest.fixture
def told(project, write):
    """Return the messages of a page with this text, ``[cell]`` for an embed: message → its remedy and its proof."""

    def told(en: str, zh: str = "") -> dict[str, tuple[str, str]]:
        write("examples/topic/a.py", SCRIPT)
        for language, text in (("en", en), ("zh", zh or en)):
            for cell in ("first", "second", "right", "several"):
                text = text.replace(f"[{cell}]", EMBED.format(cell))
            write(f"docs/{language}/topic/a.md", f"---\ntitle: T\n---\n\n# T\n\n{text}")
        sources = lists.gather(gather(project), load_pages(project)[0], [])
        told.sources = sources
        return {one.text: (one.remedy, one.proof) for one in errors.messages(sources, "en")}

    return told


FIRST, SECOND = "IndexError: Target 7 is out of bounds.", "ValueError: two shapes"


def test_a_remedy_follows_its_own_message(told):
    text = "[first]\nUse `clamp`.\n{ .remedy }\n\n[second]\nUse `cat`.\n{ .remedy }\n"
    assert {key: one for key, (one, _) in told(text).items()} == {FIRST: "Use `clamp`.", SECOND: "Use `cat`."}


def test_a_remedy_may_stand_above_the_only_message_of_a_section(told):
    assert told("Use `clamp`.\n{ .remedy }\n\n[first]\n")[FIRST][0] == "Use `clamp`."


def test_a_remedy_may_stand_behind_the_cell_that_shows_it(told):
    assert told("[first]\nIt ends at 1.\n\n[right]\nUse `clamp`.\n{ .remedy }\n")[FIRST] == (
        "Use `clamp`.",
        "topic/a#right",
    )


def test_a_message_has_not_the_remedy_of_another_one(told):
    assert told("[first]\nUse `clamp`.\n{ .remedy }\n\n[second]\nTwo shapes differ.\n")[SECOND] == ("", "")
    assert told(
        "## A {{ #a }}\n\n[first]\n\n## B {{ #b }}\n\nUse `clamp`.\n{{ .remedy }}\n".replace("{{", "{").replace(
            "}}", "}"
        )
    )[FIRST] == ("", "")


def test_without_a_mark_the_first_sentence_that_instructs_in_all_languages_is_one(told):
    assert told("[first]\nUse `clamp`. It cuts.\n", "[first]\n用 `clamp`。它会截断。\n")[FIRST][0] == "Use `clamp`."
    assert told("[first]\nUse `clamp`. It cuts.\n", "[first]\n它到此为止。\n")[FIRST][0] == ""


def test_what_is_handed_over_begins_with_what_to_do(told):
    assert told("[first]\nThe labels end at 1. Use `clamp`. Or count again:\n{ .remedy }\n")[FIRST][0] == (
        "Use `clamp`. Or count again."
    )
    assert told("[first]\nThe labels end at 1.\n{ .remedy }\n")[FIRST][0] == ""


def test_a_mark_may_name_the_message_that_it_is_for(told):
    found = told('[several]\nPass a tensor.\n{ .remedy of="a list" }\n\nWrite the name.\n{ .remedy of="no name" }\n')
    assert found["TypeError: got a list"][0] == "Pass a tensor."
    assert found["KeyError: 'no name'"][0] == "Write the name."


def test_the_next_cell_proves_a_remedy_whose_names_it_uses(told):
    assert told("[first]\nUse `clamp`.\n{ .remedy }\n\n[right]\n")[FIRST][1] == "topic/a#right"
    assert told("[first]\nUse `cat`.\n{ .remedy }\n\n[right]\n")[FIRST][1] == ""
    assert told("[first]\nUse `clamp`.\n{ .remedy }\n\n[second]\n")[FIRST][1] == "", "it raises"


def test_a_hidden_cell_behind_the_message_proves_its_remedy(told):
    found = told('[several]\nTake `labels.max()`.\n{ .remedy of="a list" }\n')
    assert found["TypeError: got a list"] == ("Take `labels.max()`.", "topic/a#proved")


def test_a_mark_may_name_the_proof_or_say_why_there_is_none(told):
    assert told("[first]\nUse `cat`.\n{ .remedy proof=proved }\n")[FIRST] == ("Use `cat`.", "topic/a#proved")
    told('[first]\nUse `cat`.\n{ .remedy unproved="no driver here" }\n')
    (places,) = approved.made(told.sources)["topic"].values()
    assert places == [{"at": "topic/a", "zh": "Use `cat`.", "en": "Use `cat`.", "unproved": "no driver here"}]


def test_what_is_approved_is_read_as_it_was_written(told, project):
    told('[first]\nUse "clamp": é.\n{ .remedy }\n\n[second]\n')
    now = approved.made(told.sources)
    (path,) = approved.write(project, now)
    assert path == project.outputs / "remedies" / "topic.yml"
    assert approved.read(project) == (now, []) and approved.write(project, now) == []
    assert '  en: "Use \\"clamp\\": é."\n  unproved: "no cell shows it applied"\n' in path.read_text(encoding="utf-8")
    assert '"ValueError: two shapes":\n- at: "topic/a"\n  remedy: "see the page"\n' in path.read_text(encoding="utf-8")


def test_the_remedies_of_some_pages_are_approved_alone(told, project):
    told("[first]\nUse `clamp`.\n{ .remedy }\n")
    before = approved.made(told.sources)
    approved.write(project, before)
    told("[second]\nUse `cat`.\n{ .remedy }\n")
    assert approved.write(project, approved.made(told.sources), lambda page: page == "topic/b") == []
    approved.write(project, approved.made(told.sources), lambda page: page == "topic/a")
    assert [*approved.read(project)[0]["topic"]] == [SECOND]
    approved.write(project, {})
    assert approved.read(project) == ({}, [])


@pytest.mark.parametrize("text", ["[", "a: b\n", "- a\n", "a:\n- b\n", "a:\n- at: x\n  zh: 3\n"])
def test_a_file_that_holds_something_else_is_told(project, write, text):
    write("outputs/remedies/topic.yml", text)
    found, (problem,) = approved.read(project)
    assert found == {} and str(problem).startswith("outputs/remedies/topic.yml:")


@pytest.mark.parametrize(
    "sentence",
    [
        "Write `x.float()`.",
        "Do not call it twice.",
        "If the labels begin at 1, subtract 1.",
        "To keep both, stack them.",
        "With more than one GPU, first move the model.",
        "[Install another build](a.md).",
        "Either pad the batch or sort it.",
        "**Convert** it.",
        "Number the classes from 0.",
    ],
)
def test_this_says_what_to_do(sentence):
    assert instructs(sentence, "en")


@pytest.mark.parametrize(
    "sentence",
    [
        "The labels begin at 1.",
        "`squeeze(1)` removes the dimension.",
        "If all are masked, the result is NaN.",
        "It copies.",
        "Loading puts each tensor on its device.",
        "Copying is slow.",
        "Number and types are checked by the schema.",
        "`use_cache=True` is the default.",
    ],
)
def test_this_only_explains(sentence):
    assert not instructs(sentence, "en")


def test_sentences_have_their_positions():
    text = "One, e.g. `a. b`. Two! 三。四"
    assert [text[position:].startswith(one) for position, one in sentences(text)] == [True] * len([*sentences(text)])
    assert [one for _, one in sentences("这是一。用 `b`。")] == ["这是一。", "用 `b`。"]


def test_what_the_book_tells_of_messages_is_approved():
    assert approved.folder(Project(ROOT)).is_dir(), "without the folder, nothing is compared"


def test_a_remedy_that_a_release_cannot_run_is_not_told_for_its_message(told, project):
    told("[first]\nUse `cat`.\n{ .remedy proof=proved }\n")
    book = told.sources.book
    environment = dict.fromkeys(("python", "numpy", "matplotlib"), "1") | {"torch": "2.13.0+cpu"}
    records.write_environment(project, environment)
    for path, script in book.scripts.items():
        records.write(project, script, book.fresh_results[path])
    gone = raised("RuntimeError: not here")
    stand_in_version(project, "1.13.1", {"topic/a": {"first": raised("IndexError: as of old"), "proved": gone}})
    stand_in_version(project, "2.6.0", {"topic/a": {"first": raised("IndexError: as of late")}})
    listed = errors.messages(lists.gather(gather(project), told.sources.pages, []), "en")
    remedies = {one.text: (one.remedy, one.proof) for one in listed}
    assert remedies["IndexError: as of late"] == ("Use `cat`.", "topic/a#proved") == remedies[FIRST]
    assert remedies["IndexError: as of old"] == ("", "")
