"""Stratified splits: every part has the classes in the same proportion."""

# %% torch
import torch

labels = torch.tensor([0] * 180 + [1] * 20)


def stratified_split(labels, fraction):
    chosen = torch.zeros_like(labels, dtype=torch.bool)
    for label in labels.unique():
        members = (labels == label).nonzero().flatten()
        count = round(fraction * len(members))
        chosen[members[torch.randperm(len(members))[:count]]] = True
    return (~chosen).nonzero().flatten(), chosen.nonzero().flatten()


torch.manual_seed(0)
train, val = stratified_split(labels, 0.2)
print("train", labels[train].bincount(), "val", labels[val].bincount())

# %% drawing fold=true
import matplotlib.pyplot as plt
from torch.utils.data import random_split

splits = 500
drawn = [labels[random_split(labels, [0.8, 0.2])[1].indices].sum() for _ in range(splits)]
kept = [labels[stratified_split(labels, 0.2)[1]].sum() for _ in range(splits)]

fig, axes = plt.subplots(2, 1, figsize=(5.2, 3.6), sharex=True)
for ax, title, counts in zip(axes, ("random_split", "stratified_split"), (drawn, kept)):
    heights = torch.stack(counts).bincount(minlength=11)
    ax.stairs(heights, torch.arange(len(heights) + 1) - 0.5, fill=True, color="C0" if counts is drawn else "C1")
    ax.set_title(title, fontsize=10)
    ax.set_yticks([0, int(heights.max())])
    ax.set_xticks(range(0, len(heights), 2))
axes[1].set_xlabel("class 1 in val")
fig.supylabel("splits", fontsize=10)

# %% spread hidden=true
assert {int(count) for count in drawn} == set(range(10))
assert sum(int(count) == 4 for count in drawn) / splits < 0.25
assert {int(count) for count in kept} == {4}

# %% train-test-split needs="sklearn"
from sklearn.model_selection import train_test_split

indices = range(len(labels))
train, val = train_test_split(indices, train_size=0.8, stratify=labels)
print("train", labels[train].bincount(), "val", labels[val].bincount())

# %% three-parts needs="sklearn"
rest, test = train_test_split(indices, test_size=40, stratify=labels)
train, val = train_test_split(rest, test_size=40, stratify=labels[rest])
print([labels[part].bincount().tolist() for part in (train, val, test)])
print(len({*train, *val, *test}))

# %% relative-indices needs="sklearn"
import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

splitter = StratifiedShuffleSplit(n_splits=1, test_size=40, random_state=0)
rest, test = next(splitter.split(np.zeros(200), labels))
train, val = next(splitter.split(np.zeros(160), labels[rest]))
print("positions:", len({*val} & {*test}), "val samples are in test")

train, val = rest[train], rest[val]
print("looked up:", len({*val} & {*test}), "val samples are in test")
print([labels[part].bincount().tolist() for part in (train, val, test)])

# %% kfold
shuffled = torch.randperm(len(labels))
by_class = shuffled[labels[shuffled].argsort(stable=True)]
fold = torch.empty_like(by_class)
fold[by_class] = torch.arange(len(labels)) % 5  # dealt like cards

for k in range(5):
    train, val = labels[fold != k], labels[fold == k]
    print(k, "train", train.bincount(), "val", val.bincount())

# %% stratified-kfold needs="sklearn"
from sklearn.model_selection import StratifiedKFold

folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
for train, val in folds.split(np.zeros(200), labels):
    print("train", labels[train].bincount(), "val", labels[val].bincount())

# %% single-sample needs="sklearn" raises="ValueError"
train_test_split(range(10), test_size=2, stratify=[0] * 9 + [1])

# %% merged hidden=true needs="sklearn"
of_three = [0] * 5 + [1] * 4 + [2]  # class 2 has a single sample
merged = [min(label, 1) for label in of_three]
assert len(train_test_split(range(10), test_size=2, stratify=merged)[1]) == 2
kept, val = train_test_split(range(9), test_size=2, stratify=of_three[:9])  # without the last one
assert len([*kept, 9]) == 8 and 9 not in val

# %% many-small-classes hidden=true
small = torch.arange(1000).repeat_interleave(6)
shuffled = torch.randperm(len(small))
by_class = shuffled[small[shuffled].argsort(stable=True)]
dealt = torch.empty_like(by_class)
dealt[by_class] = torch.arange(len(small)) % 5
assert dealt.bincount().tolist() == [1200] * 5
for k in range(5):
    members = small[dealt == k].bincount(minlength=1000)
    assert members.min() >= 1 and members.max() <= 2
for members, fraction, expected in ((5, 0.1, 0), (2, 0.2, 0), (5, 0.3, 2000)):
    labels_of_many = torch.arange(1000).repeat_interleave(members)
    assert len(stratified_split(labels_of_many, fraction)[1]) == expected  # each class is rounded by itself

# %% twice hidden=true
rest, test = stratified_split(labels, 0.2)
positions = stratified_split(labels[rest], 0.25)[1]
assert labels[rest[positions]].tolist().count(1) == 4 and not {*rest[positions].tolist()} & {*test.tolist()}
assert labels[positions].tolist().count(1) == 0  # not looked up: other samples

# %% tensors-as-indices hidden=true
from torch.utils.data import Subset

names = {i: f"{i}.png" for i in range(len(labels))}
train, val = stratified_split(labels, 0.2)
assert [Subset(names, val.tolist())[i] for i in range(40)] == [f"{i}.png" for i in val]
try:
    Subset(names, val)[0]
except KeyError as error:
    assert "tensor" in str(error)
else:
    raise AssertionError("a dict takes a tensor for a key")

# %% number-as-target hidden=true needs="sklearn"
target = torch.rand(100, generator=torch.Generator().manual_seed(0))
try:
    train_test_split(range(100), test_size=20, stratify=target)
except ValueError as error:
    assert "only 1 member" in str(error)
else:
    raise AssertionError("each number is a class")
interval = torch.bucketize(target, target.quantile(torch.linspace(0, 1, 6)[1:-1]))
assert interval[train_test_split(range(100), test_size=20, stratify=interval)[1]].bincount().tolist() == [4] * 5
rare = torch.tensor([0] * 90 + [1] * 9 + [2])  # classes are not quantities: intervals mix them
assert torch.bucketize(rare, rare.float().quantile(torch.linspace(0, 1, 6)[1:-1])).unique().numel() < 3
