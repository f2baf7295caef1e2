"""Conv1d, Conv2d and Conv3d: along how many dimensions the kernel moves."""

# %% shapes
import torch
from torch import nn

torch.manual_seed(0)
series = torch.randn(8, 6, 100)  # (batch, channels, time)
image = torch.randn(8, 3, 32, 32)  # (batch, channels, height, width)
video = torch.randn(8, 3, 16, 32, 32)  # (batch, channels, frames, height, width)
for conv, data in (
    (nn.Conv1d(6, 4, kernel_size=3), series),
    (nn.Conv2d(3, 4, kernel_size=3), image),
    (nn.Conv3d(3, 4, kernel_size=3), video),
):
    print(type(conv).__name__, "weight", tuple(conv.weight.shape))
    print("      ", tuple(data.shape), "->", tuple(conv(data).shape))

# %% by-hand
conv = nn.Conv1d(6, 4, kernel_size=3)
at_step_10 = series[0, :, 10:13]  # all channels, three steps
by_hand = (conv.weight * at_step_10).sum(dim=(1, 2)) + conv.bias
torch.testing.assert_close(by_hand, conv(series)[0, :, 10])
print("out[0, :, 10]:", tuple(by_hand.shape), "from", tuple(at_step_10.shape))

# %% table raises="RuntimeError"
table = torch.randn(8, 100, 6)  # (batch, time, features), as for an LSTM
conv = nn.Conv1d(6, 4, kernel_size=3)
conv(table)

# %% transposed
out = conv(table.transpose(1, 2))  # (batch, channels, time)
print("back to (batch, time, channels):", tuple(out.transpose(1, 2).shape))

# %% silent
square = torch.randn(8, 6, 6)  # (batch, time, features): as many steps as features
print("no error:", tuple(conv(square).shape))
print("the same:", torch.allclose(conv(square), conv(square.transpose(1, 2))))

# %% conv2d-on-series
conv2d = nn.Conv2d(1, 4, kernel_size=(3, 6))  # 3 steps, all 6 features
with torch.no_grad():
    conv2d.weight.copy_(conv.weight.mT[:, None])  # (out, 1, time, features)
    conv2d.bias.copy_(conv.bias)
out2d = conv2d(table[:, None])  # (batch, 1, time, features)
print("Conv2d:", tuple(out2d.shape))
print("as Conv1d:", torch.allclose(out2d[..., 0], out, atol=1e-5))

# %% neighbours
narrow = nn.Conv2d(1, 4, kernel_size=3)  # 3 steps, 3 neighboring features
order = torch.tensor([3, 0, 5, 1, 4, 2])
pooled = narrow(table[:, None]).relu().mean(dim=(2, 3))
shuffled = narrow(table[:, None, :, order]).relu().mean(dim=(2, 3))
print("columns as they are:  ", [round(x, 3) for x in pooled[0].tolist()])
print("columns in other order:", [round(x, 3) for x in shuffled[0].tolist()])


# %% causal
def first_change(net):
    """The first output that changes with the inputs from step 80 on."""
    changed = series.clone()
    changed[:, :, 80:] = 0
    differs = (net(changed) != net(series)).any(dim=1).any(dim=0)  # (time,)
    return differs.nonzero().min().item()


kernel_size, dilation = 3, 2
options = dict(kernel_size=kernel_size, dilation=dilation)
left_only = nn.ConstantPad1d(((kernel_size - 1) * dilation, 0), 0.0)
causal = nn.Sequential(left_only, nn.Conv1d(6, 4, **options))
same = nn.Conv1d(6, 4, **options, padding="same")
for name, net in (("causal", causal), ("same  ", same)):
    print(name, tuple(net(series).shape), "first change:", first_change(net))

# %% kernel-one
pointwise, linear = nn.Conv1d(6, 4, kernel_size=1), nn.Linear(6, 4)
weights = {"weight": pointwise.weight[:, :, 0], "bias": pointwise.bias}
linear.load_state_dict(weights)
at_once = pointwise(table.transpose(1, 2)).transpose(1, 2)
print("Conv1d:", [round(value, 2) for value in at_once[0, 7].tolist()])
print("Linear:", [round(value, 2) for value in linear(table)[0, 7].tolist()])

# %% factored
for kernel in ((3, 3, 3), (1, 3, 3), (3, 1, 1)):
    conv = nn.Conv3d(3, 4, kernel, padding="same")
    numel = conv.weight.numel()
    print(f"{kernel}: {tuple(conv(video).shape)}, {numel} weights")

# %% per-frame hidden=true
conv2d = nn.Conv2d(3, 4, 3)
conv3d = nn.Conv3d(3, 4, (1, 3, 3))
conv3d.load_state_dict({"weight": conv2d.weight[:, :, None], "bias": conv2d.bias})
frames = conv2d(video.transpose(1, 2).flatten(0, 1)).unflatten(0, (8, 16)).transpose(1, 2)
torch.testing.assert_close(conv3d(video), frames, atol=1e-5, rtol=1e-4)

# %% fewer-weights hidden=true
for a, b in ((1, 64), (4, 4), (64, 64)):
    assert (9 * a * b + 3 * b * b < 27 * a * b) == (a == b)

# %% batch-first hidden=true
batch = torch.randn(2, 5, 4)  # (batch, time, channels)
changed = batch.clone()
changed[0] += 1  # does the other sample notice?
for first in (True, False):
    lstm, attention = nn.LSTM(4, 3, batch_first=first), nn.MultiheadAttention(4, 1, batch_first=first)
    assert torch.allclose(lstm(batch)[0][1], lstm(changed)[0][1]) == first
    with torch.no_grad():
        before, after = (attention(x, x, x)[0][1] for x in (batch, changed))
    assert torch.allclose(before, after, atol=1e-6) == first

# %% no-batch hidden=true
one = torch.randn(100, 6)  # (time, features): the message adds a batch of 1
try:
    nn.Conv1d(6, 4, 3)(one)
except RuntimeError as error:
    assert "expected input[1, 100, 6] to have 6 channels, but got 100 channels" in str(error), error
else:
    raise AssertionError
assert nn.Conv1d(6, 4, 3)(one.transpose(0, 1)).shape == (4, 98)
