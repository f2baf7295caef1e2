"""Try another version of a package: run everything with it in a scratch environment and write what it changes.

    python scripts/upgrade.py torch 2.14.0
    python scripts/upgrade.py torch newest            # the newest that pip can install here
    python scripts/upgrade.py torch candidate         # the one that PyTorch tests before its release, if any
    python scripts/upgrade.py torch 2.14.0 --apply    # and do on a branch what a machine can

Writes the report, `drift-<package>-<version>.md`; nothing else changes. It takes as long as installing the version and
running every script of the book: pip says nothing meanwhile, and torch with CUDA is 5 GB below `.cache/scratch`.

With --apply, the branch `torch-2.14.0` gets the new pin, the lock, the records of this version and, in its last
message, the pages to be read again. What other releases print is kept, and the one that was built until now becomes one
of them, in `scripts/versions.py`, too. The branch that is checked out, and its files, stay as they are. The environment
is removed however the run ends.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import scratch
from packaging.requirements import InvalidRequirement, Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name
from packaging.version import InvalidVersion, Version
from scratch import ROOT

#: So many versions are tried before `newest` gives up.
MOST_TRIES = 3
#: Where PyTorch puts wheels that it will release, under the version of the release, while it tests them.
CANDIDATES = "https://download.pytorch.org/whl/test/cpu"


def pinned(text: str, package: str, version: str) -> str:
    """Return requirements with one version replaced.

    Raises:
        SystemExit: the package is not among them.
    """
    (old,) = scratch.pins(text, (package,))
    return re.sub(rf"^{re.escape(old)}(?=\s|;|$)", f"{package}=={version}", text, flags=re.MULTILINE)


def beside(text: str, old: str, new: str) -> str:
    """Return scripts/versions.py with the release that was built until now among those that are recorded beside it."""

    def swapped(line: re.Match[str]) -> str:
        names = {*re.findall(r'"([\d.]+)"', line[0]), old} - {new}
        return f"RELEASES = ({json.dumps(sorted(names, key=Version))[1:-1]})"

    return re.sub(r"^RELEASES = .*$", swapped, text, flags=re.MULTILINE)


def limits(package: str) -> list[tuple[str, str]]:
    """Return what pip's settings demand of a package's version, each with the file that says so."""
    asked = subprocess.run([sys.executable, "-m", "pip", "config", "list"], capture_output=True, text=True, check=False)
    values = re.findall(r"^[^=\n]*constraint='(.*)'$", asked.stdout, re.MULTILINE)
    files = dict.fromkeys(name for value in values for name in value.replace("\\n", " ").split())
    demanded = []
    for name in files:
        try:
            lines = Path(name).read_text(encoding="utf-8").splitlines()
        except OSError:
            continue  # an address, or a file that pip itself will tell of
        for line in lines:
            try:
                requirement = Requirement(line.partition("#")[0].strip())
            except InvalidRequirement:
                continue
            if canonicalize_name(requirement.name) == canonicalize_name(package) and requirement.specifier:
                demanded.append((str(requirement.specifier), name))
    return demanded


def known(package: str, index: str = "") -> list[str]:
    """Return the versions that the package indexes have for this Python, whatever pip's settings demand, newest first.

    Args:
        package: The package.
        index: Another index to ask, and no other.

    Raises:
        SystemExit: pip knows none.
    """
    command = [sys.executable, "-m", "pip", "--disable-pip-version-check", "index", "versions", package]
    command += ["--index-url", index] if index else []
    # It would leave out what a constraint forbids, and so hide that there is anything newer.
    free = {**os.environ, "PIP_CONFIG_FILE": os.devnull, "PIP_CONSTRAINT": ""}
    for variables in (free, None):  # where only pip's own configuration knows the index, it is asked with it
        done = subprocess.run(command, capture_output=True, text=True, check=False, env=variables)
        if match := re.search(r"^Available versions: (.+)$", done.stdout, re.MULTILINE):
            # `2.13.0+cpu` is a build of 2.13.0
            versions = {version.partition("+")[0] for version in match[1].split(", ")}
            return sorted(filter(_final, versions), key=Version, reverse=True)
    sys.exit(f"pip knows no version of `{package}`: {scratch.reason(done.stderr)}")


def _final(version: str) -> bool:
    try:
        return not Version(version).is_prerelease
    except InvalidVersion:
        return False


def candidates(package: str, versions: list[str], old: str) -> list[str]:
    """Return the versions to be tried for `newest`, newest first, and tell which one pip's settings rule out.

    Raises:
        SystemExit: there are newer ones, but all of them are ruled out.
    """
    newer = [version for version in versions if Version(version) > Version(old)]
    if not newer:
        # NumPy 2.5, for one, is not for Python 3.11, and pip names only what its own Python can take.
        here = f"Python {sys.version_info.major}.{sys.version_info.minor}"
        print(f"{package} {old} is the newest that pip has for {here}: nothing to try", flush=True)
        return []
    demanded = limits(package)
    fits = [version for version in newer if not against(version, demanded)]
    if newer[0] not in fits:
        print(f"{package} {newer[0]} is the newest, but {lifted(package, newer[0], demanded)}", flush=True)
    if not fits:
        sys.exit(f"none newer than {package} {old} is left")
    return fits[:MOST_TRIES]


def against(version: str, demanded: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the demands that a version does not meet."""
    return [(what, where) for what, where in demanded if not SpecifierSet(what).contains(version)]


