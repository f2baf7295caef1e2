"""Messages are recognised alike by the package's Python and by the browser's script."""

from __future__ import annotations

import json
from types import SimpleNamespace

import pytest

from pytorch_verbatim.matching import Matcher, Rules
from scripts.benchmarks.search.engine import Search
from verbatim.lists import errors
from verbatim.site.search import sections
from verbatim.site.search.index import files
from verbatim.site.search.messages import Template, about, ordered, plain, rules

SHOWN = {
    "mm": ("Error: mat1 and mat2", "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"),
    "nll": ("Targets are class numbers", "IndexError: Target 3 is out of bounds."),
    "mask": ("Masks as targets: 0 and 255", "IndexError: Target 255 is out of bounds."),
    "keys": (
        "Missing keys",
        'RuntimeError: Error(s) in loading state_dict for Linear:\n\tMissing key(s) in state_dict: "weight". ',
    ),
    "prefix": (
        "A prefix",
        "RuntimeError: Error(s) in loading state_dict for Linear:\n\t"
        'Missing key(s) in state_dict: "weight". \n\tUnexpected key(s) in state_dict: "module.weight". ',
    ),
    "wrapped": (
        "'DataParallel' object has no attribute",
        "AttributeError: 'DataParallel' object has no attribute 'classes'",
    ),
    "none": ("None", "AttributeError: 'NoneType' object has no attribute 'zero_'"),
    "tensor": ("Tensor", "AttributeError: 'Tensor' object has no attribute 'nbytes'"),
    # as in the book, Python's own words are in many messages and so weigh little
    "size-item": ("A size", "AttributeError: 'torch.Size' object has no attribute 'item'"),
    "loader": ("A loader", "AttributeError: 'DataLoader' object has no attribute 'shape'"),
    "memory": (
        "Out of memory",
        "OutOfMemoryError: CUDA out of memory. Tried to allocate … MiB. GPU 0 has a total capacity of … GiB of which … "
        "GiB is free. If reserved but unallocated memory is large try setting an option to avoid fragmentation. …",
    ),
    "end": ("An iterator ends", "StopIteration"),
    "dtype": ("dtype", "RuntimeError: expected scalar type Float but found Double"),
    "size": ("Shapes", "RuntimeError: shape '[4, -1]' is invalid for input of size 6"),
}
TEMPLATES = [
    Template(text, f"en/{name}/", "", f"Mend `{name}`.", title, about=about(text, [title]))
    for name, (title, text) in SHOWN.items()
]
RULES = Rules(rules())
MATCHER = Matcher(
    RULES,
    [RULES.known(one.text) for one in TEMPLATES],
    {number: (number, one.about) for number, one in enumerate(TEMPLATES)},
)

#: A reader's message → the page that shows it first; empty if none does.
ASKED = {
    "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x25088 and 784x10)": "mm",
    "IndexError: Target 10 is out of bounds.": "nll",
    'RuntimeError: Error(s) in loading state_dict for MyNet: Missing key(s) in state_dict: "fc.weight".': "keys",
    'RuntimeError: Error(s) in loading state_dict for MyNet:\n\tMissing key(s) in state_dict: "fc.bias". \n\t'
    'Unexpected key(s) in state_dict: "module.fc.bias". ': "prefix",
    "AttributeError: 'DataParallel' object has no attribute 'encoder'": "wrapped",
    "AttributeError: 'DataFrame' object has no attribute 'append'": "",
    "RuntimeError: CUDA out of memory. Tried to allocate 20.00 MiB (GPU 0; 3.95 GiB total capacity)": "memory",
    "StopIteration": "",  # of Python, no frame of torch
    "KeyError: 'age'": "",
    "RuntimeError: expected scalar type Half but found Float": "dtype",
    "RuntimeError: shape '[3, 5]' is invalid for input of size 16": "size",
    "RuntimeError: istft(torch.FloatTensor[1, 201, 10]) window overlap add min: 1": "",
    "OSError: [Errno 28] No space left on device: '/home/u/x.pt'": "",
}


