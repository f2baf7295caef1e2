"""A Hugging Face model in a plain PyTorch loop: labels, saving, generating."""

# %% tokenizer needs="transformers" fold=true
from tokenizers import Tokenizer, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, utils

utils.logging.disable_progress_bar()
texts = [
    "the cat sat on the mat </s>",
    "the dog sat on the rug </s>",
    "a cat ran </s>",
    "the dog ran to the cat </s>",
]
words = sorted({word for text in texts for word in text.split()} - {"</s>"})
words = ["<pad>", "<s>", "</s>", "<unk>", *words]
vocabulary = {word: number for number, word in enumerate(words)}
splitter = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
splitter.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
special = dict(bos_token="<s>", eos_token="</s>", unk_token="<unk>", tokenizer_object=splitter)

# %% model needs="transformers"
import torch
from transformers import LlamaConfig, LlamaForCausalLM

tokenizer = PreTrainedTokenizerFast(pad_token="<pad>", **special)
config = LlamaConfig(
    vocab_size=len(tokenizer),
    hidden_size=32,
    intermediate_size=64,
    num_hidden_layers=2,
    num_attention_heads=4,
    num_key_value_heads=2,
    pad_token_id=tokenizer.pad_token_id,
    bos_token_id=tokenizer.bos_token_id,
    eos_token_id=tokenizer.eos_token_id,
)
torch.manual_seed(0)
model = LlamaForCausalLM(config)  # random weights; yours: from_pretrained("…")
count = sum(parameter.numel() for parameter in model.parameters())
print(isinstance(model, torch.nn.Module), count, "parameters")

# %% batch needs="transformers"
batch = tokenizer(texts, padding=True, return_tensors="pt")
labels = batch["input_ids"].masked_fill(batch["attention_mask"] == 0, -100)
print(batch["input_ids"][2])
print(labels[2])

# %% loss needs="transformers"
out = model(**batch, labels=labels)
flat = out.logits[:, :-1].flatten(0, 1)
by_hand = torch.nn.functional.cross_entropy(flat, labels[:, 1:].flatten())
print(f"model {out.loss.item():.4f}, shifted by hand {by_hand.item():.4f}")
padded = model(**batch, labels=batch["input_ids"]).loss
print(f"with padding {padded.item():.4f}")

# %% train needs="transformers"
optimizer = torch.optim.AdamW(model.parameters(), lr=0.01)
model.train()
for step in range(61):
    loss = model(**batch, labels=labels).loss
    optimizer.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), max_norm=1.0)
    optimizer.step()
    if step == 0:
        print(f"first loss {loss.item():.1f}")
print("last loss below 0.4:", loss.item() < 0.4)

# %% generate needs="transformers"
model.eval()
left = dict(padding=True, padding_side="left")
prompts = tokenizer(["the dog ran", "a"], return_tensors="pt", **left)
ids = model.generate(**prompts, max_new_tokens=8, do_sample=False)
print(tokenizer.batch_decode(ids, skip_special_tokens=True))

# %% save needs="transformers"
import tempfile
from pathlib import Path

from transformers import AutoModelForCausalLM

folder = Path(tempfile.mkdtemp())
model.save_pretrained(folder)
tokenizer.save_pretrained(folder)
print(sorted(path.name for path in folder.iterdir()))
loaded = AutoModelForCausalLM.from_pretrained(folder)
with torch.no_grad():
    same = torch.equal(loaded(**batch).logits, model(**batch).logits)
print(type(loaded).__name__, " same logits:", same, f" {loaded.training=}")

# %% shifted-twice needs="transformers"
pairs = dict(input_ids=batch["input_ids"][:, :-1], labels=labels[:, 1:])
with torch.no_grad():
    twice, once = model(**pairs).loss, model(**batch, labels=labels).loss
print("shifted twice, above 4:", (twice > 4).item())
print("shifted once, below 0.4:", (once < 0.4).item())

# %% no-pad-token raises="ValueError" needs="transformers"
bare = PreTrainedTokenizerFast(**special)
bare(texts, padding=True, return_tensors="pt")

# %% pad-token needs="transformers"
bare.pad_token = bare.eos_token
end = bare(texts, padding=True, return_tensors="pt")
by_mask = end["input_ids"].masked_fill(end["attention_mask"] == 0, -100)
by_id = end["input_ids"].masked_fill(end["input_ids"] == bare.pad_token_id, -100)
print("by attention_mask:", by_mask[2].tolist())
print("by id:            ", by_id[2].tolist())

# %% not-padded raises="ValueError" needs="transformers"
tokenizer(texts, return_tensors="pt")

# %% padded needs="transformers"
print(tokenizer(texts, padding=True, return_tensors="pt")["input_ids"].shape)

# %% claims hidden=true needs="transformers"
assert torch.allclose(out.loss, by_hand, atol=1e-5)
torch.manual_seed(0)
again = LlamaForCausalLM(config)
assert again.training
alone = [tokenizer(prompt, return_tensors="pt") for prompt in ("the dog ran", "a")]
singles = [model.generate(**one, max_new_tokens=8, do_sample=False)[0] for one in alone]
decoded = [tokenizer.decode(one, skip_special_tokens=True) for one in singles]
assert decoded == tokenizer.batch_decode(ids, skip_special_tokens=True)
