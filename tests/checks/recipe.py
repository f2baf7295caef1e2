"""A sound recipe, in which each test of a check makes one mistake; and a smaller one."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from verbatim.project import Project

BOOK = Path(__file__).parent / "book"
EN, ZH, PY = "docs/en/topic/join.md", "docs/zh/topic/join.md", "examples/topic/join.py"
SCRIPT, CONFIG, MAP = ((BOOK / name).read_text(encoding="utf-8") for name in (PY, "mkdocs.yml", "book/topics.yml"))
PAGES = {"en": (BOOK / EN).read_text(encoding="utf-8"), "zh": (BOOK / ZH).read_text(encoding="utf-8")}
#: A sentence of the English page, in whose place most mistakes are made.
WHOLE = "The gradient is whole."

#: The smaller one: two pages, of which one shows the script.
SMALL = '''
"""T."""

# %% setup
import torch

# %% shares-storage
print(torch.ones(1))  # (1)!

# %% proof hidden=true
assert True
'''

PAGE = """
---
title: Title
description: D
---

# Title

```example
examples/topic/a.py#setup
```

## Part { #part }

```example
examples/topic/a.py#shares-storage
```

1.  A note.

[part](#part), [other](b.md#there), [web](https://pytorch.org/)
"""

OTHER = "---\ntitle: Other\ndescription: About Other\n---\n\n# Other\n\n## There { #there }\n\nText.\n"

SMALL_BOOK = {
    "examples/topic/a.py": SMALL,
    "docs/zh/topic/a.md": PAGE,
    "docs/en/topic/a.md": PAGE,
    "docs/zh/topic/b.md": OTHER,
    "docs/en/topic/b.md": OTHER,
}


def written(root: Path) -> Project:
    """Write the sound recipe into a folder."""
    return Project(shutil.copytree(BOOK, root))


#: What a mistake is → the page, what stands there, what is written instead, what is told: behind the page's path, or whole.
Mistakes = Mapping[str, tuple[str, str, str, str]]


def on_pages(mistakes: Mistakes) -> Callable[..., None]:
    """Return a test that makes each mistake by itself, and expects that it is told."""

    @pytest.mark.parametrize(("path", "old", "new", "message"), mistakes.values(), ids=mistakes)
    def test(told, sound, path: str, old: str, new: str, message: str) -> None:
        text = (sound.project.root / path).read_text()
        assert old in text
        found = told(**{path: text.replace(old, new, 1)})
        assert (path if message.startswith(":") else "") + message in found, found

    return test
