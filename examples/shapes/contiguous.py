"""view() needs strides that fit, which is less than being contiguous."""

# %% setup
import torch

m = torch.arange(6).view(2, 3)
t = m.t()
for name, tensor in {"m": m, "t": t}.items():
    print(f"{name}: shape {tuple(tensor.shape)}, stride {tensor.stride()}")
    print("   contiguous:", tensor.is_contiguous())
print("one storage:", t.data_ptr() == m.data_ptr())

# %% view-fails raises="RuntimeError"
t.view(6)

# %% remedies
print("reshape:         ", t.reshape(6))
print("contiguous, view:", t.contiguous().view(6))
print("stride of t.contiguous():", t.contiguous().stride())

# %% walk fold=true
import itertools

import matplotlib.pyplot as plt


def walk(ax, tensor, name, storage_size):
    """Draw the storage, and the hops from address to address as the tensor is read row by row."""
    stride = tensor.stride()
    visits = [sum(i * step for i, step in zip(index, stride)) for index in itertools.product(*map(range, tensor.shape))]
    for address in range(storage_size):
        alpha = 0.4 if address in visits else 0.1
        ax.add_patch(plt.Rectangle((address, 0), 1, 1, facecolor="C0", alpha=alpha))
        ax.text(address + 0.5, 0.5, address, ha="center", va="center", fontsize=9)
    for here, there in itertools.pairwise(visits):
        hop = there - here
        regular = hop == stride[-1]  # one step along the last dimension
        base, sign = (1.05, 1) if hop > 0 else (-0.05, -1)
        arrow = dict(arrowstyle="->", color="C2" if regular else "C1", lw=1.5)
        arrow |= dict(connectionstyle="arc3,rad=-0.5", shrinkA=0, shrinkB=0)
        ax.annotate("", (there + 0.5, base), (here + 0.5, base), arrowprops=arrow)
        if storage_size < 10 or not regular:
            y = base + sign * (abs(hop) / 4 + 0.3)
            ax.text((here + there + 1) / 2, y, f"{hop:+d}", ha="center", va="center", fontsize=9)
    ax.text(0, 2.7, f"{name}: shape {tuple(tensor.shape)}, stride {stride}", fontsize=10)
    ax.set(xlim=(-0.1, storage_size + 0.1), aspect="equal")
    ax.axis("off")


_, axes = plt.subplots(1, 2, figsize=(6.4, 2.2), sharey=True)
walk(axes[0], m, "m", storage_size=6)
walk(axes[1], t, "t", storage_size=6)
axes[0].set_ylim(-1.1, 3.2)

# %% heads raises="RuntimeError"
heads = torch.zeros(2, 4, 5, 8)  # (batch, head, time, feature)
heads.transpose(1, 2).view(2, 5, 32)

# %% heads-flatten
print(heads.transpose(1, 2).flatten(2).shape)  # (batch, time, head * feature)


# %% export-view raises="ValueError"
class Merged(torch.nn.Module):
    def forward(self, x):
        return x.transpose(1, 2).view(2, 12)


torch.export.export(Merged(), (torch.ones(2, 3, 4),))


# %% export-flatten
class MergedByFlatten(torch.nn.Module):
    def forward(self, x):
        return x.transpose(1, 2).flatten(1)


program = torch.export.export(MergedByFlatten(), (torch.ones(2, 3, 4),))
print(program.module()(torch.ones(2, 3, 4)).shape)

# %% can-work
x = torch.arange(24).view(4, 6)
crop = x[:, :4]  # (4, 4)
print("stride:", crop.stride(), "contiguous:", crop.is_contiguous())
print("first view: ", tuple(crop.view(4, 2, 2).shape))
print("second view:", tuple(crop.view(2, 2, 4).shape))

# %% crop-fails raises="RuntimeError"
crop.view(-1)

# %% crop-flat
print(crop.reshape(-1))

# %% crop-walk fold=true
_, ax = plt.subplots(figsize=(6.4, 1.1))
walk(ax, crop, "crop", storage_size=24)
ax.set_ylim(-0.1, 3.5)

# %% rule


def can_merge(tensor, d):
    """Whether view() can turn the dimensions d and d + 1 into one."""
    outer, inner = tensor.size(d), tensor.size(d + 1)
    free = tensor.numel() == 0 or 1 in (outer, inner)
    return free or tensor.stride(d) == inner * tensor.stride(d + 1)


for name, tensor in {"m": m, "t": t, "crop": crop}.items():
    print(f"{name:5} can be flattened by view(): {can_merge(tensor, 0)}")

# %% rule-holds hidden=true
for shape in itertools.product((1, 2, 3), repeat=3):
    for order in itertools.permutations(range(3)):
        tensor = torch.zeros(shape).permute(order)
        for d in (0, 1):
            merged = [*tensor.shape[:d], -1, *tensor.shape[d + 2 :]]
            try:
                tensor.view(merged)
            except RuntimeError:
                assert not can_merge(tensor, d)
            else:
                assert can_merge(tensor, d)
for shape, stride in (((2, 1), (6, 3)), ((1, 2), (5, 1))):  # dimensions of size 1 are free
    torch.zeros(12).as_strided(shape, stride).view(2)

# %% empty-crop hidden=true
empty = torch.zeros(0, 6)[:, :4]  # stride (6, 1)
assert empty.view(0).numel() == 0 and can_merge(empty, 0)

# %% heads-and-time hidden=true
split = torch.arange(24).view(2, 3, 2, 2).transpose(1, 2)  # (batch, heads, time, width)
kept = torch.arange(48).view(2, 3, 2, 4)[..., :2]  # (batch, time, heads, width), cut: not contiguous
for layout in (split, kept):
    try:
        layout.view(2, 3, 4)
    except RuntimeError as error:
        assert "view size is not compatible" in str(error), error
    else:
        raise AssertionError
assert torch.equal(split.transpose(1, 2).reshape(2, 3, 4), torch.arange(24).view(2, 3, 4))
assert not torch.equal(split.reshape(2, 3, 4), torch.arange(24).view(2, 3, 4))  # runs, and is mixed
side_by_side = torch.cat([kept[:, :, 0], kept[:, :, 1]], dim=-1)
assert torch.equal(kept.reshape(2, 3, 4), side_by_side)
assert not torch.equal(kept.transpose(1, 2).reshape(2, 3, 4), side_by_side)  # runs, and is mixed
