"""TensorBoard shows add_text as Markdown, so a table needs four spaces before each line."""

# %% without raises="ModuleNotFoundError"
import torch
from unittest.mock import patch

with patch("sys.path", []):  # as if nothing but torch were installed
    import torch.utils.tensorboard

    writer = torch.utils.tensorboard.SummaryWriter()

# %% write needs="tensorboard"
import tempfile
from pathlib import Path

from torch.utils.tensorboard import SummaryWriter

runs = Path(tempfile.mkdtemp())
scores = {"accuracy": 0.91, "loss": 0.27}
table = "\n".join(f"{name:10}{score:.2f}" for name, score in scores.items())
print(table)

rows = [f"{name} | {score:.2f}" for name, score in scores.items()]
texts = {
    "raw": table,
    "indented": "\n".join("    " + line for line in table.splitlines()),
    "entities": table.replace(" ", "&nbsp;").replace("\n", "  \n"),
    "pipes": "\n".join(["name | score", "--- | ---", *rows]),
}
with SummaryWriter(runs / "text") as writer:
    for tag, text in texts.items():
        writer.add_text(tag, text)

# %% read needs="tensorboard"
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator(str(runs / "text")).Reload()
stored = {}
for tag in events.Tags()["tensors"]:
    (event,) = events.Tensors(tag)
    name = tag.removesuffix("/text_summary")
    stored[name] = event.tensor_proto.string_val[0]
    print(f"{name:12} {stored[name].decode()!r}")

# %% rendered needs="tensorboard"
from tensorboard.plugins.text.text_plugin import text_array_to_html
import numpy as np

for name in ("raw", "indented", "entities"):
    html = text_array_to_html(np.array(stored[name]), enable_markdown=True)
    print(f"{name:12} {html!r}")

# %% pipes needs="tensorboard"
html = text_array_to_html(np.array(stored["pipes"]), enable_markdown=True)
print(html.splitlines()[0], html.count("<tr>"), "rows", html.count("<td>"), "cells")

# %% scalars needs="tensorboard"
with SummaryWriter(runs / "loss") as writer:
    for step, loss in enumerate([2.0, 1.0, 0.5]):
        writer.add_scalar("loss/train", loss, step)

events = EventAccumulator(str(runs / "loss")).Reload()
print([(event.step, event.value) for event in events.Scalars("loss/train")])

# %% without-step hidden=true needs="tensorboard"
with SummaryWriter(runs / "no-step") as writer:
    for loss in (2.0, 1.0):
        writer.add_scalar("loss/train", loss)
events = EventAccumulator(str(runs / "no-step")).Reload()
assert [event.step for event in events.Scalars("loss/train")] == [0, 0]

# %% fenced hidden=true needs="tensorboard"
fenced = f"```\n{table}\n```"
html = text_array_to_html(np.array(fenced.encode()), enable_markdown=True)
assert html.startswith("<pre><code>") and table in html

# %% only-some hidden=true needs="tensorboard"
with SummaryWriter(runs / "long") as writer:
    for step in range(10_050):
        writer.add_scalar("loss/train", 1.0, step)
for options, count in (({}, 10_000), ({"size_guidance": {"scalars": 0}}, 10_050)):
    events = EventAccumulator(str(runs / "long"), **options).Reload()
    assert len(events.Scalars("loss/train")) == count
