"""No test and no script depends on how busy the machine is."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import habits

ROOT = Path(__file__).parents[1]
#: Where waiting is done for all others.
WAITS = ROOT / "tests/waiting.py"


def test_none_of_them_is_in_a_test_or_a_script():
    files = [path for folder in ("tests", "scripts", "explain/tests") for path in (ROOT / folder).rglob("*.py")]
    assert len(files) > 100 and WAITS in files
    own = (path for path in files if path != WAITS and "node_modules" not in path.parts)
    told = [
        f"{path.relative_to(ROOT)}:{line}: {hint}"
        for path in own
        for line, hint in habits.found(path.read_text(encoding="utf-8"))
    ]
    assert not told, "\n" + "\n".join(told)


BAD = {
    "sleeps": [
        "time.sleep(1)\nassert not seen",
        "from time import sleep\nsleep(0.1)",
        "page.wait_for_timeout(300)",
    ],
    "repeats": [
        "pytestmark = pytest.mark.flaky(reruns=2)",
        "@pytest.mark.flaky\ndef test(): pass",
        "item.add_marker(flaky(reruns=2))",
    ],
    "times": [
        "start = time.monotonic()\nwork()\nassert time.monotonic() - start < 5",
        "def test():\n    start = perf_counter()\n    work()\n    took = perf_counter() - start\n    assert took < 5",
        "def test():\n    took = time.time() - before\n    assert 1 < took",
    ],
    "half_written": [
        "until(file.exists)",
        "until(lambda: os.path.exists(name))\ntext = open(name).read()",
        "while not file.is_file():\n    pass",
    ],
    "shared_memory": [
        'before = set(os.listdir("/dev/shm"))',
        'Path("/dev/shm").iterdir()',
        'Path("/dev/shm").glob("torch_*")',
    ],
    "fixed_ports": [
        'command = ["serve", "--port", "8000"]',
        'start("mkdocs", *("--dev-addr", "localhost:8001"))\nx = ("--dev-addr", "localhost:8001")',
        'socket.create_connection(("127.0.0.1", 9))',
        'ThreadingHTTPServer(("127.0.0.1", 8000), Handler)',
        'preview.listen("127.0.0.1", 8000)',
    ],
    "ports_of_nobody": [
        'with socket.socket() as s:\n    s.bind(("", 0))\n    port = s.getsockname()[1]\nserve(port)',
        'def free():\n    with socket.create_server(("", 0)) as s:\n        return s.getsockname()[1]',
        's = socket.socket()\ns.bind(("", 0))\nport = s.getsockname()[1]\ns.close()\nserve(port)',
    ],
    "unasserted": [
        "shows(page, text) and url == ''",
        "def test():\n    count == 2",
    ],
    "addresses": [
        "link.click()\nassert page.url == address",
        "assert urlsplit(seen.page.url).path == '/'",
    ],
}  # fmt: skip

GOOD = [
    "until(lambda: file.exists() and file.read_text().endswith('end'))",
    "while not ready():\n    pass",
    "assert not file.exists()",
    "assert (tmp_path / 'a').is_file()",
    "def test():\n    before = time.time()\n    assert write(before) == 'x'",
    "assert time.process_time() - before < 5",
    "assert page.time() < 5",
    'CODE = "import time\\ntime.sleep(60)\\n"',
    'def port():\n    with socket.create_server(("127.0.0.1", 0)) as s:\n        yield s.getsockname()[1]',
    'with socket.create_server(("", 0)) as s:\n    port = s.getsockname()[1]\n    run(port)',
    'os.path.exists(f"/dev/shm/{name}")',
    'run("--port", "0")\nx = ("--port", "0")',
    'assert url == "http://localhost:8000/"',
    "server.bind((host, 0))",
    "expect(page).to_have_url(address)",
    "assert page.url_of(part) == link.url",
]


@pytest.mark.parametrize(("habit", "text"), [(habit, text) for habit, texts in BAD.items() for text in texts])
def test_each_is_seen(habit, text):
    assert getattr(habits, habit).__doc__ in [hint for _, hint in habits.found(text)]


@pytest.mark.parametrize("text", GOOD)
def test_what_is_right_is_not_told(text):
    assert habits.found(text) == []


def test_all_are_tried():
    assert [habit.__name__ for habit in habits.HABITS] == [*BAD]
