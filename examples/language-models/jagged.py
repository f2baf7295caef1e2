"""Jagged nested tensors: sequences of different lengths without padding."""

# %% make
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
texts = [torch.randn(length, 16) for length in (2, 5, 3)]  # each (time, width)
batch = torch.nested.nested_tensor(texts, layout=torch.jagged)
print(batch.shape)
print("values:", batch.values().shape, " offsets:", batch.offsets().tolist())

# %% strided warns="UserWarning"
print(torch.nested.nested_tensor(texts).layout)

# %% jagged-layout
print(torch.nested.nested_tensor(texts, layout=torch.jagged).layout)

# %% layers
hidden = nn.LayerNorm(16)(nn.Linear(16, 16)(batch).relu())
print(hidden.shape)
print([tuple(row.shape) for row in hidden.unbind()])

# %% right-mean
padded = torch.nested.to_padded_tensor(batch, 0.0)  # (batch, longest, width)
print("text by itself", texts[0].mean(dim=0)[:3])
print("jagged        ", batch.mean(dim=1)[0, :3])
print("padded        ", padded.mean(dim=1)[0, :3])


# %% attention
def heads(x):  # (batch, time, width) -> (batch, 2, time, width / 2)
    return x.unflatten(-1, [2, -1]).transpose(1, 2)


def attend(x):
    query, key, value = (heads(layer(x)) for layer in layers)
    mixed = F.scaled_dot_product_attention(query, key, value)
    return mixed.transpose(1, 2).flatten(2)


layers = nn.ModuleList(nn.Linear(16, 16) for _ in range(3))  # query, key, value
mixed = attend(batch)
print(mixed.shape)
for text, row in zip(texts, mixed.unbind()):
    equal = torch.allclose(row, attend(text[None])[0], atol=1e-5)
    print(len(text), "tokens, equal:", equal)

# %% not-contiguous needs="no-cuda" raises="RuntimeError"
parts = nn.Linear(16, 48)(batch).chunk(3, dim=-1)
F.scaled_dot_product_attention(*(heads(part) for part in parts))

# %% contiguous
parts = nn.Linear(16, 48)(batch).chunk(3, dim=-1)
parts = (heads(part.contiguous()) for part in parts)
print(F.scaled_dot_product_attention(*parts).shape)

# %% both-ways
flat = torch.cat(texts)  # (all tokens, width)
lengths = torch.tensor([len(text) for text in texts])
again = torch.nested.nested_tensor_from_jagged(flat, lengths=lengths)
print(again.shape, torch.equal(again.values(), batch.values()))
mask = torch.arange(padded.shape[1]) < lengths[:, None]  # (batch, longest)
print(torch.equal(padded[mask], flat))

# %% ids
ids = torch.nested.nested_tensor([[3, 1], [4, 1, 5, 9]], layout=torch.jagged)
print(nn.Embedding(10, 4)(ids).shape)

# %% two-structures raises="RuntimeError"
other = torch.nested.nested_tensor(texts, layout=torch.jagged)
batch + other

# %% one-structure
other = torch.nested.nested_tensor_from_jagged(torch.cat(texts), batch.offsets())
print((batch + other).shape)

# %% no-causal needs="no-cuda" raises="RuntimeError"
query = heads(layers[0](batch))
F.scaled_dot_product_attention(query, query, query, is_causal=True)

# %% causal
padded = torch.nested.to_padded_tensor(batch, 0.0)  # (batch, longest, width)
query = heads(layers[0](padded))
causal = F.scaled_dot_product_attention(query, query, query, is_causal=True)
print(causal.shape)


# %% missing
def first_line(call):
    try:
        return tuple(call().shape)
    except (RuntimeError, NotImplementedError, ValueError) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0][:58]}"


calls = {
    "batch[0]": lambda: batch[0],
    "batch[:, 0]": lambda: batch[:, 0],
    "batch.flip(1)": lambda: batch.flip(1),
    "batch.cumsum(1)": lambda: batch.cumsum(1),
    "torch.cat": lambda: torch.cat([batch, batch]),
    "nn.LSTM": lambda: nn.LSTM(16, 4, batch_first=True)(batch),
    "batch.numpy()": lambda: batch.numpy(),
}
for name, call in calls.items():
    print(f"{name:16}", first_line(call))

