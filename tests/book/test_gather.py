"""What is run of a book, in which order, and what the other scripts show."""

from __future__ import annotations

import shutil

import pytest

from tests.expanded import footer
from verbatim.book import records
from verbatim.book.gather import Options, gather

NAMES = ("a", "b", "c", "d")


@pytest.fixture
def four_scripts(project, write):
    """Four recorded scripts, none of whose results is cached."""
    for name in NAMES:
        write(f"examples/topic/{name}.py", f'"""T."""\n\n# %% one\nprint("{name}")\n')
    made = gather(project)
    for name, script in made.scripts.items():
        records.write(project, script, made.fresh_results[name], all_anew=True)
    records.write_environment(project, made.ran)
    shutil.rmtree(project.cache)
    return project


def of(*names: str) -> list[str]:
    return [f"examples/topic/{name}.py" for name in names]


def test_scripts_that_are_not_run_show_their_records(four_scripts, write):
    write("examples/topic/c.py", '"""T."""\n\n# %% one\nprint("c, edited")\n')
    write("examples/topic/e.py", '"""T."""\n\n# %% one\nprint("new")\n')
    made = gather(four_scripts, options=Options(run=of("b")))
    assert made.executed == 1 and made.pending == {*of("a", "c", "d", "e")}
    texts = {name: [one["text"] for one in result.cells[0].outputs] for name, result in made.display_results.items()}
    assert texts == dict(zip(of("a", "b", "c", "d"), (["a\n"], ["b\n"], [], ["d\n"]), strict=True))
    assert "torch" in made.ran and footer(made, of("b"), "en") and not footer(made, of("a", "b"), "en")
    again = gather(four_scripts, options=Options(run=()))
    assert again.executed == 0 and again.pending == made.pending - {*of("b")}  # whose result is cached now


def test_what_somebody_waits_for_runs_next(four_scripts):
    wanted: list[str] = []
    order: list[str] = []

    def finished(result) -> None:
        order.append(result.script)
        if len(order) == 1:
            wanted.extend(of("c", "d"))

    seen: list[tuple[int, int]] = []
    options = Options(jobs=1, wanted=wanted, finished=finished, progress=lambda *step: seen.append(step[:2]))
    made = gather(four_scripts, options=options)
    assert order == of("a", "d", "c", "b") and list(made.fresh_results) == of("a", "b", "c", "d")
    assert seen == [(1, 4), (2, 4), (3, 4), (4, 4)]
