"""The files that say what names and terms are."""

from __future__ import annotations

import json

from verbatim.site.hover import files

DESCRIBED = {
    "nn.Parameter": ("torch.nn.Parameter", "(data=None)", "A kind of Tensor."),
    "torch.nn.Linear": ("torch.nn.Linear", "(in, out)", ""),
    "torch.float32": ("torch.float32", "", ""),
}
ADDRESSES = {
    "nn.Parameter": "https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Parameter.html",
    "torch.nn.Linear": "https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html",
    "torch.float32": "",
}


def test_names_are_known_by_their_addresses_too_and_nothing_is_said_of_what_says_nothing():
    texts = files(DESCRIBED, ADDRESSES.__getitem__, {"en": {"leaf": ("叶子", "Leaves")}})
    assert list(texts) == ["assets/hover-names.js", "assets/hover-en.js"]
    found = {}
    for text in texts.values():
        given = text.removeprefix("verbatimHover(").removesuffix(");\n")
        kind, value = json.loads(f"[{given}]")
        found[kind] = value
    names, called = found["names"]
    assert names == {"torch.nn.Linear": ["(in, out)", ""], "torch.nn.Parameter": ["(data=None)", "A kind of Tensor."]}
    assert list(names) == sorted(names)  # the same file on every machine
    assert called == {"torch.nn.parameter.Parameter": "torch.nn.Parameter"}
    assert found["en"] == {"leaf": ["叶子", "Leaves"]}
