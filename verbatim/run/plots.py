"""Imports Matplotlib with our style. Imported by the fork server, or by the process of a script that may draw."""

import matplotlib

matplotlib.use("agg")

import matplotlib.backends.backend_svg
import matplotlib.pyplot

from verbatim.run import figures

figures.apply_style()
# Warm what is built on first use, not on import: the font list and the text layout.
matplotlib.font_manager.findfont("DejaVu Sans")
