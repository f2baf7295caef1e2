"""The store of values by what they were made from: what it gives back, what it refuses, what it drops."""

from __future__ import annotations

import contextlib
import os
import pickle
import sqlite3
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.waiting import PATIENCE
from verbatim import memo
from verbatim.book.gather import Options, gather
from verbatim.book.releases.model import Status
from verbatim.memo import Memo
from verbatim.pages.page import Page, load_pages


def ask(folder: Path, *texts: str, fresh: bool = False) -> list[str]:
    """Ask for values as a build does; return those that were made."""
    made: list[str] = []

    def make(text: str) -> Page:
        made.append(text)
        return Page("docs/zh/c/r.md", text)

    known = Memo(folder, fresh=fresh)
    for text in texts:
        assert known.get("page", text, lambda text=text: make(text)).text == text
    known.close()
    return made


@contextlib.contextmanager
def rows(folder: Path) -> Iterator[sqlite3.Connection]:
    """The stored values; what is changed in them is there afterwards."""
    with contextlib.closing(sqlite3.connect(folder / memo.NAME)) as database, database:
        yield database


def test_what_was_made_once_is_there_for_the_next_build(tmp_path):
    assert ask(tmp_path, "one", "two", "one") == ["one", "two"]
    assert ask(tmp_path, "two", "three") == ["three"]
    assert ask(tmp_path, "one", "two", "three") == []


def test_a_fresh_one_takes_nothing_and_stores_for_others(tmp_path):
    ask(tmp_path, "one")
    assert ask(tmp_path, "one", "two", fresh=True) == ["one", "two"]
    assert ask(tmp_path, "one", "two") == []


def test_all_who_ask_get_the_same_object():
    known = Memo()
    assert known.get("list", "a", list) is known.get("list", "a", list)
    assert known.get("list", "a", list) is not known.get("list", "b", list)
    assert known.get("list", "a", list) is not known.get("other", "a", list)


def test_enumerations_are_stored_too(tmp_path):
    known = Memo(tmp_path)
    known.get("status", "a", lambda: (Status.DIFFERS,))
    known.close()
    known = Memo(tmp_path)
    assert known.get("status", "a", tuple)[0] is Status.DIFFERS


