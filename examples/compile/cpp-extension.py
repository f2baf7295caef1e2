"""A C++ function as a PyTorch operator, compiled from within Python."""

# %% build needs="ninja"
import os
import tempfile

import torch
from torch.utils.cpp_extension import load_inline

SOURCE = """
#include <ATen/core/Tensor.h>
#include <ATen/ops/empty_like.h>
#include <torch/library.h>

at::Tensor leaky(const at::Tensor& x, double slope) {
  TORCH_CHECK(x.scalar_type() == at::kFloat, "leaky: float32 only: ", x.dtype());
  auto in = x.contiguous();
  auto out = at::empty_like(in);
  const float* from = in.const_data_ptr<float>();
  float* to = out.mutable_data_ptr<float>();
  for (int64_t i = 0; i < in.numel(); i++)
    to[i] = from[i] > 0 ? from[i] : slope * from[i];
  return out;
}

TORCH_LIBRARY(cookbook_cpp, m) {
  m.def("leaky(Tensor x, float slope) -> Tensor");
}
TORCH_LIBRARY_IMPL(cookbook_cpp, CPU, m) { m.impl("leaky", &leaky); }
"""
options = {"no_implicit_headers": True, "is_python_module": False}
built = os.path.abspath("leaky")  # not a new folder each time the cell runs
os.makedirs(built, exist_ok=True)
load_inline("leaky", cpp_sources=SOURCE, build_directory=built, **options)

# %% call needs="ninja"
leaky = torch.ops.cookbook_cpp.leaky
x = torch.tensor([-2.0, -1.0, 0.0, 3.0])
print(leaky(x, 0.1))
print(torch.equal(leaky(x, 0.1), torch.nn.functional.leaky_relu(x, 0.1)))

# %% no-ninja raises="RuntimeError" needs="ninja"
from unittest.mock import patch

with patch.dict(os.environ, PATH=""):  # as if Ninja were not installed
    load_inline("again", cpp_sources=SOURCE, **options)

# %% broken raises="RuntimeError" needs="ninja"
broken = "int length() { return size; }"
folder = tempfile.mkdtemp()
try:
    load_inline("broken", cpp_sources=broken, build_directory=folder, **options)
except RuntimeError as error:
    first, *others = str(error).splitlines()
    print("an error names `size`:", any("size" in line for line in others))
    raise RuntimeError(first.split(":")[0]) from None

# %% dtype raises="RuntimeError" needs="ninja"
leaky(x.double(), 0.1)

# %% arguments raises="RuntimeError" needs="ninja"
leaky(x)

# %% no-gradient warns="UserWarning" needs="ninja"
weight = x.clone().requires_grad_()
(leaky(weight, 0.1).sum() + 0 * weight.sum()).backward()
print("the gradient of leaky is missing:", weight.grad)


# %% gradient needs="ninja"
def setup_context(ctx, inputs, output):
    x, ctx.slope = inputs
    ctx.save_for_backward(x)


def backward(ctx, grad):
    (x,) = ctx.saved_tensors
    return torch.where(x > 0, grad, ctx.slope * grad), None


name = "cookbook_cpp::leaky"
torch.library.register_autograd(name, backward, setup_context=setup_context)
weight.grad = None
leaky(weight, 0.1).sum().backward()
print(weight.grad)


# %% compile needs="ninja"
@torch.library.register_fake(name)
def _(x, slope):
    return torch.empty_like(x, memory_format=torch.contiguous_format)


def plus_one(x):
    return leaky(x, 0.1) + 1


print(torch.compile(plus_one, backend="aot_eager", fullgraph=True)(x))
print(set(torch.library.opcheck(leaky, (weight, 0.1)).values()))

# %% fixed hidden=true needs="ninja"
load_inline("fixed", cpp_sources="int length(int size) { return size; }", build_directory=folder, **options)

# %% arguments-right hidden=true needs="ninja"
assert torch.equal(leaky(x.double().float(), 0.1), leaky(x, slope=0.1))

# %% strides hidden=true needs="ninja"
for given in (torch.randn(3, 4).t(), torch.randn(8)[::2], torch.randn(1, 4).expand(3, 4), torch.tensor(-1.0)):
    assert set(torch.library.opcheck(leaky, (given, 0.1)).values()) == {"SUCCESS"}
    assert torch.allclose(leaky(given, 0.1), torch.nn.functional.leaky_relu(given, 0.1))

# %% kept hidden=true needs="ninja"
from pathlib import Path

(library,) = Path(built).glob("leaky*.so")
before = library.stat().st_mtime_ns
load_inline("leaky", cpp_sources=SOURCE, build_directory=built, **options)
assert library.stat().st_mtime_ns == before  # the same source is not compiled again
