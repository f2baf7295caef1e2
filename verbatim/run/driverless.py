"""Has a torch without CUDA act as one with CUDA does where there is no NVIDIA driver. Runs in the child.

That is the torch which pip installs on Linux by itself, so most readers without a GPU have it. What it says instead of
a build without CUDA is done by its C++ code, which is not here: the functions below stand in for that. Torch's Python
code, which calls them, is the same in both builds.

What C++ does by itself is as it was: `torch.device(0)`, `torch.Generator("cuda")`, tensors that are made in pinned
memory. `make portable OPTIONS=--cuda` runs the real build.
"""

from __future__ import annotations

import logging
import os
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Callable

#: The CUDA and the cuDNN of torch 2.13.
CUDA, CUDNN, NCCL = "13.0", 92000, (2, 29, 7)
NO_DRIVER = (
    "Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU and installed a driver from "
    "http://www.nvidia.com/Download/index.aspx"
)
TOO_OLD = "CUDA error: CUDA driver version is insufficient for CUDA runtime version"
NO_GPU = "ProcessGroupNCCL is only supported with GPUs, no GPUs found!"
FORKED = (
    "Unable to handle autograd's threading in combination with fork-based multiprocessing. See "
    "https://github.com/pytorch/pytorch/wiki/Autograd-and-Fork"
)

#: Functions of `torch._C` that look for the driver.
_INITIALIZING = (
    "_cuda_init",
    "_cuda_setDevice",
    "_cuda_exchangeDevice",
    "_cuda_record_memory_history",
    "_accelerator_getDeviceIndex",
    "_accelerator_setDeviceIndex",
    "_accelerator_synchronizeDevice",
)


def apply() -> None:
    """Let torch act so from now on, unless it has CUDA."""
    import torch
    from torch.distributed import distributed_c10d

    if torch.version.cuda:
        return
    torch.version.cuda = CUDA
    # such a build brings Triton along, so it does not say that there is none
    logging.getLogger("torch.utils.flop_counter").addFilter(
        lambda record: "triton not found" not in record.getMessage()
    )
    for name in _INITIALIZING:
        setattr(torch._C, name, _initialize)
    engine = _Engine(torch.autograd.Variable._execution_engine)
    _hide_from_compiler(_Engine.run_backward)
    replaced: dict[Any, dict[str, Any]] = {
        torch._C: {
            "_has_cuda": True,
            "_cuda_getDeviceCount": lambda: 0,
            "_cuda_getAllocatorBackend": lambda: "native",
            "_accelerator_getAccelerator": lambda: torch.device("cuda"),
            "_can_use_cudnn_attention": _look,
            "_cuda_getCurrentRawStream": _look,  # TorchDynamo imports it where there is CUDA
            "_cuda_CUDAAllocator_AllocatorState": object,  # and what compiles an optimizer, too
            "_ensureCUDADeviceGuardSet": engine.pretend_gpu,
        },
        torch.autograd.Variable: {"_execution_engine": engine},
        torch.cuda: {"_cudart": object(), "CUDAGraph": _NoDevice, "Stream": _NoDevice},
        torch.cuda.nccl: {"version": lambda: NCCL},
        torch.Tensor: {"pin_memory": _pin(torch.Tensor.pin_memory)},
        torch.backends.cudnn: {"is_available": lambda: True, "version": lambda: CUDNN},
        distributed_c10d: {"_NCCL_AVAILABLE": True, "ProcessGroupNCCL": _NoGroup},
    }
    for owner, values in replaced.items():
        for name, value in values.items():
            setattr(owner, name, value)


def _hide_from_compiler(function: Callable[..., Any]) -> None:
    """Have TorchDynamo run a function as it is, as what is C++ in the real build."""
    from torch._C._dynamo import eval_frame

    skip = eval_frame._FrameExecStrategy(eval_frame._FrameAction.SKIP, eval_frame._FrameAction.DEFAULT)
    eval_frame.set_code_exec_strategy(function.__code__, skip)


def _initialize(*_: Any, **__: Any) -> NoReturn:
    raise RuntimeError(NO_DRIVER)


def _look(*_: Any, **__: Any) -> NoReturn:
    import torch

    raise getattr(torch, "AcceleratorError", RuntimeError)(TOO_OLD)


def _pin(original: Callable[..., Any]) -> Callable[..., Any]:
    """Has it look for the driver, except for what cannot be pinned anywhere: C++ refuses that first."""

    def pin_memory(tensor: Any, *arguments: Any, **options: Any) -> Any:
        return _initialize() if tensor.is_cpu else original(tensor, *arguments, **options)

    return pin_memory


class _Engine:
    """Autograd's: its first backward pass starts a thread for each GPU, and what is forked later has lost them.

    Where no GPU is, there is one all the same once fake tensors pretend it, as `torch.compile` and FSDP2 have them.
    """

    def __init__(self, engine: Any) -> None:
        self._engine = engine
        self._sees_gpu = self._has_lost_threads = False
        self._has_threads: bool | None = None  # not decided before the first backward pass
        os.register_at_fork(after_in_child=self._lose_threads)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def pretend_gpu(self) -> None:
        self._sees_gpu = True

    def run_backward(self, *arguments: Any, **options: Any) -> Any:
        if self._has_lost_threads:
            raise RuntimeError(FORKED)
        if self._has_threads is None:
            self._has_threads = self._sees_gpu
        return self._engine.run_backward(*arguments, **options)

    def _lose_threads(self) -> None:
        self._has_lost_threads = bool(self._has_threads)


class _NoDevice:
    """A class of objects on a GPU; libraries name it in annotations, such as `Stream | None`."""

    def __init__(self, *_: Any, **__: Any) -> None:
        _look()


class _NoGroup:
    """NCCL, which finds no GPU."""

    class Options:
        """Its options: any."""

        def __init__(self, *_: Any, **__: Any) -> None:
            pass

    def __init__(self, *_: Any, **__: Any) -> None:
        raise ValueError(NO_GPU)
