"""What error messages and warnings are recognised by: those that pages show, and the rules of comparison. Pure.

How a reader's message is matched, the same in `docs/assets/search/messages.js` and in the package that readers install,
`explain/src/pytorch_verbatim/matching.py` (a test holds both together):

1. Of a message the first `READ` characters are looked at.
2. Many messages are one sentence with names in it: ``'Net' object has no attribute 'to_gpu'``, ``conv2d() received an
   invalid combination of arguments``. `FORMS` are these sentences, and their groups are the names that make the
   message: the class of the object, the module, the function. Two messages of a form are the same if all these names
   are; a message of a form is never one without. Where the title of the page or of the section says the sentence with
   the first name and none of the others, it is about all of them: ``'DataParallel' object has no attribute``
   (`Template.about`).
3. The first `PYTHON` forms are Python's own sentences. One without a word of PyTorch (`WORDS_OF_PYTORCH`) says nothing
   of PyTorch, whoever got it: it is recognised only if a frame of the traceback lies in torch, and a title says it.
   Readers of the site are told that it is Python's.
4. All other messages are compared by their words. `RULES` take out, one after the other, what differs from reader to
   reader: texts in quotes, paths, addresses, numbers and shapes. The expressions mean the same in Python and
   JavaScript, and take time in proportion to the text, whatever it is; the build hands them, and the numbers below, to
   both. What remains is cut into words, in lower case, the first `LIMIT` of them. Each counts once; their order does
   not count, because releases reword.
5. A word weighs by how rare it is among the messages of all pages: ``log(1 + N / n)``, where ``n`` of ``N`` messages
   have it. A word that only the reader's message has counts `EXTRA` of that, because readers paste more than a
   message; a name (`NAMED`) that only one of them has counts `NAME` of that, because ``Net`` and ``my_layer`` are the
   reader's own.
6. Two messages are alike by the weight of what both have, against that and what only one of them has. Compared are the
   whole texts and their first sentences. From `SURE` on it is the same message; from `ALIKE` on, too, if both share
   `PLENTY`. Of two that have names in quotes and share less than `TELLING`, one of these must be the same. Two are not
   the same that begin with other functions (`CALLED`), or in which one word in small letters is another one, unless
   that is the reader's own (`VARIES`). The class does not count; but one of another library (`ROOT`) is never that of a
   message that pages show.
7. Of several that are the same, those come first that have the same names of a form, then those of whose names in
   quotes, and beginnings of such (``module.``), the reader's has more, then those that are more alike as a whole (both
   in steps of a tenth), then those of which more is said than which releases run the code, then those that have more
   pairs of neighbours in common, all numbers alike: so the order of words counts, and how many dimensions a shape has.
   The rest is the order of all messages, which the build has made (`ordered`): first those on pages whose title says
   the message, then those in sections whose heading says it, then those that are merely shown. A title with numbers or
   a remark in parentheses tells of a case of its own, and comes after one without. Then it is reading order, in which
   what explains comes before what applies it.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from verbatim.lists import errors
from verbatim.lists.places import Sources, once, title
from verbatim.markdown import code, inline_text
from verbatim.pages.other_releases import named

#: Names and other short texts in quotes; sentences stay.
QUOTED = (
    r"(?<![A-Za-z0-9_])'[^' \n]*(?: [^' \n]*){0,2}'(?![A-Za-z0-9_])|\"[^\" \n]*(?: [^\" \n]*){0,2}\""
    r"|`[^` \n]*(?: [^` \n]*){0,2}`"
)
#: A name in quotes, and its first part: ``"module.fc.weight"`` tells by it whose keys they are.
QUOTED_NAME = r"^['\"`]([A-Za-z_][A-Za-z0-9_]*)(?:\.[A-Za-z0-9_]+)*['\"`]$"
#: What else differs from reader to reader: paths, addresses in memory, numbers and shapes.
RULES = (
    QUOTED,
    r"(?<![A-Za-z0-9_.@~+-])(?:[A-Za-z]:)?[\\/]?(?:[A-Za-z0-9_.@~+-]+[\\/])+[A-Za-z0-9_.@~+-]*|(?<=<)/[A-Za-z0-9_]+",
    r"(?<![A-Za-z0-9_])0x[0-9A-Fa-f]+",
    r"(?<![A-Za-z0-9_])[+-]?[0-9]+(?:[.x][0-9]+){0,9}(?:e[+-]?[0-9]+)?(?![A-Za-z0-9_])",
)
#: A word of a message.
WORD = r"[A-Za-z_][A-Za-z0-9_]*"
#: A word that is a name.
NAMED = r"_|[0-9]|[a-z][A-Z]"
#: The class in front of a message. It is no word of it: releases raise the same with another class.
CLASS = (
    r"^(?:(?:[A-Za-z_]\w*\.)+_?[A-Z]\w*"
    r"|_?(?:[A-Z]\w*)?(?:Error|Exception|Warning|Interrupt|Iteration|Exit|Exceeded)):\s+"
)
_CLASS = f"(?:{CLASS}|^)"
#: A class in quotes: its name tells if it is of Python, of NumPy, a tensor, a wrapper. Others are the reader's own.
_KIND = (
    r"'(?:(NoneType|Tensor|Parameter|Proxy|Data[A-Z]\w*|Distributed\w+|FSDP\w*|Subset|ReduceLROnPlateau|\w*[Ii]ter"
    r"|[a-z_][\w.]*|\w+\.[\w.]+)|\w+)'"
)
#: Libraries that come with PyTorch.
_LIBRARIES = r"lib(?:c10|torch|caffe2|cud|cublas|cuf|cur|cus|cupti|nccl|nv|mkl|gomp|shm)"
#: Sentences of Python with names in them; the groups are those that tell.
_OF_PYTHON = (
    rf"{_CLASS}(?:type object )?{_KIND} object has no attribute '(\w+)'",
    rf"{_CLASS}(?:partially initialized )?module '(\w+)((?:\.\w+)*)' has no attribute '(\w+)'",
    rf"{_CLASS}(?:global |free )?name '(\w+)' is not defined",
    rf"{_CLASS}No module named '?(\w+)([\w.]*)",
    rf"{_CLASS}cannot import name '(\w+)' from '([\w.]+)'",
    r"^KeyError: (tensor\(|device\(|\S+$)",
    r"^([A-Za-z_][\w.]*):?\s*$",
    rf"{_CLASS}(\w+(?: \w+)?) index out of range$",
    rf"{_CLASS}(too many|not enough) values to unpack",
    rf"{_CLASS}{_KIND} object (?:is not (\w+)|cannot be (\w+)|(does) not)",
    rf"{_CLASS}unsupported operand type\(s\) for \S+: '(\w+)' and '(\w+)'",
    rf"{_CLASS}([\w.]+)\(\) got an unexpected keyword argument '(\w+)'",
    rf"{_CLASS}(?:(?!Sequential)\w+\.(?=forward|__init__))?([\w.]+)\(\) takes (?:from )?(?:\d+|no|exactly)",
    rf"{_CLASS}(?:\w+\.(?=forward|__init__))?([\w.]+)\(\) missing \d+ required",
    rf"{_CLASS}unsupported format string passed to ([\w.]+)\.__format__",
    rf"{_CLASS}(?!\S*{_LIBRARIES})\S+: cannot open shared object file",
    rf"{_CLASS}object of type {_KIND} has no len\(\)",
    rf"{_CLASS}could not convert string to (\w+)",
    rf"{_CLASS}(\w+)\(\) argument must be .*, not '([\w.]+)'",
    rf"{_CLASS}invalid literal for (\w+)",
    rf"{_CLASS}(?:\w+ )*(?:division|modulo) by zero",
    rf"{_CLASS}Can't instantiate abstract class \w+ with(?:out an implementation for)? abstract methods? '?(\w+)",
    rf"{_CLASS}Object of type (\w+) is not JSON serializable",
    rf"{_CLASS}(?:<urlopen error )?\[Errno (\d+)\]",
    rf"{_CLASS}(Ran out of input|EOF when reading a line|substring not found)",
    rf"{_CLASS}(?:Can't (?:pickle|get)|cannot pickle) (local|attribute|<function|<class|'[\w.]+')",
    r"^(SyntaxError|IndentationError|TabError): ",
    rf"{_CLASS}Command '\[?'?(?:[^' ]*/)?([\w.+-]+)[^\n]*returned non-zero exit status",
)
#: Types of elements, in the names of tensors: ``torch.cuda.FloatTensor``, ``MPSHalfType``.
_TYPES = ("Half", "BFloat16", r"(?<!B)Float", "Double", "Byte", "Char", "Short", "Int", "Long", "Bool")
_SAME_TYPE = "|".join(rf"[\w.]*{one}\w*\) and (?:weight|bias) type \([\w.]*{one}" for one in _TYPES)
#: Those of PyTorch in which a name makes the message, too.
_OF_PYTORCH = (
    rf"{_CLASS}(\w+)\(\) received an invalid combination of arguments",
    rf"{_CLASS}(\w+)\(\): argument '(\w+)'",
    rf"{_CLASS}\"(?=\w+\" not implemented for '(\w+)')(\w+)\"",
    rf"{_CLASS}Could not infer dtype of ([\w.]+)",
    rf"{_LIBRARIES}\S*: cannot open shared object file",
    rf"{_CLASS}\w+ has no attribute `(\w+)`",
    rf"{_CLASS}`?(\w+(?:\.\w+)+)(?:\(args\.\.\.\))?`? is (?:now )?deprecated",
    r"undefined symbol: (?:(_Z)\w*(?:2at|3c10|5torch)|([A-Za-z_]+))",
    rf"Input type \((?:{_SAME_TYPE})",
    r"Input type \(",
    r"BackendCompilerFailed: backend='\w+' raised:\s*([\w.]*)",
)
FORMS = (*_OF_PYTHON, *_OF_PYTORCH)
#: How many of the forms are Python's own.
PYTHON = len(_OF_PYTHON)
#: A word of PyTorch, in a message that Python words. Names in paths do not count.
WORDS_OF_PYTORCH = (
    r"(?<![A-Za-z0-9./\\-])_?(?:torch|[Tt]ensor(?!flow)|cuda|CUDA|cudnn|[Nn][Cc][Cc][Ll]|dynamo|inductor|onnx|ninja|safetensors"
    r"|autograd|[a-z_]*grads?\b|backward|forward|(?:load_)?state_dict|detach|argmax|unsqueeze|softmax|batch_norm|nll_loss"
    r"|pad_sequence|scaled_dot_product|sdpa|FSDP|DDP|Data(?:Loader|Parallel)|Distributed|Module(?:List|Dict)?\b|Linear\b|Sequential\b"
    r"|Parameter\b|Conv\d|LSTM|GRU|ReLU|Sigmoid|Subset\b|LBFGS|RMSprop|Adam|ReduceLR|[A-Z]\w*Norm\b|optimizer\b|dataloader"
    r"|Proxy\b|(?:to|to_|dim|dtype|device|numel|cpu)['\"])|\.forward\(\)|MultiProcessingDataLoader|Backward0|[a-z]_'"
)
#: The first part of a class that is not Python's or PyTorch's own.
ROOT = r"^(?!torch|_?pickle\b|builtins\b)([A-Za-z_]\w*)\.(?:\w+\.)*_?[A-Z]\w*(?=:|\s*$)"
#: The function that a message says at its beginning, which some releases do for products of matrices.
CALLED = r"^(?!(?:add|b|addb)?mm\b)([A-Za-z_][\w.]*)(?:\(\))?: "
#: An error within another's brackets: ``ValueError("arange's range must be a power of 2")``.
WITHIN = r"^[A-Z]\w*\((['\"])(.*)\1,?\)$"
#: A word that is the reader's own, as numbers are, and counts as names do: a type of elements, a device.
VARIES = r"^(?:b?float|double|half|long|int|short|char|u?byte|bool|complex|cpu|cuda|meta|mps|xpu)[0-9]*$|^(?:c10|at)$"
#: What ends the first sentence of a message.
SENTENCE = r"\n|\.\s"
#: How many characters of a message are looked at.
READ = 20_000
#: How many words of a message count: long ones end with advice that all of them give.
LIMIT = 60
#: What a word counts that only the reader's message has.
EXTRA = 0.2
#: What a name counts that only one of two messages has.
NAME = 0.3
#: How alike two messages are that are the same; and that are, if both share `PLENTY`.
SURE = 0.9
ALIKE = 0.6
#: How much two messages share, in weights of a word that one message alone has: at least; for `ALIKE` to be enough; and
#: to need no name in quotes in common.
ENOUGH = 1.25
PLENTY = 4.4
TELLING = 2.5


@dataclass(frozen=True)
class Template:
    """A message that a page shows."""

    text: str
    """All that is printed, with the exception's class."""
    url: str
    """The page, from the site's root."""
    section: str
    """The id of the section; empty for the first one."""
    remedy: str
    """What to do: one paragraph, with code in backticks; empty if the page has to be read."""
    titles: str = ""
    """The titles of the page and of the section, a line each."""
    printed: str = ""
    """The releases of torch, or the Pythons, that print it, in the words of the language; empty if all do."""
    about: int = 0
    """Whether a title says it: 0 none, 1 one does, 2 one says its sentence with the first of its names alone; -1 where
    only releases print it that lack what the page is about."""


