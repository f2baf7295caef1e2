"""What the name in grad_fn=<…> says."""

# %% names
import torch
from torch import nn

logits = torch.zeros(2, 3, requires_grad=True)  # (batch, classes)
print("logits[0]:          ", logits[0])
print("logits.sigmoid()[0]:", logits.sigmoid()[0])
print("to(float64), sum(): ", logits.to(torch.float64)[0].sum())

# %% without-address
print(logits[0].grad_fn.name())
print(logits[0, 0].grad_fn.name())
print(logits.sum().grad_fn.name())
print(logits.sum(dim=1).grad_fn.name())
print(logits.to(torch.float64).grad_fn.name())
print(logits.sigmoid().grad_fn.name())

# %% other-names
vector = torch.zeros(3, requires_grad=True)
matrix = torch.zeros(3, 3, requires_grad=True)
print((vector @ vector).grad_fn.name())
print((matrix @ vector).grad_fn.name())
print((matrix @ matrix).grad_fn.name())
print(matrix.flatten().grad_fn.name())


# %% whole-graph
def show(node):
    shown, todo = set(), [(node, "")]
    while todo:  # no recursion: a graph may be thousands of nodes deep
        node, indent = todo.pop()
        again = node in shown  # two branches came from it, as in a residual block
        print(indent + node.name() + " (as above)" * again)
        shown.add(node)
        for parent, _ in node.next_functions[::-1] if not again else ():
            if parent is not None:  # None: an input without gradient, such as image
                todo.append((parent, indent + "    "))


image, label = torch.ones(2, 3), torch.tensor([0, 3])
loss = nn.functional.cross_entropy(nn.Linear(3, 4)(image), label)
show(loss.grad_fn)

# %% other-kinds hidden=true
assigned = vector * 1
assigned[0] = 1.0
assert assigned.grad_fn.name().endswith("CopySlices")


class Same(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x * 1


assert Same.apply(vector).grad_fn.name() == "SameBackward"
batch = torch.zeros(2, 3, 3, requires_grad=True)
assert "View" in (batch @ batch).grad_fn.name()

# %% residual hidden=true
import contextlib
import io

stacked = vector
for _ in range(40):
    stacked = stacked + stacked.tanh()
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    show(stacked.grad_fn)
assert printed.getvalue().count("\n") == 40 * 3 + 1  # not 2**40
assert (vector @ matrix).grad_fn.name().startswith("Squeeze")

# %% deep hidden=true
deep = vector
for _ in range(1500):  # as in a recurrent network
    deep = deep.tanh()
printed = io.StringIO()
with contextlib.redirect_stdout(printed):
    show(deep.grad_fn)
assert printed.getvalue().count("\n") == 1501
