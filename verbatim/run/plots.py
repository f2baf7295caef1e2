"""Imported by the fork server, or by a script's process, before a script that may draw: Matplotlib with our style."""

import matplotlib

matplotlib.use("agg")

import matplotlib.backends.backend_svg
import matplotlib.pyplot

from verbatim.run import figures

figures.apply_style()
# Warm what is built on first use, not on import: the font list and the text layout.
matplotlib.font_manager.findfont("DejaVu Sans")
