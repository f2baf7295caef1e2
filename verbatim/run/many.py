"""Imported by the fork server after everything else, when it will fork many processes."""

from pathlib import Path

from verbatim.run.huge import collapse

if (maps := Path("/proc/self/maps")).exists():  # only Linux has it
    collapse(maps.read_text())