#: What stands in a title besides the message: that it is one, and remarks in parentheses.
BESIDE = re.compile(r"^(?:Errors?|Warnings?|报错|警告)[:：]|[(（][^()（）]*[)）]")
#: What tells of a case of its own: numbers and remarks.
OWN = re.compile(r"\d|[(（][^()（）]+[)）]")
#: A word of a title: as of a message, or Chinese, which no message has.
TITLED = re.compile(rf"{WORD}|[\u3400-\u9fff]+")
#: `Template.about` of what only says which releases run the code.
OTHER = -1
#: Titles that say several messages.
PARTS = re.compile(r"[;；、]")
#: How much of a title stands in a message that it says, by weight, and how many words: fewer are a name.
SAYS, FEW = 2 / 3, 3


#: What separates the parts of a title, each of which may say a message.
_CLAUSES = re.compile(r"[;；、]|[:：]\s")


def about(text: str, titles: Sequence[str]) -> int:
    """Return `Template.about` of a message of one of the `FORMS`, on a page and in a section with some titles."""
    found = next(filter(None, (re.search(form, text, re.ASCII) for form in FORMS)), None)
    if not found:
        return 0
    first, *others = [{*re.findall(WORD, name or "")} for name in found.groups()] or [set()]
    own: set[str] = set().union(*others)
    sentence = {*re.findall(WORD, re.sub(f"{_CLASS}|{QUOTED}", " ", found[0]))} - first - own
    told = 0
    for clause in ({*re.findall(WORD, one)} for told_by in titles for one in _CLAUSES.split(told_by)):
        if len(clause & sentence) < SAYS * len(sentence) or not clause & (sentence | first):
            continue
        if first | own <= clause:
            told = max(told, 1)
        elif first and own and first - {"torch", "return_types"} <= clause <= sentence | first:
            told = 2
    return told


