"""Long lists in parts, and lists that there are not."""

from __future__ import annotations

import re

import pytest

from tests.lists.book import BUILT, LIST, rendered
from verbatim import lists
from verbatim.checks import check
from verbatim.lists import parts
from verbatim.pages.page import Page, load_pages


@pytest.mark.parametrize("name", ["errors", "names"])
@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_list_in_parts_has_all_that_it_had_whole(split, several, name, language):
    entries = re.compile(r"^- .*(?:\n(?!- |## ).*)*", re.MULTILINE)

    def shown(text: str) -> list[str]:
        bare = re.sub(r'<span id="[^"]*"></span>|<[^>]*>', "", text)
        return sorted(one.replace("../../", "../").rstrip() for one in entries.findall(bare))

    whole = shown(rendered(several, name, language))
    some, rest = (rendered(split, f"{name}/{file}", language) for file in ("some", "rest"))
    assert shown(some) and shown(rest) and sorted(shown(some) + shown(rest)) == whole
    brief = rendered(split, name, language)
    links = re.findall(rf"^- \[.*\]\({name}/(some|rest)\.md#(\S+)\)(?:.*<b>(\d+)</b>)?", brief, re.MULTILINE)
    assert sum(int(many or 1) for *_, many in links) == len(whole) and len(links) == len(set(links))
    for file, anchor, _ in links:
        assert f'<span id="{anchor}"></span>' in {"some": some, "rest": rest}[file]
    headings = re.compile(r"^## .* (\{ #.* \})$", re.MULTILINE)
    assert headings.findall(brief) == headings.findall(rendered(several, name, language))


def test_what_no_part_takes_stands_on_the_list_in_full(split, project, write):
    (project.root / "docs/en/ways/errors/rest.md").unlink()
    again = lists.gather(split.book, load_pages(project)[0], [])
    text = rendered(again, "errors", "en")
    assert "- [`RuntimeError: shape '[3]' is invalid for input of size 2`](errors/some.md#e" in text
    assert f"- `{BUILT}` · torch 2.13.0\n\n    [Matrices" in text


@pytest.mark.parametrize("asked", ["errata *", "errors a-m", "coverage topic"])
def test_a_part_that_cannot_be_is_told(sources, project, write, asked):
    write("docs/en/ways/errors.md", LIST.format(name=asked))
    pages, _ = load_pages(project)
    name, _, part = asked.partition(" ")
    told = [str(p) for p in check(sources.book, pages) if "docs/en/ways/errors.md:8" in str(p)]
    assert any(f"there is no part `{part}` of the list `{name}`" in one for one in told)


def test_the_longest_pattern_takes_an_entry_and_letters_narrow_it():
    here = Page("docs/en/x.md", "")
    some = [parts.read(f"names {words}", here)[1] for words in ("*", "torch.nn.*", "torch a-l", "torch m-z")]
    taken = {
        name: some.index(parts.part_for(some, *name))
        for name in (("torch", "cat"), ("torch", "Ones"), ("torch.nn.x", "y"))
    }
    assert taken == {("torch", "cat"): 2, ("torch", "Ones"): 3, ("torch.nn.x", "y"): 1}
    assert (
        some.index(parts.part_for(some, "torch.nn", "Linear")) == 0
        and parts.part_for(some[1:], "torch.nn", "Linear") is None
    )
    assert parts.part_for(some, "torch", "4-D input").letters == ("a", "l")


def test_an_unknown_list_is_told_with_a_hint(sources, project, write):
    write("docs/en/ways/errors.md", LIST.format(name="erors"))
    pages, _ = load_pages(project)
    found = [str(p) for p in check(sources.book, pages) if "ways/errors" in p.path]
    assert any("docs/en/ways/errors.md:8: there is no list `erors`\n  hint: did you mean `errors`?" in p for p in found)
    assert any("1 lists here, 1 in docs/zh/ways/errors.md" in p for p in found)
