"""Code blocks that are kept are those that would be made again."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import markdown

from verbatim import store
from verbatim.site.highlight import Coloured

PAGE = """
```python
x = 1  # a number
```

``` { .text .no-copy title="Output · varies" data-verbatim="a#b" }
1 < 2
```

!!! note

    ```python hl_lines="1 2"
    x = 1
    y = 2
    ```

```python
x = 1  # a number
```
"""
EXTENSIONS = ["admonition", "attr_list", "pymdownx.highlight", "pymdownx.superfences"]


def render(fence: dict[str, Any] | None) -> str:
    settings = {"pymdownx.superfences": {"custom_fences": [fence] if fence else []}}
    return markdown.Markdown(extensions=EXTENSIONS, extension_configs=settings).convert(PAGE)


def test_a_page_is_the_same_with_and_without(tmp_path: Path):
    first = Coloured(tmp_path)
    plain = render(None)
    assert 'class="filename">Output · varies' in plain and plain.count('<div class="highlight">') >= 3
    assert render(first.fence) == plain
    first.keep(whole=True)
    assert render(Coloured(tmp_path).fence) == plain


def test_names_that_are_called_are_marked_in_python_alone(tmp_path: Path):
    page = "```python\nx.view(f(1))[0], y\n```\n\n```text\nview(x)\n```\n"
    settings = {"pymdownx.superfences": {"custom_fences": [Coloured(tmp_path).fence]}}
    html = markdown.Markdown(extensions=EXTENSIONS, extension_configs=settings).convert(page)
    assert re.findall(r'<span class="nf">(\w+)</span>', html) == ["view", "f"]
    assert re.findall(r'<span class="n">(\w+)</span>', html) == ["x", "y"]


def test_a_kept_block_is_not_made_again(tmp_path: Path):
    first = Coloured(tmp_path)
    render(first.fence)
    first.keep(whole=True)
    (kept,) = tmp_path.glob("code-*.json")
    store.save(kept, {key: html.replace("a number", "another number") for key, html in store.load(kept).items()})
    assert render(Coloured(tmp_path).fence).count("another number") == 2


def test_other_settings_make_other_blocks(tmp_path: Path):
    first, second = Coloured(tmp_path), Coloured(tmp_path, {"linenums": True})
    for coloured in (first, second):
        render(coloured.fence)
        coloured.keep(whole=True)
    assert len(list(tmp_path.glob("code-*.json"))) == 2


def test_damage_costs_time_and_nothing_else(tmp_path: Path):
    first = Coloured(tmp_path)
    plain = render(first.fence)
    first.keep(whole=True)
    (kept,) = tmp_path.glob("code-*.json")
    for damaged in ("{", kept.read_text().replace("a number", "another number")):
        kept.write_text(damaged)
        assert render(Coloured(tmp_path).fence) == plain
