"""What scripts print, and what pages say of it."""

from __future__ import annotations

import pytest

from tests.checks.recipe import EN, PY, WHOLE, ZH, on_pages

MISTAKES = {
    "a number in prose that was not printed": (EN, "value is 0.1234,", "value is 0.1235,", ":22: `0.1235` stands neither in the code nor in the outputs"),
    "a number at a sentence's end that was not printed": (EN, WHOLE, "It is 0.1235.", ":10: `0.1235` stands neither"),
    "a list in prose that was not printed": (EN, "[0.1234, 0.5]", "[0.1234, 0.6]", ":22: `0.6` stands neither in the code nor in the outputs"),
    "a list in a caption that was not printed": (EN, "1, 2 and 4", "[1, 2, 7]", ":40: `7` stands neither in the code nor in the outputs"),
    "a list in a Chinese caption": (ZH, "上升的线", "经过 [1, 2, 7] 的线", ":40: `7` stands neither in the code nor in the outputs"),
}  # fmt: skip

test_mistakes = on_pages(MISTAKES)


IN_SCRIPTS = {
    "a header without a space": ("# %% joins", "#%% joins", f"{PY}:8: `#%% joins` begins no cell\n  hint: write # %% joins"),
    "a header that is indented": ("# %% joins", "  # %% joins", f"{PY}:8: `# %% joins` begins no cell"),
    "an output of many lines": ("print(torch.cat([image, image]).shape)", "print('\\n'.join('abc' for _ in range(100)))", f"{PY}:9: cell `joins` prints 101 lines"),
    "a line of many letters": ("print(torch.cat([image, image]).shape)", "print('a' * 1001)", f"{PY}:9: cell `joins` prints a line of 1001 characters"),
    "black ink": ("plt.plot([1, 2, 4])", 'plt.plot([1, 2, 4], color="black")', f"{PY}:16: cell `drawing` draws in #000000"),
    "grey ink": ("plt.plot([1, 2, 4])", 'plt.plot([1, 2, 4], color="0.5")', f"{PY}:16: cell `drawing` draws in #808080"),
    "Chinese in a figure": ("plt.plot([1, 2, 4])", 'plt.title("损失")', "gave UserWarning: Glyph"),
    "a comment in Chinese": ("# (row, column)", "# 行、列", f"{PY}:6: a comment is not in English"),
    "a title in Chinese": ("Joining tensors.", "拼接张量。", f"{PY}:1: the title is not in English"),
    "a note of what is to be done": ("# (row, column)", "# TODO: why?", f"{PY}:6: left to do: `TODO`"),
    "a mark in a string that turns the line around": ("two shapes", "two \u202eshapes", f"{PY}:13: U+202E (right-to-left override) cannot be seen"),
    "a figure of very many points": ("plt.plot([1, 2, 4])", "plt.plot([i * i % 77 for i in range(4500)], 'o')", f"{PY}:16: cell `drawing` draws a figure of"),
    "a warning filtered away": ("image = torch", "import warnings\n\nwarnings.simplefilter('ignore')\nimage = torch", f"{PY}:8: cell `setup` keeps a warning from the reader"),
    "too much, by the cell that printed it": ("print(torch.cat([image, image]).shape)", "print('a' * 3_000_000)", f"{PY}:9: cell `joins` printed more than 1 MiB"),
}  # fmt: skip


@pytest.mark.parametrize(("old", "new", "message"), IN_SCRIPTS.values(), ids=IN_SCRIPTS)
def test_mistakes_in_scripts(told, old, new, message):
    found = told(**{PY: (old, new)})
    assert message in found, found


def test_a_script_that_fails_is_told_and_not_what_its_page_quotes(told):
    found = told(**{PY: ("print(torch.tensor([0.1234, 0.5]).tolist())", "1 / 0")})
    assert "cell `joins` raised ZeroDivisionError" in found and "stands neither" not in found


def test_a_filter_that_says_why_is_left_alone(told):
    assert "keeps a warning" not in told(
        **{PY: ("image = torch", "import warnings\n\n# one core\nwarnings.simplefilter('ignore')\nimage = torch")}
    )


#: Commands above an output, and what its script prints.
LOOKS = '"""T."""\n\n# %% look\nfor command in ("nproc", "df -h /dev/shm"):\n    print("$", command, flush=True)\n    print(2)\n'
PAGE = "# T\n\n{above}```example\nexamples/topic/a.py#look\n```\n"


def commands(told, above: str, script: str = LOOKS) -> list[str]:
    book = {"examples/topic/a.py": script, "docs/zh/topic/a.md": PAGE.format(above=above)}
    return [str(one).partition("\n")[0] for one in told(of=book).problems if "the output below" in str(one)]


@pytest.mark.parametrize(
    "above",
    [
        "```bash\nnproc\ndf -h /dev/shm\n```\n\n",
        "```bash\n# cores, then shared memory\nnproc  # cores\n\ndf \\\n  -h /dev/shm\n```\n\n",
        "```bash\ntorchrun train.py\n```\n\nWhat the machine has:\n\n",
        "",
    ],
    ids=["what was run", "with comments, on several lines", "commands that prose keeps apart", "no commands"],
)
def test_an_output_of_the_commands_above_it(told, above):
    assert commands(told, above) == []


def test_an_output_of_other_commands_than_those_above_it(told):
    assert commands(told, "```bash\nnproc\npip check\n```\n\n") == [
        "docs/zh/topic/a.md:3: the output below is not of the command `pip check`",
        "docs/zh/topic/a.md:3: the output below is of `df -h /dev/shm`, too, which is not shown",
    ]
    silent = '"""T."""\n\n# %% look\nprint(2)\n'
    assert commands(told, "```bash\nnproc\n```\n\n", silent) == [
        "docs/zh/topic/a.md:3: the output below is not of the command `nproc`"
    ]


def test_commands_whose_output_no_machine_has_printed_are_left_alone(told):
    nowhere = LOOKS.replace("# %% look", '# %% look needs="windows"')
    assert commands(told, "```powershell\nwhere python\n```\n\n", nowhere) == []
