"""TensorBoard shows add_text as Markdown, so a table needs four spaces before each line."""

# %% without raises="ModuleNotFoundError"
import torch
from unittest.mock import patch

with patch("sys.path", []):  # as if nothing but torch were installed
    import torch.utils.tensorboard

    writer = torch.utils.tensorboard.SummaryWriter()

# %% write needs="tensorboard"
from torch.utils.tensorboard import SummaryWriter

scores = {"accuracy": 0.91, "loss": 0.27}
table = "\n".join(f"{name:10}{score:.2f}" for name, score in scores.items())
print(table)

texts = {
    "raw": table,
    "indented": "\n".join("    " + line for line in table.splitlines()),
    "non-breaking": table.replace(" ", "\N{NO-BREAK SPACE}").replace("\n", "  \n"),
    "pipes": "\n".join(["name | score", "--- | ---"] + [f"{name} | {score:.2f}" for name, score in scores.items()]),
}
with SummaryWriter("runs/text") as writer:
    for tag, text in texts.items():
        writer.add_text(tag, text)

# %% read needs="tensorboard"
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator("runs/text").Reload()
stored = {}
for tag in events.Tags()["tensors"]:
    (event,) = events.Tensors(tag)
    stored[tag] = event.tensor_proto.string_val[0]
    print(f"{tag:26} {stored[tag].decode()!r}")

# %% rendered needs="tensorboard"
from tensorboard.plugins.text.text_plugin import text_array_to_html
import numpy as np

for tag in ("raw", "indented", "non-breaking"):
    html = text_array_to_html(np.array(stored[f"{tag}/text_summary"]), enable_markdown=True)
    print(f"{tag:12} {html!r}")

# %% pipes needs="tensorboard"
print(text_array_to_html(np.array(stored["pipes/text_summary"]), enable_markdown=True))

# %% scalars needs="tensorboard"
with SummaryWriter("runs/loss") as writer:
    for step, loss in enumerate([2.0, 1.0, 0.5]):
        writer.add_scalar("loss/train", loss, step)

events = EventAccumulator("runs/loss").Reload()
print([(event.step, event.value) for event in events.Scalars("loss/train")])

# %% without-step hidden=true needs="tensorboard"
with SummaryWriter("runs/no-step") as writer:
    for loss in (2.0, 1.0):
        writer.add_scalar("loss/train", loss)
assert [event.step for event in EventAccumulator("runs/no-step").Reload().Scalars("loss/train")] == [0, 0]
