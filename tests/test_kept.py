"""Objects that are kept between builds by the texts that they were made of."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

import pytest

from verbatim import kept, store
from verbatim.book.gather import Options, gather
from verbatim.book.versions import Status
from verbatim.kept import FEW, Kept
from verbatim.pages.page import Page, load_pages


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return kept.file(tmp_path)


def ask(path: Path, *texts: str, maker: str = "engine") -> list[str]:
    """Ask for objects as a build does; return those that were made."""
    made: list[str] = []

    def make(text: str) -> Page:
        made.append(text)
        return Page("docs/zh/c/r.md", text)

    known = Kept(path, maker)
    for text in texts:
        assert known.get(f"page\0{text}", lambda text=text: make(text)).text == text
    known.keep()
    return made


def test_what_was_made_once_is_there_for_the_next_build(path):
    assert ask(path, "one", "two", "one") == ["one", "two"]
    assert ask(path, "two", "three") == ["three"]
    assert ask(path, "two", "three") == []


def test_what_nothing_asked_for_is_gone(path):
    ask(path, "one", "two")
    ask(path, "two")
    assert ask(path, "one", "two") == ["one"]


def test_all_who_ask_get_the_same_object():
    known = Kept()
    assert known.get("a", list) is known.get("a", list)
    assert known.get("a", list) is not known.get("b", list)


def test_the_file_is_written_anew_only_when_much_is_new(path):
    many = [str(number) for number in range(4 * FEW)]
    ask(path, *many)
    before = path.stat().st_mtime_ns, path.read_bytes()
    assert ask(path, *many[2:], "new") == ["new"]  # three of two hundred are others
    assert (path.stat().st_mtime_ns, path.read_bytes()) == before
    assert ask(path, *many[3:], "new", "newer") == ["new", "newer"]
    assert ask(path, *many[3:], "new", "newer") == []


def test_what_other_software_made_is_not_used(path):
    ask(path, "one")
    assert ask(path, "one", maker="newer engine") == ["one"]
    assert ask(path, "one", maker="newer engine") == []


def test_what_was_asked_of_an_object_is_kept_with_it(path):
    page = Page("docs/zh/c/r.md", "# Title { #id }\n\n[link](to.md)\n")
    known = Kept(path)
    assert known.get("a", lambda: page).headings[0].id == "id"
    known.keep()
    again = Kept(path).get("a", lambda: pytest.fail("made again"))
    assert again == page and vars(again)["headings"] == page.headings
    assert again.links == [(3, "to.md")]


def test_a_date_in_a_pages_front_matter_is_kept_too(path):
    page = Page("docs/zh/c/r.md", "---\nday: 2026-11-23\nhour: 2026-11-23T10:00:00+02:00\n---\n\n# Title\n")
    days = dict(page.meta)
    known = Kept(path)
    known.get("a", lambda: page)
    known.keep()
    assert vars(Kept(path).get("a", lambda: pytest.fail("made again")))["meta"] == days != {}


def test_an_error_keeps_nothing(path):
    known = Kept(path)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            known.get("a", lambda: 1 // 0)
    known.keep()
    assert not path.exists()


def test_a_damaged_file_costs_time_alone(path, caplog):
    ask(path, "one")
    path.write_bytes(path.read_bytes()[:-10])
    assert ask(path, "one") == ["one"]
    assert "kept.pickle was damaged" in caplog.text
    store.write_bytes(path, b"no pickle")
    assert ask(path, "one") == ["one"]
    store.write_bytes(path, pickle.dumps(["neither a maker nor objects"]))
    assert ask(path, "one") == ["one"]
    assert ask(path, "one") == []


class Runs:
    """What a pickle can do that may call anything."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self):
        return subprocess.run, (["touch", str(self.path)],)


@pytest.mark.parametrize("of", ["subprocess", "engine"])
def test_a_file_that_was_tampered_with_cannot_run_code(path, tmp_path, of):
    ran = tmp_path / "ran"
    forged = pickle.dumps(("engine", {"key": Runs(ran)}))
    if of == "engine":  # a function of the engine's is none of its data classes either
        forged = b"cverbatim.store\ncollect\n(cpathlib\nPosixPath\n(V/\ntRtR."
    store.write_bytes(path, forged)
    assert ask(path, "one") == ["one"]
    assert not ran.exists()


def test_enumerations_are_kept(path):
    known = Kept(path)
    assert known.get("a", lambda: (Status.DIFFERS,)) == (Status.DIFFERS,)
    known.keep()
    assert Kept(path).get("a", tuple)[0] is Status.DIFFERS


def test_a_book_is_read_as_it_was(project, write, path):
    write("examples/topic/a.py", '"""T."""\n\n# %% a\nprint(1)\n\n# %% b raises="ValueError"\nint("x")\n')
    write("docs/zh/topic/a.md", "---\ntitle: 甲\n---\n\n# 甲 { #a }\n\n```example\nexamples/topic/a.py\n```\n")

    def read() -> object:
        known = Kept(path)
        book = gather(project, options=Options(kept=known))
        pages, problems = load_pages(project, known)
        about = [(page, page.meta, page.headings, page.embeds, page.links) for page in pages]
        known.keep()
        return book.scripts, book.printed, book.problems, about, problems

    assert read() == read()
    found = Kept(path)._known.values()
    assert {type(one).__name__ for one in found} == {"Script", "tuple", "Page"}


def test_a_helper_that_changed_has_its_script_run_again(project, write, path):
    write("examples/topic/_helper.py", "SAYS = 1\n")
    write(
        "examples/topic/a.py",
        '"""T."""\n\n# %% a\nfrom pathlib import Path\nprint(Path(__file__).with_name("_helper.py").read_text())\n',
    )

    def printed() -> str:
        known = Kept(path)
        book = gather(project, options=Options(kept=known))
        known.keep()
        return book.printed["examples/topic/a.py"].cells[0].outputs[0]["text"]

    assert printed() == printed() == "SAYS = 1\n\n"
    write("examples/topic/_helper.py", "SAYS = 2\n")
    assert printed() == "SAYS = 2\n\n"
