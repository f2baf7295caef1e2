"""Whatever a script prints is shown as text. The oracle is Python-Markdown with the site's own extensions.

What Markdown a page becomes, `tests/cases/render` says.
"""

from __future__ import annotations

import re

import markdown
import pytest
import yaml

from tests.expanded import expand, footer
from verbatim.book.gather import gather
from verbatim.markdown import fence
from verbatim.project import find_root

HOSTILE = [
    "```\nnot closed ````\n~~~",
    "<script>document.title = 'owned'</script>",
    "</code></pre></div><h1>out</h1>",
    "{{ config.site_name }} {% raw %}",
    '--8<-- "mkdocs.yml"',
    "```example\nexamples/a.py#first\n```",
    "&lt; &amp; \\( x \\) $x$ [link](x) **bold** # heading",
    "    indented\n\n\nblank lines\t\ttabs",
    '!!! note "box"\n    text',
]


def html_of(text: str) -> str:
    # The list of extensions is read from mkdocs.yml, the way MkDocs itself does.
    from mkdocs.config import load_config

    config = load_config(str(find_root() / "mkdocs.yml"))
    return markdown.markdown(text, extensions=config.markdown_extensions, extension_configs=config.mdx_configs)


@pytest.fixture
def book(project, write):
    def book(script: str):
        write("examples/a.py", script)
        return gather(project)

    return book


def page(book, text: str, language: str = "en") -> str:
    return expand(text, book, language, lambda svg, recipe, cell: f"{recipe.replace('/', '-')}-{cell}.svg")


EMBED = "```example\nexamples/a.py#first\n```\n"


@pytest.mark.parametrize("indent", ["", "    "])
@pytest.mark.parametrize("text", HOSTILE)
def test_output_is_text_wherever_it_stands(book, text, indent):
    made = book(f'"""T."""\n# %% first\nprint({text!r})')
    source = "".join(indent + line for line in EMBED.splitlines(keepends=True))
    if indent:
        source = "!!! note\n" + source
    html = html_of(page(made, source))
    (shown,) = re.findall(r'<div class="[^"]*verbatim-output[^"]*"[^>]*>.*?<code[^>]*>(.*?)</code>', html, re.DOTALL)
    import html as escapes

    # Python-Markdown expands tabs and Pygments strips blank lines at the end; nothing else may change.
    assert escapes.unescape(re.sub(r"<[^>]+>", "", shown)).rstrip("\n") == text.expandtabs(4).rstrip("\n")
    assert "<script" not in html and "<h1>" not in html


def test_every_output_carries_its_cell_and_device(book):
    made = book('"""T."""\n# %% first\nprint(1)')
    html = html_of(page(made, EMBED))
    assert 'data-verbatim="a#first"' in html and 'data-device="cpu"' in html
    assert ">Output<" in html


def test_a_fence_is_longer_than_any_run_in_it():
    assert fence("a ````` b", "text")[0] == "``````text"


def test_the_footer_tells_what_ran_the_page(book):
    import torch

    made = book('"""T."""\n# %% first\nprint(1)')
    text = footer(made, ["examples/a.py"], "en")
    assert f"torch {torch.__version__}" in text and "data-python=" in text and "Matplotlib" in text
    assert torch.backends.cpu.get_cpu_capability() not in text  # the same on every machine
    assert footer(made, [], "en") == ""


def test_snippets_and_macros_are_not_switched_on():
    """They would read marks inside of outputs before any fence is seen."""
    text = (find_root() / "mkdocs.yml").read_text()
    extensions = yaml.load(text, Loader=yaml.BaseLoader) if "!!" not in text else text
    assert "snippets" not in str(extensions) and "macros" not in str(extensions)
