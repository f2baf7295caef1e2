"""Which page a query is about: the centroids of pages, and what the search makes of them."""

from __future__ import annotations

import json

import pytest

from scripts.benchmarks.search.engine import Search
from tests.search import written
from verbatim.site.search import centroids, sections
from verbatim.site.search.index import files


def nearest(found: list[dict[str, int]], *query: str) -> int:
    sums = [sum(one.get(term, 0) for term in query) for one in found]
    return max(range(len(sums)), key=sums.__getitem__)


def example(text: str, counts: float = 1.0) -> centroids.Example:
    return text.split(), counts


def test_a_word_of_many_lines_says_more_than_a_word_of_one():
    once = [example("memory grows"), example("batch size"), example("learning rate")]
    often = [example("memory grows"), example("memory full"), example("free memory")]
    assert nearest(centroids.centroids([once, often]), "memory") == 1
    assert nearest(centroids.centroids([once, often]), "learning", "memory") == 0


def test_a_line_counts_as_much_as_another_however_long_it_is():
    long = example("seed " + " ".join(f"word{n}" for n in range(30)))
    found = centroids.centroids([[long, example("other words")], [example("seed again"), example("other words")]])
    assert found[1]["seed"] > found[0]["seed"]


def test_a_page_counts_as_much_as_another_however_long_it_is():
    lines = [example("freeze layers"), example("train the head")]
    short, long = centroids.centroids([lines, lines * 20])
    assert short == long


def test_what_counts_more_is_nearer():
    title, said = example("matrix inverse", centroids.TITLE), example("matrix inverse", centroids.FIELD_COUNTS["prose"])
    rest = [example("other words")]
    assert nearest(centroids.centroids([[said, *rest], [title, *rest]]), "inverse") == 1


def test_a_page_keeps_the_terms_that_count_most():
    words = [example(f"word{n}") for n in range(2 * centroids.TERMS)]
    (found,) = centroids.centroids([[*words, example("word7"), example("word7")]])
    assert len(found) == centroids.TERMS and max(found, key=found.__getitem__) == "word7"
    assert max(found.values()) == centroids.GREATEST and min(found.values()) >= 1


def test_a_page_without_examples_is_never_the_nearest():
    assert centroids.centroids([[], [example("")], [example("seed")]]) == [{}, {}, {"seed": centroids.GREATEST}]
    assert centroids.centroids([]) == []


@pytest.mark.parametrize(
    ("field", "text", "lines"),
    [
        ("prose", "One. Two? 三。四！\nfive", ["One.", "Two?", "三。", "四！", "five"]),
        ("prose", "torch.nn is 2.0", ["torch.nn is 2.0"]),
        ("other", "a question\nanother. One", ["a question", "another. One"]),
        ("asked", "", [""]),
        ("title", "One. Two", ["One. Two"]),
        ("code", "a = 1\nb = 2", ["a = 1\nb = 2"]),
    ],
)
def test_the_lines_of_a_field(field: str, text: str, lines: list[str]):
    assert [line for line in centroids.lines(field, text) if line or not text] == lines


# -- In the index and the browser -----------------------------------------------------------------


def page(name: str, title: str, text: str, *questions: str, overview: bool = False) -> sections.Page:
    return sections.ask(written.page(f"# {title}\n\n{text}", f"en/a/{name}/", overview=overview), questions)


ABOUT = page(
    "about", "Batches", "Text of it.", "halves of a crank", "turn a crank", "crank by hand", "the crank of a machine"
)
MENTIONS = page(
    "mentions", "A crank", "Crank.", "sizes of rows", "a list of wheels", "how long", "which colours", "hand"
)


def test_the_nearest_page_comes_first_unless_nothing_but_a_name_is_asked_for():
    made = files([ABOUT, MENTIONS], frozenset({"crank"}))
    with Search(made) as found:
        assert found.find("by hand turn the crank")[0]["url"] == ABOUT.url
        assert found.find("crank")[0]["url"] == MENTIONS.url
    with Search(made, constants={"NEAR_POWER": "0"}) as found:
        assert found.find("by hand turn the crank")[0]["url"] == MENTIONS.url


def test_centroids_stand_behind_the_fields_and_overviews_have_none():
    overview = page("over", "Wheels", "Of wheels.", overview=True)
    made = files([ABOUT, overview])
    entries = json.loads(made["terms-0.js"].split(",", 2)[2].rstrip().removesuffix(")"))
    columns = {term: fields for term, *fields in entries}
    assert len(columns["crank"]) == len(sections.ALL_FIELDS) + 1 and columns["crank"][-1][0] == 0
    assert len(columns["wheel"]) == len(sections.ALL_FIELDS)