def test_an_error_stores_nothing(tmp_path):
    known = Memo(tmp_path)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            known.get("number", "a", lambda: 1 // 0)
    known.close()
    with rows(tmp_path) as database:
        assert database.execute("SELECT count(*) FROM memo").fetchone() == (0,)


def test_what_is_wrong_with_a_text_is_found_once(tmp_path):
    looked: list[int] = []

    def look():
        looked.append(1)
        yield "wrong"

    for _ in range(2):
        known = Memo(tmp_path)
        assert known.check("text", "a", look) == ["wrong"]
        known.close()
    assert looked == [1]


def test_values_are_stored_as_they_are_and_no_object_is_shared(tmp_path):
    known = Memo(tmp_path)
    value = {"a": [b"\x00", "text", None, 1.5]}
    known.save("value", "a", value)
    assert known.load("value", "a") == value and known.load("value", "a") is not value
    assert known.load("value", "b") is None
    known.close()
    assert Memo(tmp_path).load("value", "a") == value


def test_a_stored_value_is_made_again_where_it_no_longer_holds(tmp_path):
    made = []

    def make() -> dict[str, int]:
        made.append(len(made))
        return {"number": made[-1]}

    with contextlib.closing(Memo(tmp_path)) as memo:
        assert memo.verified("x", "a", make) == memo.verified("x", "a", make) == {"number": 0}
        assert memo.verified("x", "a", make, holds=lambda value: value["number"] > 0) == {"number": 1}
        assert memo.verified("x", "a", make, holds=lambda value: value["number"] > 0) == {"number": 1}
        assert memo.verified("x", "b", make, lasts=lambda: False) == {"number": 2}
        assert memo.verified("x", "b", make) == {"number": 3}
        assert memo.verified("x", "b", make) is not memo.verified("x", "b", make)


def test_many_values_are_written_before_the_end(tmp_path, monkeypatch):
    monkeypatch.setattr(memo, "BUFFER_BYTES", 1000)
    known = Memo(tmp_path)
    for number in range(20):
        known.save("bytes", str(number), os.urandom(300))
    with rows(tmp_path) as database:
        assert database.execute("SELECT count(*) FROM memo").fetchone()[0] >= 15


def test_another_package_or_another_engine_makes_everything_anew(tmp_path, monkeypatch):
    ask(tmp_path, "one")
    installed = memo.packages()
    monkeypatch.setattr(memo, "packages", lambda: [*installed, "other-1.0.dist-info"])
    memo.engine.cache_clear()
    assert ask(tmp_path, "one") == ["one"]
    monkeypatch.undo()
    engine = tmp_path / "engine"
    engine.mkdir()
    monkeypatch.setattr(memo, "ENGINE", engine)
    found = []
    for text in ("", "#"):
        (engine / f"made{len(text)}.py").write_text(text)
        memo.engine.cache_clear()
        found.append(memo.engine())
    assert len(set(found)) == 2


@pytest.fixture(autouse=True)
def _forget():
    yield
    memo.engine.cache_clear()


@pytest.mark.parametrize("harm", ["value", "swapped", "cut", "junk", "folder"])
def test_damage_costs_time_alone(tmp_path, harm, caplog):
    ask(tmp_path, "one", "two")
    file = tmp_path / memo.NAME
    if harm == "value":
        with rows(tmp_path) as opened:
            opened.execute("UPDATE memo SET data = substr(data, 1, 20)")
    elif harm == "swapped":
        with rows(tmp_path) as opened:
            (one, other) = opened.execute("SELECT key, seal, data FROM memo").fetchall()
            for (key, *_), (_, seal, data) in ((one, other), (other, one)):
                opened.execute("UPDATE memo SET seal = ?, data = ? WHERE key = ?", (seal, data, key))
    elif harm == "cut":
        file.write_bytes(file.read_bytes()[:5000])
    elif harm == "junk":
        file.write_bytes(b"no database" * 1000)
    else:
        file.unlink()
        file.mkdir()
    assert ask(tmp_path, "one", "two") == ["one", "two"]
    if harm == "folder":
        assert ask(tmp_path, "one", "two") == ["one", "two"]
    else:
        assert "damaged" in caplog.text
        assert ask(tmp_path, "one", "two") == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_cannot_be_written_costs_time_alone(tmp_path):
    tmp_path.chmod(0o500)
    try:
        assert ask(tmp_path / "cache", "one") == ["one"]
    finally:
        tmp_path.chmod(0o700)


def test_a_full_disk_costs_time_alone(tmp_path):
    ask(tmp_path, "one")
    known = Memo(tmp_path)
    known._database.execute("PRAGMA max_page_count = 4")
    known.save("bytes", "a", os.urandom(100_000))
    known.close()
    assert ask(tmp_path, "one") == []


class Runs:
    """What a pickle can do that may call anything."""

    def __init__(self, path: Path):
        self.path = path

    def __reduce__(self):
        return subprocess.run, (["touch", str(self.path)],)


@pytest.mark.parametrize("of", ["subprocess", "engine", "shape"])
def test_a_forged_value_cannot_run_code(tmp_path, of):
    ran = tmp_path / "ran"
    ask(tmp_path, "one")
    forged = pickle.dumps(Runs(ran))
    if of == "engine":  # a function of the engine's is none of its data classes either
        forged = b"cverbatim.memo\nsoftware\n(cpathlib\nPosixPath\n(V/\ntRtR."
    elif of == "shape":
        forged = b"\x80\x05]q\x00."[:-1]
    with rows(tmp_path) as opened:
        (key,) = opened.execute("SELECT key FROM memo").fetchone()
        data = zlib.compress(forged)
        opened.execute("UPDATE memo SET data = ?, seal = ?", (data, memo._seal(key, data)))
    assert ask(tmp_path, "one") == ["one"]
    assert not ran.exists()


def test_what_nothing_has_asked_for_is_dropped(tmp_path, monkeypatch):
    ask(tmp_path, "one", "two")
    day = memo._today()
    monkeypatch.setattr(memo, "_today", lambda: day + memo.UNUSED_DAYS)
    assert ask(tmp_path, "one") == []  # it is used again
    monkeypatch.setattr(memo, "_today", lambda: day + memo.UNUSED_DAYS + 1)
    assert ask(tmp_path, "three") == ["three"]
    assert ask(tmp_path, "one", "two") == ["two"]


def test_two_processes_store_at_once(tmp_path):
    code = (
        "import sys\nfrom pathlib import Path\nfrom verbatim.memo import Memo\n"
        "known = Memo(Path(sys.argv[1]))\n"
        "for n in range(50):\n    known.save('n', sys.argv[2] + str(n), n); known.store()\nknown.close()\n"
    )
    root = Path(__file__).parents[1]
    started = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path), name], cwd=root) for name in "ab"]
    assert [process.wait(PATIENCE) for process in started] == [0, 0]
    known = Memo(tmp_path)
    assert [known.load("n", f"{name}{n}") for name in "ab" for n in (0, 49)] == [0, 49, 0, 49]


