"""IoU and mIoU from one confusion matrix over all images."""

# %% matrix
import torch

IGNORE = 255  # pixels without a label


class ConfusionMatrix:
    def __init__(self, classes):
        self.counts = torch.zeros(classes, classes, dtype=torch.long)

    def update(self, logits, labels):
        """logits: (batch, classes, *size); labels: (batch, *size)."""
        classes = len(self.counts)
        predicted = logits.argmax(dim=1)
        known = labels != IGNORE
        cells = labels[known].long() * classes + predicted[known]  # uint8 overflows
        counts = cells.bincount(minlength=classes**2)
        self.counts += counts.reshape(classes, classes).cpu()


# %% update
torch.manual_seed(0)
classes = 3
labels = torch.zeros(10, 32, 32, dtype=torch.long)
labels[:, 8:20, 8:20] = 1
labels[7:, 24:28, 4:10] = 2  # small, and in three images of ten only
one_hot = torch.nn.functional.one_hot(labels, classes).movedim(-1, 1)
logits = 2.5 * one_hot + torch.randn(10, classes, 32, 32)  # stands in for a model
labels[:, :2] = IGNORE

matrix = ConfusionMatrix(classes)
for batch, truth in zip(logits.split(4), labels.split(4)):  # 4, 4 and 2 images
    matrix.update(batch, truth)
print(matrix.counts)  # row: label, column: prediction


# %% scores
def scores(counts):
    """From counts (label, prediction): a tensor per class for each score."""
    hit = counts.diag().double()
    missed, false = counts.sum(dim=1) - hit, counts.sum(dim=0) - hit
    return {
        "precision": hit / (hit + false),
        "recall": hit / (hit + missed),
        "F1 (Dice)": 2 * hit / (2 * hit + missed + false),
        "IoU": hit / (hit + missed + false),
    }


for name, values in scores(matrix.counts).items():
    print(f"{name:10}", *[f"{v:.4f}" for v in values], f" mean {values.mean():.4f}")

# %% sklearn needs="sklearn"
from sklearn.metrics import confusion_matrix, f1_score, jaccard_score

known = labels != IGNORE
truth, predicted = labels[known], logits.argmax(dim=1)[known]
same = confusion_matrix(truth, predicted) == matrix.counts.numpy()
print("same matrix:", same.all())
print(f"macro F1 {f1_score(truth, predicted, average='macro'):.4f}")
print(f"mIoU     {jaccard_score(truth, predicted, average='macro'):.4f}")

# %% mean-of-batches
for size in (1, 5):  # images in a batch
    rows = []
    for batch, truth in zip(logits.split(size), labels.split(size)):
        part = ConfusionMatrix(classes)
        part.update(batch, truth)
        rows.append(scores(part.counts)["IoU"])
    rows = torch.stack(rows)  # (batches, classes)
    print(f"by {size}: class 2", rows[:, 2].round(decimals=2).tolist())
    print(f"      mean of all classes and batches {rows.nanmean():.4f}")
print(f"from counts {scores(matrix.counts)['IoU'].mean():.4f}")

# %% binary
mask = torch.tensor([[1, 1, 0, 0], [1, 1, 0, 0]]).bool()
found = torch.tensor([[0, 1, 1, 0], [0, 1, 1, 0]]).bool()
print(f"IoU {(mask & found).sum() / (mask | found).sum():.4f}")


# %% boxes
def box_iou(boxes, others):
    """IoU of each pair; boxes (N, 4) and (M, 4), each (x1, y1, x2, y2)."""
    corner = torch.maximum(boxes[:, None, :2], others[:, :2])  # (N, M, 2)
    opposite = torch.minimum(boxes[:, None, 2:], others[:, 2:])
    common = (opposite - corner).clamp(min=0).prod(dim=2)  # 0 if they are apart
    areas = [(b[:, 2:] - b[:, :2]).prod(dim=1) for b in (boxes, others)]
    return common / (areas[0][:, None] + areas[1] - common)


