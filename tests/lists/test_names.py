"""The list of names."""

from __future__ import annotations

import dataclasses
import re

import pytest

from tests.lists.book import page, rendered
from verbatim.lists import names
from verbatim.pages.page import Page


def test_names_lead_to_their_documentation_and_to_the_sections_that_use_them(sources):
    text = rendered(sources, "names", "en")
    assert "[`torch.ones`](https://docs.pytorch.org/docs/stable/generated/torch.ones.html)" in text
    item = text[text.index('id="torch.Tensor.view"') :]
    assert "(../topic/a.md#rest)" in item


def test_a_function_and_the_method_of_its_name_are_one_item(sources):
    before = {entry.name: entry for entry in names.names(sources, "en")}
    view, ones, zeros = before["torch.Tensor.view"], before["torch.ones"], before["torch.zeros"]
    found = {
        "torch.view": names.Name("torch.view", places=ones.places),
        "torch.Tensor.view": names.Name("torch.Tensor.view", places=[*ones.places, *view.places]),
        "torch.Tensor.zeros": names.Name("torch.Tensor.zeros", missing=("1.13.1",)),
        "torch.zeros": zeros,
        "torch.Tensor.alone": names.Name("torch.Tensor.alone"),
    }
    for name in [name for name in found if name.startswith("torch.Tensor.")]:
        names._join(found, name)
    assert found["torch.view"].all == ("torch.view", "torch.Tensor.view")
    assert found["torch.view"].places == list(dict.fromkeys([*ones.places, *view.places]))
    # a release that has one and not the other is said of each
    assert found.keys() == {"torch.view", "torch.zeros", "torch.Tensor.zeros", "torch.Tensor.alone"}


def test_hidden_cells_do_not_count(sources):
    assert "torch.arange" not in {n.name for n in names.names(sources, "zh")}


def test_a_name_is_deprecated_where_its_own_warning_says_so(sources):
    marked = {n.name for n in names.names(sources, "en") if n.deprecated}
    assert marked == {"torch.ones"}


@pytest.mark.parametrize(
    "warning, name, expected",
    [
        ("FutureWarning: `nn.init.a` is now deprecated in favor of `nn.init.a_`.", "torch.nn.init.a", True),
        ("FutureWarning: `nn.init.a` is now deprecated in favor of `nn.init.a_`.", "torch.nn.init.a_", False),
        ("UserWarning: torch.a() has been deprecated.", "torch.a", True),
        ("UserWarning: indexing with dtype torch.uint8 is now deprecated", "torch.uint8", False),
        ("UserWarning: Implicit dimension choice for softmax has been deprecated.", "torch.Tensor.softmax", False),
        ("UserWarning: torch.a is slow.", "torch.a", False),
    ],
)
def test_what_a_warning_deprecates(warning, name, expected):
    assert names.deprecates(warning, name) is expected


def test_a_recipes_page_names_what_it_uses(sources):
    line = names.used_here(sources, page(sources, "docs/en/topic/a.md"))
    assert line.strip().startswith("Used on this page: ")
    assert "[`torch.Tensor.view`](../ways/names.md#torch.Tensor.view)" in line
    assert names.used_here(sources, page(sources, "docs/en/ways/errors.md")) == ""


def test_the_list_of_names_says_which_releases_lack_one(several):
    text = rendered(several, "names", "en")
    ones, zeros = text.split('id="torch.zeros"')[0].split('id="torch.ones"')[1], text.split('id="torch.zeros"')[1]
    assert "**missing from**: torch 1.13.1\n" in ones and "missing from" not in zeros
    assert "**没有它的版本**：torch 1.13.1\n" in rendered(several, "names", "zh")


@pytest.mark.parametrize(
    "name, module",
    [
        ("torch.cat", "torch"),
        ("torch.Tensor.view", "torch.Tensor"),
        ("torch.nn.Module.apply", "torch.nn"),
        ("torch.nn.utils.rnn.PackedSequence_.index", "torch.nn.utils.rnn"),
        ("torch.device.type", "torch"),
        ("torch.return_types.sort.indices", "torch.return_types"),
        ("torch.nn.functional.relu", "torch.nn.functional"),
    ],
)
def test_no_class_is_a_module(name, module):
    assert names.module(name, {"torch.device", name}) == module


def test_docstrings_stand_whole_and_on_english_pages_only(sources):
    zeros = "Returns a tensor filled with the scalar value 0,"
    for language, end, there in (("en", " with the shape defined.", True), ("en", "", False), ("zh", ".", False)):
        on = page(sources, f"docs/{language}/ways/names.md")
        (entry,) = [one for one in names.names(sources, language) if one.name == "torch.zeros"]
        entry.summary = zeros + end
        assert (zeros in "\n".join(names.render(sources, on))) is there


def test_of_many_pages_those_come_first_that_speak_of_the_name(sources):
    base = page(sources, "docs/en/ways/names.md")
    (place,) = [p for p in sources.places("en") if p.cell.name == "product"]
    heads = {"few": "# Other", "many": "# Other", "about": "# All about zeros", "like": "# zeros_like"}
    found = {name: Page(f"docs/en/topic/{name}.md", head) for name, head in heads.items()}
    places = [dataclasses.replace(place, page=found[name]) for name in ("few", "many", "many", "like", "about")]
    ordered = [re.search(r"topic/(\w+)\.md", one)[1] for one in names.pages("torch.zeros", places, base)]
    assert ordered == ["about", "many", "few", "like"]
    (entry,) = [one for one in names.names(sources, "en") if one.name == "torch.zeros"]
    every = [Page(f"docs/en/topic/p{n}.md", f"# P{n}\n\n## S {{ #s }}") for n in range(names.MOST_LINKS + 3)]
    entry.places = [dataclasses.replace(place, page=one) for one in every]
    text = rendered(sources, "names", "en")
    assert f"    Used on {len(every)} pages, most of all: [P0]" in text
    assert sum(f"topic/p{n}.md" in text for n in range(len(every))) == names.MOST_LINKS


def test_an_old_address_of_a_name_still_leads_to_it_and_pages_lead_to_the_part(split):
    assert "- [`torch.ones`](names/rest.md#torch.ones){ #torch.ones }" in rendered(split, "names", "en")
    line = names.used_here(split, page(split, "docs/en/topic/a.md"))
    assert "[`torch.Tensor.view`](../ways/names/some.md#torch.Tensor.view)" in line
    assert "[`torch.ones`](names/rest.md#torch.ones)" in rendered(split, "changes", "en")
