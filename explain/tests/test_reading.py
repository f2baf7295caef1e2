"""The message in a text: of a traceback, of a log of several processes, of hostile ones."""

from __future__ import annotations

import io

import pytest

from pytorch_verbatim import explaining, matching, reading

LOST = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x25088 and 784x10)"
TRACE = f'Traceback (most recent call last):\n  File "a.py", line 3, in <module>\n    f()\n    ~^^\n{LOST}'


@pytest.mark.parametrize(
    "text",
    [
        LOST,
        TRACE,
        f"epoch 1\n{TRACE.replace(LOST, 'KeyError: 1')}\n\nDuring handling of the above exception, another exception occurred:\n\n{TRACE}",
        "\n".join(f"[rank0]: {line}" for line in TRACE.split("\n")),
        "\n".join(f"{other}worker-1  | {line}" for line in TRACE.split("\n") for other in ("worker-2  | loss 0.3\n",)),
        "\n".join(f"2026-11-23T10:00:0{n}Z {line}" for n, line in enumerate(TRACE.split("\n"))),
        TRACE.replace("Traceback", "\x1b[35mTraceback").replace(LOST, f"\x1b[1;31m{LOST}\x1b[0m"),
        f" 50%|#####     | 1/2\r{TRACE}".replace("\n", "\r\n"),
        f"/home/u/a.py:3: {LOST}",
        f"{TRACE}\n\n{TRACE.replace(LOST, 'torch.distributed.elastic.multiprocessing.errors.ChildFailedError: ')}",
        f"RuntimeError: Caught RuntimeError in DataLoader worker process 0.\nOriginal {TRACE}",
    ],
    ids=["line", "traceback", "chain", "rank", "docker", "dates", "colours", "bar", "warning", "torchrun", "worker"],
)
def test_the_message_is_found(text):
    assert reading.messages(text)[0].text.startswith(LOST)
    assert explaining.explain(text, "en").message.text.startswith("RuntimeError: mat1 and mat2")


CHAIN = f"{TRACE}\n\nDuring handling of the above exception, another exception occurred:\n\n{TRACE.replace(LOST, 'wandb.CommError: x')}"


def test_of_a_chain_the_latest_known_error_is_told():
    assert [one.text for one in reading.messages(CHAIN)] == ["wandb.CommError: x", LOST]
    assert explaining.explain(CHAIN, "en").message.text.startswith("RuntimeError: mat1 and mat2")
    apart = CHAIN.replace("During handling of the above exception", "later")
    assert explaining.explain(apart, "en") is None


def test_notes_below_a_message_do_not_hide_it():
    noted = f"{TRACE}\nepoch 3 of 90, batch 17 of 1200, learning rate 0.0001"
    assert [one.text for one in reading.messages(noted)][1:] == [LOST]
    assert explaining.explain(noted, "en").message.text.startswith("RuntimeError: mat1 and mat2")


GROUP = f"""\
  + Exception Group Traceback (most recent call last):
  |   File "a.py", line 9, in <module>
  |     raise ExceptionGroup("workers failed", errors)
  | ExceptionGroup: workers failed (3 sub-exceptions)
  +-+---------------- 1 ----------------
    | Traceback (most recent call last):
    |   File "a.py", line 3, in step
    |     f()
    | {LOST}
    +---------------- 2 ----------------
    | ValueError: bad config
    +---------------- 3 ----------------
    | Traceback (most recent call last):
    |   File "a.py", line 4, in report
    |     g()
    | wandb.CommError: x
    +------------------------------------
"""


@pytest.mark.parametrize("before", ["", "> ", "2026-11-26T13:50:01.123Z "])
def test_of_a_group_the_latest_known_error_is_told(before: str):
    text = "".join(f"{before}{line}" for line in GROUP.splitlines(keepends=True))
    assert [one.text for one in reading.messages(text)] == [
        "wandb.CommError: x",
        LOST,
        "ExceptionGroup: workers failed (3 sub-exceptions)",
    ]
    assert explaining.explain(text, "en").message.text.startswith("RuntimeError: mat1 and mat2")


@pytest.mark.parametrize(
    "text",
    [
        f"2026-11-23 10:00:00,123 ERROR trainer train.py:380 - {LOST}",
        f"[3]<stderr>: {LOST}",
        f"(RayTrainWorker pid=2417, ip=10.0.0.2) {LOST}",
        f"I get `{LOST}` when I run it",
        f"    def f():\n>       g()\nE       {LOST}\n\ntests/test_x.py:3: RuntimeError",
        f"\x1b[0;31mRuntimeError\x1b[0m: {LOST.partition(': ')[2]}",
        f"Exception raised: RuntimeError({LOST.partition(': ')[2]!r})",
        TRACE.replace("\n", " "),
        "\n".join(f">{line}" for line in TRACE.split("\n")),
        "\n".join(line.strip() for line in TRACE.replace("f()", "try: f()").split("\n")),
        f"help!\n```\n{TRACE}\n```\nwhat is it?",
    ],
    ids=["logger", "launcher", "worker", "prose", "pytest", "coloured", "shown", "folded", "quoted", "flat", "fenced"],
)
def test_what_stands_around_a_message_does_not_matter(text):
    assert [one.text for one in reading.messages(text)] == [LOST]


