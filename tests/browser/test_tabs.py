"""CPU and CUDA outputs side by side: the reader's choice holds on the page and on the next."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

TABS = """
<div class="tabbed-set tabbed-alternate" data-tabs="9:2"><input checked="checked" id="__tabbed_9_1" name="__tabbed_9"
type="radio"><input id="__tabbed_9_2" name="__tabbed_9" type="radio"><div class="tabbed-labels"><label
for="__tabbed_9_1">CPU</label><label for="__tabbed_9_2">CUDA</label></div><div class="tabbed-content"><div
class="tabbed-block"><p>on a CPU</p></div><div class="tabbed-block"><p>on a GPU</p></div></div></div>
"""


@pytest.fixture
def address(site: Path, tmp_path: Path, serve) -> str:
    """The miniature, with another set of tabs on its page of tabs."""
    folder = shutil.copytree(site, tmp_path / "site")
    page = folder / "tensors/print/index.html"
    text = page.read_text()
    assert '<h2 id="drawn"' in text
    page.write_text(text.replace('<h2 id="drawn"', TABS + '<h2 id="drawn"', 1))
    return serve(folder)


def test_the_choice_is_remembered(visit, address: str):
    page = visit("about:blank").page
    chosen = "[...document.querySelectorAll('.tabbed-set > input')].map(tab => tab.checked)"
    page.goto(f"{address}tensors/print/")
    assert page.evaluate(chosen) == [True, False, True, False]
    page.get_by_text("CUDA", exact=True).first.click()
    page.wait_for_function(f"() => JSON.stringify({chosen}) === '[false,true,false,true]'")
    page.goto(f"{address}en/tensors/print/")
    assert page.evaluate(chosen) == [False, True]
