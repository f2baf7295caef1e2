"""What is written, and what is missing."""

from __future__ import annotations

from tests.lists.book import rendered
from verbatim.lists import coverage


def test_coverage_counts_what_it_lists(sources):
    assert coverage.missing_topics(sources) == [("topic", "nowhere")]
    text = rendered(sources, "coverage", "en")
    assert "## Topics with a section in both languages: 1 of 2" in text and "`topic: nowhere`" in text
    assert "`topic/a#on-a-gpu` · not recorded yet · `cuda` · [The rest](../topic/a.md#rest)" in text
    assert "- `topic/a#time` · [The rest](../topic/a.md#rest)" in text
    assert "- `topic/a#old-name` · [Warning](../topic/a.md#warns)" in text
