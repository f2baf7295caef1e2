"""A page's Markdown with code and outputs in place."""
