"""Sparse tensors: COO and CSR, products with dense tensors, what is missing."""

# %% coo
import torch

dense = torch.tensor([[0.0, 0.0, 3.0], [4.0, 0.0, 5.0]])
coo = dense.to_sparse()
print(coo)
print("back:", coo.to_dense().tolist())

# %% from-indices warns="UserWarning"
place = [[0, 1, 1, 1], [2, 0, 2, 2]]  # rows, then columns
value = [3.0, 4.0, 1.0, 4.0]
built = torch.sparse_coo_tensor(place, value, size=(2, 3))
print(built)
print("dense:", built.to_dense().tolist())

# %% checked
checked = torch.sparse_coo_tensor(place, value, size=(2, 3), check_invariants=True)
print("same:", torch.equal(checked.to_dense(), built.to_dense()))

# %% out-of-range raises="RuntimeError"
torch.sparse_coo_tensor([[0], [5]], [1.0], size=(2, 3), check_invariants=True)

# %% in-range
size = (2, 6)
wider = torch.sparse_coo_tensor([[0], [5]], [1.0], size, check_invariants=True)
print(wider.to_dense()[0].tolist())

# %% values-error raises="RuntimeError"
built.values()

# %% values
merged = built.coalesce()
print("values: ", merged.values())
print("indices:", merged.indices().tolist())

# %% csr warns="UserWarning"
csr = dense.to_sparse_csr()
print("crow_indices:", csr.crow_indices())
print("col_indices: ", csr.col_indices())
print("values:      ", csr.values())

# %% product
right = torch.tensor([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]])
print("dense: ", (dense @ right).tolist())
print("coo:   ", (coo @ right).tolist())
print("csr:   ", (csr @ right).tolist())
print("function:", torch.sparse.mm(coo, right).tolist())
print("vector:", (coo @ torch.ones(3)).tolist())
print("coo @ coo:", (coo @ coo.t()).layout)

