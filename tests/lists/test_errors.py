"""The list of messages."""

from __future__ import annotations

import dataclasses
import json
import re

import pytest

from tests.conftest import stand_in_version
from tests.lists.book import BUILT, NEW, OLD, page, raised, rendered
from verbatim import lists
from verbatim.book.gather import gather
from verbatim.book.messages import MOST_CHARACTERS, template, whole
from verbatim.lists import approved, errors, home, manifest
from verbatim.site.downloads import assistants
from verbatim.site.search.messages import ordered, templates


def test_every_error_warning_and_caught_message_is_listed_as_printed(sources):
    text = rendered(sources, "errors", "en")
    assert "- `RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)`" in text
    assert "- ``FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.``" in text
    assert "- `RuntimeError: shape '[3]' is invalid for input of size 2`" in text
    assert '## Topic <span class="count">3</span> { #in-topic data-toc-label="Topic" }' in text
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
    assert groups and re.search(r'<p class="filter [^>]*data-none="[^"]+">.*<b>(\d+)</b>', text)[1] == str(
        sum(line.startswith("- ") for line in text.splitlines())
    ) == str(sum(groups.values()))


def test_a_message_says_what_the_page_says_below_it(sources):
    assert "[Matrices \\[2, 3\\]](../topic/a.md#product): Transpose the second: `b.T`.\n" in rendered(
        sources, "errors", "en"
    )
    assert "[矩阵 \\[2, 3\\]](../topic/a.md#product)：把第二个转置，写成 `b.T`。\n" in rendered(sources, "errors", "zh")


def test_the_list_of_errors_has_the_messages_of_all_releases(several):
    text = rendered(several, "errors", "en")
    said = "[Matrices \\[2, 3\\]](../topic/a.md#product): Transpose the second: `b.T`.\n"
    for message, release in ((OLD, "1.13.1"), (BUILT, "2.13.0"), (NEW, "2.15.0")):
        assert f"- `{message}` · torch {release}\n\n    {said}" in text
    assert (
        "- ``FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.`` · torch 2.13.0 and 2.15.0" in text
    )
    missing = "[The rest](../topic/a.md#rest): Use another release: it runs with torch 2.13.0 and 2.15.0.\n"
    assert f"- `AttributeError: no attribute 'ones'` · torch 1.13.1\n\n    {missing}" in text
    zh = rendered(several, "errors", "zh")
    assert "(../topic/a.md#rest)：换一个版本：torch 2.13.0、2.15.0 能运行。" in zh


def test_a_message_that_all_releases_print_is_of_none(several, project):
    same = "FutureWarning: `torch.ones` is deprecated in favor of `torch.zeros`.\n"
    other = {"output_type": "stream", "name": "stderr", "text": same + "And more.\n"}
    for release in ("1.13.1", "2.15.0"):
        stand_in_version(project, release, {"topic/a": {"old-name": other}})
    again = lists.gather(gather(project), several.pages, [])
    (message,) = [one for one in errors.messages(again, "en") if one.name == "FutureWarning"]
    assert message.torch == ()


def test_messages_that_read_alike_stand_in_one_line(split):
    """One is said to begin with a function's name; all are counted, and the line leads to the first."""
    text = rendered(split, "errors", "en")
    (line,) = (one for one in text.splitlines() if "mat1 and mat2" in one)
    assert re.fullmatch(
        rf"- \[`{re.escape(BUILT)}`\]\(errors/rest\.md#e\w+\) · also with `addmm:` · <b>2</b> messages", line
    )
    assert "也以 `addmm:` 开头 · <b>2</b> 条" in rendered(split, "errors", "zh")
    assert '<span class="count">6</span>' in text and "<b>6</b> messages" in text
    assert NEW in rendered(split, "errors/rest", "en")


def test_a_line_says_in_how_many_places_its_message_stands(split):
    (message, *_) = errors.groups(split, "en").values()
    other = dataclasses.replace(message[0].place, section=None)
    group = [message[0], dataclasses.replace(message[0], place=other), message[0]]
    key = (message[0].name, message[0].template)
    assert errors._line({key: group}, "x.md#e1", "en").endswith("](x.md#e1) · in 2 places")
    assert errors._line({key: group}, "x.md#e1", "zh").endswith(" · 在 2 节里")
    assert errors._line({key: message[:1]}, "x.md#e1", "en").endswith("](x.md#e1)")


