"""Stratified splits: every part has the classes in the same proportion."""

# %% torch
import torch

labels = torch.tensor([0] * 180 + [1] * 20)


def stratified_split(labels, fraction):
    chosen = torch.zeros(len(labels), dtype=torch.bool)
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
for ax, title, counts, colour in zip(axes, ("random_split", "stratified_split"), (drawn, kept), ("C0", "C1")):
    heights = torch.stack(counts).bincount(minlength=11)
    ax.stairs(heights, torch.arange(len(heights) + 1) - 0.5, fill=True, color=colour)
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

train, val = train_test_split(range(len(labels)), test_size=0.2, stratify=labels, random_state=0)
print("train", labels[train].bincount(), "val", labels[val].bincount())

# %% three-parts needs="sklearn"
rest, test = train_test_split(range(len(labels)), test_size=40, stratify=labels, random_state=0)
train, val = train_test_split(rest, test_size=40, stratify=labels[rest], random_state=0)
print([labels[part].bincount().tolist() for part in (train, val, test)])
print(set(train) & set(val), set(train) & set(test), set(val) & set(test))

# %% relative-indices needs="sklearn"
import numpy as np
from sklearn.model_selection import StratifiedShuffleSplit

splitter = StratifiedShuffleSplit(n_splits=1, test_size=40, random_state=0)
rest, test = next(splitter.split(np.zeros(len(labels)), labels))
a, b = next(splitter.split(np.zeros(len(rest)), labels[rest]))  # positions in rest
print("as they are:", len(set(b) & set(test)), "of", len(b), "val samples are test samples")

train, val = rest[a], rest[b]
print("looked up:  ", len(set(val) & set(test)), "of", len(val))
print([labels[part].bincount().tolist() for part in (train, val, test)])

# %% kfold
fold = torch.empty(len(labels), dtype=torch.long)
for label in labels.unique():
    members = (labels == label).nonzero().flatten()
    fold[members[torch.randperm(len(members))]] = torch.arange(len(members)) % 5  # dealt like cards
for k in range(5):
    print(k, "train", labels[fold != k].bincount(), "val", labels[fold == k].bincount())

# %% stratified-kfold needs="sklearn"
from sklearn.model_selection import StratifiedKFold

folds = StratifiedKFold(n_splits=5, shuffle=True, random_state=0)
print([labels[val].bincount().tolist() for _, val in folds.split(np.zeros(len(labels)), labels)])

# %% single-sample needs="sklearn" raises="ValueError"
train_test_split(range(10), test_size=2, stratify=[0] * 9 + [1])
