"""Generating for prompts of different lengths: left padding, mask and position ids."""

# %% model fold=true
import torch
import torch.nn.functional as F
from torch import nn


class Decoder(nn.Module):
    def __init__(self, vocabulary=20, width=32, heads=4, length=32):
        super().__init__()
        self.heads = heads
        self.tokens = nn.Embedding(vocabulary, width)
        self.places = nn.Embedding(length, width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.head = nn.Linear(width, vocabulary)

    def forward(self, ids, positions, keep):
        # keep: (batch, 1, query, key), True: may look
        hidden = self.tokens(ids) + self.places(positions)
        qkv = self.qkv(hidden).unflatten(-1, (3, self.heads, -1))
        qkv = qkv.permute(2, 0, 3, 1, 4)  # (3, batch, head, time, features)
        mixed = F.scaled_dot_product_attention(*qkv, attn_mask=keep)
        hidden = hidden + self.out(mixed.transpose(1, 2).flatten(2))
        return self.head(hidden)


torch.manual_seed(0)
net = Decoder().eval()

# %% pad
from torch.nn.utils.rnn import pad_sequence

PAD = 0
prompts = [torch.tensor(prompt) for prompt in ([3, 1], [4, 1, 5, 9, 2], [6, 5, 3])]
flags = [torch.ones_like(prompt, dtype=torch.bool) for prompt in prompts]
left = dict(batch_first=True, padding_side="left")
ids = pad_sequence(prompts, padding_value=PAD, **left)
real = pad_sequence(flags, **left)
print(ids)
print(real.int())

# %% positions
positions = (real.cumsum(dim=1) - 1).clamp(min=0)
print(positions)


# %% generate
def causal_and_real(real):
    """(batch, time) -> (batch, 1, query, key)"""
    time = real.shape[1]
    causal = real.new_ones(time, time, dtype=torch.bool).tril()
    return causal & real[:, None, None, :].bool()


@torch.inference_mode()
def generate(ids, real, steps):
    for _ in range(steps):
        positions = (real.cumsum(dim=1) - 1).clamp(min=0)
        logits = net(ids, positions, causal_and_real(real))
        new = logits[:, -1:].argmax(dim=-1)  # (batch, 1): the last column is real
        ids = torch.cat([ids, new], dim=1)
        real = torch.cat([real, torch.ones_like(new, dtype=torch.bool)], dim=1)
    return ids


together = generate(ids, real, steps=8)[:, -8:]
for row, prompt, flag in zip(together, prompts, flags):
    alone = generate(prompt[None], flag[None], steps=8)[0, -8:]
    print(row.tolist(), alone.tolist())


# %% mistakes
counted = torch.arange(ids.shape[1]).expand_as(ids)  # 0, 1, 2 … also for padding
triangle = torch.ones(5, 5, dtype=torch.bool).tril()
right_ids = pad_sequence(prompts, batch_first=True, padding_value=PAD)
ways = {
    "left, mask, positions": (ids, positions, causal_and_real(real)),
    "no padding mask": (ids, positions, triangle),
    "positions from column 0": (ids, counted, causal_and_real(real)),
    "padding on the right": (right_ids, counted, triangle),
}
with torch.inference_mode():
    alone = []
    for prompt in prompts:
        time = len(prompt)
        logits = net(prompt[None], torch.arange(time), triangle[:time, :time])
        alone.append(logits[0, -1])
    for name, inputs in ways.items():
        error = (net(*inputs)[:, -1] - torch.stack(alone)).abs().amax(dim=1)
        print(f"{name:24}", [round(one, 1) for one in error.tolist()])

# %% right-side
lengths = torch.tensor([len(prompt) for prompt in prompts])
with torch.inference_mode():
    every = net(right_ids, counted, triangle)  # (batch, time, vocabulary)
last = every[torch.arange(3), lengths - 1]
print("equal:", torch.allclose(last, torch.stack(alone), atol=1e-5))

# %% empty-row
with torch.inference_mode():
    every = net(ids, positions, causal_and_real(real))
print("NaN:", every.isnan().any().item())
keep = causal_and_real(real)[0, 0]  # (query, key) of the first prompt
scores = torch.zeros(5, 5).masked_fill(~keep, float("-inf"))
print(scores.softmax(dim=-1)[0])

# %% claims hidden=true
with torch.inference_mode():
    for seed in range(5):
        torch.manual_seed(seed)
        net = Decoder().double().eval()
        lengths = torch.randint(1, 9, (6,)).tolist()
        texts = [torch.randint(20, (length,)) for length in lengths]
        flags = [torch.ones(length, dtype=torch.bool) for length in lengths]
        options = dict(batch_first=True, padding_side="left")
        batch, true = pad_sequence(texts, **options), pad_sequence(flags, **options)
        places = (true.cumsum(dim=1) - 1).clamp(min=0)
        out = net(batch, places, causal_and_real(true))
        for row, (text, flag) in enumerate(zip(texts, flags)):
            single = net(text[None], torch.arange(len(text))[None], causal_and_real(flag[None]))
            torch.testing.assert_close(out[row, -len(text) :], single[0])
        singles = [generate(text[None], flag[None], 5)[:, -5:] for text, flag in zip(texts, flags)]
        assert torch.equal(generate(batch, true, 5)[:, -5:], torch.cat(singles))
        assert torch.equal(generate(batch, true.long(), 5), generate(batch, true, 5))  # as tokenizers have it
with torch.device("meta"):  # as if the model were on another device than the default one
    assert causal_and_real(real).device.type == "cpu"

# %% zeros hidden=true
heads = torch.randn(1, 4, 5, 8)
mixed = F.scaled_dot_product_attention(heads, heads, heads, attn_mask=keep)
assert torch.equal(mixed[0, :, :3], torch.zeros(4, 3, 8)) and (mixed[0, :, 3:] != 0).all()
