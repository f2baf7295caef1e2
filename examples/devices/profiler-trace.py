"""torch.profiler: a few steps of a long run, and a trace file."""

# %% quiet fold=true
import os

os.environ["KINETO_LOG_LEVEL"] = "6"  # some versions write two lines with date and process number to stderr

# %% setup fold=true
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

# %% schedule
from torch.profiler import schedule

ready = []
plan = schedule(wait=2, warmup=1, active=3, repeat=1)
options = dict(schedule=plan, on_trace_ready=ready.append)
with profile(activities=[ProfilerActivity.CPU], **options) as profiler:
    for step in range(10):
        train_step()
        profiler.step()
counts = {event.key: event.count for event in ready[0].key_averages()}
print("recorded steps:", counts["forward"])

# %% trace
import json
import tempfile
from pathlib import Path

path = Path(tempfile.mkdtemp()) / "trace.json"
profiler.export_chrome_trace(str(path))
trace = json.loads(path.read_text())
print("events:", len(trace["traceEvents"]) > 100)
events = trace["traceEvents"]
spans = [event["name"] for event in events if event.get("cat") == "user_annotation"]
print(sorted(set(spans)))

# %% tensorboard-handler
from torch.profiler import tensorboard_trace_handler

folder = tempfile.mkdtemp()
activities = [ProfilerActivity.CPU]
if torch.cuda.is_available():
    activities.append(ProfilerActivity.CUDA)
with profile(
    activities=activities,
    schedule=schedule(wait=0, warmup=1, active=2, repeat=2),
    on_trace_ready=tensorboard_trace_handler(folder),
    acc_events=True,  # counts are those of all cycles
) as profiler:
    for step in range(6):
        train_step()
        profiler.step()
names = [path.name for path in Path(folder).iterdir()]
print(len(names), "files, each ends in .pt.trace.json:", end=" ")
print(all(name.endswith(".pt.trace.json") for name in names))

# %% cycles-go-on hidden=true
for repeat, steps in ((1, 3), (0, 0)):  # 0, the default: the next cycle has begun, and waits
    plan = schedule(wait=2, warmup=1, active=3, repeat=repeat)
    with profile(activities=[ProfilerActivity.CPU], schedule=plan, acc_events=True) as profiler:
        for step in range(8):
            train_step()
            profiler.step()
    profiler.export_chrome_trace(str(path))
    events = json.loads(path.read_text())["traceEvents"]
    spans = [event for event in events if event.get("cat") == "user_annotation" and event["name"] == "forward"]
    assert len(spans) == steps, (repeat, len(spans))
try:
    profiler.export_chrome_trace(str(path))
except RuntimeError as error:
    assert "already saved" in str(error)
else:
    raise AssertionError

# %% cut-short hidden=true
for steps, files in ((2, 1), (3, 1), (4, 2), (6, 2)):
    folder = tempfile.mkdtemp()
    plan = schedule(wait=0, warmup=1, active=2, repeat=2)
    handler = tensorboard_trace_handler(folder)
    with profile(activities=[ProfilerActivity.CPU], schedule=plan, on_trace_ready=handler, acc_events=True) as profiler:
        for step in range(steps):
            train_step()
            profiler.step()
    assert len(list(Path(folder).iterdir())) == files, steps
