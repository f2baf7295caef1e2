"""Accumulated micro-batches equal the large batch only under conditions."""

# %% setup
import torch
from torch import nn

torch.manual_seed(0)
features, targets = torch.randn(8, 3), torch.randn(8, 1)
plain = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
layers = nn.Linear(3, 4), nn.BatchNorm1d(4), nn.ReLU(), nn.Linear(4, 1)
normed = nn.Sequential(*layers)
loss_fn = nn.MSELoss()  # a mean


def gradient(net, sizes, weights):
    """The gradient of the first weight, accumulated over parts of these sizes."""
    net.zero_grad()
    parts = zip(features.split(sizes), targets.split(sizes), weights)
    for x, y, weight in parts:
        (weight * loss_fn(net(x), y)).backward()
    return net[0].weight.grad.clone()


# %% equal
def show(name, gradient):
    row = gradient[0].tolist()  # the first of four
    print(f"{name:24}", [f"{value:.4f}" for value in row])


whole = gradient(plain, [8], [1])
show("the whole batch", whole)
show("4 parts of 2, each / 4", gradient(plain, [2] * 4, [1 / 4] * 4))

# %% unequal
parts = [3, 3, 2]  # the last one is smaller
show("3 + 3 + 2, each / 3", gradient(plain, parts, [1 / 3] * 3))
show("3 + 3 + 2, each * n / 8", gradient(plain, parts, [n / 8 for n in parts]))

# %% unequal-exact hidden=true
assert torch.allclose(gradient(plain, [2] * 4, [1 / 4] * 4), whole, atol=1e-6)
assert torch.allclose(gradient(plain, parts, [n / 8 for n in parts]), whole, atol=1e-6)
assert not torch.allclose(gradient(plain, parts, [1 / 3] * 3), whole, atol=1e-3)

# %% batchnorm
show("training mode, whole", gradient(normed, [8], [1]))
show("training mode, 4 + 4", gradient(normed, [4, 4], [1 / 2] * 2))

normed.eval()  # fixed statistics
show("eval mode, whole", gradient(normed, [8], [1]))
show("eval mode, 4 + 4", gradient(normed, [4, 4], [1 / 2] * 2))

# %% tokens
import torch.nn.functional as F

logits = torch.randn(4, 5, 7, requires_grad=True)  # (batch, time, classes)
labels = torch.randint(7, (4, 5))
labels[0, 1:] = -100  # padding: this sequence has one token
mean = F.cross_entropy(logits.flatten(0, 1), labels.flatten())
(whole,) = torch.autograd.grad(mean, logits)

total = (labels != -100).sum()
ways = {"mean of means": ("mean", 4), "sum / all tokens": ("sum", total)}
for name, (reduction, divisor) in ways.items():
    accumulated = torch.zeros_like(logits)
    for row in range(4):
        loss = F.cross_entropy(logits[row], labels[row], reduction=reduction)
        accumulated += torch.autograd.grad(loss / divisor, logits)[0]
    difference = (accumulated - whole).abs().max()
    print(f"{name:17} largest difference from the whole batch: {difference:.3f}")

# %% dropout
dropped = nn.Sequential(nn.Linear(3, 4), nn.Dropout(0.5), nn.Linear(4, 1))
show("dropout, whole", gradient(dropped, [8], [1]))
show("dropout, whole, again", gradient(dropped, [8], [1]))
show("dropout, 4 parts of 2", gradient(dropped, [2] * 4, [1 / 4] * 4))

# %% groupnorm hidden=true
grouped = nn.Sequential(nn.Linear(3, 4), nn.GroupNorm(2, 4), nn.ReLU(), nn.Linear(4, 1))
assert torch.allclose(gradient(grouped, [2] * 4, [1 / 4] * 4), gradient(grouped, [8], [1]), atol=1e-6)

# %% other-breakers hidden=true
first, again = gradient(dropped, [8], [1]), gradient(dropped, [2] * 4, [1 / 4] * 4)
assert not torch.allclose(first, again, atol=1e-3)
dropped.eval()
assert torch.allclose(gradient(dropped, [8], [1]), gradient(dropped, [2] * 4, [1 / 4] * 4), atol=1e-6)


def in_batch(net, sizes):  # a loss whose negatives are the rest of the batch
    net.zero_grad()
    for x in features.split(sizes):
        loss = F.cross_entropy(net(x) @ net(x).T, torch.arange(len(x)))
        (len(x) / 8 * loss).backward()
    return net[0].weight.grad.clone()


assert not torch.allclose(in_batch(plain, [8]), in_batch(plain, [2] * 4), atol=1e-3)

class_weight = torch.arange(1.0, 8.0)
options = {"weight": class_weight, "reduction": "sum"}
mean = F.cross_entropy(logits.flatten(0, 1), labels.flatten(), weight=class_weight)
(whole,) = torch.autograd.grad(mean, logits)
divisor = class_weight[labels[labels != -100]].sum()
parts = [F.cross_entropy(logits[row], labels[row], **options) / divisor for row in range(4)]
assert torch.allclose(sum(torch.autograd.grad(part, logits)[0] for part in parts), whole, atol=1e-6)

# %% layernorm hidden=true
layered = nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.ReLU(), nn.Linear(4, 1))
halves = gradient(layered, [2] * 4, [1 / 4] * 4)
assert torch.allclose(halves, gradient(layered, [8], [1]), atol=1e-6)

# %% root-of-a-mean hidden=true
mean_loss = loss_fn
loss_fn = lambda x, y: mean_loss(x, y).sqrt()
assert not torch.allclose(gradient(plain, [2] * 4, [1 / 4] * 4), gradient(plain, [8], [1]), atol=1e-3)
loss_fn = mean_loss


