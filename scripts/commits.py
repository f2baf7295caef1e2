"""What a commit message must have: a subject of at most 72 characters, a blank line, the reason.

`make ready` asks it of a branch, and git of each commit once `make hooks` has been run (`.github/pre-commit.yaml`):

    python -m scripts.commits FILE
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from verbatim import git

#: The most characters of a subject: `git log` shows so many in a terminal of 80 columns.
SUBJECT_CHARACTERS = 72
#: What git writes by itself, and what a later rebase takes in.
BY_GIT = re.compile(r"(?:Merge|Revert|fixup!|squash!|amend!) ")


def wrong(message: str) -> list[str]:
    """Return what is wrong with a commit message. Lines that begin with `#` are git's own."""
    lines = [line.rstrip() for line in message.splitlines() if not line.startswith("#")]
    subject, *rest = lines or [""]
    if BY_GIT.match(subject):
        return []
    facts = []
    if not subject:
        facts.append("the first line is empty: say there what the commit does")
    if len(subject) > SUBJECT_CHARACTERS:
        facts.append(
            f"the subject has {len(subject)} characters, at most {SUBJECT_CHARACTERS} are shown: the reason goes below"
        )
    if subject.endswith("."):
        facts.append("the subject ends with a full stop, which a title has not")
    if rest and rest[0]:
        facts.append("the second line is not blank, so the subject goes on")
    return facts


def of_branch(root: Path, base: str) -> list[str]:
    """Return what is wrong with the commits of a branch that the base lacks, each with its commit."""
    log = git.run(root, "log", "--no-merges", "--format=%h%n%B%x00", f"{base}..HEAD")
    commits = (entry.strip("\n").partition("\n") for entry in log.split("\0") if entry.strip())
    return [f"{commit}: {fact}" for commit, _, message in commits for fact in wrong(message)]


def main(path: str) -> int:
    """Tell what is wrong with the message in a file, as git's hook `commit-msg` does."""
    facts = wrong(Path(path).read_text(encoding="utf-8").partition("\n# ------------------------ >8")[0])
    for fact in facts:
        print(f"commit message: {fact}", file=sys.stderr)
    return 1 if facts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
