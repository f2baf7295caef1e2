"""Grouped-query attention: fewer heads for keys and values, a smaller cache."""

# %% module
import torch
import torch.nn.functional as F
from torch import nn


class GroupedAttention(nn.Module):
    def __init__(self, width=64, heads=8, kv_heads=2):
        super().__init__()
        self.features = width // heads
        self.query = nn.Linear(width, heads * self.features, bias=False)
        self.key = nn.Linear(width, kv_heads * self.features, bias=False)
        self.value = nn.Linear(width, kv_heads * self.features, bias=False)
        self.out = nn.Linear(heads * self.features, width, bias=False)

    def split(self, x):  # (batch, time, heads * features)
        return x.unflatten(-1, (-1, self.features)).transpose(1, 2)

    def forward(self, hidden):
        query = self.split(self.query(hidden))  # (batch, heads, time, features)
        shared = self.split(self.key(hidden)), self.split(self.value(hidden))
        options = dict(is_causal=True, enable_gqa=True)
        mixed = F.scaled_dot_product_attention(query, *shared, **options)
        return self.out(mixed.transpose(1, 2).flatten(2))


torch.manual_seed(0)
hidden = torch.randn(2, 10, 64)  # (batch, time, width)
for kv_heads in (8, 2, 1):
    layer = GroupedAttention(kv_heads=kv_heads)
    key = layer.split(layer.key(hidden))
    size = 2 * key[0, :, 0].nbytes  # of key and value, for one token
    count = sum(parameter.numel() for parameter in layer.parameters())
    print(f"{kv_heads=} {count:5} parameters, cache {size:3} bytes a token")

# %% by-hand
query = torch.randn(2, 8, 10, 8)
key, value = torch.randn(2, 2, 2, 10, 8)  # 2 heads serve 8
grouped = F.scaled_dot_product_attention(query, key, value, enable_gqa=True)
for order in (torch.arange(2).repeat_interleave(4), torch.arange(2).repeat(4)):
    full = F.scaled_dot_product_attention(query, key[:, order], value[:, order])
    equal = torch.allclose(full, grouped, atol=1e-5)
    print("heads", order.tolist(), " equal:", equal)

# %% not-a-divisor raises="RuntimeError"
three = torch.randn(2, 3, 10, 8)
F.scaled_dot_product_attention(query, three, three, enable_gqa=True)

# %% divisor
four = torch.randn(2, 4, 10, 8)
print(F.scaled_dot_product_attention(query, four, four, enable_gqa=True).shape)


# %% convert
@torch.no_grad()
def grouped_from(full, kv_heads):
    """Average the keys and values of the heads that will share one."""
    width, features = full.query.in_features, full.features
    grouped = GroupedAttention(width, width // features, kv_heads)
    grouped.to(full.query.weight)  # its device and dtype
    grouped.query.load_state_dict(full.query.state_dict())
    grouped.out.load_state_dict(full.out.state_dict())
    for name in ("key", "value"):
        heads = getattr(full, name).weight.unflatten(0, (kv_heads, -1, features))
        getattr(grouped, name).weight.copy_(heads.mean(dim=1).flatten(0, 1))
    return grouped


full = GroupedAttention(kv_heads=8)
for kv_heads in (8, 4, 2, 1):
    wanted, out = full(hidden), grouped_from(full, kv_heads)(hidden)
    print(f"{kv_heads=} changed by {(out - wanted).norm() / wanted.norm():.2f}")

# %% claims hidden=true
assert grouped_from(GroupedAttention(kv_heads=8).bfloat16(), 2).key.weight.dtype is torch.bfloat16
for heads, kv_heads in ((8, 8), (8, 4), (6, 3), (8, 1)):
    q = torch.randn(2, heads, 7, 4)
    k, v = torch.randn(2, 2, kv_heads, 7, 4)
    one = F.scaled_dot_product_attention(q, k, v, enable_gqa=True, is_causal=True)
    for head in range(heads):
        share = head // (heads // kv_heads)
        alone = F.scaled_dot_product_attention(q[:, head], k[:, share], v[:, share], is_causal=True)
        torch.testing.assert_close(one[:, head], alone)

# %% heads-in-another-dimension hidden=true
query, key = torch.randn(2, 10, 8, 16), torch.randn(2, 7, 2, 16)  # (batch, time, heads, features)
try:
    F.scaled_dot_product_attention(query, key, key, enable_gqa=True)
except RuntimeError as error:
    assert "must divide" in str(error)
else:
    raise AssertionError("7 divides 10")
mixed = F.scaled_dot_product_attention(*(tensor.transpose(1, 2) for tensor in (query, key, key)), enable_gqa=True)
assert mixed.shape == (2, 8, 10, 16)
flat = mixed.transpose(1, 2).reshape(2, 10, -1)
assert mixed.reshape(2, 10, -1).shape == flat.shape and not torch.equal(mixed.reshape(2, 10, -1), flat)
