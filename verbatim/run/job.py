"""The job that is sent to a script's process, and the resource limits on it."""

from __future__ import annotations

from dataclasses import dataclass

from verbatim.run.script import Cell, Script


@dataclass(frozen=True)
class Limits:
    """Resource limits on one script."""

    seconds: float = 60.0
    """Processor time in seconds, of the process and all its children together, as `verbatim.run.processes.Clock` counts
    it: waiting for a core is none, and a second in which several threads run at once counts once."""
    asleep: float = 120.0
    """Seconds in which all of them wait for something other than a core or the disk."""
    memory: int = 4 << 30
    """Memory in bytes, of the process and all its children together."""
    output: int = 1 << 20
    """Printed text in bytes. Warnings and errors may add the same amount again."""
    figures: int = 4 << 20
    """Total size of the SVG figures in bytes."""
    processes: int = 64
    """Number of processes."""

    @classmethod
    def of(cls, seconds: float) -> Limits:
        """Return the limits of a script that may use other processor time; it may sleep for longer as well, or less."""
        return cls(seconds=seconds, asleep=cls.asleep * seconds / cls.seconds)


@dataclass(frozen=True)
class Job:
    """A script and the settings to run it with."""

    script: Script
    file: str
    """Absolute path of the script, as it appears in stack frames and in `__file__`."""
    root: str
    """The project's root folder. Files read below it are logged."""
    scratch: str
    """Temporary folder of this run. It holds `output`, `reads`, `trace` and the working folder `cwd`."""
    device: str = "cpu"
    """`cpu` or `cuda`."""
    gpus: str = ""
    """Value of `CUDA_VISIBLE_DEVICES`; empty on the CPU."""
    memory: int = 4 << 30
    """Bytes of data that the process may allocate beyond its initial size."""
    without: str = ""
    """A capability that is treated as missing even if the machine has it."""
    go_on: bool = False
    """Whether to continue after an undeclared error. Used with other torch releases, where a cell may fail."""
    perturbed: tuple[str, ...] = ()
    """Conditions to change for this run, keys of `verbatim.run.perturb.CONDITIONS`."""

    def stops_at(self, cell: Cell, *, touched: bool) -> bool:
        """Return whether an error of `cell`, which has `touched` a GPU or not, ends the script.

        An error that the header declares does not. Nor does, on a GPU, the error of a cell that has nothing to do with
        it: the machine may have another torch, and what such a cell prints is judged where the book's own torch runs.
        """
        if cell.raises or self.go_on:
            return False
        return self.device == "cpu" or touched or cell.needs.startswith("cuda")


def in_bytes(count: int) -> str:
    """Format a number of bytes for readers: ``4294967296`` → ``4 GiB``."""
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:g} {unit}"
        count = count // 1024 if count % 1024 == 0 else count / 1024  # type: ignore[assignment]
    return f"{count:g} GiB"