def lifted(package: str, version: str, demanded: list[tuple[str, str]]) -> str:
    """Return which limits rule a version out, and how to run without them."""
    said = " and ".join(
        f"pip's settings demand {package}{what} ({where})" for what, where in against(version, demanded)
    )
    without = f"PIP_CONFIG_FILE={os.devnull} PIP_CONSTRAINT= "
    return f"{said}\n  hint: to try it without pip's settings: {without}make upgrade {_asked(package, version)}"


def _asked(package: str, version: str) -> str:
    return f"TORCH={version}" if package == "torch" else f"PACKAGE={package} VERSION={version}"


def install(made: scratch.Environment, text: str, package: str, version: str, index: str = "") -> None:
    """Install the requirements; where the other pins do not fit the new version, let pip choose those that we may.

    Args:
        made: The environment.
        text: The requirements.
        package: The package that is tried.
        version: Its version.
        index: Where torch comes from, if not from ``TORCH_INDEX``.

    Raises:
        CannotInstall: pip refuses that, too.
    """
    pins = made.folder / "requirements.txt"
    torch = scratch.pins(text, ("torch",))
    direct, _, rest = text.partition(scratch.TRANSITIVE)
    try:
        if package != "torch":  # what cannot be had, with this Python say, is told before torch is fetched
            made.install("--no-compile", f"{package}=={version}")
        for some in (direct + rest, direct):
            pins.write_text(re.sub(r"^torch==.*$", "", some, flags=re.MULTILINE), encoding="utf-8")
            try:
                # torch by itself: from its own index, which has nothing else that is pinned.
                made.install("--no-compile", *torch, index=index or os.environ.get("TORCH_INDEX", ""))
                made.install("--no-compile", "-r", str(pins), *torch)
                return
            except scratch.CannotInstall as error:
                if some == direct:
                    raise
                print(f"{package} {version} does not fit the other pins, so pip chooses them: {error}", flush=True)
    except scratch.CannotInstall as error:
        if against(version, demanded := limits(package)):
            raise scratch.CannotInstall(lifted(package, version, demanded)) from error
        raise


def other_build(made: scratch.Environment, package: str, version: str, *, wanted: bool) -> str:
    """Return a note where the records are of another build of torch (`+cpu`) than the one that was installed.

    One with CUDA skips the cells that need a build without. Records that it approves are those of another environment
    for everybody who has the recorded build.
    """
    path = ROOT / "outputs" / "cpu" / "environment.json"
    recorded = json.loads(path.read_text(encoding="utf-8"))["torch"] if path.is_file() else ""
    build = recorded.partition("+")[2]
    here = [path.name for path in made.folder.glob("lib/python*/site-packages/torch-*.dist-info")]
    if not build or not here or f"+{build}." in here[0]:
        return ""
    again = f"make upgrade {_asked(package, version)}{' APPLY=1' if wanted else ''}"
    hint = f"TORCH_INDEX=https://download.pytorch.org/whl/{build} {again}"
    return f"note: the records are of torch {recorded}, and this is another build\n  hint: {hint}"


def git(*arguments: str | Path, at: Path | None = None) -> str:
    """Return what a git command prints, in the project or in another folder.

    Raises:
        SystemExit: it fails; git's own message is told.
    """
    done = subprocess.run(["git", *arguments], cwd=at or ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"git {arguments[0]}: {done.stderr.strip()}")
    return done.stdout


def may_apply(branch: str) -> None:
    """Refuse what would mix with a person's own work.

    Raises:
        SystemExit: files differ from the last commit, or the branch is there already.
    """
    if differ := git("status", "--porcelain").splitlines():
        more = f" and {len(differ) - 3} more" if len(differ) > 3 else ""
        names = ", ".join(line[3:] for line in differ[:3])
        sys.exit(f"not committed: {names}{more}\n  hint: commit them or take them away (git stash -u) first")
    if git("branch", "--list", branch).strip():
        sys.exit(f"the branch `{branch}` is there already\n  hint: git branch -D {branch}, or another version")


def tell(made: scratch.Environment, package: str, version: str, at: Path) -> dict[str, list[str]]:
    """Run every script of a project's folder, write the report here, and return what it says of pages and failures.

    Raises:
        SystemExit: there is no report.
    """
    report, about = ROOT / f"drift-{package}-{version}.md", made.folder / "about.json"
    report.unlink(missing_ok=True)
    print(f"running every script with {package} {version}", flush=True)
    done = made.run("-m", "verbatim", "drift", "--report", report, "--about", about, at=at)
    if not report.is_file():
        sys.exit(done or 1)
    read: dict[str, list[str]] = json.loads(about.read_text(encoding="utf-8"))
    return read


