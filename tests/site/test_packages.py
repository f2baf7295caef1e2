"""A site serves its own packages: pages tell how, pip's list is right, and an incremental build makes the same files."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import subprocess
import zipfile
from html.parser import HTMLParser
from pathlib import Path

import pytest

from tests.site.test_incremental import Book
from verbatim.lists import package
from verbatim.project import Project

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def book(tmp_path_factory):
    """The miniature with the packages, the page that tells of them, and a message with a remedy, in a git checkout."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NO_MKDOCS_2_WARNING", "1")
        patch.setenv("VERBATIM_OFFLINE", "1")
        patch.setenv("SITE_URL", "https://book.example/deep/")
        made = Book(tmp_path_factory.mktemp("packages"))
        ignored = shutil.ignore_patterns("__pycache__", "*.json", "*.zip", "dist", "build", "tests")
        shutil.copytree(ROOT / "explain", made.root / "explain", ignore=ignored)
        (made.root / "explain/advice.yml").write_text("# Of messages that the miniature does not show.\n")
        (made.root / "book/topics.yml").write_text(
            (made.root / "book/topics.yml").read_text() + "\nways:\n  terminal:\n"
        )
        for language, sentence in (("zh", "照这样做。"), ("en", "Do this.")):
            there = made.root / f"docs/{language}/ways/terminal.md"
            there.parent.mkdir()
            text = (ROOT / f"docs/{language}/ways/terminal.md").read_text()
            there.write_text(text.replace("\nnav:", "\nchapter: W\nnav:", 1))
            leaf = made.root / f"docs/{language}/autograd/leaf.md"
            leaf.write_text(f"{leaf.read_text()}\n{sentence}\n{{ .remedy }}\n")
        for command in (("init", "-q"), ("add", "-A"), ("commit", "-qm", "x")):
            asked = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", *command)
            subprocess.run(asked, cwd=made.root, check=True)
        yield made


@pytest.fixture(scope="module")
def files(book):
    return book.build(clean=True).files


class Links(HTMLParser):
    def __init__(self, text: str):
        super().__init__()
        self.found: list[dict[str, str]] = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        if tag == "a":
            self.found.append(dict(attrs))


def test_the_list_has_each_wheel_with_its_hash_and_leads_to_the_page_in_both_languages(files):
    links = Links(files["pip/index.html"].decode()).found
    wheels = {one["href"].partition("#sha256=")[0]: one for one in links if ".whl" in one["href"]}
    assert {f"pip/{name}" for name in wheels} == {name for name in files if name.endswith(".whl")} and len(wheels) == 2
    for name, one in wheels.items():
        assert one["href"].endswith(f"#sha256={hashlib.sha256(files[f'pip/{name}']).hexdigest()}")
        assert one["data-requires-python"] == ">=3.9"
    assert [one["href"] for one in links if ".whl" not in one["href"]] == ["../ways/terminal/", "../en/ways/terminal/"]


def test_pages_say_what_pip_takes_from_the_site_and_a_remedy_leads_there(book, files):
    typed = package.commands(Project(book.root))[0]
    assert typed == "pip install --no-index --find-links https://book.example/deep/pip/ pytorch-verbatim"
    for folder in ("", "en/"):
        page = files[f"{folder}ways/terminal/index.html"].decode()
        assert f"{typed}\n</code>" in page and f"{typed} pytorch-verbatim-book\n" in page
        assert typed in files[f"{folder}llms.txt"].decode()
        leaf = files[f"{folder}autograd/leaf/index.html"].decode()
        (line,) = re.findall(r'<p class="verbatim-package"><a href="([^"]*)">', leaf)
        assert line == "../../ways/terminal/"
        assert not re.search(r"pip install (?!--no-index)[^<`]*pytorch-verbatim", page + leaf)


def test_the_zip_of_a_language_has_the_package_and_its_list(files):
    for language in ("zh", "en"):
        with zipfile.ZipFile(io.BytesIO(files[f"pytorch-verbatim-{language}.zip"])) as packed:
            found = {name.partition("/")[2] for name in packed.namelist()}
            listed = packed.read(f"pytorch-verbatim-{language}/pip/index.html").decode()
        (wheel,) = (name for name in found if name.endswith(".whl"))
        assert wheel.startswith("pip/pytorch_verbatim-") and "pip/index.html" in found
        assert Links(listed).found[2]["href"].startswith(wheel.removeprefix("pip/"))


@pytest.mark.parametrize("committed", [False, True])
def test_an_incremental_build_makes_the_wheels_of_a_clean_one(book, files, committed):
    path = f"docs/en/{'tensors/print' if committed else 'autograd/leaf'}.md"
    text = (book.root / path).read_text()
    (book.root / path).write_text(f"{text}\nOne more sentence.\n")
    if committed:
        asked = ("git", "-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qam", "y")
        subprocess.run(asked, cwd=book.root, check=True)
    made = book.build().files
    clean = book.build(clean=True).files
    assert made == clean
    changed = {name for name in clean if name.endswith(".whl") and clean[name] != files.get(name)}
    assert len(changed) == 2  # both say of which commit they are
