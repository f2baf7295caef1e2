"""torch.stack joins tensors along a new dimension."""

# %% one-d
import torch

left, right = torch.tensor([7, 8]), torch.tensor([9, 0])
print("stack:", torch.stack([left, right]).tolist())  # (2, 2)
print("cat:  ", torch.cat([left, right]).tolist())  # (4,)

# %% new-dim
frame = torch.arange(6).view(2, 3)
frames = [frame + 10 * k for k in range(4)]  # four of (2, 3)
for dim in range(-3, 3):
    print(f"dim={dim:2}", tuple(torch.stack(frames, dim=dim).shape))

# %% dim-out-of-range raises="IndexError"
torch.stack(frames, dim=3)

# %% where-they-are
video = torch.stack(frames, dim=1)  # (2, 4, 3)
print("video[:, 2] is frame 2:", torch.equal(video[:, 2], frames[2]))
expanded = [frame.unsqueeze(1) for frame in frames]  # (2, 1, 3) each
print("unsqueeze, then cat:", torch.equal(video, torch.cat(expanded, dim=1)))

# %% blocks fold=true
from collections import defaultdict

import matplotlib.pyplot as plt
from matplotlib.patches import PathPatch
from matplotlib.path import Path

a, b = torch.arange(6).view(2, 3), torch.arange(6, 12).view(2, 3)
faces = defaultdict(list)  # (color, opacity): polygons
ax = plt.figure(figsize=(6.4, 3.75), layout="none").add_axes((0, 0, 1, 1))


def draw(title, tensor, x0, y0, lean=0.5):
    """Draw a box: the last dimension to the right, the one before it down, a third to the back."""
    box = tensor.view(-1, *tensor.shape[-2:])
    depth, rows, columns = box.shape

    def face(value, opacity, *corners):
        points = [(x0 + x + lean * z, y0 + y - lean * z) for z, y, x in corners]
        faces["C0" if value in a else "C1", opacity].append(Path([*points, points[0]], closed=True))

    for i in range(rows):
        for j in range(columns):
            face(box[0, i, j], 0.45, (0, i, j), (0, i, j + 1), (0, i + 1, j + 1), (0, i + 1, j))
            ax.text(x0 + j + 0.5, y0 + i + 0.5, int(box[0, i, j]), ha="center", va="center", fontsize=10)
    for k in range(depth if tensor.ndim == 3 else 0):
        for j in range(columns):
            face(box[k, 0, j], 0.25, (k, 0, j), (k, 0, j + 1), (k + 1, 0, j + 1), (k + 1, 0, j))
        for i in range(rows):
            face(
                box[k, i, -1], 0.65, (k, i, columns), (k, i + 1, columns), (k + 1, i + 1, columns), (k + 1, i, columns)
            )
    ax.text(x0, y0 + rows + 0.4, f"{title}: {tuple(tensor.shape)}", va="top", fontsize=10)


draw("a", a, 0.5, 0.5)
draw("b", b, 4.5, 0.5)
draw("cat dim=0", torch.cat([a, b], dim=0), 8.5, 0.5)
draw("cat dim=1", torch.cat([a, b], dim=1), 12.5, 0.5)
draw("stack dim=0", torch.stack([a, b], dim=0), 0.5, 7.5)
draw("stack dim=1", torch.stack([a, b], dim=1), 8.5, 7.5)
draw("stack dim=2", torch.stack([a, b], dim=2), 14.5, 7.5)
for (color, opacity), paths in faces.items():
    path = Path.make_compound_path(*paths)
    ax.add_patch(PathPatch(path, fc=(color, opacity), ec=color, lw=0.7))
ax.set(xlim=(0, 19.2), ylim=(11.25, 0))
ax.axis("off")

# %% sizes-differ raises="RuntimeError"
wide = torch.zeros(2, 4)
torch.stack([torch.zeros(2, 3), wide], dim=1)

# %% cat-accepts
print(torch.cat([torch.zeros(2, 3), wide], dim=1).shape)

# %% collate raises="RuntimeError"
from torch.utils.data import DataLoader

sentences = [torch.tensor([7, 8, 9]), torch.tensor([4, 5])]
next(iter(DataLoader(sentences, batch_size=2)))

# %% pad
from torch.nn.utils.rnn import pad_sequence


def collate(batch):
    return pad_sequence(batch, batch_first=True)


print(next(iter(DataLoader(sentences, batch_size=2, collate_fn=collate))))

# %% nothing raises="RuntimeError"
folder = {"mask.txt": "…", "notes.txt": "…"}
images = [torch.zeros(2, 3) for name in folder if name.endswith(".png")]
torch.stack(images)


# %% nothing-checked
def stacked(images):
    return torch.stack(images) if images else torch.empty(0, 2, 3)


print("images:", len(images), tuple(stacked(images).shape))

# %% padded-labels hidden=true
zeros, padded = torch.zeros(1, 2, 2), torch.tensor([[0, -100]])  # (batch, classes, steps)
entropy = torch.nn.functional.cross_entropy
assert torch.isclose(entropy(zeros, padded), entropy(zeros[..., :1], padded[:, :1]))
steps = torch.full((1, 2), 5.0)  # this loss does not skip -100
assert torch.nn.functional.binary_cross_entropy_with_logits(steps, padded.float()) > 200

# %% gray-among-color hidden=true
color, gray = torch.rand(3, 2, 2), torch.rand(1, 2, 2)
both = torch.stack([color, gray.expand(3, -1, -1)])
assert torch.equal(both[1, 2], gray[0])
assert not pad_sequence([color, gray], batch_first=True)[1, 1:].any()  # padded channels, no error

# %% batch-first hidden=true
steps = [torch.rand(3, 4), torch.rand(2, 4)]
assert pad_sequence(steps, batch_first=True).shape == (2, 3, 4)
assert pad_sequence(steps).shape == (3, 2, 4)  # an LSTM with batch_first takes it as well
