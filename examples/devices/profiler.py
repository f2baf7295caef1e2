"""torch.profiler: which operators take the time, and what they are called with."""

# %% quiet fold=true
import os

os.environ["KINETO_LOG_LEVEL"] = "6"  # some versions write two lines with date and process number to stderr

# %% run
import torch
from torch import nn
from torch.profiler import ProfilerActivity, profile, record_function

torch.manual_seed(0)
net = nn.Sequential(nn.Linear(256, 512), nn.ReLU(), nn.Linear(512, 10))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
images, labels = torch.randn(64, 256), torch.randint(10, (64,))


def train_step():
    with record_function("forward"):
        loss = nn.functional.cross_entropy(net(images), labels)
    with record_function("backward"):
        loss.backward()
    with record_function("update"):
        optimizer.step()
        optimizer.zero_grad()


train_step()  # warm-up
with profile(activities=[ProfilerActivity.CPU], record_shapes=True) as profiler:
    for _ in range(5):
        train_step()

# %% table varies=true
table = dict(sort_by="self_cpu_time_total", row_limit=6, max_name_column_width=24)
print(profiler.key_averages().table(**table))

# %% counts
counts = {event.key: event.count for event in profiler.key_averages()}
for name in ("forward", "aten::linear", "aten::addmm", "aten::mm", "aten::relu"):
    print(f"{name:13} {counts[name]}")

# %% self varies=true
events = {event.key: event for event in profiler.key_averages()}
for name in ("forward", "aten::linear", "aten::addmm"):
    event = events[name]
    total, own = event.cpu_time_total, event.self_cpu_time_total
    print(f"{name:13} total {total:7.0f} µs  self {own:7.0f} µs")

# %% shapes
for event in profiler.key_averages(group_by_input_shape=True):
    if event.key == "aten::addmm":
        print(event.count, [shape for shape in event.input_shapes if shape])

# %% memory
with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as memory:
    hidden = net(images)
for event in memory.key_averages():
    if event.key in ("aten::addmm", "aten::clamp_min"):
        kib = event.self_cpu_memory_usage // 1024
        print(f"{event.key:15} {kib:4} KiB in {event.count} calls")

# %% gpu needs="cuda" varies=true
activities = [ProfilerActivity.CPU, ProfilerActivity.CUDA]
net, images, labels = net.cuda(), images.cuda(), labels.cuda()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
train_step()
with profile(activities=activities) as profiler:
    train_step()
    torch.cuda.synchronize()
events = profiler.key_averages()
events = sorted(events, key=lambda event: -event.self_device_time_total)
for event in events[:6]:
    cpu, gpu = event.self_cpu_time_total, event.self_device_time_total
    print(f"{event.key[:40]:40}  CPU {cpu:6.0f} µs  GPU {gpu:6.0f} µs")
