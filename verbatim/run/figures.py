"""Turns Matplotlib figures into SVG that takes the page's colours. Runs in the script's process."""

from __future__ import annotations

import io
import math
import re
import sys
from typing import Any, cast

#: Text, axes and ticks are drawn in this colour and become ``currentColor``.
INK = "#010203"

STYLE = {
    "svg.fonttype": "path",
    "figure.facecolor": "none",
    "axes.facecolor": "none",
    "savefig.facecolor": "none",
    "legend.framealpha": 0.0,
    "legend.edgecolor": INK,
    "text.color": INK,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "xtick.color": INK,
    "ytick.color": INK,
    "grid.color": INK,
    "grid.alpha": 0.15,
    "patch.edgecolor": INK,
    "lines.color": INK,
    "hatch.color": INK,
    "boxplot.flierprops.color": INK,
    "figure.figsize": (6.4, 3.2),
    "figure.constrained_layout.use": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "font.size": 10.0,
    "image.cmap": "viridis",
    # Hues that can be read on white and on black, and told apart without seeing red and green.
    "axes.prop_cycle": "cycler('color', ['#3b82d0', '#e07b00', '#1f9e77', '#c8509b', '#8a7bd8', '#a08c00'])",
}


def apply_style() -> None:
    """Set matplotlib's defaults for a script."""
    import matplotlib
    from cycler import cycler

    style = dict(STYLE)
    colours = re.findall(r"#\w{6}", str(style.pop("axes.prop_cycle")))
    matplotlib.rcdefaults()  # ignore any matplotlibrc, of the user or in the working folder
    matplotlib.rcParams.update(cast(Any, style))
    matplotlib.rcParams["axes.prop_cycle"] = cycler(color=colours)


def take_open(salt: str) -> list[tuple[str, list[dict[str, Any]]]]:
    """Return every open figure as SVG text, with what its axes measure, and close it.

    ``salt`` makes the ids in the file unique, and equal in every run.
    """
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is None:
        return []
    import matplotlib

    taken = []
    for number in pyplot.get_fignums():
        matplotlib.rcParams["svg.hashsalt"] = f"{salt}-{number}"
        file = io.StringIO()
        figure = pyplot.figure(number)
        figure.savefig(file, format="svg", metadata={"Date": None, "Creator": None})
        taken.append((portable(file.getvalue(), re.sub(r"\W+", "-", f"{salt}-{number}")), axes_of(figure)))
    pyplot.close("all")
    return taken


def axes_of(figure: Any) -> list[dict[str, Any]]:
    """Return position, limits and scales of the axes of a figure, in the order in which they are drawn.

    ``box``: left, top, width and height in points from the figure's top left corner. ``x``, ``y``: limits, on a
    logarithmic scale their logarithms. ``labels``: tick labels that the script set itself.
    """
    from matplotlib.category import StrCategoryFormatter
    from matplotlib.ticker import FixedFormatter

    drawn = []
    points = 72 / figure.dpi
    for axes in sorted(figure.axes, key=lambda axes: axes.get_zorder()):
        extent = axes.get_window_extent()
        top = figure.bbox.height - extent.y1
        box = [round(float(v * points), 3) for v in (extent.x0, top, extent.width, extent.height)]
        about: dict[str, Any] = {"box": box, "scales": [axes.get_xscale(), axes.get_yscale()], "labels": []}
        for direction, axis in (("x", axes.xaxis), ("y", axes.yaxis)):
            limits = [float(v) for v in axis.get_view_interval()]
            if axis.get_scale() == "log":
                limits = [math.log10(v) for v in limits]
            about[direction] = [float(f"{v:.6g}") for v in limits]
            if isinstance(axis.get_major_formatter(), FixedFormatter | StrCategoryFormatter):
                about["labels"] += [label.get_text() for label in axis.get_ticklabels()]
        drawn.append(about)
    return drawn


def portable(svg: str, prefix: str) -> str:
    """Adapt Matplotlib's SVG for use inside a page.

    Inline ``style`` becomes attributes, because a page's Content-Security-Policy forbids it; ids get a prefix,
    because a page holds several figures; `INK` becomes ``currentColor``, so that one figure fits light and dark.
    """
    svg = re.sub(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<!--.*?-->", "", svg, flags=re.DOTALL)
    svg = re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'style="([^"]*)"', _attributes, svg)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{prefix}-\1"', svg)
    svg = re.sub(r'(href="|url\()#', rf"\1#{prefix}-", svg)
    svg = svg.replace(INK, "currentColor")
    svg = re.sub(r"<svg ", '<svg stroke-linejoin="round" stroke-linecap="butt" ', svg, count=1)
    lines = (line.strip() for line in svg.splitlines())
    return "\n".join(line for line in lines if line)


def _attributes(match: re.Match[str]) -> str:
    pairs = (item.split(":", 1) for item in match[1].split(";") if ":" in item)
    last = {key.strip(): value.strip() for key, value in pairs}  # a property may stand twice, an attribute may not
    return " ".join(f'{key}="{value}"' for key, value in last.items())
