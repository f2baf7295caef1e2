"""softmax without a dim, of integers, of a missing dim, of a row that is masked entirely."""

# %% implicit warns="UserWarning"
import torch
import torch.nn.functional as F

torch.manual_seed(0)
logits = torch.randn(4, 3)  # (batch, classes)
probabilities = F.softmax(logits)

# %% which-dim warns="UserWarning"
for shape in ((), (2,), (2, 3), (2, 3, 4), (2, 3, 4, 5)):
    scores = torch.randn(shape)
    implicit = F.softmax(scores)
    for dim in range(max(scores.ndim, 1)):
        if torch.equal(implicit, scores.softmax(dim)):
            print(f"{scores.ndim}-D: dim={dim}")

# %% not-the-last
sequence = torch.randn(2, 5, 3)  # (batch, time, classes)
print("dim=-1:", sequence.softmax(dim=-1)[0, 0].sum())  # one time step
print("dim=0: ", sequence.softmax(dim=0)[0, 0].sum())

# %% missing raises="TypeError"
torch.softmax(logits)

# %% method raises="TypeError"
logits.softmax()

# %% given
expected = torch.softmax(logits, dim=1)
print("logits.softmax(dim=-1):", torch.equal(logits.softmax(dim=-1), expected))
module = torch.nn.Softmax(dim=1)
print("nn.Softmax(dim=1):     ", torch.equal(module(logits), expected))

# %% out-of-range raises="IndexError"
logits.softmax(dim=2)

# %% integers raises="NotImplementedError"
counts = torch.tensor([[3, 1, 0]])
counts.softmax(dim=1)

# %% integers-converted
print(counts.softmax(dim=1, dtype=torch.float32))

# %% masked-row
scores = torch.tensor([[1.0, 2.0, 0.0], [3.0, 1.0, 2.0]])  # (query, key)
allowed = torch.tensor([[True, True, False], [False, False, False]])
attention = scores.masked_fill(~allowed, -torch.inf).softmax(dim=-1)
print(attention)

# %% masked-row-fixed
print(attention.masked_fill(~allowed, 0.0))

# %% remedies hidden=true
assert torch.equal(F.softmax(logits, dim=-1), expected)
for shape in ((2,), (2, 3), (2, 3, 4)):
    torch.randn(shape).softmax(dim=-1)

# %% one-number-a-sample hidden=true
binary = torch.tensor([[1.0], [-1.0], [3.0]]).squeeze(1)  # (batch,)
try:
    binary.softmax(dim=1)
except IndexError:
    pass
else:
    raise AssertionError("dim=1 exists")
assert torch.isclose(binary.softmax(dim=-1).sum(), torch.tensor(1.0))  # over the samples, without an error
assert torch.equal(binary.sigmoid() > 0.5, binary > 0)
