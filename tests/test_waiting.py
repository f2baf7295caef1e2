"""Waiting: for what is complete, and not for ever where it cannot come."""

from __future__ import annotations

import socket
import threading

import pytest

from tests import waiting
from tests.waiting import Program, closed, listening, until, waits


@pytest.fixture
def program(tmp_path):
    """Run a program that is given as text, until the test ends."""
    started: list[Program] = []

    def program(text: str) -> Program:
        (tmp_path / "told.py").write_text(text)
        started.append(Program(("told",), cwd=tmp_path, log=tmp_path / "log", PYTHONPATH=str(tmp_path)))
        return started[-1]

    yield program
    for one in started:
        with one:
            pass


HALVES = """
import os, time

print("at tcp://1", end="", flush=True)
while not os.path.exists("go"):
    time.sleep(0.01)
print("27", flush=True)
time.sleep(600)
"""


def test_a_line_that_is_half_written_is_not_read(program, tmp_path, monkeypatch):
    slow = program(HALVES)
    until(lambda: slow.said == "at tcp://1")
    monkeypatch.setattr(waiting.time, "sleep", lambda _: (tmp_path / "go").touch())  # after the first look
    assert slow.line(r"at (tcp://\d+)")[1] == "tcp://127"
    assert slow.runs and slow.end() == "at tcp://127\n" and not slow.runs


def test_who_ends_without_the_line_is_not_waited_for(program):
    with pytest.raises(AssertionError, match=r"it ended with 3 and never said at tcp:(?s:.*)no port is free"):
        program("print('no port is free', flush=True)\nraise SystemExit(3)\n").line("at tcp:")
    assert program("print('at last')\n").line("at (.*)")[1] == "last"  # it has ended, and what it said is there


def test_what_holds_is_returned_and_what_never_does_is_told():
    values = iter([None, "", "there"])
    assert until(lambda: next(values)) == "there"
    with pytest.raises(AssertionError, match="it never came"):
        until(lambda: False, seconds=0)


def test_ports_are_held_as_long_as_they_are_used():
    with listening() as port, closed() as nobody:
        socket.create_connection(("127.0.0.1", port)).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", nobody))
        for taken in (port, nobody):
            with pytest.raises(OSError, match="in use"), socket.socket() as other:
                other.bind(("127.0.0.1", taken))


def test_a_thread_is_seen_to_wait():
    event = threading.Event()
    thread = threading.Thread(target=event.wait)
    assert not waits(thread)
    thread.start()
    until(lambda: waits(thread))
    event.set()
    thread.join()
    assert not waits(thread)
