"""With more than 25 points cdist multiplies matrices, and loses digits far from the origin."""

# %% diagonal varies=true
import torch

torch.manual_seed(0)
near = torch.randn(26, 3)
far = near + 10_000  # the same cloud, moved

for name, points in {"near": near, "far": far}.items():
    largest = torch.cdist(points, points).diagonal().max()
    print(f"{name:4} largest on the diagonal:", largest)

# %% twenty-five
mode = {"compute_mode": "donot_use_mm_for_euclid_dist"}
exact = torch.cdist(far, far, **mode)
few = torch.cdist(far[:25], far[:25])
print("no matrix product:", exact.diagonal().max())
print("25 points:        ", few.diagonal().max())

# %% one-apart
line = 4096.0 + torch.arange(26.0).unsqueeze(1)  # (26, 1)
print("default:          ", torch.cdist(line, line)[0, 1])
print("no matrix product:", torch.cdist(line, line, **mode)[0, 1])

# %% expansion
x, y = torch.tensor(4097.0), torch.tensor(4096.0)
print("x², y², 2xy:     ", x * x, y * y, 2 * x * y)
print("4097 * 4097:     ", 4097 * 4097)
print("x² + y² - 2xy:   ", x * x + y * y - 2 * x * y)
print("(x - y)²:        ", (x - y) ** 2)


# %% by-hand
def by_product(x, y):
    """Euclidean distances as |x|^2 + |y|^2 - 2 x y."""
    squares = x.square().sum(-1, keepdim=True) + y.square().sum(-1)
    return (squares - 2 * x @ y.mT).clamp(min=0).sqrt()


torch.manual_seed(0)
queries, keys = torch.randn(30, 8), torch.randn(40, 8)
distances = torch.cdist(queries, keys)
difference = (distances - by_product(queries, keys)).abs().max()
print(f"largest difference: {difference:.3f}")

# %% remedies
truth = torch.cdist(far.double(), far.double(), **mode)
centered = far - far.mean(dim=0)

for name, distances in {
    "as is": torch.cdist(far, far),
    "no matrix product": torch.cdist(far, far, **mode),
    "centered": torch.cdist(centered, centered),
    "float64": torch.cdist(far.double(), far.double()),
}.items():
    error = (distances - truth).abs().max().item()
    print(f"{name:18} error below 0.01: {error < 0.01}")

# %% speed varies=true
from timeit import repeat

many = torch.randn(1000, 64)
fast = repeat(lambda: torch.cdist(many, many), number=1, repeat=3)
slow = repeat(lambda: torch.cdist(many, many, **mode), number=1, repeat=3)
ratio = min(slow) / min(fast)
print(f"without the matrix product: {ratio:.1f} times as long")

# %% threshold hidden=true
assert torch.equal(torch.cdist(far[:25], far[:25]), exact[:25, :25])
assert not torch.allclose(torch.cdist(far, far[:3]), exact[:, :3]), "one side above 25 is enough"

# %% one-mean hidden=true
moved = far[:20] + 2  # a second set, with a mean of its own
apart = torch.cdist(far.double(), moved.double(), **mode)
mean = far.mean(dim=0)
torch.testing.assert_close(torch.cdist(far - mean, moved - mean).double(), apart, atol=0.01, rtol=0)
own_means = torch.cdist(far - mean, moved - moved.mean(dim=0)).double()
assert (own_means - apart).abs().max() > 1
batch = torch.stack([far, far + torch.randn(26, 3)])
apart = torch.cdist(batch.double(), batch.double(), **mode)
centered = batch - batch.mean(dim=-2, keepdim=True)
torch.testing.assert_close(torch.cdist(centered, centered).double(), apart, atol=0.01, rtol=0)
