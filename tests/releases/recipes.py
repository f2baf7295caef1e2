"""A recipe and its record, and outputs as runs give them."""

from __future__ import annotations

from verbatim.book.releases.model import torch_release


def text(*lines: str) -> tuple[dict, ...]:
    return tuple({"output_type": "stream", "name": "stdout", "text": f"{line}\n"} for line in lines)


def error(name: str, message: str) -> tuple[dict, ...]:
    return ({"output_type": "error", "ename": name, "evalue": message, "traceback": [f"{name}: {message}"]},)


SCRIPT = '''
"""A script."""

# %% setup
import torch

# %% value
print(torch.ones(1))

# %% new
torch.no_such_function()

# %% needs-it
print(6)
'''


def installed() -> str:
    import torch

    return torch_release(str(torch.__version__))


#: The recipe of the fixture `recorded`.
RECORDED = """
\"\"\"A script.\"\"\"

# %% setup
import torch

# %% value
print(1)

# %% last
print(2)
"""
