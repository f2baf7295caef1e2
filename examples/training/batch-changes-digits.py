"""The same sample, alone and in a batch: rounding, or more than rounding."""

# %% alone-and-together varies=true
import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(512, 512), nn.ReLU(), nn.Linear(512, 10))
samples = torch.randn(64, 512)
together = net(samples).detach()
alone = torch.cat([net(sample[None]) for sample in samples]).detach()
print("equal:", torch.equal(alone, together))
print("largest difference:", (alone - together).abs().max().item())

# %% close
step = torch.finfo(together.dtype).eps * together.abs().max().item()
torch.testing.assert_close(alone, together, atol=30 * step, rtol=0)
print("within 30 steps: yes")

# %% order
print((0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3))

# %% bounded
for dtype in (torch.float64, torch.float32, torch.bfloat16):
    net.to(dtype)
    rows = samples.to(dtype)
    together = net(rows).detach()
    alone = torch.cat([net(row[None]) for row in rows]).detach()
    eps = torch.finfo(dtype).eps
    steps = (alone - together).abs().max() / (eps * together.abs().max())
    print(dtype, f"eps {eps:.0e}, fewer than 30 steps:", steps.item() < 30)
net.float()

# %% tie
for second in ((0.1 + 0.2) + 0.3, 0.1 + (0.2 + 0.3)):
    scores = torch.tensor([0.6, second], dtype=torch.float64)
    print("second larger:", (scores[1] > scores[0]).item())

# %% batchnorm
with_norm = nn.Sequential(nn.Linear(512, 16), nn.BatchNorm1d(16), nn.Linear(16, 10))
for mode in (True, False):
    with_norm.train(mode)
    small, large = with_norm(samples[:2]), with_norm(samples)[:2]
    print(f"training={mode!s:5} close: {torch.allclose(small, large, atol=1e-5)}")

# %% mask
attention = nn.MultiheadAttention(8, num_heads=2, batch_first=True)
sequence = torch.randn(1, 3, 8)
padded = torch.cat([sequence, torch.zeros(1, 2, 8)], dim=1)  # to length 5
padding = torch.tensor([[False, False, False, True, True]])
expected, _ = attention(sequence, sequence, sequence)
for mask in (None, padding):
    out, _ = attention(padded, padded, padded, key_padding_mask=mask)
    close = torch.allclose(out[:, :3], expected, atol=1e-5)
    print("with the mask:" if mask is not None else "without:", close)

# %% gradients hidden=true
for size in (1, 7, 64):
    torch.testing.assert_close(net(samples[:size]), net(samples)[:size])
large = 50 * samples  # assert_close by itself may raise here
whole = net(large).detach()
alone = torch.cat([net(row[None]) for row in large]).detach()
step = torch.finfo(whole.dtype).eps * whole.abs().max().item()
torch.testing.assert_close(alone, whole, atol=30 * step, rtol=0)
cancels = nn.Linear(512, 10).double()
with torch.no_grad():
    cancels.weight.sub_(cancels.weight.mean(dim=1, keepdim=True))
    shifted = 1000 + samples.double()
    whole, alone = cancels(shifted), torch.cat([cancels(row[None]) for row in shifted])
    terms = (shifted.abs() @ cancels.weight.abs().T).max()
    steps = (alone - whole).abs().max() / torch.finfo(whole.dtype).eps
    assert steps < 30 * terms  # by the terms that are added, not by the outputs
recurrent = nn.RNN(32, 32, batch_first=True).double()
with torch.no_grad():
    recurrent.weight_hh_l0.mul_(6)
    series = torch.randn(64, 300, 32, dtype=torch.float64)
    nudged = series + 1e-15 * torch.randn_like(series)  # as small as rounding
    assert (recurrent(series)[0] - recurrent(nudged)[0]).abs().max() > 0.1

# %% default-tolerance hidden=true
torch.testing.assert_close(torch.tensor(1e-4), torch.tensor(1.05e-4))  # 5 % off, but less than the fixed 1e-5

# %% padded-length hidden=true
rows, differ = torch.randn(1000, 7).exp(), 0
for length in (8, 16, 33, 100):  # in a batch of the same size, one longer sample
    differ += (rows.sum(dim=1) != nn.functional.pad(rows, (0, length - 7)).sum(dim=1)).sum().item()
assert differ > 0  # zeros change the order of the sum
