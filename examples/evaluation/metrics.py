"""Accuracy, top-k, confusion matrix, precision, recall and F1 in plain tensors."""

# %% accuracy
import torch

torch.manual_seed(0)
labels = torch.tensor([0] * 60 + [1] * 30 + [2] * 10)
logits = torch.randn(100, 3)  # (samples, classes)
logits[torch.arange(100), labels] += 1.5  # better than chance

predicted = logits.argmax(dim=1)
print(f"accuracy {(predicted == labels).float().mean():.2f}")

# %% top-k
best = logits.topk(2, dim=1).indices  # (samples, 2)
hit = (best == labels[:, None]).any(dim=1)
print(f"top-2 {hit.float().mean():.2f}")

# %% confusion
classes = 3
cells = labels * classes + predicted  # 0 to 8
matrix = cells.bincount(minlength=classes**2).reshape(classes, classes)
print(matrix)  # row: label, column: prediction

# %% drawn fold=true
import matplotlib.pyplot as plt
from matplotlib.colors import ListedColormap

fig, ax = plt.subplots(figsize=(3.6, 3.0))
share = matrix / matrix.sum(dim=1, keepdim=True)  # of the row
ax.imshow(torch.zeros(classes, classes), cmap=ListedColormap(["C0"]), alpha=0.6 * share.numpy())
for row in range(classes):
    for column in range(classes):
        ax.text(column, row, int(matrix[row, column]), ha="center", va="center", fontsize=12)
ax.set(xticks=range(classes), yticks=range(classes), xlabel="predicted", ylabel="label")

# %% precision-recall
right = matrix.diag()
precision = right / matrix.sum(dim=0)  # of what was predicted
recall = right / matrix.sum(dim=1)  # of what is there
f1 = 2 * precision * recall / (precision + recall)
for name, values in (("precision", precision), ("recall", recall), ("F1", f1)):
    print(f"{name:9}", values, f"mean {values.mean():.3f}")

# %% sklearn needs="sklearn"
from sklearn.metrics import f1_score

print(f"macro {f1_score(labels, predicted, average='macro'):.3f}")
print(f"micro {f1_score(labels, predicted, average='micro'):.3f}")

# %% never-predicted
all_zero = torch.zeros_like(labels)
empty = (labels * classes + all_zero).bincount(minlength=9).reshape(3, 3)
print(f"accuracy {(all_zero == labels).float().mean():.2f}")
print("precision", empty.diag() / empty.sum(dim=0))
print("precision", empty.diag() / empty.sum(dim=0).clamp(min=1))


# %% batches
def macro_f1(matrix):
    total = matrix.sum(dim=0) + matrix.sum(dim=1)
    return (2 * matrix.diag() / total.clamp(min=1)).mean().item()


total, scores, accuracies = torch.zeros(3, 3, dtype=torch.long), [], []
order = torch.randperm(100)
for part in order.split(32):  # 32, 32, 32 and 4 samples
    batch = cells[part].bincount(minlength=9).reshape(3, 3)
    total += batch
    scores.append(macro_f1(batch))
    accuracies.append((batch.diag().sum() / batch.sum()).item())
accuracy, f1 = sum(accuracies) / 4, sum(scores) / 4
print(f"mean of batches: accuracy {accuracy:.3f}, F1 {f1:.3f}")
accuracy = total.diag().sum() / total.sum()
print(f"sum of matrices: accuracy {accuracy:.3f}, F1 {macro_f1(total):.3f}")

# %% column-of-labels hidden=true
column = labels[:, None]
assert (predicted == column).shape == (100, 100)
assert torch.equal(predicted == column.squeeze(1), predicted == labels)
small = labels.to(torch.uint8) + 100  # from 86 on, 3 * label does not fit
assert (small * classes + predicted).max() < 256 < (small.long() * classes + predicted).max()

# %% zero-by-zero hidden=true
precision, recall = empty.diag() / empty.sum(dim=0).clamp(min=1), empty.diag() / empty.sum(dim=1)
assert (2 * precision * recall / (precision + recall))[1:].isnan().all()
assert abs(macro_f1(empty) - 0.25) < 1e-6  # 0.75, 0 and 0
assert (torch.randn(100, 1).argmax(dim=1) == 0).all()  # one logit per sample

# %% ignored-labels hidden=true
partly = labels.clone()
partly[::2] = -100
keep = partly != -100
right_of_all = (predicted == partly).float().mean()
right_of_kept = (predicted[keep] == partly[keep]).float().mean()
assert abs(right_of_kept - 2 * right_of_all) < 1e-6  # half of the labels are ignored
