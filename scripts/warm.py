"""Import what scripts and the site import, so that Python compiles it: once, and nothing of what nobody imports.

    python scripts/warm.py

Packages are installed uncompiled. The first process that imports a module compiles it and keeps that, unless it is a
script's: it may write nothing, and each script would compile anew what it imports. A module that is not there, as in an
older torch, is left out.
"""

from __future__ import annotations

import contextlib
import importlib
import sys
import warnings

WARMED_MODULES = (
    "matplotlib.pyplot",
    "torch",
    "torch.utils.data",
    "torch._dynamo",
    "torch._inductor.compile_fx",
    "torch.fx.experimental.symbolic_shapes",
    "torch._decomp.decompositions_for_jvp",
    "torch.utils.tensorboard",
    "safetensors.torch",
    "sklearn.model_selection",
    "mkdocs.commands.serve",
    "mkdocs_jupyter.plugin",
    "mkdocs_static_i18n.plugin",
    "verbatim.site.plugin",
)


def main() -> None:
    """Import each, whatever it says; `PYTHONDONTWRITEBYTECODE`, which many containers set, does not count here."""
    sys.dont_write_bytecode = False
    warnings.simplefilter("ignore")
    for name in WARMED_MODULES:
        with contextlib.suppress(Exception):
            importlib.import_module(name)


if __name__ == "__main__":
    main()
