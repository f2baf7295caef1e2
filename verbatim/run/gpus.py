"""Finds the GPUs of this machine, in a separate process, because a process that has used CUDA cannot fork safely.

python -m verbatim.run.gpus
"""

from __future__ import annotations

import datetime
import importlib
import json
import os
import platform
import subprocess
import sys
from dataclasses import dataclass, field

from verbatim.problems import Problem, Problems

#: Seconds after which a driver does not answer any more. A busy machine takes its time to start a process.
PATIENCE = 900


@dataclass(frozen=True)
class Gpus:
    """The GPUs that torch can use here."""

    count: int = 0
    provenance: dict[str, str] = field(default_factory=dict)
    """What a record states about the machine that made it: GPU, compute capability, torch, CUDA, cuDNN, driver, …"""
    reason: str = ""
    """Why none can be used, in torch's own words."""


def look() -> Gpus:
    """Ask torch in this process, which initializes the GPUs."""
    import warnings

    import torch

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        available = torch.cuda.is_available()
    if not available:
        reason = " ".join(str(w.message) for w in caught)
        if not torch.version.cuda:
            reason = f"torch {torch.__version__} is a build without CUDA"
        return Gpus(reason=reason or "torch.cuda.is_available() is False")
    try:
        torch.ones(1, device="cuda").add_(1).item()
    except Exception as error:
        return Gpus(reason=f"{type(error).__name__}: {error}".splitlines()[0])
    first = torch.cuda.get_device_properties(0)
    cudnn = torch.backends.cudnn.version()
    return Gpus(
        torch.cuda.device_count(),
        {
            "gpu": first.name,
            "capability": f"{first.major}.{first.minor}",
            "torch": str(torch.__version__),
            "cuda": str(torch.version.cuda),
            "cudnn": str(cudnn or "none"),
            "driver": _driver(),
            "python": platform.python_version(),
            "platform": f"{platform.system()} {platform.machine()}",
        },
    )


def _driver() -> str:
    command = ["nvidia-smi", "--query-gpu=driver_version", "--format=csv,noheader"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE)
    except (OSError, subprocess.TimeoutExpired):
        return "unknown"
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout.strip() else "unknown"


def find() -> Gpus:
    """Ask torch in a fresh process. If it can use no GPU, `reason` says why."""
    done = subprocess.run(
        [sys.executable, "-m", "verbatim.run.gpus"], capture_output=True, text=True, check=False, timeout=PATIENCE
    )
    try:
        return Gpus(**json.loads(done.stdout.splitlines()[-1]))
    except (IndexError, ValueError, TypeError):
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return Gpus(reason=last)


def ask() -> Gpus:
    """Find the GPUs of this machine.

    Raises:
        Problems: torch can use no GPU here; the message says why.
    """
    gpus = find()
    if not gpus.count:
        hint = "CUDA outputs are recorded on a machine with a GPU; the old records are untouched"
        raise Problems([Problem("--device cuda", 0, f"no GPU can be used: {gpus.reason}", hint)])
    return gpus


def today() -> str:
    """Return the date for a record, in UTC."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d")


def load_stand_ins() -> None:
    """Import the modules that `VERBATIM_PRELOAD` names: tests replace hardware with them."""
    for name in filter(None, os.environ.get("VERBATIM_PRELOAD", "").split(",")):
        importlib.import_module(name)


if __name__ == "__main__":
    load_stand_ins()
    gpus = look()
    print(json.dumps({"count": gpus.count, "provenance": gpus.provenance, "reason": gpus.reason}))
