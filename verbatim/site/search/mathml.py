"""Formulas as text, for excerpts: the MathML that KaTeX writes → ``(n, k) × (k, m)``. Pure."""

from __future__ import annotations

import re
from xml.etree import ElementTree

_MATH_ELEMENT = re.compile(r"<math\b.*?</math>", re.DOTALL)
_NAMESPACE_ATTRIBUTE = re.compile(r"\sxmlns=\"[^\"]*\"")
#: What stands between two spaces where it joins: equalities, arrows, products, sums.
_JOINING_SIGN = re.compile(r"[=≠<>≤≥≪≫≈≡∼≅∝∈∉⊂⊆→←↦⇒⇔×⋅·⊙⊗⊕∘∗+−±:]")
#: After these a sign joins nothing: it belongs to what follows.
_OPENING_SIGN = re.compile(r"(?:^|[(\[{,;/^_]|[=≠<>≤≥≈∼∈→×⋅·⊙+−] )$")
#: What MathML has between a function and what it is of; other signs that nobody sees are taken for it.
_APPLIED = "\u2061"
_INVISIBLE_SIGN = re.compile("[\u2061-\u2064\u200b]")
_NAME = re.compile(r"[^\W_]|√")
#: Elements after which a name needs a space, as in ``q_k log p_k``.
_SPACED_ELEMENTS = {"mfrac", "msqrt", "mstyle", "msub", "msup", "msubsup", "munder", "munderover"}
_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
#: What stands above a letter, as the mark that text has for it.
_ACCENT_MARKS = {"^": "\u0302", "~": "\u0303", "ˉ": "\u0304", "‾": "\u0304", "¯": "\u0304", "˙": "\u0307", "⃗": "\u20d7"}
_CLOSED_TERM = re.compile(r"[\w.⊤]+|\(.*\)|√\(.*\)")


def text(formula: str) -> str:
    """Return a formula as text on one line. ``formula``: what KaTeX made of it, a ``<math>`` element within HTML."""
    math = _MATH_ELEMENT.search(formula)
    try:
        root = ElementTree.fromstring(_NAMESPACE_ATTRIBUTE.sub("", math[0] if math else ""))
    except ElementTree.ParseError:
        return ""
    return " ".join(_of(root).split())


def _of(element: ElementTree.Element) -> str:
    parts = list(element)
    match element.tag, len(parts):
        case "annotation", _:
            return ""
        case "mo" | "mi" | "mn" | "mtext", _:
            return _INVISIBLE_SIGN.sub(_APPLIED, element.text or "")
        case "mspace", _:
            return " "
        case "mfrac", 2:
            above, below = map(_of, parts)
            choose = element.get("linethickness") == "0px"
            return f"{above} over {below}" if choose else f"{_grouped(above)}/{_grouped(below)}"
        case "msqrt", _:
            return f"√{_grouped(_row(parts))}"
        case (("msup" | "msub"), 2):
            base, script = map(_of, parts)
            return _raised(base, script) if element.tag == "msup" else _lowered(base, script)
        case (("msubsup" | "munderover"), 3):
            base, below, above = map(_of, parts)
            return _raised(_lowered(base, below), above)
        case "mover", 2:
            base, above = map(_of, parts)
            return base + _ACCENT_MARKS[above] if above in _ACCENT_MARKS and len(base) == 1 else base
        case "munder", 2:
            base, below = map(_of, parts)
            return _lowered(base, below)
        case "mtable", _:
            return "; ".join(", ".join(map(_of, row)) for row in parts)
    return _row(parts)


def _row(parts: list[ElementTree.Element]) -> str:
    """Return what stands in a row, with spaces as in print."""
    made = ""
    before = ""
    for part in parts:
        own, sign = _of(part), part.tag == "mo"
        if own == _APPLIED:  # between a function and what it is of
            made += " "
        elif sign and own == ",":
            made = f"{made.rstrip()}, "
        elif sign and _JOINING_SIGN.fullmatch(own) and not (own in "−+" and _OPENING_SIGN.search(made)):
            made = f"{made.rstrip()} {own} "
        elif own == "(" and before == _APPLIED:
            made = made.rstrip() + own
        elif (
            _NAME.match(own)
            and made[-1:].isalnum()
            and (before in _SPACED_ELEMENTS or (len(own) > 1 and part.tag == "mi"))
        ):
            made += f" {own}"
        else:
            made += own
        before = own if own == _APPLIED else part.tag
    return made.strip(" ")  # a space that does not break was written


def _grouped(part: str) -> str:
    """Return a part of a fraction, in brackets where it is more than one thing."""
    return part if _CLOSED_TERM.fullmatch(part) else f"({part})"


def _raised(base: str, above: str) -> str:
    if above in ("⊤", "T"):
        return f"{base}ᵀ"
    return base + above.translate(_SUPERSCRIPTS) if above.isdecimal() else f"{base}^{_grouped(above)}"


def _lowered(base: str, below: str) -> str:
    return base + below.translate(_SUBSCRIPTS) if below.isdecimal() else f"{base}_{_grouped(below)}"
