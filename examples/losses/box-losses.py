"""Losses for boxes: IoU, GIoU, DIoU, CIoU, and boxes that do not meet."""

# %% losses
import math

import torch


def box_loss(boxes, target, kind="iou", eps=1e-7):
    """One loss for each pair of boxes (N, 4), each (x1, y1, x2, y2)."""
    if kind not in KINDS:
        raise ValueError(f"kind is {kind!r}, not one of {KINDS}")
    size, target_size = (b[:, 2:] - b[:, :2] for b in (boxes, target))
    overlap = torch.minimum(boxes[:, 2:], target[:, 2:])
    overlap = (overlap - torch.maximum(boxes[:, :2], target[:, :2])).clamp(min=0)
    common = overlap.prod(dim=1)
    union = size.prod(dim=1) + target_size.prod(dim=1) - common
    iou = common / (union + eps)
    if kind == "iou":
        return 1 - iou
    hull = torch.maximum(boxes[:, 2:], target[:, 2:])  # around both
    hull = hull - torch.minimum(boxes[:, :2], target[:, :2])
    if kind == "giou":
        area = hull.prod(dim=1)
        return 1 - iou + (area - union) / (area + eps)
    centers = (boxes[:, :2] + boxes[:, 2:] - target[:, :2] - target[:, 2:]) / 2
    distance = centers.square().sum(dim=1) / (hull.square().sum(dim=1) + eps)
    if kind == "diou":
        return 1 - iou + distance
    angles = [torch.atan2(s[:, 0], s[:, 1]) for s in (size, target_size)]
    shape = (4 / math.pi**2) * (angles[0] - angles[1]).square()
    with torch.no_grad():
        weight = shape / (1 - iou + shape + eps)
    return 1 - iou + distance + weight * shape


KINDS = ("iou", "giou", "diou", "ciou")

# %% apart
target = torch.tensor([[4.0, 0.0, 6.0, 2.0]], dtype=torch.float64)
places = {"half": [3, 0, 5, 2], "apart": [0, 0, 2, 2], "farther": [-6, 0, -4, 2]}
for name, place in places.items():
    print(name)
    for kind in KINDS:
        boxes = torch.tensor([place]).double().requires_grad_()
        loss = box_loss(boxes, target, kind)
        (gradient,) = torch.autograd.grad(loss.sum(), boxes)
        slopes = [f"{round(slope, 2) + 0.0:5.2f}" for slope in gradient[0].tolist()]
        print(f"  {kind:4} loss {loss.item():.2f}  gradient {', '.join(slopes)}")

# %% descent
for kind in KINDS:
    boxes = torch.tensor([[0.0, 0.0, 2.0, 3.0]]).double().requires_grad_()
    optimizer = torch.optim.Adam([boxes], lr=0.05)
    reached = []
    for step in range(1, 201):
        optimizer.zero_grad()
        box_loss(boxes, target, kind).sum().backward()
        optimizer.step()
        if step in (50, 100, 200):
            reached.append(f"{1 - box_loss(boxes, target).item():.2f}")
    print(f"{kind:4} IoU after 50, 100, 200 steps: {', '.join(reached)}")

# %% inverted
flipped = torch.tensor([[6.0, 2.0, 4.0, 0.0]]).double()  # x2 < x1, y2 < y1
print("iou:", box_loss(flipped, target).item())


def from_center(raw):  # (N, 4): center and logarithm of the size
    center, size = raw[:, :2], raw[:, 2:].exp()
    return torch.cat([center - size / 2, center + size / 2], dim=1)


print(from_center(torch.zeros(1, 4)))

# %% counter-cases hidden=true
torch.manual_seed(0)
for dtype in (torch.float32, torch.float64):
    corner = torch.rand(200, 2, dtype=dtype)
    some = torch.cat([corner, corner + torch.rand(200, 2, dtype=dtype) + 0.01], dim=1)
    others = some[torch.randperm(200)]
    losses = {kind: box_loss(some, others, kind) for kind in KINDS}
    assert (losses["iou"] >= 0).all() and (losses["iou"] <= 1 + 1e-5).all()
    assert (losses["giou"] >= losses["iou"] - 1e-5).all() and (losses["giou"] < 2).all()
    assert (losses["diou"] >= losses["iou"] - 1e-5).all() and (losses["ciou"] >= losses["diou"] - 1e-5).all()
    for kind in KINDS:
        torch.testing.assert_close(box_loss(some, some, kind), torch.zeros(200, dtype=dtype), atol=1e-2, rtol=0)
        torch.testing.assert_close(box_loss(100 * some, 100 * others, kind), losses[kind], atol=1e-2, rtol=0)
far = torch.rand(50, 4, dtype=torch.float64).sort(dim=1).values[:, [0, 1, 2, 3]] + torch.tensor([5.0, 5.0, 6.0, 6.0])
near = torch.tensor([[0.0, 0.0, 1.0, 1.0]]).double().expand(50, 4).clone().requires_grad_()
for kind in KINDS:
    (gradient,) = torch.autograd.grad(box_loss(near, far, kind).sum(), near)
    assert (gradient != 0).any(dim=1).all() == (kind != "iou"), kind
both = torch.zeros(1, 4).requires_grad_()
for kind in KINDS:
    assert box_loss(both, torch.zeros(1, 4), kind).isfinite().all()
half = torch.tensor([[0.0, 0.0, 300.0, 300.0]]).half()
assert not box_loss(half, half).isfinite().all() or box_loss(half, half) > 0.5
assert box_loss(torch.zeros(0, 4), torch.zeros(0, 4), "ciou").shape == (0,)
tiny = torch.tensor([[0.5, 0.5, 0.5005, 0.5005]])
assert box_loss(tiny, tiny) > 0.2  # eps is not small beside its area
try:
    box_loss(tiny, tiny, "GIoU")
except ValueError:
    pass
else:
    raise AssertionError("an unknown kind was taken for another")
