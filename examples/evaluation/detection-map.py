"""Average precision of boxes, and mAP over classes and thresholds, as COCO counts it."""

# %% iou
import torch


def box_iou(boxes, others):
    """IoU of each of n boxes with each of m, (x1, y1, x2, y2): (n, m)."""
    low = torch.maximum(boxes[:, None, :2], others[None, :, :2])
    high = torch.minimum(boxes[:, None, 2:], others[None, :, 2:])
    inner = (high - low).clamp(min=0).prod(dim=2)
    area, other = ((b[:, 2:] - b[:, :2]).prod(dim=1) for b in (boxes, others))
    return inner / (area[:, None] + other - inner)


# %% match
def hits(boxes, scores, truth, threshold):
    """Whether each box, best score first, finds a true box of its own."""
    order = scores.argsort(descending=True, stable=True)
    iou = box_iou(boxes[order], truth)
    free = torch.ones(len(truth), dtype=torch.bool)
    hit = torch.zeros(len(boxes), dtype=torch.bool)
    for i in range(len(boxes)):
        overlap = torch.where(free, iou[i], -1.0)
        if len(truth) and overlap.max() >= threshold:
            free[overlap.argmax()] = False  # each true box counts once
            hit[i] = True
    return scores[order], hit


# %% average-precision
def average_precision(images, threshold=0.5):
    """`images`: (boxes, scores, true boxes) of one class, for each image."""
    found = [hits(*image, threshold) for image in images]
    scores, hit = (torch.cat(parts) for parts in zip(*found))
    count = sum(len(truth) for _, _, truth in images)
    if count == 0:
        return torch.tensor(torch.nan)  # the class does not occur
    hit = hit[scores.argsort(descending=True, stable=True)].double().cumsum(dim=0)
    precision = hit / torch.arange(1, len(hit) + 1)
    precision = precision.flip(0).cummax(dim=0).values.flip(0)  # never rises again
    wanted = torch.arange(101, dtype=torch.float64) * 0.01  # to the bit as COCO's
    place = torch.searchsorted(hit / count, wanted)
    return torch.cat([precision, precision.new_zeros(1)])[place].mean()


# %% try
def boxes(*rows):
    return torch.tensor(rows, dtype=torch.float64).view(-1, 4)


first, second = boxes((0, 0, 10, 10)), boxes((22, 20, 42, 30), (50, 0, 60, 9))
dogs = [  # of two images: boxes found, their scores, true boxes
    (boxes((0, 0, 10, 10), (1, 0, 11, 10)), torch.tensor([0.9, 0.8]), first),
    (boxes((20, 20, 40, 30)), torch.tensor([0.7]), second),
]
for threshold in (0.5, 0.75, 0.9):
    print(f"IoU {threshold:4}: AP {average_precision(dogs, threshold):.3f}")

# %% mean
thresholds = [0.5 + 0.05 * step for step in range(10)]
cat, score = boxes((5, 5, 15, 15)), torch.tensor([0.6])
cats = [(cat, score, cat)]
birds = [(cat, score, boxes())]  # found, and there is none
table = torch.empty(3, 10)
for row, images in enumerate((dogs, cats, birds)):
    for column, threshold in enumerate(thresholds):
        table[row, column] = average_precision(images, threshold)
print("AP of each class:", [round(x, 3) for x in table.mean(dim=1).tolist()])
print(f"mAP: {table.nanmean():.3f}  mAP50: {table[:, 0].nanmean():.3f}")

# %% cut-off
for lowest in (0.0, 0.75):
    kept = [(b[s > lowest], s[s > lowest], truth) for b, s, truth in dogs]
    print(f"scores above {lowest}: AP50 {average_precision(kept):.3f}")
single = [average_precision([image]) for image in dogs]
print(f"mean of the images' AP50: {torch.stack(single).mean():.3f}")

# %% layout
left_width = boxes((20, 20, 20, 10))  # (x, y, width, height)
corners = left_width.clone()
corners[:, 2:] += corners[:, :2]
print("as it is: ", box_iou(left_width, dogs[1][0]).item())
print("converted:", box_iou(corners, dogs[1][0]).item())

# %% checks hidden=true
assert average_precision([(boxes(), torch.tensor([]), first)]) == 0
assert average_precision([(first, torch.tensor([0.5]), first)]) == 1
double = [(first.repeat(2, 1), torch.tensor([0.5, 0.6]), first)]
assert average_precision(double) == 1  # a second box behind all true ones costs nothing here
for factor in (0.5, 3.0):  # only the order of the scores counts
    scaled = [(b, s * factor, truth) for b, s, truth in dogs]
    assert average_precision(scaled) == average_precision(dogs)
