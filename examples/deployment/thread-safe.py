"""One model, several threads: what is safe and what is not."""

# %% same
import threading
from concurrent.futures import ThreadPoolExecutor

import torch
from torch import nn

torch.manual_seed(0)
layers = nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 4)
net = nn.Sequential(*layers)
net.eval()
inputs = torch.randn(64, 1, 8)


@torch.inference_mode()
def answer(x):
    return net(x)


alone = [answer(x) for x in inputs]
with ThreadPoolExecutor(8) as pool:
    together = list(pool.map(answer, inputs))
close = [torch.allclose(a, b, atol=1e-6) for a, b in zip(alone, together)]
print("as from one thread:", sum(close), "of", len(close))


# %% mixed
class Keeps(nn.Module):
    def forward(self, x):
        self.seen = x  # one attribute for all threads
        both_are_here.wait()
        return self.seen * 2


both_are_here = threading.Barrier(2)
with ThreadPoolExecutor(2) as pool:
    answers = list(pool.map(Keeps(), inputs[:2]))
wrong = [not torch.equal(a, x * 2) for a, x in zip(answers, inputs)]
print("wrong answers:", sum(wrong), "of", len(wrong))


# %% local
class Returns(nn.Module):
    def forward(self, x):
        seen = x
        both_are_here.wait()
        return seen * 2


with ThreadPoolExecutor(2) as pool:
    answers = list(pool.map(Returns(), inputs[:2]))
wrong = [not torch.equal(a, x * 2) for a, x in zip(answers, inputs)]
print("wrong answers:", sum(wrong), "of", len(wrong))

# %% train-mode
net.train()
before = net[1].num_batches_tracked.item()
batches = torch.randn(20, 4, 8)
with ThreadPoolExecutor(2) as pool:
    list(pool.map(answer, batches))
print("in train mode the calls wrote:", net[1].num_batches_tracked.item() > before)

# %% modes
with torch.no_grad(), ThreadPoolExecutor(1) as pool:
    here = torch.is_grad_enabled()
    there = pool.submit(torch.is_grad_enabled).result()
print("gradients in this thread:", here, " in the other:", there)

# %% compiled hidden=true
graphs = []


def count(graph, inputs):
    graphs.append(graph)
    return graph


compiled = torch.compile(net.eval(), backend=count, dynamic=False)


@torch.inference_mode()
def compiled_answer(x):
    return compiled(x)


shapes = torch.randn(2, 8), torch.randn(5, 8)
expected = [compiled_answer(x) for x in shapes]
torch.compiler.set_stance("eager_on_recompile")
with ThreadPoolExecutor(4) as pool:
    together = list(pool.map(compiled_answer, shapes * 8))
    pool.submit(compiled_answer, torch.randn(3, 8)).result()
assert len(graphs) == 2  # the threads compiled nothing, not even what was new
assert all(torch.allclose(a, b, atol=1e-6) for a, b in zip(together, expected * 8))
torch.compiler.set_stance("default")
compiled(shapes[0])
assert len(graphs) == 3  # outside of inference_mode, it is compiled anew


# %% functional-call hidden=true
class Waits(nn.Linear):
    def forward(self, x):
        both_are_here.wait()
        out = super().forward(x)
        both_are_here.wait()  # before the weights are put back
        return out


def with_weight(model, number):
    weights = {"weight": torch.full((1, 1), number)}
    return torch.func.functional_call(model, weights, torch.ones(1, 1)).item()


shared, other = Waits(1, 1, bias=False), Waits(1, 1, bias=False)
for models, right in (((shared, shared), False), ((shared, other), True)):
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(with_weight, models, (1.0, 2.0)))
    assert (answers == [1.0, 2.0]) is right, answers
