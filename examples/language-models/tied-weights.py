"""Embedding and output layer share one matrix: counted, trained and saved once."""

# %% model
import torch
import torch.nn.functional as F
from torch import nn


class LanguageModel(nn.Module):
    def __init__(self, vocabulary=1000, width=64, tied=True):
        super().__init__()
        self.tokens = nn.Embedding(vocabulary, width)
        self.head = nn.Linear(width, vocabulary, bias=False)
        nn.init.normal_(self.tokens.weight, std=0.02)
        if tied:
            self.head.weight = self.tokens.weight  # both (vocabulary, width)

    def forward(self, ids):
        return self.head(self.tokens(ids))


def is_tied(net):
    return net.head.weight is net.tokens.weight


# %% saved
import io


def file_size(state):
    file = io.BytesIO()
    torch.save(state, file)
    return file.tell()


torch.manual_seed(0)
for tied in (False, True):
    net = LanguageModel(tied=tied)
    count = sum(parameter.numel() for parameter in net.parameters())
    print(f"{tied=!s:5} {count} parameters", end="  ")
    print(f"file {file_size(net.state_dict()) // 1000} kB")
print(list(net.state_dict()))

# %% gradient
ids = torch.randint(1000, (4, 9))
split = LanguageModel(tied=False)
split.load_state_dict(net.state_dict())
for each in (net, split):
    logits = each(ids[:, :-1]).flatten(0, 1)
    F.cross_entropy(logits, ids[:, 1:].flatten()).backward()
added = split.tokens.weight.grad + split.head.weight.grad
torch.testing.assert_close(net.tokens.weight.grad, added)
print("tied", net.tokens.weight.grad[ids[0, 0], :2], "sum", added[ids[0, 0], :2])

# %% start
for std in (0.02, 1.0):
    nn.init.normal_(net.tokens.weight, std=std)
    with torch.no_grad():
        logits = net(ids[:, :-1])
    loss = F.cross_entropy(logits.flatten(0, 1), ids[:, 1:].flatten())
    print(f"std {std:4}: logits {logits.std().item():5.2f} loss {loss.item():4.1f}")

# %% breaks
import copy

state = copy.deepcopy(net.state_dict())
print("deepcopy:       ", is_tied(copy.deepcopy(net)))
print("to(float64):    ", is_tied(LanguageModel().to(torch.float64)))
loaded = LanguageModel()
loaded.load_state_dict(state)
print("load_state_dict:", is_tied(loaded))
loaded.load_state_dict(state, assign=True)
print("  assign=True:  ", is_tied(loaded), len(list(loaded.parameters())))
with torch.device("meta"):
    empty = LanguageModel()
print("to_empty:       ", is_tied(empty.to_empty(device="cpu")))

# %% tie-again
loaded.head.weight = loaded.tokens.weight
print(is_tied(loaded), len(list(loaded.parameters())))

# %% untied-file asks=true
untied = {name: value.clone() for name, value in state.items()}
untied["tokens.weight"].fill_(1.0)
untied["head.weight"].fill_(2.0)
target = LanguageModel()
print(target.load_state_dict(untied))
print("embedding:", target.tokens.weight[0, :3].tolist())

# %% shape raises="RuntimeError"
net.head = nn.Linear(32, 1000, bias=False)
net.head.weight = net.tokens.weight
net.head(torch.zeros(1, 32))

# %% projection
output = nn.Linear(64, 1000, bias=False)
output.weight = net.tokens.weight
net.head = nn.Sequential(nn.Linear(32, 64, bias=False), output)
print(net.head(torch.zeros(1, 32)).shape)

# %% claims hidden=true
assert not is_tied(LanguageModel().to("meta"))
assert file_size(LanguageModel().state_dict()) < 1.1 * LanguageModel().tokens.weight.nbytes + 20_000
optimizer = torch.optim.SGD(loaded.parameters(), lr=0.1)
assert len(optimizer.param_groups[0]["params"]) == 1

# %% copies-and-parametrizations hidden=true
plain = LanguageModel()
copies = {name: value.half() for name, value in plain.state_dict().items()}
assert file_size(copies) > 1.9 * file_size(plain.half().state_dict())
assert is_tied(plain.share_memory()) and is_tied(plain.requires_grad_(False))
nn.utils.parametrizations.weight_norm(plain.head)
assert not hasattr(plain.head, "parametrizations") or not is_tied(plain)

# %% one-parameter-two-values hidden=true
from torch.nn.utils import prune

pruned = LanguageModel()
prune.l1_unstructured(pruned.head, "weight", 0.5)
assert pruned.head.weight_orig is pruned.tokens.weight and not is_tied(pruned)
assert len(list(pruned.parameters())) == 1

# %% half-a-file hidden=true
given = LanguageModel()
without_head = {"tokens.weight": given.tokens.weight.detach()}
assert LanguageModel().load_state_dict(without_head, strict=False).missing_keys == ["head.weight"]
loaded = LanguageModel()
loaded.load_state_dict(without_head, strict=False)
assert is_tied(loaded) and torch.equal(loaded.head.weight, given.tokens.weight)
backwards = {"head.weight": torch.full((1000, 64), 2.0), "tokens.weight": torch.full((1000, 64), 1.0)}
loaded.load_state_dict(backwards)
assert (loaded.tokens.weight == 2).all()  # the order of the modules counts, not that of the file
loaded.tokens = nn.Embedding(1200, 64)
assert not is_tied(loaded) and len(list(loaded.parameters())) == 2

# %% only-the-head hidden=true
head_only = {"head.weight": torch.full((1000, 64), 2.0)}
for tie_to_what_was_loaded in (True, False):
    half = LanguageModel()
    half.load_state_dict(head_only, strict=False, assign=True)
    if tie_to_what_was_loaded:
        half.tokens.weight = half.head.weight
    else:
        half.head.weight = half.tokens.weight  # throws away what was loaded
    assert is_tied(half) and (half.head.weight == 2).all().item() is tie_to_what_was_loaded
