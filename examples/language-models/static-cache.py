"""A KV cache of fixed size, so that torch.compile makes one graph."""

# %% attention
import torch
import torch.nn.functional as F
from torch import nn


class Attention(nn.Module):
    def __init__(self, width=8, heads=2, length=16):
        super().__init__()
        self.heads = heads
        self.qkv = nn.Linear(width, 3 * width)
        shape = 1, heads, length, width // heads  # (batch, head, time, features)
        self.register_buffer("keys", torch.zeros(shape), persistent=False)
        self.register_buffer("values", torch.zeros(shape), persistent=False)

    def forward(self, x, places):  # places: (new,), a tensor
        qkv = self.qkv(x).unflatten(-1, (3, self.heads, -1))
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        self.keys.index_copy_(2, places, key)
        self.values.index_copy_(2, places, value)
        every = torch.arange(self.keys.shape[2], device=places.device)
        keep = every <= places[:, None]  # (new, length)
        cache = self.keys, self.values
        mixed = F.scaled_dot_product_attention(query, *cache, attn_mask=keep)
        return mixed.transpose(1, 2).flatten(2)


torch.manual_seed(0)
net = Attention().eval()
x = torch.randn(1, 10, 8)  # ten tokens

# %% one-graph
graphs = []


def counting(graph_module, example_inputs):  # a backend that counts its graphs
    graphs.append(graph_module)
    return graph_module.forward


compiled = torch.compile(net, backend=counting, fullgraph=True)
with torch.inference_mode():
    rows = [compiled(x[:, i : i + 1], torch.tensor([i])) for i in range(10)]
    at_once = net(x, torch.arange(10))
print(len(graphs), "graph for", len(rows), "tokens")
print("as at once:", torch.allclose(torch.cat(rows, dim=1), at_once, atol=1e-5))

# %% next-text
other = torch.randn(1, 4, 8)
with torch.inference_mode():
    reused = compiled(other, torch.arange(4))  # places 4 to 9 hold old tokens
    net.keys.zero_()
    net.values.zero_()
    print("same:", torch.allclose(reused, net(other, torch.arange(4))))


# %% other-ways
def grow(cache, key, place):
    return torch.cat([cache[:, :, :place], key], dim=2)


def at_number(cache, key, place):
    cache[:, :, place] = key[:, :, 0]
    return cache.sum()


def at_tensor(cache, key, place):
    return cache.index_copy_(2, place, key).sum()


key, cache = torch.ones(1, 2, 1, 4), torch.zeros(1, 2, 16, 4)
for function in (grow, at_number, at_tensor):
    torch.compiler.reset()
    graphs.clear()
    compiled = torch.compile(function, backend=counting)
    for i in range(1, 7):
        place = torch.tensor([i]) if function is at_tensor else i
        compiled(cache, key, place)
    print(f"{function.__name__:9} 6 tokens: {len(graphs)} graphs")

# %% too-long raises="IndexError"
net(x[:, :1], torch.tensor([16]))


# %% slice-and-setitem hidden=true
def at_slice(cache, key, place):
    cache[:, :, place : place + 1] = key
    return cache.sum()


def set_at_tensor(cache, key, place):
    cache[:, :, place] = key
    return cache.sum()


for function, count in ((at_slice, 2), (set_at_tensor, 1)):
    torch.compiler.reset()
    graphs.clear()
    compiled = torch.compile(function, backend=counting)
    for i in range(1, 7):
        compiled(cache, key, torch.tensor([i]) if function is set_at_tensor else i)
    assert len(graphs) == count

# %% longer hidden=true
longer = Attention(length=17).eval()
with torch.inference_mode():
    longer(x[:, :1], torch.tensor([16]))

# %% one-text hidden=true
for texts, context in ((2, torch.no_grad()), (1, torch.autocast("cpu", torch.bfloat16))):
    try:
        with context:
            Attention()(torch.randn(texts, 3, 8), torch.arange(3))
    except RuntimeError as error:
        assert "index_copy_()" in str(error)
        continue
    raise AssertionError(texts)

# %% other-device hidden=true
elsewhere = Attention().to("meta")
assert elsewhere(x.to("meta"), torch.arange(10, device="meta")).shape == x.shape

# %% prompts hidden=true
for lengths, count in (([4, 1, 1, 1], 2), ([4, 1, 7, 1, 5], 3)):
    torch.compiler.reset()
    graphs.clear()
    compiled = torch.compile(Attention().eval(), backend=counting, fullgraph=True)
    with torch.inference_mode():
        for length in lengths:
            compiled(x[:, :length], torch.arange(length))
    assert len(graphs) == count

# %% against-causal hidden=true
with torch.inference_mode():
    query, keys, values = net.qkv(x).unflatten(-1, (3, net.heads, -1)).permute(2, 0, 3, 1, 4)
    causal = F.scaled_dot_product_attention(query, keys, values, is_causal=True).transpose(1, 2).flatten(2)
    assert torch.allclose(causal, at_once, atol=1e-5)
    for parts in ([10], [4, 6], [9, 1], [1, 2, 3, 4]):
        again = Attention().eval()
        again.load_state_dict(net.state_dict())
        places = torch.arange(10).split(parts)
        rows = [again(part, place) for part, place in zip(x.split(parts, dim=1), places)]
        assert torch.allclose(torch.cat(rows, 1), causal, atol=1e-5)

# %% trained hidden=true
trained = Attention()
rows = [trained(x[:, i : i + 1], torch.tensor([i])) for i in range(2)]
try:
    sum(row.sum() for row in rows).backward()
except RuntimeError as error:
    assert "modified by an inplace operation" in str(error)  # so it runs under no_grad
else:
    raise AssertionError("it can be trained")
