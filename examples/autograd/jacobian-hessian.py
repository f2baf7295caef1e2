"""torch.func computes Jacobians and Hessians, and products with them."""

# %% by-hand
import torch
from torch.func import hessian, jacfwd, jacrev, jvp, vjp


def outputs(point):
    x, y = point
    return torch.stack([x * y, x**2])  # d/dx = (y, 2x), d/dy = (x, 0)


point = torch.tensor([2.0, 3.0])
print(jacrev(outputs)(point))  # row: output, column: input

# %% same
print("jacfwd:           ", jacfwd(outputs)(point).tolist())

leaf = point.clone().requires_grad_()
rows = [torch.autograd.grad(outputs(leaf)[i], leaf)[0] for i in range(2)]
print("one pass per row: ", torch.stack(rows).tolist())


# %% hessian
def energy(point):
    x, y = point
    return x**2 * y


print(hessian(energy)(point))  # [[2y, 2x], [2x, 0]]

# %% functional
from torch.autograd import functional

print("jacobian:", functional.jacobian(outputs, point).tolist())
print("hessian: ", functional.hessian(energy, point).tolist())

# %% products
value, pull_back = vjp(outputs, point)
(row_product,) = pull_back(torch.tensor([1.0, 10.0]))  # v @ J
value, column_product = jvp(outputs, (point,), (torch.tensor([1.0, 0.0]),))  # J @ v
print("v @ J:", row_product)
print("J @ v:", column_product)

# %% hvp
from torch.func import grad

direction = torch.tensor([1.0, -1.0])
_, product = jvp(grad(energy), (point,), (direction,))
print("jvp of the gradient:", product)
print("matrix times vector:", hessian(energy)(point) @ direction)

# %% batch asks=true
from torch.func import vmap

points = torch.tensor([[2.0, 3.0], [0.0, 1.0], [1.0, 1.0]])  # (batch, 2)
print("vmap(jacrev(outputs)):", tuple(vmap(jacrev(outputs))(points).shape))
print("jacrev(vmap(outputs)):", tuple(jacrev(vmap(outputs))(points).shape))

# %% products-by-hand hidden=true
jacobian = jacrev(outputs)(point)
assert torch.equal(row_product, torch.tensor([1.0, 10.0]) @ jacobian)
assert torch.equal(column_product, jacobian @ torch.tensor([1.0, 0.0]))


# %% old-style-function hidden=true
class OldCube(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, grad_output):
        (x,) = ctx.saved_tensors
        return grad_output * 3 * x**2


assert functional.jacobian(OldCube.apply, point).tolist() == [[12, 0], [0, 27]]
try:
    jacrev(OldCube.apply)(point)
except RuntimeError as error:
    assert "setup_context" in str(error)
else:
    raise AssertionError("torch.func needs setup_context")


# %% no-forward-mode hidden=true
def distance(point):
    return torch.cdist(point[None], torch.zeros(1, 2)).sum()


assert torch.allclose(jacrev(distance)(point), point / torch.linalg.vector_norm(point))
for transform in (jacfwd, hessian):
    try:
        transform(distance)(point)
    except NotImplementedError as error:
        assert "forward AD" in str(error)
    else:
        raise AssertionError("cdist has a forward mode now")

# %% norm-at-zero hidden=true
origin = torch.zeros(2)
assert torch.equal(hessian(lambda x: (x * x).sum())(origin), 2 * torch.eye(2))
assert torch.equal(hessian(lambda x: torch.linalg.vector_norm(x) ** 2)(origin), torch.zeros(2, 2))

# %% in-a-loss hidden=true
torch.manual_seed(0)
net = torch.nn.Linear(2, 2)


def gradient_of_loss(derivatives):  # a loss that has the derivatives of the network in it
    loss = net(point).sum() + derivatives(lambda x: net(x).tanh()).square().sum()
    return torch.autograd.grad(loss, net.weight)[0]


without = gradient_of_loss(lambda f: torch.zeros(1))
assert torch.equal(gradient_of_loss(lambda f: functional.jacobian(f, point)), without)
with_graph = gradient_of_loss(lambda f: functional.jacobian(f, point, create_graph=True))
assert not torch.allclose(with_graph, without)
for transform in (jacrev, jacfwd):
    torch.testing.assert_close(gradient_of_loss(lambda f: transform(f)(point)), with_graph)
for compute, keeps in ((functional.hessian, False), (lambda f, x: hessian(f)(x), True)):
    assert compute(lambda x: net(x).tanh().sum(), point).requires_grad is keeps
