"""Forty scripts that fail in plain ways of Python, some within what torch calls: run, each prints what the hook says of it.

Nothing of it is of PyTorch, so the hook says nothing. One process runs them all, for torch takes long to import.
"""

from __future__ import annotations

import json
import sys

LOADER = """
import torch
from torch.utils.data import DataLoader, Dataset
class Photos(Dataset):
    def __len__(self): return 4
    def __getitem__(self, i):
        {fails}
for batch in DataLoader(Photos(), batch_size=2, num_workers={workers}{more}): pass
"""
NET = """
import torch
class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.width = 4
    def forward(self, x):
        {fails}
torch.nn.Sequential(Net())(torch.ones(2, 4))
"""
HOOK = """
import torch
x = torch.ones(2, requires_grad=True)
def double(gradient):
    {fails}
x.register_hook(double)
x.sum().backward()
"""
MAIN = """
import torch
{fails}
"""


def loader(fails: str, workers: int = 0, more: str = "") -> str:
    return LOADER.format(fails=fails, workers=workers, more=more)


#: What fails → the script.
SCRIPTS = {
    "an empty list": MAIN.format(fails="print([][0])"),
    "an index of a list": MAIN.format(fails="losses = [0.5]\nprint(losses[3])"),
    "a tuple": MAIN.format(fails="print((1, 2)[2])"),
    "a letter": MAIN.format(fails="print('abc'[7])"),
    "pop": MAIN.format(fails="[].pop()"),
    "an empty iterator": MAIN.format(fails="next(iter([]))"),
    "an empty iterator in a function": MAIN.format(fails="def first(some): return next(iter(some))\nfirst([])"),
    "a name": MAIN.format(fails="print(learning_rate)"),
    "a name in a function": MAIN.format(fails="def train(): return modle(1)\ntrain()"),
    "a local name": MAIN.format(fails="def step():\n    loss += 1\nstep()"),
    "a key": MAIN.format(fails="print({'lr': 0.1}['weight_decay'])"),
    "a key that is a number": MAIN.format(fails="print({0: 'cat'}[3])"),
    "an empty dictionary": MAIN.format(fails="{}.popitem()"),
    "too many values": MAIN.format(fails="a, b = [1, 2, 3]"),
    "too few values": MAIN.format(fails="a, b, c = [1, 2]"),
    "a number that is unpacked": MAIN.format(fails="a, b = 3"),
    "an attribute": MAIN.format(fails="class Config: pass\nprint(Config().lr)"),
    "an attribute of None": MAIN.format(fails="config = None\nprint(config.lr)"),
    "an attribute of a list": MAIN.format(fails="[1].push(2)"),
    "an attribute of a text": MAIN.format(fails="'a'.foo"),
    "a number that is called": MAIN.format(fails="lr = 0.1\nlr(3)"),
    "None that is indexed": MAIN.format(fails="nothing = None\nnothing[0]"),
    "a text and a number": MAIN.format(fails="'epoch ' + 3"),
    "None and a number": MAIN.format(fails="None + 1"),
    "division": MAIN.format(fails="print(1 / len([]))"),
    "a number in a text": MAIN.format(fails="int('3.5')"),
    "a text as a number": MAIN.format(fails="float('nan?')"),
    "an argument": MAIN.format(fails="def train(lr): pass\ntrain(learning_rate=1)"),
    "an argument less": MAIN.format(fails="def train(model, lr): pass\ntrain(1)"),
    "an argument more": MAIN.format(fails="def train(): pass\ntrain(1)"),
    "a file": MAIN.format(fails="open('/no/such/labels.csv')"),
    "a module": MAIN.format(fails="import no_such_module_here"),
    "a name of a module": MAIN.format(fails="from json import no_such_name"),
    "JSON": MAIN.format(fails="import json\njson.loads('{')"),
    "assert": MAIN.format(fails="assert 1 == 2"),
    "of its own class": MAIN.format(fails="class Stop(Exception): pass\nraise Stop('early')"),
    "recursion": MAIN.format(fails="def f(): return f()\nf()"),
    "letters": MAIN.format(fails="b'\\xff'.decode()"),
    "a key in a dataset": loader("return {'age': 3}['height']"),
    "a column in a dataset": loader("return [][i]"),
    "an index in a dataset": loader("return (1, 2)[i + 2]"),
    "a name in a dataset": loader("return load_image(i)"),
    "an iterator in forward": NET.format(fails="return next(iter([]))"),
    "a file in a dataset": loader("return open(f'/no/such/{i}.png')"),
    "an attribute in a dataset": loader("return self.files[i]"),
    "None in a dataset": loader("rows = None\n        return rows[i]"),
    "values in a dataset": loader("a, b = (1, 2, 3)\n        return a"),
    "a key in a worker": loader("return {'age': 3}['height']", workers=1),
    "a name in collate_fn": loader("return i", more=", collate_fn=lambda rows: stack(rows)"),
    "a name in forward": NET.format(fails="return F.relu(x)"),
    "an attribute in forward": NET.format(fails="return self.fc1(x)"),
    "a key in forward": NET.format(fails="return {}['x']"),
    "values in forward": NET.format(fails="batch, channels, height = (2, 4)\n        return x"),
    "a call in forward": NET.format(fails="return self.width(x)"),
    "None in forward": NET.format(fails="mask = None\n        return mask.sum()"),
    "an argument in forward": NET.format(fails="def act(x): return x\n        return act(x, 1)"),
    "a name in a hook": HOOK.format(fails="return 2 * grad_scale"),
    "an index in a hook": HOOK.format(fails="return [][0]"),
    "a key in a schedule": MAIN.format(
        fails="optimizer = torch.optim.SGD([torch.ones(1)], 0.1)\n"
        "torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: {1: 0.5}[epoch])"
    ),
    "a name in a transform": MAIN.format(
        fails="from torch.utils.data import Subset\nclass Rows:\n    def __getitem__(self, i): return augment(i)\n"
        "Subset(Rows(), [0])[0]"
    ),
}


def said() -> dict[str, str]:
    """Run all, and return what the hook says of each."""
    from pytorch_verbatim import telling

    found = {}
    for name, text in SCRIPTS.items():
        try:
            exec(compile(text, "/home/u/train.py", "exec"), {"__name__": "__main__"})
        except Exception as error:
            found[name] = telling.lines_about(error)
        else:
            raise AssertionError(f"{name}: nothing failed")
    return found


if __name__ == "__main__":
    json.dump(said(), sys.stdout)
