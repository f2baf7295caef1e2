"""Beam search: continue several texts, keep those with the largest log-probability."""

# %% model
import torch

START, STOP, PAD = 0, 4, 5


def table(rows):
    """A model: logits of the next token, (batch, time) -> (batch, time, 6)."""
    chances = torch.full((6, 6), 1 / 6)
    for token, followers in rows.items():
        rest = (1 - sum(followers.values())) / (6 - len(followers))
        chances[token] = max(rest, 1e-9)
        for follower, chance in followers.items():
            chances[token, follower] = chance
    return chances.log().__getitem__


after_one = {1: 0.32, 2: 0.33, 3: 0.35}
model = table({0: {1: 0.6, 2: 0.4}, 1: after_one, 2: {3: 1}, 3: {STOP: 1}})


# %% beam
@torch.inference_mode()
def beam_search(model, ids, steps, beams=3):
    """Texts (beams, time) that continue ids (1, time), and log-probabilities."""
    scores = torch.zeros(1, device=ids.device)
    done = torch.zeros(1, dtype=torch.bool, device=ids.device)
    for _ in range(steps):
        log_chances = model(ids)[:, -1].float().log_softmax(-1)  # (texts, tokens)
        log_chances[done] = float("-inf")
        log_chances[done, PAD] = 0.0  # a text that has ended stays as it is
        total = scores[:, None] + log_chances
        scores, best = total.flatten().topk(min(beams, total.numel()))
        text, token = best // total.shape[1], best % total.shape[1]
        ids = torch.cat([ids[text], token[:, None]], dim=1)
        done = done[text] | (token == STOP)
        if done.all():
            break
    return ids, scores


prompt = torch.tensor([[START]])
for beams in (1, 3):
    ids, scores = beam_search(model, prompt, steps=5, beams=beams)
    print(f"{beams} beams: {ids[0].tolist()}, probability {scores[0].exp():.2f}")

# %% short
rows = {0: {STOP: 0.3, 1: 0.7}, 1: {2: 0.75}, 2: {3: 0.75}, 3: {STOP: 0.75}}
wordy = table(rows)
ids, scores = beam_search(wordy, prompt, steps=5, beams=2)
lengths = (ids != PAD).sum(dim=1) - prompt.shape[1]  # the stop token counts, too
for text, score, length in zip(ids.tolist(), scores.tolist(), lengths.tolist()):
    print(text, f"sum {score:.2f}, divided by {length}: {score / length:.2f}")

# %% not-logits
plain = model(torch.arange(6))  # (token, next token)
shift = torch.zeros(6, 1)
shift[1] = 9.0  # all logits after token 1
for name, logits in (("plain", plain), ("shifted", plain + shift)):
    same = torch.allclose(logits.softmax(dim=-1), plain.softmax(dim=-1))
    one, two = logits[0, 1] + logits[1, 3], logits[0, 2] + logits[2, 3]
    better = "1, 3" if one > two else "2, 3"
    print(f"{name:8} same probabilities: {same}, prefers {better}")

# %% claims hidden=true
import itertools

for seed in range(5):
    generator = torch.Generator().manual_seed(seed)
    random = torch.full((6, 6), -1e4)
    random[:4, :4] = torch.randn(4, 4, generator=generator)  # tokens 0 to 3: none stops
    chances = random.log_softmax(dim=-1)
    every = {}
    for text in itertools.product(range(4), repeat=3):
        every[text] = sum(chances[a, b].item() for a, b in zip((0, *text), text))
    ids, scores = beam_search(random.__getitem__, prompt, steps=3, beams=64)  # all there are
    best = max(every, key=every.get)
    assert tuple(ids[0, 1:].tolist()) == best and abs(scores[0].item() - every[best]) < 1e-5
    greedy = prompt
    for _ in range(3):
        greedy = torch.cat([greedy, random[greedy[:, -1:]].argmax(dim=-1)], dim=1)
    assert torch.equal(beam_search(random.__getitem__, prompt, steps=3, beams=1)[0], greedy)
    with torch.device("meta"):  # as if the model were on another device than the default one
        assert torch.equal(beam_search(random.__getitem__, prompt, steps=3, beams=1)[0], greedy)

# %% nothing-dropped hidden=true
for seed in range(5):
    random = torch.full((6, 6), -1e4)
    random[:4, :4] = torch.randn(4, 4, generator=torch.Generator().manual_seed(seed))
    few, all_of_them = (beam_search(random.__getitem__, prompt, steps=3, beams=beams) for beams in (16, 64))
    assert torch.equal(few[0][0], all_of_them[0][0])  # 16 beginnings: none is dropped before the last step

# %% sixteen-bits hidden=true
generator = torch.Generator().manual_seed(0)
for dtype in (torch.float16, torch.bfloat16, torch.float64):
    some = torch.randn(6, 6, generator=generator).to(dtype)
    ids, scores = beam_search(some.__getitem__, prompt, steps=5)
    exact_ids, exact = beam_search(some.double().__getitem__, prompt, steps=5)
    assert torch.equal(ids, exact_ids) and scores.dtype == torch.float32
    torch.testing.assert_close(scores, exact, rtol=0, atol=1e-4)

# %% with-an-encoder hidden=true
from torch import nn

embed, out = nn.Embedding(6, 8), nn.Linear(8, 6)
decoder = nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, batch_first=True), 1).eval()
memory = torch.randn(1, 7, 8)  # (batch, time, features)


def decode(ids, memory):
    return out(decoder(embed(ids), memory))


ids, scores = beam_search(lambda ids: decode(ids, memory.expand(len(ids), -1, -1)), prompt, 4)
assert len(ids) == 3 and scores.isfinite().all()
try:
    beam_search(lambda ids: decode(ids, memory), prompt, 4)  # the second step has three texts
except RuntimeError:
    pass
else:
    raise AssertionError("one memory for three texts")
