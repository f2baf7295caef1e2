"""What readers are told to do about a message is an instruction, about it alone, and approved."""

from __future__ import annotations

import pytest

from tests.checks.recipe import EN, PAGES, ZH, on_pages, written
from verbatim.__main__ import main as run
from verbatim.lists import approved

SAID = "Give both the same shape.\n{ .remedy }"

MISTAKES = {
    "a remedy that explains": (EN, "Give both the same shape.", "Both have the same shape.", ":31: this remedy explains, and does not say what to do"),
    "a mark that one language has": (EN, SAID, "Give both the same shape.", ":1: the marks of remedies differ from those in docs/zh/topic/join.md"),
    "a mark that says something unknown": (EN, "{ .remedy }", "{ .remedy prof=joins }", ":31: the mark of a remedy says `prof`, which means nothing\n  hint: did you mean `proof`?"),
    "a mark that cannot be read": (EN, "{ .remedy }", "{ .remedy proof= }", ":32: the mark `{ .remedy proof= }` is not read"),
    "a proof that is no cell": (EN, "{ .remedy }", "{ .remedy proof=join }", ":31: there is no cell topic/join#join\n  hint: did you mean `joins`?"),
    "a proof that raises": (EN, "{ .remedy }", "{ .remedy proof=fails }", ":31: the cell topic/join#fails does not prove the remedy"),
    "a message that is not there": (EN, "{ .remedy }", '{ .remedy of="three" }', ":31: no message of the section has “three” in it"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


def test_a_mark_that_says_what_is_known(told):
    for more in ("proof=joins", 'unproved="no driver here"', 'of="two shapes"', 'of="two shapes" proof=joins'):
        assert (
            told(**{path: PAGES[path[5:7]].replace("{ .remedy }", f"{{ .remedy {more} }}") for path in (EN, ZH)})
            == "0 problems"
        )


def test_one_remedy_for_several_messages(told):
    found = told(**{"examples/topic/join.py": ("raise ValueError", 'print("TypeError: got a list")\nraise ValueError')})
    message = "docs/en/topic/join.md:31: one remedy for several messages: “got a …”; “two shapes …”"
    assert message in found and 'quote what those that it is for have in common: { .remedy of="…" }' in found


@pytest.fixture
def project(tmp_path, monkeypatch):
    made = written(tmp_path / "book")
    monkeypatch.chdir(made.root)
    assert run(["record"]) == 0
    return made


def test_a_changed_remedy_is_told_until_it_is_approved(project, capsys):
    assert run(["check"]) == 0, capsys.readouterr().err
    assert run(["remedies"]) == 0
    assert '+  en: "Give both the same shape."' in capsys.readouterr().out
    assert run(["check"]) == 0
    assert "1 remedies are proved by no cell: topic/join#join-columns" in capsys.readouterr().err
    page = project.root / EN
    page.write_text(page.read_text().replace("Give both the same shape.", "Give all the same shape."))
    assert run(["check"]) == 1
    said = capsys.readouterr().err
    assert f"{ZH}: what its messages lead to is not what was approved" in said
    assert "-     en: Give both the same shape." in said and "+     en: Give all the same shape." in said
    assert "-m verbatim remedies topic/join" in said
    assert run(["remedies", "topic/join"]) == 0 and run(["check"]) == 0


def test_remedies_of_a_page_that_is_gone_are_told(project, capsys):
    path = approved.folder(project) / "topic.yml"
    assert run(["remedies"]) == 0
    path.write_text(path.read_text().replace("topic/join#", "topic/gone#"))
    assert run(["check"]) == 1
    assert "outputs/remedies/topic.yml: there is no page topic/gone any more" in capsys.readouterr().err
