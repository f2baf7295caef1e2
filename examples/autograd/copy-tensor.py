"""A copy without gradients is x.detach().clone()."""

# %% order
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)
logits = weight * 3

for copy in (logits.detach().clone(), logits.clone().detach()):
    same_memory = copy.data_ptr() == logits.data_ptr()
    print(copy, f"{copy.requires_grad=} {copy.is_leaf=} {same_memory=}")

# %% recorded-node
print(logits.clone().grad_fn.name())
print(logits.detach().clone().grad_fn)

# %% torch-tensor warns="UserWarning"
copy = torch.tensor(logits)
print(copy, copy.is_leaf, copy.data_ptr() == logits.data_ptr())

# %% torch-tensor-requires-grad warns="UserWarning"
copy = torch.tensor(logits, requires_grad=True)
print(copy, copy.is_leaf)

# %% said-plainly
copy = logits.detach().clone().requires_grad_()
print(copy, copy.is_leaf)
