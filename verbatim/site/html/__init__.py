"""HTML and what stands in it: markup, formulas, figures, coloured code, styles, the policy of a page."""
