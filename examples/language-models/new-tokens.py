"""New tokens: grow the embedding and the output layer that is tied to it."""

# %% model
import torch
from torch import nn

torch.manual_seed(0)


class Model(nn.Module):
    def __init__(self, vocabulary, width=8):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        self.head.weight = self.tokens.weight  # tied

    def forward(self, ids):
        return self.head(self.tokens(ids))


model = Model(vocabulary=5)
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
known = torch.tensor([[0, 3]])
before = model(known)
print(before.shape)

# %% unknown-token raises="IndexError"
model(torch.tensor([[0, 5]]))


# %% grow
@torch.no_grad()
def grow(model, vocabulary):
    old, tied = model.tokens.weight, model.head.weight is model.tokens.weight
    options = {"device": old.device, "dtype": old.dtype}
    options["padding_idx"] = model.tokens.padding_idx
    new = nn.Embedding(vocabulary, old.shape[1], **options)
    new.weight[: len(old)] = old
    new.weight[len(old) :] = old.mean(dim=0)
    new.weight.requires_grad_(old.requires_grad)
    model.tokens = new
    if tied:  # else the head keeps its own weight, and its own rows must grow
        model.head.weight = new.weight
        model.head.out_features = vocabulary


grow(model, 7)
after = model(known)
print(after.shape)
print("old logits as before:", torch.allclose(before, after[..., :5], atol=1e-6))
print("tied:", model.head.weight is model.tokens.weight)

# %% average-logit
new, old = after[..., 5:], after[..., :5]
average = old.mean(dim=-1, keepdim=True).expand_as(new)
print("logit is the average:", torch.allclose(new, average, atol=1e-6))
print("below the largest:", (new.amax(-1) < old.amax(-1)).all().item())

# %% old-optimizer
start = model.tokens.weight.detach().clone()
model(torch.tensor([[5, 6]])).logsumexp(-1).sum().backward()
optimizer.step()
print("trained by the old optimizer:", not torch.equal(model.tokens.weight, start))

optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
optimizer.step()
print("by one that was made after:  ", not torch.equal(model.tokens.weight, start))


# %% rows
def train(weight_decay, steps=3):
    model = Model(5)
    grow(model, 7)
    weight = model.tokens.weight
    start = weight.detach().clone()
    rows = (torch.arange(7) >= 5).to(weight).unsqueeze(1)  # 1 for new rows
    weight.register_hook(lambda grad: grad * rows)
    optimizer = torch.optim.AdamW([weight], lr=0.1, weight_decay=weight_decay)
    for _ in range(steps):
        optimizer.zero_grad()
        model(torch.tensor([[5, 6, 0]])).logsumexp(-1).sum().backward()
        optimizer.step()
    return [not torch.equal(weight[i], start[i]) for i in (0, 5)]


print("weight_decay=0.01: old row changed, new row changed:", train(0.01))
print("weight_decay=0:    old row changed, new row changed:", train(0.0))

# %% counter-cases hidden=true
for seed in range(20):
    torch.manual_seed(seed)
    model = Model(5)
    before = model(known)
    grow(model, 7)
    grow(model, 9)
    after = model(known)
    assert torch.allclose(after[..., :5], before, atol=1e-5)
    assert (after[..., 5:].amax(-1) <= before.amax(-1) + 1e-6).all()
model = Model(5)
model.head = nn.Linear(8, 5)
model.head.weight = model.tokens.weight  # tied, with a bias
grow(model, 7)
try:
    model(known)
except RuntimeError:
    with torch.no_grad():
        model.head.bias = nn.Parameter(torch.cat([model.head.bias, torch.zeros(2)]))
    assert model(known).shape[-1] == 7
else:
    raise AssertionError("the bias fits")

# %% resize needs="transformers"
from transformers import LlamaConfig, LlamaForCausalLM, utils

utils.logging.set_verbosity_error()  # it logs how the new rows start
sizes = dict(vocab_size=5, hidden_size=8, intermediate_size=16)
layers = dict(num_hidden_layers=1, num_attention_heads=2)
ends = dict(bos_token_id=0, eos_token_id=1)
llama = LlamaForCausalLM(LlamaConfig(**sizes, **layers, **ends))
before = llama(known).logits
llama.resize_token_embeddings(7)  # yours: len(tokenizer)
after = llama(known).logits
print(after.shape, "vocab_size", llama.config.vocab_size)
print("old logits as before:", torch.allclose(before, after[..., :5], atol=1e-6))
rows = llama.model.embed_tokens.weight
average = rows[:5].mean(dim=0).expand(2, -1)
print("new rows are the average:", torch.allclose(rows[5:], average, atol=1e-3))
llama.resize_token_embeddings(7, pad_to_multiple_of=8)
print("padded to", tuple(llama.model.embed_tokens.weight.shape))

# %% bias-of-new-tokens hidden=true
torch.manual_seed(0)
for average in (False, True):
    model = Model(5)
    model.head = nn.Linear(8, 5)
    model.head.weight = model.tokens.weight
    nn.init.constant_(model.head.bias, -50.0)
    best = model(known).argmax(-1)
    grow(model, 7)
    bias = model.head.bias.detach()
    start = bias.mean() if average else torch.tensor(0.0)  # with zeros a new token wins
    model.head.bias = nn.Parameter(torch.cat([bias, start.expand(2)]))
    assert torch.equal(model(known).argmax(-1), best) is average

# %% wrapped-before hidden=true
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel


class Deeper(Model):
    def __init__(self, vocabulary, width=8):
        super().__init__(vocabulary, width)
        self.between = nn.Linear(width, width)

    def forward(self, ids):
        return self.head(self.between(self.tokens(ids)))


dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
for early in (False, True):
    model = Deeper(5)
    if not early:
        grow(model, 7)
    wrapped = DistributedDataParallel(model)
    if early:
        grow(model, 7)
    try:
        for step in range(2):
            wrapped(known).sum().backward()
    except RuntimeError as error:
        assert early and "Expected to have finished reduction" in str(error), error
    else:
        assert not early, "DDP has the new parameter"
    del wrapped  # before its group
dist.destroy_process_group()

# %% rows-of-untied-layers hidden=true
for both in (False, True):
    torch.manual_seed(0)
    model = Model(5)
    grow(model, 7)
    head = model.tokens.weight.detach().clone()
    model.head.weight = nn.Parameter(head)  # not tied
    rows = (torch.arange(7) >= 5).float().unsqueeze(1)
    weights = [model.tokens.weight, model.head.weight][: 1 + both]
    for weight in weights:
        weight.register_hook(lambda grad: grad * rows)
    optimizer = torch.optim.AdamW(weights, lr=0.1, weight_decay=0)
    for _ in range(50):
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(known)[0], torch.tensor([5, 5])).backward()
        optimizer.step()
    assert (model(known)[0].argmax(-1) == 5).all().item() is both
