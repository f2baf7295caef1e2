"""Evaluation runs out of memory because the logits of all batches are kept."""

# %% collect
import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(0)
vocabulary = 1000
layers = nn.Embedding(vocabulary, 16), nn.Linear(16, vocabulary)
model = nn.Sequential(*layers).eval()
batches = torch.randint(vocabulary, (20, 4, 32))  # (batches, text, time)


@torch.inference_mode()
def collected(keep):
    return sum(keep(model(ids)).nbytes for ids in batches)


ways = {
    "logits": lambda logits: logits,
    "logits.half()": lambda logits: logits.half(),
    "logits.argmax(-1)": lambda logits: logits.argmax(-1),
    "logits.argmax(-1).int()": lambda logits: logits.argmax(-1).int(),
    "logits.topk(5).indices": lambda logits: logits.topk(5).indices,
}
for name, keep in ways.items():
    print(f"{name:24} {collected(keep):>10,} bytes")

# %% sums
total, right, count = 0.0, 0, 0
with torch.inference_mode():
    for ids in batches:
        logits, targets = model(ids)[:, :-1], ids[:, 1:]
        losses = F.cross_entropy(logits.transpose(1, 2), targets, reduction="sum")
        total += losses.item()
        right += (logits.argmax(dim=-1) == targets).sum().item()
        count += targets.numel()
print(f"loss {total / count:.2f}, accuracy {right / count:.4f}, {count} tokens")

# %% view
with torch.inference_mode():
    logits = model(batches[0])
    last = logits[:, -1]  # (batch, vocabulary)
    print("needed:       ", last.nbytes)
    print("kept in memory:", last.untyped_storage().nbytes())
    print("after clone():", last.clone().untyped_storage().nbytes())

# %% trainer needs="transformers" fold=true
import logging
import tempfile

from transformers import LlamaConfig, LlamaForCausalLM, PrinterCallback
from transformers import Trainer, TrainingArguments

sizes = dict(vocab_size=vocabulary, hidden_size=8, intermediate_size=16)
layers = dict(num_hidden_layers=1, num_attention_heads=2)
llama = LlamaForCausalLM(LlamaConfig(**sizes, **layers, bos_token_id=0, eos_token_id=1))
data = [dict(input_ids=row, labels=row) for row in batches[:4].flatten(0, 1)]
logging.getLogger("accelerate").setLevel(logging.ERROR)  # advice about the system
quiet = dict(report_to="none", disable_tqdm=True, use_cpu=True)


# %% preprocess needs="transformers"
def keep_argmax(logits, labels):
    return logits.argmax(dim=-1)


def metrics(result):
    print(result.predictions.shape, result.predictions.nbytes, "bytes")
    right = result.predictions[..., :-1] == result.label_ids[..., 1:]
    return {"accuracy": right.mean()}


arguments = TrainingArguments(
    output_dir=tempfile.mkdtemp(),
    per_device_eval_batch_size=4,
    eval_accumulation_steps=2,  # to the CPU after every second batch
    **quiet,
)
options = dict(eval_dataset=data, compute_metrics=metrics)
options["preprocess_logits_for_metrics"] = keep_argmax
trainer = Trainer(llama, arguments, **options)
trainer.remove_callback(PrinterCallback)
found = trainer.evaluate()
print("accuracy measured:", "eval_accuracy" in found)


# %% without needs="transformers"
def shape_only(result):
    print(result.predictions.shape, result.predictions.nbytes, "bytes")
    return {}


trainer = Trainer(llama, arguments, eval_dataset=data, compute_metrics=shape_only)
trainer.remove_callback(PrinterCallback)
found = trainer.evaluate()

# %% claims hidden=true
every = torch.cat([model(ids).detach() for ids in batches])
whole = F.cross_entropy(every[:, :-1].flatten(0, 1), batches.flatten(0, 1)[:, 1:].flatten())
assert abs(whole.item() - total / count) < 1e-4
assert (every[:, :-1].argmax(-1) == batches.flatten(0, 1)[:, 1:]).sum() == right
assert collected(ways["logits"]) == 20 * 4 * 32 * 1000 * 4
assert collected(ways["logits.argmax(-1)"]) * 500 == collected(ways["logits"])

# %% padded hidden=true
targets = batches[0].clone()
targets[:, 12:] = -100  # padding
total = F.cross_entropy(torch.zeros(4, vocabulary, 32), targets, reduction="sum").item()
count = (targets != -100).sum().item()
assert abs(total / count - torch.tensor(float(vocabulary)).log()) < 1e-4
assert total / targets.numel() < 0.5 * total / count