def apply(made: scratch.Environment, package: str, version: str) -> int:
    """Write the report, and commit on a branch of its own what a machine can do. Return 0 when one can go on there.

    `record` fails where scripts do. With a new version that is what is to be mended on the branch, not a failure here.
    """
    branch = f"{package}-{version}"
    with scratch.folder("tree") as tree:
        git("worktree", "add", "--quiet", "-b", branch, tree / "it")
        at, done = tree / "it", False
        try:
            code, failed = _commit(made, at, package, version)
            done = True
        finally:
            git("worktree", "remove", "--force", at)
            if not done:
                git("branch", "-D", branch)
    print(f"branch `{branch}`: git diff HEAD...{branch} -- . ':!outputs'; its last message lists what to read again")
    if failed:
        print(f"{len(failed)} of its scripts fail: git switch {branch}, and mend them as .github/MAINTAINING.md says")
    return 0 if failed else code


def _commit(made: scratch.Environment, at: Path, package: str, version: str) -> tuple[int, list[str]]:
    source = at / "requirements.txt"
    try:
        source.write_text(pinned(source.read_text(encoding="utf-8"), package, version), encoding="utf-8")
    except SystemExit:  # one that only others need
        sys.exit(
            f"requirements.txt does not name `{package}`\n  hint: make lock UPGRADE=1 brings what is not named there"
        )
    if package == "torch":
        (old,) = (pin.partition("==")[2] for pin in scratch.pins(scratch.requirements(), ("torch",)))
        listed = at / "scripts" / "versions.py"
        listed.write_text(beside(listed.read_text(encoding="utf-8"), old, version), encoding="utf-8")
    if subprocess.run([sys.executable, at / "scripts" / "lock.py"], cwd=at, check=False).returncode:
        sys.exit("requirements/base.lock cannot be made: uv says why above")
    # A hook would demand what only a person can do next: pages that say what is printed now.
    git("commit", "--quiet", "--no-verify", "--all", "--message", f"{package} {version}: the pins", at=at)
    about = tell(made, package, version, at)
    code = made.run("-m", "verbatim", "record", "--new-environment", "--cached", at=at)
    git("add", "--all", "outputs", at=at)
    listed = [f"- [ ] {page}" for page in about["pages"]]
    said = [f"{package} {version}: what it prints", ""]
    said += (
        ["Pages that show or quote what changed, to be read again:", "", *listed] if listed else ["No page changes."]
    )
    if about["failed"]:
        said += [
            "",
            "Not recorded, because they fail. Mend them, then, on the branch:",
            'make check; make record OPTIONS="--new-environment --cached"',
            "",
            *(f"- {name}" for name in about["failed"]),
        ]
    git("commit", "--quiet", "--no-verify", "--allow-empty", "--message", "\n".join(said), at=at)
    return code, about["failed"]


def try_one(package: str, version: str, *, wanted: bool, index: str = "") -> int:
    """Write the report on one version. Return 0 when it was written, whatever it says.

    Raises:
        CannotInstall: this version cannot be had here.
    """
    text = pinned(scratch.requirements(), package, version)
    with scratch.environment("upgrade") as made:
        print(f"installing {package} {version}, and all else that is pinned, below {scratch.BELOW}", flush=True)
        install(made, text, package, version, index)
        if told := other_build(made, package, version, wanted=wanted):
            print(told, flush=True)
        made.run("scripts/warm.py")
        if wanted:
            return apply(made, package, version)
        tell(made, package, version, ROOT)
    return 0


def main(package: str, version: str, *, wanted: bool) -> int:
    """Try a version, the newest that can be had, or the next one that is tested. Return the exit code."""
    index = CANDIDATES if version == "candidate" else ""
    (old,) = (pin.partition("==")[2] for pin in scratch.pins(scratch.requirements(), (package,)))
    if index:  # what is released is tried as the newest
        old = max([old, *known(package)[:1]], key=Version)
    tries = candidates(package, known(package, index), old) if version in ("newest", "candidate") else [version]
    if not tries:
        return 0
    for candidate in tries:
        if wanted:
            may_apply(f"{package}-{candidate}")
        try:
            return try_one(package, candidate, wanted=wanted, index=index)
        except scratch.CannotInstall as error:
            print(f"pip cannot install {package} {candidate}: {error}", file=sys.stderr, flush=True)
    return 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("package")
    parser.add_argument("version", help="such as 2.14.0, or newest, or candidate (of torch)")
    parser.add_argument("--apply", action="store_true", help="commit on a branch what a machine can do")
    given = parser.parse_args()
    try:
        sys.exit(main(given.package, given.version, wanted=given.apply))
    except KeyboardInterrupt:
        sys.exit(130)