def test_messages_alike_in_their_first_words_are_told_apart_by_what_they_say():
    def alike(*texts: str) -> list[list[str]]:
        keys = [(text.partition(":")[0], text) for text in texts]
        return [[text for _, text in some] for some in errors._alike({key: [] for key in keys})]

    long = "RuntimeError: " + "word " * 20
    assert alike(long + "a", "ValueError: x", long + "b") == [[long + "a", long + "b"], ["ValueError: x"]]
    assert alike("E: mm: no", "E: addmm: no", "E: no") == [["E: no", "E: mm: no", "E: addmm: no"]]
    assert alike("E: mm: no", "E: addmm: no") == [["E: mm: no"], ["E: addmm: no"]]  # no page says it without
    assert alike("E: Sizes: no", "E: no") == [["E: Sizes: no"], ["E: no"]]


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
    assert errors.brief(long).endswith("word …") and len(errors.brief(long)) <= errors.BRIEF_CHARACTERS + 2
    assert errors.brief("x" * 200) == "x" * errors.BRIEF_CHARACTERS + " …" and errors.brief("short") == "short"
    assert errors.brief("AssertionError: <class " + "x" * 200).endswith("xx …")


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
    assert len(whole("RuntimeError", "RuntimeError: " + "x" * 900, [])) == MOST_CHARACTERS


def test_messages_that_differ_in_numbers_alone_are_one():
    def made(text):
        return template(text.partition(":")[0], text)

    assert made("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)") == (
        "RuntimeError: mat1 and mat2 shapes cannot be multiplied (… and …)"
    )
    assert (
        made("E: got [2, 3] and [2, 3, 4] at 0x7f")
        == made("E: got [1] and [5, 6] at 0x80")
        == "E: got […] and […] at …"
    )
    assert made("OSError: /a/b.so: no") == made("OSError: C:\\x\\y.dll: no") == "OSError: …: no"
    assert made("AttributeError: 'A' has no attribute 'b'") != made("AttributeError: 'A' has no attribute 'c'")
    assert (
        made("RuntimeError: Error(s) in loading:\n\tMissing key\nmore")
        == "RuntimeError: Error(s) in loading: Missing key"
    )
    assert made("Float8 is not int8") == "Float8 is not int8"


def test_all_who_count_messages_count_the_same(several):
    count = len(errors.groups(several, "en"))
    assert count == len(errors.groups(several, "zh")) == len(manifest.build(several, {})["errors"])
    known = [*zip(ordered(several, "en"), templates(several, "en"), strict=True)]
    made = json.loads(assistants.known_errors(*zip(*known, strict=True), "2.13.0", "https://example.org/"))
    assert count == made["count"] == len(made["errors"])
    assert f"<b>{count}</b>" in rendered(several, "errors", "en")
    assert any(f") {count} " in line for line in home.render_doors(several, page(several, "docs/en/ways/names.md")))
    assert count == len({template for some in approved.made(several).values() for template in some})


def test_a_warning_that_only_other_releases_print_is_not_what_its_cell_is_about(several, project):
    warned = {"output_type": "stream", "name": "stderr", "text": "FutureWarning: `load` will change.\n"}
    also = "FutureWarning: `load` will change.\nRuntimeError: in other words\n"
    for_warning = {"output_type": "stream", "name": "stderr", "text": "FutureWarning: in other words\n"}
    found = {"time": warned, "product": also, "old-name": for_warning}
    stand_in_version(project, "1.13.1", {"topic/a": found})
    listed = {one.text: one for one in errors.messages(lists.gather(gather(project), several.pages, []), "en")}
    assert "FutureWarning: `load` will change." not in listed
    assert listed["RuntimeError: in other words"].remedy == "Transpose the second: `b.T`."
    assert listed["FutureWarning: in other words"].torch == ("1.13.1",)


def test_an_error_that_only_other_releases_raise_says_which_ones_run_the_cell(several):
    (one,) = [one for one in errors.messages(several, "en") if one.name == "AttributeError"]
    assert one.runs_with == ("2.13.0", "2.15.0")


def test_what_follows_in_another_release_from_what_it_lacks_is_not_listed(several, project):
    lacking = {"output_type": "error", "ename": "AssertionError", "evalue": "", "traceback": ["AssertionError"]}
    gone = raised("FileNotFoundError: [Errno 2] No such file: 'a'")
    stand_in_version(project, "1.13.1", {"topic/a": {"caught": lacking, "time": gone}})
    names = {one.name for one in errors.messages(lists.gather(gather(project), several.pages, []), "en")}
    assert not names & {"AssertionError", "FileNotFoundError"}
