"""Warnings by what they cost."""

from __future__ import annotations

import dataclasses

import pytest

from tests.lists.book import page
from verbatim.lists import urgency
from verbatim.lists.errors import Message, groups

HEADINGS = {
    "en": ["### Cost nothing", "### Mend now", "### Mend before"],
    "zh": ["### 可以不管", "### 现在就改", "### 升级之前改"],
}


@pytest.mark.parametrize("language", ["zh", "en"])
def test_a_warning_of_what_will_go_is_for_later(sources, language):
    text = "\n".join(urgency.render(sources, page(sources, f"docs/{language}/ways/changes.md")))
    at = [text.index(heading) for heading in HEADINGS[language]]
    assert at == sorted(at) and text.index("`torch.ones` is deprecated") > at[2]
    assert "../topic/a.md#warns" in text and "RuntimeError" not in text


@pytest.mark.parametrize(
    "name, text, later",
    [
        ("UserWarning", "volatile was removed and now has no effect.", False),
        ("UserWarning", "Using a target size that is different to the input size.", False),
        ("UserWarning", "torch.range is deprecated and will be removed in a future release", True),
        ("UserWarning", "stft will soon require the return_complex parameter", True),
        ("FutureWarning", "Write `x` instead.", True),
    ],
)
def test_what_announces_a_change(sources, name, text, later):
    place = next(iter(groups(sources, "en").values()))[0].place
    assert urgency.announces(Message(name, text, place, "", whole=f"{name}: {text}")) is later


@pytest.mark.parametrize(
    "remedy, kind",
    [("Ignore it.", 0), ("Pass `old=False` to silence it.", 0), ("忽略它。", 0), ("Write `torch.zeros`.", 2)],
)
def test_what_a_page_says_to_ignore_costs_nothing(sources, monkeypatch, remedy, kind):
    told = {
        key: [dataclasses.replace(message, remedy=remedy) for message in group]
        for key, group in groups(sources, "en").items()
        if key[0] == "FutureWarning"
    }
    monkeypatch.setattr(urgency.errors, "groups", lambda sources, language: told)
    monkeypatch.setattr(urgency, "_harmless", urgency._harmless.__wrapped__)
    lines = urgency.render(sources, page(sources, "docs/en/ways/changes.md"))
    above = lines[: next(number for number, line in enumerate(lines) if "`torch.ones`" in line)]
    assert sum(line.startswith("###") for line in above) - 1 == kind
