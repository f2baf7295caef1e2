"""No invisible characters, and none of another language than the page's."""

from __future__ import annotations

import ast
import io
import re
import tokenize
import unicodedata
from collections.abc import Iterator

from verbatim.checks.prose import HAN
from verbatim.markdown import CODE_SPAN, without_front_matter
from verbatim.pages.page import Page
from verbatim.problems import Problem
from verbatim.run.script import Script, tree_of

#: Characters that were no longer simplified in 2013: names are written with them, such as 昇腾.
READMITTED = "昇"
#: Characters of private use, which the build uses as placeholders.
PRIVATE_CHARACTER = re.compile("[\ue000-\uf8ff]")
#: Control characters, tabs included, and characters without width or that look like a space. Some reorder a line, so
#: that a reviewer reads another program than Python does.
HIDDEN_CHARACTER = re.compile(
    "[\x00-\x09\x0b-\x1f\x7f-\xa0\xad\u061c\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff]"
)
UNUSUAL_SPACE = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u3000]")
TYPOGRAPHIC_MARK = re.compile("[“”‘’，。；：（）]")
#: Quotations of PyTorch, links, which may be named by error messages, attributes and addresses.
QUOTED_PART = re.compile(r"“[^”]*”|\"[^\"]*\"|\[[^\]]*\]\([^)]*\)|\{[^}]*\}|https?://\S+")
#: What an English sentence speaks about: code, quotations.
QUOTED_TEXT = re.compile(rf"{CODE_SPAN.pattern}|“[^”]*”|\"[^\"]*\"")
ENGLISH_WORD = re.compile(r"[A-Za-z]{2,}")
#: This many English words in a row are an untranslated sentence.
UNTRANSLATED_WORDS = 5
COMMENTS = "shapes and reasons, in English; sentences belong in the pages"
FIX = "python -m verbatim check --fix"


def check_characters(path: str, text: str) -> Iterator[Problem]:
    """Yield each line of a page or a script with a character of private use, or with one that cannot be seen."""
    for number, row in enumerate(
        text.split("\n") if PRIVATE_CHARACTER.search(text) or HIDDEN_CHARACTER.search(text) else (), 1
    ):
        if match := PRIVATE_CHARACTER.search(row):
            message = f"{_code(match[0])} is a character of private use, which looks different everywhere"
            yield Problem(path, number, message, "write it as an escape, or leave it out")
        if match := HIDDEN_CHARACTER.search(row):
            mend = f"{FIX} mends it" if path.endswith(".md") else "write it as an escape, or leave it out"
            yield Problem(path, number, f"{_code(match[0])} cannot be seen, or is taken for a space", mend)


def check_comments(script: Script) -> Iterator[Problem]:
    """Yield Chinese comments, and a Chinese title: both languages show the same code, and its comments are English."""
    if not re.search(f"#.*{HAN}", script.text) and not re.search(HAN, script.title):
        return
    if re.search(HAN, script.title):
        yield Problem(script.path, 1, "the title is not in English", COMMENTS)
    for cell in script.cells:
        try:
            tokens = list(tokenize.generate_tokens(io.StringIO(cell.source).readline))
        except (SyntaxError, tokenize.TokenError):
            continue  # reported as a syntax error
        for token in tokens:
            if token.type == tokenize.COMMENT and re.search(HAN, token.string):
                yield Problem(script.path, cell.line + token.start[0] - 1, "a comment is not in English", COMMENTS)


def check_printed(script: Script) -> Iterator[Problem]:
    """Yield Chinese labels that a script prints; Chinese that is data stands in a variable."""
    if not re.search(rf"print\(.*{HAN}", script.text):
        return
    for cell in script.cells:
        try:
            calls = [node for node in ast.walk(tree_of(cell.source)) if isinstance(node, ast.Call)]
        except SyntaxError:
            continue  # reported as a syntax error
        for call in (call for call in calls if isinstance(call.func, ast.Name) and call.func.id == "print"):
            for part in call.args:
                pieces = part.values if isinstance(part, ast.JoinedStr) else [part]
                texts = (
                    piece.value for piece in pieces if isinstance(piece, ast.Constant) and isinstance(piece.value, str)
                )
                if any(re.search(HAN, text) for text in texts):
                    hint = 'both languages show the same output: print("shape:", x.shape); data stands in a variable'
                    yield Problem(script.path, cell.line + part.lineno - 1, "a Chinese label is printed", hint)


def _code(letter: str) -> str:
    name = unicodedata.name(letter, "")
    return f"U+{ord(letter):04X}" + (f" ({name.lower()})" if name else "")


def fix_characters(text: str) -> str:
    """Return a page without invisible characters: tabs and unusual spaces become spaces; spaces at line ends go."""
    lines = (UNUSUAL_SPACE.sub(" ", line.expandtabs(4)) for line in text.split("\n"))
    return "\n".join(HIDDEN_CHARACTER.sub("", line).rstrip() for line in lines)


def check_language(page: Page) -> Iterator[Problem]:
    """Text outside of code and formulas is in the page's language."""
    lines = page.text.split("\n")
    for number, (line, text) in enumerate(zip(lines, page.plain.split("\n"), strict=True), 1):
        if page.language == "zh":
            if strange := next((letter for letter in re.findall(HAN, line) if not _simplified(letter)), ""):
                hint = "write it as mainland China does"
                yield Problem(page.path, number, f"`{strange}` is no simplified character", hint)
            if _english(text):
                hint = "write it in Chinese; what PyTorch prints stands in “” or in a code span"
                yield Problem(page.path, number, "an English sentence on a Chinese page", hint)
        elif page.language == "en" and (match := re.search(f"{HAN}+", QUOTED_TEXT.sub("", line))):
            hint = "write it in English; Chinese that is data stands in a code span or in quotation marks"
            yield Problem(page.path, number, f"Chinese on an English page: `{match[0]}`", hint)
    body = without_front_matter(page.text)
    for match in CODE_SPAN.finditer(body):
        if curly := TYPOGRAPHIC_MARK.search(match[0]):
            at = body.count("\n", 0, match.start()) + 1
            hint = "write \" or ', and ( ) , ;"
            yield Problem(page.path, at, f"`{curly[0]}` in code, which Python does not read", hint)


def _simplified(letter: str) -> bool:
    """Whether mainland China's first standard for computers has a character, or its standard of 2013 readmitted it.

    It holds the 6,763 simplified characters in general use and next to none of the traditional forms that they
    replaced, and the whole book passes. That does for a page, without a package of conversion tables.
    """
    if letter in READMITTED:
        return True
    try:
        return bool(letter.encode("gb2312"))
    except UnicodeEncodeError:
        return False


def _english(line: str) -> bool:
    """Whether a line is an English sentence. Headings name errors as PyTorch prints them, tables names."""
    if re.search(HAN, line) or line.lstrip().startswith(("#", "|", "!", "<")):
        return False
    return len(ENGLISH_WORD.findall(QUOTED_PART.sub(" ", line))) >= UNTRANSLATED_WORDS
