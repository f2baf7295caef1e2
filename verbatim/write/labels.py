"""What the titles of a cell's outputs say beside their kind: what printed them, whether they vary. Pure."""

from __future__ import annotations

from verbatim.pages import other_releases
from verbatim.pages.document import CellOutputs, Printed
from verbatim.words import OUTPUTS


def origin_labels(outputs: CellOutputs, printed: Printed, language: str) -> list[str]:
    """Return what is said of a cell's outputs on this machine, or in a record."""
    words = OUTPUTS[language]
    labels = []
    if printed.recorded:
        labels.append(words["recorded"].format(where=printed.where))
        labels += [words["unverified"]] if printed.device == "cuda" else []
        labels += [words["stale"]] if printed.stale else []
    return [*labels, words["varies"]] if outputs.cell.varies else labels


def built_labels(outputs: CellOutputs, printed: Printed, language: str, newest_python: str) -> list[str]:
    """Return what is said of the releases and Pythons that print what the built version prints; torch comes last."""
    alike = [] if printed.recorded else [other_releases.built(ranges) for ranges in reversed(outputs.all_ranges)]
    return [other_releases.labelled(ranges, language, newest_python) for ranges in alike]