@once
def ordered(sources: Sources, language: str) -> list[errors.Message]:
    """Return the messages that the pages of a language show, first those that a page is about (rule 6)."""
    found = errors.messages(sources, language)
    texts = {one.whole: {*_words(one.whole)} for one in found}
    spread = Counter(word for words in texts.values() for word in words)

    def says(text: str, message: errors.Message) -> int:
        """Return 2 if a title says a message, 1 if it does so of a case of its own, 0 if it does not."""
        told = any(said({*_words(part)}, message) for part in PARTS.split(BESIDE.sub("", text)))
        return told * (1 if OWN.search(text) else 2)

    def said(words: set[str], message: errors.Message) -> bool:
        weights = {word: math.log(1 + len(texts) / (spread[word] or 1)) for word in words}
        there = words & texts[message.whole]
        return len(there) >= FEW and sum(weights[word] for word in there) >= SAYS * sum(weights.values())

    reading = {(place.page.name, place.anchor): n for n, place in reversed([*enumerate(sources.places(language))])}

    def order(one: errors.Message) -> tuple[int, int, int]:
        place = one.place
        return -says(title(place.page), one), -says(place.heading, one), reading[place.page.name, place.anchor]

    return sorted(found, key=order)


def _words(text: str) -> list[str]:
    return [word.lower() for word in TITLED.findall(text)]


