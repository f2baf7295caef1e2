"""What a PyTorch error or warning means and what to do, from PyTorch Verbatim, a cookbook printed by PyTorch itself.

`explain` recognises a message. ``python -m pytorch_verbatim`` does so in a terminal, ``import pytorch_verbatim.hook``
below each traceback, ``%load_ext pytorch_verbatim`` in IPython and Jupyter, ``pytest -p pytorch_verbatim.pytest`` below
each failing test. Nothing is imported before it is needed, torch never, and nothing is sent anywhere.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as in `typing`, which takes longer to import than all of this
if TYPE_CHECKING:
    from typing import Any, Optional

    from pytorch_verbatim.explaining import Explanation

__all__ = ["explain", "load_ipython_extension", "unload_ipython_extension"]


def explain(text: str, language: Optional[str] = None, torch: Optional[str] = None) -> Optional[Explanation]:
    """Return what the book knows of the message in a text; ``None`` if it knows none.

    Args:
        text: A message with its class, or a log: the last traceback in it counts.
        language: ``zh`` or ``en``; by default that of the reader.
        torch: The release of torch that the reader has, such as ``2.4.1``; by default that of an imported torch.
    """
    from pytorch_verbatim import explaining

    return explaining.explain(text, language, torch)


def load_ipython_extension(shell: Any) -> None:
    """Explain errors below their tracebacks: ``%load_ext pytorch_verbatim``."""
    from pytorch_verbatim import notebook

    notebook.load(shell)


def unload_ipython_extension(shell: Any) -> None:
    """Stop explaining: ``%unload_ext pytorch_verbatim``."""
    from pytorch_verbatim import notebook

    notebook.unload(shell)
