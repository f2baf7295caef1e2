"""nn.Embedding is a table of vectors that is read by integer index."""

# %% lookup
import torch
from torch import nn

torch.manual_seed(0)
embedding = nn.Embedding(num_embeddings=5, embedding_dim=3)
tokens = torch.tensor([[1, 4], [1, 0]])  # (batch, time)
out = embedding(tokens)
print(out.shape)
print("out[0, 0] is row 1:", torch.equal(out[0, 0], embedding.weight[1]))

# %% indexing hidden=true
assert torch.equal(out, embedding.weight[tokens])
one_hot = nn.functional.one_hot(tokens, 5).float()
torch.testing.assert_close(one_hot @ embedding.weight, out)

# %% gradient
out.sum().backward()
print(embedding.weight.grad)

# %% padding
padded = nn.Embedding(5, 3, padding_idx=0)
print(padded.weight[0].detach())
padded(torch.tensor([0, 0, 2])).sum().backward()
print(padded.weight.grad[[0, 2]])

# %% padding-overwritten
nn.init.normal_(padded.weight)
print("row 0 is zero:", not padded.weight[0].any())
with torch.no_grad():
    padded.weight[padded.padding_idx].zero_()

# %% out-of-range raises="IndexError"
embedding(torch.tensor([5]))

# %% check
tokens = torch.tensor([3, 5, -1])
print(tokens[(tokens < 0) | (tokens >= embedding.num_embeddings)])

# %% float raises="RuntimeError"
embedding(torch.tensor([1.0]))

# %% pretrained
vectors = torch.tensor([[0.0, 0.0], [1.0, 2.0], [3.0, 4.0]])
frozen = nn.Embedding.from_pretrained(vectors, padding_idx=0)
tuned = nn.Embedding.from_pretrained(vectors, padding_idx=0, freeze=False)
print("requires_grad:", frozen.weight.requires_grad, tuned.weight.requires_grad)
print("shares memory:", frozen.weight.data_ptr() == vectors.data_ptr())

# %% sparse
sparse = nn.Embedding(1_000_000, 8, sparse=True)
sparse(torch.tensor([7, 9])).sum().backward()
gradient = sparse.weight.grad.coalesce()
print(gradient.layout, gradient.indices().tolist(), tuple(gradient.values().shape))

# %% sparse-adam raises="RuntimeError"
torch.optim.Adam(sparse.parameters()).step()

# %% sparse-adam-right
torch.optim.SparseAdam(sparse.parameters()).step()
print("SparseAdam steps")

# %% zero-gradient-still-moves hidden=true
table = nn.Embedding(2, 1)
optimizer = torch.optim.Adam(table.parameters())
for row in (0, 1):
    before = table.weight[0].item()
    optimizer.zero_grad()
    table(torch.tensor([row])).sum().backward()
    optimizer.step()
assert table.weight.grad[0] == 0 and table.weight[0].item() != before

# %% remedies hidden=true
ids = torch.tensor([0, 7, 3], dtype=torch.int16)
table = nn.Embedding(int(ids.max()) + 1, 2)
assert table(ids.long()).shape == (3, 2)
known = torch.where(ids < 5, ids, 5).long()  # row 5 is for unknown ids
nn.Embedding(6, 2)(known)

# %% counter-cases hidden=true
for ids in (torch.tensor([[1, 4], [1, 0]]), torch.tensor(2), torch.zeros(0, dtype=torch.long)):
    read = embedding(ids)
    assert torch.equal(read, embedding.weight[ids]) and read.shape == (*ids.shape, 3)
    one_hot = nn.functional.one_hot(ids, 5).float()
    torch.testing.assert_close(read, one_hot @ embedding.weight)
padded = nn.Embedding(5, 3, padding_idx=0)
for make in (torch.optim.SGD, torch.optim.AdamW):
    optimizer = make(padded.parameters(), lr=0.1, weight_decay=0.1)
    for _ in range(5):
        optimizer.zero_grad()
        padded(torch.tensor([0, 1, 2])).square().sum().backward()
        optimizer.step()
    assert not padded.weight[0].any()  # it stays zero

# %% tied hidden=true
tied = nn.Embedding(5, 3, padding_idx=0)
nn.functional.linear(tied(torch.tensor([1, 0])), tied.weight).sum().backward()
assert tied.weight.grad[0].any()

# %% half-precision hidden=true
rounded = nn.Embedding(3, 2, dtype=torch.bfloat16)
rounded(torch.zeros(3000, dtype=torch.int64)).sum().backward()
assert rounded.weight.grad[0, 0] < 3000 / 5

# %% rounded-ids hidden=true
ids = torch.tensor([101, 7592, 30001])
for dtype, right in ((torch.float32, True), (torch.float16, False), (torch.bfloat16, False)):
    cast = ids.to(dtype)
    try:
        nn.Embedding(30522, 2)(cast)
    except RuntimeError as error:
        assert "Expected tensor for argument #1 'indices'" in str(error)
    else:
        raise AssertionError
    assert torch.equal(cast.long(), ids) is right
