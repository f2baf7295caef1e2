"""A page runs from top to bottom as it is shown."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from tests.site.test_plugin import command
from verbatim.book.gather import Book, gather
from verbatim.checks import order
from verbatim.pages.page import load_pages
from verbatim.problems import Problem

PATH = "examples/topic/a.py"
ZH, EN = "docs/zh/topic/a.md", "docs/en/topic/a.md"

#: The cells of a script, and the order in which a page shows them.
Case = tuple[str, str]

#: Two cells that need each other's order, as many mistakes have.
COUNTS = "# %% first\ncount = 1\n\n# %% second\ncount += 1\n\n# %% third\nprint(count)\n"


def embeds(names: str) -> str:
    return "\n".join(f"```example\n{PATH}#{name}\n```\n" for name in names.split())


@pytest.fixture
def book(project, write) -> Callable[..., Book]:
    """Return a book of one script, whose pages show these cells in this order; `front`: lines of their front matter."""

    def book(cells: str, zh: str, en: str = "", front: str = "") -> Book:
        write(PATH, '"""T."""\n\n' + cells)
        for path, names in ((ZH, zh), (EN, en or zh)):
            write(path, f"---\ntitle: T\n{front}---\n\n# T\n\n{embeds(names)}")
        found = gather(project)
        assert not found.problems
        return found

    return book


@pytest.fixture
def told(book) -> Callable[..., list[Problem]]:
    """Return what is told of such a book."""

    def told(*arguments: str, front: str = "") -> list[Problem]:
        made = book(*arguments, front=front)
        return order.check(made, load_pages(made.project)[0])

    return told


#: What is right, and needs a run of its own.
RIGHT: dict[str, Case] = {
    "cells in another order": (
        "# %% first\nprint(1)\n\n# %% second\nprint(2)\n",
        "second first",
    ),
    "a hidden cell that others do not need": (
        "# %% first\ncount = 1\n\n# %% proof hidden=true\nassert count == 1\n\n# %% second\nprint(count)\n",
        "first second",
    ),
    "an error that the page shows, with more below it": (
        '# %% second raises="ValueError"\nint("x")\n\n# %% first\ncount = 1\n\n# %% third\nprint(count)\n',
        "first second third",
    ),
    "a warning that the page shows": (
        '# %% second warns="UserWarning"\nimport warnings\n\nwarnings.warn("Careful.")\n\n# %% first\ncount = 1\n',
        "first second",
    ),
    "a cell that varies": (
        "# %% setup hidden=true\ncount = 1\n\n# %% shown varies=true\nprint(globals().get('count'))\n",
        "shown",
    ),
    "an error that varies in its words": (
        "# %% setup hidden=true\ncount = 1\n\n"
        "# %% shown varies=true raises=\"ValueError\"\nraise ValueError(globals().get('count'))\n",
        "shown",
    ),
    "a cell that this machine lacks something for": (
        '# %% second needs="windows"\nprint(count)\n\n# %% first\ncount = 1\n',
        "first second",
    ),
    "code that reads and pickles itself": (
        "# %% proof hidden=true\nassert True\n\n"
        "# %% use\nimport inspect\nimport pickle\n\n\n"
        "class Pair:\n    left = 1\n\n\n"
        "def double(x):\n    return 2 * x\n\n\n"
        "print(inspect.getsource(double))\nprint(inspect.getsource(Pair))\n"
        "print(pickle.loads(pickle.dumps(Pair())).left, pickle.loads(pickle.dumps(double))(2), __file__)\n",
        "use",
    ),
    "a traceback, which names lines": (
        "# %% second\nimport traceback\n\ntry:\n    int('x')\nexcept ValueError:\n    traceback.print_exc()\n\n"
        "# %% first\nprint(1)\n",
        "first second",
    ),
}

#: What is wrong → its cells, and what is told of the Chinese page.
WRONG: dict[str, tuple[str, str, str]] = {
    "a hidden import": (
        "# %% setup hidden=true\nimport math as constants\n\n# %% shown\nprint(constants.pi)\n",
        "shown",
        ":7: cell `shown` raises NameError: name 'constants' is not defined where the page is run from top to bottom\n"
        "  hint: `constants` comes from the cell `setup` (examples/topic/a.py:3), which is hidden: show it above,",
    ),
    "a function that stands below its use": (
        "# %% define\ndef double(x):\n    return 2 * x\n\n\n# %% use\nprint(double(2))\n",
        "use define",
        ":7: cell `use` raises NameError: name 'double' is not defined where the page is run from top to bottom\n"
        "  hint: `double` comes from the cell `define`, which stands on line 11: show that above",
    ),
    "a loop's variable that is not on the page": (
        "# %% loop\nfor step in range(3):\n    pass\n\n# %% use\nprint(step)\n",
        "use",
        "`step` comes from the cell `loop` (examples/topic/a.py:3), which is not on this page",
    ),
    "another number": (
        COUNTS,
        "first third second",
        ":11: cell `third` prints something else where the page is run from top to bottom\n"
        "--- examples/topic/a.py#third (shown)\n+++ examples/topic/a.py#third (from top to bottom)\n@@ -1 +1 @@\n-2\n+1\n"
        "  hint: show above it what it uses; if it must differ, say why: order: {third: …}",
    ),
    "a number that was drawn behind a hidden cell": (
        "# %% setup\nimport torch\n\ntorch.manual_seed(0)\n\n# %% proof hidden=true\nassert torch.rand(3).shape == (3,)\n\n"
        "# %% draw\nprint(torch.rand(1))\n",
        "setup draw",
        ":11: cell `draw` prints something else",
    ),
    "another error": (
        '# %% setup hidden=true\ncount = 0\n\n# %% shown raises="ZeroDivisionError"\n1 / count\n',
        "shown",
        "cell `shown` raises NameError: name 'count' is not defined",
    ),
    "another message of one error": (
        "# %% setup hidden=true\nword = \"x\"\n\n# %% shown raises=\"ValueError\"\nint(globals().get('word', 'y'))\n",
        "shown",
        "cell `shown` raises ValueError: invalid literal for int() with base 10: 'y'",
    ),
    "no error where one is shown": (
        "# %% setup hidden=true\nword = \"x\"\n\n# %% shown raises=\"ValueError\"\nint(globals().get('word', '1'))\n",
        "shown",
        "cell `shown` prints something else where the page is run from top to bottom\n"
        "--- examples/topic/a.py#shown (shown)",
    ),
    "a warning that a hidden cell silences": (
        "# %% setup hidden=true\nimport warnings\n\nwarnings.simplefilter('ignore')\n\n"
        "# %% shown\nimport warnings\n\nwarnings.warn('Careful.')\n",
        "shown",
        "+UserWarning: Careful.",
    ),
    "an error in a cell that varies": (
        "# %% setup hidden=true\nimport time\n\n# %% shown varies=true\nprint(time.perf_counter())\n",
        "shown",
        "cell `shown` raises NameError: name 'time' is not defined",
    ),
    "an end of the process": (
        "# %% setup hidden=true\ncount = 1\n\n"
        "# %% shown\nimport os\n\nif 'count' not in globals():\n    os._exit(3)\n\n# %% more\nprint(2)\n",
        "shown more",
        ":7: where the page is run from top to bottom, in cell `shown` the process ended with exit code 3",
    ),
}


@pytest.mark.parametrize("case", RIGHT.values(), ids=RIGHT)
def test_what_is_right(book, case):
    made = book(*case)
    pages, _ = load_pages(made.project)
    assert len(order.readings(made, pages)) == 1, "the script's run would have been this one"
    assert order.check(made, pages) == []


@pytest.mark.parametrize(("cells", "names", "expected"), WRONG.values(), ids=WRONG)
def test_what_is_wrong(told, cells, names, expected):
    found = told(cells, names)
    assert expected in "\n".join(map(str, found)), found
    assert {problem.path for problem in found} == {ZH}, "both pages show the same: it is told once"


def test_each_cell_is_told(told):
    cells = "# %% setup hidden=true\nimport math\n\n# %% one\nprint(math.pi)\n\n# %% two\nprint(2)\n\n# %% three\nprint(math.e)\n"
    assert [re.findall("cell `(one|two|three)`", str(one)) for one in told(cells, "one two three")] == [
        ["one"],
        ["three"],
    ]


def test_each_language_is_run_in_its_own_order(told):
    (problem,) = told(COUNTS, "first second third", "first third second")
    assert (problem.path, problem.line) == (EN, 11)


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (COUNTS, "first second third"),
        (COUNTS, "first second"),
        (COUNTS + "\n# %% proof hidden=true\nassert count == 2\n", "first second third"),
    ],
    ids=["all", "the first ones", "all but hidden ones at the end"],
)
def test_what_the_run_of_the_script_has_shown_is_not_run_again(book, monkeypatch, cells, names):
    made = book(cells, names)
    monkeypatch.setattr(order, "Runner", None)
    assert order.check(made, load_pages(made.project)[0]) == []


def test_a_whole_script_is_run_without_its_hidden_cells(told, project, write):
    cells = "# %% setup hidden=true\nimport math\n\n# %% shown\nprint(math.pi)\n"
    told(cells, "shown")
    for path in (ZH, EN):
        write(path, f"---\ntitle: T\n---\n\n# T\n\n```example\n{PATH}\n```\n")
    (problem,) = order.check(gather(project), load_pages(project)[0])
    assert (problem.path, problem.line) == (ZH, 7) and "NameError" in problem.message


def test_each_order_is_run_once(told, project, monkeypatch):
    found = told(COUNTS, "first third second", "second first third")
    assert {problem.path for problem in found} == {ZH, EN}, "each has its own result"
    monkeypatch.setattr(order, "Runner", None)
    assert order.check(gather(project), load_pages(project)[0]) == found


def test_a_script_with_problems_is_told_by_itself(project, write):
    write(PATH, '"""T."""\n\n# %% one\nprint(count)\n\n# %% two\ncount = 1\n')
    write(ZH, f"# T\n\n{embeds('two one')}")
    book = gather(project)
    assert "NameError" in str(book.problems)
    assert order.check(book, load_pages(project)[0]) == []


def test_pages_that_are_not_asked_for_are_not_run(book, monkeypatch):
    made = book(COUNTS, "first third second")
    monkeypatch.setattr(order, "Runner", None)
    assert order.check(made, load_pages(made.project)[0], of=lambda page: page.name == "topic/b.md") == []


def test_an_index_is_a_list(book, project, write):
    book("# %% setup\nimport math\n\n# %% shown\nprint(math.pi)\n", "setup shown")
    write("docs/zh/index.md", f"# T\n\n{embeds('shown')}")
    assert order.check(gather(project), load_pages(project)[0]) == []


# -- reasons ----------------------------------------------------------------------------------------


def test_what_must_differ_says_why(told):
    assert told(COUNTS, "first third second", front="order: {third: readers begin again here}\n") == []


REASONS = {
    "of a cell that does what is shown": (
        "order: {third: readers begin again here, first: it begins}",
        ":3: `order` in the front matter excuses nothing: `first` does what the page shows\n  hint: remove it",
    ),
    "of another cell alone": ("order: {first: it begins anew}", "cell `third` prints something else"),
    "of a cell that is not there": (
        "order: {thirds: readers begin again here}",
        ":3: `order` in the front matter names the cell `thirds`, which the page does not show\n"
        "  hint: did you mean `third`?",
    ),
    "without words": (
        "order: {third: yes}",
        ":3: `order` in the front matter has no reason for each cell\n  hint: write order: {name-of-the-cell: why",
    ),
    "of which a comma makes two": (
        "order: {third: readers begin again here, with the first}",
        "hint: write order: {name-of-the-cell: why it must differ}; quote a reason that has a comma",
    ),
    "for the whole page": (
        "order: because of the RNG",
        ":3: `order` in the front matter has no reason for each cell",
    ),
}


@pytest.mark.parametrize(("front", "expected"), REASONS.values(), ids=REASONS)
def test_reasons(told, front, expected):
    assert expected in "\n".join(map(str, told(COUNTS, "first third second", front=f"{front}\n")))


def test_a_reason_where_nothing_needs_a_run_is_refused(told):
    found = told(COUNTS, "first second third", front="order: {third: readers begin again here}\n")
    assert {problem.path for problem in found} == {ZH, EN}
    assert all("excuses nothing" in problem.message for problem in found)


def test_a_reason_for_a_cell_that_this_machine_does_not_run_is_left_alone(told):
    cells = '# %% second needs="windows"\nprint(count)\n\n# %% first\ncount = 1\n'
    assert told(cells, "first second", front="order: {second: it is run before the first}\n") == []


def test_check_tells_it(book):
    made = book("# %% setup hidden=true\nimport math\n\n# %% shown\nprint(math.pi)\n", "shown")
    said = command(made.project, "verbatim", "check", "topic/a")
    assert f"{ZH}:7: cell `shown` raises NameError" in said.stdout
