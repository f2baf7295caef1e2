"""Names of PyTorch 0.x in autograd code: what they say today, and today's form."""

# %% retain-variables raises="TypeError"
import torch

weight = torch.tensor([1.0, 2.0], requires_grad=True)
loss = (weight * weight).sum()
loss.backward(retain_variables=True)

# %% retain-graph
loss.backward(retain_graph=True)
loss.backward()
print(weight.grad)

# %% saved-variables raises="AttributeError"
product = weight * weight
print(product.grad_fn.saved_variables)

# %% saved-today
print(product.grad_fn._saved_self, product.grad_fn._saved_other)


# %% saved-tensors
class Square(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        return 2 * x * grad


weight.grad = None
Square.apply(weight).sum().backward()
print(weight.grad)

# %% volatile warns="UserWarning"
from torch.autograd import Variable

image = Variable(torch.ones(2), volatile=True)
print("recorded:", (image * weight).requires_grad)

# %% no-grad
with torch.no_grad():
    print("recorded:", (torch.ones(2) * weight).requires_grad)

# %% saved-variables-warns hidden=true
import warnings


class OldSquare(Square):
    @staticmethod
    def backward(ctx, grad):
        (x,) = ctx.saved_variables
        return 2 * x * grad


with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    OldSquare.apply(weight).sum().backward()
assert "'saved_variables' is deprecated; use 'saved_tensors'" in str(caught[0].message)
assert weight.grad.tolist() == [4.0, 8.0]  # added to the first: the result is right

# %% variable-requires hidden=true
old, today, dropped = Variable(torch.ones(2), requires_grad=True), torch.ones(2).requires_grad_(), torch.ones(2)
assert old.requires_grad and today.requires_grad and not dropped.requires_grad

# %% variable-cuts hidden=true
computed = 2 * weight
assert Variable(computed).grad_fn is None and not Variable(computed).requires_grad
asked = Variable(computed, requires_grad=True)
assert asked.is_leaf and computed.detach().requires_grad_().is_leaf
assert not computed.requires_grad_().is_leaf  # its gradient goes on to weight
fresh = torch.ones(2)
assert Variable(fresh, requires_grad=True).requires_grad and not fresh.requires_grad

# %% volatile-assigned hidden=true
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    torch.ones(2).volatile = True
assert "volatile was removed and now has no effect" in str(caught[0].message)
