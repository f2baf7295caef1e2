"""The list of messages."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tests.conftest import stand_in_version
from tests.lists.book import BUILT, NEW, OLD, PAGE, TEXTS, rendered
from verbatim import lists
from verbatim.book.gather import gather
from verbatim.lists import errors
from verbatim.lists.messages import LONGEST, whole
from verbatim.pages.page import load_pages


def test_every_error_warning_and_caught_message_is_listed_as_printed(sources):
    text = rendered(sources, "errors", "en")
    assert "- `RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)`" in text
    assert "- ``FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.``" in text
    assert "- `RuntimeError: shape '[3]' is invalid for input of size 2`" in text
    assert '## Topic <span class="count">3</span> { #in-topic }' in text
    assert text.index("- ``FutureWarning") < text.index("- `RuntimeError")


@pytest.mark.parametrize("name", ["errors", "names"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_list_says_how_long_it_and_each_group_is(sources, name, language):
    text = rendered(sources, name, language)
    items, groups = 0, {}
    for line in text.splitlines():
        if match := re.match(r'## \S+ <span class="count">(\d+)</span> \{ #', line):
            groups[line] = int(match[1])
            items = 0
        elif line.startswith("- "):
            items += 1
            assert items <= groups[list(groups)[-1]]
    assert groups and re.search(r'<p class="filter" [^>]*data-none="[^"]+">.*<b>(\d+)</b>', text)[1] == str(
        sum(line.startswith("- ") for line in text.splitlines())
    ) == str(sum(groups.values()))


def test_a_message_says_what_the_page_says_below_it(sources):
    assert "[Matrices \\[2, 3\\]](../topic/a.md#product): Transpose the second: `b.T`.\n" in rendered(
        sources, "errors", "en"
    )
    assert "[矩阵 \\[2, 3\\]](../topic/a.md#product)：把第二个转置，写成 `b.T`。\n" in rendered(sources, "errors", "zh")


def test_a_page_may_mark_the_remedy(sources, project, write):
    texts = {**TEXTS["en"], "before": "Use `torch.mm(a, b.T)`.\n{ .remedy }"}
    write("docs/en/topic/a.md", PAGE.format(**texts))
    pages, _ = load_pages(project)
    again = lists.gather(sources.book, pages, [])
    assert "(../topic/a.md#product): Use `torch.mm(a, b.T)`.\n" in rendered(again, "errors", "en")


def test_a_box_speaks_where_no_paragraph_does(sources, project, write):
    text = PAGE.format(**{**TEXTS["en"], "before": "", "after": '!!! erratum "E"\n    Rows meet\n    columns. More.'})
    write("docs/en/topic/a.md", text)
    pages, _ = load_pages(project)
    again = lists.gather(sources.book, pages, [])
    assert "(../topic/a.md#product): Rows meet columns.\n" in rendered(again, "errors", "en")


def test_the_list_of_errors_has_the_messages_of_all_releases(several):
    text = rendered(several, "errors", "en")
    said = "[Matrices \\[2, 3\\]](../topic/a.md#product): Transpose the second: `b.T`.\n"
    for message, release in ((OLD, "1.13.1"), (BUILT, "2.13.0"), (NEW, "2.15.0")):
        assert f"- `{message}` · torch {release}\n\n    {said}" in text
    assert (
        "- ``FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.`` · torch 2.13.0 and 2.15.0" in text
    )
    missing = "[The rest](../topic/a.md#rest): not in this version yet. It runs with torch 2.13.0 and 2.15.0.\n"
    assert f"- `AttributeError: no attribute 'ones'` · torch 1.13.1\n\n    {missing}" in text
    zh = rendered(several, "errors", "zh")
    assert "(../topic/a.md#rest)：这个版本还没有。能运行的是 torch 2.13.0、2.15.0。" in zh


def test_a_message_that_all_releases_print_is_of_none(several, project):
    same = "FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.\n"
    other = {"output_type": "stream", "name": "stderr", "text": same + "And more.\n"}
    for release in ("1.13.1", "2.15.0"):
        stand_in_version(project, release, {"topic/a": {"old-name": other}})
    again = lists.gather(gather(project), several.pages, [])
    (message,) = [one for one in errors.messages(again, "en") if one.name == "FutureWarning"]
    assert message.torch == ()


def test_what_several_pages_list_is_gathered_once(sources, monkeypatch):
    asked = []
    find = errors.messages_of
    monkeypatch.setattr(errors, "messages_of", lambda outputs: asked.append(1) or find(outputs))
    again = dataclasses.replace(sources, _cache={})
    first = errors.messages(again, "zh")
    count = len(asked)
    assert errors.messages(again, "zh") is first and len(asked) == count > 0
    errors.messages(again, "en")
    assert len(asked) == 2 * count


def test_a_long_message_is_cut_at_the_end_of_a_word():
    long = "RuntimeError: " + "word " * 40
    assert errors._brief(long).endswith("word …") and len(errors._brief(long)) <= errors.BRIEF + 2
    assert errors._brief("x" * 200) == "x" * errors.BRIEF + " …" and errors._brief("short") == "short"
    assert errors._brief("AssertionError: <class " + "x" * 200).endswith("xx …")


def test_ids_of_messages_differ_and_stay():
    keys = [("E", f"E: {n}") for n in range(600)]
    ids = errors._ids({key: [] for key in keys})
    assert len(set(ids.values())) == 600
    fewer = errors._ids({key: [] for key in keys[::2]})
    assert sum(ids[key] != fewer[key] for key in fewer) < 10


def test_a_message_is_kept_with_the_lines_below_it():
    warned = {
        "output_type": "stream",
        "name": "stderr",
        "text": "UserWarning: first\n  \n  more \nUserWarning: other\n",
    }
    assert whole("UserWarning", "UserWarning: first", [warned]) == "UserWarning: first\n  more"
    raised = {"output_type": "error", "ename": "E", "evalue": "", "traceback": ["RuntimeError: many\n  lines"]}
    assert whole("RuntimeError", "RuntimeError: many", [warned, raised]) == "RuntimeError: many\n  lines"
    printed = {"output_type": "stream", "name": "stdout", "text": "ValueError: said\nnot of it\n"}
    assert whole("ValueError", "ValueError: said", [printed]) == "ValueError: said"
    assert whole("KeyError", "'x'", []) == "KeyError: 'x'"
    assert len(whole("RuntimeError", "RuntimeError: " + "x" * 900, [])) == LONGEST
