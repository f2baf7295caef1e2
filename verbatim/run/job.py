"""What a script's process is asked to do, and what it may take."""

from __future__ import annotations

from dataclasses import dataclass

from verbatim.run.script import Script


@dataclass(frozen=True)
class Limits:
    """What one script may take."""

    seconds: float = 60.0
    memory: int = 4 << 30
    """Bytes, of the process and of all its children together."""
    output: int = 1 << 20
    """Bytes of text: what is printed, and besides that as much in warnings and errors."""
    figures: int = 4 << 20
    """Bytes of SVG."""
    processes: int = 64


@dataclass(frozen=True)
class Job:
    """What the child process is asked to do."""

    script: Script
    file: str
    """Absolute path of the script; frames and `__file__` carry it."""
    root: str
    """The project's root: files read below it are reported."""
    scratch: str
    """A folder of the run's own. It holds `output`, `reads`, `trace` and the working folder `cwd`."""
    device: str = "cpu"
    gpus: str = ""
    """`CUDA_VISIBLE_DEVICES` of the run: nothing on a CPU."""
    memory: int = 4 << 30
    """Bytes of data the process may add to what it starts with."""
    without: str = ""
    """A capability that is taken as missing, whether it is here or not."""
    go_on: bool = False
    """Whether cells are run after one that failed without having declared it: as another torch may make it fail."""
    otherwise: tuple[str, ...] = ()
    """What is another than usual: keys of `verbatim.run.elsewhere.CONDITIONS`."""


def in_bytes(count: int) -> str:
    """4294967296 → 4 GiB."""
    for unit in ("bytes", "KiB", "MiB"):
        if count < 1024:
            return f"{count:g} {unit}"
        count = count // 1024 if count % 1024 == 0 else count / 1024  # type: ignore[assignment]
    return f"{count:g} GiB"
