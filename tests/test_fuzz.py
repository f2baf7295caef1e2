"""Files that nobody would write: each is told with its path, in bounded time and memory, and nothing crashes.

They are made at random from a fixed seed. What all have in common is that they are certainly wrong.
"""

from __future__ import annotations

import json
import os
import random
import re
import resource
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from verbatim.__main__ import main
from verbatim.problems import printable
from verbatim.site import settings_problems

MINIATURE = Path(__file__).parent / "miniature"
FILES = 500
#: Files that are wrong at once in one check.
AT_ONCE = 10
#: Seconds of processor time of one check, and bytes that all may add.
SECONDS = 60.0
MEMORY = 1 << 30

Made = tuple[str, bytes]
"""A path, and its content."""


@pytest.fixture(scope="module")
def book(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A book whose scripts have run."""
    root = tmp_path_factory.mktemp("fuzz") / "book"
    for name in ("examples", "outputs", "docs/en", "docs/zh"):
        shutil.copytree(MINIATURE / name, root / name)
    shutil.copytree(MINIATURE / "book", root / "book")
    (root / "mkdocs.yml").write_text("site_name: scratch\n")
    before = os.getcwd()
    os.chdir(root)
    main(["check"])
    yield root
    os.chdir(before)


# -- what is wrong ----------------------------------------------------------------------------------------


def noise(some: random.Random) -> bytes:
    return b"\xff" + some.randbytes(some.randrange(1, 3000)) + b"\xfe\n"


def encoded(some: random.Random) -> bytes:
    """Text in another encoding than UTF-8."""
    text = "".join(some.choices("ab \n#中é—", k=200)) + "é中\n"
    return text.encode(some.choice(["utf-16", "gbk", "utf-32", "latin-1"]), "replace") + b"\xe9\n"


def nested(some: random.Random) -> str:
    """YAML or JSON whose values are nested without end."""
    count = some.choice([100, 3000, 20_000, 60_000])
    return some.choice(["[", '{"a":', "- ", "{a: ", "? ", "[[],"]) * count


def deep_keys(some: random.Random) -> str:
    return "".join(f"{' ' * depth}a:\n" for depth in range(some.randrange(50, 300)))


def number(some: random.Random) -> str:
    count = some.choice([5000, 20_000])
    return some.choice(["9" * count, "-" + "9" * count, "0x" + "f" * count, "1:" * count + "1", "1." + "0" * count])


def no_yaml(some: random.Random) -> str:
    return some.choice(
        [
            "a: b: c",
            "a: 'b",
            "\ta: b",
            "a: [b",
            "a: }",
            "a: *nobody",
            "a: &a [*a, *a]",
            "a: &x 1\nb: *x",
            "a: !!python/object/apply:os.system [true]",
            "a: !!python/name:os.system",
            "a: !!binary x",
            "a: !nobody b",
            "a: \x00b",
            "%YAML 9.9\n--- a",
            "a: 'b\n---\nc",
            "<<: [a, b]\n&b c: *b",
            "a: 2026-99-99",
        ]
    )


def page(some: random.Random, name: str) -> Made:
    path = f"docs/{some.choice(['en', 'zh'])}/tensors/{name}.md"
    head = some.choice(
        [
            lambda: f"title: {nested(some)}",
            lambda: deep_keys(some),
            lambda: f"title: {number(some)}",
            lambda: f"keywords: [{number(some)}]",
            lambda: no_yaml(some),
        ]
    )
    mark = some.choice(["[", "![", "*", "_", "<a ", "`", "(", "{", "!", "&", "\\", "[a](", "[a][", "**a", "<!--"])
    many = mark * some.choice([2000, 20_000])
    content = some.choice(
        [
            lambda: noise(some),
            lambda: encoded(some),
            lambda: f"---\n{head()}\n---\n\n# Title\n".encode(),
            lambda: f"---\n{head()}\n---\n\n# Title\n".encode(),
            lambda: f"---\ntitle: T\ndescription: D.\n---\n\n# Title\n\n{many}\n".encode(),
            lambda: f"---\ntitle: T\n---\n\n# Title\n\n{'A word. ' * 40_000}\n".encode(),
        ]
    )
    return path, content()


def script(some: random.Random, name: str) -> Made:
    count = some.choice([5000, 60_000])
    code = some.choice(
        ["(" * count, "-" * count + "1", "a" + ".b" * count + "(", "'" + "x" * count, "if a:\n" * 200, "\0"]
    )
    coding = some.choice(["utf-7", "utf-16", "rot13", "zlib", "hex", "nobody", "unicode_escape", "idna"])
    header = some.choice(['raises="', "a b c", "A", "a raises=true", 'a needs="nobody"', "a " * count, "\x1b[31m"])
    content = some.choice(
        [
            lambda: b'"""T."""\n' + noise(some),
            lambda: encoded(some),
            lambda: f"# -*- coding: {coding} -*-\n".encode() + b'"""T."""\n# %% a\n\xff\n',
            lambda: f'"""T."""\n# %% a\n{code}\n'.encode(),
            lambda: f'"""T."""\n# %% {header}\nprint(1)\n'.encode(),
            lambda: b'"""T."""\n# %% a\n' + b"print(1)\n" * 40_000,
        ]
    )
    return f"examples/tensors/{name}.py", content()


def _json(some: random.Random, real: str) -> bytes:
    """A damaged file of JSON."""
    document = json.loads(real)
    key = some.choice(sorted(document))
    content = some.choice(
        [
            lambda: noise(some),
            lambda: encoded(some),
            lambda: nested(some).encode(),
            lambda: real[: some.randrange(1, len(real) - 2)].encode(),
            lambda: json.dumps({**document, key: some.choice([None, [], 1, "a", [[]], {"a": {}}])}).encode(),
            lambda: json.dumps({**document, key: 0}).replace(": 0", f": {number(some)}").encode(),
            lambda: some.choice([b"", b"null", b"[]", b"NaN", b'{"a": Infinity}', b'"\\ud800"', b"{}{}"]),
        ]
    )
    return content()


def record(some: random.Random, _: str) -> Made:
    path = f"outputs/cpu/{some.choice(['tensors/print', 'autograd/leaf'])}.ipynb"
    return path, _json(some, (MINIATURE / path).read_text())


def environment(some: random.Random, _: str) -> Made:
    path = some.choice(["outputs/cpu/environment.json", *_manifests()])
    return path, _json(some, (MINIATURE / path).read_text())


def _manifests() -> list[str]:
    return sorted(str(path.relative_to(MINIATURE)) for path in MINIATURE.glob("outputs/versions/*/manifest.json"))


def table(some: random.Random, _: str) -> Made:
    path = some.choice(["book/GLOSSARY.md", "book/THESAURUS.md", "requirements.txt", "book/STYLE.md"])
    return path, encoded(some) if some.random() < 0.5 else noise(some)


def book_map(some: random.Random, _: str) -> Made:
    path = some.choice(["book/topics.yml", "book/moved.yml", "mkdocs.yml"])
    if path == "mkdocs.yml":  # in which tags and aliases are allowed
        wrong = ["a: b: c", "a: 'b", "INHERIT: mkdocs.yml", "site_name: [a]", "plugins: 1", "nobody: 1", "docs_dir: 1"]
        content = some.choice([nested(some), some.choice(wrong), f"site_name: {number(some)}", "a: \x00b"])
        return path, content.encode() if some.random() < 0.8 else b"site_name: a\nsite_url: \xff\n"
    content = some.choice([nested(some), deep_keys(some), f"a:\n  {number(some)}:\n", no_yaml(some), "- a", "a: [[b]]"])
    return path, content.encode() if some.random() < 0.8 else noise(some)


def misplaced(some: random.Random, name: str) -> Made:
    """A file whose name nobody would give it."""
    odd = some.choice(
        ["{}\n::error::pwned", "{}\x1b[31m", "{}\u202e", "{} con", "{}\n::stop-commands::x", "A{}", "{}*", "{}\\n"]
    )
    tree, end = some.choice([("docs/en", "md"), ("docs/zh", "md"), ("examples", "py"), ("outputs/cpu", "ipynb")])
    return f"{tree}/tensors/{odd.format(name)}.{end}", b"x\n"


#: Kinds of files, and whether several of them may be wrong at once: what hides the others comes alone.
KINDS: dict[Callable[[random.Random, str], Made], bool] = {
    page: True,
    script: True,
    record: False,
    environment: False,
    table: False,
    book_map: False,
    misplaced: True,
}


def made() -> list[list[Made]]:
    """Return the wrong files, in the groups that are checked at once."""
    some = random.Random(60)
    groups: list[list[Made]] = []
    together = [kind for kind, several in KINDS.items() if several]
    alone = [kind for kind, several in KINDS.items() if not several]
    for _ in range(FILES // 5):
        groups.append([some.choice(alone)(some, "")])
    for number in range(FILES * 4 // 5 // AT_ONCE):
        groups.append([some.choice(together)(some, f"bad-{number}-{one}") for one in range(AT_ONCE)])
    return groups


# -- what is said -----------------------------------------------------------------------------------------


def used() -> float:
    found = os.times()
    return found.user + found.system + found.children_user + found.children_system


GROUPS = made()


def test_there_are_as_many_as_it_says():
    assert sum(map(len, GROUPS)) == FILES


@pytest.mark.parametrize("part", range(10))
def test_what_nobody_would_write_is_told_with_its_path(book, capsys, part):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10
    for group in GROUPS[part::10]:
        saved = {name: path.read_bytes() for name, _ in group if (path := book / name).is_file()}
        for name, content in group:
            (book / name).write_bytes(content)
        began = used()
        try:
            code = main(["check"])
            said = capsys.readouterr()
        finally:
            for name, _ in group:
                (book / name).unlink()
                if name in saved:
                    (book / name).write_bytes(saved[name])
        text = said.out + said.err
        assert (code, "Traceback" in text) == (1, False), group[0][0]
        assert used() - began < SECONDS, group[0][0]
        for name, content in group:
            assert re.search(rf"^{re.escape(printable(name))}(:\d+)?: ", text, re.MULTILINE), (
                name,
                content[:200],
                text[:2000],
            )
        assert not re.search(r"^\s*::|[\0-\x08\x0b-\x1f\x7f\u202e]", text, re.MULTILINE), group[0][0]
    assert (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss << 10) - before < MEMORY


def test_what_cannot_be_read_to_its_end_is_told(project, write):
    deep = project.root / "docs/en" / "/".join("d" * 30)
    deep.mkdir(parents=True)
    with write("outputs/cpu/large.ipynb", "").open("r+b") as file:
        file.truncate((64 << 20) + 1)  # it takes no room
    found = list(map(str, project.unreadable()))
    assert [one.partition(": ")[2].partition("\n")[0] for one in found] == [
        "more than 20 folders lie in one another here",
        "the file has 65536 KiB",
    ]
    write("mkdocs.yml", "INHERIT: mkdocs.yml\n")
    assert [str(one) for one in settings_problems.problems(project)]
