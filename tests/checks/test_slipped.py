"""Mistakes that no output shows: links to the own site, records of another torch, the network."""

from __future__ import annotations

import dataclasses

import pytest

from tests.checks.recipe import EN, PAGES, PY, WHOLE, ZH
from verbatim.checks import links, outputs, prose
from verbatim.pages.page import Page, load_pages


def test_a_link_to_the_own_site_by_address(sound, project, write):
    write("mkdocs.yml", 'site_name: a\nsite_url: !ENV [SITE_URL, "https://a.example/book/"]\n')
    text = PAGES["en"].replace(WHOLE, "See [it](https://a.example/book/x/) and [that](https://a.example/else/).", 1)
    (page,) = [page for page in load_pages(sound.project)[0] if page.path == EN]
    told = [str(one) for one in links.check_links(project, [(page, Page(EN, text).links)])]
    assert "the link `https://a.example/book/x/` leads to this site by its address" in told[0]
    assert "else" not in "".join(told)


def test_a_link_to_the_page_itself_but_not_to_its_sections(told):
    itself = "leads to this page itself"
    assert itself in told(**{EN: PAGES["en"].replace(WHOLE, "See [it](join.md).", 1)})
    for target in ("#join-columns", "join.md#join-columns"):
        assert itself not in told(**{EN: PAGES["en"].replace(WHOLE, f"See [it]({target}).", 1)})


def test_records_of_another_torch_than_is_pinned(sound, project, write):
    write("requirements.txt", "numpy==2.0\ntorch==2.13.0  # what everything is about\n")
    for approved, told in (
        ({"torch": "2.13.0+cpu", "numpy": "2.0", "python": "3.11"}, 0),
        ({"torch": "2.12.0+cpu", "numpy": "2.0"}, 1),
        ({"torch": "2.12.0", "numpy": "2.1"}, 2),
    ):
        other = dataclasses.replace(sound, project=project, recorded_environment=approved)
        found = list(links.check_built(other))
        assert len(found) == told and all("once no script fails" in problem.hint for problem in found)


def test_a_progress_bar(told):
    said = told(**{PY: ("# %% joins", '# %% bar\nprint("0/3\\r1/3\\r2/3")\n\n# %% joins')})
    assert "cell `bar` prints a progress bar" in said and "progress=False" in said
    assert outputs.RETURN == "␍"


@pytest.mark.parametrize(
    ("code", "asks"),
    [
        ('urllib.request.urlopen("http://example.org")', True),
        ('requests.get("https://example.org/a.csv")', True),
        ('ADDRESS = "https://example.org/a.csv"\nrequests.get(ADDRESS)', True),
        ('ADDRESS = "http://localhost:8000"\nrequests.get(ADDRESS)', False),
        ('ADDRESS = "https://example.org/a.csv"\nprint(ADDRESS)', False),
        ('torchvision.datasets.MNIST("data", download=True)', True),
        ('urllib.request.urlopen("http://127.0.0.1:8000/")', False),
        ('torch.hub.load_state_dict_from_url("file:///a.pt")', False),
        ('known.get("https://example.org")', False),
    ],
)
def test_a_script_that_asks_the_network(sound, code, asks):
    (script,) = sound.scripts.values()
    cells = (dataclasses.replace(script.cells[0], source=f"x = 1\n{code}\n"), *script.cells[1:])
    changed = dataclasses.replace(sound, scripts={script.path: dataclasses.replace(script, cells=cells)})
    told = [str(one) for one in outputs.check_network(changed)]
    assert bool(told) == asks
    line = 5 + code.count("\n")
    assert not asks or told[0].startswith(f"{PY}:{line}: cell `setup` asks the network")


def test_errors_that_are_swallowed_are_told(project, write):
    write("examples/a/b.py", '"""T."""\n\n# %% a\ntry:\n    1 / 0\nexcept Exception:\n    pass\n')
    (problem,) = prose.formatting(project)
    assert str(problem).startswith("examples/a/b.py:6: any error is caught here, and nobody hears of it")
    write("examples/a/b.py", '"""T."""\n\n# %% a\ntry:\n    1 / 0\nexcept ZeroDivisionError:\n    pass\n')
    assert list(prose.formatting(project)) == []


def test_a_size_that_is_not_printed(told):
    def said(size: str) -> str:
        return told(**{EN: PAGES["en"].replace(WHOLE, f"The result is `torch.Size([{size}])`.", 1)})

    assert "`torch.Size([3, 3])` stands neither in the code nor in the outputs" in said("3, 3")
    assert "torch.Size" not in said("4, 3")


