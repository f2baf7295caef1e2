"""A real client of the Model Context Protocol asks the server over standard input and output."""

from __future__ import annotations

import json

import pytest

from pytorch_verbatim import data

CLIENT = """
import json, os, sys
import anyio
from mcp import Client, StdioServerParameters, stdio_client

async def main():
    server = StdioServerParameters(
        command=sys.executable, args=["-m", "pytorch_verbatim", "mcp", "--lang", "en"], env=dict(os.environ)
    )
    async with Client(stdio_client(server)) as client:
        tools = {one.name: [one.description, one.input_schema] for one in (await client.list_tools()).tools}
        asked = json.loads(sys.stdin.read())
        told = [await client.call_tool(name, given) for name, given in asked]
        print(json.dumps([tools, [[one.is_error, one.content[0].text] for one in told]]))

anyio.run(main)
"""


@pytest.fixture
def ask(python, shelf, tmp_path):
    def ask(*asked: tuple[str, dict[str, str]], paths=(shelf,)) -> tuple[dict, list[list]]:
        (tmp_path / "client.py").write_text(CLIENT)
        done = python("client.py", given=json.dumps(asked), paths=paths)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    return ask


def test_an_assistant_asks(ask):
    tools, told = ask(
        ("explain", {"message": "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x25088 and 784x10)"}),
        ("explain", {"message": "OSError: [Errno 28] No space left on device"}),
        ("search", {"query": "tensors"}),
        ("page", {"path": "autograd/detach#leaf"}),
        ("page", {"path": "tensors/save", "torch": "2.4.1"}),
        ("page", {"path": "detach"}),
        ("page", {"path": "tensors/save", "torch": "0.1"}),
    )
    assert {name: set(schema["properties"]) for name, (_, schema) in tools.items()} == {
        "explain": {"message"},
        "search": {"query"},
        "page": {"path", "torch"},
    }
    assert all("\n\nArgs:\n    " in about for about, _ in tools.values())
    assert tools["page"][1]["required"] == ["path"]
    texts = [text for wrong, text in told if not wrong]
    explained, unknown, found, section, older, near, unrecorded = texts
    assert "https://book.example/en/" in explained and "printed by torch 2." in explained
    assert unknown.startswith("No page of PyTorch Verbatim")
    assert found.startswith("tensors/save\n  Save tensors") and "printed by torch 2." in found
    assert section.startswith("## It is a leaf { #leaf }\n") and "More of it" not in section
    assert 'title="Warning · recorded · torch 2.4.1"' in older and "printed by torch 2." in older
    assert near.splitlines() == ["There is no page detach.", "autograd/detach"]
    assert "torch 0.1 is not recorded" in unrecorded


def test_without_the_pages_messages_are_explained_all_the_same(ask):
    _, told = ask(
        ("explain", {"message": "RuntimeError: mat1 and mat2 shapes cannot be multiplied (64x25088 and 784x10)"}),
        ("page", {"path": "autograd/detach"}),
        ("search", {"query": "detach"}),
        paths=(),
    )
    assert "https://book.example/en/" in told[0][1]
    assert all(data.book().about["install"]["book"] in text for _, text in told[1:])
