"""Clips of videos as a batch: frames in a row, the order of dimensions, one change for all."""

# %% make-frames fold=true
import tempfile
from pathlib import Path

import numpy as np
import torch
from PIL import Image
from torch.utils.data import DataLoader, Dataset

root = Path(tempfile.mkdtemp())
for name, count in {"jump": 40, "run": 25, "sit": 9}.items():
    (root / name).mkdir()
    for number in range(count):  # the red value says which frame it is
        image = Image.new("RGB", (32, 24), (number, 100, 200))
        image.save(root / name / f"{number:05}.png")
print({path.name: len(list(path.iterdir())) for path in sorted(root.iterdir())})


# %% dataset
class Clips(Dataset):
    """Clips of `length` frames, `stride` apart; one begins every `step` frames."""

    def __init__(self, root, length=8, stride=2, step=8):
        span = (length - 1) * stride + 1  # from the first frame to the last
        self.clips = []
        for label, folder in enumerate(sorted(root.iterdir())):
            frames = sorted(folder.glob("*.png"))
            for start in range(0, len(frames) - span + 1, step):
                clip = frames[start : start + span : stride]
                self.clips.append((clip, label))

    def __len__(self):
        return len(self.clips)

    def __getitem__(self, i):
        paths, label = self.clips[i]
        frames = np.stack([np.array(Image.open(path)) for path in paths])
        return torch.from_numpy(frames).permute(3, 0, 1, 2), label


dataset = Clips(root)
clips, labels = next(iter(DataLoader(dataset, batch_size=6)))
print(tuple(clips.shape), labels)  # (batch, channel, time, height, width)
print("frames of the second clip:", clips[1, 0, :, 0, 0].tolist())

# %% networks
from torch import nn

clips = clips.float() / 255
print("Conv3d: ", tuple(nn.Conv3d(3, 8, kernel_size=3, padding=1)(clips).shape))

pool = nn.AdaptiveAvgPool2d(1)
net = nn.Sequential(nn.Conv2d(3, 8, 3), pool, nn.Flatten())
frames = clips.transpose(1, 2)  # (batch, time, channel, height, width)
features = net(frames.flatten(0, 1)).unflatten(0, frames.shape[:2])
clip_features = features.mean(dim=1)
print("Conv2d: ", tuple(features.shape), "-> mean", tuple(clip_features.shape))

# %% time-first raises="RuntimeError"
nn.Conv3d(3, 8, kernel_size=3)(frames)

# %% too-short
labels = [label for _, label in dataset.clips]
print("clips of each video:", np.bincount(labels, minlength=3).tolist())

# %% same-change
ramp = torch.arange(32.0).expand(8, 3, 24, 32)  # (time, channel, height, width)
torch.manual_seed(0)
each = torch.stack([f.flip(-1) if torch.rand(()) < 0.5 else f for f in ramp])
whole = ramp.flip(-1) if torch.rand(()) < 0.5 else ramp
print("a draw for each frame:", each[:, 0, 0, 0].int().tolist())
print("one for the clip:     ", whole[:, 0, 0, 0].int().tolist())

# %% video-file needs="torchcodec"
from torchcodec.decoders import VideoDecoder
from torchcodec.encoders import VideoEncoder

film = torch.zeros(40, 3, 64, 96, dtype=torch.uint8)
film += 6 * torch.arange(40, dtype=torch.uint8).view(40, 1, 1, 1)
path = Path(tempfile.mkdtemp()) / "walk.mp4"
VideoEncoder(film, frame_rate=10).to_file(path)

decoder = VideoDecoder(path)
print(len(decoder), "frames,", decoder.metadata.average_fps, "per second")
clip = decoder.get_frames_at([16, 18, 20, 22]).data
print(tuple(clip.shape), clip.dtype)  # (time, channel, height, width)
stored = film[[16, 18, 20, 22]]
print("largest change:", (clip.int() - stored.int()).abs().max().item())

# %% video-beyond needs="torchcodec" raises="IndexError"
decoder.get_frames_at([38, 40])

# %% checks hidden=true
for clip, label in dataset.clips:
    numbers = [int(path.stem) for path in clip]
    assert np.all(np.diff(numbers) == 2) and len(clip) == 8
    assert len({path.parent for path in clip}) == 1  # never over the end of a video
for length, stride, step in ((4, 1, 4), (8, 3, 1), (1, 1, 1)):
    made = Clips(root, length, stride, step)
    span = (length - 1) * stride + 1
    assert len(made) == sum(max(0, (n - span) // step + 1) for n in (40, 25, 9) if n >= span)
    assert made[0][0].shape == (3, length, 24, 32)
direct = torch.stack([net(clip.transpose(0, 1)) for clip in clips])
torch.testing.assert_close(features, direct)

# %% one-clip-time-first hidden=true
conv, single = nn.Conv3d(3, 8, kernel_size=3), frames[0]  # (time, channel, height, width)
assert conv(single.transpose(0, 1)).shape == conv(frames.transpose(1, 2))[0].shape
for wrong in (single, single.transpose(1, 2)):
    try:
        conv(wrong)
    except RuntimeError as error:
        assert "to have 3 channels, but got 8 channels" in str(error)
    else:
        raise AssertionError
