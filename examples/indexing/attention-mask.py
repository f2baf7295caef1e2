"""Masking attention scores: -inf before softmax, and rows that are masked whole."""

# %% causal
import torch

scores = torch.zeros(3, 3)  # (query, key), all alike
keep = torch.ones(3, 3, dtype=torch.bool).tril()  # True: may look
weights = scores.masked_fill(~keep, float("-inf")).softmax(dim=-1)
print("keep:", keep, sep="\n")
print("weights:", weights, sep="\n")

# %% padding
lengths = torch.tensor([3, 1])  # two sequences
keep = torch.arange(3) < lengths[:, None]  # (batch, key)
batch = torch.zeros(2, 3, 3)  # (batch, query, key)
weights = batch.masked_fill(~keep[:, None, :], float("-inf")).softmax(dim=-1)
print("keep:", keep, sep="\n")
print("weights of the second sequence:", weights[1], sep="\n")

# %% whole-row
keep = torch.tensor([[True, True, False], [False, False, False]])
logits = torch.zeros(2, 3, requires_grad=True)
weights = logits.masked_fill(~keep, float("-inf")).softmax(dim=-1)
print(weights.detach())

# %% cure
weights = weights.masked_fill(~keep, 0.0)
print("weights:", weights.detach(), sep="\n")

value = torch.tensor([1.0, 2.0, 3.0])
(weights @ value).sum().backward()
print("gradient:", logits.grad, sep="\n")

# %% added-mask
bias = torch.zeros(2, 3).masked_fill(~keep, float("-inf"))
added = (logits + bias).softmax(dim=-1).masked_fill(~keep, 0.0)
print("weights: ", added.detach()[1])
(gradient,) = torch.autograd.grad((added @ value).sum(), logits)
print("gradient:", gradient[1])

# %% finite
lowest = torch.finfo(torch.float32).min
print(torch.zeros(2, 3).masked_fill(~keep, lowest).softmax(dim=-1))

# %% half raises="RuntimeError"
torch.zeros(2, 3, dtype=torch.float16).masked_fill(~keep, -1e9)

# %% half-filled
scores = torch.zeros(2, 3, dtype=torch.float16)
lowest = torch.finfo(scores.dtype).min
print("-inf:  ", scores.masked_fill(~keep, float("-inf"))[0])
print("lowest:", scores.masked_fill(~keep, lowest)[0])

# %% sdpa
import torch.nn.functional as F

torch.manual_seed(0)
query, key, value = torch.randn(3, 1, 4, 8)  # each (batch, time, features)
causal = torch.ones(4, 4, dtype=torch.bool).tril()

scores = (query @ key.mT / 8**0.5).masked_fill(~causal, float("-inf"))
by_hand = scores.softmax(dim=-1) @ value
built_in = F.scaled_dot_product_attention(query, key, value, attn_mask=causal)
print("shape:", built_in.shape)
print("same as by hand:", torch.allclose(by_hand, built_in, atol=1e-5))

# %% sdpa-whole-row
nothing = causal.clone()
nothing[0] = False  # query 0 may look nowhere
attended = F.scaled_dot_product_attention(query, key, value, attn_mask=nothing)
print("all zero:", (attended[0] == 0).all(dim=-1))  # query by query

# %% opposite
attention = torch.nn.MultiheadAttention(8, 1, batch_first=True)
padding = torch.tensor([[False, False, True, True]])  # True: ignore
_, weights = attention(query, key, value, key_padding_mask=padding)
print("looks at:", weights[0, 0] > 0)

# %% encoder hidden=true
layer = torch.nn.TransformerEncoderLayer(8, 1, dim_feedforward=16, dropout=0.0, batch_first=True)
encoder = torch.nn.TransformerEncoder(layer, num_layers=1, enable_nested_tensor=False)
other = query.clone()
other[:, 2:] += 1  # only the places that are ignored
for mask, same in ((padding, True), (~padding, False)):
    outputs = [encoder(x, src_key_padding_mask=mask)[:, :2] for x in (query, other)]
    assert torch.allclose(*outputs, atol=1e-5) is same