def test_a_traceback_of_one_line_whose_message_quotes_frames():
    quotes = f'{LOST} from user code: File "a.py", line 3, in loss return x'
    assert (
        reading.messages(f'Traceback (most recent call last): File "b.py", line 9, in f g() {quotes}')[0].text == quotes
    )


def test_frames_of_torch_are_seen():
    inside = TRACE.replace("a.py", "/x/site-packages/torch/nn/modules/linear.py")
    called = inside.replace(
        "    f()", '    f()\n  File "/home/u/site-packages-of-mine/net.py", line 9, in forward\n    g()'
    )
    assert [reading.messages(text)[0].in_torch for text in (TRACE, inside, called)] == [False, True, False]
    for frame in (
        "/x/site-packages/torch/a.py:33: RuntimeError",
        "File C:\\x y\\site-packages\\torch\\a.py:3, in f(x)",
    ):
        assert reading.messages(f"{frame}\n{LOST}")[0].in_torch, frame


def test_what_no_page_shows_is_said_with_what_is_near(capsys):
    told = explaining.unknown("TypeError: conv2d(): argument 'input' (position 1) must be Tensor, not tuple", "en")
    assert told.startswith(f"{explaining.WORDS['en']['unknown']}\n{explaining.WORDS['en']['like']}\n- ")
    assert "lstm-outputs" in told and told.count("https://") <= 1 + explaining.MOST_OTHERS
    nothing = explaining.unknown("IndexError: list index out of range", "en")
    assert nothing == f"{explaining.WORDS['en']['unknown']}\n"


def test_there_may_be_none():
    assert reading.messages("") == reading.messages(" \n ") == [] and explaining.explain("all is well", "en") is None


HOSTILE = {
    "long": "RuntimeError: " + "x" * 100_000_000,
    "words": "RuntimeError: " + "mat1 and mat2 " * 100_000,
    "braces": "RuntimeError: " + "([{" * 200_000,
    "quotes": "RuntimeError: " + "'\"`" * 200_000,
    "path": "RuntimeError: " + "a" * 100_000 + "/b" * 100_000,
    "numbers": "RuntimeError: " + "1.1x" * 100_000,
    "dots": "a." * 200_000 + "Error",
    "places": "a" + ":1" * 200_000,
    "orders": "\x1b[" * 200_000 + "0;" * 200_000,
    "titles": "\x1b]" + "0" * 400_000,
    "lines": "\n" * 500_000,
    "tracebacks": "Traceback (most recent call last)\n" * 20_000,
    "prefixes": "".join(f"[rank{n}]: Traceback (most recent call last):\n[rank{n}]:   File\n" for n in range(10_000)),
    "errors": "xError " * 100_000,
    "controls": "".join(map(chr, range(32))) * 10_000,
    "surrogates": "RuntimeError: \ud800" * 10_000,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_what_is_looked_at_is_bounded(text, monkeypatch):
    """No expression gets more than so many characters, however long the text is."""
    lines, words = [], []
    raised, cut = reading._raised, matching.Rules.words

    def looked(given, at, **how):
        lines.append(sum(map(len, given)))
        return raised(given, at, **how)

    def counted(self, given):
        found = cut(self, given)
        words.append(len(given))
        assert len(found.names) <= self.given["LIMIT"]
        return found

    monkeypatch.setattr(reading, "_raised", looked)
    monkeypatch.setattr(matching.Rules, "words", counted)
    found = reading.messages(text)
    assert len(found) <= reading.MOST_TRACEBACKS + 1 and all(
        len(one.text) <= reading.MESSAGE_CHARACTERS for one in found
    )
    explaining.explain(text, "en")
    assert len(lines) <= 2 * reading.MOST_TRACEBACKS and all(size <= reading.LOG_CHARACTERS + 1 for size in lines)
    assert all(size <= reading.MESSAGE_CHARACTERS for size in words) and len(words) < 3000


def test_of_a_stream_the_end_is_kept():
    class Endless(io.RawIOBase):
        left = 500

        def read(self, size=-1):
            self.left -= 1
            return b"x" * size if self.left > 0 else b"end" if self.left == 0 else b""

    kept = reading.last(Endless())
    assert len(kept) == reading.LOG_CHARACTERS and kept.endswith("xend")


def test_nothing_of_a_message_is_printed():
    found = explaining.explain(f"\x1b[31m{LOST}\x1b]0;title\x07\x1b[0m", "zh")
    told = explaining.whole(found) + explaining.below(found)
    assert not [one for one in told if ord(one) < 32 and one != "\n"] and "25088 and 784" not in explaining.below(found)
