"""Patterns of text that no page may have, one row a rule. `wording` and `syntax` search for them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple


class Rule(NamedTuple):
    """A pattern, and the message and hint for its first match on a line."""

    pattern: re.Pattern[str]
    message: str
    """`{}` is replaced by the match."""
    hint: str


def rule(pattern: str, message: str, hint: str, *, any_case: bool = False) -> Rule:
    """Return a rule whose pattern is given as text."""
    return Rule(re.compile(pattern, re.IGNORECASE if any_case else 0), message, hint)


def broken(rules: Iterable[Rule], line: str) -> Iterator[tuple[str, str]]:
    """Yield message and hint of each rule that a line breaks. Null characters in the line stand for removed parts."""
    for pattern, message, hint in rules:
        if match := pattern.search(line):
            yield message.format(match[0].strip().replace("\0", "…")), hint


#: Rules for English sentences without code and addresses.
ENGLISH_RULES = (
    rule(r"\b(?!that\b|had\b)([A-Za-z]+)\s+\1\b", "`{}` is doubled", "write it once", any_case=True),
    rule("[，。；：？！（）、《》「」]", "`{}` is Chinese punctuation", "English has its own: , . ; : ? ( )"),
    rule(r"\bsimply\b", "`{}` helps nobody for whom it is not simple", "leave it out", any_case=True),
)
#: Rules for Chinese sentences. Many words repeat a character (实实在在); no word repeats one of these.
CHINESE_RULES = (
    rule(
        "的的|了了|是是|和和|与与|把把(?![手柄关脉])|就就|也也|而而|或或|从从|被被|这这(?!那那)|(?<!这这)那那|它它|你你|但但|很很",
        "`{}` is doubled",
        "write it once",
    ),
    rule(
        r"\0 ?, ?\0(?! ?[A-Za-z])",
        "half-width punctuation in Chinese: `{}`",
        "use 、 between names, else ，",
    ),
    rule("您", "`{}` is more polite than this book", "write 你, or leave it out"),
    rule("进行[^，。；：？！]{0,8}?操作", "`{}` is longer than the verb alone", "write 拼接, not 进行拼接操作"),
)
#: Rules for sentences in either language.
COMMON_RULES = (
    rule(r"([，。、；：,;])\1|(?<!\.)\.\.(?!\.)", "`{}` is doubled", "write it once; an ellipsis is …"),
    rule(
        r"(?<=[\w\0])\.\.\.(?!\)|[^“]*”)",
        "`{}` is three full stops",
        "write …; in Chinese ……",
    ),
    rule(
        "[\U0001f300-\U0001faff\ufe0f]",
        "`{}` is an emoji, which files that readers take away cannot show",
        "say it in words; where it is data, in a code span or in quotation marks",
    ),
    rule(
        r"(?<![A-Za-z/])[kmgt]b(?![\w/])",
        "`{}` is no unit of memory",
        "write KB, MB, GB",
    ),
    rule(r"(?<=[\w\0]) [,;:?.](?=\s|$)", "a space stands before `{}`", "write the mark right behind the word"),
    rule(
        r"(?<=\[)(?:here|click here|this|this page|link|这里|点这里|此处|这个|链接)(?=\0)",
        "the link says `{}`, not where it leads",
        "name what one finds there: who listens to links alone hears no more",
        any_case=True,
    ),
)

LINK = "write [text](target)"
#: Rules for Markdown with blanks in place of code and formulas.
MARKDOWN_RULES = (
    rule(
        r"^#{1,6}[^#\s]|^ {1,3}#{1,6}\s",
        "this is no heading that links can lead to",
        "write ## at the line's beginning, and a space",
    ),
    rule(r"\]\s+\((?:[^)\s]+\.md[^)]*\)|https?:)", "a space tears this link apart", LINK),
    rule(
        r"\)\[[^\]\s]*(?:\.md|://)[^\]]*\]|\((?:[^()\s]+\.md|https?:)[^()\s]*\)\[",
        "this link is the wrong way round",
        LINK,
    ),
    rule(
        r"^(?!\s*\[[^\]]+\]:).*(?<![(<\"'\[])https?://\w",
        "this address is text, and no link",
        "write [text](address), or <address>",
    ),
    rule(
        r"<!--(?!\s*(?:meant:|/?benchmarks\b))",
        "this comment stays in the page, where no reader sees it",
        "say it in a sentence, or take it out",
    ),
    rule(
        r"\]\(https://(?:docs\.)?pytorch\.org/docs/[\w.]+/generated/",
        "this link leads to the documentation of a name",
        "write the name in a code span: the build finds its address, and knows names that are misspelt",
    ),
    rule(
        r"\\[(\[]",
        "the formula that `{}` begins is left open",
        r"end it in its paragraph: \(x\), or \[x\] for one that stands alone",
    ),
    rule(r"\[\^[^\]]+\]", "there are no footnotes here", "say it in the sentence, or link to where it is said"),
    rule(
        r"(?<!\\)\$[^$\s](?:[^$\n]*[^$\s])?\$",
        "a formula between `$` is shown as text",
        r"write \(x\), or \[x\] for one that stands alone",
    ),
    rule(r"\[https?://[^\]]*\]\(", "the text of this link is an address", "name what one finds there: [text](address)"),
    rule(r"\]\(\s*\)", "this link leads nowhere", "write its target between ( and )"),
    rule(
        r"(?<![\\\w])__\w+__(?!\w)(?![^{}]*\}$)",
        "`{}` is shown bold and without its underscores",
        "write it in a code span; bold text is **text**",
    ),
    rule(
        r"\S\s*\{:?\s*\.\w+\s*\}$",
        "this mark is shown as text",
        "write it on a line of its own, directly below its paragraph",
    ),
)
