"""Document → text: what a page becomes on the site, as plain Markdown, as a notebook, in the book. Pure.

Each writer takes a page's `verbatim.pages.document.Document` and puts the project's words to what it says; none of them
reads again what another one has written.
"""