@pytest.fixture(scope="module")
def search():
    pages = [
        sections.Page(f"en/{name}/", [sections.Section("", title, "First. Second.", messages=text)])
        for name, (title, text) in SHOWN.items()
    ]
    with Search(files(pages, frozenset(), TEMPLATES)) as made:
        made.engine.eval(
            "var found; var recognised = (text) => { found = undefined; verbatimSearch.recognise(text).then((all) => "
            '{ found = JSON.stringify(all.map((one) => one.remedy)); }); return ""; };'
        )
        made.ask("anything")  # loads the index
        yield made


@pytest.mark.parametrize(("text", "page"), ASKED.items())
def test_a_message_is_recognised(text, page):
    found = MATCHER.match(text)
    assert (TEMPLATES[found[0]].url if found else "") == (f"en/{page}/" if page else "")


@pytest.mark.parametrize("text", ASKED)
def test_both_languages_of_code_recognise_alike(search, text):
    search.engine.call("recognised", text)
    told = json.loads(str(search.engine.eval("found")))
    assert told == [TEMPLATES[number].remedy for number in MATCHER.match(text)]


def test_a_message_that_pages_show_comes_first_with_its_remedy(search):
    answer = search.ask(
        'Traceback (most recent call last):\n  File "/home/u/a.py", line 3\nIndexError: Target 10 is out of bounds.'
    )
    assert (answer["results"][0]["url"], answer["results"][0]["remedy"]) == ("en/nll/", "Mend `nll`.")
    assert answer["fits"] and not answer["unknown"]


def test_a_message_that_no_page_shows_is_told(search):
    answer = search.ask("RuntimeError: istft window overlap add min: 1")
    assert answer["unknown"] and not answer["fits"]
    assert not search.ask("why is the target out of bounds")["unknown"]


def test_what_differs_from_reader_to_reader_is_taken_out():
    found = RULES.words("""ValueError: /home/u/a.py has 'net.fc' at 0x7f1a of size 3x4, "x y" or 1e-5""")
    assert list(found.names) == ["has", "at", "of", "size", "or"]
    assert found.quoted == {"'net.fc'", "net"}


def test_a_remedy_is_plain_text():
    assert plain("See [**this**](a.md#b) or `x`.") == "See this or `x`."
    assert plain("Not the *branch's* `*args`, a * b, or **`x*2`**.") == "Not the branch's `*args`, a * b, or `x*2`."


def test_of_pages_with_one_message_the_first_is_the_one_about_it(monkeypatch):
    size = "The size of tensor a (2) must match the size of tensor b (3)"
    shown = [  # page, section, message, in reading order
        ("Save: torch.save, torch.load", "Round trip", size),
        ("A block", "Error: The size of tensor a (16) must match", size),
        ("Compare", "Error: The size of tensor a must match (==)", size),
        ("Shapes", "Errors: The size of tensor a must match; others", size),
        ("Error: The size of tensor a must match (sums)", "Why", size),
        ("Save: torch.save, torch.load", "Errors", "Weights only load failed: torch.load, see docs"),
    ]
    found = []
    for number, (title, heading, text) in enumerate(shown):
        page = SimpleNamespace(name=f"{number}.md", headings=[SimpleNamespace(level=1, text=title)])
        place = SimpleNamespace(page=page, heading=heading, anchor="section")
        found.append(SimpleNamespace(whole=f"RuntimeError: {text}", place=place, torch=(), pythons=()))
    sources = SimpleNamespace(places=lambda language: [one.place for one in found], _cache={})
    monkeypatch.setattr(errors, "messages", lambda sources, language: found[::-1])
    assert [one.place.page.name[0] for one in ordered(sources, "en")] == ["4", "3", "1", "2", "0", "5"]


def test_what_only_another_release_says_comes_after_what_a_page_is_about():
    known = [
        RULES.known(f"RuntimeError: sizes {size} do not match the input of this layer") for size in ("[2, 3]", "[2]")
    ]
    asked = "RuntimeError: sizes [7, 8] do not match the input of this layer"
    assert Matcher(RULES, known, {0: (0, 0), 1: (1, 0)}).match(asked) == [0, 1]
    assert Matcher(RULES, known, {0: (0, -1), 1: (1, 0)}).match(asked) == [1, 0]
