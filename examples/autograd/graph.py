"""Backward walks the graph, multiplies along every path and adds the paths."""

# %% product
import torch

a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(5.0, requires_grad=True)
y = a * b
y.backward()
print(f"{a.grad=} {b.grad=}")

# %% paths-add-up
x = torch.tensor(3.0, requires_grad=True)
square = x * x
double = 2 * x
z = square + double
print(z.grad_fn.name(), "->", [node.name() for node, _ in z.grad_fn.next_functions])


# %% by-hand
def walk(node, gradient, indent=""):
    print(f"{indent}{node.name()}  {gradient:g}")
    if hasattr(node, "variable"):  # AccumulateGrad: a leaf is reached
        return
    passed = node(gradient)  # of one input a tensor, of more a tuple
    passed = passed if isinstance(passed, tuple) else (passed,)
    for (parent, _), passed_on in zip(node.next_functions, passed):
        if parent is not None:  # None: the constant 2
            walk(parent, passed_on, indent + "    ")


walk(z.grad_fn, torch.tensor(1.0))

# %% backward
z.backward()
print(x.grad)

# %% drawing fold=true
import matplotlib.pyplot as plt

square, double = x * x, 2 * x
z = square + double
names = {z.grad_fn: "z", square.grad_fn: "square", double.grad_fn: "double"}

levels, nodes = [], [z.grad_fn]  # from the result down to the leaf
while nodes:
    levels.append(nodes)
    nodes = list(dict.fromkeys(p for n in nodes for p, _ in n.next_functions if p is not None))
place = {n: (2.4 * (i - (len(level) - 1) / 2), -1.5 * d) for d, level in enumerate(levels) for i, n in enumerate(level)}

fig, ax = plt.subplots(figsize=(4.4, 3.8))
boxes = {}
for node, (column, row) in place.items():
    leaf = hasattr(node, "variable")
    kind = node.name().removeprefix("torch::autograd::")
    style = dict(boxstyle="round,pad=0.5", facecolor="none", edgecolor="C2" if leaf else "C0", linewidth=2)
    text = ax.text(column, row, f"{names.get(node, 'x')}\n{kind}", ha="center", va="center", bbox=style)
    boxes[node] = text.get_bbox_patch()
for node, (x1, y1) in place.items():
    if hasattr(node, "variable"):
        continue
    edges = [(p, g) for (p, _), g in zip(node.next_functions, node(torch.tensor(1.0))) if p is not None]
    for i, (parent, partial) in enumerate(edges):
        x2, y2 = place[parent]
        twins = sum(p is parent for p, _ in edges) > 1
        bend = i / 2 - 0.25 if twins else 0.0
        side = 0.12 if (bend or -x1 - x2) > 0 else -0.12  # where the number stands
        ax.annotate(
            "",
            (x2, y2),
            (x1, y1),
            arrowprops=dict(
                arrowstyle="->",
                linewidth=1.5,
                shrinkA=2,
                shrinkB=2,
                patchA=boxes[node],
                patchB=boxes[parent],
                connectionstyle=f"arc3,rad={bend}",
            ),
        )
        off = bend / 2 + side
        ax.text(
            (x1 + x2) / 2 + off * (y2 - y1),
            (y1 + y2) / 2 - off * (x2 - x1),
            f"{partial:g}",
            ha="center",
            va="center",
            color="C1",
        )
ax.set(xlim=(-2.2, 2.2), ylim=(-3.4, 0.4), aspect="equal")
ax.axis("off")

# %% engine
visits = []
shared = x.exp()
shared.grad_fn.register_hook(lambda *gradients: visits.append("ExpBackward0"))
(shared * shared + shared).backward()  # three edges lead to shared
print(visits)

# %% linked hidden=true
assert z.grad_fn.next_functions == ((square.grad_fn, 0), (double.grad_fn, 0))

# %% other-nodes hidden=true
import contextlib
import io

for function in (lambda x: x**2 + 2 * x, lambda x: x.exp() * x, torch.sin, torch.relu, lambda x: -(x.sqrt() / x)):
    z = function(x)
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        walk(z.grad_fn, torch.tensor(1.0))
    reached = [line.split()[-1] for line in printed.getvalue().splitlines() if "AccumulateGrad" in line]
    (expected,) = torch.autograd.grad(z, x)
    assert abs(sum(map(float, reached)) - expected.item()) < 1e-3
