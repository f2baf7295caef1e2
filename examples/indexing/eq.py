"""Element-wise comparison: a mask, a count, the accuracy."""

# %% mask
import torch

prediction = torch.tensor([2, 0, 1, 1])
label = torch.tensor([2, 0, 0, 1])
correct = torch.eq(prediction, label)  # or: prediction == label
print(correct, correct.dtype)

# %% accuracy
print("correct: ", correct.sum().item())
print("accuracy:", correct.float().mean().item())

# %% logits
torch.manual_seed(0)
logits = torch.randn(4, 3)  # (batch, classes)
predicted = logits.argmax(dim=1)
print("predicted:", predicted)
print("accuracy: ", (predicted == label).float().mean().item())

# %% broadcast
print("label == 0:", label == 0)
table = label[:, None] == torch.arange(3)  # (4, 1) and (3,): one row per label
print("one-hot:", table, sep="\n")

# %% comparisons
age = torch.tensor([15, 18, 40])
print("ne, !=:", torch.ne(age, 18), age != 18)
print("lt, < :", torch.lt(age, 18), age < 18)
print("le, <=:", torch.le(age, 18), age <= 18)
print("gt, > :", torch.gt(age, 18), age > 18)
print("ge, >=:", torch.ge(age, 18), age >= 18)

# %% logic
flag, bit = torch.tensor([1, 2, 0]), torch.tensor([2, 2, 2])
print("logical_and:", torch.logical_and(flag, bit), "&:", flag & bit)
print("logical_or: ", torch.logical_or(flag, bit), "|:", flag | bit)
print("logical_xor:", torch.logical_xor(flag, bit), "^:", flag ^ bit)
print("logical_not:", torch.logical_not(flag), "~:", ~flag)

# %% column-trap
column = prediction[:, None]  # (4, 1), a dimension too many
print((column == label).shape, (column == label).float().mean())

# %% sizes raises="RuntimeError"
torch.eq(prediction, label[:2])

# %% shapes-differ
print("torch.equal:", torch.equal(prediction, label[:2]))

# %% mean-of-bool raises="RuntimeError"
correct.mean()

# %% mean-of-int raises="RuntimeError"
correct.long().mean()

# %% mean-of-floats
print("converted:", correct.float().mean())
print("dtype=:   ", correct.mean(dtype=torch.float32))

# %% fixes hidden=true
assert (column.squeeze(1) == label).float().mean() == 0.75
assert correct.mean(dtype=torch.float32) == 0.75

# %% logic-of-booleans hidden=true
yes, no = torch.tensor([True, True, False, False]), torch.tensor([True, False, True, False])
assert torch.equal(torch.logical_and(yes, no), yes & no)
assert torch.equal(torch.logical_or(yes, no), yes | no)
assert torch.equal(torch.logical_xor(yes, no), yes ^ no)
assert torch.equal(torch.logical_not(yes), ~yes)

# %% list-is-not-equal hidden=true
assert (label == label.tolist()) is False
assert (label == torch.tensor(label.tolist())).all()

# %% each-with-each hidden=true
scores, classes = torch.eye(4, 3), torch.tensor([0, 1, 2, 0])  # (batch, classes), (batch,)
assert (scores.argmax(dim=1) == classes).all()
assert (scores == classes[:, None]).shape == (4, 3)  # runs, and compares scores with class numbers
