"""foreach and fused: the same update in fewer kernels."""

# %% same
import torch
from torch import nn

variants = {
    "for loop": dict(foreach=False),
    "foreach": dict(foreach=True),
    "fused": dict(fused=True),
}


def train(options, steps=5):
    torch.manual_seed(0)
    net = nn.Sequential(*(nn.Linear(16, 16) for _ in range(4)))
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.01, **options)
    for _ in range(steps):
        loss = net(torch.randn(8, 16)).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return nn.utils.parameters_to_vector(net.parameters()).detach()


expected = train({})
for name, options in variants.items():
    print(f"{name:8} {torch.allclose(train(options), expected, atol=1e-5)}")

# %% speed varies=true
import time
from torch.utils.benchmark import Timer


def seconds(options, count, shape):  # of processor time, with one thread
    parameters = [nn.Parameter(torch.randn(shape)) for _ in range(count)]
    for parameter in parameters:
        parameter.grad = torch.randn(shape)
    step = torch.optim.AdamW(parameters, **options).step
    timer = Timer("step()", globals={"step": step}, timer=time.process_time)
    return timer.blocked_autorange(min_run_time=0.02).median


for count, shape in ((300, (64,)), (4, (512, 512))):
    print(f"{count} x {shape}")
    times = {}
    for name, options in variants.items():
        times[name] = seconds(options, count, shape)
        print(f"  {name:8} {times[name] / times['for loop']:.2f}")

# %% who-has-it
import inspect

for name in ("SGD", "Adagrad", "Adam", "AdamW", "RMSprop"):
    options = inspect.signature(getattr(torch.optim, name)).parameters
    print(f"{name:8} foreach {'foreach' in options!s:5} fused {'fused' in options}")

# %% both raises="RuntimeError"
torch.optim.AdamW([nn.Parameter(torch.zeros(2))], foreach=True, fused=True)

# %% unknown raises="TypeError"
torch.optim.RMSprop([nn.Parameter(torch.zeros(2))], fused=True)

# %% claims hidden=true
options = {"default": {}, "loop": dict(foreach=False), "fused": dict(fused=True)}
for amsgrad in (False, True):
    for weight_decay in (0.0, 0.1):
        extra = dict(amsgrad=amsgrad, weight_decay=weight_decay, maximize=amsgrad)
        results = [train(variant | extra) for variant in options.values()]
        for result in results[1:]:
            assert torch.allclose(result, results[0], atol=1e-5)
torch.optim.RMSprop([nn.Parameter(torch.zeros(2))], foreach=True)


# %% other-strides hidden=true
def stepped(optimizer_class, dtype=torch.float32, transposed=False, **options):
    weight = nn.Parameter(torch.zeros(64, 2, dtype=dtype))
    gradient = torch.arange(1, 129, dtype=dtype) / 128
    weight.grad = gradient.view(2, 64).T if transposed else gradient.view(64, 2)
    optimizer_class([weight], lr=0.5, **options).step()
    return weight.detach()


for optimizer_class in (torch.optim.SGD, torch.optim.AdamW):
    loop = stepped(optimizer_class, foreach=False)
    assert torch.allclose(stepped(optimizer_class, fused=True), loop, atol=1e-6)
if torch.__version__ >= "2.13":  # on a CPU, without an error
    loop = stepped(torch.optim.SGD, transposed=True, foreach=False)
    assert not torch.allclose(stepped(torch.optim.SGD, transposed=True, fused=True), loop)
    for dtype in (torch.bfloat16, torch.float16):
        moved = stepped(torch.optim.SGD, dtype, fused=True).any().item()
        assert moved is (torch.__version__ >= "2.14")
    weight = nn.Parameter(torch.ones(2))
    loss = weight.square().sum()
    loss.backward(retain_graph=True)
    torch.optim.AdamW([weight], lr=0.5, fused=True).step()
    weight.grad = None
    loss.backward()  # no error, though the weight was overwritten
    assert (weight.grad == 2 * weight).all() and (weight < 1).all()
for optimizer_class in (torch.optim.LBFGS, torch.optim.SparseAdam):
    try:
        optimizer_class([nn.Parameter(torch.zeros(2))], foreach=True)
    except TypeError:
        continue
    raise AssertionError(optimizer_class)

# %% skipped-first-step hidden=true
if torch.__version__ >= "2.13" and torch.__version__ < "2.14":
    torch.use_deterministic_algorithms(True)  # memory that nobody wrote is NaN
    for fused in (False, True):
        weight = nn.Parameter(torch.ones(4))
        optimizer = torch.optim.SGD([weight], lr=0.1, momentum=0.9, fused=fused)
        scaler = torch.amp.GradScaler("cpu")
        for factor in (float("inf"), 1.0):  # the first step is skipped
            optimizer.zero_grad()
            scaler.scale((factor * weight).sum()).backward()
            scaler.step(optimizer)
            scaler.update()
        assert weight.isnan().all() == fused, weight
    torch.use_deterministic_algorithms(False)
    weights = [nn.Parameter(torch.ones(4)) for _ in range(2)]
    optimizer = torch.optim.SGD(weights, lr=0.1, momentum=0.9, fused=True)
    for weight in weights:
        weight.grad = torch.ones(4)
        try:
            optimizer.step()
        except TypeError as error:
            assert weight is weights[1] and "got NoneType" in str(error), error
        else:
            assert weight is weights[0]

# %% half-precision-eps hidden=true
if torch.__version__ >= "2.13" and torch.__version__ < "2.14":
    for options in variants.values():
        weight = nn.Parameter(torch.ones(3, dtype=torch.float16))
        weight.grad = torch.tensor([0.0, 1e-5, 1e-3], dtype=torch.float16)
        optimizer = torch.optim.Adam([weight], lr=0.1, **options)
        optimizer.step()
        assert weight.isfinite().all() == ("fused" in options), options
        weight.grad.zero_()
        optimizer.step()  # the average of squares is 0, that of the gradients is not
        assert not (weight.isfinite().all() and weight.abs().max() < 1000 * 0.1), options