# %% num-items
def causal_loss(logits, labels, num_items_in_batch=None):
    """The loss of a language model: the logits at t predict the label at t + 1."""
    flat, labels = logits[:, :-1].flatten(0, 1), labels[:, 1:].flatten()
    if num_items_in_batch is None:
        return F.cross_entropy(flat, labels)  # the mean of this micro-batch
    total = F.cross_entropy(flat, labels, reduction="sum")
    return total / num_items_in_batch


torch.manual_seed(0)
logits, labels = torch.randn(4, 5, 7), torch.randint(7, (4, 5))
labels[0, 2:] = -100  # one label is left, after the shift
num_items = (labels[:, 1:] != -100).sum()  # of all micro-batches of the step
parts = list(zip(logits.split(1), labels.split(1)))
print(f"the whole batch:           {causal_loss(logits, labels):.4f}")
means = [causal_loss(*part) / len(parts) for part in parts]
print(f"4 means, each / 4:         {sum(means):.4f}")
sums = [causal_loss(*part, num_items) for part in parts]
print(f"with num_items_in_batch:   {sum(sums):.4f}")
print(f"and each / 4 once more:    {sum(sums) / len(parts):.4f}")

# %% num-items-transformers needs="transformers"
from transformers import LlamaConfig, LlamaForCausalLM

sizes = dict(vocab_size=7, hidden_size=8, intermediate_size=16)
layers = dict(num_hidden_layers=1, num_attention_heads=2, num_key_value_heads=2)
model = LlamaForCausalLM(LlamaConfig(**sizes, **layers))
ids = torch.randint(7, (4, 5))
rows = list(zip(ids.split(1), labels.split(1)))
with torch.no_grad():
    whole = model(ids, labels=labels).loss
    means = [model(x, labels=y).loss for x, y in rows]
    sums = [model(x, labels=y, num_items_in_batch=num_items).loss for x, y in rows]
print("mean of the means:", torch.allclose(sum(means) / 4, whole))
print("sum, with the count:", torch.allclose(sum(sums), whole))

# %% num-items-claims hidden=true
for seed in range(5):
    torch.manual_seed(seed)
    logits, labels = torch.randn(6, 9, 11, requires_grad=True), torch.randint(11, (6, 9))
    labels[torch.rand(6, 9) < 0.5] = -100
    wanted = torch.autograd.grad(causal_loss(logits, labels), logits)[0]
    count = (labels[:, 1:] != -100).sum()
    for split in (1, 2, 4, 5):
        parts = zip(logits.split(split), labels.split(split))
        made = torch.autograd.grad(sum(causal_loss(*part, count) for part in parts), logits)[0]
        torch.testing.assert_close(made, wanted)

# %% bfloat16 hidden=true
for dtype, total in ((torch.bfloat16, 0.5), (torch.float32, 1.0)):
    parameter = torch.zeros(1, dtype=dtype, requires_grad=True)
    for _ in range(512):
        (parameter / 512).sum().backward()
    assert parameter.grad.item() == total

# %% ignored-number hidden=true needs="transformers"
from transformers import BertConfig, BertForMaskedLM

sizes = dict(vocab_size=7, hidden_size=8, intermediate_size=16)
layers = dict(num_hidden_layers=1, num_attention_heads=2, max_position_embeddings=8)
masked = BertForMaskedLM(BertConfig(**sizes, **layers)).eval()
ids, marks = torch.randint(7, (4, 5)), torch.randint(7, (4, 5))
rows = list(zip(ids.split(1), marks.split(1)))
with torch.no_grad():
    means = [masked(x, labels=y).loss for x, y in rows]
    sums = [masked(x, labels=y, num_items_in_batch=20).loss for x, y in rows]
torch.testing.assert_close(sums, means)  # it takes the number, and ignores it

# %% moving-layer hidden=true
torch.manual_seed(0)
moving = nn.Sequential(nn.utils.spectral_norm(nn.Linear(3, 4)), nn.Linear(4, 1))
start = {name: value.clone() for name, value in moving.state_dict().items()}


def original(sizes):
    moving.load_state_dict(start)
    moving.zero_grad()
    for x, y in zip(features.split(sizes), targets.split(sizes)):
        (len(x) / 8 * loss_fn(moving(x), y)).backward()
    return moving[0].weight_orig.grad.clone()


assert not torch.allclose(original([2] * 4), original([8]), atol=1e-3)

# %% batchmean hidden=true
outputs, shares = torch.randn(8, 5, requires_grad=True), torch.randn(8, 5).softmax(1)
whole = torch.autograd.grad(F.kl_div(outputs.log_softmax(1), shares, reduction="batchmean"), outputs)[0]
for divisor, same in ((8, True), (40, False)):
    parts = zip(outputs.split(3), shares.split(3))
    total = sum(F.kl_div(x.log_softmax(1), y, reduction="sum") for x, y in parts) / divisor
    assert torch.allclose(torch.autograd.grad(total, outputs)[0], whole, atol=1e-6) is same

# %% weighted-elements hidden=true
import inspect

for loss in (F.mse_loss, F.l1_loss):
    if "weight" not in inspect.signature(loss).parameters:
        continue  # an older release
    torch.manual_seed(0)
    outputs, wanted, weights = torch.randn(8, 3, requires_grad=True), torch.randn(8, 3), torch.rand(8, 3)
    (whole,) = torch.autograd.grad(loss(outputs, wanted, weight=weights), outputs)
    for divisor, same in ((weights.sum(), True), (weights.numel(), False)):
        total = 0
        for part in zip(outputs.split(2), wanted.split(2), weights.split(2)):
            total = total + loss(*part[:2], weight=part[2], reduction="sum") / divisor
        assert torch.allclose(torch.autograd.grad(total, outputs)[0], whole, atol=1e-6) is same
