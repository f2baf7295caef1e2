"""Imported by the fork server before anything else: libraries read the environment when they are loaded."""

from verbatim.run.variables import pin

pin()
