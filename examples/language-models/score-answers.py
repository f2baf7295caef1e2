"""The log-probability of a given answer, and which of several answers a model prefers."""

# %% model fold=true
import torch
import torch.nn.functional as F

text = """what is red ? the red rose . what is green ? the grass .
what is green ? the old oak tree . what is green ? the old oak door .
what is cold ? ice . what is green ? the old oak tree . what is sweet ? ice ."""
words = sorted(set(text.split()))
codes = [words.index(word) for word in text.split()]
counts = torch.full((len(words),) * 2, 0.02)
for last, following in zip(codes, codes[1:]):
    counts[last, following] += 1
table = (counts / counts.sum(dim=-1, keepdim=True)).log()  # from the last word alone


def model(ids):
    return table[ids]  # (batch, time) -> logits (batch, time, vocabulary)


def encode(text):
    return [words.index(word) for word in text.split()]


# %% score
PAD, IGNORE = 0, -100


@torch.inference_mode()
def score_answers(model, prompt, answers, device=None):
    """Ids of a prompt, of several answers -> summed log-probabilities, lengths."""
    longest = len(prompt) + max(map(len, answers))
    ids = torch.full((len(answers), longest), PAD, device=device)
    labels = torch.full_like(ids, IGNORE)
    for row, answer in enumerate(answers):
        whole = torch.tensor([*prompt, *answer], device=device)
        ids[row, : len(whole)] = whole
        labels[row, len(prompt) : len(whole)] = whole[len(prompt) :]
    start = max(len(prompt) - 1, 0)  # before it, nothing is judged
    logits = model(ids)[:, start:-1].transpose(1, 2).float()  # vocabulary second
    losses = F.cross_entropy(logits, labels[:, start + 1 :], reduction="none")
    lengths = torch.tensor([len(answer) for answer in answers], device=device)
    return -losses.sum(dim=1), lengths


prompt = encode("what is green ?")
options = ["the old oak tree", "the grass", "ice"]
sums, lengths = score_answers(model, prompt, [encode(one) for one in options])
for option, total, length in zip(options, sums.tolist(), lengths.tolist()):
    print(f"{option:17} sum {total:6.2f}  mean {total / length:6.2f}")
print("by the sum: ", options[sums.argmax()])
print("by the mean:", options[(sums / lengths).argmax()])

# %% by-hand
answer = encode("the grass")
whole = torch.tensor([prompt + answer])
chances = model(whole)[0].log_softmax(dim=-1)
start = len(prompt) - 1  # the last token of the prompt
tokens = chances[start:-1].gather(1, torch.tensor(answer)[:, None])
print([round(one, 2) for one in tokens[:, 0].tolist()])
print("sum", round(tokens.sum().item(), 2))

# %% with-end
ended = [encode(one + " .") for one in options]
with_end, _ = score_answers(model, prompt, ended)
print("with the end:", [round(one, 2) for one in with_end.tolist()])

# %% claims hidden=true
for option in options + ["rose", "the old oak door . what"]:
    alone, _ = score_answers(model, prompt, [encode(option)])
    together, _ = score_answers(model, prompt, [encode(option), encode("the the the the the the the")])
    expected = sum(table[a, b] for a, b in zip((prompt + encode(option))[3:], encode(option)))
    torch.testing.assert_close(alone[0], together[0])
    torch.testing.assert_close(alone[0], expected)
every = [[first, second] for first in range(len(words)) for second in range(len(words))]
sums_of_all, _ = score_answers(model, prompt, every)
assert abs(sums_of_all.exp().sum().item() - 1) < 1e-4  # of one length: together 1
unprompted, _ = score_answers(model, [], [[1, 2]])
torch.testing.assert_close(unprompted[0], table[1, 2])  # the first of a row is not judged
halves, _ = score_answers(lambda ids: table[ids].bfloat16(), prompt, [encode("the old oak tree")])
assert halves.dtype == torch.float32

# %% other-inputs hidden=true
answers = [[1, 2, 3], [4, 5], []]
lists = score_answers(model, [1, 2, 3], answers)
for kind in (tuple, torch.tensor):  # tensors of equal length must not be added
    given = kind([1, 2, 3]), [kind(answer) for answer in answers[:2]]
    assert all(torch.equal(one, other[:2]) for one, other in zip(score_answers(model, *given), lists))
assert lists[0][2] == 0  # nothing is certain

# %% not-shifted hidden=true
labels = whole.clone()
labels[:, : len(prompt)] = IGNORE
logits = model(whole).transpose(1, 2)
shifted = -F.cross_entropy(logits[..., :-1], labels[:, 1:], reduction="sum")
torch.testing.assert_close(shifted, tokens.sum())
assert -F.cross_entropy(logits, labels, reduction="sum") < shifted - 1  # each asked for itself

# %% start-token-inside hidden=true
started = [encode(". " + one) for one in options]  # as a tokenizer that begins each text with one
inside, counted = score_answers(model, prompt, started)
assert (inside < sums - 5).all() and torch.equal(counted, lengths + 1)
