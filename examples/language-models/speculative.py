"""Speculative decoding: a small model proposes, the large one decides."""

# %% step
import torch


def speculate(large, small, ids, ahead, generator=None):
    """ids (time) -> ids with 1 to ahead + 1 more, distributed as by large alone.

    Models map ids (time) to logits (time, vocabulary)."""

    def draw(chances):
        return chances.multinomial(1, generator=generator)

    proposed, guesses = ids, []
    for _ in range(ahead):  # cheap
        guesses.append(small(proposed)[-1].float().softmax(dim=-1))
        proposed = torch.cat([proposed, draw(guesses[-1])])
    wanted = large(proposed)[len(ids) - 1 :].float().softmax(dim=-1)  # one call
    for number, guess in enumerate(guesses):
        token = proposed[len(ids) + number]
        ratio = wanted[number, token] / guess[token]
        chance = torch.rand((), generator=generator, device=ids.device)
        if chance > ratio:  # rejected: correct it
            rest = (wanted[number] - guess).clamp(min=0)
            return torch.cat([proposed[: len(ids) + number], draw(rest)])
    return torch.cat([proposed, draw(wanted[-1])])  # all accepted: one for free


# %% models
SIZE = 5
generator = torch.Generator().manual_seed(0)
tables = torch.randn(SIZE, SIZE, generator=generator) * 1.5
near = tables + 0.7 * torch.randn(SIZE, SIZE, generator=generator)
large, small = tables.__getitem__, near.__getitem__  # the last token decides
start = torch.tensor([0])
print(speculate(large, small, start, ahead=3, generator=generator).shape)

# %% same-distribution
runs = 1000
pairs = torch.zeros(SIZE, SIZE)
for _ in range(runs):
    ids = start
    while len(ids) < 3:
        ids = speculate(large, small, ids, ahead=2, generator=generator)
    pairs[ids[1], ids[2]] += 1
chances, proposal = tables.softmax(dim=-1), near.softmax(dim=-1)
exact = chances[0, :, None] * chances  # of the next two tokens
by_small = proposal[0, :, None] * proposal
for name, one in {"large model": exact, "small model": by_small}.items():
    distance = (pairs / runs - one).abs().sum() / 2
    print(f"counted against the {name}: closer than 0.1: {(distance < 0.1).item()}")

# %% accepted
overlap = torch.minimum(chances, proposal).sum(dim=-1)  # for each last token
print("accepted, by formula:", [f"{one:.2f}" for one in overlap.tolist()])

# %% tokens-a-call
for accepted in (0.5, 0.8, 0.95):
    expected = [sum(accepted**i for i in range(ahead + 1)) for ahead in (1, 4, 8)]
    row = "  ".join(f"{one:.2f}" for one in expected)
    print(f"accepted {accepted:.2f}: tokens a call with 1, 4, 8 ahead: {row}")


# %% greedy
def speculate_greedy(large, small, ids, ahead):
    proposed = ids
    for _ in range(ahead):
        proposed = torch.cat([proposed, small(proposed)[-1:].argmax(dim=-1)])
    wanted = large(proposed)[len(ids) - 1 :].argmax(dim=-1)
    agree = (wanted[:-1] == proposed[len(ids) :]).int().cumprod(dim=0).sum()
    return torch.cat([ids, wanted[: agree + 1]])


ids, calls = start, 0
while len(ids) < 13:
    ids, calls = speculate_greedy(large, small, ids, ahead=3), calls + 1
alone = start
while len(alone) < len(ids):
    alone = torch.cat([alone, large(alone)[-1:].argmax(dim=-1)])
print("equal:", torch.equal(ids, alone))
print(len(ids) - 1, "tokens in", calls, "calls of the large model")

# %% claims hidden=true
counted = torch.zeros(SIZE)
for _ in range(600):
    ids = speculate(large, small, start, ahead=1, generator=generator)
    counted[0] += len(ids) == 3
assert abs(counted[0] / 600 - overlap[0]) < 0.08  # the overlap is the chance to accept
for ahead in (1, 2, 5):
    for _ in range(50):
        assert 1 <= len(speculate(large, small, start, ahead, generator)) - 1 <= ahead + 1
same = [len(speculate(large, large, start, 3, generator)) for _ in range(50)]
assert set(same) == {5}  # equal models accept everything
for kind in (torch.float16, torch.bfloat16, torch.float64):  # nearly equal: what is left can round to 0
    one = torch.randn(SIZE, SIZE, generator=generator)
    other = one + 1e-3 * torch.randn(SIZE, SIZE, generator=generator)
    for _ in range(300):
        speculate(one.to(kind).__getitem__, other.to(kind).__getitem__, start, 3, generator)
for name, changed in {
    "top-2": near.masked_fill(near < near.topk(2).values[:, 1:], -torch.inf),
    "cold": near / 0.5,
}.items():
    counted = torch.zeros(SIZE)
    for _ in range(800):  # what the small one alone gets does not change the result
        counted[speculate(large, changed.__getitem__, start, 1, generator)[1]] += 1
    assert (counted / 800 - chances[0]).abs().sum() / 2 < 0.08, name
