"""The pages and the search of PyTorch Verbatim, for ``pytorch-verbatim show`` and ``pytorch-verbatim search``."""

import os

#: A zip with ``book.json``, the pages as Markdown and the search's scripts and index, each where the site has it.
FILE = os.path.join(os.path.dirname(__file__), "book.zip")
