"""A model that never stops: the end token is missing from the labels, or nobody looks for it."""

# %% texts
import torch
import torch.nn.functional as F
from torch import nn

END, START, LA = 0, 1, 2  # END pads, too
texts = [[START] + [LA] * repeats + [END] for repeats in (1, 2, 3, 4)]
lengths = torch.tensor([len(text) for text in texts])
rows = [torch.tensor(text) for text in texts]
ids = nn.utils.rnn.pad_sequence(rows, batch_first=True, padding_value=END)
real = torch.arange(ids.shape[1]) < lengths[:, None]  # the attention mask
ways = {
    "masked by attention mask": ids.masked_fill(~real, -100),
    "masked by pad id": ids.masked_fill(ids == END, -100),
}
for name, labels in ways.items():
    print(f"{name:25}", labels[0].tolist())


# %% train
def trained(labels):
    model = nn.Embedding(3, 3)  # logits of the next token, from the last one
    nn.init.zeros_(model.weight)
    optimizer = torch.optim.Adam(model.parameters(), lr=1.0)
    for _ in range(300):
        logits = model(ids)[:, :-1].flatten(0, 1)
        loss = F.cross_entropy(logits, labels[:, 1:].flatten())
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return model, loss


@torch.inference_mode()
def generate(model, rows=200, steps=60, ends=(END,)):
    generator = torch.Generator().manual_seed(0)
    ids = torch.full((rows, 1), START)
    done = torch.zeros(rows, dtype=torch.bool)
    for _ in range(steps):
        chances = model(ids[:, -1]).softmax(dim=-1)
        token = chances.multinomial(1, generator=generator)
        ids = torch.cat([ids, token], dim=1)
        done |= torch.isin(token[:, 0], torch.tensor(ends))
    return done.sum().item()


models = {}
for name, labels in ways.items():
    models[name], loss = trained(labels)
    chance = models[name].weight[LA].softmax(dim=-1)[END].item()
    stopped = f"{generate(models[name])} of 200 texts stop"
    print(f"{name:25} loss {loss.item():.2f}, P(end | la) {chance:.2f}, {stopped}")

# %% check
wanted = [labels[row, length - 1] == END for row, length in enumerate(lengths)]
print("labels that end a text, by pad id:        ", int(sum(wanted)))
labels = ways["masked by attention mask"]
wanted = [labels[row, length - 1] == END for row, length in enumerate(lengths)]
print("labels that end a text, by attention mask:", int(sum(wanted)))

# %% other-end
model, TURN = nn.Embedding(4, 4), 3  # a chat model ends its turn with TURN
with torch.no_grad():
    model.weight.copy_(torch.full((4, 4), -20.0))
    model.weight[[START, LA, LA, TURN], [LA, LA, TURN, LA]] = 0.0
print("looks for END:         ", generate(model), "of 200 stop")
print("looks for END or TURN: ", generate(model, ends=(END, TURN)), "of 200 stop")

# %% claims hidden=true
chance = models["masked by attention mask"].weight[LA].softmax(dim=-1)[END].item()
assert abs(chance - 4 / 10) < 0.01  # 4 ends after 10 la
assert models["masked by pad id"].weight[LA].softmax(dim=-1)[END] < 0.01
long = nn.Embedding(3, 3)
long.load_state_dict(models["masked by pad id"].state_dict())
long.weight.data /= 20  # a temperature of 20: it stops, at random
assert generate(models["masked by pad id"]) == 0 and generate(long) > 150
