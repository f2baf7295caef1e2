"""Cannot find a working triton installation: which backends need Triton, and what to do."""

# %% look fold=true varies=true
import subprocess
import sys


def python(code):
    print(f'$ python -c "{code}"', flush=True)
    subprocess.run([sys.executable, "-c", code])


python("import importlib.util as u; print(bool(u.find_spec('triton')))")
python("import torch; print(torch.version.cuda)")

# %% missing raises="torch._inductor.exc.TritonMissing"
import torch
from torch._inductor.exc import TritonMissing

raise TritonMissing(None)


# %% without-triton
def step(x):
    return torch.nn.functional.gelu(x @ x.T).sum()


x = torch.linspace(-1, 1, 12).view(3, 4).requires_grad_()
(expected,) = torch.autograd.grad(step(x), x)
for backend in ("eager", "aot_eager"):
    compiled = torch.compile(step, backend=backend)
    (gradient,) = torch.autograd.grad(compiled(x), x)
    print(f"{backend:10}", torch.allclose(gradient, expected))

# %% cpu needs="compiler"
from torch._inductor.utils import run_and_get_code

compiled = torch.compile(step)  # on the CPU: C++, no Triton
out, (code,) = run_and_get_code(compiled, x)
print(torch.allclose(out, step(x)))
print("C++:", "cpp_fused" in code, " Triton:", "@triton.jit" in code)

# %% choose
import importlib.util


def backend_for(device):
    """Inductor where it can generate code, else one that runs eager kernels."""
    if device.type in ("cuda", "xpu") and not importlib.util.find_spec("triton"):
        return "aot_eager"
    if device.type == "cuda" and torch.cuda.is_available():
        if torch.cuda.get_device_capability(device) < (7, 0):
            return "aot_eager"
    return "inductor"


print("cpu: ", backend_for(torch.device("cpu")))
print("cuda:", backend_for(torch.device("cuda")) in ("inductor", "aot_eager"))

# %% off
import os

program = """\
import torch
def fails(graph, inputs):
    raise RuntimeError("this backend compiles nothing")
print(torch.compile(lambda x: x + 1, backend=fails)(torch.ones(1)))
"""
variables = os.environ | {"TORCH_COMPILE_DISABLE": "1"}
subprocess.run([sys.executable, "-c", program], env=variables, check=True)

# %% too-old raises="torch._inductor.exc.GPUTooOldForTriton"
from types import SimpleNamespace

from torch._inductor.exc import GPUTooOldForTriton

card = SimpleNamespace(name="NVIDIA GeForce GTX 1080", major=6, minor=1)
raise GPUTooOldForTriton(card, None)

# %% remedies hidden=true
assert backend_for(torch.device("cpu")) == "inductor"
out = torch.compile(step, backend="aot_eager")(x)
assert torch.allclose(out, step(x))
with torch.compiler.set_stance("force_eager"):
    assert torch.equal(torch.compile(step)(x), step(x))
from unittest.mock import patch

for found, wanted in ((None, "aot_eager"), ("a spec", "inductor")):
    with patch.object(importlib.util, "find_spec", lambda name: found):
        assert backend_for(torch.device("cuda")) == wanted
        assert backend_for(torch.device("cpu")) == "inductor"

with (
    patch.object(importlib.util, "find_spec", lambda name: "a spec"),
    patch.object(torch.cuda, "is_available", lambda: True),
):
    for capability, wanted in (((6, 1), "aot_eager"), ((7, 0), "inductor"), ((12, 0), "inductor")):
        with patch.object(torch.cuda, "get_device_capability", lambda device, found=capability: found):
            assert backend_for(torch.device("cuda")) == wanted, capability

# %% switched-off hidden=true
program = """\
import torch
def fails(graph, inputs):
    raise RuntimeError("this backend compiles nothing")
torch.compile(lambda x: x + 1, backend=fails{})(torch.ones(1))
"""
for value, options, last in (
    ("1", ", fullgraph=True", "Dynamo tracing is disabled"),
    ("true", "", "this backend compiles nothing"),
):
    variables = os.environ | {"TORCH_COMPILE_DISABLE": value}
    command = [sys.executable, "-c", program.format(options)]
    child = subprocess.run(command, env=variables, capture_output=True, text=True)
    assert child.returncode == 1 and last in child.stderr, (value, child.stderr)
program = """\
import logging, torch
logging.getLogger("torch").setLevel(logging.CRITICAL)
torch._dynamo.config.suppress_errors = True
def fails(graph, inputs):
    raise RuntimeError("this backend compiles nothing")
assert torch.compile(lambda x: x + 1, backend=fails)(torch.ones(1)).item() == 2
mine = torch.compile(lambda x: x @ x, backend="eager")
for call in (lambda: mine(torch.ones(2, 3)), lambda: torch.compile(lambda x: x, backend=fails, fullgraph=True)(torch.ones(1) + 1)):
    try:
        call()
    except Exception as error:
        print(type(error).__name__)
"""
child = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
assert child.stdout.split()[:1] == ["RuntimeError"], child.stdout
assert {"inductor", "cudagraphs"} <= set(torch._dynamo.list_backends())

# %% switched-off-flex-attention hidden=true
import warnings

if tuple(map(int, torch.__version__.split(".")[:2])) >= (2, 13):
    from torch.nn.attention.flex_attention import flex_attention

    warnings.simplefilter("ignore", UserWarning)  # slow without torch.compile
    query = torch.ones(1, 1, 16, 16)
    with torch._dynamo.config.patch(disable=True):  # as the variable does
        try:
            flex_attention(query, query, query)
        except RuntimeError as error:
            assert "fullgraph=True" in str(error), error
        else:
            raise AssertionError("flex_attention compiles nothing of its own")
