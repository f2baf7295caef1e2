"""PyTorch's own list of documented names, where it is kept."""

from __future__ import annotations

import zlib
from pathlib import Path

import pytest

from verbatim.lists import api, inventory

HEAD = b"# Sphinx inventory version 2\n# Project: PyTorch\n# Version: main\n# The remainder is compressed using zlib.\n"
NAMES = """\
torch.cat py:function 1 generated/torch.cat.html#$ -
torch.Tensor.detach py:method 1 elsewhere/torch.Tensor.detach.html#$ -
torch.nn.parameter.Parameter py:class 1 generated/torch.nn.parameter.Parameter.html#$ -
torch.nn.functional.conv2d py:function 1 generated/torch.nn.functional.conv2d.html#$ -
torch.gone py:function 1 generated/torch.gone.html#$ -
torch.nn py:module 0 nn.html#module-$ -
torch.cat std:label -1 a-label.html The title of a section
"""


def packed(names: str) -> bytes:
    return HEAD + zlib.compress(names.encode())


@pytest.fixture
def kept(tmp_path, monkeypatch):
    """Keep this inventory; what others have asked before does not count."""
    file = tmp_path / "objects.inv"
    caches = (inventory.known, api.address, api._method)
    monkeypatch.setattr(inventory, "FILE", file)
    for cache in caches:
        cache.cache_clear()
    yield file
    for cache in caches:
        cache.cache_clear()


@pytest.mark.parametrize(
    ("text", "page"),
    [
        ("torch.cat(xs)", "generated/torch.cat.html#torch.cat"),
        ("detach()", "elsewhere/torch.Tensor.detach.html#torch.Tensor.detach"),
        ("nn.Parameter", "generated/torch.nn.parameter.Parameter.html#torch.nn.parameter.Parameter"),
        ("torch.conv2d", "generated/torch.nn.functional.conv2d.html#torch.nn.functional.conv2d"),
        ("torch.autocast", "amp.html#torch.autocast"),  # by the list of those that are called otherwise
        ("torch.stack", ""),  # the rules would find it
        ("torch.gone", ""),  # the installed torch has it not
        ("torch.nn", ""),
    ],
)
def test_an_inventory_that_is_kept_decides(kept, text, page):
    kept.write_bytes(packed(NAMES))
    assert api.address(text) == (api.DOCUMENTATION + page if page else "")


def test_without_an_inventory_rules_decide(kept):
    assert inventory.known() == {} and inventory.version() == ""
    assert api.address("torch.stack") == api.DOCUMENTATION + "generated/torch.stack.html"


def test_what_was_remembered_under_another_inventory_does_not_count(kept, tmp_path):
    before = api.Memory(tmp_path)._path
    kept.write_bytes(packed(NAMES))
    assert api.Memory(tmp_path)._path != before


@pytest.mark.parametrize(
    "data", [b"", b"<html>not found</html>", HEAD + b"no zlib", HEAD + zlib.compress(b"x" * 99)[:-5]]
)
def test_what_is_no_inventory_is_refused(data):
    with pytest.raises(ValueError):
        inventory.parse(data)


def test_upgrading_fetches_it_and_a_missing_network_does_no_harm(kept, tmp_path, monkeypatch, capsys):
    monkeypatch.syspath_prepend(Path(__file__).parent.parent / "scripts")
    import upgrade

    monkeypatch.setattr(upgrade, "ROOT", tmp_path)
    there = tmp_path / "there"
    there.mkdir()
    monkeypatch.setattr(api, "DOCUMENTATION", there.as_uri() + "/")
    upgrade.fetch_inventory(tmp_path)
    assert "cannot be used" in capsys.readouterr().out and not kept.exists()
    (there / "objects.inv").write_bytes(b"<html>")
    upgrade.fetch_inventory(tmp_path)
    assert "cannot be used (it does not begin" in capsys.readouterr().out and not kept.exists()
    (there / "objects.inv").write_bytes(packed(NAMES))
    upgrade.fetch_inventory(tmp_path)
    assert capsys.readouterr().out == "objects.inv: 5 names, changed\n" and inventory.known()["torch.cat"]
