"""The book as data."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from tests.lists.book import BUILT
from verbatim.lists import manifest

SCHEMA = json.loads((Path(__file__).parents[2] / "docs/assets/verbatim.schema.json").read_text())


def test_the_schema_is_one():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_the_manifest_follows_its_schema(several):
    built = manifest.build(several, {"examples/topic/a.py": {"zh": "topic/a/", "en": "en/topic/a/"}})
    jsonschema.Draft202012Validator(SCHEMA).validate(json.loads(json.dumps(built)))
    (error,) = [place for e in built["errors"] for place in e["places"] if place["text"] == BUILT]
    assert error["torch"] == ["2.13.0"]
    assert error["section"] == {"zh": "topic/a/#product", "en": "en/topic/a/#product"}
    assert error["cell"] == "topic/a#product"
    assert built["names"]["torch.ones"]["cells"][0] == "topic/a#product"
    assert built["errata"][0]["claim"]["zh"] == "形状相同才能相乘"
    assert built["changes"][0]["to"] == "2.15.0" and built["changes"][1]["names"] == ["torch.ones"]
    assert [one["counts"]["changed"] for one in built["versions"]] == [2, 1]
    product = built["recipes"]["topic/a"]["cells"][0]["versions"]
    assert [(one["torch"], one["kind"]) for one in product] == [
        (["1.13.1"], "other"),
        (["2.13.0"], "same"),
        (["2.15.0"], "other"),
    ]
    assert built["coverage"]["topics"] == {"count": 2, "missing": ["topic/nowhere"]}


@pytest.mark.parametrize("key", ["errors", "names", "errata", "versions", "changes", "coverage", "recipes"])
def test_the_schema_asks_for_every_part(sources, key):
    built = manifest.build(sources, {})
    del built[key]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.Draft202012Validator(SCHEMA).validate(built)