torch.testing.assert_close(box_iou(first, boxes((5, 0, 15, 10))), torch.full((1, 1), 1 / 3, dtype=torch.float64))


def draw_images(seed, count=20):
    generator = torch.Generator().manual_seed(seed)
    images = []
    for _ in range(count):
        corner = 80 * torch.rand(torch.randint(0, 6, (), generator=generator), 2, generator=generator)
        truth = torch.cat([corner, corner + 10 + 20 * torch.rand(corner.shape, generator=generator)], dim=1).double()
        near = truth + 3 * torch.randn(truth.shape, generator=generator)
        found = torch.cat([near, truth[:2] + 30])
        images.append((found, torch.rand(len(found), generator=generator), truth))
    return images


def slowly(images, threshold):  # the definition, without a cumulative sum
    found = [hits(*image, threshold) for image in images]
    pairs = sorted(((s, h) for scores, hit in found for s, h in zip(scores.tolist(), hit.tolist())), reverse=True)
    count = sum(len(truth) for *_, truth in images)
    points = []
    for n in range(1, len(pairs) + 1):
        right = sum(hit for _, hit in pairs[:n])
        points.append((right / count, right / n))
    wanted = (torch.arange(101, dtype=torch.float64) * 0.01).tolist()
    return sum(max((p for r, p in points if r >= recall), default=0.0) for recall in wanted) / 101


for seed in range(3):
    for threshold in (0.5, 0.8):
        drawn = draw_images(seed)
        assert abs(average_precision(drawn, threshold).item() - slowly(drawn, threshold)) < 1e-9
import numpy as np

assert (torch.arange(101, dtype=torch.float64) * 0.01).tolist() == np.linspace(0, 1, 101).tolist()
assert torch.linspace(0, 1, 101, dtype=torch.float64).tolist() != np.linspace(0, 1, 101).tolist()
half = torch.tensor([[0.0, 0.0, 500.0, 500.0]], dtype=torch.float16)
assert box_iou(half, half).isnan().all() and box_iou(half.float(), half.float()) == 1  # areas above 65504
for seed in range(10):  # a higher threshold never gives more
    drawn = draw_images(seed, count=4)
    values = [average_precision(drawn, threshold).item() for threshold in thresholds]
    assert all(low >= high - 1e-12 for low, high in zip(values, values[1:]))

# %% reference needs="pycocotools"
import contextlib
import io

from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval


def coco_map(images):
    """mAP of one class by pycocotools, which takes (x, y, width, height)."""
    true, found = [], []
    for image, (boxes, scores, truth) in enumerate(images):
        for x1, y1, x2, y2 in truth.tolist():
            size = x2 - x1, y2 - y1
            row = dict(id=len(true) + 1, iscrowd=0, area=size[0] * size[1])
            row |= dict(image_id=image, category_id=1, bbox=[x1, y1, *size])
            true.append(row)
        for box, score in zip(boxes.tolist(), scores.tolist()):
            x1, y1, x2, y2 = box
            row = dict(image_id=image, category_id=1, score=score)
            found.append(row | dict(bbox=[x1, y1, x2 - x1, y2 - y1]))
    with contextlib.redirect_stdout(io.StringIO()):
        coco = COCO()
        coco.dataset = dict(
            images=[dict(id=image) for image in range(len(images))],
            annotations=true,
            categories=[dict(id=1)],
            info={},
        )
        coco.createIndex()
        evaluation = COCOeval(coco, coco.loadRes(found), "bbox")
        evaluation.evaluate()
        evaluation.accumulate()
        evaluation.summarize()
    return evaluation.stats[0]


by_hand = torch.stack([average_precision(dogs, t) for t in thresholds]).mean()
print(f"by hand {by_hand:.4f}, pycocotools {coco_map(dogs):.4f}")

# %% reference-drawn needs="pycocotools" hidden=true
for seed in range(5):
    drawn = draw_images(seed)
    by_hand = torch.stack([average_precision(drawn, t) for t in thresholds]).mean()
    assert abs(by_hand.item() - coco_map(drawn)) < 1e-6, seed

# %% crowds hidden=true
crowd = boxes((100, 100, 300, 200))
on_crowd = boxes((100, 100, 300, 200), (101, 100, 300, 200))
found, scores = torch.cat([on_crowd, first]), torch.tensor([0.9, 0.8, 0.5])
assert average_precision([(first, scores[2:], first)]) == 1  # without the crowd, and what was found on it
assert abs(average_precision([(found, scores, first)]) - 1 / 3) < 1e-9  # without the crowd alone
