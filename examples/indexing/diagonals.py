"""Diagonals and triangles: read them, write them, build matrices from them."""

# %% diagonal
import torch

grid = torch.arange(9).view(3, 3)
print("grid:", grid, sep="\n")
print("diagonal:  ", grid.diagonal(), "sum:", grid.trace().item())
print("one above: ", grid.diagonal(1))
print("one below: ", grid.diagonal(-1))

# %% writes
changed = grid.clone()
changed.diagonal(1).fill_(100)  # a view: writes into `changed`
changed.fill_diagonal_(-1)
print(changed)

# %% diag
print("from a vector:", torch.diag(torch.tensor([1, 2])), sep="\n")
print("from a matrix:", torch.diag(grid))
copied = torch.diag(grid)
copied.zero_()
print("grid after writing:", grid.diagonal())

# %% batch-error raises="RuntimeError"
batch = torch.arange(12).view(3, 2, 2)  # three matrices
batch.diag()

# %% batch
diagonals = batch.diagonal(dim1=-2, dim2=-1)  # (3, 2)
print("one per matrix:", diagonals.tolist())
print("back to matrices:", torch.diag_embed(diagonals).tolist())

# %% batch-silent
print("dimensions 0 and 1:", batch.diagonal().tolist())

# %% triangles
print("tril():", grid.tril(), sep="\n")
print("triu(1):", grid.triu(1), sep="\n")

# %% causal
steps = 4
causal = torch.ones(steps, steps, dtype=torch.bool).tril()
scores = torch.zeros(steps, steps)
weight = scores.masked_fill(~causal, float("-inf")).softmax(dim=-1)
print("causal:", causal.int(), sep="\n")
print("weight:", weight, sep="\n")

# %% additive
added = torch.full((3, 3), float("-inf")).triu(1)
wrong = torch.ones(3, 3).triu(1) * float("-inf")
print("full(-inf).triu(1):", added, sep="\n")
print("triu(1) * -inf:", wrong, sep="\n")

# %% pairs
row, column = torch.triu_indices(3, 3, offset=1)
print("pairs: ", list(zip(row.tolist(), column.tolist())))
print("values:", grid[row, column])

# %% block-diag
block = torch.tensor([[1, 2], [3, 4]])
print("block_diag:", torch.block_diag(block, torch.tensor([[9]])), sep="\n")

# %% kron
eye, ones = torch.eye(2, dtype=torch.int64), torch.ones(1, 2, dtype=torch.int64)
print("kron(eye, block):", torch.kron(eye, block), sep="\n")
print("kron(block, ones):", torch.kron(block, ones), sep="\n")

# %% counter-cases hidden=true
import torch.nn.functional as F

tokens = torch.randn(1, 4, 8, generator=torch.Generator().manual_seed(0))
attention = torch.nn.MultiheadAttention(8, 1, batch_first=True)
weights = attention(tokens, tokens, tokens, attn_mask=~causal)[1][0]
assert torch.equal(weights > 0, causal)
with_mask = F.scaled_dot_product_attention(tokens, tokens, tokens, attn_mask=causal)
with_flag = F.scaled_dot_product_attention(tokens, tokens, tokens, is_causal=True)
torch.testing.assert_close(with_mask, with_flag)
torch.manual_seed(0)
for shape in ((3, 3), (2, 4), (5, 2), (2, 3, 3)):
    x = torch.randn(shape)
    assert torch.equal(x.tril() + x.triu(1), x)
    view = x.diagonal(dim1=-2, dim2=-1)
    assert view.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()
    if x.ndim == 2:
        assert torch.equal(x.diag(), view) and x.diag().data_ptr() != x.data_ptr()
assert torch.equal(torch.kron(eye, block), torch.block_diag(block, block))

# %% fewer-queries hidden=true
first = F.scaled_dot_product_attention(tokens[:, :2], tokens, tokens, is_causal=True)
torch.testing.assert_close(first[:, 0], tokens[:, 0])  # query 0: key 0 alone

# %% offset-comes-first hidden=true
stack = torch.arange(18).reshape(2, 3, 3)
assert torch.equal(stack.diagonal(1, 2), stack.diagonal(offset=1, dim1=2, dim2=1))
assert torch.equal(stack.diagonal(dim1=-2, dim2=-1), torch.stack([matrix.diag() for matrix in stack]))
