"""What no test and no script may do, because it fails on a busy machine, or passes there although something is wrong.

Each is told with what to do instead. It is looked for in the syntax tree; the texts of scripts that tests write are not.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from itertools import pairwise

CLOCKS = ("time", "monotonic", "perf_counter", "time_ns", "monotonic_ns", "perf_counter_ns")
#: What takes the address of a socket.
TAKES_ADDRESS = ("bind", "connect", "create_server", "create_connection", "HTTPServer", "ThreadingHTTPServer", "listen")
EXISTS = ("exists", "is_file", "is_dir", "isfile", "isdir")
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def name(node: ast.AST | None) -> str:
    """Return the last word of what is named or called: ``sleep`` of ``time.sleep(1)``."""
    if isinstance(node, ast.Call):
        return name(node.func)
    if isinstance(node, ast.Attribute):
        return node.attr
    return node.id if isinstance(node, ast.Name) else ""


def asks(node: ast.AST, words: tuple[str, ...]) -> bool:
    """Whether something is called in an expression whose name is one of these."""
    return any(isinstance(one, ast.Call) and name(one) in words for one in ast.walk(node))


def clock(node: ast.AST) -> bool:
    """Whether the time of day, or what has passed, is asked for in an expression."""
    calls = (one for one in ast.walk(node) if isinstance(one, ast.Call))
    return any(name(one) in CLOCKS and (name(one) != "time" or _of(one) == "time") for one in calls)


def _of(call: ast.Call) -> str:
    return name(call.func.value) if isinstance(call.func, ast.Attribute) else "time"


def constant(node: ast.AST) -> str:
    """Return a text or a number that is written there; else nothing."""
    return str(node.value) if isinstance(node, ast.Constant) else ""


def port(text: str) -> bool:
    """Whether this is a certain port, and not any that is free."""
    return text.isdigit() and int(text) > 0


# -- what is refused ------------------------------------------------------------------------------


def sleeps(tree: ast.AST) -> Iterator[ast.AST]:
    """wait with `until` of tests/waiting.py for what must come, or hold the other side back: a pause proves nothing"""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name(node) in ("sleep", "wait_for_timeout"):
            yield node


def repeats(tree: ast.AST) -> Iterator[ast.AST]:
    """find out why it fails: a test that is tried again hides it"""
    for node in ast.walk(tree):
        if name(node) == "flaky" or (isinstance(node, ast.Call) and any(one.arg == "reruns" for one in node.keywords)):
            yield node


def times(tree: ast.AST) -> Iterator[ast.AST]:
    """count something else than seconds, such as calls, or processor time: on a busy machine all takes longer"""
    for function in filter(lambda node: isinstance(node, (*FUNCTIONS, ast.Module)), ast.walk(tree)):
        known = {
            name(target)
            for node in _own(function)
            if isinstance(node, ast.Assign) and clock(node.value)
            for target in node.targets
        }
        for node in _own(function):
            if isinstance(node, ast.Assert) and any(_bounds(one, known) for one in ast.walk(node.test)):
                yield node


def _bounds(node: ast.AST, known: set[str]) -> bool:
    """Whether a clock, or what it said before, is compared with a bound."""
    if not isinstance(node, ast.Compare) or not isinstance(node.ops[0], (ast.Lt, ast.LtE, ast.Gt, ast.GtE)):
        return False
    return clock(node) or any(isinstance(one, ast.Name) and one.id in known for one in ast.walk(node))


def _own(function: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function, or of a module, without those of the functions in it."""
    for child in ast.iter_child_nodes(function):
        if not isinstance(child, FUNCTIONS):
            yield child
            yield from _own(child)


def half_written(tree: ast.AST) -> Iterator[ast.AST]:
    """wait until the file is complete, or for a line that its writer prints: it is there before it is written"""
    for node in ast.walk(tree):
        waits = node.test if isinstance(node, ast.While) else None
        if isinstance(node, ast.Call) and name(node) == "until" and node.args:
            waits = node.args[0].body if isinstance(node.args[0], ast.Lambda) else node.args[0]
        if isinstance(waits, ast.UnaryOp):
            waits = waits.operand
        if isinstance(waits, (ast.Call, ast.Attribute)) and name(waits) in EXISTS:
            yield node


def shared_memory(tree: ast.AST) -> Iterator[ast.AST]:
    """ask for single names: other tests and users make files in /dev/shm, too"""
    lists = ("listdir", "scandir", "walk", "iterdir", "glob", "rglob")
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and name(node) in lists:
            texts = (one.value for one in ast.walk(node) if isinstance(one, ast.Constant))
            if any(str(text).startswith("/dev/shm") for text in texts):
                yield node


def fixed_ports(tree: ast.AST) -> Iterator[ast.AST]:
    """have the program take port 0 and say which it got: another may be using this one"""
    for node in ast.walk(tree):
        if isinstance(node, (ast.List, ast.Tuple)):
            for option, value in pairwise(map(constant, node.elts)):
                if option in ("--port", "--dev-addr") and port(value.rpartition(":")[2]):
                    yield node
        if isinstance(node, ast.Call) and name(node) in TAKES_ADDRESS:
            pairs = [one.elts for one in node.args if isinstance(one, ast.Tuple)]
            if any(len(pair) == 2 and port(constant(pair[1])) for pair in [*pairs, node.args[:2]]):
                yield node


def ports_of_nobody(tree: ast.AST) -> Iterator[ast.AST]:
    """use the port while its socket is open (`listening`, `closed` of tests/waiting.py): once closed, others may have it"""
    for function in filter(lambda node: isinstance(node, (*FUNCTIONS, ast.Module)), ast.walk(tree)):
        nodes = [*_own(function)]
        for block in (node for node in nodes if isinstance(node, ast.With)):
            inside = [*ast.walk(block)]
            got = {
                name(target)
                for node in inside
                if isinstance(node, ast.Assign) and asks(node.value, ("getsockname",))
                for target in node.targets
            }
            yield from (node for node in inside if isinstance(node, ast.Return) and asks(node, ("getsockname",)))
            for node in nodes:
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load) and node.id in got:
                    if node.lineno > (block.end_lineno or 0):
                        yield node
        found = {name(node.func.value) for node in nodes if _calls(node, "getsockname")}
        shut = {name(node.func.value) for node in nodes if _calls(node, "close")}
        if found & shut:
            yield next(node for node in nodes if _calls(node, "getsockname"))


def unasserted(tree: ast.AST) -> Iterator[ast.AST]:
    """write `assert` before it: what is only compared can never fail"""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, (ast.BoolOp, ast.Compare)):
            yield node


def addresses(tree: ast.AST) -> Iterator[ast.AST]:
    """wait for the address with `expect(page).to_have_url` or `wait_for_url`: a click returns before the next page came"""
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert):
            inside = (one for one in ast.walk(node.test) if isinstance(one, ast.Attribute) and one.attr == "url")
            if any(name(one.value) == "page" for one in inside):
                yield node


def _calls(node: ast.AST, method: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == method


HABITS: tuple[Callable[[ast.AST], Iterator[ast.AST]], ...] = (
    sleeps,
    repeats,
    times,
    half_written,
    shared_memory,
    fixed_ports,
    ports_of_nobody,
    unasserted,
    addresses,
)


def found(text: str) -> list[tuple[int, str]]:
    """Return what a module does that none may: line and what to do instead."""
    tree = ast.parse(text)
    lines = ((node.lineno, str(habit.__doc__)) for habit in HABITS for node in habit(tree))
    return sorted(set(lines))
