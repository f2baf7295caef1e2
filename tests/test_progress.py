"""How far a long step is, on a terminal and elsewhere."""

from __future__ import annotations

import sys

from verbatim import progress
from verbatim.progress import Bar


def test_a_terminal_gets_a_bar_that_goes_away(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    bar = Bar("pages")
    bar(3, 6, "docs/a.md")
    drawn = capsys.readouterr().err
    assert "█" * 15 + "·" * 15 + " 3/6 pages: docs/a.md" in drawn and bar.status == "3/6 pages"
    bar(6, 6, "docs/b.md")
    assert capsys.readouterr().err.endswith("\r\033[K") and bar.status == ""


def test_elsewhere_a_line_is_written_now_and_then(monkeypatch, capsys):
    clock = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: clock[0])
    bar = Bar("scripts")
    for done, now in enumerate((1, 9, 11, 12, 22), 1):
        clock[0] = now
        bar(done, 9, f"{done}.py")
    assert capsys.readouterr().err.splitlines() == ["3/9 scripts: 3.py", "5/9 scripts: 5.py"]


def test_what_is_over_at_once_is_not_shown(monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    Bar()(1, 4, "a.py")
    assert capsys.readouterr().err == ""


def test_what_takes_time_is_said_on_a_terminal_in_a_line_that_goes_away(monkeypatch, capsys):
    progress.doing("pages")
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    with progress.reported():
        progress.doing("pages")
    assert capsys.readouterr().err == "\r\033[Kpages …\r\033[K"
