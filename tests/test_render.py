"""Whatever a script prints is shown as text. The oracle is Python-Markdown with the site's own extensions."""

from __future__ import annotations

import re

import markdown
import pytest
import yaml

from verbatim.book.gather import gather
from verbatim.markdown import fence
from verbatim.pages.outputs import expand, footer
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


def test_labels_are_in_the_pages_language(book):
    made = book('"""T."""\n# %% first raises="ValueError" varies=true\nraise ValueError("no")')
    assert 'title="报错 · 因运行和机器而异"' in page(made, EMBED, "zh")
    assert 'title="Error · varies by run and machine"' in page(made, EMBED, "en")


def test_code_of_a_script_cannot_close_its_fence(book):
    made = book('"""T."""\n# %% first\ntext = """\n```\n"""')
    assert page(made, EMBED).startswith("````python\n")


def test_long_errors_are_folded_after_their_first_line(book):
    made = book('"""T."""\n# %% first raises="ValueError"\nraise ValueError("\\n".join("abcdef"))')
    text = page(made, EMBED)
    assert "ValueError: a\n```" in text
    assert '??? quote "Full message (5 more lines)"' in text and "    b\n    c" in text


def test_annotations_stand_between_code_and_output(book):
    made = book('"""T."""\n# %% first\nprint(1)  # (1)!')
    text = page(made, EMBED + "\n1.  The note,\n    wrapped.\n\nProse.\n")
    order = [text.index(s) for s in ("print(1)", "1.  The note,\n    wrapped.", "verbatim-output", "Prose.")]
    assert order == sorted(order)


def test_annotations_of_folded_code_are_folded_with_it(book):
    made = book('"""T."""\n# %% first fold=true\nprint(1)  # (1)!')
    text = page(made, EMBED + "\n1.  The note.\n\nProse.\n")
    assert "\n    1.  The note.\n" in text
    assert "\nProse.\n" in text


def test_figures_are_images_with_the_caption_as_alternative_text(book):
    made = book('"""T."""\n# %% first fold=true\nimport matplotlib.pyplot as plt\n_ = plt.plot([1])')
    text = page(made, EMBED + "\n*Figure: a [point].*\n")
    assert r"![Figure: a \[point\].](a-first.svg){ .verbatim-figure" in text
    assert '??? example "Code of the figure"' in text
    assert "*Figure: a [point].*" in text


def test_a_cell_that_could_not_run_says_so(book):
    made = book('"""T."""\n# %% first needs="cuda"\nprint(1)')
    assert '!!! not-recorded "尚未录制"' in page(made, EMBED, "zh")
    assert "verbatim-output" not in page(made, EMBED, "zh")


def test_a_known_message_is_shown_as_such_while_nothing_was_recorded(book):
    header = '# %% first needs="cuda" raises="RuntimeError" says="device-side assert triggered" origin="c10/cuda/x.cpp"'
    text = page(book(f'"""T."""\n{header}\nprint(1)'), EMBED)
    assert "RuntimeError: device-side assert triggered" in text
    assert "Known message, not recorded here" in text and "quoted from `c10/cuda/x.cpp`" in text


def test_a_whole_script_shows_what_is_not_hidden(book):
    made = book('"""T."""\n# %% first\nprint(1)\n# %% proof hidden=true\nassert 2 > 1\n# %% last\nprint(3)')
    text = page(made, "```example\nexamples/a.py\n```\n")
    assert "print(1)\n\nprint(3)" in text and "assert" not in text


def test_text_around_embeds_stays_as_it_is(book):
    made = book('"""T."""\n# %% first\nx = 1')
    assert page(made, f"before\n\n{EMBED}\nafter\n") == "before\n\n```python\nx = 1\n```\n\nafter\n"


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
