"""A book of one recipe whose outputs stand on every list."""

from __future__ import annotations

from tests.expanded import with_lists
from verbatim.lists.places import Sources
from verbatim.pages.page import Page

SCRIPT = '''
"""Shapes that do not fit."""

# %% product raises="RuntimeError"
import torch

torch.ones(2, 3) @ torch.ones(2, 3)

# %% old-name warns="FutureWarning"
import warnings

warnings.warn("`torch.ones` is deprecated in favor of `torch.zeros`.", FutureWarning)
torch.ones(1), torch.zeros(1)

# %% caught
try:
    torch.ones(2).view(3)
except RuntimeError as error:
    print(f"RuntimeError: {error}")

# %% secret hidden=true
torch.arange(3)

# %% on-a-gpu needs="cuda"
torch.ones(1, device="cuda")

# %% time varies=true
print(1)
'''

PAGE = """
---
title: {title}
description: D
---

# {title}

## {product} {{ #product }}

{before}

```example
examples/topic/a.py#product
```

{after}

## {warns} {{ #warns }}

!!! erratum "{myth}"
    {truth}
    [{more}](#product)

    ```example
    examples/topic/a.py#old-name
    ```

## {rest} {{ #rest }}

```example
examples/topic/a.py#caught
```

```example
examples/topic/a.py#on-a-gpu
```

```example
examples/topic/a.py#time
```
"""

TEXTS = {
    "zh": {
        "title": "矩阵乘法",
        "product": "矩阵 [2, 3]",
        "before": "先看报错：",
        "after": "把第二个转置，写成 `b.T`。这里还有一句。",
        "warns": "警告",
        "myth": "常见说法：形状相同才能相乘",
        "truth": "相乘的是行与列。",
        "more": "见上",
        "rest": "其余",
    },
    "en": {
        "title": "Products",
        "product": "Matrices [2, 3]",
        "before": "The error first:",
        "after": "Transpose the second: `b.T`. Here is one more sentence.",
        "warns": "Warning",
        "myth": "Often said: only equal shapes can be multiplied",
        "truth": "Rows meet columns.",
        "more": "above",
        "rest": "The rest",
    },
}

LIST = "---\ntitle: T\ndescription: D\n---\n\n# T\n\n```verbatim\n{name}\n```\n"

OLD = "RuntimeError: size mismatch, m1: [2 x 3], m2: [2 x 3]"
NEW = "RuntimeError: addmm: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"
BUILT = "RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)"


def page(sources: Sources, path: str) -> Page:
    found = sources.page(path)
    assert found
    return found


def rendered(sources: Sources, name: str, language: str) -> str:
    on = page(sources, f"docs/{language}/ways/{name}.md")
    return with_lists(on, sources)


def raised(text: str) -> dict[str, object]:
    name, _, message = text.partition(": ")
    return {"output_type": "error", "ename": name, "evalue": message, "traceback": [text]}