def test_a_row_of_the_glossary_that_lacks_a_cell(project, write):
    write(
        "book/GLOSSARY.md", "# G\n\n| a | b | c | d |\n| - | - | - | - |\n| seed | 随机种子 | |\n| loss | 损失 | | |\n"
    )
    (problem,) = prose.check_tables(project)
    assert str(problem).startswith("book/GLOSSARY.md:5: this row has 3 cells, the table has 4 columns")


def test_a_term_that_no_page_explains(project, write):
    write("docs/en/a/leaf.md", "# L\n")
    row = "| {} | 叶子 | | | {} |\n"
    write(
        "book/GLOSSARY.md",
        "| English | 中文 | 不用 | note | page |\n" + "| --- " * 5 + "|\n" + row.format("leaf", "a/leaf"),
    )
    (problem,) = prose.check_glossary(project)  # there is no Chinese page
    assert str(problem).startswith("book/GLOSSARY.md:3: no page `a/leaf` explains this term")
    write("docs/zh/a/leaf.md", "# L\n")
    assert list(prose.check_glossary(project)) == []


def test_a_row_of_the_glossary_that_has_one_cell_alone(project, write):
    write("book/GLOSSARY.md", "# G\n\n| a | b | c | d |\n| - | - | - | - |\n| seed |\n")
    assert len(list(prose.check_tables(project))) == 1 and list(prose.check_glossary(project)) == []


@pytest.mark.parametrize(
    ("link", "what"),
    [
        ("[forum](htps://discuss.pytorch.org/)", "is none that a browser may follow"),
        ("[other](../../zh/topic/join.md)", "leads to a page of another language"),
        ("[other](..\\topic\\index.md)", "hint: write ../topic/index.md"),
        ("[forum](https://discuss.pytorch.org/) and <mailto:a@example.org>", ""),
    ],
)
def test_links_that_no_reader_can_follow(told, link, what):
    found = told(**{EN: PAGES["en"].replace(WHOLE, f"See {link}.")})
    assert what in found if what else "the link" not in found


def test_a_list_that_begins_with_code_and_continues_a_paragraph(told):
    found = told(**{EN: PAGES["en"].replace(WHOLE, "There are two:\n- `clone()`\n- `detach()`")})
    assert f"{EN}:11: this list continues the paragraph above" in found


def test_a_caption_below_no_figure(told):
    found = told(**{EN: PAGES["en"].replace(WHOLE, f"{WHOLE}\n\n*Figure: a line.*\n\nAnd so on.")})
    assert f"{EN}:12: this caption stands below no figure" in found


def test_a_page_that_does_not_say_where_to_read_on(told):
    more = "\n## Read on { #read-on }\n\n- [Topic](index.md)\n"
    pages = {EN: PAGES["en"], ZH: f"{PAGES['zh']}{more}"}
    assert f"{EN}:" in (found := told(**pages)) and "the page does not end with where to read on" in found
    assert "where to read on" not in told(**{path: text.replace(more, "") + more for path, text in pages.items()})


def test_a_place_of_the_machine_that_is_printed(told):
    said = told(**{PY: ("# %% joins", "# %% where\nimport os\n\nprint(os.getcwd())\n\n# %% joins")})
    assert "cell `where` prints where this machine keeps something" in said


def test_names_that_say_nothing(told):
    said = told(**{PY: ("# %% joins", "# %% named hidden=true\nfoo = 1\n\n# %% joins")})
    assert "`foo` names nothing" in said


def test_what_fails_by_mistake_needs_no_remedy(told):
    said = told(**{PY: ("# %% joins", "# %% slip\nzeroes\n\n# %% joins")})
    assert "raised NameError" in said and "says nothing about it" not in said


def test_packages_that_are_not_pinned(project, write):
    write("requirements.txt", "# All\ntorch==2.13.0\nPyYAML==6.0  # settings\nnumpy==2.0\npandas>=2\npyyaml==6.1\n")
    write("requirements/base.lock", "pyyaml==6.0 \\\n    --hash=sha256:0\n")
    told = [str(one).partition("\n")[0] for one in links.check_pins(project)]
    assert told == [
        "requirements/base.lock: `numpy` of requirements.txt is not in it",
        "requirements.txt:5: `pandas>=2` names no single release, so every build may get another",
        "requirements.txt:6: `pyyaml` stands on line 3, too",
    ]


def test_british_words_in_an_american_book(project, write):
    write(
        "docs/en/a.md", "---\nkeywords: [colour]\n---\n\n## Colour { #colour }\n\n[The `colour`](a.md#colour) is red.\n"
    )
    (problem,) = prose.spelling(project)
    assert str(problem) == "docs/en/a.md:5: `Colour` is British, and the book American\n  hint: write Color"
