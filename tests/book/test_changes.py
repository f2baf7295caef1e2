"""What kind of change there is between two outputs."""

from __future__ import annotations

import pytest

from verbatim.book import changes


def printed(*texts: str) -> tuple[dict, ...]:
    """Outputs: a text that begins with an error's class is raised, one with a warning's is warned, others are printed."""
    found = []
    for text in texts:
        name = text.partition(":")[0]
        if name.endswith("Error"):
            found.append({"output_type": "error", "ename": name, "evalue": "", "traceback": [text]})
        else:
            stream = "stderr" if name.endswith("Warning") else "stdout"
            found.append({"output_type": "stream", "name": stream, "text": f"{text}\n"})
    return tuple(found)


@pytest.mark.parametrize(
    ("old", "new", "kind"),
    [
        (("1",), ("1",), ""),
        (("1",), ("2",), "changed"),
        (("1",), ("ValueError: no",), "new error"),
        (("UserWarning: soon",), ("ValueError: no",), "new error"),
        (("1",), ("UserWarning: soon", "1"), "new warning"),
        (("ValueError: no",), ("UserWarning: soon", "ValueError: no"), "new warning"),
        (("ValueError: no",), ("TypeError: no",), "changed message"),
        (("UserWarning: soon",), ("UserWarning: now",), "changed message"),
        (("UserWarning: soon", "1"), ("2",), "message gone"),
        (("ValueError: no",), ("1",), "message gone"),
    ],
)
def test_the_kind_of_a_change(old, new, kind):
    assert changes.kind(changes.said(printed(*old)), changes.said(printed(*new))) == kind


def test_of_a_feature_that_is_not_there_nothing_else_is_said():
    here, gone = changes.said(printed("1")), changes.said(printed("AttributeError: no"), absent=True)
    assert [changes.kind(*two) for two in ((here, gone), (gone, here), (gone, gone))] == ["gone", "new", ""]
