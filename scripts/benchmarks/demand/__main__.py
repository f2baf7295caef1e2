"""Which names of PyTorch do people use most, and which of them does no page call?

    python -m scripts.benchmarks.demand                          # what the list below says of the book, as it stands
    python -m scripts.benchmarks.demand --count FOLDER FOLDER …  # make the list anew, from folders of code: one a code base

The list, `names.json`, is in git with the code bases that it was counted in.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from scripts.benchmarks.demand import count
from verbatim.book.gather import Options, gather
from verbatim.build import Build, outline
from verbatim.lists import names
from verbatim.lists.places import Sources
from verbatim.memo import Memo
from verbatim.project import Project, find_root

LIST = Path(__file__).with_name("names.json")
FIRST_COUNTS = (100, 200, 300)


def covered(project: Project) -> set[str]:
    """Return the names that shown cells call, each by its last part: a function and a method of one name are one."""
    memo = Memo(project.cache)
    book = gather(project, options=Options(memo=memo))
    build: Build = outline(book, memo=memo)
    sources: Sources = build.sources
    return {entry.name.rpartition(".")[2] for entry in names.names(sources, "en")}


def main() -> None:
    """Print the report, or write the list."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--count", nargs="+", type=Path, metavar="FOLDER", help="write the list: one folder a code base"
    )
    asked = parser.parse_args()
    if asked.count:
        listed = count.rank({folder.name: count.uses(folder) for folder in asked.count})[: FIRST_COUNTS[-1]]
        items = ",\n".join(json.dumps(item.as_dict()) for item in listed)
        bases = json.dumps([folder.name for folder in asked.count])
        LIST.write_text(f'{{"code bases": {bases}, "names": [\n{items}\n]}}\n', encoding="utf-8")
    used = [item["name"] for item in json.loads(LIST.read_text(encoding="utf-8"))["names"]]
    shown = covered(Project(find_root(Path.cwd())))
    for first in FIRST_COUNTS:
        print(f"of the first {first}: {sum(name in shown for name in used[:first])} are called on a page")
    print("not called:", ", ".join(f"{name} ({used.index(name) + 1})" for name in used if name not in shown))


if __name__ == "__main__":
    main()