# %% way-out
last = batch.values()[batch.offsets()[1:] - 1]  # the last token of each text
print(last.shape, torch.equal(last[1], texts[1][-1]))
joined = torch.cat([*batch.unbind(), *batch.unbind()])
print(joined.shape)

# %% not-taken hidden=true
with torch.no_grad():
    for layer in (
        nn.MultiheadAttention(16, 2, batch_first=True),
        nn.TransformerEncoderLayer(16, 2, 32, batch_first=True),
    ):
        arguments = (batch,) * 3 if isinstance(layer, nn.MultiheadAttention) else (batch,)
        for mode in (layer.train(), layer.eval()):
            try:
                mode(*arguments)
            except AssertionError as error:
                assert "does not support NestedTensor" in str(error)
            else:
                raise AssertionError(layer)
for call in (lambda: nn.BatchNorm1d(16)(batch), lambda: nn.GroupNorm(2, 16)(batch), lambda: batch.std(1)):
    try:
        call()
    except (RuntimeError, AttributeError, NotImplementedError):
        continue
    raise AssertionError("it works now")
assert nn.RMSNorm(16)(batch).shape == batch.shape and torch.cat([batch, batch], dim=-1).shape[-1] == 32

# %% trained hidden=true
optimizer = torch.optim.SGD(layers.parameters(), lr=0.1)
attend(batch).values().pow(2).sum().backward()
before = layers[0].weight.clone()
optimizer.step()
assert not torch.equal(layers[0].weight, before)

# %% counter-cases hidden=true
import copy

for name in ("sum", "mean", "amax", "amin", "prod", "argmax"):
    for text, result in zip(texts, getattr(batch, name)(dim=1)):
        assert torch.allclose(getattr(text, name)(dim=0), result, atol=1e-6), name
assert (batch + copy.deepcopy(batch)).shape == batch.shape  # the same offsets
assert batch[..., :4].shape[-1] == 4
gap = torch.nested.nested_tensor([texts[0], texts[1][:0], texts[2]], layout=torch.jagged)
assert torch.equal(gap.values()[gap.offsets()[1:] - 1][1], texts[0][-1])

# %% keeps-the-graph hidden=true
parts = [nn.Linear(16, 16)(text) for text in texts]
assert not torch.nested.nested_tensor(parts, layout=torch.jagged).requires_grad
assert torch.nested.as_nested_tensor(parts, layout=torch.jagged).requires_grad

# %% no-backward-over-time hidden=true
linear = nn.Linear(16, 16)
for name in ("sum", "mean"):
    try:
        getattr(linear(batch), name)(dim=1).sum().backward()
    except RuntimeError:
        continue
    raise AssertionError(f"{name} over time has a backward pass now")
mean = torch.nested.to_padded_tensor(linear(batch), 0.0).sum(dim=1) / lengths[:, None]
assert torch.allclose(mean, linear(batch).mean(dim=1), atol=1e-6)
mean.sum().backward()
trained = linear.weight.grad.clone()
linear.zero_grad()
sum(linear(text).mean(dim=0).sum() for text in texts).backward()
assert torch.allclose(trained, linear.weight.grad, atol=1e-5)

# %% softmax-over-time hidden=true
linear = nn.Linear(16, 1)
weights = torch.randn(10, 1)
(torch.cat([linear(text).softmax(dim=0) for text in texts]) * weights).sum().backward()
wanted = linear.weight.grad.clone()
linear.zero_grad()
flags = torch.arange(5) < lengths[:, None]
shares = torch.nested.to_padded_tensor(linear(batch), -torch.inf).softmax(dim=1)
(shares[flags] * weights).sum().backward()
assert torch.allclose(linear.weight.grad, wanted, atol=1e-5)
linear.zero_grad()
try:
    (linear(batch).softmax(dim=1).values() * weights).sum().backward()
except (RuntimeError, ValueError):
    pass  # without a backward pass
else:
    assert not torch.allclose(linear.weight.grad, wanted, atol=1e-5), "softmax over time is right now"

# %% other-lengths hidden=true
make = torch.nested.nested_tensor_from_jagged
first, second = (make(torch.ones(8, 4), torch.tensor(bounds)) for bounds in ([0, 3, 8], [0, 4, 8]))
try:
    first + second
except (RuntimeError, ValueError):
    pass
else:
    raise AssertionError("lengths 3, 5 and 4, 4 were added")
moved = first + make(second.values(), first.offsets())  # no error: a token goes to another text
assert moved.offsets().diff().tolist() == [3, 5]
