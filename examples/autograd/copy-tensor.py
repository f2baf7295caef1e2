"""A copy without gradients is x.detach().clone()."""

# %% order
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)
logits = weight * 3

for copy in (logits.detach().clone(), logits.clone().detach()):
    same_memory = copy.data_ptr() == logits.data_ptr()
    print(copy, f"{copy.requires_grad=} {copy.is_leaf=} {same_memory=}")

# %% recorded-node
print("clone() first: ", logits.clone().grad_fn.name())
print("detach() first:", logits.detach().clone().grad_fn)

# %% torch-tensor warns="UserWarning"
copy = torch.tensor(logits)
same_memory = copy.data_ptr() == logits.data_ptr()
print(copy, f"{copy.is_leaf=} {same_memory=}")

# %% torch-tensor-requires-grad warns="UserWarning"
copy = torch.tensor(logits, requires_grad=True)
print(copy, f"{copy.is_leaf=}")

# %% said-plainly
copy = logits.detach().clone().requires_grad_()
print(copy, f"{copy.is_leaf=}")

# %% alias
alias = weight  # the same tensor under a second name
independent = weight.detach().clone()
with torch.no_grad():
    alias[0] = 10.0
print("weight:", weight.tolist(), "  independent:", independent.tolist())

# %% deepcopy hidden=true
from copy import deepcopy

weight.sum().backward()
twin = deepcopy(weight)
assert twin.requires_grad and twin.is_leaf and torch.equal(twin.grad, weight.grad)
assert twin.data_ptr() != weight.data_ptr() and twin.grad.data_ptr() != weight.grad.data_ptr()
parameter = torch.nn.Parameter(torch.ones(2))
parameter.sum().backward()
assert parameter.grad is not None and deepcopy(parameter).grad is None
try:
    deepcopy(logits)
except RuntimeError as error:
    assert "deepcopy protocol" in str(error)
else:
    raise AssertionError("logits is not a leaf")

# %% counter-cases hidden=true
for source in (torch.randn(3, 4), torch.randn(4, 3).T, torch.randn(5)[::2], torch.tensor(1.0), torch.zeros(0)):
    source.requires_grad_()
    both = source.clone().detach(), source.detach().clone()
    for copy in both:
        assert torch.equal(copy, source) and copy.is_leaf and not copy.requires_grad
        assert not source.numel() or copy.data_ptr() != source.data_ptr()
        assert copy.stride() == both[0].stride()

# %% gradients-flow-on hidden=true
start = torch.ones(3, requires_grad=True)
scaled = 2 * start
for copied in (scaled.clone(), scaled.to(torch.float64, copy=True)):
    copied[0] = 0.0
    (gradient,) = torch.autograd.grad(copied.sum(), start, retain_graph=True)
    assert gradient.tolist() == [0, 2, 2] and scaled.tolist() == [2, 2, 2]
