"""The zip of a language."""

from __future__ import annotations

import zipfile
from pathlib import Path

import pytest

from verbatim.languages import DEFAULT_LANGUAGES
from verbatim.site.downloads.offline import belonging, name, pack, relinked

URL = "https://a.example/book/"
FILES = {
    "index.html", "404.html", "robots.txt", "sitemap.xml", "sitemap.xml.gz", "feed.xml", "llms.txt", "llms-full.txt",
    "verbatim.json", "a/x/index.html", "a/x/x.py", "a/x.md", "assets/site.css", "assets/search/open.js",
    "assets/search/zh/index.js", "assets/search/en/index.js", "assets/cards/1.png", "pytorch-verbatim-en.zip",
    "en/index.html", "en/a/x/index.html", "en/feed.xml", "en/llms.txt", "en/a/x.md",
    "a/llms-full.txt", "en/a/llms-full.txt", "errors.json", "en/errors.json",
}  # fmt: skip


def test_a_zip_has_the_pages_of_its_language_and_what_they_need():
    shared = {"assets/site.css", "assets/search/open.js"}
    zh = {"index.html", "a/x/index.html", "a/x/x.py", "a/x.md", "assets/search/zh/index.js"}
    en = {"en/index.html", "en/a/x/index.html", "en/a/x.md", "assets/search/en/index.js"}
    assert set(belonging(FILES, "zh", DEFAULT_LANGUAGES)) == shared | zh
    assert set(belonging(FILES, "en", DEFAULT_LANGUAGES)) == shared | en


@pytest.mark.parametrize(
    ("link", "moved"),
    [
        ('href="../../b/"', "../../b/index.html"),
        ('href="../../b/#c"', "../../b/index.html#c"),
        ('href="../.."', "../../index.html"),
        ('href="./"', "index.html"),
        ('href="../../b/?h=1&amp;x#c"', "../../b/index.html?h=1&amp;x#c"),
        ('href="x.py"', "x.py"),
        ('src="../../assets/p.js?v=1"', "../../assets/p.js?v=1"),
        ('href="#here"', "#here"),
        ('href=""', ""),
        ('href="https://pytorch.org/"', "https://pytorch.org/"),
        ('href="mailto:a@b"', "mailto:a@b"),
        ('href="../../en/a/x/"', f"{URL}en/a/x/"),
        ('href="../../feed.xml"', f"{URL}feed.xml"),
        ('href="../../b%20c/"', "../../b%20c/index.html"),
    ],
)
def test_links_lead_to_files_of_the_zip_or_to_the_site(link, moved):
    files = {"index.html", "a/x/index.html", "a/x/x.py", "b/index.html", "b c/index.html", "assets/p.js"}
    before = f"<a class=x {link}>"
    after = before.replace(link.split('"')[1], moved, 1) if moved else before
    assert relinked(before, "a/x/index.html", files, URL) == after
    assert relinked("<code>href=&quot;../b/&quot;</code>", "a/x/index.html", files, URL).endswith("../b/&quot;</code>")


def test_a_zip_is_one_folder_begins_at_its_index_and_is_the_same_each_time(tmp_path: Path):
    for place in FILES:
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text(f'<a href="{"../" * place.count("/")}a/x/">{place}</a>')
    for language, start in (("zh", "a/x/index.html"), ("en", "en/index.html")):
        pack(tmp_path, language, DEFAULT_LANGUAGES, URL)
        first = (tmp_path / name(language)).read_bytes()
        with zipfile.ZipFile(tmp_path / name(language)) as zipped:
            folder = name(language).removesuffix(".zip")
            assert {one.split("/")[0] for one in zipped.namelist()} == {folder}
            assert start in zipped.read(f"{folder}/index.html").decode()
            assert zipped.testzip() is None
        pack(tmp_path, language, DEFAULT_LANGUAGES, URL)
        assert (tmp_path / name(language)).read_bytes() == first
