"""Imported by the fork server before anything else: pins the environment, which libraries read when they are loaded."""

from verbatim.run.variables import pin

pin()
