"""Random numbers in compiled code: the same seed, other numbers."""

# %% setup
import torch
from torch.nn.functional import dropout

x = torch.linspace(-1, 1, 4)


def seeded(function, seed=0):
    torch.manual_seed(seed)
    return function(torch.ones(8)).tolist()


# %% draws needs="compiler"
compiled = torch.compile(dropout)
print("eager:              ", seeded(dropout))
print("compiled:           ", seeded(compiled))
print("compiled, same seed:", seeded(compiled))
print("compiled, seed 1:   ", seeded(compiled, seed=1))

# %% which needs="compiler"
functions = {
    "rand": torch.rand_like,
    "randn": torch.randn_like,
    "bernoulli": lambda x: torch.bernoulli(x / 2),
    "normal_": lambda x: torch.empty_like(x).normal_(),
    "randperm": lambda x: torch.randperm(len(x)),
    "multinomial": lambda x: torch.multinomial(x, 4),
}
for name, function in functions.items():
    same = seeded(function) == seeded(torch.compile(function))
    print(f"{name:11} same as eager: {same}")

# %% after needs="compiler"
for function in (dropout, compiled):
    seeded(function)
    print("the next shuffle:", torch.randperm(8).tolist())

# %% fallback needs="compiler"
torch.compiler.reset()
options = {"fallback_random": True}
print("eager:          ", seeded(dropout))
print("fallback_random:", seeded(torch.compile(dropout, options=options)))
print("aot_eager:      ", seeded(torch.compile(dropout, backend="aot_eager")))


# %% outside needs="compiler"
def add_noise(x, noise):
    return (x + 0.1 * noise).tanh()


compiled_noise = torch.compile(add_noise)
for function in (add_noise, compiled_noise):
    torch.manual_seed(0)
    noise = torch.randn(4)  # drawn in eager mode, passed in
    print(function(x, noise))

# %% backward needs="compiler"
weight = torch.ones(8, requires_grad=True)
out = compiled(weight)
out.sum().backward()
print("kept in forward: ", out.tolist())
print("kept in backward:", weight.grad.tolist())

# %% generator raises="torch._dynamo.exc.Unsupported"
generator = torch.Generator().manual_seed(0)


def own_generator(x):
    return x + torch.rand(len(x), generator=generator)


torch.compile(own_generator, backend="eager", fullgraph=True)(x)

# %% generator-outside needs="compiler"
noise = torch.rand(4, generator=generator)
print(torch.compile(torch.add, fullgraph=True)(x, noise))

# %% without-fullgraph hidden=true needs="compiler"
# A graph break: the draw stays in Python, so the numbers are those of eager mode.
torch.compiler.reset()
results = []
for function in (own_generator, torch.compile(own_generator)):
    generator.manual_seed(3)
    results.append(function(x))
assert torch.equal(*results)

# %% state hidden=true needs="compiler"
state = torch.get_rng_state()
first = compiled(torch.ones(64))
torch.set_rng_state(state)
assert torch.equal(first, compiled(torch.ones(64)))  # a checkpoint resumes the same draws
assert not torch.equal(first, compiled(torch.ones(64)))

for name, function in functions.items():
    torch.compiler.reset()
    assert seeded(function) == seeded(torch.compile(function, backend="aot_eager")), name
assert seeded(torch.rand_like) == seeded(torch.compile(torch.rand_like, options=options))

# %% unbiased hidden=true needs="compiler"
many = torch.compile(dropout)(torch.ones(100_000))
assert set(many.unique().tolist()) == {0.0, 2.0}
assert abs(many.mean().item() - 1) < 0.05


# %% more-functions hidden=true needs="compiler"
more = {
    "uniform_": (lambda x: torch.empty_like(x).uniform_(), True),
    "randint": (lambda x: torch.randint(0, 100, (8,)), False),
    "exponential_": (lambda x: torch.empty_like(x).exponential_(), False),
    "gumbel_softmax": (torch.nn.functional.gumbel_softmax, False),
}
torch.compiler.reset()
for name, (function, same) in more.items():
    assert (seeded(function) == seeded(torch.compile(function))) is same, name

# %% one-seed-each hidden=true needs="compiler"
torch.compiler.reset()
seeded(torch.compile(lambda x: dropout(x) + torch.rand_like(x)))
state = torch.get_rng_state()
torch.manual_seed(0)
torch.randint(2**62, (2,))  # one integer for each of the two
assert torch.equal(state, torch.get_rng_state())
