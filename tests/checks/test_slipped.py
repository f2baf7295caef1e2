"""Mistakes that no output shows: links to the own site, records of another torch, progress bars."""

from __future__ import annotations

import dataclasses

from tests.checks.recipe import EN, PAGES, PY, WHOLE
from verbatim.checks import links, printed
from verbatim.pages.page import load_pages


def test_a_link_to_the_own_site_by_address(book, project, write):
    write("mkdocs.yml", 'site_name: a\nsite_url: !ENV [SITE_URL, "https://a.example/book/"]\n')
    text = PAGES["en"].replace(WHOLE, "See [it](https://a.example/book/x/) and [that](https://a.example/else/).", 1)
    (page,) = [page for page in load_pages(book.project)[0] if page.path == EN]
    told = [str(one) for one in links.check_links(project, [dataclasses.replace(page, text=text)])]
    assert "the link `https://a.example/book/x/` leads to this site by its address" in told[0]
    assert "else" not in "".join(told)


def test_records_of_another_torch_than_is_pinned(book, project, write):
    write("requirements.txt", "numpy==2.0\ntorch==2.13.0  # what everything is about\n")
    for torch, told in {"2.13.0+cpu": 0, "2.12.0+cpu": 1}.items():
        other = dataclasses.replace(book, project=project, approved={"torch": torch})
        assert len(list(links.check_built(other))) == told


def test_a_progress_bar(broken):
    told = broken(PY, "# %% joins", '# %% bar\nprint("0/3\\r1/3\\r2/3")\n\n# %% joins')
    assert "cell `bar` prints a progress bar" in told and "progress=False" in told
    assert printed.RETURN == "␍"