truth = torch.tensor([[0.0, 0.0, 4.0, 2.0]])
boxes = torch.tensor([[0, 0, 4, 2], [2, 0, 6, 2], [5, 0, 6, 2]]).float()
print("IoU:", box_iou(truth, boxes))

# %% boxes-as-masks hidden=true
grid_y, grid_x = torch.meshgrid(torch.arange(8), torch.arange(8), indexing="ij")
torch.manual_seed(0)
corners = torch.randint(0, 5, (20, 2))
whole = torch.cat([corners, corners + torch.randint(1, 4, (20, 2))], dim=1)  # on whole pixels
inside = torch.stack([(x1 <= grid_x) & (grid_x < x2) & (y1 <= grid_y) & (grid_y < y2) for x1, y1, x2, y2 in whole])
both = (inside[:, None] & inside).sum(dim=(2, 3)) / (inside[:, None] | inside).sum(dim=(2, 3))
torch.testing.assert_close(box_iou(whole.float(), whole.float()), both)

# %% absent
counts = torch.tensor([[50, 0, 0], [5, 45, 0], [0, 0, 0]])  # class 2 is nowhere
iou = scores(counts)["IoU"]
print("IoU:", iou)
print(f"mean {iou.mean():.4f}, nanmean {iou.nanmean():.4f}")

# %% not-ignored raises="RuntimeError"
cells = labels * classes + logits.argmax(dim=1)  # 255 * 3 + ...
cells.flatten().bincount(minlength=9).reshape(3, 3)

# %% ignored
counts = cells[labels != IGNORE].bincount(minlength=9).reshape(3, 3)
print("pixels counted:", counts.sum().item(), "of", labels.numel())

# %% to-the-last-digit hidden=true needs="sklearn"
from sklearn.metrics import precision_score, recall_score

ours = scores(matrix.counts)
truth, predicted = labels[known], logits.argmax(dim=1)[known]
for name, function in (
    ("precision", precision_score),
    ("recall", recall_score),
    ("F1 (Dice)", f1_score),
    ("IoU", jaccard_score),
):
    theirs = torch.tensor(function(truth, predicted, average=None))
    torch.testing.assert_close(ours[name], theirs, rtol=1e-15, atol=0)

# %% small-labels hidden=true
small = ConfusionMatrix(classes)  # masks read from files are uint8
small.update(logits, labels.byte())
assert torch.equal(small.counts, matrix.counts)
many = ConfusionMatrix(21)
every = torch.arange(21, dtype=torch.uint8)[None]
many.update(torch.eye(21)[None], every)
assert torch.equal(many.counts, torch.eye(21).long())
assert (every * 21 + torch.arange(21)).max() < 21 * 21 - 1  # without long()

# %% dice-and-iou hidden=true
known = labels != IGNORE
for counts in (matrix.counts, torch.randint(1, 50, (5, 5))):
    iou, dice = scores(counts)["IoU"], scores(counts)["F1 (Dice)"]
    torch.testing.assert_close(dice, 2 * iou / (1 + iou))
assert torch.equal(matrix.counts.sum(), known.sum())

# %% limits hidden=true
assert box_iou(torch.zeros(1, 4), torch.zeros(1, 4)).isnan()
square = torch.tensor([[0.0, 0.0, 256.0, 256.0]])
assert box_iou(square, square) == 1 and box_iou(square.half(), square.half()).isnan()
for dtype in (torch.uint8, torch.int16, torch.int64):
    part = ConfusionMatrix(3)
    part.update(torch.randn(2, 3, 4, 4), torch.full((2, 4, 4), 2, dtype=dtype))
    part.update(torch.randn(2, 3, 4, 4), torch.full((2, 4, 4), IGNORE))
    assert part.counts.sum() == part.counts[2].sum() == 32

# %% bytes-wrap-around hidden=true
masks = torch.tensor([20, 20], dtype=torch.uint8)
for cells, right in ((masks * 21 + masks.long(), False), (masks.long() * 21 + masks, True)):
    assert (cells.bincount(minlength=441).reshape(21, 21)[20, 20] == 2) == right
