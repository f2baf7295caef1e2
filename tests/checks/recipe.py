"""A sound recipe, in which each test of a check makes one mistake; and a smaller one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from verbatim.project import Project

SCRIPT = '''"""Joining tensors."""

# %% setup
import torch

image = torch.ones(2, 3)  # (row, column)

# %% joins
print(torch.cat([image, image]).shape)
print(torch.tensor([0.1234, 0.5]).tolist())

# %% fails raises="ValueError"
raise ValueError("two shapes")

# %% drawing
import matplotlib.pyplot as plt

plt.plot([1, 2, 4])
'''

PAGES = {
    "en": """---
title: Join tensors
nav: Join
description: How tensors are joined.
keywords: [concatenate gradient]
---

# Join tensors

The gradient is whole. A gradient, a gradient, a gradient, a gradient: `cat` joins.

```example
examples/topic/join.py#setup
```

## Columns { #join-columns }

```example
examples/topic/join.py#joins
```

The first value is 0.1234, or [0.1234, 0.5].

!!! erratum "Often said: cat copies"
    It does, and so it must.

    ```example
    examples/topic/join.py#fails
    ```

Give both the same shape.
{ .remedy }

## Drawn { #join-drawn }

```example
examples/topic/join.py#drawing
```

*Figure: a line that rises through 1, 2 and 4.*
""",
    "zh": """---
title: 拼接张量
nav: 拼接
description: 张量怎样拼接。
keywords: [拼接]
---

# 拼接张量

梯度是完整的：`cat` 把它们接起来。

```example
examples/topic/join.py#setup
```

## 列 { #join-columns }

```example
examples/topic/join.py#joins
```

第一个值是 0.1234，即 [0.1234, 0.5]。

!!! erratum "常见说法：cat 会复制"
    确实会，也只能这样。

    ```example
    examples/topic/join.py#fails
    ```

两个形状要一样。
{ .remedy }

## 画出来 { #join-drawn }

```example
examples/topic/join.py#drawing
```

*图：一条上升的线。*
""",
}

INDEX = {
    "en": "---\ntitle: Topic\nchapter: Topic\ndescription: D\n---\n\n# Topic\n\n- [Join](join.md)\n",
    "zh": "---\ntitle: 主题\nchapter: 主题\ndescription: 描述\n---\n\n# 主题\n\n- [拼接](join.md)\n",
}

CONFIG = "site_name: scratch\n"
MAP = "topic:\n  index:\n  join: [join-columns]\n"
EN, ZH, PY = "docs/en/topic/join.md", "docs/zh/topic/join.md", "examples/topic/join.py"
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

OTHER = "---\ntitle: Other\ndescription: About Other\n---\n\n# Other\n\n## There { #there }\n"


def written(root: Path) -> Project:
    """Write the sound recipe into a folder."""
    files = {PY: SCRIPT, "mkdocs.yml": CONFIG, "topics.yml": MAP}
    for language in ("en", "zh"):
        files[f"docs/{language}/topic/join.md"] = PAGES[language]
        files[f"docs/{language}/topic/index.md"] = INDEX[language]
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    return Project(root)


#: What a mistake is → the page, what stands there, what is written instead, what is told: behind the page's path, or whole.
Mistakes = Mapping[str, tuple[str, str, str, str]]


def on_pages(mistakes: Mistakes) -> Callable[..., None]:
    """Return a test that makes each mistake by itself, and expects that it is told."""

    @pytest.mark.parametrize(("path", "old", "new", "message"), mistakes.values(), ids=mistakes)
    def test(told, book, path: str, old: str, new: str, message: str) -> None:
        text = (book.project.root / path).read_text()
        assert old in text
        found = told(**{path: text.replace(old, new, 1)})
        assert (path if message.startswith(":") else "") + message in found, found

    return test
