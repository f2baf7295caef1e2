"""Outputs of other releases of torch, read from `outputs/versions` and compared with the built version's records.

The built version is the torch release that produced the CPU records and that the site is built with. Another Python
than that of the records is treated as a release, too: all its patch releases are one.

`make versions` runs the scripts with another torch, or another Python, and writes `outputs/versions/<release>/`, for
example `2.6.0` or `python-3.13`:

- `manifest.json`: the environment (torch, Python, NumPy, Matplotlib, system, date), the public names that the release
  lacks, and a `Finding` for every cell: its status, a hash of the code that ran and a hash of the output it was
  compared with.
- `<recipe>.ipynb`: an executed notebook in the format of the records, with only the cells whose output differs.

A build reads these files and does not need the releases themselves. A finding is stale if the cell's code or its
approved output has changed since; stale findings are ignored until the cell is run again. `Releases.stale` reports them
as hints, not as errors.

- `model`: what is recorded of a release.
- `ranges`: all releases beside the built version: which of them print the same.
- `files`: reads and writes the files.
- `judge`: compares what a release printed with the records.
- `run`: runs the scripts with the torch and the Python of this environment.
- `upgrade`: keeps the records of other releases true when the built version changes.
"""
