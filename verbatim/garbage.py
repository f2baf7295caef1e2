"""Says when Python looks for garbage, for commands that read the whole book and keep it until they end.

Python's collector walks again and again over the objects that there are, a last time when Python ends. Here these are
more than a million, of which none is garbage: that took a fifth of a build in which one page had changed.
"""

from __future__ import annotations

import gc

#: After how many new objects Python looks among them for garbage. A build makes cycles, of parsed Markdown for one, so
#: it does look; Python's own number is 700.
NEW = 100_000


def seldom() -> None:
    """Look for garbage seldom from now on, among all objects, those of earlier builds in this process, too."""
    gc.unfreeze()
    gc.set_threshold(NEW, 20, 20)


def keep() -> None:
    """Never look again among the objects that there are now. What nothing refers to is freed all the same."""
    gc.freeze()