def test_a_store_that_another_program_holds_costs_time_alone_and_is_told(tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(memo, "WAIT_SECONDS", 0.05)
    Memo(tmp_path).close()
    with contextlib.closing(sqlite3.connect(tmp_path / memo.NAME, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        store = Memo(tmp_path)
        assert store.get("kind", "of", lambda: "made") == "made"
        store.close()
    assert "another program holds memo.sqlite" in caplog.text


def test_a_book_is_read_as_it_was(project, write, tmp_path):
    write("examples/topic/a.py", '"""T."""\n\n# %% a\nprint(1)\n\n# %% b raises="ValueError"\nint("x")\n')
    write("docs/zh/topic/a.md", "---\ntitle: 甲\n---\n\n# 甲 { #a }\n\n```example\nexamples/topic/a.py\n```\n")

    def read() -> object:
        known = Memo(tmp_path / "cache")
        book = gather(project, options=Options(memo=known))
        pages, problems = load_pages(project)
        about = [(page, page.meta, page.headings, page.embeds, page.links) for page in pages]
        known.close()
        return book.scripts, book.fresh_results, book.problems, about, problems

    assert read() == read()


def test_a_helper_that_changed_has_its_script_run_again(project, write, tmp_path):
    write("examples/topic/_helper.py", "SAYS = 1\n")
    write(
        "examples/topic/a.py",
        '"""T."""\n\n# %% a\nfrom pathlib import Path\nprint(Path(__file__).with_name("_helper.py").read_text())\n',
    )

    def printed() -> str:
        known = Memo(tmp_path / "cache")
        book = gather(project, options=Options(memo=known))
        known.close()
        return book.fresh_results["examples/topic/a.py"].cells[0].outputs[0]["text"]

    assert printed() == printed() == "SAYS = 1\n\n"
    write("examples/topic/_helper.py", "SAYS = 2\n")
    assert printed() == "SAYS = 2\n\n"


def test_a_digest_tells_values_apart():
    values = [("a", "b"), ("ab",), ("a", "b", ""), ("1",), (1,), (("a", "b"),), ("a\0b",), ("\ud800",), ()]
    assert len({memo.digest(*one) for one in values}) == len(values)


def _forge(folder: Path, data: bytes, day: object = 0) -> None:
    """Put something else in the place of each stored value, with a seal that fits."""
    with rows(folder) as database:
        for (key,) in database.execute("SELECT key FROM memo").fetchall():
            seal = memo._seal(key, data)
            database.execute("UPDATE memo SET seal = ?, data = ?, day = ? WHERE key = ?", (seal, data, day, key))
    database.close()


def test_a_value_that_unpacks_without_end_is_made_again(tmp_path, monkeypatch):
    ask(tmp_path, "one")
    monkeypatch.setattr(memo, "MOST_BYTES", 1 << 16)
    _forge(tmp_path, zlib.compress(bytes(1 << 24)))
    assert ask(tmp_path, "one") == ["one"]


def test_a_day_that_is_none_makes_a_value_anew(tmp_path):
    ask(tmp_path, "one")
    with rows(tmp_path) as database:
        (data,) = database.execute("SELECT data FROM memo").fetchone()
    database.close()
    _forge(tmp_path, data, day="tomorrow")
    assert ask(tmp_path, "one") == ["one"]


def test_a_value_of_another_shape_has_everything_made_again(tmp_path, caplog):
    ask(tmp_path, "one")
    _forge(tmp_path, zlib.compress(pickle.dumps(["a", "list"])))
    tries: list[str] = []

    def work(known: Memo) -> str:
        tries.append("")
        return known.get("page", "one", lambda: Page("docs/zh/c/r.md", "one")).text

    assert (memo.call(tmp_path, work), len(tries)) == ("one", 2)
    assert "everything is made again" in caplog.text and ask(tmp_path, "one") == []
    with pytest.raises(ZeroDivisionError):
        memo.call(tmp_path, lambda known: 1 // 0)
