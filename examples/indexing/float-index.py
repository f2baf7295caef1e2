"""Indices are integers: where the floats come from, and what each call says."""

# %% float raises="IndexError"
import torch

scores = torch.tensor([0.1, 0.7, 0.2, 0.9])
positions = torch.tensor([3.0, 1.0])
scores[positions]

# %% long
print(scores[positions.long()])

# %% where-from
indices = torch.tensor([2, 6])
print("/ 2 :", (indices / 2).dtype, "  // 2:", (indices // 2).dtype)
print("empty list:", torch.tensor([]).dtype)
print("zeros:", torch.zeros(2).dtype, "  linspace:", torch.linspace(0, 3, 4).dtype)

# %% truncated
column = torch.tensor(0.59) * 100  # 59, nearly
print("long():        ", column.long())
print("round().long():", column.round().long())

# %% short raises="IndexError"
scores[torch.tensor([3, 1], dtype=torch.int16)]

# %% mask raises="IndexError"
keep = torch.tensor([0.0, 1.0, 0.0, 1.0])  # a mask in floats
scores[keep]

# %% mask-trap
print("keep.long():", scores[keep.long()])
print("keep.bool():", scores[keep.bool()])

# %% byte-trap warns="UserWarning"
print("uint8 indices: ", scores[torch.tensor([3, 1, 0, 0], dtype=torch.uint8)])
print("the same, long:", scores[torch.tensor([3, 1, 0, 0])])

# %% bytes-converted hidden=true
import warnings

with warnings.catch_warnings(action="error"):
    assert scores[torch.tensor([3, 1], dtype=torch.uint8).long()].equal(scores[[3, 1]])

# %% list-of-floats
print(scores[[1.9, 2.9]])

# %% number raises="IndexError"
half = len(scores) / 2
scores[half]

# %% whole-number
print(scores[len(scores) // 2])

# %% list raises="TypeError"
names = ["cat", "dog", "bird", "fish"]
names[positions.long()]

# %% list-right
print([names[i] for i in positions.long()])
print(names[scores.argmax()])

# %% range raises="TypeError"
for i in range(scores.sum()):
    pass

# %% range-right
print(len(range(int(scores.sum()))), scores.numel())

# %% others
print("gather, index_select, embedding:")
for call in (
    lambda: scores.gather(0, positions),
    lambda: scores.index_select(0, positions),
    lambda: torch.nn.functional.embedding(positions, torch.eye(4)),
):
    try:
        call()
    except RuntimeError as error:
        print("-", str(error).split(" (while")[0])

# %% accepted hidden=true
for dtype in (torch.int32, torch.int64, torch.uint8):
    wanted = scores[[1, 0]] if dtype != torch.uint8 else None
    if wanted is not None:
        assert torch.equal(scores[torch.tensor([1, 0], dtype=dtype)], wanted)
for dtype in (torch.float16, torch.bfloat16, torch.float64, torch.int8, torch.int16):
    try:
        scores[torch.tensor([1, 0], dtype=dtype)]
    except IndexError as error:
        assert "must be long, int, byte or bool" in str(error)
    else:
        raise AssertionError(dtype)

# %% array-of-floats hidden=true
import numpy as np

assert scores[np.array([1.9, 2.9])].equal(scores[[1, 2]])

# %% index-select-gpu needs="cuda" raises="NotImplementedError"
scores.cuda().index_select(0, positions.cuda())

# %% masks-of-any-type hidden=true
for dtype in (torch.float32, torch.int8):
    mask = keep.to(dtype)
    assert scores[mask.bool()].equal(scores[[1, 3]])
    assert not scores[mask.long()].equal(scores[[1, 3]])
assert scores[torch.tensor([0.1, 0.9, 0.2, 0.8]).bool()].equal(scores)  # probabilities: all of them

# %% list-of-a-mask hidden=true
mask = scores > 0.5
assert [names[i] for i in mask] == ["cat", "dog", "cat", "dog"]  # True and False are 1 and 0
for shaped in (mask, mask[:, None], mask[None]):  # nonzero() of two dimensions has two numbers for each
    assert [names[i] for i in shaped.flatten().nonzero().flatten()] == ["dog", "fish"]
