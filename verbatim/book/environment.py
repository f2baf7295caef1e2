"""Says of an environment, package → version, what pages show of it."""

from __future__ import annotations

from collections.abc import Mapping

#: What matters for outputs besides torch, and how it is written.
_OTHER_PACKAGES = {"python": "Python", "numpy": "NumPy", "matplotlib": "Matplotlib"}


def torch(environment: Mapping[str, str]) -> str:
    """Return which torch printed outputs, such as ``torch 2.13.0``; empty where that is not known."""
    version = environment.get("torch", "")
    return f"torch {version}" if version else ""


def others(environment: Mapping[str, str]) -> str:
    """Return what else matters for the outputs: ``Python 3.11.9 · NumPy 2.4.0 · Matplotlib 3.10.1``."""
    return " · ".join(f"{name} {environment[key]}" for key, name in _OTHER_PACKAGES.items())
