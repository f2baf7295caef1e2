"""What the search finds, and in which order: the browser's own scripts on small indexes, without a browser."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from scripts.benchmarks.search.engine import Search
from scripts.benchmarks.search.measure import QUERY_LISTS, TRACEBACKS
from tests.search import written
from verbatim.pages.page import Page as Source
from verbatim.site.search import sections
from verbatim.site.search.index import QUESTIONS, files
from verbatim.site.search.terms import terms

KNOWN = frozenset(
    [
        "where",
        "to",
        "cat",
        "squeeze",
        "nonzero",
        "zero_grad",
        "detach",
        "gather",
        "isnan",
        "nan_to_num",
        "numel",
        "BatchNorm1d",
        "DataLoader",
    ]
)

PAGES = {
    "indexing/where": ("torch.where: choose element by element", "Takes from one tensor or the other.", []),
    "indexing/nonzero": (
        "nonzero(): indices of the nonzero elements",
        "Use where with one argument. Where the squeeze fails, squeeze and squeeze again: squeeze, squeeze, squeeze.",
        ["squeeze() breaks when there is one hit"],
    ),
    "devices/to": ("to(device): assign the result for tensors", "Moves a tensor to a device.", []),
    "devices/where": ("Is a tensor on CPU or GPU", "Where a tensor is: where, where, where.", []),
    "shapes/cat": ("torch.cat: join along an existing dimension", "Joins tensors.", []),
    "shapes/stack": ("torch.stack: join along a new dimension", "Unlike torch.cat: cat, cat, cat and cat again.", []),
    "shapes/squeeze": ("squeeze(): drop dimensions of size 1", "Drops dimensions.", []),
    "autograd/detach": ("detach(): out of the graph", "Cuts the graph.", []),
    "autograd/clone": (
        "clone() vs detach(): what each shares",
        "detach() and detach() and detach() share memory; detach, detach.",
        ["x.clone.detach() without parentheses: detach"],
    ),
    "autograd/zero-grad": ("zero_grad() sets .grad to None", "Clears gradients.", []),
    "autograd/no-zero-grad": (
        "Error: module 'torch' has no attribute 'zero_grad'",
        "torch.zero_grad does not exist. zero_grad, zero_grad, zero_grad, zero_grad.",
        [],
    ),
    "modules/freeze-layers": ("Freeze layers, fine-tune the rest", "Set requires_grad to False.", []),
}


def _page(path: str, title: str, text: str, headings: list[str], **more: object) -> sections.Page:
    below = "".join(f"\n\n## {heading} {{ #s{i} }}\n\n{text}" for i, heading in enumerate(headings))
    return written.page(f"# {escaped(title)}\n\n{text}{escaped(below)}", f"en/{path}/", title, **more)


def escaped(text: str) -> str:
    """Return Markdown in which underscores are no marks."""
    return text.replace("__", r"\_\_")


def _overview(markdown: str) -> sections.Page:
    return written.page(markdown, "en/", "Home", overview=True)


@pytest.fixture(scope="module")
def searched() -> Iterator[Search]:
    with Search(files([_page(path, *rest) for path, rest in PAGES.items()], KNOWN)) as found:
        yield found


@pytest.fixture
def index() -> Iterator[Callable[..., Search]]:
    made: list[Search] = []

    def make(*pages: sections.Page, known: frozenset[str] = KNOWN) -> Search:
        made.append(Search(files(pages, known)))
        return made[-1]

    yield make
    for one in made:
        one.engine.close()


def first(found: Search, query: str) -> str:
    results = found.find(query)
    return f"{results[0]['url']}#{results[0]['id']}" if results else ""


@pytest.mark.parametrize(
    ("query", "page"),
    [
        ("torch.where", "indexing/where"),
        ("where", "indexing/where"),
        ("x.where(", "indexing/where"),
        ("tensor.to", "devices/to"),
        ("to", "devices/to"),
        ("model.to(device)", "devices/to"),
        ("cat", "shapes/cat"),
        ("torch.cat()", "shapes/cat"),
        ("detach", "autograd/detach"),
        ("squeeze", "shapes/squeeze"),
        ("squee", "shapes/squeeze"),
        ("zero_grad", "autograd/zero-grad"),
        ("optimizer.zero_grad", "autograd/zero-grad"),
        ("optimizer.zero_grad()", "autograd/zero-grad"),
    ],
)
def test_a_name_leads_to_the_page_of_that_name(searched: Search, query: str, page: str):
    """Its traps, and pages that say it often, come after."""
    assert first(searched, query) == f"en/{page}/#"


@pytest.mark.parametrize("query", ["where is my tensor on", "how to freeze layers"])
def test_words_that_join_a_sentence_are_no_names(searched: Search, query: str):
    assert first(searched, query) in ("en/devices/where/#", "en/modules/freeze-layers/#")


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("torch.where: choose element by element", ["where"]),
        ("NaN and inf: isnan, nan_to_num", ["isnan", "nan_to_num"]),
        ("nonzero() vs where(): two ways", ["nonzero", "where"]),
        ("squeeze、cat 与 gather：三种", ["squeeze", "cat", "gather"]),
        ("Where it hangs", []),
        ("What takes to long to cat", []),
        ("detach 怎么用", ["detach"]),
        ("Why .grad is None", ["grad"]),
        ("BatchNorm1d and a batch of one", ["batchnorm1d"]),
        ("A GitHub of DataLoader", ["dataloader"]),
        ("Error: where() received an invalid argument", []),
        ("报错：where() 的参数不对", []),
        ("zero_grad() sets .grad to None, not to zero", ["zero_grad", "grad"]),
    ],
)
def test_the_names_that_a_title_is_about(title: str, names: list[str]):
    assert sections.names_of(title, KNOWN) == names


def test_keywords_that_are_names_lead_to_their_page(index):
    named = _page("a/one", "Finding bad numbers", "Text.", [], meta={"keywords": ["isnan", "plain words"]})
    other = _page("a/two", "Other", "isnan isnan isnan isnan isnan.", [])
    assert first(index(named, other), "torch.isnan") == "en/a/one/#"
    plain = _page("a/one", "Finding bad numbers", "Text about isnan.", [])
    assert first(index(plain, other), "torch.isnan") == "en/a/two/#"


def test_a_section_is_found_in_the_words_of_the_other_language(index):
    twin = Source(
        "docs/en/a/one.md",
        "---\ntitle: Overfitting\nkeywords: [early stopping]\n---\n# Overfitting\n\n## Dropout helps { #s0 }\n",
    )
    page = _page("a/one", "过拟合", "训练得太久。", ["随机失活"])
    page = sections.translate(page, [sections.titles(twin)])
    found = index(page, _page("a/two", "别的", "别的文字。", ["别的小节"]))
    assert first(found, "overfitting") == "en/a/one/#"
    assert first(found, "early stopping") == "en/a/one/#"
    assert first(found, "dropout") == "en/a/one/#s0"


def test_what_readers_ask_comes_before_what_mentions_it(index):
    asked = _page("a/one", "Batches of one", "Text.", [], meta={"keywords": ["turn off running averages"]})
    says = _page("a/two", "Statistics", "Running averages never turn: off they go. Averages, running.", [])
    assert first(index(asked, says), "turn off running averages") == "en/a/one/#"


def test_dots_of_an_index_are_a_word(index):
    dots = _page("a/one", "Ellipsis", "Write x[..., 0] for the last dimension.", [])
    other = _page("a/two", "Letters", "x and x and x and 0.", [])
    assert first(index(dots, other), "x[..., 0]") == "en/a/one/#"


@pytest.mark.parametrize(
    ("text", "operator"),
    [
        ("a @ b", "@"),
        ("A@B", "@"),
        ("* or @", "* @"),
        ("a * b", "*"),
        ("x // 2", "//"),
        ("x / 2", "/"),
        ("x % 3", "%"),
        ("-7 % 3", "%"),
        ("how %, // and fmod round", "% //"),
        ("2**3", "**"),
        ("t ** 2", "**"),
        ("~mask", "~"),
        ("~(a & b)", "~ &"),
        ("a | b", "|"),
        ("a ^ b", "^"),
        ("a == b", "=="),
        ("a != b", "=="),
        ("x += 1", "+="),
        ("x *= 2", "+="),
        ("t[::-1]", "::-1"),
        ("取余 % 的符号", "%"),
        # Signs that are none
        ("60 % of it, 60% of it, 60 %.", ""),
        ("%d items", ""),
        ("@torch.no_grad()", ""),
        ("f(*args, **kwargs)", ""),
        ("x = x.mean(); c++; -1; a->b", ""),
        ("~/.cache", ""),
        ("and/or, /tmp", ""),
        ("https://example.org", ""),
        ("pip install torch==2.13.0", ""),
        ("make && make test || exit", ""),
        ("from a import b", ""),
    ],
)
def test_operators_are_words(text: str, operator: str):
    (found,) = terms([text])
    assert " ".join(one for one in found if not re.search(r"\w", one) or one == "::-1") == operator


@pytest.mark.parametrize(("query", "page"), [("@", "one"), ("a @ b", "one"), ("==", "two"), ("x != y", "two")])
def test_an_operator_leads_to_the_page_of_that_operator(index, query: str, page: str):
    one = _page("a/one", "matmul or @", "Matrices are multiplied by @, and b is one.", [])
    two = _page("a/two", "== and equal", "a, b, x and y are compared by ==.", [])
    other = _page("a/three", "Letters", "a, b, x and y, and a, b, x and y.", [])
    assert first(index(one, two, other), query) == f"en/a/{page}/#"


# -- Messages -------------------------------------------------------------------------------------

ERROR = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (ERROR, ERROR),
        (f"  {ERROR}\n", ERROR),
        ("how to detach", "how to detach"),
        ("what does ValueError: mean", "what does ValueError: mean"),
        (f"[rank0]: {ERROR}", ERROR),
        (f'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    x @ y\n{ERROR}', ERROR),
        (f'Traceback (most recent call last): File "a.py", line 3, in <module> x @ y {ERROR}', ERROR),
        (f'[rank1]: Traceback (most recent call last): [rank1]: File "a.py", line 3, in f [rank1]: {ERROR}', ERROR),
        (f'2026-01-02 ERROR Traceback (most recent call last): File "a.py", line 3, in f {ERROR}', ERROR),
        (
            f"---------\nRuntimeError   Traceback (most recent call last)\nCell In[3], line 1\n----> 1 x @ y\n\n{ERROR}",
            ERROR,
        ),
        (
            'RuntimeError: Caught RuntimeError in worker 0. Original Traceback (most recent call last): File "w.py", '
            f"line 3, in f {ERROR}",
            ERROR,
        ),
        (
            'Traceback (most recent call last):\n  File "a.py", line 3\n'
            'RuntimeError: Error(s) in loading state_dict for Net:\n\tMissing key(s) in state_dict: "fc".',
            'RuntimeError: Error(s) in loading state_dict for Net: Missing key(s) in state_dict: "fc".',
        ),
        (
            'Traceback (most recent call last): File "a.py", line 3 torch.OutOfMemoryError: CUDA',
            "torch.OutOfMemoryError: CUDA",
        ),
        (
            'Traceback (most recent call last): File "a.py", line 3',
            'Traceback (most recent call last): File "a.py", line 3',
        ),
        ("torch.load('/home/bob/secret/a.pt') is slow", "torch.load('…') is slow"),
        (r"open D:\bob\secret\a.pt on train/val/test", "open … on train/val/test"),
        ("加载/home/张三/secret/a.pt失败", "加载…失败"),
        ("~/secret/müller/x.csv", "…"),
        ("a / b and/or https://example.org/bob/a", "a / b and/or https://example.org/bob/a"),
    ],
)
def test_the_message_of_a_traceback(searched: Search, text: str, message: str):
    assert searched.engine.call("verbatimSearch.message", text) == message


def test_a_whole_traceback_on_one_line_finds_the_section_of_its_message(index):
    pages = [
        sections.Page("en/a/mm/", [sections.Section("", "mm", messages=ERROR)]),
        _page(
            "a/workers",
            "Traceback of a worker",
            "Traceback: File, line, in, main, DataLoader, train, most recent call.",
            [],
        ),
    ]
    trace = f'[rank0]: Traceback (most recent call last): File "/w/train.py", line 9, in main DataLoader {ERROR}'
    assert first(index(*pages), trace) == "en/a/mm/#"


def test_of_a_long_message_the_beginning_counts(searched: Search):
    told = "ValueError: the first words matter " + " ".join(
        f"filler{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(60)
    )
    terms = [one["term"] for one in _wanted(searched, told)]
    assert "first" in terms and "matter" in terms
    assert "first" not in [one["term"] for one in _wanted(searched, told.removeprefix("ValueError: the "))]


def _wanted(book: Search, query: str) -> list[dict]:
    return json.loads(str(book.engine.eval(f"JSON.stringify(verbatimSearch.wanted({json.dumps(query)}))")))


@pytest.mark.parametrize(
    ("query", "terms"),
    [
        ("步幅是什么", ["步幅"]),
        ("什么是步幅", ["步幅"]),
        ("步幅是什么意思", ["步幅"]),
        ("为什么要清零", ["要清", "清零"]),
        ("为啥要清零啊", ["要清", "清零"]),
        ("怎么清零", ["清零"]),
        ("清零怎么办", ["清零"]),
        ("怎样清零", ["清零"]),
        ("detach和clone有什么区别", ["detach", "clon"]),
        ("how do I get the shape", ["shap"]),
        ("where", ["wher"]),
        ("torch.where", ["torch", "wher"]),
        ("use to(device)", ["use", "to", "devic"]),
        ("where does it go", ["go"]),
        ("squeeze in pytorch", ["squeez"]),
        ("pytorch", ["pytorch"]),
    ],
)
def test_words_that_only_ask_are_left_out(searched: Search, query: str, terms: list[str]):
    assert [one["term"] for one in _wanted(searched, query)] == terms


@pytest.mark.parametrize(
    ("message", "line", "says"),
    [
        ("AttributeError: Can't pickle local object 'main.<locals>.f'", "can't pickle local object", True),
        (
            "RuntimeError: Caught KeyError in DataLoader worker process 3.",
            "Caught … in DataLoader worker process 0",
            True,
        ),
        (
            "RuntimeError: Caught KeyError in DataLoader worker process 3.",
            "Caught … in DataLoader worker process 0: read its end",
            True,
        ),
        ("TypeError: object of type 'Mine' has no len()", "object of type … has no len()", True),
        ("TypeError: no len() has object of type 'Mine'", "object of type … has no len()", False),
        ("TypeError: object of type 'Mine' has no length", "object of type … has no len()", False),
        # Three words may be chance.
        ("CUDNN_STATUS_NOT_INITIALIZED: out of memory", "out of memory", False),
        ("CUDA error: misaligned address", "", False),
    ],
)
def test_a_message_that_says_a_line_of_a_page(searched: Search, message: str, line: str, says: bool):
    assert searched.engine.call("verbatimSearch.says", message, line) is says


def test_a_pasted_message_that_a_page_only_names_is_not_said_to_be_on_no_page(index):
    names = _page("a/one", "Workers", "Define it in a module.", [], meta={"keywords": ["can't pickle local object"]})
    other = _page("a/two", "Files", "Paths and objects.", [])
    found = index(names, other)
    named = found.ask("AttributeError: Can't pickle local object 'main.<locals>.f'")
    assert named["fits"] and not named["unknown"]
    assert found.ask("AttributeError: Can't get local attribute 'f' on this object of another kind")["unknown"]


def test_of_a_message_that_no_page_shows_sections_with_its_everyday_words_alone_are_not_near(index):
    page = _page(
        "a/one", "Values to draw", "Assign the values to a variable, then call the function on each of them.", []
    )
    found = index(page)
    far = found.ask("RuntimeError: cannot assign to function call here, or the parser stumbled over the comma")
    near = found.ask("RuntimeError: assign the values to a variable")
    assert far["unknown"] and not far["results"]
    assert near["unknown"] and near["results"]


# -- What the dialog needs ------------------------------------------------------------------------


def test_it_says_whether_anything_fits(searched: Search):
    assert searched.ask("squeeze")["fits"]
    assert searched.ask("freeze layers")["fits"]
    answer = searched.ask("freeze the kubernetes deployment of a recommender")
    assert answer["results"]
    assert not answer["fits"]
    assert not searched.ask("kubernetes")["fits"]
    assert searched.ask("in my recommender the torch.cat dimension is wrong every time")["fits"]


@pytest.mark.parametrize("query", ["テンソル", "こうばい", "？？"])
def test_of_a_script_that_it_does_not_know_nothing_is_found(searched: Search, query: str):
    assert searched.ask(query)["results"] == []


def test_only_a_word_that_no_page_has_says_that_nothing_fits(searched: Search):
    assert searched.ask("freeze the kubernetes deployment of a recommender")["strange"]
    assert not searched.ask("indices of the drops on a device")["strange"]
    assert not searched.ask("feeze layers")["strange"], "a slip is no other thing"


@pytest.mark.parametrize(
    "query", ["freze layers", "feeze layers", "freeeze laers", "fine tunne", "devise", "squeze", "zero_gard of None"]
)
def test_a_slip_finds_what_was_meant(searched: Search, query: str):
    meant = {
        "devise": "en/devices/to/#",
        "squeze": "en/shapes/squeeze/#",
        "zero_gard of None": "en/autograd/zero-grad/#",
    }
    assert first(searched, query) == meant.get(query, "en/modules/freeze-layers/#")


def test_the_words_that_may_be_meant_are_fetched_for_an_unknown_word_alone(searched: Search):
    assert "en/words-0.js" not in {name.partition("?")[0] for name in searched.ask("freeze layers")["loaded"]}
    assert "en/words-0.js" in {name.partition("?")[0] for name in searched.ask("feeze layers")["loaded"]}


SAVING = {
    "modules/state": (
        "The state of a trained model in a file",
        "It saves a model in a file, which holds numbers alone.",
    ),
    "distributed/save": ("DDP: a model in a file", "It saves a model in a file, and the model in the file is whole."),
}


def test_the_general_page_comes_before_a_special_one(index):
    """Unless the query has a word that only the special one has."""
    pages = [_page(path, *rest, []) for path, rest in SAVING.items()]
    home = _overview("# Home\n\n[it](modules/state/)")
    found = index(home, *pages)
    assert first(found, "a model in a file, whole") == "en/distributed/save/#"
    assert first(found, "a model in a file") == "en/modules/state/#"
    assert first(found, "a model in a file, DDP") == "en/distributed/save/#"
    alone = index(*pages)
    assert first(alone, "a model in a file") == "en/distributed/save/#"


@pytest.mark.parametrize(
    "query", ["constructor", "toString", "__proto__", "RuntimeError: the constructor says valueOf"]
)
def test_words_that_every_object_has_are_words(searched: Search, query: str):
    searched.ask(f"{query} detach")


def test_texts_are_not_fetched_for_a_query_that_nobody_waits_for(searched: Search):
    searched.ask("squeeze")
    assert any("/page-" in name for name in searched.ask("squeeze")["loaded"])
    searched.engine.eval(
        'verbatimSearch.loaded = []; verbatimSearch.find("squeeze", () => false).then((f) => { told = String(f) }); ""'
    )
    assert searched.engine.eval("told") == "undefined"
    loaded = json.loads(str(searched.engine.eval("JSON.stringify(verbatimSearch.loaded)")))
    assert loaded and not [name for name in loaded if "/page-" in name]


def test_the_questions_of_the_home_page_are_offered():
    home = _overview(
        "# Home\n\n[elsewhere](a/one/)\n\n## Asked { #questions }\n\n"
        "- [Why `one`?](a/one/#s0)\n- [Two?](a/two/)\n- [Gone?](gone/)\n\n"
        "## More { #more }\n\n[more](a/two/)"
    )
    made = files([home, _page("a/one", "One", "Text.", ["Part"]), _page("a/two", "Two", "Text.", [])])
    popular = json.loads(re.search(r'"popular":(\[.*?\]\])', made["index.js"])[1])
    assert popular == [["en/a/one/", "s0", "Why one?"], ["en/a/two/", "", "Two?"]]


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_home_page_asks_questions(language: str):
    text = Path(f"docs/{language}/index.md").read_text(encoding="utf-8")
    section = re.search(rf"^## .*{{ #{QUESTIONS} }}$(.*?)^## ", text, re.MULTILINE | re.DOTALL)
    assert section and len(re.findall(r"^- \[.+\]\(.+\.md.*\)$", section[1], re.MULTILINE)) >= 5


def test_a_name_at_the_border_of_two_parts_is_fetched(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("verbatim.site.search.index.PART", 1)
    with Search(files([_page(path, *rest) for path, rest in PAGES.items()], KNOWN)) as found:
        assert first(found, "cat") == "en/shapes/cat/#"
        assert any(name.startswith("en/terms-") for name in found.ask("cat")["loaded"])


@pytest.mark.parametrize(
    "path", [path for path in sorted(QUERY_LISTS.glob("*.json")) if path.stem != TRACEBACKS], ids=lambda path: path.stem
)
def test_lists_of_queries_are_well_formed(path: Path):
    queries = json.loads(path.read_text(encoding="utf-8"))
    asked = [(one["lang"], one["query"]) for one in queries]
    assert len(set(asked)) == len(asked)
    assert {one["lang"] for one in queries} <= {"zh", "en"}
    assert all(one["query"].strip() and isinstance(one["topics"], list) for one in queries)
