"""The list of errata."""

from __future__ import annotations

from tests.conftest import stand_in_version
from tests.lists.book import PAGE, SCRIPT, TEXTS, rendered
from verbatim import lists
from verbatim.book.gather import gather
from verbatim.checks import check
from verbatim.lists import errata, manifest
from verbatim.pages.page import Page, load_pages


def test_an_erratum_shows_claim_truth_and_proof(sources):
    (erratum,) = errata.errata(sources, "en")
    assert erratum.claim == "only equal shapes can be multiplied"
    assert erratum.proof and erratum.proof.cell == "old-name"
    text = rendered(sources, "errata", "en")
    assert "**“only equal shapes can be multiplied”**" in text
    assert "- ✗ Often said: **“only equal shapes can be multiplied”**" in text
    assert "    ✓ In fact: Rows meet columns. [above](../topic/a.md#product)" in text
    assert "Proof: [Warning](../topic/a.md#warns)" in text
    assert "相乘的是行与列。[见上](../topic/a.md#product)" in rendered(sources, "errata", "zh")


def test_a_box_inside_of_a_fence_is_none(sources):
    text = '```example\n!!! erratum "no"\n```\n'
    assert errata.on_page(Page("docs/en/x.md", text)) == []


def test_a_claim_that_was_true_once_says_until_when(several, project, write):
    for language, texts in TEXTS.items():
        write(f"docs/{language}/topic/a.md", PAGE.format(**texts).replace("!!! erratum", "!!! erratum once"))
    again = lists.gather(several.book, load_pages(project)[0], [])
    text = rendered(again, "errata", "en")
    assert 'title="This was so once · torch 1.13.1" }\n    quiet\n' in text
    assert "曾经如此 · torch 1.13.1" in rendered(again, "errata", "zh")
    assert "This was so once" not in rendered(several, "errata", "en")
    assert manifest.build(again, {})["errata"][0]["once"] == ["1.13.1"]
    assert manifest.build(several, {})["errata"][0]["once"] == []


def test_a_claim_is_called_true_once_only_where_a_release_shows_it(several, project, write):
    def told() -> list[str]:
        book = gather(project)
        pages = load_pages(project)[0]
        return [str(problem) for problem in check(book, pages) if "was so once" in problem.message]

    for language, texts in TEXTS.items():
        write(f"docs/{language}/topic/a.md", PAGE.format(**texts).replace("!!! erratum", "!!! erratum once"))
    assert told() == []
    stand_in_version(project, "1.13.1", {})
    assert [one.partition(": ")[2].splitlines()[0] for one in told()] == [
        "no recorded release shows that this was so once"
    ] * 2
    write("examples/topic/a.py", SCRIPT.replace("torch.zeros(1)", "torch.zeros(2)"))
    assert told() == []  # not known before it is run again
