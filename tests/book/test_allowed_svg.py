"""What a figure may hold, whoever wrote it."""

from __future__ import annotations

import pytest

from verbatim.book import allowed_svg
from verbatim.book.gather import gather
from verbatim.run import figures

PREFIX = "examples-topic-a-draws-"
OPEN = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="1pt" height="1pt">'


def figure(inside: str) -> str:
    return f"{OPEN}\n{inside}\n</svg>"


@pytest.mark.parametrize(
    "inside",
    [
        '<path id="examples-topic-a-draws-1-p" d="M 0 0"/><use xlink:href="#examples-topic-a-draws-1-p" x="1"/>',
        '<g clip-path="url(#examples-topic-a-draws-1-c)" fill="currentColor"/>',
        '<image xlink:href="data:image/png;base64,iVBORw0KGgo=" width="3" height="3" transform="matrix(1 0 0 1 2 3)"/>',
        "<text font-family=\"'DejaVu Sans', sans-serif\">1 &lt; 2 &amp; 3</text>",
    ],
)
def test_what_matplotlib_draws_is_allowed(inside):
    assert allowed_svg.refused(figure(inside), PREFIX) == ""


@pytest.mark.parametrize(
    ("inside", "told"),
    [
        ("<script>alert(1)</script>", "the element `<script>`"),
        ('<x:script xmlns:x="http://www.w3.org/1999/xhtml">alert(1)</x:script>', "xhtml}script>`"),
        ("<style>* { display: none }</style>", "the element `<style>`"),
        ("<foreignObject><p>x</p></foreignObject>", "the element `<foreignObject>`"),
        ('<a xlink:href="https://example.org">x</a>', "the element `<a>`"),
        ('<animate attributeName="href" to="javascript:alert(1)"/>', "the element `<animate>`"),
        ('<set attributeName="onload" to="x"/>', "the element `<set>`"),
        ('<g onload="alert(1)"/>', "the attribute `onload` of `<g>`"),
        ('<g style="position: fixed"/>', "the attribute `style`"),
        ('<g class="md-header"/>', "the attribute `class`"),
        ('<g id="__search"/>', "id='__search'"),
        ('<use xlink:href="https://example.org/x.svg#y"/>', "href='https://example.org"),
        ('<use href="other.svg#examples-topic-a-draws-1-p"/>', "href='other.svg"),
        ('<use href="#examples-topic-a-draws-1-g"/><g id="examples-topic-a-draws-1-g"/>', "what is not a path"),
        ('<image href="https://example.org/x.png"/>', "href='https://example.org"),
        ('<image href="data:image/svg+xml;base64,PHN2Zz4="/>', "href='data:image/svg"),
        ('<image href="javascript:alert(1)"/>', "href='javascript:"),
        ('<g fill="url(https://example.org/x)"/>', "fill='url("),
        ('<g fill="u\\72l(https://example.org/x)"/>', "fill="),
        ('<g filter="URL(//example.org/x)"/>', "filter="),
        ('<pattern id="examples-topic-a-draws-1-h"><rect fill="url(#examples-topic-a-draws-1-h)"/></pattern>', "fill="),
        ("<!-- --!><script>alert(1)</script>-->", "`<!--"),
        ("<![CDATA[<script>alert(1)</script>]]>", "`<![CDATA["),
        ("<?xml-stylesheet href='x'?>", "`<?xml"),
        ("<g>", "not well-formed"),
        ("<path d='&nothing;'/>", "not well-formed"),
        ("<g>" * 100 + "</g>" * 100, "more than 64 deep"),
        (f"<text>{'x' * allowed_svg.MOST_CHARACTERS}</text>", "is larger than 1024 KiB"),
    ],
)
def test_what_runs_loads_links_or_touches_the_page_is_refused(inside, told):
    assert told in allowed_svg.refused(figure(inside), PREFIX)


@pytest.mark.parametrize(
    "text", ["<p>x</p>", "", "hello", '<svg xmlns="x"/>', '<!DOCTYPE svg [<!ENTITY a "b">]>' + OPEN]
)
def test_what_is_no_svg_is_refused(text):
    assert allowed_svg.refused(text, PREFIX)


def test_a_property_that_stands_twice_is_one_attribute():
    text = figures.portable(f'{OPEN}<image style="image-rendering:crisp-edges;image-rendering:pixelated"/></svg>', "p")
    assert text.count("image-rendering") == 1 and "pixelated" in text


HOSTILE = '''
    """T."""

    # %% prints
    print("on")

    # %% draws
    import matplotlib.figure
    import matplotlib.pyplot as plt

    plt.plot([1, 2])
    matplotlib.figure.Figure.savefig = lambda self, file, **_: file.write({text!r})
'''


@pytest.mark.parametrize(
    "text", ["<script src=/evil.js></script>", "<meta http-equiv=refresh content=0>", figure('<g onload="x"/>')]
)
def test_a_script_cannot_put_html_into_a_page_by_a_figure(project, write, text):
    write("examples/topic/a.py", HOSTILE.format(text=text))
    book = gather(project)
    (problem,) = book.problems
    assert str(problem).startswith("examples/topic/a.py:7: cell `draws`: a figure ")
    assert book.display_results["examples/topic/a.py"].cell("draws").outputs == ()
    assert len(gather(project).problems) == 1  # nothing of it was kept


def test_figures_of_many_kinds_are_allowed(project, write):
    write(
        "examples/topic/a.py",
        '''
        """T."""

        # %% draws
        import matplotlib.pyplot as plt
        import numpy as np

        grid = np.arange(9).reshape(3, 3)
        figure, axes = plt.subplots(2, 4)
        axes[0, 0].imshow(grid, interpolation="none")
        figure.colorbar(axes[0, 1].pcolormesh(grid))
        axes[0, 2].pcolormesh(grid, shading="gouraud")
        axes[0, 3].bar([1, 2], [1, 2], hatch="//", alpha=0.5, label="a & b")
        axes[0, 3].legend()
        axes[1, 0].contourf(grid)
        axes[1, 1].quiver([0], [0], [1], [1])
        axes[1, 2].set_title(r"$\\frac{a}{\\sqrt{b}}$ < b")
        axes[1, 3].annotate("x", (0, 1), (1, 1), arrowprops={"arrowstyle": "->"})
        plt.figure().add_subplot(projection="polar").plot([1, 2], rasterized=True)
        ''',
    )
    book = gather(project)
    assert book.problems == []
    assert len(book.display_results["examples/topic/a.py"].cell("draws").outputs) >= 2
