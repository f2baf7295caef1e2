"""Generating with a key-value cache: the same tokens, a fraction of the work."""

# %% model
import torch
import torch.nn.functional as F
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocabulary=20, width=32, heads=4, length=64):
        super().__init__()
        self.heads = heads
        self.passed = 0  # places that went through the layers
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(length, width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, ids, cache=None):
        start = 0 if cache is None else cache[0].shape[2]
        self.passed += ids.shape[1]
        places = torch.arange(start, start + ids.shape[1], device=ids.device)
        hidden = self.tokens(ids) + self.places(places)
        qkv = self.qkv(hidden).unflatten(-1, (3, self.heads, -1))
        qkv = qkv.permute(2, 0, 3, 1, 4)
        query, key, value = qkv  # each (batch, head, time, features)
        if cache is not None:
            key = torch.cat([cache[0], key], dim=2)
            value = torch.cat([cache[1], value], dim=2)
        keep = query.new_ones(query.shape[2], key.shape[2], dtype=torch.bool)
        keep = keep.tril(diagonal=start)
        mixed = F.scaled_dot_product_attention(query, key, value, attn_mask=keep)
        hidden = hidden + self.out(mixed.transpose(1, 2).flatten(2))
        return self.head(hidden), (key, value)


torch.manual_seed(0)
net = Decoder().eval()


# %% generate
@torch.inference_mode()
def generate(prompt, steps, use_cache):
    ids, cache, net.passed = prompt, None, 0
    for _ in range(steps):
        new = ids if cache is None else ids[:, -1:]
        logits, new_cache = net(new, cache)
        cache = new_cache if use_cache else None
        ids = torch.cat([ids, logits[:, -1:].argmax(dim=-1)], dim=1)
    return ids, net.passed


prompt = torch.tensor([[3, 1, 4, 1]])
plain, plain_work = generate(prompt, steps=20, use_cache=False)
cached, cached_work = generate(prompt, steps=20, use_cache=True)
print(cached[0].tolist())
print("same tokens:", torch.equal(plain, cached))
print("places computed:", plain_work, "without,", cached_work, "with the cache")

# %% growth
for steps in (20, 40, 60):
    work = [generate(prompt, steps, use_cache)[1] for use_cache in (False, True)]
    print(f"{steps} tokens: {work[0]:4} {work[1]:3}")

# %% logits
with torch.inference_mode():
    whole, _ = net(cached)
    _, cache = net(cached[:, :10])
    rest, cache = net(cached[:, 10:], cache)
print("last token, whole text:", whole[0, -1, :4])
print("last token, with cache:", rest[0, -1, :4])
assert torch.allclose(whole[:, 10:], rest, atol=1e-5)

# %% size
key, value = cache
print(key.shape, key.dtype)  # (batch, head, time, features)
print((key.nbytes + value.nbytes) // key.shape[2], "bytes a token")


# %% model-size
def cache_gib(layers, heads, features, tokens, batch=1, bytes_each=2):
    return 2 * layers * heads * features * tokens * batch * bytes_each / 2**30


weights = 7e9 * 2 / 2**30  # 7 billion parameters in bfloat16
print(f"weights {weights:.1f} GiB, cache:")
for tokens in (4_096, 32_768, 131_072):
    full, grouped = (cache_gib(32, heads, 128, tokens) for heads in (32, 8))
    print(f"{tokens:7,} tokens  32 heads {full:4.1f} GiB", end="  ")
    print(f"8 heads {grouped:4.1f} GiB")

# %% is-causal
query = torch.zeros(1, 4, 1, 8)  # the newest token
wrong = F.scaled_dot_product_attention(query, key, value, is_causal=True)
print("only the first value:", torch.equal(wrong, value[:, :, :1]))

# %% no-mask
right = F.scaled_dot_product_attention(query, key, value)  # one new token: no mask
print("mean of all values:", torch.allclose(right, value.mean(dim=2, keepdim=True)))

# %% claims hidden=true
layer = 2 * key.shape[1] * key.shape[3] * key.element_size()  # bytes per token
assert layer == (key.nbytes + value.nbytes) // key.shape[2]
tokens = key.shape[2]
assert cache_gib(1, 4, 8, tokens, bytes_each=4) * 2**30 == key.nbytes + value.nbytes

# %% counter-cases hidden=true
with torch.device("meta"):  # as if the model were on another device than the default one
    assert net(prompt)[0].device.type == "cpu"
with torch.inference_mode():
    for seed in range(3):
        torch.manual_seed(seed)
        other = Decoder().double().eval()
        ids = torch.randint(20, (2, 30))
        whole, _ = other(ids)
        for parts in ([1] * 30, [10, 20], [29, 1], [7, 7, 7, 7, 2]):
            cache, rows = None, []
            for part in ids.split(parts, dim=1):
                logits, cache = other(part, cache)
                rows.append(logits)
            torch.testing.assert_close(torch.cat(rows, dim=1), whole)

# %% towards-four hidden=true
work = [sum(range(4, 4 + steps)) for steps in (20, 40, 2_000, 4_000)]
assert work[:2] == [generate(prompt, steps, use_cache=False)[1] for steps in (20, 40)]
assert 3.45 < work[1] / work[0] < 3.55 and 3.95 < work[3] / work[2] < 4
