"""What a hook returns replaces the gradient; when .grad is filled."""

# %% return-value
import torch

weight = torch.tensor([1.0], requires_grad=True)
handle = weight.register_hook(lambda grad: grad * 10)
(weight * 2).sum().backward()
print(weight.grad)

# %% returns-none
handle.remove()
weight.grad = None
handle = weight.register_hook(lambda grad: print("hook:", grad))  # None
(weight * 2).sum().backward()
print(weight.grad)

# %% mask
row = torch.ones(3, requires_grad=True)
mask = torch.tensor([1.0, 0.0, 1.0])
row.register_hook(lambda grad: grad * mask)
(row * 2).sum().backward()
print(row.grad)

# %% when-grad-is-filled
handle.remove()
weight.grad = None
seen = []


def note(param):
    seen.append(param.grad)


weight.register_hook(lambda grad: note(weight))
weight.register_post_accumulate_grad_hook(note)
(weight * 2).sum().backward()
print("tensor hook:    ", seen[0])
print("post-accumulate:", seen[1])

# %% intermediate
logits = weight * 2
logits.register_hook(lambda grad: print("logits:", grad))
(logits**2).sum().backward()

# %% intermediate-post raises="RuntimeError"
logits.register_post_accumulate_grad_hook(print)

# %% no-gradient raises="RuntimeError"
image = torch.ones(1)
image.register_hook(print)

# %% requires-grad hidden=true
image.requires_grad_().register_hook(print)

# %% masked-still-decays hidden=true
torch.optim.SGD([row], lr=0.1, weight_decay=0.1).step()
assert row[1] != 1


# %% edits-and-types hidden=true
def edited(grad):
    grad.mul_(10)


def hooked(hook):
    tensor = torch.ones(2, requires_grad=True)
    tensor.register_hook(hook)
    (tensor * 2).sum().backward()
    return tensor.grad.tolist()


assert hooked(edited) == [20, 20]
for hook in (lambda grad: 2.0, torch.sum, torch.Tensor.double):
    try:
        hooked(hook)
    except (RuntimeError, TypeError):
        continue
    raise AssertionError("the hook may return that now")

for momentum, moves in ((0.0, False), (0.9, True)):
    row = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([row], lr=0.1, momentum=momentum)
    row.sum().backward()
    optimizer.step()
    before = row[1].item()
    row.register_hook(lambda grad: grad * mask)
    optimizer.zero_grad()
    row.sum().backward()
    optimizer.step()
    assert (row[1].item() != before) == moves