def templates(sources: Sources, language: str) -> list[Template]:
    """Return the messages that the pages of a language show, in the order of `ordered`."""
    return [_template(sources, message) for message in ordered(sources, language)]


def _template(sources: Sources, message: errors.Message) -> Template:
    place = message.place
    titles = [title(place.page), *([place.heading] if place.anchor else [])]
    said = OTHER if message.runs_with else about(message.whole, titles)
    printing = [*message.torch, *message.pythons]
    return Template(
        message.whole,
        sources.languages.address(place.page.language, place.page.name),
        place.anchor,
        plain(message.remedy),
        "\n".join(dict.fromkeys(map(inline_text, titles))),
        named(printing, place.page.language, sources.book.newest_python) if printing else "",
        said,
    )


def plain(markdown: str) -> str:
    """Return a paragraph of Markdown without links and emphasis; code and formulas keep their marks."""
    return inline_text(markdown, code=code, formula=lambda formula: f"\\({formula.tex}\\)")


def rules() -> dict[str, object]:
    """Return what a browser and the package need to match messages."""
    names: tuple[str, ...] = ("FORMS", "PYTHON", "WORDS_OF_PYTORCH", "CLASS", "ROOT", "CALLED", "WITHIN", "VARIES")
    names += (
        "RULES",
        "QUOTED_NAME",
        "WORD",
        "NAMED",
        "SENTENCE",
        "READ",
        "LIMIT",
        "EXTRA",
        "NAME",
        "SURE",
        "ALIKE",
        "ENOUGH",
        "PLENTY",
        "TELLING",
    )
    return {name: globals()[name] for name in names}
