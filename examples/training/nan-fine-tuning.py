"""Fine-tuning: a loss of NaN or 0, a gradient norm of NaN, and which cause it is."""

# %% model
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Embedding(50, 16), nn.Linear(16, 50))
tokens = torch.randint(50, (4, 12))  # (batch, time)


def step(labels):
    net.zero_grad()
    logits = net(tokens)  # (batch, time, vocabulary)
    loss = nn.functional.cross_entropy(logits.flatten(0, 1), labels.flatten())
    loss.backward()
    norm = nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
    print(f"loss {loss:.2f}, gradient norm {norm:.2f}")


# %% ignored
prompt_length = 12  # the whole sequence: the answer was cut off
labels = tokens.clone()
labels[:, :prompt_length] = -100
step(labels)
print("labels that count:", (labels != -100).sum(dim=1).tolist())

# %% ignored-summed
logits = net(tokens).flatten(0, 1)
counted = (labels != -100).sum().clamp(min=1)
total = nn.functional.cross_entropy(logits, labels.flatten(), reduction="sum")
print(f"summed, then divided: loss {total / counted:.2f}")

# %% keep
labels[:2, 8:] = tokens[:2, 8:]  # two samples have an answer
keep = (labels != -100).any(dim=1)
print("samples to keep:", keep.nonzero().flatten().tolist())
step(labels)

# %% masked-row
scores = torch.randn(1, 3, 3, requires_grad=True)  # (batch, query, key)
visible = torch.tensor([[[0, 0, 0], [1, 1, 0], [1, 1, 1]]]).bool()  # left padding
added = torch.zeros(1, 3, 3).masked_fill(~visible, float("-inf"))
weights = (scores + added).softmax(dim=-1)
loss = weights[0, 1:].square().sum()  # ignores the padded row
loss.backward()
print("loss finite:    ", loss.isfinite().item())
print("NaN in row:     ", weights.isnan().any(dim=-1)[0].tolist())
print("NaN in gradient:", scores.grad.isnan().any(dim=-1)[0].tolist())

# %% masked-row-finite
scores.grad = None
lowest = torch.finfo(scores.dtype).min
added = torch.zeros(1, 3, 3).masked_fill(~visible, lowest)
(scores + added).softmax(dim=-1)[0, 1:].square().sum().backward()
print("NaN in gradient:", scores.grad.isnan().any().item())

# %% float16-adam
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    weight = nn.Parameter(torch.ones(2, dtype=dtype))
    optimizer = torch.optim.AdamW([weight], lr=1e-4)  # eps=1e-8
    weight.grad = torch.tensor([1e-5, 0.0], dtype=dtype)
    optimizer.step()
    print(f"{str(dtype):15}", [f"{value:.4f}" for value in weight.tolist()])

# %% one-bad-step
weight = nn.Parameter(torch.ones(2))
optimizer = torch.optim.AdamW([weight], lr=0.01)
for number, gradient in enumerate([1.0, float("nan"), 1.0]):
    weight.grad = torch.full((2,), gradient)
    norm = nn.utils.clip_grad_norm_([weight], max_norm=1.0)
    optimizer.step()
    finite = weight.isfinite().all().item()
    print(f"step {number}: norm {norm:.2f}, weight finite: {finite}")

# %% skip
weight = nn.Parameter(torch.ones(2))
optimizer = torch.optim.AdamW([weight], lr=0.01)
for number, gradient in enumerate([1.0, float("nan"), 1.0]):
    weight.grad = torch.full((2,), gradient)
    norm = nn.utils.clip_grad_norm_([weight], max_norm=1.0)
    if norm.isfinite():
        optimizer.step()
    else:
        print(f"step {number}: skipped")
print("weight finite:", weight.isfinite().all().item())

# %% ignored-gradients hidden=true
for labels in (torch.full((4, 12), -100), torch.full((1, 12), -100).expand(4, 12)):
    net.zero_grad()
    nn.functional.cross_entropy(net(tokens).flatten(0, 1), labels.flatten()).backward()
    assert all((parameter.grad == 0).all() for parameter in net.parameters())
half = nn.Parameter(torch.ones(2, dtype=torch.float16))
half.grad = torch.tensor([1e-5, 0.0], dtype=torch.float16)
torch.optim.AdamW([half], lr=1e-4, eps=1e-4).step()  # a larger eps does not vanish, but the weight does not move
assert half.isfinite().all() and half[1] == 1
for dtype in (torch.float32, torch.bfloat16, torch.float16):
    twice = torch.full((2,), torch.finfo(dtype).min, dtype=dtype) * 2  # two masks, added
    assert twice.isinf().all() and twice.softmax(dim=-1).isnan().all()
assert torch.allclose((scores + added).softmax(dim=-1)[0, 0], torch.tensor(1 / 3))
assert torch.finfo(torch.bfloat16).eps / 2 == 2**-8  # from 1 downward
near_one = torch.ones(2, dtype=torch.bfloat16) - torch.tensor([0.0019, 0.002]).bfloat16()
assert near_one.tolist() == [1.0, 1 - 2**-8]  # half of the distance decides
fused = nn.Parameter(torch.ones(2, dtype=torch.float16))
fused.grad = torch.tensor([1e-5, 0.0], dtype=torch.float16)
torch.optim.AdamW([fused], lr=1e-4, fused=True).step()  # computes in float32, yet
assert (fused == 1).all()
hidden = torch.randn(1, 3, 4)
added = torch.zeros(1, 3, 3).masked_fill(~visible, float("-inf"))
for padded in ([True, False, False], [True, True, True]):  # one layer, two layers
    hidden = (hidden @ hidden.mT + added).softmax(dim=-1) @ hidden
    assert hidden.isnan().any(dim=-1)[0].tolist() == padded
negative = torch.full((1, 3), -16.0, dtype=torch.float16)
overflow = negative + torch.finfo(torch.float16).min
assert overflow.softmax(dim=-1).isnan().all()
weight.grad = torch.tensor([1.0, float("nan")])
nn.utils.clip_grad_norm_([weight], max_norm=1.0)
assert weight.grad.isnan().all()  # the finite one, too

# %% mean-by-a-mask hidden=true
losses = nn.functional.cross_entropy(net(tokens).flatten(0, 1), tokens.flatten(), reduction="none")
mask = torch.zeros_like(losses)  # no label counts
for count, spoiled in ((mask.sum(), True), (mask.sum().clamp(min=1), False)):
    net.zero_grad()
    ((losses * mask).sum() / count).backward(retain_graph=True)
    assert net[1].weight.grad.isnan().any().item() is spoiled

# %% larger-gradients hidden=true
for gradient, survives in ((1e-1, True), (1e-3, False)):
    half = nn.Parameter(torch.ones(1, dtype=torch.float16))
    half.grad = torch.full_like(half, gradient)
    torch.optim.AdamW([half], lr=1e-4).step()
    assert half.isfinite().all().item() is survives

# %% only-the-bad-ones hidden=true
apart = nn.Parameter(torch.ones(2))
optimizer = torch.optim.AdamW([apart], lr=0.01)
apart.grad = torch.tensor([1.0, float("nan")])
optimizer.step()  # not clipped
for spoiled in (apart, optimizer.state[apart]["exp_avg"], optimizer.state[apart]["exp_avg_sq"]):
    assert spoiled.isnan().tolist() == [False, True]
