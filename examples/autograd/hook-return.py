"""What a hook returns replaces the gradient; when .grad is filled."""

# %% return-value
import torch

weight = torch.tensor([1.0], requires_grad=True)
handle = weight.register_hook(lambda grad: grad * 10)
(weight * 2).sum().backward()
print(weight.grad)

# %% returns-none
handle.remove()
weight.grad = None
handle = weight.register_hook(lambda grad: print("hook:", grad))  # None
(weight * 2).sum().backward()
print(weight.grad)

# %% mask
row = torch.ones(3, requires_grad=True)
mask = torch.tensor([1.0, 0.0, 1.0])
row.register_hook(lambda grad: grad * mask)
(row * 2).sum().backward()
print(row.grad)

# %% when-grad-is-filled
handle.remove()
weight.grad = None
seen = []


def note(param):
    seen.append(param.grad)


weight.register_hook(lambda grad: note(weight))
weight.register_post_accumulate_grad_hook(note)
(weight * 2).sum().backward()
print("tensor hook:    ", seen[0])
print("post-accumulate:", seen[1])

# %% intermediate
logits = weight * 2
logits.register_hook(lambda grad: print("logits:", grad))
(logits**2).sum().backward()

# %% intermediate-post raises="RuntimeError"
logits.register_post_accumulate_grad_hook(print)

# %% no-gradient raises="RuntimeError"
image = torch.ones(1)
image.register_hook(print)

# %% requires-grad hidden=true
image.requires_grad_().register_hook(print)

# %% masked-still-decays hidden=true
torch.optim.SGD([row], lr=0.1, weight_decay=0.1).step()
assert row[1] != 1


# %% edits-and-types hidden=true
def edited(grad):
    grad.mul_(10)


def hooked(hook):
    tensor = torch.ones(2, requires_grad=True)
    tensor.register_hook(hook)
    (tensor * 2).sum().backward()
    return tensor.grad.tolist()


assert hooked(edited) == [20, 20]
for hook in (lambda grad: 2.0, torch.sum, torch.Tensor.double):
    try:
        hooked(hook)
    except (RuntimeError, TypeError):
        continue
    raise AssertionError("the hook may return that now")

for momentum, moves in ((0.0, False), (0.9, True)):
    row = torch.ones(3, requires_grad=True)
    optimizer = torch.optim.SGD([row], lr=0.1, momentum=momentum)
    row.sum().backward()
    optimizer.step()
    before = row[1].item()
    row.register_hook(lambda grad: grad * mask)
    optimizer.zero_grad()
    row.sum().backward()
    optimizer.step()
    assert (row[1].item() != before) == moves


# %% each-call-adds hidden=true
weight, found = torch.ones(1, requires_grad=True), []
for _ in range(3):  # registered in each step
    weight.grad = None
    handle = weight.register_hook(lambda grad: grad * 10)
    (weight * 2).sum().backward()
    found.append(weight.grad.item())
assert found == [20, 200, 2000]
handle.remove()
weight.grad = None
(weight * 2).sum().backward()
assert weight.grad.item() == 200  # of the other two


# %% frozen-and-unrecorded hidden=true
def layers():
    net = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Linear(2, 1))
    net[0].requires_grad_(False)
    return net


for unfreeze in (True, False):
    net = layers()
    hooked, before = 0, net[0].weight.clone()
    for param in net.parameters():
        if unfreeze:
            param.requires_grad_()
        if param.requires_grad:
            param.register_hook(lambda grad: grad * 1)
            hooked += 1
    net(torch.ones(1, 2)).sum().backward()
    torch.optim.SGD(net.parameters(), lr=0.1).step()
    assert torch.equal(net[0].weight, before) is not unfreeze and hooked == (4 if unfreeze else 2)
for recorded in (True, False):
    with torch.set_grad_enabled(recorded):
        result = net(torch.ones(1, 2))
        try:
            result.register_hook(print)
        except RuntimeError as error:
            assert not recorded and "doesn't require gradient" in str(error)
        else:
            assert recorded


# %% replaced hidden=true
import copy


def masked():
    layer = torch.nn.Linear(3, 1, bias=False)
    layer.weight.register_hook(lambda grad: grad * mask)
    return layer


def middle(layer):
    layer.zero_grad()
    layer(torch.ones(1, 3)).sum().backward()
    return layer.weight.grad[0, 1].item()


layer = masked()
assert middle(layer) == 0 and middle(copy.deepcopy(layer)) == 1
layer.load_state_dict(masked().state_dict())
assert middle(layer) == 0
if torch.__version__ >= "2.1":
    layer.load_state_dict(masked().state_dict(), assign=True)
    assert middle(layer) == 1

# %% scaled-weights hidden=true
if torch.__version__ >= "2.1":
    from torch.nn.utils import parametrizations

    def with_a_zero():
        torch.manual_seed(0)
        layer = torch.nn.Linear(3, 2, bias=False)
        with torch.no_grad():
            layer.weight[1, 1] = 0
        return layer

    def step(layer):
        layer(torch.ones(1, 3)).square().sum().backward()
        torch.optim.SGD(layer.parameters(), lr=0.1).step()

    for name, scaled in (("original1", "weight_norm"), ("original", "spectral_norm")):
        layer = with_a_zero()
        getattr(parametrizations, scaled)(layer).eval()
        source = layer.get_parameter(f"parametrizations.weight.{name}")
        source.register_hook(lambda grad: grad * mask)
        before, frozen = layer.weight[:, 1].tolist(), source[:, 1].tolist()
        step(layer)
        assert source[:, 1].tolist() == frozen and layer.weight[1, 1] == 0  # the zero stays, the other does not
        assert abs(layer.weight[0, 1].item() - before[0]) > 1e-3

# %% hook-lost hidden=true
if torch.__version__ >= "2.1":
    for scaled, stays in (("weight_norm", False), ("spectral_norm", True)):
        layer = with_a_zero()
        layer.weight.register_hook(lambda grad: grad * mask)  # before weight_norm replaces it
        getattr(parametrizations, scaled)(layer).eval()
        step(layer)
        assert (layer.weight[1, 1] == 0) == stays

# %% sharded hidden=true
if torch.__version__ >= "2.13":
    import torch.distributed as dist
    from torch.distributed.device_mesh import init_device_mesh
    from torch.distributed.fsdp import fully_shard

    dist.init_process_group("gloo", store=dist.HashStore(), rank=0, world_size=1)
    mesh, ran = init_device_mesh("cpu", (1,)), []
    layer = torch.nn.Linear(3, 1, bias=False)
    layer.weight.register_hook(lambda grad: ran.append("before"))
    fully_shard(layer, mesh=mesh)
    layer.weight.register_hook(lambda grad: ran.append("after"))
    layer.weight.register_post_accumulate_grad_hook(lambda param: param.grad.mul_(10))
    for expected in (10, 110):  # ten times (10 + 1)
        layer(torch.ones(1, 3)).sum().backward()
        assert layer.weight.grad.to_local().tolist() == [[expected] * 3]
    assert type(layer.weight.grad).__name__ == "DTensor" and ran == []
    dist.destroy_process_group()

# %% too-late hidden=true
picture, factor, gradients = torch.ones(2), torch.ones(2, requires_grad=True), []
product = picture * factor
picture.requires_grad_().register_hook(gradients.append)  # after the forward pass
product.sum().backward()
assert not gradients and picture.grad is None
