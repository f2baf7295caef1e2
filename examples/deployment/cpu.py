"""Faster inference on a CPU: what may help, what it changes, how to measure."""

# %% model
import copy

import torch
from torch import nn

torch.manual_seed(0)
net = nn.Sequential(
    nn.Conv2d(3, 32, 3, padding=1),
    nn.BatchNorm2d(32),
    nn.ReLU(),
    nn.Conv2d(32, 32, 3, padding=1),
    nn.BatchNorm2d(32),
    nn.ReLU(),
    nn.AdaptiveAvgPool2d(1),
    nn.Flatten(),
    nn.Linear(32, 10),
).eval()
images = torch.randn(8, 3, 48, 48)  # (batch, channels, height, width)

# %% variants
from torch.nn.utils.fusion import fuse_conv_bn_eval

fused = nn.Sequential(
    fuse_conv_bn_eval(net[0], net[1]),
    nn.ReLU(),
    fuse_conv_bn_eval(net[3], net[4]),
    *net[5:],
)
last = torch.channels_last
variants = {
    "channels_last": (
        copy.deepcopy(net).to(memory_format=last),
        images.to(memory_format=last),
    ),
    "bfloat16": (copy.deepcopy(net).bfloat16(), images.bfloat16()),
    "fused conv+norm": (fused, images),
}
with torch.inference_mode():
    expected = net(images)
    for name, (model, x) in variants.items():
        error = (model(x).float() - expected).abs().max() / expected.abs().max()
        limit = 0.05 if name == "bfloat16" else 1e-5
        print(f"{name:16} relative error < {limit:g}: {(error < limit).item()}")

# %% times varies=true
import time


def seconds(call, repeats=7):
    call()  # warm-up
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return min(times)


with torch.inference_mode():
    plain = seconds(lambda: net(images))
    for name, (model, x) in variants.items():
        ratio = seconds(lambda: model(x)) / plain
        print(f"{name:16} {ratio:.2f} of the time of net")

# %% capability varies=true
print("instructions:", torch.backends.cpu.get_cpu_capability())
print("threads:", torch.get_num_threads())

# %% threads
before = torch.get_num_threads()
with torch.inference_mode():
    results = []
    for count in (1, 2):
        torch.set_num_threads(count)
        results.append(net(images))
torch.set_num_threads(before)
difference = (results[0] - results[1]).abs().max().item()
print("difference < 1e-5:", difference < 1e-5)

# %% compiled needs="compiler"
compiled = torch.compile(fused)
with torch.inference_mode():
    error = (compiled(images) - expected).abs().max().item()
print("difference < 1e-4:", error < 1e-4)

# %% inference-tensor raises="RuntimeError"
with torch.inference_mode():
    features = net[:8](images)
head = nn.Linear(32, 2)
head(features).sum().backward()

# %% no-grad
with torch.no_grad():
    features = net[:8](images)
head(features).sum().backward()
print("no_grad:", tuple(head.weight.grad.shape))

with torch.inference_mode():
    features = net[:8](images)
head.weight.grad = None
head(features.clone()).sum().backward()
print("clone:  ", tuple(head.weight.grad.shape))