# %% memory
n = 10_000
step = torch.arange(2 * n)
edges = torch.stack((step // 2, (7 * step) % n))  # two in each row
graph = torch.sparse_coo_tensor(edges, torch.ones(2 * n), (n, n)).coalesce()
compact = graph.to_sparse_csr()
parts = compact.crow_indices(), compact.col_indices(), compact.values()
print(f"dense: {n * n * 4 / 1e6:.0f} MB")
print(f"coo:   {(graph.indices().nbytes + graph.values().nbytes) / 1e6:.1f} MB")
print(f"csr:   {sum(part.nbytes for part in parts) / 1e6:.1f} MB")

# %% supported
print("row 1:      ", coo[1].to_dense())
print("columns 1-2:", coo.index_select(1, torch.tensor([1, 2])).to_dense().tolist())
print("row sums:   ", torch.sparse.sum(coo, dim=1).to_dense())
print("times a row:", (coo * torch.tensor([1.0, 2.0, 3.0])).to_dense().tolist())

# %% add-error raises="RuntimeError"
coo + 1

# %% add
print("all elements:", (coo.to_dense() + 1).tolist())
plus_one = torch.sparse_coo_tensor(coo.indices(), coo.values() + 1, coo.shape)
print("stored ones: ", plus_one.to_dense().tolist())
print("dense first: ", (dense + coo).tolist())

# %% assign-error raises="TypeError"
coo[0, 0] = 1.0

# %% assign
one = torch.sparse_coo_tensor([[0], [0]], [1.0], coo.shape)
print((coo + one).to_dense().tolist())

# %% gradient
weight = torch.tensor([3.0, 4.0, 5.0], requires_grad=True)
matrix = torch.sparse_coo_tensor(coo.indices(), weight, (2, 3))
(matrix @ right).sum().backward()
print("one per stored element:", weight.grad)

# %% counter-cases hidden=true
again = torch.sparse_csr_tensor(csr.crow_indices(), csr.col_indices(), csr.values())
assert torch.equal(again.to_dense(), dense)
half_full = (torch.arange(100).view(10, 10) % 2).float().to_sparse().coalesce()
assert half_full.indices().nbytes + half_full.values().nbytes > 400
torch.manual_seed(0)
for rows, columns in ((3, 4), (20, 7), (5, 1)):
    x = torch.randn(rows, columns) * (torch.rand(rows, columns) < 0.3)
    y = torch.randn(columns, 6)
    for sparse in (x.to_sparse(), x.to_sparse_csr()):
        torch.testing.assert_close(sparse @ y, x @ y)
        assert torch.equal(sparse.to_dense(), x)
for product, layout in ((torch.matmul, torch.strided), (torch.sparse.mm, torch.sparse_coo)):
    leaf = dense.to_sparse().requires_grad_()
    product(leaf, right).sum().backward()
    assert leaf.grad.layout is layout, (product, leaf.grad.layout)

# %% by-edges hidden=true
rows, columns = coo.indices()
leaf = weight.detach().clone().requires_grad_()
by_edges = right.new_zeros(len(coo), right.shape[1]).index_add(0, rows, leaf[:, None] * right[columns])
torch.testing.assert_close(by_edges.detach(), (matrix @ right).detach())
by_edges.sum().backward()
torch.testing.assert_close(leaf.grad, weight.grad)

# %% columns-out-of-order hidden=true
crow, column, stored = [0, 2, 3], [2, 0, 1], [3.0, 1.0, 5.0]
mixed = torch.sparse_csr_tensor(crow, column, stored, size=(2, 3))
ordered = mixed.to_dense().to_sparse_csr()
assert not torch.equal((mixed.to_sparse_coo() * ordered.to_sparse_coo()).to_dense(), mixed.to_dense() ** 2)
assert torch.equal((ordered * ordered).to_dense(), mixed.to_dense() ** 2)
try:
    torch.sparse_csr_tensor(crow, column, stored, size=(2, 3), check_invariants=True)
except RuntimeError as error:
    assert "sorted and distinct" in str(error)
else:
    raise AssertionError("columns may be in any order now")

# %% who-warns hidden=true
import warnings


def warns_of_beta(multiply):
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        multiply()
    return any("beta state" in str(one.message) for one in said)


torch.set_warn_always(True)  # not once per process
assert warns_of_beta(lambda: coo @ coo.t()) and not warns_of_beta(lambda: coo @ right)
torch.set_warn_always(False)

# %% clip-sparse-gradient hidden=true
words = torch.nn.Embedding(5, 2, sparse=True)
for kept in (False, True):
    words.weight.grad = None
    (words(torch.tensor([1, 1, 2])) * 10).sum().backward()
    if kept:
        words.weight.grad = words.weight.grad.coalesce()
        words.weight.grad.values().clamp_(-1, 1)
    else:
        words.weight.grad.coalesce().values().clamp_(-1, 1)
    assert words.weight.grad.to_dense().max().item() == (1 if kept else 20)

# %% subtract-dense hidden=true
try:
    coo - dense
except RuntimeError as error:
    assert "Use add(dense, sparse) instead" in str(error), error
else:
    raise AssertionError("a dense tensor can be subtracted from a sparse one")
assert torch.equal(coo.to_dense() - dense, -(dense - coo))
counts = torch.tensor([[200]], dtype=torch.uint8)  # -counts is 56
assert (torch.tensor([[300.0]]).to_sparse().to_dense() - counts).item() == 100

# %% pairs-are-no-columns hidden=true
pairs = torch.tensor([[0, 2], [1, 5]])  # (0, 2) and (1, 5), one a row
wrong = torch.sparse_coo_tensor(pairs, [1.0, 2.0], size=(3, 6), check_invariants=True).to_dense()
right = torch.sparse_coo_tensor(pairs.T, [1.0, 2.0], size=(2, 6), check_invariants=True).to_dense()
assert wrong[0, 1] == 1 and right[0, 2] == 1 and right[1, 5] == 2
